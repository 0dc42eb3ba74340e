import { expect } from 'chai';
import { z } from 'zod';
import { StoreUnavailable } from '../../../src/store/store-errors.js';
import { rowsIn } from '../../../src/store/rows.js';

const row = z.object({ n: z.number(), text: z.string(), nested: z.array(z.unknown()) });
type Row = z.infer<typeof row>;

/** Rows as the engine writes them in FORMAT JSON. */
function written(rows: readonly Row[]): Buffer {
  const lines = rows.map(
    ({ n, text, nested }) =>
      `\t\t{\n\t\t\t"n": ${n},\n\t\t\t"text": ${JSON.stringify(text)},\n\t\t\t"nested": ${JSON.stringify(nested, undefined, '\t').replaceAll('\n', '\n\t\t\t')}\n\t\t}`,
  );
  return Buffer.from(
    `{\n\t"meta":\n\t[\n\t\t{\n\t\t\t"name": "n",\n\t\t\t"type": "UInt8"\n\t\t}\n\t],\n\n\t"data":\n\t[\n${lines.join(',\n')}\n\t],\n\n\t"rows": ${rows.length},\n\n\t"statistics":\n\t{\n\t\t"elapsed": 0.1,\n\t\t"rows_read": 7,\n\t\t"bytes_read": 16\n\t}\n}\n`,
  );
}

describe('the rows of an answer of the engine', () => {
  const rowsLike = (count: number, text: string): Row[] =>
    Array.from({ length: count }, (_, n) => ({ n, text: `${text} ${n}`, nested: [{ a: [n] }, {}, []] }));

  for (const [what, rows] of [
    ['none', []],
    ['one', rowsLike(1, 'x')],
    ['as many as make many blocks', rowsLike(5000, 'x')],
    [
      'as many, whose texts look like ends of rows',
      rowsLike(5000, '"\n\t\t},\n\t\t{"\n\t],\n\t"data":\n\t[\n é😀'),
    ],
    ['one that is longer than a block', rowsLike(2, 'y'.repeat(200_000))],
  ] as const) {
    it(`given ${what}, then they are all there, in order`, async () => {
      const found = rowsIn(written(rows));
      expect(found.rowsRead).to.equal(7);
      expect(await found.parse(row)).to.deep.equal(rows);
    });
  }

  it('given JSON in other lines, then its rows are read as well', async () => {
    const [one] = rowsLike(1, 'x');
    const bytes = Buffer.from(JSON.stringify({ data: [one], statistics: { rows_read: 1 } }));
    expect(await rowsIn(bytes).parse(row)).to.deep.equal([one]);
  });

  for (const [what, text] of [
    ['no JSON', 'Code: 60'],
    ['half of an answer', written(rowsLike(3, 'x')).toString().slice(0, 300)],
    ['an answer without what was read', '{"data":[]}'],
  ] as const) {
    it(`given ${what}, then that is StoreUnavailable`, () => {
      expect(() => rowsIn(Buffer.from(text))).to.throw(StoreUnavailable, 'is not rows');
    });
  }

  it('given many rows, then others have their slices before the last is read', async () => {
    let slices = 0;
    const count = (): void => {
      slices += 1;
      waiting = setImmediate(count);
    };
    let waiting = setImmediate(count);
    await rowsIn(written(rowsLike(30_000, 'x'))).parse(row);
    clearImmediate(waiting);
    expect(slices).to.be.greaterThan(1);
  });
});
