import { OF_TEMPERATURES } from '../../queries/conditions.js';
import { DAILY_COLUMNS } from '../read/columns.js';
import { z } from 'zod';
import type { DateSpan } from '../../queries/conditions.js';
import type { FactName } from '../../queries/facts.js';
import { nearestHour } from '../../queries/station-hours.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { HOURLY_NAMES, METRICS } from '../../statistics/variables.js';
import type { Store } from '../../store/store.js';
import { isSmall, rowCount, type SizedSpan } from '../spans.js';
import type { SuspectRow } from './suspect-rows.js';
import { stagedBy } from '../stage/staging-tables.js';

// Quality control (QC) of staged values: the outliers among them are suspect. The checks have the names of QARTOD and GHCN-Daily:
// spike, buddy check, climatology check. A statement for each kind of feed; docs/feeds.md has the rules in words. Range check:
// read/values.ts. Internal consistency: staged-summary.ts. Flat line, and finer checks of observations: src/data/suspects/.

/** Days before and after one, with which it is compared; farther ones have another season. */
const DAYS_AROUND = 7;
const AROUND = raw(`${DAYS_AROUND}`);

/** Hours before and after one, with which it is compared; farther ones are of another time of the day. */
const HOURS_AROUND = 4;

/**
 * Values of a source and period that are judged, and that each is compared with: a feed may have any number of one day. Hourly
 * forecasts of 11 days are 264. The first rows are judged. The order of hashes draws a sample of all issuances to compare with,
 * and the same one each time.
 */
const [MAX_JUDGED, MAX_COMPARED] = [raw('500'), raw('60')];

const outlierRow = z.object({
  metric: z.enum([...METRICS, ...HOURLY_NAMES]),
  /** A provider; blank for the observations. */
  source: z.string(),
  row_number: z.number(),
  value_f: z.number(),
  is_spike: z.coerce.boolean(),
  lowest_f: z.number(),
  highest_f: z.number(),
});

/** The dates of whole months, by the first day of the first and of the last one, and so many more on each side. */
const ofMonths = ({ first_date, last_date }: DateSpan, more = 0, date = 'target_date'): Statement =>
  sql`${raw(date)} BETWEEN ${bind({ first_month: first_date }, 'Date')} - ${raw(`${more}`)}
    AND toLastDayOfMonth(${bind({ last_month: last_date }, 'Date')}) + ${raw(`${more}`)}`;

/** The suspect ones of the staged forecasts and observations of a span, by outliersOf() over days. */
export async function checkDays(
  store: Store,
  loadId: number,
  span: SizedSpan,
  facts: ReadonlySet<FactName>,
): Promise<SuspectRow[]> {
  const staged = (['forecasts', 'observations'] as const).filter((feed) => facts.has(feed));
  const [days, more] = [0, DAYS_AROUND].map(
    (around) => sql`${OF_TEMPERATURES} AND ${ofMonths(span, around)}`,
  ) as [Statement, Statement];
  // A cluster takes one table in what follows IN.
  const isStaged = (columns: string): Statement =>
    staged
      .map(
        (feed) =>
          sql`(${raw(columns)}) IN (SELECT ${raw(columns)} FROM ${stagedBy(loadId, feed)} WHERE ${days})`,
      )
      .reduce((all, next) => sql`${all} OR ${next}`);
  const forecast = raw(
    'metric, station_id, toInt32(target_date) AS period, toString(provider) AS source, toFloat64(forecast) AS value, target_date - toDate(issued_at) AS lead_days, toUnixTimestamp64Milli(issued_at) AS report',
  );
  const observation = raw(
    "metric, station_id, toInt32(target_date) AS period, '' AS source, toFloat64(actual) AS value, 0 AS lead_days, 2 * toUnixTimestamp64Milli(observed_at) + toInt8(observation_status) AS report",
  );
  const stagedValues = staged
    .map((feed) => {
      const value = feed === 'forecasts' ? forecast : observation;
      return sql`UNION ALL SELECT ${value}, row_number FROM ${stagedBy(loadId, feed)} WHERE NOT withdrawn AND ${days}`;
    })
    .reduce((all, next) => sql`${all} ${next}`);
  const values = sql`(
                  SELECT ${forecast}, 0 AS row_number FROM forecasts WHERE NOT withdrawn AND ${days} AND (${isStaged('station_id, target_date')})
                  UNION ALL SELECT ${observation}, 0 FROM observations WHERE NOT withdrawn AND ${more} AND (${isStaged('station_id')})
                  ${stagedValues}
              )`;
  const found = await outliersOf(store, values, DAYS_AROUND, isSmall(span));
  return found.map(({ metric, source, is_spike, ...row }) => ({
    feed: source === '' ? 'observations' : 'forecasts',
    column: metric === 'low' ? 'low_f' : 'high_f',
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
  span: SizedSpan,
): Promise<SuspectRow[]> {
  const staged = stagedBy(loadId, 'hourly_forecasts');
  const hours = ofMonths(span, 0, 'toDate(valid_at)');
  const forecast = sql`'temperature' AS metric, station_id, toInt32(${nearestHour(raw('valid_at'))}) AS period, toString(provider) AS source, toFloat64(forecast) AS value, toDate(valid_at) - toDate(issued_at) AS lead_days, toUnixTimestamp64Milli(issued_at) AS report`;
  const report = sql`'temperature' AS metric, station_id, toInt32(${nearestHour(raw('at'))}) AS period, '' AS source, toFloat64(reading.temp_f) AS value, 0 AS lead_days, toUnixTimestamp64Milli(at) AS report`;
  const reported = sql`NOT withdrawn AND reading.temp_f IS NOT NULL AND ${ofMonths(span, 1, 'toDate(at)')} AND station_id IN (SELECT station_id FROM ${staged})`;
  const values = sql`(
                  SELECT ${forecast}, 0 AS row_number FROM hourly_forecasts
                  WHERE NOT withdrawn AND ${hours} AND (station_id, valid_at) IN (SELECT station_id, valid_at FROM ${staged} WHERE ${hours})
                  UNION ALL SELECT ${report}, 0 FROM hours WHERE ${reported}
                  UNION ALL SELECT ${report}, 0 FROM ${stagedBy(loadId, 'hours')} WHERE ${reported}
                  UNION ALL SELECT ${forecast}, row_number FROM ${staged} WHERE NOT withdrawn AND ${hours}
              )`;
  const found = await outliersOf(store, values, HOURS_AROUND, isSmall(span));
  return found.map(({ metric: _metric, source: _source, is_spike, ...row }) => ({
    feed: 'hourly_forecasts',
    column: 'temp_f',
    check: is_spike ? 'spike in forecast hours' : 'buddy check of the hour',
    ...row,
  }));
}

/**
 * The suspect ones of values, by day or hour. A source is a provider, or the observations. A value is suspect
 * in four cases (buddy check and spike):
 * - 25 °F from the median of the other values of its day, and 15 from each of them. They are of two sources, or two of its own. A
 *   forecast of more than 5 days ahead may differ by 35 and 25.
 * - 25 °F from the median of the other sources, and farther than that from the middle of the days around. It is also 20 °F beyond
 *   the days around; with one other value of its day, it need only be beyond them.
 * - 35 °F beyond the days around, whatever others say.
 * - 25 °F beyond the days around where no other source has its day; 40 if one side of these is not known.
 * The days around are 7 before and 7 after without the lowest and the highest, as the other sources have them, if they have 6; the
 * hours around are 4 before and 4 after.
 * An observation within 5 °F of one of the day before or after is not suspect: a low reported in the evening is often that of the night
 * before. The value that a row corrects counts as another one if it is 25 °F from it.
 * @param values the rows, with a number for their day or hour; those that are not judged have 0 as row_number.
 * @param around the number of days or hours around one, on each side
 */
async function outliersOf(
  store: Store,
  values: Statement,
  around: number,
  isSmall: boolean,
): Promise<z.infer<typeof outlierRow>[]> {
  const median = (values: string): Statement => sql`arrayReduce('quantileExactLow', ${raw(values)})`;
  const window = (name: string, from: string, to: string): Statement =>
    raw(`${name} AS (PARTITION BY metric, station_id ORDER BY period RANGE BETWEEN ${from} AND ${to})`);
  const before = window('before', `${around} PRECEDING`, '1 PRECEDING');
  const after = window('after', '1 FOLLOWING', `${around} FOLLOWING`);
  // The days on which a value can be suspect: seldom more than one in a hundred. Lists of values are made of these alone.
  const unusualPeriods = sql`
                  SELECT metric, station_id, period AS unusual_period
                  FROM (
                      SELECT *, arraySort(arrayConcat(groupArray(middle) OVER before, groupArray(middle) OVER after)) AS usual
                      FROM (
                          SELECT
                              metric, station_id, period, quantileExactHigh(value) AS middle, min(value) AS lowest,
                              max(value) AS highest, max(row_number) > 0 AS is_staged
                          FROM ${values}
                          GROUP BY metric, station_id, period
                      )
                      WINDOW ${before}, ${after}
                  )
                  WHERE is_staged
                      AND (highest - lowest >= 25 OR length(usual) >= 6 AND greatest(highest - usual[-2], usual[2] - lowest) >= 25)`;
  // To plan the statement below takes 150 ms, this one 30. A small load seldom has an unusual day.
  if (isSmall && (await rowCount(store, sql`(${unusualPeriods})`)) === 0) return [];
  const judgedPeriods = sql`
  SELECT
      *, arrayFlatten(arrayMap(source -> arrayMap((value, report, is_stored) -> (source.1, value, report, is_stored), source.2, source.3, source.4), compared)) AS said,
      arrayFlatten(arrayMap(source -> arrayMap((value, row, days, report) -> (source.1, value, row, days, report), source.2, source.3, source.4, source.5), judged)) AS all,
      arraySort(arrayConcat(middles_before, middles_after)) AS usual_of_all, least(length(before), length(after)) >= 3 AS is_between
  FROM (
      SELECT
          *, groupArray(sources) OVER before AS before, groupArray(sources) OVER after AS after,
          groupArray(middle) OVER before AS middles_before, groupArray(middle) OVER after AS middles_after,
          arrayConcat(groupArrayArray(observed) OVER yesterday, groupArrayArray(observed) OVER tomorrow) AS beside
      FROM (
          SELECT
              metric, station_id, period, max(is_judged) AS is_judged, groupArray((source, values, reports, are_stored)) AS compared,
              groupArrayIf((source, staged, row_numbers, leads, staged_reports), notEmpty(staged)) AS judged, groupArray((source, middle_of_source)) AS sources,
              groupArrayArrayIf(values, source = '') AS observed,
              arraySort(groupArrayArray(values)) AS sorted, sorted[intDiv(length(sorted), 2) + 1] AS middle
          FROM (
              SELECT
                  metric, station_id, period, source, any(near.is_judged) AS is_judged,
                  groupArraySorted(${MAX_COMPARED})((cityHash64(report, value, row_number), value, report, row_number)) AS sample,
                  sample.2 AS values, sample.3 AS reports, arrayMap(row -> row = 0, sample.4) AS are_stored,
                  groupArraySortedIf(${MAX_JUDGED})((row_number, value, lead_days, report), row_number > 0) AS first_rows,
                  first_rows.2 AS staged, first_rows.1 AS row_numbers, first_rows.3 AS leads, first_rows.4 AS staged_reports,
                  quantileExactLow(value) AS middle_of_source
              FROM ${values} AS said
              INNER JOIN (
                  SELECT metric, station_id, unusual_period + distance AS period, max(distance = 0) AS is_judged
                  FROM (${unusualPeriods})
                  ARRAY JOIN range(-${raw(`${around}`)}, ${raw(`${around + 1}`)}) AS distance
                  GROUP BY metric, station_id, period
              ) AS near USING (metric, station_id, period)
              GROUP BY metric, station_id, period, source
          )
          GROUP BY metric, station_id, period
      )
      WINDOW
          ${before}, ${after},
          ${window('yesterday', '1 PRECEDING', '1 PRECEDING')}, ${window('tomorrow', '1 FOLLOWING', '1 FOLLOWING')}
  )
  WHERE is_judged`;
  return store.query(sql.rows(outlierRow)`
  SELECT
      toString(metric) AS metric, each.1 AS source, row_number, value_f, ifNull(abs(value_f - median_f) < 25, true) AS is_spike,
      arraySort(if(is_spike, arraySlice(usual, 2, -1), arrayFilter(other -> abs(other - median_f) < 15, values))) AS said, said[1] AS lowest_f, said[-1] AS highest_f
  FROM (
      SELECT
          *, length(usual) >= 6 AS is_known, is_known ? greatest(value_f - usual[-2], usual[2] - value_f) : 0 AS beyond_f, ${median('usual')} AS middle_f,
          if(empty(values), NULL, ${median('if(is_alone, values, of_sources)')}) AS median_f,
          if(is_alone, length(values), length(arrayDistinct(others.1))) > 1 AS are_two
      FROM (
          SELECT *, if(is_alone OR length(usual_of_sources) < 6, usual_of_all, arraySort(usual_of_sources)) AS usual
          FROM (
              SELECT
                  metric, each, each.2 AS value_f, each.3 AS row_number, each.4 > 5 AS is_long, beside, usual_of_all, is_between,
                  arrayFilter(other -> (other.1, other.3) != (each.1, each.5) OR other.4 AND abs(other.2 - value_f) >= 25, said) AS others, others.2 AS values,
                  arrayMap(other -> other.2, arrayFilter(other -> other.1 != each.1, said)) AS of_sources, empty(of_sources) AS is_alone,
                  arrayMap(day -> ${median('day.2')}, arrayFilter(day -> notEmpty(day), arrayMap(
                      day -> arrayFilter(one -> one.1 != each.1, day), arrayConcat(before, after)
                  ))) AS usual_of_sources
              FROM (${judgedPeriods})
              ARRAY JOIN all AS each
          )
      )
  )
  WHERE multiIf(
      is_alone AND is_known AND beyond_f >= if(is_between, 25, 40), true,
      empty(values), false,
      beyond_f >= 35 AND NOT is_alone, true,
      each.1 = '' AND arrayExists(other -> abs(other - value_f) <= 5, beside), false,
      are_two AND arrayMin(other -> abs(other - value_f), values) >= if(is_long, 25, 15) AND abs(value_f - ${median('values')}) >= if(is_long, 35, 25), true,
      abs(value_f - median_f) < 25, false,
      NOT is_known, NOT are_two,
      abs(value_f - middle_f) > abs(median_f - middle_f) AND beyond_f >= if(are_two OR is_long, 20, 0))
  ORDER BY row_number, metric`);
}

/** Normals change by less than this in 20 days, and no month of 10 observed days or more is so far from them. */
const NORMALS_SPIKE_F = 15;
const OBSERVED_SPIKE_F = 25;
const MIN_OBSERVED = 10;

const normalRow = z.object({
  feed: z.literal('normals'),
  column: z.enum(DAILY_COLUMNS),
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
