import { crowd } from '../../torture/crowd.js';
import { generatedRequests } from '../../torture/generated-requests.js';
import { killedLoads } from '../../torture/killed-loads.js';
import { killedServers } from '../../torture/killed-servers.js';
import { lockedOut } from '../../torture/locked-out.js';
import { memory } from '../../torture/memory.js';
import { mutatedFeeds } from '../../torture/mutated-feeds.js';
import { rawSockets } from '../../torture/raw-sockets.js';
import { signalled } from '../../torture/signalled.js';
import { twoLoaders } from '../../torture/two-loaders.js';

// The torture suite in short: a few of each, always the same ones, with time enough for a busy machine.

describe('endurance', () => {
  const seed = 1;

  killedLoads({ seed, kills: 1, stationDays: 400 });
  killedServers({ seed, kills: 1, stationDays: 400, backWithinMs: 60_000 });
  twoLoaders({ seed, times: 1, stationDays: 200 });
  crowd({ seed, clients: 16, seconds: 3, stationDays: 100 });
  signalled({ seed, times: 1, clients: 8, endsWithinMs: 60_000 });
  generatedRequests({ seed, count: 500 });
  rawSockets({ seed, connections: 60 });
  mutatedFeeds({ seed, files: 40, programs: 1 });
  lockedOut({ seed, timed: 100 });
  memory({ seed, seconds: 4, allowedGrowth: 1 });
});
