import { z } from 'zod';
import { defineDownload, type DownloadSources } from '../api/endpoint.js';
import { defineGroup, type Params } from '../api/groups.js';
import { InvalidParamsError } from '../api/parameters.js';
import { VERSION_NAME } from '../api/params/as-of.js';
import { latestVersion } from '../api/params/row-pages.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import {
  addedBy,
  dayOf,
  isDated,
  joinSelects,
  lineOf,
  ofDays,
  SEALED_FEEDS,
  type SealedFeed,
} from '../seals/lines.js';
import { sum } from '../statistics/statistics.js';
import { type DayRange, partsOfExport } from './export-pairs.js';

/** The version that added the facts; undefined for the latest. */
const version = defineGroup({
  parameters: {
    version: z
      .string()
      .regex(VERSION_NAME, 'must be a version of the data, such as v412 or v412.k7q2')
      .optional()
      .meta({ description: 'The version that added the facts; default: the latest', example: 'v412.k7q2' }),
  },
  read:
    ({ version }) =>
    ({ directory }): number | undefined => {
      const [, number, timeline = directory.timeline] = VERSION_NAME.exec(version ?? '') ?? [];
      if (timeline !== directory.timeline)
        throw versionIssue(`names timeline ${timeline}, but the data have timeline ${directory.timeline}`);
      return number === undefined ? undefined : Number(number);
    },
});

const versionIssue = (message: string): InvalidParamsError =>
  new InvalidParamsError([{ parameter: 'version', message: `${message}; GET /api/v1/loads lists all` }]);

const groups = { version };

const dayRow = z.object({ feed: z.enum(SEALED_FEEDS), target_date: z.string(), pairs: z.number() });

/** The number of facts that a version added, by feed and day. */
const factsByDay = (added: Statement) => sql.rows(dayRow)`
  SELECT * FROM (${joinSelects(
    SEALED_FEEDS.map(
      (feed) => sql`
    SELECT '${raw(feed)}' AS feed, ${dayOf(feed)} AS target_date, count() AS pairs
    FROM ${raw(feed)}
    WHERE ${added}
    GROUP BY target_date`,
    ),
  )})
  ORDER BY feed, target_date`;

const linesOfPart = (
  added: Statement,
  feed: SealedFeed,
  { first: first_date, last: last_date, limit, offset }: DayRange,
): Statement => sql`
  SELECT '${raw(feed)}' AS feed, ${dayOf(feed)} AS day, ${lineOf(feed)} AS line
  FROM ${raw(feed)}
  WHERE ${added} AND ${isDated(feed) ? ofDays(feed, { first_date, last_date }) : raw('true')}
  ORDER BY day, line
  LIMIT ${bind({ limit }, 'UInt32')} OFFSET ${bind({ offset }, 'UInt32')}`;

/** @throws InvalidParamsError where no load of this number has finished */
async function rejectUnfinished(wanted: number, { query }: DownloadSources): Promise<void> {
  const found = await query(sql.rows(z.object({ load_id: z.number() }))`
    SELECT load_id FROM loads WHERE event = 'finished' AND load_id = ${bind({ wanted }, 'UInt32')}`);
  if (found.length === 0) throw versionIssue(`names v${wanted}, but no load of this number has finished`);
}

/** GET /api/v1/export/facts: the facts that a version added, from which anybody makes its digests. An addition to the interface. */
export const exportFacts = defineDownload({
  path: '/export/facts',
  operationId: 'exportFacts',
  summary: 'The facts that a version added, as a file',
  description: `One row per fact, corrections and withdrawals as well, ordered by feed, day and line. \`line\` is the text that is sealed, values with | between them: the SHA-256 of the sorted lines of a day, with line feeds between them, is the digest of the day,
and the SHA-256 of the dates and digests of a month in order is the \`root\` that /api/v1/seals/{version} has of the month. docs/seals.md has the values of
each line. \`X-Total-Pairs\` gives the number of facts beforehand. What a version added never changes.`,
  groups,
  record: z
    .object({
      feed: z.enum(SEALED_FEEDS).meta({ description: 'The table of the fact' }),
      day: z.string().meta({
        description: 'The date that the fact is of; blank for stations and normals',
        example: '2026-01-05',
      }),
      line: z.string().meta({
        description: 'The fact as it is sealed',
        example: 'high|KORD|verified|1767787200000|3100|0',
      }),
    })
    .meta({ id: 'ExportedFact', description: 'One fact' }),

  version: latestVersion,

  async rows({ version }: Params<typeof groups>, latest, sources) {
    if (version !== undefined) await rejectUnfinished(version, sources);
    const added = addedBy(version ?? latest);
    const byDay = await sources.query(factsByDay(added));
    return {
      total: sum(byDay.map(({ pairs }) => pairs)),
      *parts(skip, max) {
        const nothing = { feed: 'normals' as const, first: '', last: '', offset: 0, limit: 0 };
        let left = skip;
        const found = SEALED_FEEDS.toSorted().flatMap((feed) => {
          const ofFeed = byDay.filter((day) => day.feed === feed);
          const skipped = Math.min(left, sum(ofFeed.map(({ pairs }) => pairs)));
          left -= skipped;
          return [...partsOfExport(ofFeed, skipped, max)].map((part) => ({ feed, ...part }));
        });
        for (const { feed, ...part } of found.length === 0 ? [nothing] : found)
          yield { rows: part.limit, statement: () => linesOfPart(added, feed, part) };
      },
    };
  },

  fileNameParts: ({ version }: Params<typeof groups>) => (version === undefined ? [] : [`v${version}`]),
});
