import { z } from 'zod';
import { bind, raw, sql } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import { type MonthDigest, monthRow } from './digests.js';
import { hashLeaf } from './formats/tree.js';

// The log of versions (D80): the leaves of all loads that have finished, in the order of their numbers. It stands in `loads`, so a backup,
// a restore, a move and a cluster carry it as they carry `loads`.

const versionRow = z.object({
  version: z.number(),
  /** The text of its leaf; blank before it has one. */
  leaf: z.string(),
});

/** A version that has finished. */
export type LoggedVersion = z.infer<typeof versionRow>;

/** All versions, in the order of the log. */
export const readVersions = (store: Pick<Store, 'query'>): Promise<LoggedVersion[]> =>
  store.query(sql.rows(versionRow)`
    SELECT load_id AS version, max(JSONExtractString(report, 'seal')) AS leaf
    FROM loads
    WHERE event IN ('finished', 'sealed')
    GROUP BY load_id
    HAVING max(event = 'finished')
    ORDER BY load_id`);

/** The versions with a seal: those of an older service have none before its next load. */
export const readSealed = async (store: Pick<Store, 'query'>): Promise<LoggedVersion[]> =>
  (await readVersions(store)).filter(({ leaf }) => leaf !== '');

const monthsRow = z.object({ version: z.number(), months: z.string() });

/** The sealed months by version. @param only the one version; all if not given */
export async function readSealedMonths(
  store: Pick<Store, 'query'>,
  only?: number,
): Promise<Map<number, MonthDigest[]>> {
  const rows = await store.query(sql.rows(monthsRow)`
    SELECT load_id AS version, JSONExtractRaw(report, 'sealed_months') AS months
    FROM loads
    WHERE event IN ('finished', 'sealed') AND JSONHas(report, 'seal')
      AND ${only === undefined ? raw('true') : sql`load_id = ${bind({ only }, 'UInt32')}`}`);
  const parse = (text: string): MonthDigest[] => z.array(monthRow).parse(JSON.parse(text));
  return new Map(rows.map(({ version, months }) => [version, parse(months)]));
}

/** The hashes of the leaves of these versions. */
export const hashLeaves = (versions: readonly LoggedVersion[]): Buffer[] =>
  versions.map(({ leaf }) => hashLeaf(Buffer.from(leaf)));

/** The fields of a leaf that the service reads. */
const leafRow = z.object({
  version: z.number(),
  timeline: z.string(),
  recorded_at: z.string(),
  /** The log that a restore has left: its timeline, and its size and root in base64 where this log goes on. */
  left: z.object({ timeline: z.string(), size: z.number(), root: z.string() }).optional(),
  facts: z.object({ months: z.number(), rows: z.number(), sha256: z.string() }),
});

export type Leaf = z.infer<typeof leafRow>;

export const parseLeaf = (leaf: string): Leaf => leafRow.parse(JSON.parse(leaf));
