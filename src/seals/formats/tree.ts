import { createHash } from 'node:crypto';

// The Merkle tree of RFC 9162, section 2.1, over SHA-256: a log of entries in which no entry can change unseen.

const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The length of every hash of the tree, bytes. */
export const HASH_BYTES = 32;

/** The SHA-256 of these parts, one after the other. */
export function hashBytes(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** The hash of an entry of the log: SHA-256(0x00 || bytes). */
export const hashLeaf = (bytes: Uint8Array): Buffer => hashBytes(LEAF, bytes);

const hashNode = (left: Uint8Array, right: Uint8Array): Buffer => hashBytes(NODE, left, right);

/** The largest power of two below a size of two or more: that many leaves are on the left. */
function splitSize(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2; // not by a logarithm, which is inexact above 2^48
  return left;
}

/**
 * The root of a tree: MTH of RFC 9162, 2.1.1.
 * @param hashes of its leaves, in the order of the log; the root of an empty log is the SHA-256 of no bytes
 */
export function computeRoot(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes;
  if (first === undefined) return hashBytes();
  if (hashes.length === 1) return first;
  const left = splitSize(hashes.length);
  return hashNode(computeRoot(hashes.slice(0, left)), computeRoot(hashes.slice(left)));
}

/**
 * The hashes that lead from a leaf to the root of these leaves: PATH of RFC 9162, 2.1.3.1.
 * @param index of the leaf, from 0
 * @throws RangeError if the tree has no such leaf
 */
export function proveInclusion(index: number, hashes: readonly Buffer[]): Buffer[] {
  if (!(index >= 0 && index < hashes.length)) throw new RangeError(`no leaf ${index} of ${hashes.length}`);
  if (hashes.length === 1) return [];
  const size = splitSize(hashes.length);
  const [left, right] = [hashes.slice(0, size), hashes.slice(size)];
  return index < size
    ? [...proveInclusion(index, left), computeRoot(right)]
    : [...proveInclusion(index - size, right), computeRoot(left)];
}

/**
 * The hashes that show that the tree of the first leaves is the beginning of the tree of all: PROOF of RFC 9162, 2.1.4.1.
 * @param from the number of first leaves
 * @throws RangeError if it is 0, which every tree begins with, or beyond the tree
 */
export function proveConsistency(from: number, hashes: readonly Buffer[]): Buffer[] {
  if (!(from >= 1 && from <= hashes.length)) throw new RangeError(`no tree of ${from} in ${hashes.length}`);
  return proveBeginning(from, hashes, true);
}

/** @param isWhole whether the reader knows the root of the first leaves: they are the whole earlier tree */
function proveBeginning(from: number, hashes: readonly Buffer[], isWhole: boolean): Buffer[] {
  if (from === hashes.length) return isWhole ? [] : [computeRoot(hashes)];
  const size = splitSize(hashes.length);
  const [left, right] = [hashes.slice(0, size), hashes.slice(size)];
  return from <= size
    ? [...proveBeginning(from, left, isWhole), computeRoot(right)]
    : [...proveBeginning(from - size, right, false), computeRoot(left)];
}

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

/** Whether a proof shows that a tree has a leaf at an index (RFC 9162, 2.1.3.2). */
export function verifyInclusion({ index, size, leaf, root, proof }: Inclusion): boolean {
  if (!(index >= 0 && index < size && leaf.length === HASH_BYTES)) return false;
  const rest = [...proof];
  const climb = (at: number, width: number): Buffer | undefined => {
    if (width === 1) return leaf;
    const sibling = rest.pop(); // the last one is nearest to the root
    if (sibling === undefined) return undefined;
    const left = splitSize(width);
    const hash = at < left ? climb(at, left) : climb(at - left, width - left);
    if (hash === undefined) return undefined;
    return at < left ? hashNode(hash, sibling) : hashNode(sibling, hash);
  };
  return climb(index, size)?.equals(root) === true && rest.length === 0;
}

/** A consistency proof, with what it is about: two sizes of one log, and its roots at these. */
export interface Consistency {
  from: number;
  size: number;
  fromRoot: Buffer;
  root: Buffer;
  proof: readonly Buffer[];
}

/** Whether a proof shows that a tree begins with all leaves of an earlier one, in their order (RFC 9162, 2.1.4.2). */
export function verifyConsistency({ from, size, fromRoot, root, proof }: Consistency): boolean {
  if (!(from >= 1 && from <= size)) return false;
  const rest = [...proof];
  /** The roots of the first leaves and of all leaves below a node. */
  const climb = (first: number, width: number, isWhole: boolean): [Buffer, Buffer] | undefined => {
    if (first === width) {
      const known = isWhole ? fromRoot : rest.pop();
      return known && [known, known];
    }
    const sibling = rest.pop();
    if (sibling === undefined) return undefined;
    const left = splitSize(width);
    const below = first <= left ? climb(first, left, isWhole) : climb(first - left, width - left, false);
    if (below === undefined) return undefined;
    const [earlier, all] = below;
    return first <= left
      ? [earlier, hashNode(all, sibling)]
      : [hashNode(sibling, earlier), hashNode(sibling, all)];
  };
  const roots = climb(from, size, true);
  return roots?.[0].equals(fromRoot) === true && roots[1].equals(root) && rest.length === 0;
}
