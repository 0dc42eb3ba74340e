import { z } from 'zod';
import type { DateSpan } from '../../queries/conditions.js';
import { bind, NOTHING, raw, sql, type Statement } from '../../queries/sql.js';
import type { Store } from '../../store/store.js';
import { stagedBy } from '../stage/staging-tables.js';
import { READING_TEMPERATURES } from '../../feeds/feeds.js';
import { quoteNames } from '../../variables/codes.js';
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

const [AT_REPORT, MAX_6H, MIN_6H] = READING_TEMPERATURES;

const hourRow = z.object({
  feed: z.literal('hours'),
  column: z.enum(READING_TEMPERATURES),
  row_number: z.number(),
  value_f: z.number(),
  check: z.enum(['buddy check of the day', 'spike in hours']),
  lowest_f: z.number(),
  highest_f: z.number(),
});

/** The least difference that makes a day unusual: less than those above by more than means of decimals and floats may differ. */
const beyond = (min: Statement): Statement => sql`> ${min} - 0.1`;

/** Unusual days of stations are seldom more. Then all days are looked at: a statement takes no longer list. */
const MAX_UNUSUAL_DAYS = 1000;

const unusualRow = z.object({ stations: z.array(z.string()), days: z.array(z.number()) });

/** Stations, and a day of each, as a number. */
type StationDays = z.infer<typeof unusualRow>;

/** The staged reports of a span; of its unusual station days alone where these are known. */
interface Compared {
  loadId: number;
  span: DateSpan;
  unusual?: StationDays;
}

/** Whether a date of a station is unusual, or so many days before or after one. */
const isUnusual = ({ stations, days }: StationDays, date: string, around: readonly number[]): Statement =>
  sql`(station_id, toInt32(${raw(date)})) IN (
            SELECT each.1, each.2 + distance
            FROM (SELECT arrayJoin(arrayZip(${bind({ unusual_stations: stations }, 'Array(String)')}, ${bind({ unusual_days: days }, 'Array(Int32)')})) AS each)
            ARRAY JOIN [${raw(around.join(', '))}] AS distance
          )`;

/** Dates from two days before the months of a span to two days after them, or unusual ones with those beside them. */
const nearSpan = ({ span, unusual }: Compared, date: string): Statement =>
  sql`NOT withdrawn AND ${raw(date)} BETWEEN toDate(${bind({ first_month: span.first_date }, 'Date')}) - 2
            AND toLastDayOfMonth(${bind({ last_month: span.last_date }, 'Date')}) + 2
            ${unusual === undefined ? NOTHING : sql`AND station_id IN ${bind({ unusual_stations: unusual.stations }, 'Array(String)')} AND ${isUnusual(unusual, date, [-1, 0, 1])}`}`;

/** The facts of the staged stations near a span. */
const near = (compared: Compared, date: string): Statement =>
  compared.unusual === undefined
    ? sql`${nearSpan(compared, date)} AND station_id IN (SELECT station_id FROM ${stagedBy(compared.loadId, 'hours')})`
    : nearSpan(compared, date);

/** The hours of an extreme of six hours. */
const WITHIN = sql`within AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN 25200 PRECEDING AND ${HOUR_S} FOLLOWING)`;

/** Each report, staged or stored. */
function selectReports(compared: Compared): Statement {
  const hours = stagedBy(compared.loadId, 'hours');
  const report = raw(
    `station_id, at, toUnixTimestamp(at) AS at_s, toFloat64(reading.${AT_REPORT}) AS degrees_f, reading.${MAX_6H} AS most, reading.${MIN_6H} AS least`,
  );
  const instants = raw('at BETWEEN (SELECT min(at) FROM hours) AND (SELECT max(at) FROM hours)');
  return sql`
                SELECT ${report}, row_number FROM ${hours} WHERE ${nearSpan(compared, 'toDate(at)')}
                UNION ALL
                SELECT ${report}, 0 FROM hours
                WHERE ${near(compared, 'toDate(at)')} AND (station_id, at) NOT IN (SELECT station_id, at FROM ${hours} WHERE ${instants})`;
}

/** Each report with those around it. A course is a run of reports without a step that no front makes. */
function reportsBeside(compared: Compared): Statement {
  const inOrder = raw('PARTITION BY station_id, isNull(degrees_f) ORDER BY at_s');
  return sql`
    SELECT
        *, toDate(at) AS target_date,
        min(degrees_f) OVER linked AS lowest_linked_f, max(degrees_f) OVER linked AS highest_linked_f
    FROM (
        SELECT
            *, sum(isNull(before_f) OR abs(degrees_f - before_f) > ${FRONT_F}) OVER (
                ${inOrder}, row_number, degrees_f ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
            ) AS course
        FROM (
            SELECT
                *,
                if(abs(at_s - lagInFrame(at_s) OVER beside) <= ${BESIDE_S}, lagInFrame(degrees_f) OVER beside, NULL) AS before_f,
                if(abs(leadInFrame(at_s) OVER beside - at_s) <= ${BESIDE_S}, leadInFrame(degrees_f) OVER beside, NULL) AS after_f,
                isNull(before_f) OR isNull(after_f) AS is_end, coalesce(before_f, after_f, degrees_f) AS one_f, coalesce(after_f, one_f) AS other_f,
                max(degrees_f) OVER within AS highest_6h_f, min(degrees_f) OVER within AS lowest_6h_f,
                count() OVER hours AS close, quantileExact(degrees_f) OVER hours AS close_f,
                avg(toDecimal64(degrees_f, 2)) OVER around AS mean_f, count() OVER around AS reports,
                [min(degrees_f) OVER earlier, min(degrees_f) OVER later] AS lowest_others, [max(degrees_f) OVER earlier, max(degrees_f) OVER later] AS highest_others
            FROM (${selectReports(compared)})
            WINDOW
                beside AS (${inOrder}, row_number, degrees_f ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING),
                hours AS (${inOrder} RANGE BETWEEN ${BESIDE_S} PRECEDING AND ${BESIDE_S} FOLLOWING),
                ${WITHIN},
                around AS (${inOrder} RANGE BETWEEN ${DAY_S} PRECEDING AND ${DAY_S} FOLLOWING),
                earlier AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN ${DAY_S} PRECEDING AND 1 PRECEDING),
                later AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN 1 FOLLOWING AND ${DAY_S} FOLLOWING)
        )
    )
    WINDOW linked AS (PARTITION BY station_id, isNull(degrees_f), course ORDER BY at_s RANGE BETWEEN ${DAY_S} PRECEDING AND ${DAY_S} FOLLOWING)`;
}

/** The lows and highs of each date and those beside it: the outermost of all sources, and those that are observed. */
function lowsAndHighs(compared: Compared): Statement {
  const { loadId } = compared;
  const daily = (from: Statement, value: string, isObserved: boolean): Statement =>
    sql`SELECT station_id, target_date, metric, ${raw(value)} AS value_f, ${raw(`${isObserved}`)} AS is_observed
        FROM ${from} WHERE ${near(compared, 'target_date')}`;
  return sql`
    SELECT
        station_id, target_date, min(low) OVER beside AS day_low, max(high) OVER beside AS day_high,
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
 * The station days that can have a suspect report, seldom one in a hundred. Each rule of checkHours() wants one of these:
 * - a temperature that is far from another one within three hours;
 * - an extreme that is far from the reports within its hours;
 * - a value that is far from a temperature of the days beside it;
 * - a value that is beyond the lows and highs of these days.
 */
function selectUnusual(compared: Compared, maxUnusual: number) {
  const list = raw(`groupArray(${maxUnusual + 1})`);
  const values = ['degrees_f', 'most_f', 'least_f'];
  const [lowest, highest] = ['inf', '-inf'].map((none) =>
    raw(values.map((value) => `ifNull(${value}, ${none})`).join(', ')),
  ) as [Statement, Statement];
  return sql.rows(unusualRow)`
    SELECT ${list}(station_id) AS stations, ${list}(toInt32(target_date)) AS days
    FROM (
        SELECT
            station_id, target_date, is_far, lowest_read_f, highest_read_f,
            max(highest_f) OVER beside - lowest_read_f AS under_f, highest_read_f - min(lowest_f) OVER beside AS over_f
        FROM (
            SELECT
                station_id, toDate(at) AS target_date, min(degrees_f) AS lowest_f, max(degrees_f) AS highest_f,
                minIf(least(${lowest}), row_number > 0) AS lowest_read_f, maxIf(greatest(${highest}), row_number > 0) AS highest_read_f,
                maxIf(
                    degrees_f - lowest_beside_f ${beyond(SPIKE_F)} OR highest_beside_f - degrees_f ${beyond(SPIKE_F)}
                        OR abs(most_f - highest_6h_f) ${beyond(EXTREME_SPIKE_F)} OR abs(least_f - lowest_6h_f) ${beyond(EXTREME_SPIKE_F)},
                    row_number > 0
                ) AS is_far
            FROM (
                SELECT
                    *, toFloat64(most) AS most_f, toFloat64(least) AS least_f,
                    min(degrees_f) OVER hours AS lowest_beside_f, max(degrees_f) OVER hours AS highest_beside_f,
                    min(degrees_f) OVER within AS lowest_6h_f, max(degrees_f) OVER within AS highest_6h_f
                FROM (${selectReports(compared)})
                WINDOW
                    hours AS (PARTITION BY station_id ORDER BY at_s RANGE BETWEEN ${BESIDE_S} PRECEDING AND ${BESIDE_S} FOLLOWING),
                    ${WITHIN}
            )
            GROUP BY station_id, target_date
        )
        WINDOW beside AS (PARTITION BY station_id ORDER BY target_date RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING)
    ) AS reports
    LEFT JOIN (${lowsAndHighs(compared)}) AS days USING (station_id, target_date)
    WHERE is_far OR greatest(under_f, over_f) ${beyond(OUTLIER_F)}
        OR day_low - lowest_read_f ${beyond(BEYOND_DAY_F)} OR highest_read_f - day_high ${beyond(BEYOND_DAY_F)}`;
}

/**
 * The staged reports of a span that are far from those around them, or from the lows and highs of their days. Extremes of six
 * hours may come in a report without a temperature of its own. Three things say that a value is right:
 * - it is the observed low or high of its day, and no other report of a day before or after comes near that;
 * - it lies between the observed lows and highs: a mean of two days, and forecasts, say nothing against it then;
 * - the reports lead from it to the mean, or to the median of the hours, in steps of a front.
 * @param maxUnusual unusual days beyond which all days are looked at
 */
export async function checkHours(
  store: Store,
  loadId: number,
  span: DateSpan,
  maxUnusual = MAX_UNUSUAL_DAYS,
): Promise<SuspectRow[]> {
  const unusual = await store.queryOne(selectUnusual({ loadId, span }, maxUnusual));
  if (unusual.days.length === 0) return [];
  return store.query(selectSuspects({ loadId, span, ...(unusual.days.length <= maxUnusual && { unusual }) }));
}

/** The suspect ones of what is compared. */
function selectSuspects(compared: Compared) {
  const isLinked = (to: string, distance: Statement): Statement =>
    sql`ifNull(lowest_linked_f <= ${raw(to)} + ${distance} AND highest_linked_f >= ${raw(to)} - ${distance}, false)`;
  return sql.rows(hourRow)`
    SELECT
        'hours' AS feed, read.1 AS column, row_number, toFloat64(read.2) AS value_f,
        arrayExists(low -> abs(value_f - low) <= ${NEAR_F} AND NOT arrayExists(other -> ifNull(other <= low + 2 * ${NEAR_F}, false), lowest_others), observed_lows)
            OR arrayExists(high -> abs(value_f - high) <= ${NEAR_F} AND NOT arrayExists(other -> ifNull(other >= high - 2 * ${NEAR_F}, false), highest_others), observed_highs)
            AS is_extreme,
        notEmpty(observed_lows) AND notEmpty(observed_highs)
            AND value_f BETWEEN arrayMin(observed_lows) - ${NEAR_F} AND arrayMax(observed_highs) + ${NEAR_F} AS is_observed,
        multiIf(
            NOT is_observed AND (value_f < day_low - ${BEYOND_DAY_F} OR value_f > day_high + ${BEYOND_DAY_F}), ('buddy check of the day', day_low, day_high),
            value_f < read.3 - read.5 OR value_f > read.4 + read.5, ('spike in hours', read.3, read.4),
            close >= ${MIN_CLOSE} AND read.1 = '${raw(AT_REPORT)}' AND abs(degrees_f - close_f) > ${CLOSE_SPIKE_F} AND NOT ${isLinked('close_f', CLOSE_SPIKE_F)},
                ('spike in hours', close_f, close_f),
            reports >= ${MIN_REPORTS} AND abs(value_f - mean_f) > ${OUTLIER_F} AND NOT is_observed AND NOT ${isLinked('mean_f', OUTLIER_F)},
                ('spike in hours', mean_f, mean_f),
            ('', NULL, NULL)
        ) AS told, told.1 AS check, told.2 AS lowest_f, told.3 AS highest_f
    FROM (${reportsBeside(compared)}) AS reports
    LEFT JOIN (${lowsAndHighs(compared)}) AS days USING (station_id, target_date)
    ARRAY JOIN [
        ('${raw(AT_REPORT)}', degrees_f, least(one_f, other_f), greatest(one_f, other_f), if(is_end, ${SPIKE_AT_END_F}, ${SPIKE_F})),
        ('${raw(MAX_6H)}', toFloat64(most), highest_6h_f, highest_6h_f, ${EXTREME_SPIKE_F}),
        ('${raw(MIN_6H)}', toFloat64(least), lowest_6h_f, lowest_6h_f, ${EXTREME_SPIKE_F})
    ] AS read
    WHERE row_number > 0 ${compared.unusual ? sql`AND ${isUnusual(compared.unusual, 'target_date', [0])}` : NOTHING} AND read.2 IS NOT NULL AND check != '' AND NOT is_extreme -- last: it is looked at for few
    ORDER BY row_number, indexOf([${raw(quoteNames(READING_TEMPERATURES))}], column)`;
}
