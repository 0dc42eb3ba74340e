import { expect } from 'chai';
import { parseCells } from '../../../src/ingest/read/header.js';
import { readUsualCells } from '../../../src/ingest/read/usual-cells.js';
import { Random } from '../../support/random.js';

/** The cells of a line that is read after others; undefined where it is for the parser. */
function cellsOf(line: string): string[] | undefined {
  const bytes = Buffer.from(line);
  const cells: string[] = [];
  const count = readUsualCells(bytes, 0, bytes.length, cells);
  return count === -1 ? undefined : cells.slice(0, count);
}

describe('usual-cells: a line without its string', () => {
  it('given lines of letters, digits and blanks, then the cells are those of the parser', () => {
    const random = new Random(5);
    for (let at = 0; at < 5000; at += 1) {
      const line = Array.from({ length: random.below(24) }, () =>
        'KNYC 0159-.,,,T'.charAt(random.below(15)),
      ).join('');
      const cells = cellsOf(line);
      if (cells !== undefined) expect(cells, line).to.deep.equal(parseCells(line));
      else
        expect(
          line.split(',').some((cell) => cell !== cell.trim()),
          line,
        ).to.be.true;
    }
  });

  it('given two cells of one place, then each is itself', () => {
    // The hash of a cell is by 31, so "Aa" has that of "BB".
    for (const cell of ['Aa', 'BB', 'Aa', 'AaAa', 'BBBB', 'AaBB'])
      expect(cellsOf(`${cell},1`)).to.deep.equal([cell, '1']);
  });

  it('given a quote, a letter beyond ASCII, or a tab at the end of a cell, then it is for the parser', () => {
    for (const line of ['a,"b",c', 'Zürich,1', 'a\t,b', 'a,\u00a0b'])
      expect(cellsOf(line), line).to.be.undefined;
  });
});
