import { expect } from 'chai';
import { z } from 'zod';
import { raw, sql } from '../../../src/queries/sql.js';
import { migrate } from '../../../src/store/schema/migrate.js';
import type { Store } from '../../../src/store/store.js';
import { CODED_VARIABLES, type CodedVariable } from '../../../src/variables/codes.js';
import { refusal } from '../../support/failure.js';
import { openTestStore } from '../../support/store.js';

const SUNSHINE: CodedVariable = { name: 'sunshine', code: 100, period: 'day' };
const SOIL: CodedVariable = { name: 'soil_temperature', code: 101, period: 'hour' };
const MORE = [...CODED_VARIABLES, SUNSHINE, SOIL];

// No other test holds that a store takes variables of a later registry, with the amounts that it has, and that its views tell their hours
// from their days.
describe('variables that a store does not know', () => {
  let store: Store;
  const take = (variables: readonly CodedVariable[]): Promise<string[]> =>
    migrate(store, undefined, { isAlone: true, variables });
  const countRows = async (table: string): Promise<Record<string, number>> => {
    const row = z.object({ name: z.string(), rows: z.number() });
    const found = await store.query(
      sql.rows(row)`SELECT toString(metric) AS name, count() AS rows FROM ${raw(table)} GROUP BY name`,
    );
    return Object.fromEntries(found.map(({ name, rows }) => [name, rows]));
  };

  before(async () => {
    store = await openTestStore();
    for (const [metric, amount] of [
      ['wet_day', 0.5],
      ['wet_day', 0],
      ['precip', 0.5],
    ] as const)
      await store.command(
        raw(`INSERT INTO observations (metric, station_id, target_date, observation_status, observed_at, actual, load_id)
          VALUES ('${metric}', 'KORD', '2026-01-05', 'verified', '2026-01-07 06:00:00.000', ${amount}, ${amount * 2 + 1})`),
      );
  });
  after(() => store.close());

  it('given two more, then tables take both without a migration, once', async () => {
    expect(await take(MORE)).to.deep.equal(['variable sunshine', 'variable soil_temperature']);
    expect(await take(MORE)).to.deep.equal([]);
  });

  it('given amounts of wet days, then precipitation has them once, as of their loads', async () => {
    const row = z.object({ actual: z.number(), load_id: z.number() });
    const amounts = await store.query(
      sql.rows(row)`SELECT actual, load_id FROM observations WHERE metric = 'precip' ORDER BY load_id`,
    );
    expect(amounts).to.deep.equal([
      { actual: 0, load_id: 1 },
      { actual: 0.5, load_id: 2 },
    ]);
  });

  it('given pairs of both, then histograms of days have those of the day alone, those of leads the others', async () => {
    for (const { name } of MORE)
      await store.command(
        raw(`INSERT INTO station_days (metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts, sign, load_id)
          VALUES ('${name}', 'one', 'KORD', '2026-01-05', '2026-01-05 06:00:00.000', 30, 'verified', [3600000], [31], 1, 1)`),
      );
    const [ofDays, ofHours] = ['day', 'hour'].map((period) =>
      Object.fromEntries(MORE.filter((variable) => variable.period === period).map(({ name }) => [name, 1])),
    );
    expect(await countRows('station_day_errors')).to.deep.equal(ofDays);
    expect(await countRows('station_week_errors')).to.deep.equal(ofDays);
    expect(await countRows('network_lead_errors')).to.deep.equal(ofHours);
    expect(await countRows('pairs')).to.deep.equal({ ...ofDays, ...ofHours });
    await store.command(
      raw(`INSERT INTO hourly_forecasts (metric, provider, station_id, valid_at, issued_at, forecast, load_id)
        VALUES ('soil_temperature', 'one', 'KORD', '2026-01-05 06:00:00.000', '2026-01-05 05:00:00.000', 31, 1)`),
    );
    expect(await countRows('hourly_forecasts')).to.deep.equal({ soil_temperature: 1 });
  });

  it('given a registry without one of them, or with another code, then it is refused in one line', async () => {
    expect(await refusal(take([...CODED_VARIABLES, SUNSHINE]))).to.match(
      /^CLICKHOUSE_DATABASE: migration variable soil_temperature [^\n]* use the version that wrote the data$/,
    );
    expect(await refusal(take([...CODED_VARIABLES, { ...SUNSHINE, period: 'hour' }, SOIL]))).to.match(
      /^src\/variables: [^\n]*variable sunshine has changed[^\n]*$/,
    );
  });
});
