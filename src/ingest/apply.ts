import { z } from 'zod';
import type { Store } from '../store/store.js';
import { type DateSpan, type Settled, UNSETTLED_DAYS } from './settle.js';

// From staging to facts. What a load says is compared with what the store knows; only the difference is added, so
// loading a file again adds nothing. A withdrawal says something new only of a value that is there (D42). Every
// statement is bound to a span of dates, which bounds the memory.

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

/** Staged forecast values beside the known ones; of two staged for one key, the later row counts. */
const FORECAST_NEWS = `
  SELECT
      staged.metric AS metric, staged.provider AS provider, staged.station_id AS station_id,
      staged.target_date AS target_date, staged.issued_at AS issued_at, staged.staged_f AS staged_f,
      staged.is_withdrawn AS is_withdrawn, staged.latest_row AS latest_row, known.known_f AS known_f
  FROM (
      SELECT
          metric, provider, station_id, target_date, issued_at, argMax(forecast, row_number) AS staged_f,
          argMax(withdrawn, row_number) AS is_withdrawn, max(row_number) AS latest_row
      FROM staged_forecasts
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, provider, station_id, target_date, issued_at
  ) AS staged
  LEFT JOIN (
      SELECT metric, provider, station_id, target_date, issued_at, toNullable(argMax(forecast, load_id)) AS known_f
      FROM forecasts
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, provider, station_id, target_date, issued_at
      HAVING NOT argMax(withdrawn, load_id)
  ) AS known USING (metric, provider, station_id, target_date, issued_at)
  WHERE if(staged.is_withdrawn, known.known_f IS NOT NULL, known.known_f IS NULL OR known.known_f != staged.staged_f)`;

/** The same for observed values. */
const OBSERVATION_NEWS = `
  SELECT
      staged.metric AS metric, staged.station_id AS station_id, staged.target_date AS target_date,
      staged.observation_status AS observation_status, staged.observed_at AS observed_at, staged.staged_f AS staged_f,
      staged.is_withdrawn AS is_withdrawn, staged.latest_row AS latest_row, known.known_f AS known_f
  FROM (
      SELECT
          metric, station_id, target_date, observation_status, observed_at, argMax(actual, row_number) AS staged_f,
          argMax(withdrawn, row_number) AS is_withdrawn, max(row_number) AS latest_row
      FROM staged_observations
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, station_id, target_date, observation_status, observed_at
  ) AS staged
  LEFT JOIN (
      SELECT
          metric, station_id, target_date, observation_status, observed_at,
          toNullable(argMax(actual, load_id)) AS known_f
      FROM observations
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, station_id, target_date, observation_status, observed_at
      HAVING NOT argMax(withdrawn, load_id)
  ) AS known USING (metric, station_id, target_date, observation_status, observed_at)
  WHERE if(staged.is_withdrawn, known.known_f IS NOT NULL, known.known_f IS NULL OR known.known_f != staged.staged_f)`;

/** Feed rows behind the news: a row that corrects or withdraws one value and adds another counts as corrected. */
const countNews = (news: string): string => `
  SELECT countIf(corrects = 0) AS rows_new, countIf(corrects = 1) AS rows_corrected
  FROM (SELECT latest_row, max(known_f IS NOT NULL) AS corrects FROM (${news}) GROUP BY latest_row)`;

/**
 * What there is to compare for a span of staged rows: `values` with so many different `keys`, out of so many feed rows
 * that withdraw nothing, beside `known` values of these days. Keys are told apart by hashes; two equal ones make it
 * look as if a key were there twice, and the long way finds out.
 */
const comparison = (feed: 'forecasts' | 'observations', key: string): string => `
  SELECT
    count() AS values, uniqExact(cityHash64(${key})) AS keys, uniqExactIf(row_number, NOT withdrawn) AS rows,
    (SELECT count() FROM ${feed} WHERE ${UNSETTLED_DAYS}) AS known
  FROM staged_${feed}
  WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}`;

/** Feed rows with a value that a later row of the load replaces by another. */
const contradictions = (feed: string, key: string, value: string): string => `
  SELECT uniqExact(row_number) AS rows_contradicted, min(row_number) AS first_contradicted
  FROM (
      SELECT
          row_number, tuple(${value}, withdrawn) AS said,
          last_value(said) OVER (PARTITION BY ${key} ORDER BY row_number ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS counts
      FROM staged_${feed}
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
  )
  WHERE said != counts`;

const comparisonRow = z.object({ values: z.number(), keys: z.number(), rows: z.number(), known: z.number() });

/** Adds the staged forecasts of a span that say something new. */
export async function applyForecasts(store: Store, span: DateSpan, loadId: number): Promise<News> {
  const key = 'metric, provider, station_id, target_date, issued_at';
  return applyNews(store, span, loadId, {
    feed: 'forecasts',
    key,
    value: 'forecast',
    comparison: comparison('forecasts', key),
    news: FORECAST_NEWS,
  });
}

/** Adds the staged observations of a span that say something new. */
export async function applyObservations(store: Store, span: DateSpan, loadId: number): Promise<News> {
  const key = 'metric, station_id, target_date, observation_status, observed_at';
  return applyNews(store, span, loadId, {
    feed: 'observations',
    key,
    value: 'actual',
    comparison: comparison('observations', key),
    news: OBSERVATION_NEWS,
  });
}

/** Where no key is staged twice and none of these days is known, all is news; else both sides are compared. */
async function applyNews(
  store: Store,
  span: DateSpan,
  loadId: number,
  { feed, key, value, ...sql }: Record<'feed' | 'key' | 'value' | 'comparison' | 'news', string>,
): Promise<News> {
  const [compared] = await store.query(sql.comparison, { ...span }, comparisonRow);
  if (compared === undefined || compared.values === 0)
    return { rows_new: 0, rows_corrected: 0, ...NO_CONTRADICTION };
  const allIsNew = compared.known === 0 && compared.keys === compared.values;
  const [news] = allIsNew
    ? [{ rows_new: compared.rows, rows_corrected: 0 }]
    : await store.query(countNews(sql.news), { ...span }, newsRow);
  await store.command(
    `INSERT INTO ${feed} (${key}, ${value}, withdrawn, load_id)
    ${
      allIsNew
        ? `SELECT ${key}, ${value}, withdrawn, {load_id: UInt32} FROM staged_${feed}
          WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date} AND NOT withdrawn`
        : `SELECT ${key}, staged_f, is_withdrawn, {load_id: UInt32} FROM (${sql.news})`
    }
    SETTINGS max_partitions_per_insert_block = 0`,
    { ...span, load_id: loadId },
  );
  const [contradicted] =
    compared.keys === compared.values
      ? [NO_CONTRADICTION]
      : await store.query(contradictions(feed, key, value), { ...span }, contradictionRow);
  return { rows_new: 0, rows_corrected: 0, ...NO_CONTRADICTION, ...news, ...contradicted };
}

/** Adds the staged stations, all of which say something new. */
export async function applyStations(store: Store): Promise<void> {
  await store.command('INSERT INTO stations SELECT * FROM staged_stations');
}

/**
 * Records the station days that the staged rows may change. A station that moves to another zone or day boundary
 * changes the lead times of all its pairs; one that is withdrawn, or comes back, has all its pairs go or come.
 */
export async function recordUnsettled(store: Store, loadId: number): Promise<void> {
  await store.command(
    `INSERT INTO unsettled (station_id, target_date, load_id)
    SELECT DISTINCT station_id, target_date, {load_id: UInt32}
    FROM (
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
        )
    )`,
    { load_id: loadId },
  );
}

/**
 * Of the forecast values on the unsettled days of a settled span: how many are in no pair, and why. Only those issued
 * more than 8 hours after their date began in UTC can be after its end, as no zone is farther from UTC than 16 hours;
 * the others are counted without looking at each.
 */
export async function countForecasts(
  store: Store,
  span: DateSpan,
  { forecasts_have_one_version: oneVersion }: Settled,
): Promise<ForecastCounts> {
  /** The forecast values that are not withdrawn, of stations that are not either. */
  const values = (condition = ''): string => `
    SELECT metric, station_id, target_date, issued_at
    FROM forecasts
    WHERE ${UNSETTLED_DAYS} AND station_id IN (SELECT station_id FROM current_stations) ${condition}
    ${oneVersion ? '' : 'GROUP BY metric, provider, station_id, target_date, issued_at HAVING NOT argMax(withdrawn, load_id)'}`;
  const [counts] = await store.query(
    `WITH
        late AS (
            SELECT f.metric AS metric, f.station_id AS station_id, f.target_date AS target_date
            FROM (
                ${values(`AND issued_at >= toDateTime64(target_date, 3, 'UTC') + INTERVAL 8 HOUR`)}
            ) AS f
            INNER JOIN current_stations AS s ON s.station_id = f.station_id
            INNER JOIN (
                SELECT
                    timezone, day_boundary, target_date, argMax(local_midnight, load_id) AS day_begins,
                    argMax(next_local_midnight, load_id) AS day_ends
                FROM local_midnights
                WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
                GROUP BY timezone, day_boundary, target_date
            ) AS d
                ON d.timezone = s.timezone AND d.day_boundary = s.day_boundary AND d.target_date = f.target_date
            WHERE f.issued_at >= d.day_ends AND f.issued_at > d.day_begins
        ),
        observed AS (
            SELECT DISTINCT metric, station_id, target_date
            FROM (
                SELECT metric, station_id, target_date
                FROM observations
                WHERE ${UNSETTLED_DAYS}
                GROUP BY metric, station_id, target_date, observation_status, observed_at
                HAVING NOT argMax(withdrawn, load_id)
            )
        )
    SELECT
        count() AS issued_after_day_ended,
        (SELECT count() FROM (${values()}))
        - (SELECT sum(sign) FROM pairs WHERE ${UNSETTLED_DAYS})
        - countIf(observed.station_id != '') AS without_observation
    FROM late
    LEFT JOIN observed ON
        observed.metric = late.metric AND observed.station_id = late.station_id AND observed.target_date = late.target_date`,
    { ...span },
    z.object({ without_observation: z.number(), issued_after_day_ended: z.number() }),
  );
  return counts ?? { without_observation: 0, issued_after_day_ended: 0 };
}
