import { z } from 'zod';
import { OF_VERSION } from '../relations/facts.js';
import { pairs } from '../relations/station-days.js';
import { fileNameParts, scopeOf } from '../api/accuracy.js';
import { defineDownload, type Part } from '../api/endpoint.js';
import type { Question } from '../api/groups.js';
import { latestVersion } from '../api/questions/pages.js';
import { anyMetric, exportedProvider, leadTimesAndSameDay, window } from '../api/questions/common.js';
import { asOf } from '../api/questions/versions.js';
import { station } from '../api/questions/stations.js';
import { sampleRecord } from './accuracy/by-station.js';

/**
 * The most pairs that one statement reads. The embedded engine holds a whole result in memory: 100,000 pairs are 12 MB
 * of CSV. A statement reads several days up to this number, or a slice of a day that has more.
 */
export const MAX_PART_PAIRS = 100_000;

const QUERY_SECONDS = 10;

/** What the statements depend on, beside the values that they bind. */
type PairsQuestion = Pick<ExportQuestion, 'metric' | 'station' | 'provider'> & {
  knownAt?: number | undefined;
};

/** The rows of pairs of a question as of a load, or as known at an instant. Later loads have higher numbers, so their rows are left out. */
const rowsOf = ({ metric, station, provider, knownAt }: PairsQuestion): string => `
  FROM ${knownAt === undefined ? 'pairs' : pairs(scopeOf({ station }), 'known')}
  WHERE ${OF_VERSION}${provider.isAll ? '' : ' AND provider = {provider: String}'} AND lead_time_bucket IN {lead_time_buckets: Array(String)}
    AND target_date BETWEEN {period_start: Date} AND {period_end: Date}${
      metric === undefined ? '' : ' AND metric = {metric: String}'
    }${station === undefined ? '' : ' AND station_id = {station_id: String}'}`;

/** The number of pairs of each day that has any. */
export const pairsByDaySql = (question: PairsQuestion): string => `
  SELECT target_date, sum(sign) AS pairs
  ${rowsOf(question)}
  GROUP BY target_date
  HAVING pairs != 0
  ORDER BY target_date`;

/** The pairs of a run of days, in order, without withdrawn ones. */
export const pairsSql = (question: PairsQuestion, values: 'text' | 'typed'): string => {
  const isText = values === 'text';
  const ofAll = question.provider.isAll ? ', provider' : '';
  const float = (column: string): string => (isText ? column : `toFloat64(${column})`);
  return `
  SELECT
    toString(pair.metric) AS metric,
    toString(pair.station_id) AS station_id,
    toDate32(pair.target_date) AS target_date,
    ${
      isText
        ? "replaceOne(concat(replaceOne(toString(pair.issued_at), ' ', 'T'), 'Z'), '.000Z', 'Z')"
        : 'pair.issued_at'
    } AS issued_at,
    -- To 0.0001 h, which is 360 ms, halves up: the same as in sample_records, also below 0.
    floor((pair.lead_ms + 180) / 360) / 10000 AS lead_time_hours,
    toString(pair.lead_time_bucket) AS lead_time_bucket,
    ${float('pair.forecast')} AS forecast,
    ${float('pair.actual')} AS actual,
    ${float('pair.error')} AS error,
    toString(pair.observation_status) AS observation_status${ofAll && ', toString(pair.provider) AS provider'}
  FROM (
    SELECT
      metric, station_id, target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status${ofAll}
    ${rowsOf(question)}
    GROUP BY
      metric, station_id, target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status${ofAll}
    HAVING sum(sign) != 0
    ORDER BY target_date, metric, station_id, issued_at${ofAll}
    LIMIT {limit: UInt32} OFFSET {offset: UInt32}
  ) AS pair
  ORDER BY pair.target_date, pair.metric, pair.station_id, pair.issued_at${ofAll}
  SETTINGS max_execution_time = ${QUERY_SECONDS}`;
};

const groups = {
  window,
  metric: anyMetric,
  station,
  provider: exportedProvider,
  leadTimes: leadTimesAndSameDay,
  asOf,
};

type ExportQuestion = Question<typeof groups>;

/** GET /api/v1/export/pairs: the pairs behind every statistic, for batch jobs. An addition to the interface. */
export const exportPairs = defineDownload({
  path: '/export/pairs',
  operationId: 'exportPairs',
  summary: 'All verification pairs of a window, as a file',
  description: `One row per pair, in the order of target_date, metric (high, then low), station_id and issued_at. \`provider=all\`
brings the pairs of all providers, and a last column \`provider\`.

All rows are of one version of the data: the last load that had finished when the download began. Loads during the
download do not change it. \`as_of\` names another version. \`X-Total-Pairs\` gives the number of pairs beforehand, and the trailer \`X-Pairs-Sent\` the
number of rows sent. A download that fails ends with a broken connection, so every HTTP client reports an error. To
continue a broken CSV or NDJSON, add the number of whole rows that arrived to the part of \`X-Export-Cursor\` after the
dot, and send it as \`cursor\`: the rest of the same version follows. A Parquet file cannot be continued: ask for shorter
windows, all with the cursor of the first, for one version.`,
  groups,
  record: z
    .object({
      metric: z.enum(['high', 'low']),
      station_id: z.string().meta({ example: 'KORD' }),
      ...sampleRecord.shape,
      provider: z.string().optional().meta({ description: 'Who issued the forecast; with provider=all' }),
    })
    .meta({ id: 'ExportedPair', description: 'One verification pair' }),
  asked: ({ provider }) => ({ provider: provider.isAll === true }),

  version: (store) => latestVersion((sql, params, row) => store.query(sql, params, row)),

  async rows(question, version, store) {
    const { metric, window, station, provider, leadTimes } = question;
    const bindings: Part['params'] = {
      version,
      provider: provider.name,
      lead_time_buckets: leadTimes.buckets,
      ...(metric !== undefined && { metric }),
      ...(station !== undefined && { station_id: station.station_id }),
    };
    const { period_start, period_end } = window;
    const byDay = await store.query(
      pairsByDaySql(question),
      { ...bindings, period_start, period_end },
      z.object({ target_date: z.string(), pairs: z.number() }),
    );
    return {
      total: byDay.reduce((total, { pairs }) => total + pairs, 0),
      *parts(skip) {
        const nothing: Slice = { first: period_start, last: period_start, offset: 0, limit: 0 };
        const found = [...slices(byDay, skip)];
        for (const { first, last, offset, limit } of found.length === 0 ? [nothing] : found) {
          yield {
            rows: limit,
            sql: (values) => pairsSql(question, values),
            params: { ...bindings, period_start: first, period_end: last, offset, limit },
          } satisfies Part;
        }
      },
    };
  },

  fileNameParts,
});

interface Slice {
  /** First and last day, both included. */
  first: string;
  last: string;
  /** Pairs of these days before the slice. */
  offset: number;
  limit: number;
}

/** The pairs of all days without the first `skip`, in slices, one per statement. */
export function* slices(
  byDay: readonly { target_date: string; pairs: number }[],
  skip: number,
  most = MAX_PART_PAIRS,
): Generator<Slice> {
  let left = skip;
  let slice: Slice | undefined;
  for (const { target_date, pairs } of byDay) {
    let offset = Math.min(left, pairs);
    left -= offset;
    if (offset === pairs) continue;
    if (slice !== undefined) {
      if (slice.limit + pairs <= most) {
        slice.last = target_date;
        slice.limit += pairs;
        continue;
      }
      yield slice;
    }
    for (; pairs - offset > most; offset += most) {
      yield { first: target_date, last: target_date, offset, limit: most };
    }
    slice = { first: target_date, last: target_date, offset, limit: pairs - offset };
  }
  if (slice !== undefined) yield slice;
}
