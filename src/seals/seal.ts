import { createHash } from 'node:crypto';
import { z } from 'zod';
import { VERSION } from '../lib/version.js';
import { bind, sql } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import { TIMELINE } from '../store/timeline.js';
import { type Canonical, canonicalJson } from './canonical-json.js';
import { dayDigests, monthDigests, type MonthDigest } from './digests.js';
import { computeRoot } from './formats/tree.js';
import { addedBy, SEAL_FORMAT, SEALED_FEEDS, type SealedFeed } from './lines.js';
import { hashLeaves, parseLeaf, readVersions } from './log.js';
import { everyVersion, type FactScope, readDigests } from './version-digests.js';

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
  /** The rows that it has read, if known. */
  rows?: number | undefined;
  /** The feeds that it may have added facts to; all if not given. */
  feeds?: readonly SealedFeed[] | undefined;
  /** The facts that the operator goes on without: their tables and months. */
  lost?: readonly { table: string; month: string }[] | undefined;
  /** When it is sealed; by the system's clock if not given. */
  now?: Date | undefined;
}

const counts = z.record(z.string(), z.number());

/** The fields of a report that a leaf repeats. */
const reportRow = z.object({
  outcome: z.string().default('complete'),
  feeds: z
    .record(z.string(), counts.or(z.looseObject({})))
    .transform((feeds) => Object.entries(feeds).map(([feed, each]) => [feed, wholeNumbers(each)] as const))
    .default([]),
  pairs_added: z.number().optional(),
  pairs_withdrawn: z.number().optional(),
});

const wholeNumbers = (values: object): Record<string, number> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isSafeInteger(value)));

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

/** The most rows of a load that are digested in one statement, without a look how many facts there are of which days. */
const SMALL_LOAD_ROWS = 100_000;

/** Seals what a load has added, before it finishes; first the versions before, where they have no seal. */
export async function sealLoad(store: Store, load: SealedLoad): Promise<Seal> {
  const state = await store.queryOne(STATE);
  const { latest, leaf } = state;
  if (latest > 0 && leaf === '') await sealEarlier(store, state);
  const isFork = leaf !== '' && parseLeaf(leaf).timeline !== state.timeline;
  const months = await digestLoad(store, load, latest);
  return makeSeal(state, load, months, isFork ? { left: await readLeft(store) } : {});
}

/** The digests of what a load has added. @param latest the version before */
async function digestLoad(store: Store, load: SealedLoad, latest: number): Promise<MonthDigest[]> {
  const { version } = load;
  // A load in between, which did not finish, may have left facts of any feed.
  const feeds = version === latest + 1 ? (load.feeds ?? SEALED_FEEDS) : SEALED_FEEDS;
  const scope: FactScope = {
    feeds,
    version: sql`toInt64(${bind({ version }, 'UInt32')})`,
    condition: addedBy({ version, after: latest }),
  };
  if (feeds.length === 0) return [];
  const isSmall = version === latest + 1 && (load.rows ?? Infinity) <= SMALL_LOAD_ROWS;
  const found = isSmall
    ? monthDigests(await store.query(dayDigests(feeds, scope.version, () => scope.condition)))
    : await collectDigests(store, scope);
  return inOrder(found.get(version));
}

async function collectDigests(store: Store, scope: FactScope): Promise<Map<number, MonthDigest[]>> {
  const found = new Map<number, MonthDigest[]>();
  for await (const versions of readDigests(store, scope)) {
    for (const [version, months] of versions) found.set(version, [...(found.get(version) ?? []), ...months]);
  }
  return found;
}

/** The months of a version in the order of a seal: by feed, then by month. */
const inOrder = (months: readonly MonthDigest[] = []): MonthDigest[] =>
  months.toSorted((a, b) => (`${a.feed} ${a.month}` < `${b.feed} ${b.month}` ? -1 : 1));

/** The log that a restore has left: what its last version of the timeline before had as checkpoint. */
async function readLeft(store: Store): Promise<Canonical> {
  const versions = await readVersions(store);
  const root = computeRoot(hashLeaves(versions)).toString('base64');
  return { timeline: parseLeaf(versions.at(-1)?.leaf ?? '').timeline, size: versions.length, root };
}

const finishedRow = z.object({ version: z.number(), report: z.string() });

/** Seals the versions that were made before there were seals. Their leaves say so: nobody can know what happened to their facts since. */
async function sealEarlier(store: Store, state: State): Promise<void> {
  const found = await collectDigests(store, await everyVersion(store));
  const versions = await store.query(sql.rows(finishedRow)`
    SELECT load_id AS version, report
    FROM loads
    WHERE event = 'finished' AND load_id NOT IN (
      SELECT load_id FROM loads WHERE event IN ('finished', 'sealed') AND JSONHas(report, 'seal')
    )
    ORDER BY load_id`);
  const rows = versions.map(({ version, report }) => {
    const load = { version, report: JSON.parse(report || '{}') as unknown };
    const seal = makeSeal(state, load, inOrder(found.get(version)), { sealed_late: true });
    return [version, 'sealed', JSON.stringify(seal)];
  });
  await store.insert('loads', ['load_id', 'event', 'report'], rows);
}

function makeSeal(
  { timeline, schema }: State,
  { version, report, lost = [], now = new Date() }: SealedLoad,
  months: readonly MonthDigest[],
  special: Record<string, Canonical>,
): Seal {
  const { feeds, ...outcome } = reportRow.parse(report);
  const leaf = canonicalJson({
    format: SEAL_FORMAT,
    version,
    timeline,
    recorded_at: now.toISOString(),
    service: VERSION,
    schema,
    facts: {
      months: months.length,
      rows: months.reduce((sum, { rows }) => sum + rows, 0),
      sha256: hashMonths(months),
    },
    report: { ...outcome, feeds: Object.fromEntries(feeds) },
    ...(lost.length > 0 && { lost: lost.map(({ table, month }) => ({ feed: table, month })) }),
    ...special,
  });
  return { seal: leaf, sealed_months: months };
}

/** The SHA-256 that a leaf has of its months, in hex. The leaf itself stays under 64 kB, which a tile can hold, whatever history it is of. */
export const hashMonths = (months: readonly MonthDigest[]): string =>
  createHash('sha256')
    .update(canonicalJson(months.map((month) => ({ ...month }))))
    .digest('hex');
