import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { ask } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { BUCKETS, emptyStore, linesOf, Oracle, type Pair, worlds } from '../../support/plain/oracle.js';
import { byForecast, plainQuantiles } from '../../support/plain/quantiles.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Counts of errors and of pairs after corrections, withdrawals and moves, against plain loops over the oracle's pairs. The
// seed is fixed, and a failure names it with the path to its case.
const RUN = { seed: 20_261_122, interruptAfterTimeLimit: 200_000 } as const;

describe('counts of errors over HTTP, given random feeds', function () {
  this.timeout(300_000);
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  itInCi(
    'when loads correct each other, then exceedance, distribution, quantiles and sample size are those of the pairs',
    () =>
      fc.assert(
        fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
          await emptyStore(store);
          for (const load of world.loads) await loadLines(store, linesOf(load));
          const now = Date.parse(`${world.dates[0]}T15:30:00Z`);
          const service = await startTestService(store, { now: new Date(now).toISOString() });
          const { pairs } = new Oracle(world.loads, now);
          for (const [date, metric] of world.dates.flatMap((each) => [
            [each, 'high'] as const,
            [each, 'low'] as const,
          ])) {
            const window = `date_to=${date}&days=1&metric=${metric}`;
            const own = pairs.filter((pair) => pair.target_date === date && pair.metric === metric);
            await expectCounts(window, own, service);
          }
        }),
        { ...RUN, numRuns: range({ test: 0, ci: 3, torture: 15 }) },
      ),
  );
});

interface Quantiles {
  quantiles_by_lead_time?: unknown;
  quantiles_by_forecast?: unknown;
}

async function expectCounts(
  window: string,
  pairs: readonly Pair[],
  service: Parameters<typeof ask>[0],
): Promise<void> {
  const sizes = pairs.map(({ error }) => Math.abs(error));
  // Thresholds at the errors themselves: a pair that is off by as much is within.
  const chosen = [...new Set(sizes.filter((size) => size <= 5000))].sort((a, b) => a - b).slice(0, 9);
  const thresholds = [...new Set([0, ...chosen])];
  const asked = thresholds.map((each) => each / 100).join(',');
  const exceedance = (await ask(service, `exceedance?${window}&thresholds=${asked}`)).body.data as {
    thresholds: { threshold_f: number; exceedance_rate: number | null }[];
    verification_pairs: number;
  };
  expect(exceedance.verification_pairs, window).to.equal(pairs.length);
  for (const [at, threshold] of thresholds.entries()) {
    const above = sizes.filter((size) => size > threshold).length;
    const rate =
      pairs.length === 0 ? null : Math.floor((20_000 * above + pairs.length) / (2 * pairs.length)) / 1e4;
    expect(exceedance.thresholds[at], window).to.include({
      threshold_f: threshold / 100,
      exceedance_rate: rate,
    });
  }
  const distribution = (await ask(service, `error-distribution?${window}&signed=true&bin_width=0.5`)).body
    .data as {
    buckets: { from_f: number; to_f: number; count: number }[];
  };
  for (const { from_f, to_f, count } of distribution.buckets) {
    const within = pairs.filter(({ error }) => from_f * 100 <= error && error < to_f * 100);
    expect(count, `${window} ${from_f}`).to.equal(within.length);
  }
  expect(distribution.buckets.reduce((sum, { count }) => sum + count, 0)).to.equal(pairs.length);
  const path = `error-distribution?${window}&group_by`;
  const { quantiles_by_lead_time } = (await ask(service, `${path}=lead_time_bucket`)).body.data as Quantiles;
  expect(quantiles_by_lead_time, window).to.deep.equal(
    BUCKETS.map((bucket) => [bucket, pairs.filter((pair) => pair.lead_time_bucket === bucket)] as const)
      .filter(([, of]) => of.length > 0)
      .map(([lead_time_bucket, of]) => ({ lead_time_bucket, ...plainQuantiles(of) })),
  );
  const ranges = await ask(service, `${path}=forecast&range_width=3&range_offset=1`);
  const wholeDegrees = (forecast: number): number => Math.floor((forecast + 50) / 100);
  expect((ranges.body.data as Quantiles).quantiles_by_forecast, window).to.deep.equal(
    byForecast(pairs, wholeDegrees, 3, 1).map(([low, of]) => ({
      range_low_f: low,
      range_high_f: low + 3,
      ...plainQuantiles(of),
    })),
  );
  const stations = (await ask(service, `sample-size?${window}&min_samples=1`)).body.data as {
    station_id: string;
    verification_pairs: number;
    preliminary_pairs: number;
  }[];
  for (const { station_id, verification_pairs, preliminary_pairs } of stations) {
    const own = pairs.filter((pair) => pair.station_id === station_id);
    const preliminary = own.filter((pair) => pair.observation_status === 'preliminary');
    expect([verification_pairs, preliminary_pairs]).to.deep.equal([own.length, preliminary.length]);
  }
  expect(stations.reduce((sum, each) => sum + each.verification_pairs, 0)).to.equal(pairs.length);
}
