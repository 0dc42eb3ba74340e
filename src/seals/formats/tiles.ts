import { computeRoot, hashLeaf } from './tree.js';

// The log as files that never change (c2sp.org/tlog-tiles): tiles of 256 hashes of the tree, bundles of 256 entries.

/** Hashes of a full tile, entries of a full bundle. */
const TILE_WIDTH = 256;

/** The longest entry that a bundle can hold, bytes: its length is written in 16 bits. */
export const MAX_ENTRY_BYTES = 0xffff;

/** A file of the layout: its path below the prefix of the log, with its bytes. */
export interface LogFile {
  path: string;
  bytes: Buffer;
}

/**
 * The path of a tile, such as `tile/0/x001/x234/067.p/8`.
 * @param level from 0, that of the leaves; or `entries`, for a bundle
 * @param index of the tile in its level, from 0
 * @param width the number of its hashes, up to 256; with fewer the tile is partial, and its path says so
 */
export function tilePath(level: number | 'entries', index: number, width = TILE_WIDTH): string {
  const digits = `${index}`.padStart(Math.ceil(`${index}`.length / 3) * 3, '0');
  const groups = digits.match(/\d{3}/g) ?? [];
  const name = groups.map((group, at) => (at < groups.length - 1 ? `x${group}` : group)).join('/');
  return `tile/${level}/${name}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/**
 * All tiles and bundles of a log, the full ones and the last partial one of each level.
 * @param entries of the log, in its order
 * @throws RangeError if an entry is longer than a bundle can hold
 */
export function* makeLogFiles(entries: readonly Uint8Array[]): Generator<LogFile> {
  for (const [index, part] of cut(entries))
    yield { path: tilePath('entries', index, part.length), bytes: Buffer.concat(part.map(encodeEntry)) };
  let hashes = entries.map(hashLeaf);
  for (let level = 0; hashes.length > 0; level++) {
    const above: Buffer[] = [];
    for (const [index, part] of cut(hashes)) {
      yield { path: tilePath(level, index, part.length), bytes: Buffer.concat(part) };
      if (part.length === TILE_WIDTH) above.push(computeRoot(part)); // a partial tile has no place above
    }
    hashes = above;
  }
}

/** A list in pieces of 256, each with its index. */
function* cut<Item>(items: readonly Item[]): Generator<[index: number, part: Item[]]> {
  for (let index = 0; index * TILE_WIDTH < items.length; index++)
    yield [index, items.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH)];
}

function encodeEntry(entry: Uint8Array): Buffer {
  if (entry.length > MAX_ENTRY_BYTES) throw new RangeError(`an entry of ${entry.length} bytes is too long`);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(entry.length);
  return Buffer.concat([length, entry]);
}
