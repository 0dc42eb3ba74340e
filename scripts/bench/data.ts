import { z } from 'zod';
import { addDays } from '../../src/statistics/time/calendar.js';
import { daysOfReports } from '../../src/queries/hourly-temperatures.js';
import { STATION_DAY_HOURS } from '../../src/ingest/reconcile/derived-tables.js';
import { reconcileFacts, reconcile, pendingSpans } from '../../src/ingest/reconcile/reconcile.js';
import { touchedBy } from '../../src/ingest/stage/staging-tables.js';
import type { Store } from '../../src/store/store.js';
import { raw, sql } from '../../src/queries/sql.js';

// The data set of the bench: made inside the engine by arithmetic alone, so it is the same every time, and put through
// the same ledger and views as real data.

/** How large a data set is, and how fine its temperatures are. */
export interface Shape {
  stations: number;
  days: number;
  /** Grain of the temperatures, °F: 1 for whole degrees, as most are issued, or 0.01. */
  grain: 1 | 0.01;
  /** The providers with forecasts for every day; one, if not given. */
  providers?: number;
}

export const ISSUANCES_PER_DAY = 24;

/** The last target date of every data set. Its last three days are preliminary. */
export const LAST_DAY = '2026-10-31';
const PRELIMINARY_DAYS = 3;

const LOAD_ID = 1;

// Values that one statement reconciles, as in a load.
const VALUES_PER_STATEMENT = 2_000_000;

/** Pairs of a data set. */
export function pairCount({ stations, days, providers = 1 }: Shape): number {
  return stations * days * providers * ISSUANCES_PER_DAY * 2;
}

/** The name of the provider with a number from 0 on. */
const providerName = (provider: string): string =>
  `if(${provider} = 0, 'default', concat('provider-', toString(${provider})))`;

export const stationId = (station: string): string => `concat('K', leftPad(toString(${station}), 5, '0'))`;

/**
 * The observed value of `station`, `day` (a Date) and `metric`, as SQL: a year's wave, a day's weather. `salt` makes
 * another value of it.
 */
const actual = (digits: number, salt = '0'): string => `round(
    if(metric = 'high', 62, 44) + 22 * sin((toUInt16(day) - 20200) / 58.09) + station % 13
      + (cityHash64(station, day, 'weather', ${salt}) % 1000) / 1000 * 18, ${digits})`;

/** The error of a forecast issued `lead` hours ahead: bell-shaped, wider the longer the lead, with a bias of its station. */
const error = (digits: number): string => `round(
    ((cityHash64(station, day, lead, metric, 'a') % 1000) + (cityHash64(station, day, lead, metric, 'b') % 1000)
      + (cityHash64(station, day, lead, metric, 'c') % 1000) - 1500) / 500 * (1.5 + lead / 30) + (station % 7 - 3) / 4, ${digits})`;

/** Rows of forecast values of the days from `first` on: metric, provider, station, day, issued_at, forecast. */
export const forecastRows = (digits: number, providers = 1): string => `
  SELECT
    if(number % 2 = 0, 'high', 'low') AS metric,
    intDiv(number, 2) % {stations: UInt32} AS station,
    toDate({first: Date}) + intDiv(number, 2 * {stations: UInt32} * ${ISSUANCES_PER_DAY}) % {days: UInt32} AS day,
    intDiv(number, 2 * {stations: UInt32} * ${ISSUANCES_PER_DAY} * toUInt64({days: UInt32})) AS provider,
    -- 1 to 116 hours before midnight in UTC, and as many more as the station is west of it
    1 + 5 * (intDiv(number, 2 * {stations: UInt32}) % ${ISSUANCES_PER_DAY}) AS lead,
    toDateTime64(day, 3, 'UTC') - INTERVAL lead HOUR AS issued_at,
    -- every other provider up to 3 °F beside the first
    toDecimal64(${actual(digits)} + ${error(digits)} + if(provider = 0, 0, cityHash64(station, day, lead, provider) % 7 - 3), 2) AS forecast
  FROM numbers(toUInt64({stations: UInt32}) * {days: UInt32} * ${ISSUANCES_PER_DAY * 2 * providers})`;

/** Rows of observed values of the days from `first` on: metric, station, day, actual. */
export const observationRows = (digits: number, salt?: string): string => `
  SELECT
    if(number % 2 = 0, 'high', 'low') AS metric,
    intDiv(number, 2) % {stations: UInt32} AS station,
    toDate({first: Date}) + intDiv(number, 2 * {stations: UInt32}) AS day,
    toDecimal64(${actual(digits, salt)}, 2) AS actual
  FROM numbers(toUInt64({stations: UInt32}) * {days: UInt32} * 2)`;

export const getDigits = (grain: Shape['grain']): number => (grain === 1 ? 0 : 2);

/** Makes a data set in an empty store; `onProgress` hears the share that is done. */
export async function makeData(
  store: Store,
  { stations, days, grain, providers = 1 }: Shape,
  onProgress: (share: number) => void = () => {},
): Promise<void> {
  const digits = getDigits(grain);
  await makeStations(store, stations);
  const daysPerStatement = Math.max(
    1,
    Math.floor(VALUES_PER_STATEMENT / pairCount({ stations, days: 1, grain, providers })),
  );
  const firstDay = addDays(LAST_DAY, 1 - days);
  for (let done = 0; done < days; done += daysPerStatement) {
    const count = Math.min(daysPerStatement, days - done);
    const span = { first_date: addDays(firstDay, done), last_date: addDays(firstDay, done + count - 1) };
    const params = { stations, days: count, first: span.first_date };
    await store.command(
      raw(
        `INSERT INTO forecasts (metric, provider, station_id, target_date, issued_at, forecast, load_id)
      SELECT metric, ${providerName('provider')}, ${stationId('station')}, day, issued_at, forecast, ${LOAD_ID} FROM (${forecastRows(digits, providers)})
      SETTINGS max_partitions_per_insert_block = 0`,
        params,
      ),
    );
    await store.command(
      raw(
        `INSERT INTO observations (metric, station_id, target_date, observation_status, observed_at, actual, load_id)
      SELECT
        metric, ${stationId('station')}, day,
        if(day > toDate('${LAST_DAY}') - ${PRELIMINARY_DAYS}, 'preliminary', 'verified'),
        toDateTime64(day, 3, 'UTC') + INTERVAL 36 HOUR, actual, ${LOAD_ID}
      FROM (${observationRows(digits)})
      SETTINGS max_partitions_per_insert_block = 0`,
        params,
      ),
    );
    await store.command(
      raw(
        `INSERT INTO touched_days (station_id, target_date, load_id)
      SELECT DISTINCT ${stationId('station')}, day, ${LOAD_ID} FROM (${observationRows(digits)})`,
        params,
      ),
    );
    await reconcile(store, { ...span, row_count: Infinity }, LOAD_ID);
    onProgress((done + count) / days);
  }
  const names = await store.query(
    sql.rows(
      z.object({ name: z.string() }),
    )`${raw(`SELECT ${providerName('number')} AS name FROM numbers(${providers}) ORDER BY number`)}`,
  );
  await recordLoad(
    store,
    LOAD_ID,
    names.map(({ name }) => name),
  );
}

async function recordLoad(store: Store, loadId: number, providers: string[]): Promise<void> {
  await store.insert(
    'loads',
    ['load_id', 'event', 'forecast_providers', 'report'],
    ['started', 'finished'].map((event) => [loadId, event, providers, '{}']),
  );
}

/** Days with temperatures by the hour: what the odds of a day that has begun read, and their reliability over 60 days. */
const HOURS_DAYS = 122;

/** Temperatures of each hour of the last days, up to the high of the day at 21 h UTC. */
export async function addHours(store: Store, { stations, days, grain }: Shape): Promise<void> {
  const count = Math.min(days, HOURS_DAYS);
  await store.command(
    raw(
      `INSERT INTO hours (station_id, at, reading, load_id)
    SELECT
      ${stationId('station')}, toDateTime64(day, 3, 'UTC') + INTERVAL (hour * 60 + 51) MINUTE,
      tuple(toDecimal64(actual - 0.15 * (hour - 20) * (hour - 20), 2), NULL, NULL, 0, if(station % 3 = 0, 'OVC', 'FEW'), '', map()), ${LOAD_ID}
    FROM (${observationRows(getDigits(grain))})
    ARRAY JOIN range(24) AS hour
    WHERE metric = 'high'
    SETTINGS max_partitions_per_insert_block = 0`,
      { stations, days: count, first: addDays(LAST_DAY, 1 - count) },
    ),
  );
  await store.command(
    raw(
      `INSERT INTO touched_days SELECT station_id, target_date, ${LOAD_ID} FROM (${daysOfReports(raw('hours')).text})`,
    ),
  );
  for (const span of await pendingSpans(store, LOAD_ID))
    await reconcileFacts(store, STATION_DAY_HOURS, { span, days: touchedBy(LOAD_ID) }, LOAD_ID);
  await store.command(sql`TRUNCATE TABLE touched_days`);
}

/** The provider that addProvider() makes. */
const OTHER_PROVIDER = 'other';

/** Station days of a second provider over the last days, up to 3 °F beside those of the first: all that a comparison reads, and of the last day its forecasts. */
export async function addProvider(store: Store, days: number): Promise<void> {
  const moved = 'forecast + toInt64(cityHash64(station_id, target_date, lead) % 7) - 3';
  await store.command(
    raw(
      `INSERT INTO station_days
    SELECT * REPLACE (
      '${OTHER_PROVIDER}' AS provider,
      arrayMap((forecast, lead) -> toDecimal64(${moved}, 2), forecasts, lead_ms) AS forecasts,
      ${LOAD_ID + 1} AS load_id
    )
    FROM (SELECT * FROM station_days WHERE provider = 'default' AND target_date > toDate('${LAST_DAY}') - {days: UInt32})
    SETTINGS max_partitions_per_insert_block = 0`,
      { days },
    ),
  );
  // A blend reads the forecasts of its day as they were loaded.
  await store.command(
    raw(
      `INSERT INTO forecasts (metric, provider, station_id, target_date, issued_at, forecast, load_id)
    SELECT metric, provider, station_id, target_date, issued_at, forecast, load_id
    FROM pairs
    WHERE provider = '${OTHER_PROVIDER}' AND target_date = toDate('${LAST_DAY}')`,
    ),
  );
  await recordLoad(store, LOAD_ID + 1, ['default', OTHER_PROVIDER]);
}

/** Stations in four zones of the United States; IATA codes and aliases are left out. */
async function makeStations(store: Store, stations: number): Promise<void> {
  await store.command(
    raw(
      `INSERT INTO stations
      (station_id, city_name, country, latitude, longitude, timezone, climate_zone, data_active, aliases, iata, load_id)
    SELECT
      ${stationId('number')}, concat('City ', toString(number)), 'US', 30 + number % 20, -120 + number % 50,
      ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles'][1 + number % 4],
      'Dfa', true, [], '', ${LOAD_ID}
    FROM numbers({stations: UInt32})`,
      { stations },
    ),
  );
}
