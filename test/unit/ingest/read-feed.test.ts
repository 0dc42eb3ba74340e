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
import { getColumnNames } from '../../../src/feeds/feeds.js';
import type { FeedRow } from '../../../src/ingest/read/feed-rows.js';
import { UnreadableFeed } from '../../../src/ingest/read/header.js';
import { feedSize, type FeedRecord, readFeed } from '../../../src/ingest/read/read.js';
import { until } from '../../support/process.js';
import { laterRefusalOf } from '../../support/refusal.js';

type Forecast = FeedRecord;

const HEADER = 'station_id,issued_at,target_date,high_f,low_f';
const ROW = 'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18';
const CELLS = {
  ...Object.fromEntries(getColumnNames('forecasts').map((column) => [column, ''])),
  station_id: 'KORD',
  issued_at: '2026-01-04T18:00:00Z',
  target_date: '2026-01-05',
  high_f: '31',
  low_f: '18',
};

/** A file of these lines below the header. */
const linesOf = (...rows: string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
const FEED = linesOf(ROW);
const BLANKS = ' '.repeat(1_000_000);
/** UTF-8 text, but for some bytes in its fourth line. */
const withBytes = (...bytes: number[]): Buffer =>
  Buffer.concat([
    Buffer.from(`${HEADER},München\n${ROW},é🌡\n\n${ROW},`),
    Buffer.from(bytes),
    Buffer.from(`\n${ROW},\n`),
  ]);
/** The same with bytes of its gzip data changed. */
const damaged = (text: string, change: (packed: Buffer) => unknown): Buffer => {
  const packed = gzipSync(text);
  change(packed);
  return packed;
};

/** A file, and the rows that it has, of which none is rejected. */
const READ: [what: string, content: string | Buffer, rows: object[], name?: string][] = [
  ['is gzip', gzipSync(FEED), [CELLS], 'forecasts.csv.gz'],
  [
    'is gzip in several members, as appending makes it',
    Buffer.concat([gzipSync(FEED), gzipSync(`${ROW}\n`), gzipSync(ROW)]),
    [CELLS, CELLS, CELLS],
    'members.csv.gz',
  ],
  ['is gzip and its name ends in .GZ', gzipSync(FEED), [CELLS], 'FORECASTS.CSV.GZ'],
  ['begins with a byte order mark, which is no part of the first column', `\uFEFF${FEED}`, [CELLS]],
  [
    'has lines that end in CRLF, a cell quoted',
    FEED.replace(/18$/m, '"18"').replaceAll('\n', '\r\n'),
    [CELLS],
  ],
  ['does not end in a newline', `${FEED}${ROW}`, [CELLS, CELLS]],
  [
    'has the columns that it may have, which are blank without them',
    `provider,${HEADER},withdrawn\nnws,${ROW},true\n,${ROW},\n`,
    [{ ...CELLS, provider: 'nws', withdrawn: 'true' }, CELLS],
  ],
  [
    'has temperatures in °C, under the names of their columns',
    `Low_C,${HEADER.replace(',low_f', '').replace('_f', '_c')}\n-7.5,${ROW.replace(/,18$/, '')}\n`,
    [{ ...CELLS, high_f: '', low_f: '', high_c: '31', low_c: '-7.5' }],
  ],
  [
    'has chances as probabilities, under the name of their column',
    `${HEADER},precip_probability\n${ROW},0.35\n`,
    [{ ...CELLS, precip_probability: '0.35' }],
  ],
  [
    'has columns in any order and case, with others between',
    'note,Low_F,HIGH_F,x,target_date,Station_ID,issued_at\nn,18,31,,2026-01-05,KORD,2026-01-04T18:00:00Z\n',
    [CELLS],
  ],
  [
    'has blanks around cells and names',
    ' station_id , issued_at,target_date ,high_f,low_f\n KORD ,2026-01-04T18:00:00Z , 2026-01-05, 31,\t18 \n',
    [CELLS],
  ],
  [
    'has quoted cells with separators and quotes in them',
    `"station_id","issued_at",target_date,high_f,low_f,note\n"KORD","2026-01-04T18:00:00Z",2026-01-05,"31",18,"a ""b"", c"\n`,
    [CELLS],
  ],
  ['has a header only', `${HEADER}\n`, []],
  ['has a header only, without a newline', HEADER, []],
  ['has empty cells beyond the header', `${HEADER}\n${ROW},,\n`, [CELLS]],
];

const tooLong = (...lines: number[]): RegExp[] => lines.map((line) => new RegExp(`^${line}: line too long`));

/** A file, what is said of its rows, and how many rows are not rejected: each has CELLS. */
const REJECTED: [what: string, content: string, said: RegExp[], rows: number][] = [
  ['a row is too short', linesOf(ROW, ROW.replace(',18', ''), ROW), [/^3: missing column: low_f$/], 2],
  ['a row has too many cells', linesOf(`${ROW},5`, ROW), [/^2: too many cells: 6, the header has 5$/], 1],
  ['a quote is never closed', linesOf(`"${ROW}`, ROW, ROW), [/^2: malformed CSV/], 2],
  ['a quote stands within a cell', linesOf(ROW, ROW.replace('KO', 'KO"'), ROW), [/^3: malformed CSV/], 2],
  ['the last line has no newline and an open quote', `${FEED}"KORD`, [/^3: malformed CSV/], 1],
  ['a quoted cell spans lines', `${HEADER},note\n${ROW},"one\ntwo"\n${ROW},x\n`, [/^2:/, /^3:/], 1],
  ['a line is 1 MB long', linesOf(ROW, 'x'.repeat(1_000_000), ROW), tooLong(3), 2],
  ['a line of 1 MB has a good row and blanks', linesOf(ROW, ROW + BLANKS, BLANKS + ROW), tooLong(3, 4), 1],
  ['the last line is 1 MB long, without a newline', HEADER + '\n' + '"'.repeat(1e6), tooLong(2), 0],
  ...['', 'x', 'xx', 'xxx'].map((shift): (typeof REJECTED)[number] => [
    `a line is too long and cut within a character, ${shift.length} bytes on`,
    linesOf(shift + '🌡'.repeat(300_000), ROW),
    tooLong(2),
    1,
  ]),
];

const MARKED = Buffer.from(`\uFEFF${FEED}`, 'utf16le');
const SAVE = 'save the sheet as CSV in UTF-8';
const bytes = (hex: string): Buffer => Buffer.from(hex, 'hex');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const UTF_16 = 'is UTF-16 text; save it as UTF-8';
const LINE_4 = 'line 4 is not UTF-8; save the file as UTF-8, or convert it: iconv -f WINDOWS-1252 -t UTF-8';
const separatedBy = (what: string): string =>
  `its columns are separated by ${what}; separate them by commas, and write decimals with a point`;

/** A file that is refused, and what its one line says behind the name of the file, or a part of it. */
const REFUSED: [what: string, content: string | Buffer, said: string | RegExp, name?: string][] = [
  ['is empty', '', `is empty; its first line must name the columns ${HEADER}`],
  ['has blank lines alone', '\n \n', `is empty; its first line must name the columns ${HEADER}`],
  ['is empty under a name of gzip', '', /./, 'empty.csv.gz'],
  ['is gzip of nothing', gzipSync(''), /./, 'nothing.csv.gz'],
  ['lacks columns', `station_id,issued_at,high_f\n${ROW}\n`, /missing: target_date, low_f$/],
  [
    'has a column under another name',
    FEED.replace('target_date', 'target').replace('high_f', 'temp'),
    /missing: target_date \(is it target\?\), high_f \(is it temp\?\)$/,
  ],
  ['has °F and °C', FEED.replace('low_f', 'low_c'), /: high_f, low_c; a file has them in one unit$/],
  ['has both in °F and in °C', `${HEADER},high_c,low_c\n${ROW},1,2\n`, /: high_f, high_c, low_f, low_c; /],
  ['has one alone, in °C', FEED.replace('high_f,low_f', 'high_c'), /high_c,low_c; missing: low_c$/],
  ['has rows but no header', `${ROW}\n${ROW}\n`, /missing: station_id/],
  ['has a column twice, so that nobody knows which is meant', `${HEADER},high_f\n${ROW},99\n`, /high_f/],
  ['has a column that it may have twice', `${HEADER},provider,provider\n${ROW},a,b\n`, /provider/],
  ['is separated by semicolons', FEED.replaceAll(',', ';'), separatedBy('semicolons')],
  ['is separated by tabs', FEED.replaceAll(',', '\t'), separatedBy('tabs')],
  ['is separated by vertical bars', FEED.replaceAll(',', '|'), separatedBy('vertical bars')],
  ['is UTF-16', MARKED, UTF_16],
  ['is UTF-16 of the other byte order', Buffer.from(MARKED).swap16(), UTF_16],
  ['is UTF-16 without a mark', Buffer.from(FEED, 'utf16le'), UTF_16],
  [
    'is a spreadsheet',
    bytes('504b0304140006000800'),
    `is a zip archive or a spreadsheet (.xlsx, .ods); ${SAVE}`,
  ],
  ['is an old spreadsheet', bytes('d0cf11e0a1b11ae1'), `is a spreadsheet (.xls); ${SAVE}`],
  [
    'is gzip under another name',
    gzipSync(FEED),
    'is gzip data; give the file a name that ends in .gz, and pack it only once',
  ],
  ['is gzip of gzip', gzipSync(gzipSync(FEED)), /pack it only once/, 'twice.csv.gz'],
  ['has a line in Latin-1', withBytes(...Buffer.from('München', 'latin1')), LINE_4],
  ['has a line with a byte that no text has', withBytes(0xff), LINE_4],
  ['has a line with half a character', withBytes(0xc3), LINE_4],
  ['has a line with half a surrogate pair', withBytes(0xed, 0xa0, 0x80), LINE_4],
  ['has a line with a slash in two bytes', withBytes(0xc0, 0xaf), LINE_4],
  ['has a header that is not UTF-8', latin1(`${HEADER},Höhe\n${ROW},1\n`), /: line 1 is not UTF-8/],
  [
    'has a line far behind that is not UTF-8',
    Buffer.from(`${HEADER},name\n${`${ROW},${'x'.repeat(1000)}\n`.repeat(9000)}${ROW},München\n`, 'latin1'),
    /: line 9002 is not UTF-8/,
  ],
  ['has a header with an open quote', `"${FEED}`, /malformed CSV/],
  [
    'has lines that end in CR alone',
    FEED.replaceAll('\n', '\r'),
    /: its lines end in CR alone; save it with /,
  ],
  [
    'has chances in percent and as probabilities',
    `${HEADER},precip_chance,precip_probability\n${ROW},35,0.35\n`,
    /names precip_chance and precip_probability; a file has one of them$/,
  ],
  ['is another feed', 'station_id,date,high_f,low_f,status,observed_at\n', /missing: issued_at/],
  [
    'has gzip data that end half way',
    gzipSync(HEADER + Array.from({ length: 20_000 }, (_, index) => `\n${ROW}.${index}`).join('')).subarray(
      0,
      -500,
    ),
    'ends in the middle of its gzip data; is it still being written?',
    'cut.csv.gz',
  ],
  [
    'has damaged gzip data',
    damaged(HEADER + `\n${ROW}`.repeat(5000), (packed) => packed.fill(0xff, 40, 60)),
    /damaged\.csv\.gz: is damaged/,
    'damaged.csv.gz',
  ],
  [
    'has gzip data of which only the checksum is wrong',
    damaged(FEED, (packed) =>
      packed.writeUInt8(packed.readUInt8(packed.length - 8) ^ 0xff, packed.length - 8),
    ),
    /is damaged/,
    'checksum.csv.gz',
  ],
  ['is plain under a name that ends in .gz', FEED, /not gzip although its name ends in \.gz/, 'plain.csv.gz'],
];

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
  /** A record whose row stays when the next one is read. */
  const kept = (record: Forecast): Forecast =>
    'row' in record
      ? {
          line: record.line,
          text: record.text,
          row: Object.assign(
            Object.create(Object.getPrototypeOf(record.row) as object) as object,
            record.row,
          ),
        }
      : record;
  const records = async (path: string): Promise<Forecast[]> => {
    const all: Forecast[] = [];
    for await (const rows of readFeed('forecasts', path)) for (const record of rows) all.push(kept(record));
    return all;
  };
  const read = async (content: string | Buffer, name?: string) => records(file(content, name));
  const rowsOf = (all: Forecast[]) =>
    all.map((record) => ('row' in record ? cellsOf(record.row) : undefined));
  /** The cells of all columns, blank where the file has none, and those in °C. */
  const cellsOf = (row: FeedRow) => ({
    ...Object.fromEntries(getColumnNames('forecasts').map((column) => [column, row[column] ?? ''])),
    ...row,
  });
  const rejections = (all: Forecast[]) =>
    all.flatMap((record) => ('rejection' in record ? [`${record.line}: ${record.rejection.message}`] : []));

  describe('given a file that can be read', () => {
    for (const [what, content, rows, name] of READ) {
      it(`when it ${what}, then its rows are read`, async () => {
        expect(rowsOf(await read(content, name))).to.deep.equal(rows);
      });
    }

    it('when its lines end in CRLF, then no cell and no text keeps the CR', async () => {
      const all = await read(`${HEADER}\r\n${ROW}\r\nKORD,bad\r\n`);
      expect(rowsOf(all)[0]).to.deep.equal(CELLS);
      expect(all.map(({ text }) => text)).to.deep.equal([ROW, 'KORD,bad']);
    });

    it('when its header is read, then the names of the columns are told, once', async () => {
      const told: string[][] = [];
      const path = file(`${HEADER},Note\n${`${ROW},${'x'.repeat(1000)}\n`.repeat(5000)}`); // more than one block
      const observer = { onHeader: ({ names }: { names: string[] }) => told.push(names) };
      for await (const rows of readFeed('forecasts', path, observer)) void [...rows];
      expect(told).to.deep.equal([[...HEADER.split(','), 'note']]);
    });

    it('when it has blank lines, then they are no rows, and line numbers count them', async () => {
      const all = await read(`${HEADER}\n\n${ROW}\n   \n\r\nKORD\n`);
      expect(all.map(({ line }) => line)).to.deep.equal([3, 6]);
    });

    it('when characters of many bytes fall across chunks, then none is broken', async () => {
      const names = Array.from({ length: 10_000 }, (_, index) => `${'é🌡'.repeat(index % 7)}`);
      const all = await read(`${HEADER},name\n${names.map((name) => `${ROW},${name}`).join('\n')}\n`);
      expect(all.map(({ text }) => text)).to.deep.equal(names.map((name) => `${ROW},${name}`));
    });

    it('when it is read, then the bytes so far are told, and at the end they are its size', async () => {
      const path = file(gzipSync(`${HEADER}\n${`${ROW}\n`.repeat(1000)}`), 'counted.csv.gz');
      const told: number[] = [];
      for await (const rows of readFeed('forecasts', path, { onBytes: (bytes) => told.push(bytes) }))
        void [...rows];
      expect(told.at(-1)).to.equal(await feedSize(path));
    });
  });

  describe('given rows that cannot be used', () => {
    for (const [what, content, said, rows] of REJECTED) {
      it(`when ${what}, then that is told with its line, and the other rows are read`, async () => {
        const all = await read(content);
        const told = rejections(all);
        expect(told).to.have.lengthOf(said.length);
        for (const [at, line] of said.entries()) expect(told[at]).to.match(line);
        expect(rowsOf(all).filter((row) => row !== undefined)).to.deep.equal(Array(rows).fill(CELLS));
        for (const { text } of all) expect(text.length, 'little is kept of a long line').to.be.below(200_000);
      });
    }

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
    for (const [what, content, said, name = 'forecasts.csv'] of REFUSED) {
      it(`when it ${what}, then one line says what was found`, async () => {
        const message = await laterRefusalOf(UnreadableFeed, read(content, name));
        if (typeof said === 'string') expect(message).to.equal(`${join(folder, name)}: ${said}`);
        else expect(message).to.match(said);
      });
    }

    it('when it is missing, then that is said in one line with its name', async () => {
      const path = join(folder, 'nowhere.csv');
      expect(await laterRefusalOf(UnreadableFeed, records(path))).to.equal(`${path}: no such file`);
      expect(await laterRefusalOf(UnreadableFeed, feedSize(path))).to.equal(`${path}: no such file`);
    });

    it('when it is a directory, then that is said with its name', async () => {
      expect(await laterRefusalOf(UnreadableFeed, feedSize(folder))).to.equal(`${folder}: is not a file`);
      expect(await laterRefusalOf(UnreadableFeed, records(folder))).to.contain(folder);
    });
  });

  it('given a reader that stops early, then the file does not stay open', async () => {
    const path = file(`${HEADER}\n${`${ROW}\n`.repeat(100_000)}`);
    const open = (): string[] =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`) === path;
        } catch {
          return false; // closed meanwhile
        }
      });
    for (let time = 0; time < 20; time += 1) {
      for await (const rows of readFeed('forecasts', path)) {
        for (const { line } of rows) {
          expect(line).to.equal(2);
          break;
        }
        break;
      }
    }
    if (process.platform === 'linux') await until(() => open().length === 0 || undefined, 10_000);
  });
});
