import { expect } from 'chai';
import type { QueryOptions, Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS, FORECASTS } from '../../support/ingest/loads.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { withMethod } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

// Guards that an answer of a version never comes from histograms, which a load may be writing to (D31).

const WINDOW = 'date_from=2026-01-05&days=1';

const PATHS = [
  `accuracy/summary?${WINDOW}`,
  `accuracy/summary?station_id=KORD&${WINDOW}`,
  `accuracy/by-date?${WINDOW}`,
  `accuracy/by-lead-time?${WINDOW}`,
  `accuracy/by-city?station_id=KORD&${WINDOW}`,
  `accuracy/by-station/KORD?${WINDOW}`,
  `accuracy/exceedance?${WINDOW}`,
  `accuracy/exceedance-summary?${WINDOW}`,
  `accuracy/error-distribution?${WINDOW}`,
  `accuracy/sample-size?${WINDOW}`,
  `accuracy/by-city?${WINDOW}`,
  `accuracy/by-weather-regime?${WINDOW}`,
];

describe('an answer of a version of the data', function () {
  let store: Store;
  let service: TestService;
  let texts: string[] = [];

  before(async () => {
    store = await openWorld([FEEDS]);
    await loadLines(store, { columns: 'all', forecasts: FORECASTS.map((line) => `${line},other,false`) });
    const watched = withMethod(store, 'query', (...given) => {
      if ((given.at(-1) as QueryOptions | undefined)?.origin !== undefined)
        texts.push(given[0].statement.text);
      return store.query(...given);
    });
    service = await startTestService(watched, { cacheBytes: 0 });
  });
  after(() => store.close());

  const statementsOf = async (path: string): Promise<string> => {
    texts = [];
    const { status, text } = await service.get(`/api/v1/${path}`);
    expect(status, `${path}: ${text}`).to.equal(200);
    return texts.join();
  };
  const HISTOGRAMS = /_errors\b|_counts\b/;

  for (const path of range({ test: 2, ci: Infinity }, PATHS)) {
    it(`given ${path}, then the latest data are of histograms, and any version is of the ledger`, async () => {
      expect(await statementsOf(path)).to.match(HISTOGRAMS);
      for (const version of ['v1', 'v2']) {
        expect(await statementsOf(`${path}&as_of=${version}`))
          .to.match(/station_days/)
          .and.not.to.match(HISTOGRAMS);
      }
    });
  }
});
