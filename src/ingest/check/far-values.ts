import { z } from 'zod';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { HOURLY_NAMES, METRICS } from '../../variables/variables.js';
import type { Store } from '../../store/store.js';

// Spike and buddy check of values by day or hour: quality-control.ts says which values, this file which of them are far from others.

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

type OutlierRow = z.infer<typeof outlierRow>;

/** A condition on station_id and on the expression of a day or hour. */
export type OfPeriods = (period: Statement) => Statement;

const unusualRow = z.object({
  metrics: z.array(z.string()),
  stations: z.array(z.string()),
  periods: z.array(z.number()),
});

/** Unusual periods of stations are seldom more. Then the statement of outliers looks for them again, as it takes no longer list. */
const MAX_UNUSUAL = 2000;

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
 * @param values the rows of some periods, with a number for their day or hour. Rows that are not judged have the number 0.
 * @param around the number of days or hours around one, on each side
 * @param maxUnusual unusual periods that are named in the statement of outliers
 */
export async function findOutliers(
  store: Store,
  values: (ofPeriods: OfPeriods) => Statement,
  around: number,
  maxUnusual = MAX_UNUSUAL,
): Promise<OutlierRow[]> {
  const all = values(() => sql`true`);
  const unusual = selectUnusual(all, around);
  const list = raw(`groupArray(${maxUnusual + 1})`);
  const { metrics, stations, periods } = await store.queryOne(sql.rows(unusualRow)`
    SELECT ${list}(toString(metric)) AS metrics, ${list}(station_id) AS stations, ${list}(unusual_period) AS periods
    FROM (${unusual})`);
  if (periods.length === 0) return [];
  if (periods.length > maxUnusual) return store.query(selectOutliers(all, unusual, around));
  const named = sql`
                  SELECT each.1 AS metric, each.2 AS station_id, each.3 AS unusual_period
                  FROM (
                      SELECT arrayJoin(arrayZip(
                          ${bind({ unusual_metrics: metrics }, 'Array(String)')}, ${bind({ unusual_stations: stations }, 'Array(String)')},
                          ${bind({ unusual_periods: periods }, 'Array(Int32)')}
                      )) AS each
                  )`;
  const [first, last] = [Math.min(...periods) - around, Math.max(...periods) + around];
  const ofPeriods: OfPeriods = (
    period,
  ) => sql`station_id IN ${bind({ unusual_stations: stations }, 'Array(String)')}
    AND ${period} BETWEEN ${bind({ first_period: first }, 'Int32')} AND ${bind({ last_period: last }, 'Int32')}`;
  return store.query(selectOutliers(values(ofPeriods), named, around));
}

const median = (values: string): Statement => sql`arrayReduce('quantileExactLow', ${raw(values)})`;

/** A window of the periods from one number of periods before or after a value to another, of its station. */
const makeWindow = (name: string, from: string, to: string): Statement =>
  raw(`${name} AS (PARTITION BY metric, station_id ORDER BY period RANGE BETWEEN ${from} AND ${to})`);

/** The windows `before` and `after`: so many periods on each side of one, without itself. */
const windowsAround = (around: number): Statement =>
  sql`${makeWindow('before', `${around} PRECEDING`, '1 PRECEDING')}, ${makeWindow('after', '1 FOLLOWING', `${around} FOLLOWING`)}`;

/** The periods in which a value can be suspect: seldom more than one in a hundred. Lists of values are made of these alone. */
const selectUnusual = (values: Statement, around: number): Statement =>
  sql`
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
                      WINDOW ${windowsAround(around)}
                  )
                  WHERE is_staged
                      AND (highest - lowest >= 25 OR length(usual) >= 6 AND greatest(highest - usual[-2], usual[2] - lowest) >= 25)`;

/** The unusual periods, each with the values that are judged, and with those that they are compared with. */
const selectJudged = (values: Statement, unusual: Statement, around: number): Statement =>
  sql`
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
                  said.metric AS metric, said.station_id AS station_id, said.period AS period, source, any(near.is_judged) AS is_judged,
                  groupArraySorted(${MAX_COMPARED})((cityHash64(report, value, row_number), value, report, row_number)) AS sample,
                  sample.2 AS values, sample.3 AS reports, arrayMap(row -> row = 0, sample.4) AS are_stored,
                  groupArraySortedIf(${MAX_JUDGED})((row_number, value, lead_days, report), row_number > 0) AS first_rows,
                  first_rows.2 AS staged, first_rows.1 AS row_numbers, first_rows.3 AS leads, first_rows.4 AS staged_reports,
                  quantileExactLow(value) AS middle_of_source
              FROM ${values} AS said
              INNER JOIN (
                  SELECT toString(metric) AS metric, station_id, unusual_period + distance AS period, max(distance = 0) AS is_judged
                  FROM (${unusual})
                  ARRAY JOIN range(-${raw(`${around}`)}, ${raw(`${around + 1}`)}) AS distance
                  GROUP BY metric, station_id, period
              ) AS near ON toString(said.metric) = near.metric AND said.station_id = near.station_id AND said.period = near.period
              GROUP BY metric, station_id, period, source
          )
          GROUP BY metric, station_id, period
      )
      WINDOW
          ${windowsAround(around)},
          ${makeWindow('yesterday', '1 PRECEDING', '1 PRECEDING')}, ${makeWindow('tomorrow', '1 FOLLOWING', '1 FOLLOWING')}
  )
  WHERE is_judged`;

/** The judged values that are suspect, each with the least and the greatest value that others say. */
const selectOutliers = (values: Statement, unusual: Statement, around: number) =>
  sql.rows(outlierRow)`
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
              FROM (${selectJudged(values, unusual, around)})
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
  ORDER BY row_number, metric`;
