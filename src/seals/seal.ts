import { hash } from 'node:crypto';
import { z } from 'zod';
import { VERSION } from '../lib/version.js';
import { raw, sql } from '../queries/sql.js';
import { sum } from '../statistics/statistics.js';
import type { Store } from '../store/store.js';
import { TIMELINE } from '../store/timeline.js';
import { computeDigests, everyVersion, type MonthDigest } from './digests.js';
import { computeRoot } from './formats/tree.js';
import { addedBy, SEAL_FORMAT, SEALED_FEEDS, type SealedFeed } from './lines.js';
import { hashLeaves, parseLeaf, readVersions } from './log.js';

// Sealed versions (D80): the report of a load that finishes has the leaf of its version in the log, and the digests that the leaf is about.
// One insert makes all of them, so no version is without a seal. Facts are never updated, so what a version added stays as it is: a
// new value and a withdrawal are facts of a later one.

/** The seal of a version, as the report of its load has it. */
export interface Seal {
  /** The text of the leaf, which the log keeps byte for byte. */
  seal: string;
  /** The digests of its months; the leaf has the SHA-256 of their canonical JSON. */
  sealed_months: readonly MonthDigest[];
}

/** A load that is about to be sealed. */
export interface SealedLoad {
  version: number;
  /** Its report, from which the leaf has the counts. */
  report: unknown;
  /** The feeds that it may have added facts to; all if not given. */
  feeds?: readonly SealedFeed[] | undefined;
  /** The facts that the operator goes on without: their tables and months. */
  lost?: readonly { table: string; month: string }[] | undefined;
  /** When it is sealed; by the system's clock if not given. */
  now?: Date | undefined;
}

const count = z.number().optional();
const feedRow = z.object({ rows_read: count, rows_new: count, rows_corrected: count, rows_rejected: count });

/** The fields of a report that a leaf repeats. */
const reportRow = z.object({
  outcome: z.string().default('complete'),
  feeds: z.record(z.string(), feedRow).default({}),
  pairs_added: count,
  pairs_withdrawn: count,
});

const stateRow = z.object({
  timeline: z.string(),
  /** The last file of clickhouse/schema that the tables have had. */
  schema: z.string(),
  /** The version before; 0 for none. */
  latest: z.number(),
  /** Its leaf; blank if it has none. */
  leaf: z.string(),
});

/** The state of the store before the load. */
type State = z.infer<typeof stateRow>;

const STATE = sql.rows(stateRow)`
  SELECT
    (${TIMELINE}) AS timeline, (SELECT max(name) FROM migrations WHERE endsWith(name, '.sql')) AS schema,
    max(load_id) AS latest, max(JSONExtractString(report, 'seal')) AS leaf
  FROM loads
  WHERE load_id = (SELECT max(load_id) FROM loads WHERE event = 'finished') AND event IN ('finished', 'sealed')`;

/** Seals what a load has added, before it finishes; first the versions before, where they have no seal. */
export async function sealLoad(store: Store, load: SealedLoad): Promise<Seal> {
  const { version } = load;
  const state = await store.queryOne(STATE);
  const { latest, leaf } = state;
  if (latest > 0 && leaf === '') await sealEarlier(store, state);
  const isFork = leaf !== '' && parseLeaf(leaf).timeline !== state.timeline;
  const digests = await computeDigests(store, {
    // A load in between, which did not finish, may have left facts of any feed.
    feeds: version === latest + 1 ? (load.feeds ?? SEALED_FEEDS) : SEALED_FEEDS,
    version: sql`toInt64(${raw(`${version}`)})`,
    condition: addedBy(version),
  });
  return makeSeal(state, load, digests.get(version), isFork ? { left: await readLeft(store) } : {});
}

/** The log that a restore has left: what its last version of the timeline before had as checkpoint. */
async function readLeft(store: Store): Promise<object> {
  const versions = await readVersions(store);
  const root = computeRoot(hashLeaves(versions)).toString('base64');
  return { timeline: parseLeaf(versions.at(-1)?.leaf ?? '').timeline, size: versions.length, root };
}

const finishedRow = z.object({ version: z.number(), report: z.string() });

/** Seals the versions that were made before there were seals. Their leaves say so: nobody can know what happened to their facts since. */
async function sealEarlier(store: Store, state: State): Promise<void> {
  const digests = await computeDigests(store, await everyVersion(store));
  const versions = await store.query(sql.rows(finishedRow)`
    SELECT load_id AS version, report
    FROM loads
    WHERE event = 'finished' AND load_id NOT IN (
      SELECT load_id FROM loads WHERE event IN ('finished', 'sealed') AND JSONHas(report, 'seal')
    )
    ORDER BY load_id`);
  const rows = versions.map(({ version, report }) => {
    const load = { version, report: JSON.parse(report || '{}') as unknown };
    const seal = makeSeal(state, load, digests.get(version), { sealed_late: true });
    return [version, 'sealed', JSON.stringify(seal)];
  });
  await store.insert('loads', ['load_id', 'event', 'report'], rows);
}

/** The seal of a load. @param special further members of the leaf */
export function makeSeal(
  { timeline, schema }: State,
  { version, report, lost = [], now = new Date() }: SealedLoad,
  months: readonly MonthDigest[] = [],
  special: object,
): Seal {
  const leaf = canonicalJson({
    format: SEAL_FORMAT,
    version,
    timeline,
    recorded_at: now.toISOString(),
    service: VERSION,
    schema,
    facts: {
      months: months.length,
      rows: sum(months.map(({ rows }) => rows)),
      sha256: hashMonths(months),
    },
    report: reportRow.parse(report),
    ...(lost.length > 0 && { lost: lost.map(({ table, month }) => ({ feed: table, month })) }),
    ...special,
  });
  return { seal: leaf, sealed_months: months };
}

/** The SHA-256 that a leaf has of its months, in hex. The leaf itself stays under 64 kB, which a tile can hold, whatever history it is of. */
export const hashMonths = (months: readonly MonthDigest[]): string => hash('sha256', canonicalJson(months));

/** The one text of a value as JSON (RFC 8785): names in order, no spaces. Its numbers are whole. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    member instanceof Object && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
