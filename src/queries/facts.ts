import { fromWhere, type Relation } from './relation.js';
import { bind, NOTHING, raw, sql, type Statement } from './sql.js';
import { DEGREE_HUNDREDTHS, NEAR_HUNDREDTHS } from '../variables/units.js';
import { CHANCE_NAMES, type VariableName, VARIABLES } from '../variables/variables.js';
import { OF_TEMPERATURES, ofVersion } from './conditions.js';

// The facts (clickhouse/schema/003_forecasts_and_observations.sql) as relations, for use after FROM or JOIN: what stands of all that the feeds
// have said, and the station days that follow from it. Each takes the condition of the rows that it reads.

/**
 * The facts with a value: what tells one from the others of its table, and the column of the value, °F; of a wet day the chance, %,
 * and the amount, inches. A reading and a distribution have several.
 */
export const FACTS = {
  forecasts: {
    key: sql`metric, provider, station_id, target_date, issued_at`,
    value: sql`forecast`,
  },
  observations: {
    key: sql`metric, station_id, target_date, observation_status, observed_at`,
    value: sql`actual`,
  },
  distributions: {
    key: sql`metric, provider, station_id, target_date, issued_at`,
    value: sql`distribution`,
  },
  normals: {
    key: sql`metric, station_id, month_day`,
    value: sql`normal`,
  },
  hourly_forecasts: {
    key: sql`metric, provider, station_id, valid_at, issued_at`,
    value: sql`forecast`,
  },
  hours: {
    key: sql`station_id, at`,
    value: sql`reading`,
  },
} as const;

export type FactName = keyof typeof FACTS;

/**
 * The facts that stand: the key of each, and as `forecast_f`, `actual_f`, `distribution_f`, `normal_f` or `reading_f` its latest value, °F,
 * unless that takes the fact back (D42).
 * @param haveOneVersion no fact can have been corrected: all are of one load, which adds a key once
 */
export function currentFacts(table: FactName, condition: Statement, haveOneVersion = false): Statement {
  const { key, value } = FACTS[table];
  return haveOneVersion
    ? sql`(
        SELECT ${key}, ${value} AS ${value}_f
        FROM ${raw(table)}
        WHERE ${condition} AND NOT withdrawn
    )`
    : sql`(
        SELECT ${key}, argMax(${value}, load_id) AS ${value}_f
        FROM ${raw(table)}
        WHERE ${condition}
        GROUP BY ${key}
        HAVING NOT argMax(withdrawn, load_id)
    )`;
}

/** In which degrees a station reports. */
type Degrees = keyof typeof DEGREE_HUNDREDTHS;

/** Whether the station of a column station_id reports in these degrees. */
export const isReportedIn =
  (stations: Statement) =>
  (degrees: Degrees): Statement =>
    sql`station_id IN (SELECT station_id FROM ${stations} WHERE reported_in = '${raw(degrees)}')`;

/**
 * An observed value, °F, as its station reports it (D63): the whole degree that it is near, if the station reports whole ones,
 * else the value itself.
 * @param isIn whether its station reports in some degrees, as a condition
 */
export function asReported(value: Statement, isIn: (degrees: Degrees) => Statement): Statement {
  const near = raw(`${NEAR_HUNDREDTHS}`);
  const inDegrees = (degrees: Degrees): Statement => {
    const above = sql`positiveModulo(toInt32(${value} * 100) - 3200 + ${near}, ${raw(`${DEGREE_HUNDREDTHS[degrees]}`)}) - ${near}`;
    return sql`${isIn(degrees)}, ${value} - CAST(if(${above} <= ${near}, ${above}, 0), 'Decimal(5, 2)') / 100`;
  };
  return sql`multiIf(${inDegrees('whole_fahrenheit')}, ${inDegrees('whole_celsius')}, ${value})`;
}

/**
 * The outcome of a chance: 100 from its least amount on, else 0.
 * @param amount steps, as an expression.
 * @param wetAt the least amount that a request chooses, steps
 */
export const outcomeOf = (name: VariableName, amount: Statement, wetAt?: number): Statement => {
  const min =
    wetAt === undefined
      ? raw(`${VARIABLES[name].choices!.defaults.wet_at!}`)
      : bind({ wet_at: wetAt }, 'UInt32');
  return sql`CAST(if(${amount} >= ${min}, 100, 0), 'Decimal(5, 2)')`;
};

/**
 * The value that verifies a forecast: of a chance what came of it (D68); of a temperature as reported; else as observed.
 * @param wetAt the least amount of a chance, if the request chooses one, steps
 */
function asVerified(wetAt?: number): Statement {
  const outcomes = CHANCE_NAMES.filter((name) => VARIABLES[name].period === 'day').map(
    (name) => sql`f.metric = '${raw(name)}', ${outcomeOf(name, sql`o.best_f * 100`, wetAt)},`,
  );
  const reported = asReported(sql`o.best_f`, (degrees) => sql`s.reported_in = '${raw(degrees)}'`);
  return sql`multiIf(${outcomes.reduce((all, next) => sql`${all} ${next}`, NOTHING)} f.${OF_TEMPERATURES}, ${reported}, o.best_f)`;
}

/**
 * The best observation of each day that has one, as `best_f` and `best_status`: a verified one before a preliminary
 * one, and of equal ones the one reported last.
 */
const bestObservations = (condition: Statement): Statement => sql`(
        SELECT
            metric, station_id, target_date, argMax(actual_f, (observation_status, observed_at)) AS best_f,
            max(observation_status) AS best_status
        FROM ${currentFacts('observations', condition)}
        GROUP BY metric, station_id, target_date
    )`;

/** The outcomes of a day's chance by a least amount that a request chooses, steps. @param observations the condition of those that count */
export const outcomesOfDays = (name: VariableName, wetAt: number, observations: Statement): Statement => sql`(
    SELECT station_id, target_date, ${outcomeOf(name, sql`best_f * 100`, wetAt)} AS actual
    FROM ${bestObservations(observations)}
  )`;

/**
 * Rows of the ledger of a chance, with what the facts of its version say came of it (D73). A row and the one that withdraws it get the same
 * outcome, so they still add up to nothing.
 * @param outcomes a relation with `actual` and the columns of its key
 */
export const withOutcomes = (rows: Relation, outcomes: Statement, key: Statement): Statement => sql`(
    SELECT
      metric, provider, station_id, target_date, local_midnight, o.actual AS actual, observation_status, lead_ms, forecasts, sign, load_id
    FROM (SELECT * EXCEPT (actual) ${fromWhere(rows)}) AS d
    INNER JOIN ${outcomes} AS o USING (${key})
  )`;

/** The latest row of each station; also of one that it withdraws. */
export const latestStations = (condition = sql`true`): Statement => sql`(
        SELECT *
        FROM stations
        WHERE ${condition}
        ORDER BY station_id, load_id DESC
        LIMIT 1 BY station_id
    )`;

/** The stations that were there at a version of the data (D31). */
export const stationsOfVersion = (version?: number): Statement => sql`(
        SELECT *
        FROM ${latestStations(ofVersion(version))}
        WHERE NOT withdrawn
    )`;

/** The stations that stand: what reconciles their days, and no more. To plan it takes half as long as to plan current_stations. */
export const reconciledStations = (): Statement => sql`(
        SELECT
            station_id, argMax(stations.timezone, load_id) AS timezone, argMax(stations.day_boundary, load_id) AS day_boundary,
            argMax(stations.reported_in, load_id) AS reported_in
        FROM stations
        GROUP BY station_id
        HAVING NOT argMax(withdrawn, load_id)
    )`;

/** The facts of a version of the data (D31), of the stations that it has, as a condition. */
export const factsOfVersion = (version: number): Statement =>
  sql`${ofVersion(version)} AND station_id IN (SELECT station_id FROM ${stationsOfVersion(version)})`;

/** When each local day begins and ends, by zone and day boundary; the latest row counts. */
export const localDays = (condition: Statement): Statement => sql`(
        SELECT
            timezone, day_boundary, target_date, max(load_id) AS latest_load_id,
            argMax(local_midnight, load_id) AS day_begins, argMax(next_local_midnight, load_id) AS day_ends
        FROM local_midnights
        WHERE ${condition}
        GROUP BY timezone, day_boundary, target_date
    )`;

/** Which facts make the station days: the conditions of those that count, and a relation of the stations. */
interface StationDayFacts {
  forecasts: Statement;
  observations: Statement;
  localDays: Statement;
  stations: Statement;
  /** The least amount of a chance, if a request chooses one, steps. */
  wetAt?: number | undefined;
  /** As of currentFacts(). */
  forecastsHaveOneVersion?: boolean;
}

/**
 * The station days that have an observation and a forecast, with the columns of `station_days`: all forecasts
 * that stand and were issued before the day ended (D40), the latest first.
 */
export const stationDaysOfFacts = (facts: StationDayFacts): Statement => sql`(
    SELECT
        metric, provider, station_id, target_date, day_begins AS local_midnight, best_f AS actual,
        best_status AS observation_status,
        arrayMap(each -> begins_ms - each.1, of_day) AS lead_ms, of_day.2 AS forecasts
    FROM ${forecastDays(facts, WITH_OBSERVATION)}
    WHERE notEmpty(of_day)
)`;

/** Which station days are read, and what of each of their forecasts. */
interface ForecastDays {
  join: Statement;
  /** The forecasts of a day, as an array. */
  forecasts: Statement;
  /** When one of them, `each`, was issued, Unix ms. */
  issued_ms: Statement;
}

/** Days with an observation, with the values of their forecasts, the latest first. */
const WITH_OBSERVATION: ForecastDays = {
  join: sql`INNER`,
  forecasts: sql`arrayReverseSort(groupArray((toUnixTimestamp64Milli(issued_at), forecast_f)))`,
  issued_ms: sql`each.1`,
};

/** Days without an observation, or without a known beginning, as well; for counting alone, in half the time. */
export const ALL_DAYS: ForecastDays = {
  join: sql`LEFT`,
  forecasts: sql`groupArray(toUnixTimestamp64Milli(issued_at))`,
  issued_ms: sql`each`,
};

/** The station days that have a forecast: all of them, and those that were issued before the day ended. */
export const forecastDays = (
  facts: StationDayFacts,
  { join, forecasts, issued_ms }: ForecastDays,
): Statement => sql`(
        SELECT
            f.metric AS metric, f.provider AS provider, f.station_id AS station_id, f.target_date AS target_date,
            s.timezone AS timezone, s.day_boundary AS day_boundary, d.latest_load_id AS known_load_id,
            d.day_begins AS day_begins, toUnixTimestamp64Milli(d.day_begins) AS begins_ms,
            toUnixTimestamp64Milli(d.day_ends) AS ends_ms, o.best_status AS best_status, o.station_id != '' AS is_observed,
            ${asVerified(facts.wetAt)} AS best_f,
            arrayFilter(each -> ${issued_ms} < ends_ms OR ${issued_ms} <= begins_ms, f.issued) AS of_day, length(f.issued) AS issued_count
        FROM (
            SELECT
                metric, provider, station_id, target_date,
                ${forecasts} AS issued
            FROM ${currentFacts('forecasts', facts.forecasts, facts.forecastsHaveOneVersion)}
            GROUP BY metric, provider, station_id, target_date
        ) AS f
        ${join} JOIN ${bestObservations(facts.observations)} AS o
            ON o.metric = f.metric AND o.station_id = f.station_id AND o.target_date = f.target_date
        INNER JOIN ${facts.stations} AS s ON s.station_id = f.station_id
        ${join} JOIN ${localDays(facts.localDays)} AS d
            ON d.timezone = s.timezone AND d.day_boundary = s.day_boundary AND d.target_date = f.target_date
    )`;
