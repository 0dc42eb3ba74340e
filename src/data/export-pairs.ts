import { getDerivation, METRICS, VARIABLE_NAMES, VARIABLES } from '../variables/variables.js';
import { sampleRecord } from '../api/records/pair.js';
import { z } from 'zod';
import { fileNameParts } from '../api/accuracy.js';
import { defineDownload, type Part } from '../api/endpoint.js';
import { oneParameter, type Params } from '../api/groups.js';
import { temperature } from '../api/kinds.js';
import { flag } from '../api/parameters.js';
import {
  anyVariable,
  exportedProvider,
  issuedHours,
  leadTimesAndSameDay,
  window,
} from '../api/params/common.js';
import { anyChoices } from '../api/params/variable-choices.js';
import { latestVersion } from '../api/params/row-pages.js';
import { stationsTogether } from '../api/params/station-params.js';
import { asOf } from '../api/params/as-of.js';
import {
  andIssuedIn,
  andOfStations,
  leadTimeBucketFilter,
  OF_TEMPERATURES,
  ofMetric,
  ofProvider,
  ofVersion,
  ofWindow,
  type PairQuery,
} from '../queries/conditions.js';
import { pairs } from '../queries/station-days.js';
import { bind, NOTHING, raw, sql, type Statement } from '../queries/sql.js';
import { LEVELS } from '../statistics/quantiles.js';
import { sum } from '../statistics/statistics.js';

const QUERY_SECONDS = 10;

/** The request of the statements, with the metrics and the version of the data. */
export type PairParams = Omit<PairQuery, 'metric' | 'asOf' | 'provider'> &
  Pick<ExportParams, 'metric' | 'provider'> & {
    version: number;
    /** Whether each pair has what the provider states beside the forecast. */
    hasDistribution?: boolean;
  };

/** The rows of pairs of a request as of a load, or as known at an instant. Later loads have higher numbers, so their rows are left out. */
function pairRows(params: PairParams): Statement {
  const { metric, provider, window, station, issuedHours, version } = params;
  const providers = provider.isAll ? sql`true` : ofProvider(params);
  const isStored =
    metric === undefined ||
    (params.knownAt === undefined && params.choices === undefined && getDerivation(metric) === undefined);
  return sql`
  FROM ${isStored ? raw('pairs') : pairs({ ...params, metric, asOf: { version } }, providers)}
  WHERE ${ofVersion(version)} AND ${providers}
    AND lead_time_bucket IN ${leadTimeBucketFilter(params)} AND ${ofWindow(window)}${
      metric === undefined ? sql` AND ${OF_TEMPERATURES}` : sql` AND ${ofMetric({ metric })}`
    }${andOfStations(station)}${andIssuedIn(issuedHours)}`;
}

/** Whether each pair is of an hour, which a column tells. */
const hasHours = ({ metric }: Pick<PairParams, 'metric'>): boolean =>
  metric !== undefined && VARIABLES[metric].period === 'hour';

/** The number of pairs of each day that has any. */
export const pairsByDate = (params: PairParams) => sql.rows(pairsOfDate)`
  SELECT target_date, sum(sign) AS pairs
  ${pairRows(params)}
  GROUP BY target_date
  HAVING pairs != 0
  ORDER BY target_date`;

const pairsOfDate = z.object({ target_date: z.string(), pairs: z.number() });

/**
 * The pairs with an error that belongs to the largest so many: whoever sorts by size groups some rows instead of millions.
 * @param max how many; pairs of the same size come on top
 */
const withLargeErrors = (params: PairParams, max: number): Statement => sql`
  AND abs(error) >= (
    SELECT min(size) FROM (
      SELECT abs(error) AS size, sum(sign) AS pairs, sum(pairs) OVER (ORDER BY size DESC) - pairs AS larger
      ${pairRows(params)}
      GROUP BY size
      HAVING pairs != 0
    )
    WHERE larger < ${bind({ most: max }, 'UInt32')}
  )`;

/** The columns of a standard deviation (level 0) and of the quantiles of a forecast. */
const DISTRIBUTION_COLUMNS = [0, ...LEVELS].map(
  (level) => [level, level === 0 ? 'sd' : `p${`${level}`.padStart(2, '0')}`] as const,
);

/** Whether pairs of the request are of a variable that feeds have distributions of. */
const mayHaveDistribution = ({ metric }: Pick<PairParams, 'metric'>): boolean =>
  metric === undefined || METRICS.some((name) => name === metric);

/** The distributions of the forecasts of a request, of each the latest version; blank where it is withdrawn. */
const distributions = ({
  metric,
  provider,
  window,
  station,
  version,
  ...params
}: PairParams): Statement => sql`(
    SELECT
      metric, provider, station_id, target_date, issued_at,
      argMax(if(withdrawn, [], distribution), load_id) AS distribution
    FROM distributions
    WHERE ${ofVersion(version)} AND ${provider.isAll ? sql`true` : ofProvider({ ...params, provider })}
      AND ${ofWindow(window)} AND ${
        metric === undefined ? OF_TEMPERATURES : ofMetric({ metric })
      }${andOfStations(station)}
    GROUP BY metric, provider, station_id, target_date, issued_at
  )`;

/** Whether pairs of these parameters can have a distribution, and it is requested. */
const isDistributionStated = (params: PairParams): boolean =>
  params.hasDistribution === true && mayHaveDistribution(params);

/** The columns of distributions after those of a pair, if they are requested; null where none can be. */
function distributionColumns(params: PairParams, isText: boolean): Statement {
  if (params.hasDistribution !== true) return NOTHING;
  const readLevel = (level: number): string => {
    if (!isDistributionStated(params)) return 'CAST(NULL AS Nullable(Float64))';
    const value = `said.distribution[indexOf(said.distribution.level, ${level})].value`;
    return `if(has(said.distribution.level, ${level}), toNullable(${isText ? value : `toFloat64(${value})`}), NULL)`;
  };
  return raw(DISTRIBUTION_COLUMNS.map(([level, name]) => `,\n    ${readLevel(level)} AS ${name}`).join(''));
}

/** So many of the pairs of a run of days, in order, without withdrawn ones. @param isByError the largest errors come first */
export function pairsInOrder(
  params: PairParams,
  { limit, offset }: { limit: number; offset: number },
  values: 'text' | 'typed',
  isByError = false,
) {
  const isText = values === 'text';
  const order = (table: string): Statement =>
    raw(isByError ? `abs(${table}error) DESC, ${table}target_date` : `${table}target_date`);
  const ofAll = (column: string): Statement => raw(params.provider.isAll ? column : '');
  const float = (column: string): Statement => raw(isText ? column : `toFloat64(${column})`);
  const instant = (value: Statement): Statement =>
    isText ? sql`replaceOne(concat(replaceOne(toString(${value}), ' ', 'T'), 'Z'), '.000Z', 'Z')` : value;
  const isStated = isDistributionStated(params);
  return sql.rows(pairRow)`${sql`
  SELECT
    toString(pair.metric) AS metric,
    toString(pair.station_id) AS station_id,
    toDate32(pair.target_date) AS target_date,${
      hasHours(params)
        ? sql` ${instant(sql`pair.issued_at + toIntervalMillisecond(pair.lead_ms)`)} AS valid_at,`
        : NOTHING
    }
    ${instant(sql`pair.issued_at`)} AS issued_at,
    -- To 0.0001 h, which is 360 ms, halves up: the same as in sample_records, also below 0.
    floor((pair.lead_ms + 180) / 360) / 10000 AS lead_time_hours,
    toString(pair.lead_time_bucket) AS lead_time_bucket,
    ${float('pair.forecast')} AS forecast,
    ${float('pair.actual')} AS actual,
    ${float('pair.error')} AS error,
    toString(pair.observation_status) AS observation_status${distributionColumns(params, isText)}${ofAll(', toString(pair.provider) AS provider')}
  FROM (
    SELECT
      metric, station_id, target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status${ofAll(', provider')}
    ${pairRows(params)}${isByError ? withLargeErrors(params, offset + limit) : NOTHING}
    GROUP BY
      metric, station_id, target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status${ofAll(', provider')}
    HAVING sum(sign) != 0
    ORDER BY ${order('')}, metric, station_id, issued_at, lead_ms${ofAll(', provider')}
    LIMIT ${bind({ limit }, 'UInt32')} OFFSET ${bind({ offset }, 'UInt32')}
  ) AS pair${
    isStated
      ? sql`
  LEFT JOIN ${distributions(params)} AS said
    ON pair.metric = said.metric AND pair.station_id = said.station_id AND pair.target_date = said.target_date
      AND pair.issued_at = said.issued_at${ofAll(' AND pair.provider = said.provider')}`
      : NOTHING
  }
  ORDER BY ${order('pair.')}, pair.metric, pair.station_id, pair.issued_at, pair.lead_ms${ofAll(', pair.provider')}`.with(
    {
      max_execution_time: QUERY_SECONDS,
    },
  )}`;
}

const pairRow = sampleRecord.extend({ station_id: z.string() });

const distributionFields = Object.fromEntries(
  DISTRIBUTION_COLUMNS.map(([level, name]) => [
    name,
    temperature(z.number())
      .nullable()
      .optional()
      .meta({
        description: `With distribution=true: ${level === 0 ? 'the standard deviation' : `the quantile of ${level}%`} that the provider states, °F; null where it states none`,
      }),
  ]),
);

const groups = {
  window,
  metric: anyVariable,
  choices: anyChoices,
  station: stationsTogether,
  provider: exportedProvider,
  leadTimes: leadTimesAndSameDay,
  issuedHours,
  distribution: oneParameter(
    'distribution',
    flag(
      false,
      'Add what the provider states beside each forecast: `sd`, and its quantiles `p05` to `p95`, °F',
    ),
  ),
  asOf,
};

type ExportParams = Params<typeof groups>;

/** GET /api/v1/export/pairs: the pairs behind every statistic, for batch jobs. An addition to the interface. */
export const exportPairs = defineDownload({
  path: '/export/pairs',
  operationId: 'exportPairs',
  summary: 'All verification pairs of a window, as a file',
  description: `One row per pair, ordered by target_date, metric (high, then low), station_id and issued_at. \`provider=all\`
returns the pairs of all providers, with a last column \`provider\`.

All rows belong to one version of the data: that of the last load finished when the download began, or the one that \`as_of\` names.
Loads during the download do not change it. \`X-Total-Pairs\` gives the number of pairs beforehand, and the trailer
\`X-Pairs-Sent\` the number of rows sent. A failed download breaks the connection, so every HTTP client reports an error. To
resume CSV or NDJSON, add the number of complete rows received to the number after the dot in \`X-Export-Cursor\`,
and send the sum as \`cursor\`: the rest of the same version follows. Parquet cannot be resumed: request shorter
windows, all with the cursor of the first, so that they are of one version.`,
  groups,
  record: z
    .object({
      metric: z.enum(VARIABLE_NAMES),
      station_id: z.string().meta({ example: 'KORD' }),
      ...sampleRecord.shape,
      ...distributionFields,
      provider: z
        .string()
        .optional()
        .meta({ description: 'The provider that issued the forecast; with provider=all' }),
    })
    .meta({ id: 'ExportedPair', description: 'One verification pair' }),
  requested: (params) => ({
    valid_at: hasHours(params),
    provider: params.provider.isAll === true,
    ...Object.fromEntries(DISTRIBUTION_COLUMNS.map(([, name]) => [name, params.distribution])),
  }),

  version: latestVersion,

  async rows(params, version, store) {
    const requested = { ...params, version, hasDistribution: params.distribution };
    const { period_start } = params.window;
    const byDay = await store.query(pairsByDate(requested));
    return {
      total: sum(byDay.map(({ pairs }) => pairs)),
      *parts(skip, max) {
        const nothing: DayRange = { first: period_start, last: period_start, offset: 0, limit: 0 };
        const found = [...partsOfExport(byDay, skip, max)];
        for (const part of found.length === 0 ? [nothing] : found) {
          const window = { period_start: part.first, period_end: part.last };
          yield {
            rows: part.limit,
            statement: (values) => pairsInOrder({ ...requested, window }, part, values).statement,
          } satisfies Part;
        }
      },
    };
  },

  fileNameParts,
});

/** Rows of a run of days. */
export interface DayRange {
  /** First and last day, both included. */
  first: string;
  last: string;
  /** Pairs of these days before the part. */
  offset: number;
  limit: number;
}

/** The pairs of all days without the first `skip`, in parts, one per statement: of several days, or of a day with more than `most`. */
export function* partsOfExport(
  byDay: readonly { target_date: string; pairs: number }[],
  skip: number,
  max: number,
): Generator<DayRange> {
  let left = skip;
  let part: DayRange | undefined;
  for (const { target_date, pairs } of byDay) {
    let offset = Math.min(left, pairs);
    left -= offset;
    if (offset === pairs) continue;
    if (part !== undefined) {
      if (part.limit + pairs <= max) {
        part.last = target_date;
        part.limit += pairs;
        continue;
      }
      yield part;
    }
    for (; pairs - offset > max; offset += max) {
      yield { first: target_date, last: target_date, offset, limit: max };
    }
    part = { first: target_date, last: target_date, offset, limit: pairs - offset };
  }
  if (part !== undefined) yield part;
}
