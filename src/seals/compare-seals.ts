import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { sql } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import { type MonthDigest, monthRow } from './digests.js';
import { parseCheckpoint } from './formats/checkpoint.js';
import { formatVerifierKey, openNote, parseVerifierKey } from './formats/signed-note.js';
import { computeRoot } from './formats/tree.js';
import { hashLeaves, parseLeaf, readVersions } from './log.js';
import { hashMonths } from './seal.js';
import { everyVersion, PENDING, readDigests } from './version-digests.js';

// Compares the facts with the seals of their versions: which version, feed and month is not as it was sealed.

/** A difference between the facts and the seals. */
export interface SealFinding {
  version: number;
  /** `seal` where the seal itself is not whole. */
  feed: string;
  /** `2026-01`; `all` in a feed without dates. */
  month: string;
  /** Facts by the seal, and those that are there. */
  sealed: number;
  found: number;
}

const sealRow = z.object({ version: z.number(), months: z.string() });

/** The sealed months of all versions, by version. */
async function readSealedMonths(store: Store): Promise<Map<number, MonthDigest[]>> {
  const rows = await store.query(sql.rows(sealRow)`
    SELECT load_id AS version, JSONExtractRaw(report, 'sealed_months') AS months
    FROM loads
    WHERE event IN ('finished', 'sealed') AND JSONHas(report, 'seal')`);
  const parse = (text: string): MonthDigest[] => z.array(monthRow).parse(JSON.parse(text));
  return new Map(rows.map(({ version, months }) => [version, parse(months)]));
}

/**
 * Makes the digests of all versions anew, and compares them with their seals.
 * @param only the month to look at, `2026-01`
 * @returns the differences by version, feed and month; none if each fact is as it was sealed
 */
export async function checkSeals(store: Store, only?: string): Promise<SealFinding[]> {
  const findings: SealFinding[] = [];
  const sealed = await readSealedMonths(store);
  for (const { version, leaf } of await readVersions(store)) {
    const months = sealed.get(version) ?? [];
    const rows = months.reduce((sum, each) => sum + each.rows, 0);
    const isWhole =
      leaf !== '' &&
      parseLeaf(leaf).version === version &&
      parseLeaf(leaf).facts.sha256 === hashMonths(months);
    if (!isWhole) findings.push({ version, feed: 'seal', month: 'all', sealed: rows, found: 0 });
  }
  const missing = new Map<string, SealFinding>();
  const roots = new Map<string, string>();
  for (const [version, months] of sealed) {
    for (const { feed, month, rows, root } of months) {
      if (only !== undefined && month !== only) continue;
      missing.set(`${version} ${feed} ${month}`, { version, feed, month, sealed: rows, found: 0 });
      roots.set(`${version} ${feed} ${month}`, root);
    }
  }
  for await (const versions of readDigests(store, await everyVersion(store), only)) {
    for (const [version, months] of versions) {
      if (version === PENDING) continue;
      for (const { feed, month, rows, root } of months) {
        const key = `${version} ${feed} ${month}`;
        const known = missing.get(key);
        missing.delete(key);
        if (roots.get(key) !== root)
          findings.push({ version, feed, month, sealed: known?.sealed ?? 0, found: rows });
      }
    }
  }
  return [...findings, ...missing.values()].sort(
    (a, b) => a.version - b.version || (`${a.feed} ${a.month}` < `${b.feed} ${b.month}` ? -1 : 1),
  );
}

/**
 * Compares the log with a checkpoint that somebody kept: the log of that time is the beginning of this one.
 * @param note the checkpoint, signed or not
 * @returns the difference in a sentence, if there is one.
 * @throws UserError where the text has another form, or where the key has not signed it
 */
export async function compareWithCheckpoint(
  store: Store,
  note: string,
  key: KeyObject | undefined,
): Promise<string | undefined> {
  const { origin, size, root } = parseCheckpoint(note);
  if (key !== undefined) openNote(note, [parseVerifierKey(formatVerifierKey({ name: origin, key }))]);
  const sealed = (await readVersions(store)).filter(({ leaf }) => leaf !== '');
  const leaves = sealed.map(({ leaf }) => parseLeaf(leaf));
  const timeline = origin.slice(origin.lastIndexOf('/') + 1);
  const left = leaves.find((leaf) => leaf.left?.timeline === timeline)?.left;
  const last = left?.size ?? sealed.length;
  if (left === undefined && !leaves.some((leaf) => leaf.timeline === timeline))
    return `the checkpoint is of timeline ${timeline}, and no version of this log is`;
  if (size > last)
    return left === undefined
      ? `the checkpoint has ${size} versions, but the log has ${last}`
      : `the checkpoint has ${size} versions, but a restore left timeline ${timeline} after ${last}`;
  if (computeRoot(hashLeaves(sealed.slice(0, size))).equals(root)) return undefined;
  return `the first ${size} versions of the log are not those of the checkpoint: a leaf was changed, dropped or moved`;
}
