import { expect } from 'chai';
import { loadLines } from '../../support/ingest/feeds.js';
import { compareWithScript, type Compared } from '../../support/recompute/compare.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import type { Store } from '../../../src/store/store.js';
import { CLIMATE_REPORTS } from '../../support/plain/climate-reports.js';

const [REPORT] = CLIMATE_REPORTS;
const DATES = REPORT.days.map((_, at) => `2020-02-${`${at + 1}`.padStart(2, '0')}`);
/** The forecasts of a day: hours before it began, and degrees above what came. */
const FORECASTS: [lead: number, above: number][] = [
  [3, 1],
  [5, 30],
  [30, 2],
  [60, 4],
  [-2, 50], // of the day itself
];

// Guards the sums of days, which no other test has: each day counts once, with the latest forecast, and the sum is what is printed.
describe('the sums of degree days, given a climate report of a month', () => {
  let store: Store;
  let service: TestService;
  before(async () => {
    store = await openTestStore();
    await loadLines(store, {
      stations: ['KDSM,Des Moines,US,41.5,-93.7,America/Chicago,Dfa,true,,DSM'],
      forecasts: REPORT.days.flatMap(([high, low], at) =>
        FORECASTS.map(([lead, above]) => {
          const issued = new Date(Date.parse(`${DATES[at]}T06:00:00Z`) - lead * 3_600_000).toISOString();
          return `KDSM,${issued},${DATES[at]},${high + above},${low + above}`;
        }),
      ),
      observations: REPORT.days.map(
        ([high, low], at) => `KDSM,${DATES[at]},${high},${low},verified,2020-03-01T00:00:00Z`,
      ),
    });
    service = await startTestService(store, { now: '2020-06-01T00:00:00Z' });
  });
  after(() => store.close());

  const of = async (path: string): Promise<Record<string, unknown>[]> => {
    const { status, text } = await service.get(
      `/api/v1/accuracy/${path}&date_from=2020-02-01&date_to=2020-02-29&station_id=KDSM`,
    );
    expect(status, text).to.equal(200);
    return [(JSON.parse(text) as { data: object }).data].flat() as Record<string, unknown>[];
  };
  /** Heating degree days as the NWS has them, if all days were so much warmer. */
  const sumOf = (above: number): number =>
    REPORT.days.reduce(
      (sum, [high, low]) => sum + Math.max(0, 65 - Math.floor((high + low + 2 * above + 1) / 2)),
      0,
    );

  it('given method=nws, then sum_actual is as printed, and each day counts with its latest forecast', async () => {
    const [found] = await of('summary?metric=hdd&method=nws');
    expect(found).to.include({
      sum_actual: REPORT.hdd,
      sum_forecast: sumOf(1),
      unique_days: REPORT.days.length,
    });
    const buckets = await of('by-lead-time?metric=hdd&method=nws&include_same_day=true');
    const sums = buckets.map(({ lead_time_bucket, sum_forecast, sum_actual }) => [
      lead_time_bucket,
      sum_forecast,
      sum_actual,
    ]);
    expect(sums).to.deep.equal([
      ['same-day', sumOf(50), REPORT.hdd],
      ['0-6h', sumOf(1), REPORT.hdd],
      ['6-12h', null, null],
      ['12-24h', null, null],
      ['24-48h', sumOf(2), REPORT.hdd],
      ['48-72h', sumOf(4), REPORT.hdd],
      ['72h+', null, null],
    ]);
    const days = await of('by-date?metric=hdd&method=nws');
    expect(days.map(({ sum_actual }) => sum_actual)).to.deep.equal(REPORT.days.map(([, , hdd]) => hdd));
    const [month] = await of('by-date?metric=hdd&method=nws&group_by=month');
    expect(month).to.include({ sum_actual: REPORT.hdd, sum_forecast: sumOf(1) });
    expect(await of('summary?metric=high').then(([each]) => each)).not.to.have.property('sum_actual');
  });

  it('given scripts of them, in °F and °C, by as_of and lead time, then DuckDB has the same sums', async () => {
    const result: Compared = { numbers: 0, differing: [], missing: new Set() };
    for (const endpoint of ['summary', 'by-date', 'by-lead-time'])
      for (const query of [
        'metric=hdd&base=18c',
        'metric=gdd&base=40f&temp_unit=celsius',
        'metric=hdd&as_of=v1&lead_time_bucket=24-48h,48-72h',
      ])
        await compareWithScript(
          service,
          `accuracy/${endpoint}?${query}&date_from=2020-02-01&date_to=2020-02-29`,
          result,
        );
    expect(result.differing).to.deep.equal([]);
    expect([...result.missing].filter((name) => name.includes('sum_'))).to.deep.equal([]);
    expect(result.numbers).to.be.above(100);
  });
});
