import { DAY_MS, HOUR_MS, MINUTE_MS } from '../statistics/time/calendar.js';
import { bind, raw, sql, type Statement } from './sql.js';
import { type DateSpan, ofDates } from './conditions.js';
import { currentFacts, FACTS, localDays, outcomeOf } from './facts.js';
import { nearDates } from './hourly-temperatures.js';
import { columnOf, READING_NUMBERS } from '../feeds/feeds.js';
import { METRIC_OF_HOURS_TYPE, METRIC_TYPE, quoteNames } from '../variables/codes.js';
import { getWindowHours, HOURLY_NAMES, type VariableName, VARIABLES } from '../variables/variables.js';

// Station hours as rows of the ledger (D67): all forecasts of a variable at an hour, and what a report says of it. The degrees of `reported_in` are those of daily values: the temperature of a METAR has tenths of °C.

const [HOUR, HALF_HOUR, DAY] = [HOUR_MS, HOUR_MS / 2, DAY_MS].map((ms) => raw(`${ms}`)) as [
  Statement,
  Statement,
  Statement,
];

const STATUS_TYPE = raw("'Enum8(\\'preliminary\\' = 1, \\'verified\\' = 2)'");

/** Which facts make the station hours: the conditions of those that count, and a relation of the stations. */
interface StationHourFacts {
  span: DateSpan;
  /** The variables of hours that count. */
  metrics: readonly VariableName[];
  forecasts: Statement;
  reports: Statement;
  localDays: Statement;
  stations: Statement;
  /** The least amount of a chance, if a request chooses one, steps. */
  wetAt?: number | undefined;
  /** As of currentFacts(). */
  forecastsHaveOneVersion?: boolean | undefined;
}

/** The number of the hour that an instant is nearest to, from 1970-01-01; halfway, it is the later one. */
export const nearestHour = (instant: Statement): Statement =>
  sql`intDiv(toUnixTimestamp64Milli(${instant}) + ${HALF_HOUR}, ${HOUR})`;

/** The value of a variable in a report, as SQL; NULL for none. */
export function readingOf(metric: VariableName): string {
  const column = columnOf('hours', metric);
  if (READING_NUMBERS.some((element) => element === column)) return `reading.${column}`;
  const { of } = VARIABLES[metric];
  const skies: Readonly<Record<string, number>> = ('bySky' in of && of.bySky) || {};
  const bySky = Object.entries(skies).map(
    ([sky, value]) => `reading.sky = '${sky}', CAST(${value}, 'Decimal(5, 2)'), `,
  );
  return `multiIf(mapContains(reading.others, '${metric}'), reading.others['${metric}'], ${bySky.join('')}NULL)`;
}

/** Which reports of an hour count, and which of them first: of two that are alike, the earlier one. */
interface Match {
  hour: Statement;
  rank: Statement;
  counts?: Statement;
}

const NEAREST: Match = {
  hour: nearestHour(sql`at`),
  rank: sql`toInt64(abs(toUnixTimestamp64Milli(at) - hour * ${HOUR}))`,
};

/** The reports after the hour before. One at the full hour has gusts of the minutes before it. */
const HIGHEST: Match = {
  hour: sql`intDiv(toUnixTimestamp64Milli(at) + ${HOUR} - 1, ${HOUR})`,
  rank: sql`-toInt64(assumeNotNull(value) * 100)`,
};

const SINCE_ROUTINE = sql`(toUnixTimestamp64Milli(at) - hour * ${HOUR} + ${raw(`${7 * MINUTE_MS}`)})`;

/** The routine report of the hour that ends there, with its amount: the nearest to seven minutes before, of two the later (D76). */
export const ROUTINE = {
  hour: HIGHEST.hour,
  rank: sql`2 * abs(${SINCE_ROUTINE}) - (${SINCE_ROUTINE} > 0)`,
  counts: sql`toUnixTimestamp64Milli(at) >= hour * ${HOUR} - ${raw(`${15 * MINUTE_MS}`)}`,
} as const satisfies Match;

/** The variables of windows, the shortest first: their amounts are of as many hours. */
const WINDOWS = HOURLY_NAMES.flatMap((name) => {
  const hours = getWindowHours(name);
  return hours === undefined ? [] : [{ name, hours }];
}).sort((a, b) => a.hours - b.hours);

function matchOf(metrics: readonly VariableName[]): Match {
  const highest = metrics.filter((metric) => {
    const { of } = VARIABLES[metric];
    return 'match' in of && of.match === 'highest of the hour';
  });
  if (highest.length === 0) return NEAREST;
  const choose = (part: 'hour' | 'rank'): Statement =>
    sql`if(metric IN (${raw(quoteNames(highest))}), ${HIGHEST[part]}, ${NEAREST[part]})`;
  return { hour: choose('hour'), rank: choose('rank') };
}

type ReportFacts = Pick<StationHourFacts, 'span' | 'metrics' | 'reports' | 'wetAt'>;

/**
 * The values of each full hour, as `actual`, by the report that counts of those that have one. A report without a status is verified if it came a day or
 * more after it was measured. So it is once its station has reported a day later.
 */
function matchReports(
  { span, metrics, reports }: ReportFacts,
  { hour, rank, counts = sql`true` } = matchOf(metrics),
): Statement {
  return sql`(
      SELECT metric, station_id, hour, matched.1 AS actual, matched.2 AS is_verified
      FROM (
        SELECT
          metric, h.station_id AS station_id, hour,
          argMin(
            (
              assumeNotNull(value),
              status = 'verified' OR status = '' AND greatest(came.came_at, latest.latest_at) >= addMilliseconds(at, ${DAY})
            ),
            (${rank}, at)
          ) AS matched
        FROM (
          SELECT station_id, at, ${hour} AS hour, said_by, said.1 AS status, value, metric
          FROM (
            SELECT
              station_id, at, max(load_id) AS said_by,
              argMax((reading.status, ${raw(metrics.map(readingOf).join(', '))}), load_id) AS said
            FROM hours
            WHERE ${nearDates(span)} AND ${reports}
            GROUP BY ${FACTS.hours.key}
            HAVING NOT argMax(withdrawn, load_id)
          )
          ARRAY JOIN [${raw(metrics.map((_, index) => `said.${index + 2}`).join(', '))}] AS value, ${raw(`CAST([${quoteNames(metrics)}] AS Array(${METRIC_OF_HOURS_TYPE}))`)} AS metric
          WHERE value IS NOT NULL AND ${counts}
        ) AS h
        INNER JOIN (
          SELECT station_id, max(at) AS latest_at
          FROM hours
          WHERE at >= toDateTime64(${bind({ first_date: span.first_date }, 'Date')}, 3, 'UTC') - INTERVAL 1 DAY AND ${reports}
          GROUP BY station_id
        ) AS latest ON latest.station_id = h.station_id
        INNER JOIN (SELECT load_id, min(recorded_at) AS came_at FROM loads GROUP BY load_id) AS came ON came.load_id = h.said_by
        GROUP BY metric, station_id, hour
      )
    )`;
}

/** The amounts of windows as columns `amount_6`, steps, and `is_verified_6`: of six hours, and so on. */
function amountsOfWindows(facts: Omit<ReportFacts, 'metrics'>, longest: number): Statement {
  const windows = WINDOWS.filter(({ hours }) => hours <= longest);
  const own = windows.map(
    ({ name, hours }) => `
        maxIf(toNullable(toInt64(actual * 100)), metric = '${name}') AS own_${hours},
        minIf(is_verified, metric = '${name}') AS is_own_verified_${hours}`,
  );
  return windows.reduce(
    (amounts, { hours }, at) => addUp(amounts, hours, windows[at - 1]?.hours),
    sql`(
      SELECT station_id, hour, ${raw(own.join())}
      FROM ${matchReports({ ...facts, metrics: windows.map(({ name }) => name) }, ROUTINE)}
      GROUP BY station_id, hour
    )`,
  );
}

/** A window has its own amount, else the sum of the shorter ones that make it up, if each has an amount. */
function addUp(amounts: Statement, hours: number, part?: number): Statement {
  const [of, parts] = [raw(`${hours}`), raw(`${part}`)];
  if (part === undefined)
    return sql`(SELECT *, own_${of} AS amount_${of}, is_own_verified_${of} AS is_verified_${of} FROM ${amounts})`;
  return sql`(
      SELECT
        *, if(own_${of} IS NULL AND count(amount_${parts}) OVER w = ${raw(`${hours / part}`)}, sum(amount_${parts}) OVER w, own_${of}) AS amount_${of},
        if(own_${of} IS NULL, min(is_verified_${parts}) OVER w, is_own_verified_${of}) AS is_verified_${of}
      FROM ${amounts}
      WINDOW w AS (PARTITION BY station_id, hour % ${parts} ORDER BY hour RANGE BETWEEN ${raw(`${hours - part}`)} PRECEDING AND CURRENT ROW)
    )`;
}

/** The outcomes of chances of the windows that end at each full hour, as of matchReports(). */
function outcomesOfWindows({ metrics, wetAt, ...facts }: ReportFacts): Statement {
  const wanted = WINDOWS.filter(({ name }) => metrics.includes(name));
  const outcomes = wanted.map(({ name, hours }) => {
    const [amount, isVerified] = [raw(`amount_${hours}`), raw(`is_verified_${hours}`)];
    return sql`(CAST('${raw(name)}' AS ${raw(METRIC_OF_HOURS_TYPE)}), ${amount} IS NOT NULL, ${outcomeOf(name, amount, wetAt)}, ${isVerified})`;
  });
  return sql`(
      SELECT of_window.1 AS metric, station_id, hour, of_window.3 AS actual, of_window.4 AS is_verified
      FROM ${amountsOfWindows(facts, wanted.at(-1)!.hours)}
      ARRAY JOIN [${outcomes.reduce((all, next) => sql`${all}, ${next}`)}] AS of_window
      WHERE of_window.2
    )`;
}

/** The values of each full hour: of states and gusts by a report, of chances what came of them. */
function observedHours(facts: ReportFacts): Statement {
  const isOfWindow = (name: VariableName): boolean => getWindowHours(name) !== undefined;
  const windows = facts.metrics.filter(isOfWindow);
  const others = facts.metrics.filter((name) => !isOfWindow(name));
  if (windows.length === 0) return matchReports(facts);
  const outcomes = outcomesOfWindows({ ...facts, metrics: windows });
  return others.length === 0
    ? outcomes
    : sql`(
      SELECT metric, station_id, hour, actual, is_verified FROM ${matchReports({ ...facts, metrics: others })}
      UNION ALL
      SELECT metric, station_id, hour, actual, is_verified FROM ${outcomes}
    )`;
}

/** The outcomes of a window's chances by a least amount that a request chooses, as of outcomesOfDays(). */
export const outcomesOfHours = (facts: ReportFacts & { metrics: [VariableName] }): Statement => sql`(
    SELECT station_id, fromUnixTimestamp64Milli(hour * ${HOUR}) AS local_midnight, actual FROM ${observedHours(facts)}
  )`;

/**
 * The station hours that have a report and a forecast issued no later, with the columns of station_days. Their local_midnight is the
 * hour itself, and target_date the day of the station in which it lies.
 */
export const stationHoursOfFacts = (facts: StationHourFacts): Statement => sql`(
    SELECT
      CAST(metric AS ${raw(METRIC_TYPE)}) AS metric, provider, station_id, d.target_date AS target_date, h.valid_at AS local_midnight, actual,
      CAST(if(is_verified, 'verified', 'preliminary'), ${STATUS_TYPE}) AS observation_status,
      arrayMap(each -> each.1, of_hour) AS lead_ms, arrayMap(each -> each.2, of_hour) AS forecasts
    FROM (
      SELECT
        f.metric AS metric, f.provider AS provider, f.station_id AS station_id, f.valid_at AS valid_at, f.of_hour AS of_hour, o.actual AS actual,
        o.is_verified AS is_verified, s.timezone AS timezone, s.day_boundary AS day_boundary
      FROM (
        SELECT
          metric, provider, station_id, valid_at,
          arraySort(groupArray((toUnixTimestamp64Milli(valid_at) - toUnixTimestamp64Milli(issued_at), forecast_f))) AS of_hour
        FROM ${currentFacts('hourly_forecasts', sql`${nearDates(facts.span, 'hourly_forecasts')} AND issued_at <= valid_at AND metric IN (${raw(quoteNames(facts.metrics))}) AND ${facts.forecasts}`, facts.forecastsHaveOneVersion)}
        GROUP BY metric, provider, station_id, valid_at
      ) AS f
      INNER JOIN ${observedHours(facts)} AS o
        ON o.metric = f.metric AND o.station_id = f.station_id AND o.hour = intDiv(toUnixTimestamp64Milli(f.valid_at), ${HOUR})
      INNER JOIN ${facts.stations} AS s ON s.station_id = f.station_id
    ) AS h
    ASOF INNER JOIN ${localDays(sql`${ofDates(facts.span)} AND ${facts.localDays}`)} AS d
      ON d.timezone = h.timezone AND d.day_boundary = h.day_boundary AND h.valid_at >= d.day_begins
    WHERE h.valid_at < d.day_ends
  )`;
