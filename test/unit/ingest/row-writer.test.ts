import { expect } from 'chai';
import { columnsOf } from '../../../src/ingest/feed/columns.js';
import { readHeader } from '../../../src/ingest/feed/header.js';
import { RowWriter } from '../../../src/ingest/feed/row-writer.js';
import type { Cells } from '../../../src/ingest/feed/rows.js';

const COLUMNS = columnsOf('forecasts').filter((column) => column !== 'member');

/** A row of the longest cells that rows.ts gives. */
const LONGEST: Cells = {
  ...Object.fromEntries(COLUMNS.map((column) => [column, '-129.99'])),
  station_id: 'K'.repeat(24),
  issued_at: '2026-01-04 18:00:00.000',
  target_date: '2026-01-05',
  provider: 'p'.repeat(32),
  withdrawn: 'false',
};
const ROW_NUMBER = 4_000_000_000;

describe('rows of cells for the engine', () => {
  it('given any room that is left, when a row of the longest cells has room, then it is whole', () => {
    const header = readHeader('forecasts', 'a.csv', COLUMNS.join());
    const row = COLUMNS.map((column) => LONGEST[column]).join();
    const filling = Buffer.alloc(8 * 1024 * 1024, 'x');
    // The first has room for sure; then any that may be a byte too short.
    const left = [2000, ...Array.from({ length: 60 }, (_, at) => 950 - 5 * at)];
    for (const bytes of left) {
      const length = filling.length - bytes;
      const writer = new RowWriter('forecasts', header, ROW_NUMBER);
      writer.addLine(1, filling, 0, length);
      if (bytes === 2000) expect(writer.hasRoomForCells()).to.equal(true);
      if (!writer.hasRoomForCells()) continue;
      writer.addCells(ROW_NUMBER, LONGEST);
      expect(writer.take().endsWith(`${ROW_NUMBER},${ROW_NUMBER},${row}\n`), `${bytes}`).to.equal(true);
    }
  });
});
