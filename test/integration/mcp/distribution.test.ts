import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { Listening } from '../../support/listen.js';
import { Assistant } from '../../support/mcp/assistant.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Twenty days of a forecast of 50 °F with a standard deviation of 1, on which 44, 50 and 56 °F came in turn.
const DAYS = Array.from({ length: 20 }, (_, at) => `2026-01-${String(at + 5).padStart(2, '0')}`);
const FEEDS = {
  stations: [CHICAGO],
  forecasts: DAYS.map((day) => `KORD,${day}T00:00:00Z,${day},50,,,,1,`),
  observations: DAYS.map((day, at) => `KORD,${day},${[44, 50, 56][at % 3]},,verified,2026-01-30T00:00:00Z`),
};

describe('what an assistant learns of distributions', () => {
  let store: Store;
  let listening: Listening;
  let assistant: Assistant;

  before(async () => {
    store = await openTestStore();
    const { forecasts, ...others } = FEEDS;
    await loadLines(store, others);
    await loadLines(store, { forecasts, columns: 'all' });
    const service = await startTestService(store, { now: '2026-02-01T00:00:00Z' });
    listening = await Listening.start(service);
    assistant = await Assistant.connect(listening.url, service.key);
    await assistant.client.listTools();
  });
  after(async () => {
    await assistant.close();
    await listening.stop();
    await store.close();
  });

  it('given by=distribution, then a row has the shape, the intervals and each quantile; in full, counts', async () => {
    const given = { place: 'Chicago', by: 'distribution' };
    const { rows, http } = await assistant.ask('forecast_accuracy', given);
    expect(http).to.deep.equal(['/api/v1/accuracy/distribution?date_to=2026-01-31&stations=Chicago']);
    const [row = {}] = rows;
    expect(row).to.include({ provider: 'default', cases: 20, shape: 'too_narrow' });
    expect(row).not.to.have.any.keys('pit', 'levels');
    expect((row.coverage as object[])[1]).to.have.all.keys('level', 'observed', 'low', 'high', 'verdict');
    // 50 °F, a third of the days, is in each of them.
    expect((row.intervals as { covered: number }[]).map(({ covered }) => covered)).to.deep.equal([
      0.35, 0.35, 0.35,
    ]);
    const full = await assistant.ask('forecast_accuracy', { ...given, detail: 'full' });
    expect(full.rows[0]).to.have.any.keys('pit');
  });
});
