import { AT_LENGTH } from '../support/stress/stress.js';
import { crowd } from './crowd.js';
import { generatedRequests } from './generated-requests.js';
import { killedLoads } from './killed-loads.js';
import { killedServers } from './killed-servers.js';
import { lockedOut } from './locked-out.js';
import { memoryOfManyStations, memoryOfSample } from './memory.js';
import { mutatedFeeds } from './mutated-feeds.js';
import { rawSockets } from './raw-sockets.js';
import { signalled } from './signalled.js';
import { twoLoaders } from './two-loaders.js';

// Whatever happens, the service keeps working or says clearly why not, loses nothing, counts nothing twice, and lets nobody
// in without a key. `make stress` has all rows at length, STRESS_SEED repeats a run, STRESS_SCALE (0..1) makes a shorter
// one; `make ci` has the one of which it has no other test, in short: the rest are in test/fault-injection at chosen steps.

const ROWS = [
  killedLoads,
  killedServers,
  twoLoaders,
  crowd,
  signalled,
  rawSockets,
  mutatedFeeds,
  lockedOut,
  memoryOfSample,
  memoryOfManyStations,
  generatedRequests,
];

describe('stress', () => {
  if (AT_LENGTH) {
    // A run takes long: a failure is told at once, not only at its end.
    afterEach(function () {
      const { state, err } = this.currentTest ?? {};
      if (state === 'failed') console.log(`      > ${err?.stack?.slice(0, 3000)}`);
    });
  }

  for (const row of AT_LENGTH ? ROWS : [generatedRequests]) row();
});
