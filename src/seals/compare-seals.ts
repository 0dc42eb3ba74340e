import type { KeyObject } from 'node:crypto';
import { UserError } from '../lib/user-error.js';
import { sum } from '../statistics/statistics.js';
import type { Store } from '../store/store.js';
import { computeDigests, everyVersion, PENDING } from './digests.js';
import { parseCheckpoint, signatureLine } from './formats/checkpoint.js';
import { computeRoot } from './formats/tree.js';
import { hashLeaves, parseLeaf, readSealed, readSealedMonths, readVersions } from './log.js';
import { hashMonths } from './seal.js';

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
    const { version: ofLeaf, facts } = leaf === '' ? {} : parseLeaf(leaf);
    if (ofLeaf !== version || facts?.sha256 !== hashMonths(months)) {
      const rows = sum(months.map((month) => month.rows));
      findings.push({ version, feed: 'seal', month: 'all', sealed: rows, found: 0 });
    }
  }
  const left = new Map(
    [...sealed].flatMap(([version, months]) =>
      months
        .filter(({ month }) => only === undefined || month === only)
        .map((digest) => [`${version} ${digest.feed} ${digest.month}`, { version, ...digest }]),
    ),
  );
  for (const [version, months] of await computeDigests(store, await everyVersion(store), only)) {
    if (version === PENDING) continue;
    for (const { feed, month, rows, root } of months) {
      const known = left.get(`${version} ${feed} ${month}`);
      left.delete(`${version} ${feed} ${month}`);
      if (known?.root !== root)
        findings.push({ version, feed, month, sealed: known?.rows ?? 0, found: rows });
    }
  }
  for (const { version, feed, month, rows } of left.values())
    findings.push({ version, feed, month, sealed: rows, found: 0 });
  return findings.sort(
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
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
  if (key !== undefined && !note.slice(text.length).includes(signatureLine(text, { name: origin, key })))
    throw new UserError(
      `--against: the signature of ${origin} is missing or wrong; give a checkpoint as the service wrote it`,
    );
  const sealed = await readSealed(store);
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
