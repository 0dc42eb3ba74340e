import { expect } from 'chai';
import fc from 'fast-check';
import { partsOfExport } from '../../../src/data/export-pairs.js';
import { FILE_FORMATS } from '../../../src/export/file-formats.js';
import { forAnyOf } from '../../support/property.js';

describe('parts of an export', () => {
  const day = fc.integer({ min: 1, max: 25 });
  const days = fc
    .array(day, { maxLength: 12 })
    .map((counts) =>
      counts.map((pairs, index) => ({ target_date: `2026-01-${String(index + 1).padStart(2, '0')}`, pairs })),
    );

  it('given any days and any start, then the parts have every later pair once, in order, bounded', () => {
    forAnyOf({ numRuns: 500 })(days, fc.nat(200), fc.integer({ min: 1, max: 30 }), (byDay, skip, most) => {
      // Each pair by its day and its number there.
      const all = byDay.flatMap(({ target_date, pairs }) =>
        Array.from({ length: pairs }, (_, number) => `${target_date} ${number}`),
      );
      const read: string[] = [];
      for (const { first, last, offset, limit } of partsOfExport(byDay, skip, most)) {
        expect(limit).to.be.within(1, most);
        const ofDays = all.filter((pair) => pair.slice(0, 10) >= first && pair.slice(0, 10) <= last);
        read.push(...ofDays.slice(offset, offset + limit));
      }
      expect(read).to.deep.equal(all.slice(skip));
    });
  });

  it('given small days, then a part takes as many as fit', () => {
    const byDay = [3, 3, 3, 3].map((pairs, index) => ({ target_date: `2026-01-0${index + 1}`, pairs }));
    expect([...partsOfExport(byDay, 0, 7)]).to.deep.equal([
      { first: '2026-01-01', last: '2026-01-02', offset: 0, limit: 6 },
      { first: '2026-01-03', last: '2026-01-04', offset: 0, limit: 6 },
    ]);
  });
});

describe('a file of lines', () => {
  const csv = () => FILE_FORMATS.csv.writer(['metric', 'error']);

  it('given parts, then it has a header and their lines', () => {
    const writer = csv();
    const parts = [writer.begin(), writer.add(Buffer.from('high,1\r\nlow,-2.5\r\n'), 2), writer.end()];
    expect(Buffer.concat(parts).toString()).to.equal('metric,error\r\nhigh,1\r\nlow,-2.5\r\n');
  });

  for (const [about, part, rows] of [
    ['a row is missing', 'high,1\r\n', 2],
    ['a row is one too many', 'high,1\r\nlow,2\r\n', 1],
    ['the last row is cut', 'high,1\r\nlow,', 2],
    ['the end is an error of a server', 'high,1\r\nCode: 241. DB::Exception: memory (X)\r\n', 2],
    ['nothing came', '', 1],
  ] as const) {
    it(`given a part where ${about}, then the file refuses it`, () => {
      expect(() => csv().add(Buffer.from(part), rows)).to.throw(/the part has/);
    });
  }

  it('given NDJSON whose end is an error of a server, then the file refuses it', () => {
    const part = Buffer.from('{"error":1}\nCode: 159. DB::Exception: timeout\n');
    expect(() => FILE_FORMATS.ndjson.writer([]).add(part, 2)).to.throw(/the part has/);
  });

  it('given a part that is not Parquet, then the file refuses it', () => {
    const writer = FILE_FORMATS.parquet.writer([]);
    writer.begin();
    expect(() => writer.add(Buffer.from('Code: 241. DB::Exception: memory'), 1)).to.throw(/not a Parquet/);
  });
});
