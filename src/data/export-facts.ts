import { z } from 'zod';
import { defineDownload, type DownloadSources, type Part } from '../api/endpoint.js';
import { defineGroup, type Params } from '../api/groups.js';
import { InvalidParamsError } from '../api/parameters.js';
import { latestVersion } from '../api/params/row-pages.js';
import { bind, raw, sql, type Statement } from '../queries/sql.js';
import { addedBy, dayOf, isDated, lineOf, ofDays, SEALED_FEEDS, type SealedFeed } from '../seals/lines.js';
import { sum } from '../statistics/statistics.js';
import { type DayRange, partsOfExport } from './export-pairs.js';

const VERSION = /^v([1-9]\d{0,8})(?:\.([a-z0-9]{4}))?$/;

/** The version of which the facts are asked; undefined for the latest. */
const version = defineGroup({
  parameters: {
    version: z
      .string()
      .regex(VERSION, 'must be a version of the data, such as v412 or v412.k7q2')
      .optional()
      .meta({ description: 'The version that added the facts; default: the latest', example: 'v412.k7q2' }),
  },
  read:
    ({ version }) =>
    ({ directory }): number | undefined => {
      const [, number, timeline = directory.timeline] = VERSION.exec(version ?? '') ?? [];
      if (timeline !== directory.timeline)
        throw versionIssue(`names timeline ${timeline}, but the data have timeline ${directory.timeline}`);
      return number === undefined ? undefined : Number(number);
    },
});

const versionIssue = (message: string): InvalidParamsError =>
  new InvalidParamsError([{ parameter: 'version', message: `${message}; GET /api/v1/loads lists all` }]);

const groups = { version };

/** Facts of a feed that a version added, of a run of days. */
interface FactPart extends DayRange {
  feed: SealedFeed;
}

const dayRow = z.object({ feed: z.enum(SEALED_FEEDS), target_date: z.string(), pairs: z.number() });

/** The number of facts that a version added, by feed and day. */
const factsByDay = (added: Statement) => sql.rows(dayRow)`
  SELECT * FROM (${SEALED_FEEDS.map(
    (feed) => sql`
    SELECT '${raw(feed)}' AS feed, ${dayOf(feed)} AS target_date, count() AS pairs
    FROM ${raw(feed)}
    WHERE ${added}
    GROUP BY target_date`,
  ).reduce((all, next) => sql`${all} UNION ALL ${next}`)})
  ORDER BY feed, target_date`;

const linesOfPart = (
  added: Statement,
  { feed, first, last, limit, offset }: FactPart,
  isCell: boolean,
): Statement => sql`
  SELECT '${raw(feed)}' AS feed, day, ${isCell ? raw(`concat('"', replaceAll(line, '"', '""'), '"')`) : raw('line')} AS line
  FROM (
    SELECT ${dayOf(feed)} AS day, ${lineOf(feed)} AS line
    FROM ${raw(feed)}
    WHERE ${added}${isDated(feed) ? sql` AND ${ofDays(feed, { first_date: first, last_date: last })}` : sql``}
    ORDER BY day, line
    LIMIT ${bind({ limit }, 'UInt32')} OFFSET ${bind({ offset }, 'UInt32')}
  ) AS fact
  ORDER BY day, fact.line`;

/** The facts that a version added, as a condition. @throws InvalidParamsError where no load of this number has finished */
async function findAdded(wanted: number, { query }: DownloadSources): Promise<Statement> {
  const [found] = await query(sql.rows(z.object({ after: z.number(), is_finished: z.number() }))`
    SELECT maxIf(load_id, load_id < ${bind({ wanted }, 'UInt32')}) AS after, max(load_id = ${bind({ wanted }, 'UInt32')}) AS is_finished
    FROM loads
    WHERE event = 'finished' AND load_id <= ${bind({ wanted }, 'UInt32')}`);
  if (wanted > 0 && found?.is_finished !== 1)
    throw versionIssue(`names v${wanted}, but no load of this number has finished`);
  return addedBy({ version: wanted, after: found?.after ?? 0 });
}

/** GET /api/v1/export/facts: the facts that a version added, from which anybody makes its digests. An addition to the interface. */
export const exportFacts = defineDownload({
  path: '/export/facts',
  operationId: 'exportFacts',
  summary: 'The facts that a version added, as a file',
  description: `One row per fact, corrections and withdrawals as well, ordered by feed, day and line. \`line\` is the text that is sealed, a JSON array: the SHA-256 of the sorted SHA-256 of the lines of a day is the digest of the day,
and the SHA-256 of the days of a month in order is the \`root\` that /api/v1/seals/{version} has of the month. docs/seals.md has the members of
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
        example: '["observations","high","KORD","2026-01-05","verified",1767787200000,3100,0]',
      }),
    })
    .meta({ id: 'ExportedFact', description: 'One fact' }),

  version: latestVersion,

  async rows(params: Params<typeof groups>, latest, sources) {
    const added = await findAdded(params.version ?? latest, sources);
    const byDay = await sources.query(factsByDay(added));
    return {
      total: sum(byDay.map(({ pairs }) => pairs)),
      *parts(skip, max) {
        let left = skip;
        let hasPart = false;
        for (const feed of SEALED_FEEDS.toSorted()) {
          const ofFeed = byDay.filter((day) => day.feed === feed);
          const rows = sum(ofFeed.map(({ pairs }) => pairs));
          for (const range of partsOfExport(ofFeed, Math.min(left, rows), max)) {
            hasPart = true;
            yield makePart(added, { feed, ...range });
          }
          left -= Math.min(left, rows);
        }
        const nothing = { first: '1970-01-01', last: '1970-01-01', offset: 0, limit: 0 };
        if (!hasPart) yield makePart(added, { feed: 'observations', ...nothing });
      },
    };
  },

  fileNameParts: (params: Params<typeof groups>) =>
    params.version === undefined ? [] : [`v${params.version}`],
});

const makePart = (added: Statement, part: FactPart): Part => ({
  rows: part.limit,
  statement: (values) => linesOfPart(added, part, values === 'cells'),
});
