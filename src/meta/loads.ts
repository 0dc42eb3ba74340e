import { z } from 'zod';
import { defineEndpoint } from '../api/endpoint.js';
import { defineGroup, ownParameters } from '../api/groups.js';
import { integer, InvalidParamsError } from '../api/parameters.js';
import { bind, sql } from '../queries/sql.js';
import { watchReport } from '../monitoring/alarm.js';

const FEEDS = ['stations', 'forecasts', 'observations', 'normals', 'hours', 'hourly_forecasts'] as const;

const OUTCOMES = [
  'complete',
  'some_rows_rejected',
  'leftovers_settled',
  'repaired',
  'failed',
  'unfinished',
] as const;

// The versions of a page first: reports are long, and most of them are of other pages.
const loadsSql = (after: number, before: number, rows: number) => sql.rows(row)`
  SELECT
    load_id, toUnixTimestamp64Milli(min(recorded_at)) AS started_ms,
    max(event = 'finished') AS is_finished, max(event = 'failed') AS is_failed,
    maxIf(toUnixTimestamp64Milli(recorded_at), event IN ('finished', 'failed')) AS ended_ms,
    argMaxIf(report, event = 'finished', event IN ('finished', 'failed')) AS ended_report,
    arraySort(groupUniqArrayArray(forecast_providers)) AS providers
  FROM loads
  WHERE load_id IN (
    SELECT DISTINCT load_id
    FROM loads
    WHERE load_id > ${bind({ after }, 'UInt32')} AND load_id < ${bind({ before }, 'UInt32')}
    ORDER BY load_id DESC
    LIMIT ${bind({ rows }, 'UInt32')}
  )
  GROUP BY load_id
  ORDER BY load_id DESC`;

const count = z.int().min(0);
const rows = z.object({
  rows_read: count,
  rows_new: count.meta({ description: 'Rows with a value that the store did not have' }),
  rows_corrected: count.meta({ description: 'Rows that replace or withdraw a value' }),
  rows_unchanged: count.meta({ description: 'Rows without anything new' }),
  rows_rejected: count.meta({ description: 'Rows that cannot be used' }),
});

const NO_ROWS = { rows_read: 0, rows_new: 0, rows_corrected: 0, rows_unchanged: 0, rows_rejected: 0 };

/** As much of a load's report as its record has. */
const report = z.object({
  outcome: z.enum(OUTCOMES).default('complete'),
  reason: z.string().nullable().default(null),
  feeds: z.partialRecord(z.enum(FEEDS), rows).default({}),
  pairs_added: count.nullable().default(null),
  pairs_withdrawn: count.nullable().default(null),
  watch: watchReport.pick({ raised: true, cleared: true }).default({ raised: [], cleared: [] }),
});

const row = z.object({
  load_id: z.number(),
  started_ms: z.number(),
  is_finished: z.number(),
  is_failed: z.number(),
  ended_ms: z.number(),
  ended_report: z
    .string()
    .transform((text): unknown => JSON.parse(text === '' ? '{}' : text))
    .pipe(report),
  providers: z.array(z.string()),
});

const record = z
  .object({
    version: z
      .int()
      .min(1)
      .meta({
        description:
          'The number of the load. If it finished, as_of=v with this number returns its data; a failed load keeps its ' +
          'number',
        example: 412,
      }),
    outcome: z.enum(OUTCOMES).meta({
      description:
        'complete, some_rows_rejected: its rows were loaded; leftovers_settled: it completed an interrupted load; ' +
        'repaired: it repaired tables; failed: it made no version; unfinished: it is running, or was interrupted',
    }),
    reason: report.shape.reason
      .unwrap()
      .meta({ description: 'Why it failed; null if it did not, or does not say' }),
    started_at: z.iso.datetime().meta({ description: 'UTC' }),
    finished_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When it finished or failed, UTC; null while unfinished' }),
    providers: z.array(z.string()).meta({ description: 'Providers whose forecasts it brought, by name' }),
    pairs_added: report.shape.pairs_added.unwrap().meta({ description: 'null if the load does not say' }),
    pairs_withdrawn: report.shape.pairs_withdrawn
      .unwrap()
      .meta({ description: 'null if the load does not say' }),
    alarms_raised: z.array(z.string()).meta({ description: 'Alarms that begin with it, each in a sentence' }),
    alarms_cleared: z.array(z.string()).meta({ description: 'Alarms that end with it' }),
    feeds: z
      .array(z.object({ feed: z.enum(FEEDS), ...rows.shape }))
      .meta({ description: 'Rows of each feed' }),
  })
  .meta({ id: 'Load' });

const VERSION = /^v?(0|[1-9]\d{0,8})(?:\.([a-z0-9]{4}))?$/;

/** The version after which loads are listed; 0 for all. Its number means other data in another timeline. */
const after = defineGroup({
  parameters: {
    after: z
      .string()
      .regex(VERSION, 'must be a version of the data, such as v412 or v412.k7q2, or v0 for all loads')
      .optional()
      .meta({
        description: 'Only loads after this version, such as the id of the last event of /api/v1/events',
        example: 'v412.k7q2',
      }),
  },
  read:
    ({ after = 'v0' }) =>
    ({ directory: { timeline: own } }) => {
      const [, version, timeline = own] = VERSION.exec(after) ?? [];
      if (timeline === own) return Number(version);
      const message = `names timeline ${timeline}, but the data have timeline ${own}, of which every load is new; leave it out`;
      throw new InvalidParamsError([{ parameter: 'after', message }]);
    },
});

/** GET /api/v1/loads: the versions of the data that `as_of` can name. An addition to the interface. */
export const loads = defineEndpoint({
  paths: ['/loads'],
  operationId: 'getLoads',
  summary: 'Loads of data',
  description:
    'What each load did, newest first. For the next page, set `before` to metadata.next_before, with the same `after`. CSV has a row per ' +
    'load and feed, five a load, in which all but the last six columns repeat.',
  example: {},
  groups: {
    after,
    own: ownParameters({
      limit: integer(1, 500, 100, 'Maximum number of loads to list'),
      before: z
        .string()
        .regex(/^[1-9]\d{0,8}$/, 'must be a version of the data, a whole number from 1 to 999999999')
        .transform(Number)
        .optional()
        .meta({ type: 'integer', minimum: 1, description: 'Only loads before this version' }),
    }),
  },
  record,
  metadata: {
    next_before: z.int().nullable().meta({ description: '`before` of the next page; null on the last' }),
  },

  async handle({ after, own: { limit, before = 1_000_000_000 } }, { query }) {
    const found = await query(loadsSql(after, before, limit + 1));
    const page = found.slice(0, limit);
    return {
      data: page.map(({ ended_report, is_finished, is_failed, ...load }) => ({
        version: load.load_id,
        outcome: is_finished ? ended_report.outcome : is_failed ? 'failed' : 'unfinished',
        reason: is_finished ? null : ended_report.reason,
        started_at: new Date(load.started_ms).toISOString(),
        finished_at: is_finished || is_failed ? new Date(load.ended_ms).toISOString() : null,
        providers: load.providers,
        pairs_added: ended_report.pairs_added,
        pairs_withdrawn: ended_report.pairs_withdrawn,
        alarms_raised: ended_report.watch.raised.map(({ message }) => message),
        alarms_cleared: ended_report.watch.cleared.map(({ message }) => message),
        feeds: FEEDS.map((feed) => ({ feed, ...(ended_report.feeds[feed] ?? NO_ROWS) })),
      })),
      metadata: { next_before: found.length > limit ? (page.at(-1)?.load_id ?? null) : null },
    };
  },
});
