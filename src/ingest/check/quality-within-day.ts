import { z } from 'zod';
import type { DateSpan } from '../../queries/conditions.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import { stagedBy } from '../stage/staging-tables.js';
import type { SuspectRow } from './suspect-rows.js';

// Quality control of temperatures within the day: spikes among the reports around, and the buddy check with the lows and highs of
// the days. A front moves temperatures as far as an error does: what the reports beside it or the observed low or high of its day
// agree with is not suspect.

const [HOUR_S, DAY_S] = [raw('3600'), raw('86400')];

/** Reports beside one are at most so far from it, s. */
const BESIDE_S = raw('10800');

/** A temperature is hardly so far from the reports before and after it: in New York by 10 °F. At an end, from one of them. */
const [SPIKE_F, SPIKE_AT_END_F] = [raw('18'), raw('30')];

/** Nor is it from the median of the three hours before and after it, of five reports or more: in New York by 14 °F. */
const [CLOSE_SPIKE_F, MIN_CLOSE] = [raw('20'), raw('5')];

/** Nor is it from the mean of two days, of so many reports: in New York by 26 °F. */
const [OUTLIER_F, MIN_REPORTS] = [raw('36'), raw('12')];

/** Nor is a maximum or minimum of six hours from the reports within them. */
const EXTREME_SPIKE_F = raw('25');

/** Nor is it beyond the lows and highs of its date and those beside it, observed or forecast: in New York by 13 °F. */
const BEYOND_DAY_F = raw('18');

/** A front that passes changes the temperature from one report to the next by less: a Chinook by 23 °F. An error seldom does. */
const FRONT_F = raw('25');

/** A report is so near the observed low or high of its day, which may lie between two reports. */
const NEAR_F = raw('5');

const hourRow = z.object({
  feed: z.literal('hours'),
  column: z.enum(['temp_f', 'max_6h_f', 'min_6h_f']),
  row_number: z.number(),
  value_f: z.number(),
  check: z.enum(['buddy check of the day', 'spike in hours']),
  lowest_f: z.number(),
  highest_f: z.number(),
});

/** The facts of the staged stations from two days before the months of a span to two days after them. */
const near = (loadId: number, span: DateSpan, date: string): Statement =>
  sql`NOT withdrawn AND station_id IN (SELECT station_id FROM ${stagedBy(loadId, 'hours')})
          AND ${raw(date)} BETWEEN toDate(${bind({ first_month: span.first_date }, 'Date')}) - 2
            AND toLastDayOfMonth(${bind({ last_month: span.last_date }, 'Date')}) + 2`;

/** Each report, staged or stored, with those around it. A course is a run of reports without a step that no front makes. */
function reportsBeside(loadId: number, span: DateSpan): Statement {
  const hours = stagedBy(loadId, 'hours');
  const report = raw(
    'station_id, at, toUnixTimestamp(at) AS at_s, toFloat64(reading.temp_f) AS temp_f, reading.max_6h_f AS most, reading.min_6h_f AS least',
  );
  const inOrder = raw('PARTITION BY station_id, isNull(temp_f) ORDER BY at_s');
  return sql`
    SELECT
        *, toDate(at) AS target_date,
        min(temp_f) OVER linked AS lowest_linked_f, max(temp_f) OVER linked AS highest_linked_f
    FROM (
        SELECT
            *, sum(isNull(before_f) OR abs(temp_f - before_f) > ${FRONT_F}) OVER (
                ${inOrder}, row_number, temp_f ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS course
        FROM (
            SELECT
                *,
                if(abs(at_s - lagInFrame(at_s) OVER beside) <= ${BESIDE_S}, lagInFrame(temp_f) OVER beside, NULL) AS before_f,
                if(abs(leadInFrame(at_s) OVER beside - at_s) <= ${BESIDE_S}, leadInFrame(temp_f) OVER beside, NULL) AS after_f,
                isNull(before_f) OR isNull(after_f) AS is_end, coalesce(before_f, after_f, temp_f) AS one_f, coalesce(after_f, one_f) AS other_f,
                max(temp_f) OVER within AS highest_6h_f, min(temp_f) OVER within AS lowest_6h_f,
                count() OVER hours AS close, quantileExact(temp_f) OVER hours AS close_f,
                avg(toDecimal64(temp_f, 2)) OVER around AS mean_f, count() OVER around AS reports,
                [min(temp_f) OVER earlier, min(temp_f) OVER later] AS lowest_others, [max(temp_f) OVER earlier, max(temp_f) OVER later] AS highest_others
            FROM (
                SELECT ${report}, row_number FROM ${hours} WHERE ${near(loadId, span, 'toDate(at)')}
                UNION ALL
                SELECT ${report}, 0 FROM hours
                WHERE ${near(loadId, span, 'toDate(at)')} AND (station_id, at) NOT IN (SELECT station_id, at FROM ${hours})
            )
            WINDOW
                beside AS (${inOrder}, row_number, temp_f ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING),
                hours AS (${inOrder} RANGE BETWEEN ${BESIDE_S} PRECEDING AND ${BESIDE_S} FOLLOWING),
                within AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN 25200 PRECEDING AND ${HOUR_S} FOLLOWING),
                around AS (${inOrder} RANGE BETWEEN ${DAY_S} PRECEDING AND ${DAY_S} FOLLOWING),
                earlier AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN ${DAY_S} PRECEDING AND 1 PRECEDING),
                later AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN 1 FOLLOWING AND ${DAY_S} FOLLOWING)
        )
    )
    WINDOW linked AS (PARTITION BY station_id, isNull(temp_f), course ORDER BY at_s RANGE BETWEEN ${DAY_S} PRECEDING AND ${DAY_S} FOLLOWING)`;
}

/** The lows and highs of each date and those beside it: the outermost of all sources, and those that are observed. */
function lowsAndHighs(loadId: number, span: DateSpan): Statement {
  const daily = (from: Statement, value: string, isObserved: boolean): Statement =>
    sql`SELECT station_id, target_date, metric, ${raw(value)} AS value_f, ${raw(`${isObserved}`)} AS is_observed
        FROM ${from} WHERE ${near(loadId, span, 'target_date')}`;
  return sql`
    SELECT
        station_id, target_date, min(low) OVER beside AS low_f, max(high) OVER beside AS high_f,
        groupArrayArray(lows) OVER beside AS observed_lows, groupArrayArray(highs) OVER beside AS observed_highs
    FROM (
        SELECT
            station_id, target_date, countIf(metric = 'low') > 0 AND countIf(metric = 'high') > 0 AS has_both,
            if(has_both, toFloat64(quantileExactHighIf(value_f, metric = 'low')), NULL) AS low,
            if(has_both, toFloat64(quantileExactLowIf(value_f, metric = 'high')), NULL) AS high,
            groupArrayIf(toFloat64(value_f), is_observed AND metric = 'low') AS lows,
            groupArrayIf(toFloat64(value_f), is_observed AND metric = 'high') AS highs
        FROM (
            ${daily(sql`forecasts`, 'forecast', false)} UNION ALL ${daily(sql`observations`, 'actual', true)}
            UNION ALL ${daily(stagedBy(loadId, 'forecasts'), 'forecast', false)}
            UNION ALL ${daily(stagedBy(loadId, 'observations'), 'actual', true)}
        )
        GROUP BY station_id, target_date
    )
    WINDOW beside AS (PARTITION BY station_id ORDER BY target_date RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)`;
}

/**
 * The staged reports of a span that are far from those around them, or from the lows and highs of their days. Extremes of six
 * hours may come in a report without a temperature of its own. Three things say that a value is right:
 * - it is the observed low or high of its day, and no other report of a day before or after comes near that;
 * - it lies between the observed lows and highs: a mean of two days, and forecasts, say nothing against it then;
 * - the reports lead from it to the mean, or to the median of the hours, in steps of a front.
 */
export function checkHours(store: Store, loadId: number, span: DateSpan): Promise<SuspectRow[]> {
  const isLinked = (to: string, distance: Statement): Statement =>
    sql`ifNull(lowest_linked_f <= ${raw(to)} + ${distance} AND highest_linked_f >= ${raw(to)} - ${distance}, false)`;
  return store.query(
    sql.rows(hourRow)`
    SELECT
        'hours' AS feed, read.1 AS column, row_number, toFloat64(read.2) AS value_f,
        arrayExists(low -> abs(value_f - low) <= ${NEAR_F} AND NOT arrayExists(other -> ifNull(other <= low + 2 * ${NEAR_F}, false), lowest_others), observed_lows)
            OR arrayExists(high -> abs(value_f - high) <= ${NEAR_F} AND NOT arrayExists(other -> ifNull(other >= high - 2 * ${NEAR_F}, false), highest_others), observed_highs)
            AS is_extreme,
        notEmpty(observed_lows) AND notEmpty(observed_highs)
            AND value_f BETWEEN arrayMin(observed_lows) - ${NEAR_F} AND arrayMax(observed_highs) + ${NEAR_F} AS is_observed,
        multiIf(
            NOT is_observed AND (value_f < low_f - ${BEYOND_DAY_F} OR value_f > high_f + ${BEYOND_DAY_F}), ('buddy check of the day', low_f, high_f),
            value_f < read.3 - read.5 OR value_f > read.4 + read.5, ('spike in hours', read.3, read.4),
            close >= ${MIN_CLOSE} AND read.1 = 'temp_f' AND abs(temp_f - close_f) > ${CLOSE_SPIKE_F} AND NOT ${isLinked('close_f', CLOSE_SPIKE_F)},
                ('spike in hours', close_f, close_f),
            reports >= ${MIN_REPORTS} AND abs(value_f - mean_f) > ${OUTLIER_F} AND NOT is_observed AND NOT ${isLinked('mean_f', OUTLIER_F)},
                ('spike in hours', mean_f, mean_f),
            ('', NULL, NULL)
        ) AS told, told.1 AS check, told.2 AS lowest_f, told.3 AS highest_f
    FROM (${reportsBeside(loadId, span)}) AS reports
    LEFT JOIN (${lowsAndHighs(loadId, span)}) AS days USING (station_id, target_date)
    ARRAY JOIN [
        ('temp_f', temp_f, least(one_f, other_f), greatest(one_f, other_f), if(is_end, ${SPIKE_AT_END_F}, ${SPIKE_F})),
        ('max_6h_f', toFloat64(most), highest_6h_f, highest_6h_f, ${EXTREME_SPIKE_F}),
        ('min_6h_f', toFloat64(least), lowest_6h_f, lowest_6h_f, ${EXTREME_SPIKE_F})
    ] AS read
    WHERE row_number > 0 AND read.2 IS NOT NULL AND check != '' AND NOT is_extreme -- last: it is looked at for few
    ORDER BY row_number, indexOf(['temp_f', 'max_6h_f', 'min_6h_f'], column)`,
  );
}
