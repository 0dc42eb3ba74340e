import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { UnreadableFeed } from '../../../src/ingest/feed/header.js';
import { feedSize, type FeedRecord, readFeed } from '../../../src/ingest/feed/read.js';

type Forecast = FeedRecord<'forecasts'>;

const HEADER = 'station_id,issued_at,target_date,high_f,low_f';
const ROW = 'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18';
const CELLS = {
  station_id: 'KORD',
  issued_at: '2026-01-04T18:00:00Z',
  target_date: '2026-01-05',
  high_f: '31',
  low_f: '18',
  provider: '',
  withdrawn: '',
};

describe('readFeed', () => {
  let folder: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'feeds-'));
  });
  after(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const file = (content: string | Buffer, name = 'forecasts.csv'): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const records = async (path: string): Promise<Forecast[]> => {
    const all: Forecast[] = [];
    for await (const record of readFeed('forecasts', path)) all.push(record);
    return all;
  };
  const read = async (content: string | Buffer, name?: string) => records(file(content, name));
  const failure = async (reading: Promise<unknown>): Promise<UnreadableFeed> => {
    const error = await reading.then(
      () => new Error('it was read'),
      (reason: unknown) => reason,
    );
    if (error instanceof UnreadableFeed) return error;
    throw error;
  };
  const rowsOf = (all: Forecast[]) => all.map((record) => ('row' in record ? record.row : undefined));
  const rejections = (all: Forecast[]) =>
    all.flatMap((record) => ('rejection' in record ? [`${record.line}: ${record.rejection.message}`] : []));

  describe('given a file that can be read', () => {
    it('when it is plain, then each line after the header is a row', async () => {
      const all = await read(`${HEADER}\n${ROW}\n${ROW}\n`);
      expect(rowsOf(all)).to.deep.equal([CELLS, CELLS]);
      expect(all.map(({ line }) => line)).to.deep.equal([2, 3]);
      expect(all[0]?.text).to.equal(ROW);
    });

    it('when it is gzip, then it reads the same', async () => {
      const all = await read(gzipSync(`${HEADER}\n${ROW}\n`), 'forecasts.csv.gz');
      expect(rowsOf(all)).to.deep.equal([CELLS]);
    });

    it('when it is gzip in several members, as appending makes it, then all of them are read', async () => {
      const parts = [gzipSync(`${HEADER}\n${ROW}\n`), gzipSync(`${ROW}\n`), gzipSync(ROW)];
      expect(rowsOf(await read(Buffer.concat(parts), 'members.csv.gz'))).to.deep.equal([CELLS, CELLS, CELLS]);
    });

    it('when its name ends in .GZ, then it is gzip all the same', async () => {
      expect(rowsOf(await read(gzipSync(`${HEADER}\n${ROW}\n`), 'FORECASTS.CSV.GZ'))).to.deep.equal([CELLS]);
    });

    it('when it begins with a byte order mark, then the mark is no part of the first column', async () => {
      expect(rowsOf(await read(`\uFEFF${HEADER}\n${ROW}\n`))).to.deep.equal([CELLS]);
    });

    it('when its lines end in CRLF, then no cell and no text keeps the CR', async () => {
      const all = await read(`${HEADER}\r\n${ROW}\r\nKORD,bad\r\n`);
      expect(rowsOf(all)[0]).to.deep.equal(CELLS);
      expect(all.map(({ text }) => text)).to.deep.equal([ROW, 'KORD,bad']);
    });

    it('when lines end in CRLF and the last cell is quoted, then it is read', async () => {
      expect(
        rowsOf(await read(`${HEADER}\r\nKORD,2026-01-04T18:00:00Z,2026-01-05,31,"18"\r\n`)),
      ).to.deep.equal([CELLS]);
    });

    it('when no newline ends it, then the last row is read', async () => {
      expect(rowsOf(await read(`${HEADER}\n${ROW}\n${ROW}`))).to.deep.equal([CELLS, CELLS]);
    });

    it('when it has the columns that it may have, then they are read, and without them they are blank', async () => {
      const all = await read(`provider,${HEADER},withdrawn\nnws,${ROW},true\n,${ROW},\n`);
      expect(rowsOf(all)).to.deep.equal([{ ...CELLS, provider: 'nws', withdrawn: 'true' }, CELLS]);
    });

    it('when its header is read, then the names of the columns are told, once', async () => {
      const told: string[][] = [];
      const path = file(`${HEADER},Note\n${`${ROW},${'x'.repeat(1000)}\n`.repeat(5000)}`); // more than one block
      const observer = { onHeader: ({ names }: { names: string[] }) => told.push(names) };
      for await (const record of readFeed('forecasts', path, observer)) void record;
      expect(told).to.deep.equal([[...HEADER.split(','), 'note']]);
    });

    it('when its temperatures are in °C, then they are read under the names of their columns', async () => {
      const header = `Low_C,${HEADER.replace(',low_f', '').replace('_f', '_c')}`;
      const [row] = rowsOf(await read(`${header}\n-7.5,${ROW.replace(/,18$/, '')}\n`));
      expect(row).to.deep.equal({ ...CELLS, high_f: '', low_f: '', high_c: '31', low_c: '-7.5' });
    });

    it('when columns stand in any order and case, with others between, then they are found by name', async () => {
      const all = await read(
        'note,Low_F,HIGH_F,x,target_date,Station_ID,issued_at\nn,18,31,,2026-01-05,KORD,2026-01-04T18:00:00Z\n',
      );
      expect(rowsOf(all)).to.deep.equal([CELLS]);
    });

    it('when cells and names have blanks around, then these are dropped', async () => {
      const all = await read(
        ' station_id , issued_at,target_date ,high_f,low_f\n KORD ,2026-01-04T18:00:00Z , 2026-01-05, 31,\t18 \n',
      );
      expect(rowsOf(all)).to.deep.equal([CELLS]);
    });

    it('when cells are quoted, then separators and quotes in them are text', async () => {
      const all = await read(
        `"station_id","issued_at",target_date,high_f,low_f,note\n"KORD","2026-01-04T18:00:00Z",2026-01-05,"31",18,"a ""b"", c"\n`,
      );
      expect(rowsOf(all)).to.deep.equal([CELLS]);
    });

    it('when it has blank lines, then they are no rows, and line numbers count them', async () => {
      const all = await read(`${HEADER}\n\n${ROW}\n   \n\r\nKORD\n`);
      expect(all.map(({ line }) => line)).to.deep.equal([3, 6]);
    });

    it('when it has a header only, then it has no rows', async () => {
      expect(await read(`${HEADER}\n`)).to.deep.equal([]);
      expect(await read(HEADER)).to.deep.equal([]);
    });

    it('when a row has empty cells beyond the header, then they do no harm', async () => {
      expect(rowsOf(await read(`${HEADER}\n${ROW},,\n`))).to.deep.equal([CELLS]);
    });

    it('when characters of many bytes fall across chunks, then none is broken', async () => {
      const names = Array.from({ length: 10_000 }, (_, index) => `${'é🌡'.repeat(index % 7)}`);
      const all = await read(`${HEADER},name\n${names.map((name) => `${ROW},${name}`).join('\n')}\n`);
      expect(all.map(({ text }) => text)).to.deep.equal(names.map((name) => `${ROW},${name}`));
    });

    it('when it is read, then the bytes so far are told, and at the end they are its size', async () => {
      const path = file(gzipSync(`${HEADER}\n${`${ROW}\n`.repeat(1000)}`), 'counted.csv.gz');
      const told: number[] = [];
      for await (const record of readFeed('forecasts', path, { onBytes: (bytes) => told.push(bytes) }))
        void record;
      expect(told.at(-1)).to.equal(await feedSize(path));
    });
  });

  describe('given rows that cannot be used', () => {
    it('when a row is too short, then it is rejected with its line, naming the column', async () => {
      const all = await read(`${HEADER}\n${ROW}\nKORD,2026-01-04T18:00:00Z,2026-01-05,31\n${ROW}\n`);
      expect(rejections(all)).to.deep.equal(['3: missing column: low_f']);
      expect(rowsOf(all)).to.deep.equal([CELLS, undefined, CELLS]);
    });

    it('when a row has too many cells, then it is rejected with its line', async () => {
      const all = await read(`${HEADER}\nKORD,2026-01-04T18:00:00Z,2026-01-05,31,5,18\n${ROW}\n`);
      expect(rejections(all)).to.deep.equal(['2: too many cells: 6, the header has 5']);
    });

    it('when a quote is never closed, then it costs that row only', async () => {
      const all = await read(`${HEADER}\n"KORD,2026-01-04T18:00:00Z,2026-01-05,31,18\n${ROW}\n${ROW}\n`);
      expect(rejections(all)).to.have.lengthOf(1);
      expect(rejections(all)[0]).to.match(/^2: malformed CSV/);
      expect(rowsOf(all)).to.deep.equal([undefined, CELLS, CELLS]);
    });

    it('when a quote stands in the middle of a cell, then it costs that row only', async () => {
      const all = await read(`${HEADER}\n${ROW}\nKO"RD,2026-01-04T18:00:00Z,2026-01-05,31,18\n${ROW}\n`);
      expect(rejections(all)).to.have.lengthOf(1);
      expect(rejections(all)[0]).to.match(/^3: malformed CSV/);
    });

    it('when the last line has no newline and an open quote, then it is rejected, too', async () => {
      expect(rejections(await read(`${HEADER}\n${ROW}\n"KORD`))[0]).to.match(/^3: malformed CSV/);
    });

    it('when a quoted cell spans lines, then both lines are rejected and the rest is read', async () => {
      const all = await read(`${HEADER},note\n${ROW},"one\ntwo"\n${ROW},x\n`);
      expect(rejections(all).map((text) => text.slice(0, 2))).to.deep.equal(['2:', '3:']);
      expect(rowsOf(all)[2]).to.deep.equal(CELLS);
    });

    it('when a line is 1 MB long, then it is rejected as too long and the next ones are read', async () => {
      const all = await read(`${HEADER}\n${ROW}\n${'x'.repeat(1_000_000)}\n${ROW}\n`);
      expect(rejections(all)).to.have.lengthOf(1);
      expect(rejections(all)[0]).to.match(/^3: line too long/);
      expect(rowsOf(all)).to.deep.equal([CELLS, undefined, CELLS]);
      expect(all[1]?.text.length, 'of which little is kept').to.be.below(200_000);
    });

    it('when a line of 1 MB would be a good row but for blanks, then it is still too long', async () => {
      const blanks = ' '.repeat(1_000_000);
      expect(rejections(await read(`${HEADER}\n${ROW}${blanks}\n${blanks}${ROW}\n`))).to.have.lengthOf(2);
    });

    it('when the last line is 1 MB long and has no newline, then it is rejected as too long', async () => {
      expect(rejections(await read(`${HEADER}\n${'"'.repeat(1_000_000)}`))[0]).to.match(/^2: line too long/);
    });

    it('when a whole file of 32 MB is one line, then memory stays bounded', async () => {
      const path = join(folder, 'one-line.csv');
      const handle = openSync(path, 'w');
      writeSync(handle, `${HEADER}\n`);
      const block = Buffer.alloc(4 * 1024 * 1024, 'x');
      for (let written = 0; written < 8; written += 1) writeSync(handle, block);
      closeSync(handle);
      const before = process.memoryUsage().rss;
      const all = await records(path);
      const grown = process.memoryUsage().rss - before;
      rmSync(path);
      expect(rejections(all)[0]).to.match(/^2: line too long/);
      expect(grown / 2 ** 20).to.be.below(24);
    });
  });

  describe('given a file that cannot be read at all', () => {
    it('when it is missing, then that is said in one line with its name', async () => {
      const path = join(folder, 'nowhere.csv');
      expect((await failure(records(path))).message).to.equal(`${path}: no such file`);
      expect((await failure(feedSize(path))).message).to.equal(`${path}: no such file`);
    });

    it('when it is a directory, then that is said with its name', async () => {
      expect((await failure(feedSize(folder))).message).to.equal(`${folder}: is not a file`);
      expect((await failure(records(folder))).message).to.contain(folder);
    });

    it('when it is empty, then the columns that it should have are named', async () => {
      const path = join(folder, 'forecasts.csv');
      for (const text of ['', '\n \n']) {
        const { message } = await failure(read(text));
        expect(message).to.equal(`${path}: is empty; its first line must name the columns ${HEADER}`);
      }
    });

    it('when it is empty gzip, or gzip of nothing, then it is unreadable, too', async () => {
      await failure(read('', 'empty.csv.gz'));
      await failure(read(gzipSync(''), 'nothing.csv.gz'));
    });

    it('when its header lacks columns, then exactly these are named', async () => {
      const { message } = await failure(read(`station_id,issued_at,high_f\n${ROW}\n`));
      expect(message).to.match(/missing: target_date, low_f$/);
    });

    it('when it has a column under another name, then that is asked beside the one that is missing', async () => {
      const header = HEADER.replace('target_date', 'target').replace('high_f', 'temp');
      const { message } = await failure(read(`${header}\n${ROW}\n`));
      expect(message).to.match(/missing: target_date \(is it target\?\), high_f \(is it temp\?\)$/);
    });

    it('when its header has temperatures in °F and in °C, or in °C but one, then that is said', async () => {
      const mixed = await failure(read(`${HEADER.replace('low_f', 'low_c')}\n${ROW}\n`));
      expect(mixed.message).to.match(/in °F and in °C: high_f, low_c; a file has them in one unit$/);
      const both = await failure(read(`${HEADER},high_c,low_c\n${ROW},1,2\n`));
      expect(both.message).to.match(/: high_f, high_c, low_f, low_c; /);
      const lacking = await failure(read(`${HEADER.replace('high_f,low_f', 'high_c')}\n${ROW}\n`));
      expect(lacking.message).to.match(/high_c,low_c; missing: low_c$/);
    });

    it('when it has rows but no header, then it is unreadable', async () => {
      expect((await failure(read(`${ROW}\n${ROW}\n`))).message).to.contain('missing: station_id');
    });

    it('when a column is named twice, then it is unreadable: which of them is meant nobody knows', async () => {
      const { message } = await failure(read(`${HEADER},high_f\n${ROW},99\n`));
      expect(message).to.contain('high_f');
    });

    it('when a column that it may have is named twice, then it is unreadable, too', async () => {
      expect((await failure(read(`${HEADER},provider,provider\n${ROW},a,b\n`))).message).to.contain(
        'provider',
      );
    });

    for (const [what, separator] of [
      ['semicolons', ';'],
      ['tabs', '\t'],
      ['vertical bars', '|'],
    ] as const) {
      it(`when its columns are separated by ${what}, then that is said instead of naming all columns as missing`, async () => {
        const path = join(folder, 'forecasts.csv');
        const { message } = await failure(read(`${HEADER}\n${ROW}\n`.replaceAll(',', separator)));
        expect(message).to.equal(
          `${path}: its columns are separated by ${what}; separate them by commas, and write decimals with a point`,
        );
      });
    }

    const FORMATS: [what: string, bytes: Buffer, said: string][] = [
      ['UTF-16', Buffer.from(`\uFEFF${HEADER}\n${ROW}\n`, 'utf16le'), 'is UTF-16 text; save it as UTF-8'],
      [
        'UTF-16 of the other byte order',
        Buffer.from(`\uFEFF${HEADER}\n${ROW}\n`, 'utf16le').swap16(),
        'is UTF-16 text; save it as UTF-8',
      ],
      [
        'UTF-16 without a mark',
        Buffer.from(`${HEADER}\n${ROW}\n`, 'utf16le'),
        'is UTF-16 text; save it as UTF-8',
      ],
      [
        'a spreadsheet',
        Buffer.from('504b0304140006000800', 'hex'),
        'is a zip archive or a spreadsheet (.xlsx, .ods); save the sheet as CSV in UTF-8',
      ],
      [
        'an old spreadsheet',
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        'is a spreadsheet (.xls); save the sheet as CSV in UTF-8',
      ],
      [
        'gzip under another name',
        gzipSync(`${HEADER}\n${ROW}\n`),
        'is gzip data; give the file a name that ends in .gz, and pack it only once',
      ],
    ];
    for (const [what, bytes, said] of FORMATS) {
      it(`when it is ${what}, then one line says what was found and what to do`, async () => {
        expect((await failure(read(bytes))).message).to.equal(`${join(folder, 'forecasts.csv')}: ${said}`);
      });
    }

    it('when it is gzip of gzip, then that is said, too', async () => {
      const { message } = await failure(read(gzipSync(gzipSync(`${HEADER}\n${ROW}\n`)), 'twice.csv.gz'));
      expect(message).to.contain('pack it only once');
    });

    const NOT_UTF_8: [what: string, bytes: number[]][] = [
      ['Latin-1', [0x4d, 0xfc, 0x6e, 0x63, 0x68, 0x65, 0x6e]],
      ['a byte that no text has', [0xff]],
      ['half a character', [0xc3]],
      ['half a surrogate pair', [0xed, 0xa0, 0x80]],
      ['a slash in two bytes', [0xc0, 0xaf]],
    ];
    for (const [what, bytes] of NOT_UTF_8) {
      it(`when a line has ${what}, then the file is refused with the number of that line`, async () => {
        const line = Buffer.concat([Buffer.from(`${ROW},`), Buffer.from(bytes)]);
        const text = Buffer.concat([
          Buffer.from(`${HEADER},München\n${ROW},é🌡\n\n`),
          line,
          Buffer.from(`\n${ROW},\n`),
        ]);
        expect((await failure(read(text))).message).to.equal(
          `${join(folder, 'forecasts.csv')}: line 4 is not UTF-8; save the file as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8`,
        );
      });
    }

    it('when its header is not UTF-8, then that is line 1', async () => {
      const { message } = await failure(read(Buffer.from(`${HEADER},Höhe\n${ROW},1\n`, 'latin1')));
      expect(message).to.contain(': line 1 is not UTF-8');
    });

    it('when a line far behind is not UTF-8, then its number is right', async () => {
      const text = `${HEADER},name\n${`${ROW},${'x'.repeat(1000)}\n`.repeat(9000)}${ROW},M\u00fcnchen\n`;
      const { message } = await failure(read(Buffer.from(text, 'latin1')));
      expect(message).to.contain(': line 9002 is not UTF-8');
    });

    it('when a line is too long, and is cut within a character, then it is a row too long and no bad file', async () => {
      for (const shift of ['', 'x', 'xx', 'xxx']) {
        const all = await read(`${HEADER}\n${shift}${'🌡'.repeat(300_000)}\n${ROW}\n`);
        expect(rejections(all)).to.have.lengthOf(1);
        expect(rejections(all)[0]).to.match(/^2: line too long/);
        expect(rowsOf(all)[1]).to.deep.equal(CELLS);
      }
    });

    it('when its header has an open quote, then it is unreadable', async () => {
      const { message } = await failure(read(`"station_id,issued_at,target_date,high_f,low_f\n${ROW}\n`));
      expect(message).to.contain('malformed CSV');
    });

    it('when it is another feed, then it is unreadable', async () => {
      await failure(read('station_id,date,high_f,low_f,status,observed_at\n'));
    });

    it('when its gzip data ends half way, then what was read is followed by a fault that says so', async () => {
      const lines = Array.from({ length: 20_000 }, (_, index) => `${ROW}.${index}`);
      const whole = gzipSync(`${HEADER}\n${lines.join('\n')}\n`);
      const error = await failure(read(whole.subarray(0, whole.length - 500), 'cut.csv.gz'));
      expect(error.message).to.match(/cut\.csv\.gz: ends in the middle of its gzip data/);
    });

    it('when its gzip data is damaged, then the fault says so', async () => {
      const whole = gzipSync(`${HEADER}\n${`${ROW}\n`.repeat(5000)}`);
      whole.fill(0xff, 40, 60);
      expect((await failure(read(whole, 'damaged.csv.gz'))).message).to.match(/damaged\.csv\.gz: is damaged/);
    });

    it('when only its checksum is wrong, then the fault says so', async () => {
      const whole = gzipSync(`${HEADER}\n${ROW}\n`);
      whole.writeUInt8(whole.readUInt8(whole.length - 8) ^ 0xff, whole.length - 8);
      expect((await failure(read(whole, 'checksum.csv.gz'))).message).to.match(/is damaged/);
    });

    it('when it is plain under a name that ends in .gz, then the fault says so', async () => {
      const { message } = await failure(read(`${HEADER}\n${ROW}\n`, 'plain.csv.gz'));
      expect(message).to.contain('not gzip although its name ends in .gz');
    });
  });

  it('given a reader that stops early, then the file does not stay open', async () => {
    const path = file(`${HEADER}\n${`${ROW}\n`.repeat(100_000)}`);
    const open = (): string[] => readdirSync('/proc/self/fd').filter((fd) => targetOf(fd) === path);
    for (let time = 0; time < 20; time += 1) {
      for await (const record of readFeed('forecasts', path)) {
        expect(record.line).to.equal(2);
        break;
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (process.platform === 'linux') expect(open()).to.be.empty;
  });
});

/** The file that a descriptor of this process is of; none when it has been closed meanwhile. */
function targetOf(fd: string): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return undefined;
  }
}
