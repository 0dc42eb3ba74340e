import { scaled, SEED, tell } from '../support/torture/torture.js';
import { crowd } from './crowd.js';
import { generatedRequests } from './generated-requests.js';
import { killedLoads } from './killed-loads.js';
import { killedServers } from './killed-servers.js';
import { lockedOut } from './locked-out.js';
import { memory } from './memory.js';
import { mutatedFeeds } from './mutated-feeds.js';
import { rawSockets } from './raw-sockets.js';
import { signalled } from './signalled.js';
import { twoLoaders } from './two-loaders.js';

// make torture. Whatever happens, the service keeps working or says clearly why not, loses nothing, counts nothing
// twice, and lets nobody in without a key. TORTURE_SEED repeats a run, TORTURE_SCALE (0..1) makes a shorter one.

describe('torture', () => {
  const seed = SEED;
  before(() => tell('all', { TORTURE_SEED: seed, TORTURE_SCALE: process.env.TORTURE_SCALE ?? 1 }));

  // A run takes long: a failure is told at once, not only at its end.
  afterEach(function () {
    const { state, err } = this.currentTest ?? {};
    if (state === 'failed') console.log(`      > ${err?.stack?.slice(0, 3000)}`);
  });

  killedLoads({ seed, kills: scaled(60), stationDays: 6000 });
  killedServers({ seed, kills: scaled(20), stationDays: 6000, backWithinMs: 10_000 });
  twoLoaders({ seed, times: scaled(10), stationDays: 2000 });
  crowd({ seed, clients: 64, seconds: scaled(60), stationDays: 2000 });
  signalled({ seed, times: scaled(10), clients: 32, endsWithinMs: 10_000 });
  generatedRequests({ seed, count: scaled(100_000) });
  rawSockets({ seed, connections: scaled(5000) });
  mutatedFeeds({ seed, files: scaled(10_000), programs: scaled(300) });
  lockedOut({ seed, timed: scaled(4000) });
  memory({ seed, seconds: scaled(Number(process.env.TORTURE_MEMORY_SECONDS ?? 1800)) });
});
