import { z } from 'zod';
import type { Store } from '../store/store.js';
import { type DateSpan, type Settled, UNSETTLED_DAYS } from './settle.js';

// From staging to facts. What a load says is compared with what the store knows; only the difference is added, so
// loading a file again adds nothing. Everything is bound to a span of dates, which bounds the memory.

/** Forecast values that are not in the ledger, and why. */
export interface ForecastCounts {
  without_observation: number;
  issued_after_day_began: number;
}

const newsRow = z.object({ rows_new: z.number(), rows_corrected: z.number() });
const contradictionRow = z.object({ rows_contradicted: z.number(), first_contradicted: z.number() });

/** Feed rows by what became of them; `first_contradicted` is a row_number, 0 for none. */
export type News = z.infer<typeof newsRow> & z.infer<typeof contradictionRow>;

const NO_CONTRADICTION = { rows_contradicted: 0, first_contradicted: 0 };

/** Staged forecast values beside the known ones; of two staged for one key, the later row counts. */
const FORECAST_NEWS = `
  SELECT
      staged.metric AS metric, staged.station_id AS station_id, staged.target_date AS target_date,
      staged.issued_at AS issued_at, staged.staged_f AS staged_f, staged.latest_row AS latest_row, known.known_f AS known_f
  FROM (
      SELECT metric, station_id, target_date, issued_at, argMax(forecast, row_number) AS staged_f, max(row_number) AS latest_row
      FROM staged_forecasts
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, station_id, target_date, issued_at
  ) AS staged
  LEFT JOIN (
      SELECT metric, station_id, target_date, issued_at, toNullable(argMax(forecast, load_id)) AS known_f
      FROM forecasts
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, station_id, target_date, issued_at
  ) AS known USING (metric, station_id, target_date, issued_at)
  WHERE known.known_f IS NULL OR known.known_f != staged.staged_f`;

/** The same for observed values. */
const OBSERVATION_NEWS = `
  SELECT
      staged.metric AS metric, staged.station_id AS station_id, staged.target_date AS target_date,
      staged.observation_status AS observation_status, staged.observed_at AS observed_at,
      staged.staged_f AS staged_f, staged.latest_row AS latest_row, known.known_f AS known_f
  FROM (
      SELECT metric, station_id, target_date, observation_status, observed_at, argMax(actual, row_number) AS staged_f, max(row_number) AS latest_row
      FROM staged_observations
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, station_id, target_date, observation_status, observed_at
  ) AS staged
  LEFT JOIN (
      SELECT metric, station_id, target_date, observation_status, observed_at, toNullable(argMax(actual, load_id)) AS known_f
      FROM observations
      WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
      GROUP BY metric, station_id, target_date, observation_status, observed_at
  ) AS known USING (metric, station_id, target_date, observation_status, observed_at)
  WHERE known.known_f IS NULL OR known.known_f != staged.staged_f`;

/** Feed rows behind the news: a row that corrects one value and adds another counts as corrected. */
const countNews = (news: string): string => `
  SELECT countIf(corrects = 0) AS rows_new, countIf(corrects = 1) AS rows_corrected
  FROM (SELECT latest_row, max(known_f IS NOT NULL) AS corrects FROM (${news}) GROUP BY latest_row)`;

/**
 * What there is to compare for a span of staged rows: `values` with so many different `keys`, out of so many feed rows,
 * beside `known` values of these days. Keys are told apart by hashes; two equal ones make it look as if a key were
 * there twice, and the long way finds out.
 */
const comparison = (feed: 'forecasts' | 'observations', key: string): string => `
  SELECT
    count() AS values, uniqExact(cityHash64(${key})) AS keys, uniqExact(row_number) AS rows,
    (SELECT count() FROM ${feed} WHERE ${UNSETTLED_DAYS}) AS known
  FROM staged_${feed}
  WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}`;

/** Feed rows with a value that a later row of the load replaces by another. */
const contradictions = (feed: 'forecasts' | 'observations', key: string, value: string): string => `
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
  const key = 'metric, station_id, target_date, issued_at';
  return applyNews(store, span, loadId, {
    feed: 'forecasts',
    columns: `${key}, forecast`,
    comparison: comparison('forecasts', key),
    news: FORECAST_NEWS,
    newsColumns: `${key}, staged_f`,
  });
}

/** Adds the staged observations of a span that say something new. */
export async function applyObservations(store: Store, span: DateSpan, loadId: number): Promise<News> {
  const key = 'metric, station_id, target_date, observation_status, observed_at';
  return applyNews(store, span, loadId, {
    feed: 'observations',
    columns: `${key}, actual`,
    comparison: comparison('observations', key),
    news: OBSERVATION_NEWS,
    newsColumns: `${key}, staged_f`,
  });
}

/** Where no key is staged twice and none of these days is known, all is news; else both sides are compared. */
async function applyNews(
  store: Store,
  span: DateSpan,
  loadId: number,
  feed: { feed: string; columns: string; comparison: string; news: string; newsColumns: string },
): Promise<News> {
  const [compared] = await store.query(feed.comparison, { ...span }, comparisonRow);
  if (compared === undefined || compared.values === 0) return { rows_new: 0, rows_corrected: 0 };
  const allIsNew = compared.known === 0 && compared.keys === compared.values;
  const [news] = allIsNew
    ? [{ rows_new: compared.rows, rows_corrected: 0 }]
    : await store.query(countNews(feed.news), { ...span }, newsRow);
  await store.command(
    `INSERT INTO ${feed.feed} (${feed.columns}, load_id)
    SELECT ${
      allIsNew
        ? `${feed.columns}, {load_id: UInt32} FROM staged_${feed.feed} WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}`
        : `${feed.newsColumns}, {load_id: UInt32} FROM (${feed.news})`
    }
    SETTINGS max_partitions_per_insert_block = 0`,
    { ...span, load_id: loadId },
  );
  return news ?? { rows_new: 0, rows_corrected: 0 };
}

/** Adds the staged stations, all of which say something new. */
export async function applyStations(store: Store): Promise<void> {
  await store.command('INSERT INTO stations SELECT * FROM staged_stations');
}

/**
 * Notes the station days that the staged rows may change. A station that moves to another zone changes the lead times
 * of all its pairs.
 */
export async function noteUnsettled(store: Store, loadId: number): Promise<void> {
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
            INNER JOIN current_stations AS known ON known.station_id = staged.station_id
            WHERE known.timezone != staged.timezone
        )
    )`,
    { load_id: loadId },
  );
}

/**
 * Of the forecast values on the unsettled days of a settled span: how many are not in the ledger, and why. Only those
 * issued less than a day before their date began in UTC can be late, as no zone is farther from UTC than 16 hours; the
 * others are counted without looking at each.
 */
export async function countForecasts(
  store: Store,
  span: DateSpan,
  { forecasts_have_one_version: oneVersion }: Settled,
): Promise<ForecastCounts> {
  const [counts] = await store.query(
    `WITH
        late AS (
            SELECT f.metric AS metric, f.station_id AS station_id, f.target_date AS target_date
            FROM (
                SELECT DISTINCT metric, station_id, target_date, issued_at
                FROM forecasts
                WHERE ${UNSETTLED_DAYS} AND issued_at > toDateTime64(target_date, 3, 'UTC') - INTERVAL 16 HOUR
            ) AS f
            INNER JOIN current_stations AS s ON s.station_id = f.station_id
            INNER JOIN (
                SELECT timezone, target_date, argMax(local_midnight, load_id) AS day_start
                FROM local_midnights
                WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
                GROUP BY timezone, target_date
            ) AS d ON d.timezone = s.timezone AND d.target_date = f.target_date
            WHERE f.issued_at > d.day_start
        ),
        observed AS (
            SELECT DISTINCT metric, station_id, target_date
            FROM observations
            WHERE ${UNSETTLED_DAYS}
        )
    SELECT
        count() AS issued_after_day_began,
        (
            SELECT ${oneVersion ? 'count()' : 'uniqExact(metric, station_id, target_date, issued_at)'}
            FROM forecasts
            WHERE ${UNSETTLED_DAYS}
        )
        - (SELECT sum(sign) FROM pairs WHERE ${UNSETTLED_DAYS})
        - countIf(observed.station_id != '') AS without_observation
    FROM late
    LEFT JOIN observed ON
        observed.metric = late.metric AND observed.station_id = late.station_id AND observed.target_date = late.target_date`,
    { ...span },
    z.object({ without_observation: z.number(), issued_after_day_began: z.number() }),
  );
  return counts ?? { without_observation: 0, issued_after_day_began: 0 };
}
