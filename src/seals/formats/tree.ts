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
 */
export function proveInclusion(index: number, hashes: readonly Buffer[]): Buffer[] {
  if (hashes.length === 1) return [];
  const size = splitSize(hashes.length);
  const [left, right] = [hashes.slice(0, size), hashes.slice(size)];
  return index < size
    ? [...proveInclusion(index, left), computeRoot(right)]
    : [...proveInclusion(index - size, right), computeRoot(left)];
}

/**
 * The hashes that show that the tree of the first leaves is the beginning of the tree of all: PROOF of RFC 9162, 2.1.4.1.
 * @param from the number of first leaves, 1 or more
 * @param isWhole whether the reader knows the root of the first leaves: they are the whole earlier tree
 */
export function proveConsistency(from: number, hashes: readonly Buffer[], isWhole = true): Buffer[] {
  if (from === hashes.length) return isWhole ? [] : [computeRoot(hashes)];
  const size = splitSize(hashes.length);
  const [left, right] = [hashes.slice(0, size), hashes.slice(size)];
  return from <= size
    ? [...proveConsistency(from, left, isWhole), computeRoot(right)]
    : [...proveConsistency(from - size, right, false), computeRoot(left)];
}
