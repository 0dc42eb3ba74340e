import { crowd } from '../torture/crowd.js';
import { generatedRequests } from '../torture/generated-requests.js';
import { killedLoads } from '../torture/killed-loads.js';
import { killedServers } from '../torture/killed-servers.js';
import { lockedOut } from '../torture/locked-out.js';
import { memory } from '../torture/memory.js';
import { mutatedFeeds } from '../torture/mutated-feeds.js';
import { rawSockets } from '../torture/raw-sockets.js';
import { signalled } from '../torture/signalled.js';
import { twoLoaders } from '../torture/two-loaders.js';
import { range } from '../support/runner/range.js';

// The torture suite in short: two rows in `make test`, four in `make ci`, always the same ones, with time enough for a busy
// machine. `make torture` has them all, at length.

const seed = 1;

const ROWS: (() => void)[] = [
  () => generatedRequests({ seed, count: 200 }),
  () => killedLoads({ seed, kills: 1, stationDays: 100 }),
  () => killedServers({ seed, kills: 1, stationDays: 100, backWithinMs: 60_000 }),
  () => crowd({ seed, clients: 16, seconds: 2, stationDays: 60 }),
  () => signalled({ seed, times: 1, clients: 8, endsWithinMs: 60_000 }),
  () => rawSockets({ seed, connections: 60 }),
  () => mutatedFeeds({ seed, files: 40, programs: 1 }),
  () => lockedOut({ seed, timed: 100 }),
  () => memory({ seed, seconds: 4, allowedGrowth: 1 }),
  () => twoLoaders({ seed, times: 1, stationDays: 60 }),
];

describe('endurance', () => {
  for (const row of range({ test: 2, ci: 4 }, ROWS)) row();
});
