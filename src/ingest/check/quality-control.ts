import { type DateSpan, OF_TEMPERATURES } from '../../queries/conditions.js';
import { z } from 'zod';
import type { FactName } from '../../queries/facts.js';
import { nearestHour, readingOf } from '../../queries/station-hours.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import { isSmall, type SizedSpan } from '../spans.js';
import { findOutliers, type OfPeriods } from './far-values.js';
import type { SuspectRow } from './suspect-rows.js';
import { stagedBy } from '../stage/staging-tables.js';
import { METRIC_OF_HOURS_TYPE, quoteNames } from '../../variables/codes.js';
import { HOURLY_NAMES, VARIABLES } from '../../variables/variables.js';
import { columnOf } from '../../feeds/feeds.js';

// Quality control (QC) of staged values: the outliers among them are suspect. The checks have the names of QARTOD and GHCN-Daily:
// spike, buddy check (far-values.ts), climatology check. A statement for each kind of feed; docs/feeds.md has the rules in words.
// Range check: src/feeds/values.ts. Internal consistency: staged-summary.ts. Flat line, and finer checks of observations: src/data/suspects/.

/** Days before and after one, with which it is compared; farther ones have another season. */
const DAYS_AROUND = 7;
const AROUND = raw(`${DAYS_AROUND}`);

/** Hours before and after one, with which it is compared; farther ones are of another time of the day. */
const HOURS_AROUND = 4;

/** The dates of whole months, by the first day of the first and of the last one, and so many more on each side. */
const ofMonths = ({ first_date, last_date }: DateSpan, more = 0, date = 'target_date'): Statement =>
  sql`${raw(date)} BETWEEN ${bind({ first_month: first_date }, 'Date')} - ${raw(`${more}`)}
    AND toLastDayOfMonth(${bind({ last_month: last_date }, 'Date')}) + ${raw(`${more}`)}`;

/** Variables of hours that these rules know: those of temperatures. */
export const TEMPERATURES_AT_HOURS = HOURLY_NAMES.filter(
  (name) => VARIABLES[name].quantity === 'temperature',
);

/** The suspect ones of the staged forecasts and observations of a span, by findOutliers() over days. */
export async function checkDays(
  store: Store,
  loadId: number,
  span: SizedSpan,
  facts: ReadonlySet<FactName>,
  maxUnusual?: number,
): Promise<SuspectRow[]> {
  const staged = (['forecasts', 'observations'] as const).filter((feed) => facts.has(feed));
  const forecast = raw(
    'metric, station_id, toInt32(target_date) AS period, toString(provider) AS source, toFloat64(forecast) AS value, target_date - toDate(issued_at) AS lead_days, toUnixTimestamp64Milli(issued_at) AS report',
  );
  const observation = raw(
    "metric, station_id, toInt32(target_date) AS period, '' AS source, toFloat64(actual) AS value, 0 AS lead_days, 2 * toUnixTimestamp64Milli(observed_at) + toInt8(observation_status) AS report",
  );
  const values = (ofPeriods: OfPeriods): Statement => {
    const [days, more] = [0, DAYS_AROUND].map(
      (around) =>
        sql`${OF_TEMPERATURES} AND ${ofMonths(span, around)} AND ${ofPeriods(raw('toInt32(target_date)'))}`,
    ) as [Statement, Statement];
    // A cluster takes one table in what follows IN.
    const isStaged = (columns: string, of = sql`true`): Statement =>
      staged
        .map(
          (feed) =>
            sql`(${raw(columns)}) IN (SELECT ${raw(columns)} FROM ${stagedBy(loadId, feed)} WHERE ${days} AND ${of})`,
        )
        .reduce((all, next) => sql`${all} OR ${next}`);
    const stagedValues = staged
      .map((feed) => {
        const value = feed === 'forecasts' ? forecast : observation;
        return sql`UNION ALL SELECT ${value}, row_number FROM ${stagedBy(loadId, feed)} WHERE NOT withdrawn AND ${days}`;
      })
      .reduce((all, next) => sql`${all} ${next}`);
    // Without this a first load would make a set of all its station days, which takes as long as its values.
    const stored = isSmall(span)
      ? sql`true`
      : sql`target_date BETWEEN (SELECT min(target_date) FROM forecasts) AND (SELECT max(target_date) FROM forecasts)`;
    return sql`(
                  SELECT ${forecast}, 0 AS row_number FROM forecasts WHERE NOT withdrawn AND ${days} AND (${isStaged('station_id, target_date', stored)})
                  UNION ALL SELECT ${observation}, 0 FROM observations WHERE NOT withdrawn AND ${more} AND (${isStaged('station_id')})
                  ${stagedValues}
              )`;
  };
  const found = await findOutliers(store, values, DAYS_AROUND, maxUnusual);
  return found.map(({ metric, source, is_spike, ...row }) => ({
    feed: source === '' ? 'observations' : 'forecasts',
    column: columnOf('forecasts', metric),
    check: is_spike ? 'spike in days' : 'buddy check of the day',
    ...row,
  }));
}

/**
 * The suspect ones of the staged forecasts of hours of a span, by the same rules over hours: the other sources are the other providers
 * and the reports, each of the hour that it is nearest to.
 */
export async function checkHourlyForecasts(
  store: Store,
  loadId: number,
  span: DateSpan,
  maxUnusual?: number,
): Promise<SuspectRow[]> {
  const staged = stagedBy(loadId, 'hourly_forecasts');
  const hourOf = (instant: string): Statement => sql`toInt32(${nearestHour(raw(instant))})`;
  const forecast = sql`metric, station_id, ${hourOf('valid_at')} AS period, toString(provider) AS source, toFloat64(forecast) AS value, toDate(valid_at) - toDate(issued_at) AS lead_days, toUnixTimestamp64Milli(issued_at) AS report`;
  const reports = (of: Statement, reported: Statement): Statement =>
    TEMPERATURES_AT_HOURS.map(
      (name) => sql`UNION ALL
                  SELECT
                    CAST('${raw(name)}' AS ${raw(METRIC_OF_HOURS_TYPE)}) AS metric, station_id, ${hourOf('at')} AS period, '' AS source, toFloat64(assumeNotNull(${raw(readingOf(name))})) AS value,
                    0 AS lead_days, toUnixTimestamp64Milli(at) AS report, 0
                  FROM ${of}
                  WHERE ${reported} AND ${raw(readingOf(name))} IS NOT NULL`,
    ).reduce((all, next) => sql`${all} ${next}`);
  const values = (ofPeriods: OfPeriods): Statement => {
    const hours = sql`metric IN (${raw(quoteNames(TEMPERATURES_AT_HOURS))}) AND ${ofMonths(span, 0, 'toDate(valid_at)')} AND ${ofPeriods(hourOf('valid_at'))}`;
    const reported = sql`NOT withdrawn AND ${ofMonths(span, 1, 'toDate(at)')} AND ${ofPeriods(hourOf('at'))} AND station_id IN (SELECT station_id FROM ${staged})`;
    return sql`(
                  SELECT ${forecast}, 0 AS row_number FROM hourly_forecasts
                  WHERE NOT withdrawn AND ${hours} AND (station_id, valid_at) IN (SELECT station_id, valid_at FROM ${staged} WHERE ${hours})
                  ${reports(sql`hours`, reported)}
                  ${reports(stagedBy(loadId, 'hours'), reported)}
                  UNION ALL SELECT ${forecast}, row_number FROM ${staged} WHERE NOT withdrawn AND ${hours}
              )`;
  };
  const found = await findOutliers(store, values, HOURS_AROUND, maxUnusual);
  return found.map(({ metric, source: _source, is_spike, ...row }) => ({
    feed: 'hourly_forecasts',
    column: columnOf('hourly_forecasts', metric),
    check: is_spike ? 'spike in forecast hours' : 'buddy check of the hour',
    ...row,
  }));
}

/** Normals change by less than this in 20 days, and no month of 10 observed days or more is so far from them. */
const NORMALS_SPIKE_F = 15;
const OBSERVED_SPIKE_F = 25;
const MIN_OBSERVED = 10;

const normalRow = z.object({
  feed: z.literal('normals'),
  column: z.string(),
  row_number: z.number(),
  value_f: z.number(),
  check: z.enum(['spike in normals', 'climatology check']),
  lowest_f: z.number(),
  highest_f: z.number(),
});

/** The staged normals that are far from those around them in the calendar, or from all that is observed in their month. */
export const checkNormals = (store: Store, loadId: number): Promise<SuspectRow[]> => {
  const ofStations = sql`NOT withdrawn AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'normals')})`;
  return store.query(
    sql.rows(normalRow)`
    SELECT
        'normals' AS feed, concat(toString(metric), '_f') AS column, row_number, toFloat64(normal) AS value_f,
        if(is_far_from_normals, 'spike in normals', 'climatology check') AS check,
        if(is_far_from_normals, usual, observed) AS lowest_f, lowest_f AS highest_f,
        normals >= 5 AND abs(value_f - usual) > ${raw(`${NORMALS_SPIKE_F}`)} AS is_far_from_normals
    FROM (
        SELECT
            metric, station_id, toMonth(toDate(concat('2000-', CAST(month_day, 'String')))) AS month, normal, row_number,
            toFloat64(quantileExact(normal) OVER around) AS usual, count() OVER around AS normals
        FROM (
            SELECT metric, station_id, month_day, normal, row_number FROM ${stagedBy(loadId, 'normals')} WHERE NOT withdrawn
            UNION ALL
            SELECT metric, station_id, month_day, argMax(normal, load_id), 0
            FROM normals
            WHERE ${ofStations}
              AND (metric, station_id, month_day) NOT IN (SELECT metric, station_id, month_day FROM ${stagedBy(loadId, 'normals')})
            GROUP BY metric, station_id, month_day
        )
        WINDOW around AS (
            PARTITION BY metric, station_id ORDER BY toDate(concat('2000-', CAST(month_day, 'String'))) RANGE BETWEEN ${AROUND} PRECEDING AND ${AROUND} FOLLOWING
        )
    ) AS said
    LEFT JOIN (
        SELECT metric, station_id, toMonth(target_date) AS month, toFloat64(quantileExact(actual)) AS observed, count() AS days
        FROM (
            SELECT metric, station_id, target_date, actual FROM observations WHERE ${ofStations}
            UNION ALL
            SELECT metric, station_id, target_date, actual FROM ${stagedBy(loadId, 'observations')} WHERE ${ofStations}
        )
        GROUP BY metric, station_id, month
    ) AS of_month USING (metric, station_id, month)
    WHERE row_number > 0
      AND (is_far_from_normals OR days >= ${raw(`${MIN_OBSERVED}`)} AND abs(value_f - observed) > ${raw(`${OBSERVED_SPIKE_F}`)})
    ORDER BY row_number, column`,
  );
};
