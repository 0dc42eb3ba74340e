import { HOURS_KNOWN_AFTER_MS } from '../statistics/time/hour-of-day.js';
import { bind, raw, sql, type Statement } from './sql.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { SCALES, type Unit } from '../variables/units.js';
import { type DateSpan, ofDates, ofDayScope, ofVersion, type DayScope } from './conditions.js';
import { currentFacts, localDays, reconciledStations } from './facts.js';

// The reports within the day (D56, clickhouse/schema/005_hours.sql): as they came, by station day, and what each station day
// of them says.

/** The value of the extremes by hour where too few hours were reported. */
export const HOURS_MISSING = -32768;

const [HOUR, KNOWN_AFTER, MISSING] = [HOUR_MS, HOURS_KNOWN_AFTER_MS, HOURS_MISSING].map((ms) =>
  raw(`${ms}`),
) as [Statement, Statement, Statement];

/** The instants that the facts within the day are of. */
export const INSTANT_OF = { hours: raw('at'), hourly_forecasts: raw('valid_at') } as const;
export type HourlyFact = keyof typeof INSTANT_OF;

/** The facts of UTC dates. */
export const ofUtcDates = (fact: HourlyFact, { first_date, last_date }: DateSpan): Statement =>
  sql`toDate(${INSTANT_OF[fact]}) BETWEEN ${bind({ first_date }, 'Date')} AND ${bind({ last_date }, 'Date')}`;

/**
 * The facts from which those of the days of a span come, whatever the zone: days begin up to 14 hours before their UTC date, and
 * windows that end then have reports of eleven hours and a quarter before.
 */
export const nearDates = ({ first_date, last_date }: DateSpan, fact: HourlyFact = 'hours'): Statement =>
  sql`${INSTANT_OF[fact]} BETWEEN toDateTime64(${bind({ first_date }, 'Date')}, 3, 'UTC') - INTERVAL 26 HOUR
    AND toDateTime64(${bind({ last_date }, 'Date')}, 3, 'UTC') + INTERVAL 2 DAY`;

/** The station and the days of reports. */
interface ReportQuery {
  span: DateSpan;
  /** The stations and the version of the reports, as a condition. */
  reports: Statement;
  stations: Statement;
  /** Their zones, as a condition; any without. */
  zones?: Statement;
  version?: number | undefined;
  /** As of currentFacts(). */
  haveOneVersion?: boolean;
}

/**
 * The reports that stand, each with the day of its station, how long after that began, and its length. The temperature, the
 * precipitation and the sky are of the day in which the report lies, begin included. Its extremes of six hours are a row of
 * their own, of the day in which the hour before them lies, end included: a report at midnight closes the day before.
 */
export const reportsByDay = ({
  span,
  reports,
  stations,
  zones = sql`true`,
  version,
  haveOneVersion,
}: ReportQuery): Statement => sql`(
    SELECT
      station_id, d.target_date AS target_date, h.at AS at, if(is_of_6_hours, NULL, reading.temp_f) AS degrees_f,
      if(is_of_6_hours, reading.max_6h_f, NULL) AS max_6h_f, if(is_of_6_hours, reading.min_6h_f, NULL) AS min_6h_f,
      if(is_of_6_hours, NULL, reading.precip_in) AS precip_in, if(is_of_6_hours, '', toString(reading.sky)) AS sky,
      toUnixTimestamp64Milli(h.at) - toUnixTimestamp64Milli(d.day_begins) AS after_ms,
      toUnixTimestamp64Milli(d.day_ends) - toUnixTimestamp64Milli(d.day_begins) AS day_ms
    FROM (
      SELECT
        h.station_id AS station_id, h.at AS at, h.reading_f AS reading, s.timezone AS timezone, s.day_boundary AS day_boundary,
        arrayJoin(if(reading.max_6h_f IS NULL AND reading.min_6h_f IS NULL, [0], [0, 1])) AS is_of_6_hours,
        h.at - toIntervalMillisecond(is_of_6_hours) AS lies_at
      FROM ${currentFacts('hours', sql`${nearDates(span)} AND ${reports}`, haveOneVersion)} AS h
      INNER JOIN ${stations} AS s ON s.station_id = h.station_id
    ) AS h
    ASOF INNER JOIN ${localDays(sql`${ofDates(span)} AND ${zones} AND ${ofVersion(version)}`)} AS d
      ON d.timezone = h.timezone AND d.day_boundary = h.day_boundary AND h.lies_at >= d.day_begins
    WHERE h.lies_at < d.day_ends
  )`;

/**
 * The highest of the temperatures of a report that count for its day, or of their negatives. It is 10,000 °F and so many
 * hundredths, so that 0 means missing.
 */
const extreme = (sign: 1 | -1, of6Hours: Statement): Statement => sql`greatest(
        ifNull(1000000 + ${raw(`${sign}`)} * toInt32(degrees_f * 100), 0),
        if(after_ms >= 6 * ${HOUR}, ifNull(1000000 + ${raw(`${sign}`)} * toInt32(${of6Hours} * 100), 0), 0)
      )`;

/** Lists by hour, 1 to 24: the greatest of a list up to there. */
const upToHour = (list: Statement): Statement =>
  sql`arrayMap(h -> arrayMax(arraySlice(${list}, 1, h)), range(1, 25))`;

/** How much of the sky a report says is covered, sixteenths: few is 1 to 2 eighths, scattered 3 to 4, broken 5 to 7. */
const COVERED = sql`transform(sky, ['CLR', 'FEW', 'SCT', 'BKN', 'OVC', 'VV'], [0, 3, 7, 12, 16, 16], 0)`;

/** Hundredths of a °F, above -1,000 degrees, as whole degrees, half up. @param sign -1 where both are mirrored, as for lows */
const wholeDegrees = (hundredths: Statement, sign: 1 | -1, unit: Unit): Statement => {
  const { size, zero } = SCALES[unit];
  return sql`(intDiv(${hundredths} + ${raw(`${1000 * size + size / 2 - sign * zero}`)}, ${raw(`${size}`)}) - 1000)`;
};

/** The extremes by hour as a column has them. @param list as of extreme() */
const extremesIn = (unit: Unit, list: Statement, sign: 1 | -1): Statement => {
  const degrees = wholeDegrees(sql`far - 1000000`, sign, unit);
  return sql`arrayMap((enough, far) -> toInt16(if(enough, ${raw(`${sign}`)} * ${degrees}, ${MISSING})), is_enough, ${list})`;
};

const NO_EXTREMES = sql`CAST(arrayResize([], 24, ${MISSING}), 'Array(Int16)')`;

/** The course of a day without reports. */
const NOTHING_SAID = sql`tuple(
      ${NO_EXTREMES}, ${NO_EXTREMES}, ${NO_EXTREMES}, ${NO_EXTREMES},
      CAST('unknown', 'Enum8(\\'unknown\\' = 0, \\'clear\\' = 1, \\'cloudy\\' = 2, \\'precipitation\\' = 3)')
    )`;

/**
 * The course of each station day by its reports, as `course`: the columns of station_day_hours in one. `slot` is the
 * first hour by whose end a report is known. The last one, 24, ends with the day, which has 23 to 25 hours. An hour has
 * enough reports when at most two hours before it have no temperature, and the newest report is at most 70 minutes old.
 */
const courses = (reports: Statement): Statement => sql`(
    SELECT
      station_id, target_date,
      ${upToHour(sql`highs`)} AS highest, ${upToHour(sql`lows`)} AS lowest, ${upToHour(sql`newest`)} AS newest_by_hour,
      arrayMap(h -> if(h = 24, day_ms, h * ${HOUR}), range(1, 25)) AS ends_ms,
      arrayMap(
        (h, end_ms) -> arrayCount(known -> known BETWEEN 1 AND h, known_by_hour) + 2 >= ceil(end_ms / ${HOUR})
          AND newest_by_hour[h] > 0 AND end_ms / 1000 - newest_by_hour[h] < 4200,
        range(1, 25), ends_ms
      ) AS is_enough,
      tuple(
        ${extremesIn('fahrenheit', sql`highest`, 1)}, ${extremesIn('fahrenheit', sql`lowest`, -1)},
        ${extremesIn('celsius', sql`highest`, 1)}, ${extremesIn('celsius', sql`lowest`, -1)},
        CAST(multiIf(
          arrayCount(known -> known BETWEEN 1 AND 24, known_by_hour) < 12, 'unknown', is_wet, 'precipitation',
          skies = 0, 'unknown', covered >= 10 * skies, 'cloudy', 'clear'
        ), 'Enum8(\\'unknown\\' = 0, \\'clear\\' = 1, \\'cloudy\\' = 2, \\'precipitation\\' = 3)')
      ) AS course
    FROM (
      SELECT
        station_id, target_date, any(day_ms) AS day_ms,
        maxResample(1, 25, 1)(${extreme(1, sql`max_6h_f`)} AS high, slot) AS highs,
        maxResample(1, 25, 1)(${extreme(-1, sql`min_6h_f`)} AS low, slot) AS lows,
        maxResample(1, 25, 1)(if(is_temperature, intDiv(after_ms, 1000) + 1, 0) AS newest_s, slot) AS newest,
        minResample(0, 25, 1)(if(is_temperature, slot, 99) AS known, intDiv(after_ms, ${HOUR}) AS hour) AS known_by_hour,
        countIf(precip_in >= 0.01) > 0 AS is_wet,
        countIf(sky != '' AND hour BETWEEN 9 AND 17) AS skies,
        sumIf(${COVERED}, hour BETWEEN 9 AND 17) AS covered
      FROM (
        SELECT
          station_id, target_date, after_ms, day_ms, degrees_f, max_6h_f, min_6h_f, precip_in, sky, degrees_f IS NOT NULL AS is_temperature,
          toUInt8(least(24, greatest(1, ceil((after_ms + ${KNOWN_AFTER}) / ${HOUR})))) AS slot
        FROM ${reports}
      )
      GROUP BY station_id, target_date
    )
  )`;

const COURSE = sql`highest_by_hour, lowest_by_hour, highest_c_by_hour, lowest_c_by_hour, weather`;

/** The columns of a station day that a difference fills, in its order. */
export const DAY_HOURS_COLUMNS = sql`station_id, target_date, ${COURSE}, load_id`;

/** The reports from which those of station days come, and others of their stations. */
export const reportsNear = ({ span, days }: DayScope): Statement =>
  days === undefined
    ? nearDates(span)
    : sql`${nearDates(span)} AND station_id IN (SELECT station_id FROM ${days})`;

/** The rows that station_day_hours lacks: one for each station day whose reports differ from its latest row. */
export function dayHoursDifference(wanted: DayScope, loadId: number, haveOneVersion = false): Statement {
  const ofDays = ofDayScope(wanted);
  const reports = reportsByDay({
    span: wanted.span,
    reports: reportsNear(wanted),
    stations: reconciledStations(),
    haveOneVersion,
  });
  return sql`
  SELECT station_id, target_date, said.1, said.2, said.3, said.4, said.5, ${bind({ load_id: loadId }, 'UInt32')}
  FROM (
    SELECT
      station_id, target_date, groupArrayIf(course, is_desired) AS desired, groupArrayIf(course, NOT is_desired) AS known,
      if(empty(desired), ${NOTHING_SAID}, desired[1]) AS said
    FROM (
      SELECT station_id, target_date, course, true AS is_desired
      FROM ${courses(sql`(SELECT * FROM ${reports} WHERE ${ofDays})`)}
      UNION ALL
      SELECT station_id, target_date, argMax(tuple(${COURSE}), load_id) AS course, false AS is_desired
      FROM station_day_hours
      WHERE ${ofDays}
      GROUP BY station_id, target_date
    )
    GROUP BY station_id, target_date
  )
  WHERE said != if(empty(known), ${NOTHING_SAID}, known[1])`;
}

/** The days in which reports may lie, by UTC date: that, and the two beside it. */
export const daysOfReports = (reports: Statement): Statement => sql`
  SELECT DISTINCT station_id, addDays(toDate(at), arrayJoin([-1, 0, 1])) AS target_date
  FROM ${reports}`;
