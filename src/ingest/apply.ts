import { z } from 'zod';
import type { Store } from '../store/store.js';
import type { ValueFeed } from './feed/columns.js';
import { LOCAL_DAYS, SPAN, UNSETTLED_DAYS } from './ledger-difference.js';
import type { DateSpan, Settled } from './settle.js';

// From staging to facts. A load compares what it brings with what the store knows and adds only the difference, so
// loading a file again adds nothing. A withdrawal says something new only of a value that is there (D42). Every
// statement on forecasts and observations is bound to a span of dates, which bounds the memory.

/** Forecast values that are in no pair, and why. */
export interface ForecastCounts {
  without_observation: number;
  issued_after_day_ended: number;
}

const newsRow = z.object({ rows_new: z.number(), rows_corrected: z.number() });
const contradictionRow = z.object({ rows_contradicted: z.number(), first_contradicted: z.number() });

/** Feed rows by what became of them; `first_contradicted` is a row_number, 0 for none. */
export type News = z.infer<typeof newsRow> & z.infer<typeof contradictionRow>;

const NO_CONTRADICTION = { rows_contradicted: 0, first_contradicted: 0 };

interface Fact {
  key: string;
  value: string;
  /** The rows that one statement compares, staged and known, as a condition. */
  scope: string;
  /** The known values that may be the same as staged ones, as a condition. */
  known: string;
}

const OF_STAGED_STATIONS = 'station_id IN (SELECT station_id FROM staged_normals)';

/** The key of a fact and its value, which its staging table calls the same. */
const FACTS: Record<ValueFeed, Fact> = {
  forecasts: {
    key: 'metric, provider, station_id, target_date, issued_at',
    value: 'forecast',
    scope: SPAN,
    known: UNSETTLED_DAYS,
  },
  observations: {
    key: 'metric, station_id, target_date, observation_status, observed_at',
    value: 'actual',
    scope: SPAN,
    known: UNSETTLED_DAYS,
  },
  normals: {
    key: 'metric, station_id, month_day',
    value: 'normal',
    scope: OF_STAGED_STATIONS, // all: a station has 732 at most
    known: OF_STAGED_STATIONS,
  },
};

/** Staged values that differ from the known ones; of two staged for one key, the later row counts. */
const newsOf = (feed: ValueFeed, { key, value, scope } = FACTS[feed]): string => `
  SELECT ${key}, staged_f, is_withdrawn, latest_row, known_f
  FROM (
      SELECT
          ${key}, argMax(${value}, row_number) AS staged_f,
          argMax(withdrawn, row_number) AS is_withdrawn, max(row_number) AS latest_row
      FROM staged_${feed}
      WHERE ${scope}
      GROUP BY ${key}
  ) AS staged
  LEFT JOIN (
      SELECT ${key}, toNullable(argMax(${value}, load_id)) AS known_f
      FROM ${feed}
      WHERE ${scope}
      GROUP BY ${key}
      HAVING NOT argMax(withdrawn, load_id)
  ) AS known USING (${key})
  WHERE if(is_withdrawn, known_f IS NOT NULL, known_f IS NULL OR known_f != staged_f)`;

/** Feed rows behind the news: a row that corrects or withdraws one value and adds another counts as corrected. */
const countNews = (feed: ValueFeed): string => `
  SELECT countIf(corrects = 0) AS rows_new, countIf(corrects = 1) AS rows_corrected
  FROM (SELECT latest_row, max(known_f IS NOT NULL) AS corrects FROM (${newsOf(feed)}) GROUP BY latest_row)`;

/**
 * What there is to compare: staged `values` with so many different `keys`, out of so many feed rows
 * that withdraw nothing, beside `known` values of these days. Hashes tell keys apart; where two hashes are equal by
 * chance, a key seems to be there twice, and the comparison with the known values decides.
 */
const comparison = (feed: ValueFeed, { key, scope, known } = FACTS[feed]): string => `
  SELECT
    count() AS values, uniqExact(cityHash64(${key})) AS keys, uniqExactIf(row_number, NOT withdrawn) AS rows,
    (SELECT count() FROM ${feed} WHERE ${known}) AS known
  FROM staged_${feed}
  WHERE ${scope}`;

const comparisonRow = z.object({ values: z.number(), keys: z.number(), rows: z.number(), known: z.number() });

/** Feed rows with a value that a later row of the load replaces by another. */
const contradictions = (feed: ValueFeed, { key, value, scope } = FACTS[feed]): string => `
  SELECT uniqExact(row_number) AS rows_contradicted, min(row_number) AS first_contradicted
  FROM (
      SELECT
          row_number, tuple(${value}, withdrawn) AS said,
          last_value(said) OVER (PARTITION BY ${key} ORDER BY row_number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS counts
      FROM staged_${feed}
      WHERE ${scope}
  )
  WHERE said != counts`;

/**
 * Adds the staged values that say something new, of a span or, of normals, all. Where no key is staged twice and no value
 * of these days is known, all are new; otherwise they are compared with the known values.
 */
export async function applyValues(
  store: Store,
  feed: ValueFeed,
  span: DateSpan | undefined,
  loadId: number,
): Promise<News> {
  const { key, value, scope } = FACTS[feed];
  const [compared] = await store.query(comparison(feed), { ...span }, comparisonRow);
  if (compared === undefined || compared.values === 0)
    return { rows_new: 0, rows_corrected: 0, ...NO_CONTRADICTION };
  const hasKeysTwice = compared.keys !== compared.values;
  const allIsNew = compared.known === 0 && !hasKeysTwice;
  const [news] = allIsNew
    ? [{ rows_new: compared.rows, rows_corrected: 0 }]
    : await store.query(countNews(feed), { ...span }, newsRow);
  await store.command(
    `INSERT INTO ${feed} (${key}, ${value}, withdrawn, load_id)
    ${
      allIsNew
        ? `SELECT ${key}, ${value}, withdrawn, {load_id: UInt32} FROM staged_${feed}
          WHERE ${scope} AND NOT withdrawn`
        : `SELECT ${key}, staged_f, is_withdrawn, {load_id: UInt32} FROM (${newsOf(feed)})`
    }
    SETTINGS max_partitions_per_insert_block = 0`,
    { ...span, load_id: loadId },
  );
  const [contradicted] = hasKeysTwice
    ? await store.query(contradictions(feed), { ...span }, contradictionRow)
    : [NO_CONTRADICTION];
  return { rows_new: 0, rows_corrected: 0, ...NO_CONTRADICTION, ...news, ...contradicted };
}

/** Adds the staged stations, all of which say something new. */
export async function applyStations(store: Store): Promise<void> {
  await store.command('INSERT INTO stations SELECT * FROM staged_stations');
}

/**
 * The station days that the staged rows may change. A station that moves to another zone or day boundary
 * changes the lead times of all its pairs; one that is withdrawn loses all of them, and one that comes back gets them back.
 */
export const TOUCHED_DAYS = `
  SELECT station_id, target_date FROM staged_forecasts
  UNION ALL
  SELECT station_id, target_date FROM staged_observations
  UNION ALL
  SELECT station_id, target_date
  FROM forecasts
  WHERE station_id IN (
      SELECT staged.station_id
      FROM staged_stations AS staged
      INNER JOIN (
          SELECT station_id, timezone, day_boundary, withdrawn
          FROM stations
          ORDER BY station_id, load_id DESC
          LIMIT 1 BY station_id
      ) AS known ON known.station_id = staged.station_id
      WHERE (known.timezone, known.day_boundary, known.withdrawn)
          != (staged.timezone, staged.day_boundary, staged.withdrawn)
  )`;

/** Records the station days that the staged rows may change. */
export async function recordUnsettled(store: Store, loadId: number): Promise<void> {
  await store.command(
    `INSERT INTO unsettled (station_id, target_date, load_id)
    SELECT DISTINCT station_id, target_date, {load_id: UInt32} FROM (${TOUCHED_DAYS})`,
    { load_id: loadId },
  );
}

/**
 * Counts the forecast values on the unsettled days of a settled span that are in no pair, and says why. Only one issued
 * more than 8 hours after its date began in UTC can be after the end of its day, as no zone is farther from UTC than 16
 * hours; all others are counted without a look at each.
 */
export async function countForecasts(
  store: Store,
  span: DateSpan,
  { forecastsHaveOneVersion }: Settled,
): Promise<ForecastCounts> {
  const isLate = `issued_at >= toDateTime64(target_date, 3, 'UTC') + INTERVAL 8 HOUR`;
  /** The forecast values that are not withdrawn, of stations that are not either. */
  const values = (condition = ''): string => `
    SELECT metric, station_id, target_date, issued_at
    FROM forecasts
    WHERE ${UNSETTLED_DAYS} AND station_id IN (SELECT station_id FROM current_stations) ${condition}
    ${
      forecastsHaveOneVersion
        ? 'AND NOT withdrawn'
        : 'GROUP BY metric, provider, station_id, target_date, issued_at HAVING NOT argMax(withdrawn, load_id)'
    }`;
  const [{ without_pair, late } = { without_pair: 0, late: 0 }] = await store.query(
    `SELECT
        count() - (SELECT sum(sign * length(lead_ms)) FROM station_days WHERE ${UNSETTLED_DAYS}) AS without_pair,
        countIf(${isLate}) AS late
    FROM (${values()})`,
    { ...span },
    z.object({ without_pair: z.number(), late: z.number() }),
  );
  if (late === 0) return { without_observation: without_pair, issued_after_day_ended: 0 };
  const [counts] = await store.query(
    `SELECT count() AS issued_after_day_ended, countIf(o.station_id != '') AS observed
    FROM (${values(`AND ${isLate}`)}) AS f
    INNER JOIN current_stations AS s ON s.station_id = f.station_id
    INNER JOIN ${LOCAL_DAYS} AS d ON d.timezone = s.timezone AND d.day_boundary = s.day_boundary AND d.target_date = f.target_date
    LEFT JOIN (
        SELECT DISTINCT metric, station_id, target_date
        FROM (
            SELECT metric, station_id, target_date
            FROM observations
            WHERE ${UNSETTLED_DAYS}
            GROUP BY metric, station_id, target_date, observation_status, observed_at
            HAVING NOT argMax(withdrawn, load_id)
        )
    ) AS o ON o.metric = f.metric AND o.station_id = f.station_id AND o.target_date = f.target_date
    WHERE f.issued_at >= d.day_ends AND f.issued_at > d.day_begins`,
    { ...span },
    z.object({ issued_after_day_ended: z.number(), observed: z.number() }),
  );
  const { issued_after_day_ended, observed } = counts ?? { issued_after_day_ended: 0, observed: 0 };
  return { without_observation: without_pair - observed, issued_after_day_ended };
}
