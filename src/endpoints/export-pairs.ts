import { z } from 'zod';
import { pairs } from '../relations/station-days.js';
import { fileNameParts, scopeOf } from '../api/accuracy.js';
import { defineDownload, type Part } from '../api/endpoint.js';
import type { Question } from '../api/groups.js';
import { latestVersion } from '../api/questions/pages.js';
import {
  anyMetric,
  exportedProvider,
  type LeadTimes,
  leadTimesAndSameDay,
  window,
} from '../api/questions/common.js';
import { asOf } from '../api/questions/versions.js';
import { station } from '../api/questions/stations.js';
import { bind, NOTHING, raw, sql, type Statement } from '../sql.js';
import { sampleRecord } from './accuracy/by-station.js';

/**
 * The most pairs that one statement reads. The embedded engine holds a whole result in memory: 100,000 pairs are 12 MB
 * of CSV. A statement reads several days up to this number, or a slice of a day that has more.
 */
export const MAX_PART_PAIRS = 100_000;

/** What the statements read. */
type PairsQuestion = Pick<ExportQuestion, 'metric' | 'station' | 'provider'> & {
  leadTimes: Pick<LeadTimes, 'buckets'>;
  /** Later loads have higher numbers, so their rows are left out. */
  version: number;
  knownAt?: number | undefined;
};

/** A run of days, both included. */
interface Days {
  first: string;
  last: string;
}

/** The rows of pairs of a question as of a load, or as known at an instant, for use after SELECT. */
function rowsOf(question: PairsQuestion, days: Days): Statement {
  const { metric, station, provider, leadTimes, version, knownAt } = question;
  const ofProvider = provider.isAll
    ? NOTHING
    : sql` AND provider = ${bind({ provider: provider.name }, 'String')}`;
  const ofMetric = metric === undefined ? NOTHING : sql` AND metric = ${bind({ metric }, 'String')}`;
  const ofStation =
    station === undefined
      ? NOTHING
      : sql` AND station_id = ${bind({ station_id: station.station_id }, 'String')}`;
  const period_start = bind({ period_start: days.first }, 'Date');
  const period_end = bind({ period_end: days.last }, 'Date');
  const conditions = sql`load_id <= ${bind({ version }, 'UInt32')}${ofProvider}
    AND lead_time_bucket IN ${bind({ lead_time_buckets: leadTimes.buckets }, 'Array(String)')}
    AND target_date BETWEEN ${period_start} AND ${period_end}${ofMetric}${ofStation}`;
  const table =
    knownAt === undefined
      ? raw('pairs')
      : raw(pairs(scopeOf({ station }), 'known'), { ...conditions.params, known_at_ms: knownAt });
  return sql`
  FROM ${table}
  WHERE ${conditions}`;
}

/** A row of pairsByDay(). */
export const pairsOfDay = z.object({ target_date: z.string(), pairs: z.number() });

/** The number of pairs of each day that has any. */
export const pairsByDay = (question: PairsQuestion, days: Days): Statement => sql`
  SELECT target_date, sum(sign) AS pairs
  ${rowsOf(question, days)}
  GROUP BY target_date
  HAVING pairs != 0
  ORDER BY target_date`;

/** The pairs of a slice, in order, without withdrawn ones. */
export function pairsOfSlice(question: PairsQuestion, slice: Slice, values: 'text' | 'typed'): Statement {
  const isText = values === 'text';
  const { limit, offset } = slice;
  const ofAll = question.provider.isAll ? sql`, provider` : NOTHING;
  const providerOfAll = question.provider.isAll ? sql`, toString(pair.provider) AS provider` : NOTHING;
  const number = (column: string): Statement => raw(isText ? column : `toFloat64(${column})`);
  const issuedAt = isText
    ? sql`replaceOne(concat(replaceOne(toString(pair.issued_at), ' ', 'T'), 'Z'), '.000Z', 'Z')`
    : sql`pair.issued_at`;
  return sql`
  SELECT
    toString(pair.metric) AS metric,
    toString(pair.station_id) AS station_id,
    toDate32(pair.target_date) AS target_date,
    ${issuedAt} AS issued_at,
    -- To 0.0001 h, which is 360 ms, halves up: the same as in sample_records, also below 0.
    floor((pair.lead_ms + 180) / 360) / 10000 AS lead_time_hours,
    toString(pair.lead_time_bucket) AS lead_time_bucket,
    ${number('pair.forecast')} AS forecast,
    ${number('pair.actual')} AS actual,
    ${number('pair.error')} AS error,
    toString(pair.observation_status) AS observation_status${providerOfAll}
  FROM (
    SELECT
      metric, station_id, target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status${ofAll}
    ${rowsOf(question, slice)}
    GROUP BY
      metric, station_id, target_date, issued_at, lead_ms, lead_time_bucket, forecast, actual, error, observation_status${ofAll}
    HAVING sum(sign) != 0
    ORDER BY target_date, metric, station_id, issued_at${ofAll}
    LIMIT ${bind({ limit }, 'UInt32')} OFFSET ${bind({ offset }, 'UInt32')}
  ) AS pair
  ORDER BY pair.target_date, pair.metric, pair.station_id, pair.issued_at${ofAll}`;
}

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

  version: latestVersion,

  async rows(question, version, { query }) {
    const pairsQuestion = { ...question, version };
    const { period_start: first, period_end: last } = question.window;
    const byDay = await query(pairsByDay(pairsQuestion, { first, last }), pairsOfDay);
    return {
      total: byDay.reduce((total, { pairs }) => total + pairs, 0),
      *parts(skip) {
        const found = [...slices(byDay, skip)];
        const nothing: Slice = { first, last: first, offset: 0, limit: 0 };
        for (const slice of found.length === 0 ? [nothing] : found) {
          const statement: Part['statement'] = (values) => pairsOfSlice(pairsQuestion, slice, values);
          yield { rows: slice.limit, statement };
        }
      },
    };
  },

  fileNameParts,
});

interface Slice extends Days {
  /** Pairs of these days before the slice. */
  offset: number;
  limit: number;
}

/** The pairs of all days without the first `skip`, in slices, one per statement. */
export function* slices(
  byDay: readonly z.infer<typeof pairsOfDay>[],
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
