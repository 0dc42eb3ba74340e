import { createHash } from 'node:crypto';

// The algorithms by which RFC 9162 verifies proofs, climbing from the leaf: other code than the service's, which descends from the root.

/** An inclusion proof, with what it is about. */
export interface Inclusion {
  /** The place of the leaf, from 0. */
  index: number;
  /** The number of leaves of the tree with this root. */
  size: number;
  leaf: Buffer;
  root: Buffer;
  proof: readonly Buffer[];
}

/** A consistency proof, with what it is about: two sizes of one log, and its roots at these. */
export interface Consistency {
  from: number;
  size: number;
  fromRoot: Buffer;
  root: Buffer;
  proof: readonly Buffer[];
}

const hashPair = (left: Buffer, right: Buffer): Buffer =>
  createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();

/** Whether a proof shows that a tree has a leaf at an index: RFC 9162, 2.1.3.2. */
export function verifyInclusion({ index, size, leaf, root, proof }: Inclusion): boolean {
  if (index >= size) return false;
  let [fn, sn, r] = [index, size - 1, leaf];
  for (const p of proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      r = hashPair(p, r);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else r = hashPair(r, p);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && r.equals(root);
}

/** Whether a proof shows that a tree begins with all leaves of an earlier one: RFC 9162, 2.1.4.2. */
export function verifyConsistency({ from, size, fromRoot, root, proof }: Consistency): boolean {
  if (from === size) return proof.length === 0 && fromRoot.equals(root);
  if (proof.length === 0) return false;
  const isPower = (from & (from - 1)) === 0;
  const [seed, ...path] = isPower ? [fromRoot, ...proof] : proof;
  let [fn, sn, fr, sr] = [from - 1, size - 1, seed!, seed!];
  while (fn % 2 === 1) [fn, sn] = [fn >> 1, sn >> 1];
  for (const c of path) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [fr, sr] = [hashPair(c, fr), hashPair(c, sr)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else sr = hashPair(sr, c);
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return fr.equals(fromRoot) && sr.equals(root) && sn === 0;
}
