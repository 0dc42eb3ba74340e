import { join } from 'node:path';
import { startChromium, stopChromium } from '../support/browser.js';
import { load } from '../../src/ingest/load.js';
import { listen, type Listening } from '../support/dashboard.js';
import { folderOf } from '../support/real-data.js';
import { openTestStore } from '../support/store.js';
import { itIsWholeInEachTab } from '../support/sweep.js';

// The page of six months of the National Weather Service, on the day after them. The folder is named by NWS_2021_DIR; it
// is not part of this repository.

const directory = folderOf('NWS_2021_DIR');

describe('the page, given six months of National Weather Service forecasts', function () {
  this.timeout(600_000);
  let service: Listening;

  before(startChromium);
  before(async () => {
    const store = await openTestStore();
    await load(store, {
      stations: [join(directory, 'stations.csv')],
      forecasts: [join(directory, 'forecasts.csv.gz')],
      observations: [join(directory, 'observations.csv.gz')],
    });
    service = await listen(store, { now: '2021-08-01T12:00:00Z' });
  });
  after(() => service?.stop());
  after(stopChromium);

  itIsWholeInEachTab(() => service, { test: 2, ci: 2, stress: Infinity });
});
