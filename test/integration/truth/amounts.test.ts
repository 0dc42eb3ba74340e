import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { CHICAGO } from '../../support/ingest/loads.js';
import { writeFeeds } from '../../support/ingest/feeds.js';
import { Random } from '../../support/random.js';
import { expectScript } from '../../support/recompute/compare.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

// Amounts in classes: no other test holds the classes, and what each counts, to own loops.
describe('accuracy/by-bucket of amounts', () => {
  let store: Store;
  let service: TestService;
  const DAYS = range({ test: 60, ci: 600 });
  const random = new Random(5);
  /** Hundredths of an inch: mostly 0, and the bounds of classes among the others. */
  const draw = (): number => random.of([0, 0, 0, 1, 9, 10, 24, 25, 39, 49, 50, 99, 100, random.below(300)]);
  const days = Array.from({ length: DAYS }, (_, at) => {
    const date = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10);
    const actual = draw();
    return { date, actual, forecast: random.next() < 0.5 ? actual : draw() };
  });
  const QUERY = `metric=precip&date_from=${days[0]!.date}&date_to=${days.at(-1)!.date}`;

  before(async () => {
    store = await openTestStore();
    const inches = (hundredths: number): string => (hundredths / 100).toFixed(2);
    const [forecasts, observations] = ['forecasts', 'observations'].map((name) =>
      join(temporaryFolder(), `${name}.csv`),
    ) as [string, string];
    writeFileSync(
      forecasts,
      `station_id,issued_at,target_date,high_f,low_f,precip_in\n${days
        .map(({ date, forecast }) => `KORD,${date}T00:00:00Z,${date},,,${inches(forecast)}\n`)
        .join('')}`,
    );
    writeFileSync(
      observations,
      `station_id,date,high_f,low_f,status,observed_at,precip_in\n${days
        .map(
          ({ date, actual }) =>
            `KORD,${date},,,preliminary,${date}T23:00:00Z,${actual === 0 ? 'T' : inches(actual)}\n`,
        )
        .join('')}`,
    );
    const files = {
      ...writeFeeds({ stations: [CHICAGO] }),
      forecasts: [forecasts],
      observations: [observations],
    };
    const report = await load(store, files, { now: new Date('2150-01-01T00:00:00Z') });
    expect([report.outcome, report.rejections]).to.deep.equal(['complete', []]);
    service = await startTestService(store, { now: '2098-12-31T00:00:00Z' });
  });
  after(() => store.close());

  it('given amounts at the bounds of classes, then each class has the days, shares and errors of own loops', async () => {
    const answer = await service.get(`/api/v1/accuracy/by-bucket/KORD?${QUERY}`);
    const { data } = answer.body as { data: Record<string, unknown>[] };
    const BOUNDS = [0, 1, 10, 25, 50, 100, Infinity];
    const TEXTS = [
      '0 inches or a trace',
      '0.01-0.1 inches',
      '0.1-0.25 inches',
      '0.25-0.5 inches',
      '0.5-1 inches',
      '1 inches or more',
    ];
    const expected = TEXTS.map((temperature_range, at) => {
      const [low, high] = [BOUNDS[at]!, BOUNDS[at + 1]!];
      const isIn = (value: number): boolean => value >= low && value < high;
      const forecast = days.filter((day) => isIn(day.forecast));
      const both = forecast.filter((day) => isIn(day.actual)).length;
      const actual = days.filter((day) => isIn(day.actual)).length;
      const mae =
        forecast.reduce((sum, day) => sum + Math.abs(day.forecast - day.actual), 0) / forecast.length;
      return {
        temperature_range,
        range_low: low / 100,
        range_high: high === Infinity ? null : high / 100,
        times_actual_in_range: actual,
        times_forecast_in_range: forecast.length,
        times_both_in_range: both,
        detection_rate: Math.round((10_000 * both) / actual) / 10_000,
        mae_when_forecast_in_range: Math.round(mae) / 100,
      };
    });
    expect(data).to.have.lengthOf(TEXTS.length);
    for (const [at, record] of expected.entries()) expect(data[at]).to.include(record);
  });

  it('units=metric: then classes are in mm, and 0.39 inch, which 10 mm are in the store, is in that of 10', async () => {
    const answer = await service.get(`/api/v1/accuracy/by-bucket/KORD?${QUERY}&units=metric`);
    const { data } = answer.body as { data: Record<string, unknown>[] };
    const BOUNDS = [0, 1, 4, 8, 20, 39, 98, Infinity];
    expect(data.map((each) => [each.range_low, each.times_actual_in_range])).to.deep.equal(
      [0, 0.2, 1, 2, 5, 10, 25].flatMap((low, at) => {
        const isIn = (value: number): boolean => value >= BOUNDS[at]! && value < BOUNDS[at + 1]!;
        const [actual, forecast] = (['actual', 'forecast'] as const).map(
          (which) => days.filter((day) => isIn(day[which])).length,
        );
        return actual! + forecast! > 0 ? [[low, actual]] : [];
      }),
    );
    await expectScript(service, `accuracy/by-bucket/KORD?${QUERY}&units=metric`);
  });

  it('then its script, and that of events, make the same digits', async () => {
    await expectScript(service, `accuracy/by-bucket/KORD?${QUERY}`);
    await expectScript(service, `accuracy/events?${QUERY}&thresholds=0.01,0.1,1`);
  });
});
