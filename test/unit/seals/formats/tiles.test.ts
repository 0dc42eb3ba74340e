import { expect } from 'chai';
import { makeLogFiles, MAX_ENTRY_BYTES, tilePath } from '../../../../src/seals/formats/tiles.js';
import { computeRoot, hashLeaf } from '../../../../src/seals/formats/tree.js';
import { isInCi, itInCi, range } from '../../../support/runner/range.js';

describe('tiles of the log', () => {
  it('given the examples of the specification, then paths are as there', () => {
    // c2sp.org/tlog-tiles, and golang.org/x/mod, sumdb/tlog/tlog_test.go without its element of the height
    expect(tilePath(0, 1_234_067)).to.equal('tile/0/x001/x234/067');
    expect(tilePath(0, 1)).to.equal('tile/0/001');
    expect(tilePath(0, 1, 5)).to.equal('tile/0/001.p/5');
    expect(tilePath(5, 123_456_078)).to.equal('tile/5/x123/x456/078');
    expect(tilePath('entries', 3_057_500, 2)).to.equal('tile/entries/x003/x057/500.p/2');
    expect([999, 1000].map((index) => tilePath(0, index))).to.deep.equal(['tile/0/999', 'tile/0/x001/000']);
  });

  // In `make test` the edges of the next test stand for it.
  itInCi('given a tree of 70,000, then it has the tiles that the specification counts', () => {
    const paths = [...makeLogFiles(Array.from({ length: 70_000 }, () => Buffer.of(1)))].map(
      ({ path }) => path,
    );
    const partial = paths.filter((path) => path.includes('.p/'));
    expect(partial).to.deep.equal([
      'tile/entries/273.p/112',
      'tile/0/273.p/112',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
    ]);
    expect(paths.length - partial.length).to.equal(273 + 273 + 1);
  });

  it('given any size around the edges of tiles, then a reader of the files finds root and entries again', () => {
    const edges = [0, 1, 255, 256, 257, 511, 512, 513];
    const sizes = [...edges, ...Array(range({ test: 0, ci: 300 })).keys(), ...(isInCi ? [65_536] : [])];
    for (const size of sizes) {
      const entries = Array.from({ length: size }, (_, at) => Buffer.from(`entry ${at}`));
      const files = new Map([...makeLogFiles(entries)].map(({ path, bytes }) => [path, bytes]));
      const read = readLog(files, size);
      expect(read.root.equals(computeRoot(entries.map(hashLeaf))), `root of ${size}`).to.equal(true);
      expect(read.entries.join(), `entries of ${size}`).to.equal(entries.join());
    }
  });

  it('given an entry of the greatest length, then it is written; given one byte more, then none is', () => {
    const [bundle] = makeLogFiles([Buffer.alloc(MAX_ENTRY_BYTES)]);
    expect(bundle!.bytes.toString('hex', 0, 2)).to.equal('ffff');
    expect(bundle!.bytes.length).to.equal(2 + MAX_ENTRY_BYTES);
    expect(() => [...makeLogFiles([Buffer.alloc(MAX_ENTRY_BYTES + 1)])]).to.throw(RangeError);
  });
});

/** Reads a log as its clients do: each tile of a level has the roots of the full tiles below it. */
function readLog(files: ReadonlyMap<string, Buffer>, size: number): { root: Buffer; entries: Buffer[] } {
  const readLevel = (level: number | 'entries', count: number): Buffer[] =>
    Array.from({ length: Math.ceil(count / 256) }, (_, index) => {
      const bytes = files.get(tilePath(level, index, Math.min(256, count - index * 256)));
      return bytes ?? expect.fail(`no tile ${index} of level ${level}, size ${size}`);
    });
  const splitHashes = (tile: Buffer): Buffer[] =>
    Array.from({ length: tile.length / 32 }, (_, at) => tile.subarray(at * 32, (at + 1) * 32));
  const leaves = readLevel(0, size).flatMap(splitHashes);
  for (let level = 1, count = size >> 8; count > 0; level++, count >>= 8) {
    const below = readLevel(level - 1, count * 256).slice(0, count);
    const above = Buffer.concat(below.map((tile) => computeRoot(splitHashes(tile))));
    expect(Buffer.concat(readLevel(level, count)).equals(above)).to.equal(true);
  }
  const entries: Buffer[] = [];
  for (const bundle of readLevel('entries', size))
    for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
      entries.push(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)));
  expect(Buffer.concat(entries.map(hashLeaf)).equals(Buffer.concat(leaves))).to.equal(true);
  return { root: computeRoot(leaves), entries };
}
