import { expect } from 'chai';
import { z } from 'zod';
import type { QueryOptions, Store } from '../../../src/store/store.js';
import { sql } from '../../../src/sql.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS, FORECASTS } from '../../support/ingest/loads.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { withMethod } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

// Guards that a past answer is made a second time only where its first form may be wrong: where histograms gave it, and a
// load has written to them meanwhile (D31). Whoever asks pays for both.

const API = '/api/v1';
const WINDOW = 'date_from=2026-01-05&days=1';

const REWINDING = [
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
];

const OF_THE_LEDGER = [
  `accuracy/by-city?${WINDOW}`,
  `accuracy/summary?known_at=2026-02-01&${WINDOW}`,
  `accuracy/hit-rate?${WINDOW}`,
  `accuracy/by-bucket/KORD?${WINDOW}`,
  `accuracy/events?${WINDOW}`,
  `accuracy/revision-stats?${WINDOW}`,
  `accuracy/update-frequency?${WINDOW}`,
  `accuracy/compare?providers=default,other&${WINDOW}`,
  `accuracy/skill?${WINDOW}`,
  'accuracy/bias-correction?station_id=KORD&forecast_temp=60&window=60',
  `probability/reliability?${WINDOW}`,
  `data/observations?${WINDOW}`,
  `data/forecast-actual?${WINDOW}`,
];

describe('an answer of a past version, given a load that ends while it is made', function () {
  this.timeout(120_000);
  let store: Store;
  let service: TestService;
  let statements: { text: string }[] = [];
  /** Whether a load is to end behind the next statement. */
  let isLoading = false;

  before(async () => {
    store = await openWorld([FEEDS]);
    await loadLines(store, { columns: 'all', forecasts: FORECASTS.map((line) => `${line},other,false`) });
    const loading = withMethod(store, 'query', async (...given) => {
      const options = given.at(-1) as QueryOptions | undefined;
      if (options?.origin !== undefined) {
        statements.push(given[0]);
        if (isLoading) await load();
      }
      return store.query(...given);
    });
    service = await startTestService(loading, { cacheBytes: 0 });
  });
  after(() => store.close());

  /** A load that brings nothing, from begin to end. */
  async function load(): Promise<void> {
    isLoading = false;
    const [last] = await store.query(
      sql`SELECT max(load_id) AS load_id FROM loads`,
      z.object({ load_id: z.number() }),
    );
    const load_id = (last?.load_id ?? 0) + 1;
    for (const event of ['started', 'finished'])
      await store.insert('loads', ['load_id', 'event', 'report'], [[load_id, event, '{}']]);
  }
  /** The statements of an answer that a load disturbs. */
  const disturbed = async (path: string): Promise<{ text: string }[]> => {
    statements = [];
    isLoading = true;
    const { status, text } = await service.get(`${API}/${path}&as_of=v2`);
    expect(status, `${path}: ${text}`).to.equal(200);
    return statements;
  };
  const HISTOGRAMS = /_errors\b|_counts\b/;

  for (const path of range({ test: 4, ci: Infinity }, REWINDING)) {
    it(`given ${path}, then it is made again of the ledger`, async () => {
      const texts = (await disturbed(path)).map(({ text }) => text);
      const [first, again] = [texts.slice(0, texts.length / 2), texts.slice(texts.length / 2)];
      expect(again).to.have.lengthOf(first.length);
      expect(first.join()).to.match(HISTOGRAMS);
      expect(again.join())
        .to.match(/station_days/)
        .and.not.to.match(HISTOGRAMS);
    });
  }

  for (const path of range({ test: 5, ci: Infinity }, OF_THE_LEDGER)) {
    it(`given ${path}, which never rewinds, then it is made once`, async () => {
      const asked = (await disturbed(path)).map((statement) => JSON.stringify(statement));
      expect(asked).not.to.be.empty;
      expect(asked).to.have.lengthOf(new Set(asked).size);
    });
  }
});
