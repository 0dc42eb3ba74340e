import { gzipSync } from 'node:zlib';
import type { FeedName } from '../../../src/feeds/feeds.js';
import { LINE_COLUMNS } from '../ingest/feeds.js';
import type { Random } from '../random.js';
import { words } from '../words.js';

// Feed files with something wrong about them, or nothing.

export interface MutatedFile {
  /** `.csv` or `.csv.gz` */
  extension: string;
  bytes: Buffer;
  mutation: string;
}

type Text = (lines: string[], random: Random) => string[];
type Bytes = (bytes: Buffer, random: Random) => Buffer;

const replaceCell = (lines: string[], random: Random, cell: (old: string) => string): string[] => {
  const at = 1 + random.below(lines.length - 1);
  const cells = (lines[at] ?? '').split(',');
  // A station of another name would make rows of other files good.
  const fixed = (lines[0] ?? '').startsWith('station_id,city_name') ? 1 : 0;
  const column = fixed + random.below(cells.length - fixed);
  cells[column] = cell(cells[column] ?? '');
  return lines.with(at, cells.join(','));
};
const insertLine = (lines: string[], random: Random, line: string): string[] =>
  lines.toSpliced(1 + random.below(lines.length), 0, line);

const STRANGE_CELLS = [
  ...words(String.raw`NULL NaN - 1e1 +1 .5 5. 151 -150.01 149.999 1,5 １２ 0x1F =1+1 {x:y}
    2026-02-30 2026-02-29 2024-02-29 2150-01-01 1969-12-31 2026-1-1 01/02/2026 2026-01-01T00:00:00
    2026-01-01T24:00:00Z 2026-01-01T00:00:00+25:00 2026-01-01T00:00:00+05:30
    preliminary verified VERIFIED final KZZZ \N é 🌡 "quoted" "half half" "" "a"b"`),
  ...['', ' ', '2026-01-01 00:00:00Z', "'; DROP TABLE pairs; --"],
  ...['\t', '\u0000', '\u00a0', '\ufeff', '\u202e'],
];

const LINES: Record<string, Text> = {
  'none at all': (lines) => lines,
  'a strange cell': (lines, random) => replaceCell(lines, random, () => random.of(STRANGE_CELLS)),
  'five strange cells': (lines, random) =>
    [1, 2, 3, 4, 5].reduce((some) => replaceCell(some, random, () => random.of(STRANGE_CELLS)), lines),
  'a huge cell': (lines, random) =>
    replaceCell(lines, random, () =>
      random.of(['x', '9', '"', ' ', '\u0000', 'é']).repeat(random.of([1000, 65_000, 70_000, 300_000])),
    ),
  'a cell in quotes': (lines, random) => replaceCell(lines, random, (old) => `"${old}"`),
  'spaces around a cell': (lines, random) => replaceCell(lines, random, (old) => `  ${old}\t`),
  'one cell less': (lines, random) => {
    const at = random.below(lines.length);
    return lines.with(at, (lines[at] ?? '').split(',').slice(0, -1).join());
  },
  'one cell more': (lines, random) => {
    const at = random.below(lines.length);
    return lines.with(at, `${lines[at]},${random.of(['', 'more', '1'])}`);
  },
  'one column less': (lines, random) => {
    const column = random.below((lines[0] ?? '').split(',').length);
    return lines.map((line) => line.split(',').toSpliced(column, 1).join());
  },
  'one column more': (lines, random) => {
    const column = random.below((lines[0] ?? '').split(',').length + 1);
    return lines.map((line, at) =>
      line
        .split(',')
        .toSpliced(column, 0, at === 0 ? 'note' : 'x y')
        .join(),
    );
  },
  'a column twice': (lines, random) => {
    const column = random.below((lines[0] ?? '').split(',').length);
    return lines.map((line) => `${line},${line.split(',')[column]}`);
  },
  'columns in another order': (lines) => lines.map((line) => line.split(',').reverse().join()),
  'no header': (lines) => lines.slice(1),
  'the header again': (lines, random) => insertLine(lines, random, lines[0] ?? ''),
  'a header in capitals': (lines) => [(lines[0] ?? '').toUpperCase(), ...lines.slice(1)],
  'a header in quotes': (lines) => [(lines[0] ?? '').replace(/\w+/g, '"$&"'), ...lines.slice(1)],
  semicolons: (lines) => lines.map((line) => line.replaceAll(',', ';')),
  tabs: (lines) => lines.map((line) => line.replaceAll(',', '\t')),
  'blank lines': (lines, random) => insertLine(insertLine(['', ...lines], random, '   '), random, ''),
  'commas alone': (lines, random) => insertLine(lines, random, ','.repeat(random.below(9))),
  'a line twice': (lines, random) => insertLine(lines, random, random.of(lines.slice(1))),
  'a quote that nobody closes': (lines, random) => insertLine(lines, random, '"'),
  'nothing but a header': (lines) => lines.slice(0, 1),
  nothing: () => [],
};

/** Ends of lines and cells, quotes, and pieces that are no UTF-8. */
const MORE_BYTES = words('00 ff c3 22 0d 0a 2c 0d0a efbbbf eda080 1b 5c');

const BYTES: Record<string, Bytes> = {
  'cut off': (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
  'other bytes': (bytes, random) => {
    const changed = Buffer.from(bytes);
    for (let change = 1 + random.below(5); change > 0; change -= 1)
      changed[random.below(changed.length)] = random.below(256);
    return changed;
  },
  'more bytes': (bytes, random) => {
    const at = random.below(bytes.length + 1);
    const more = random.of(MORE_BYTES);
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(more, 'hex'), bytes.subarray(at)]);
  },
  'bytes lost': (bytes, random) => {
    const at = random.below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(40))]);
  },
  'a byte order mark': (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  'two byte order marks': (bytes) =>
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]), bytes]),
  'UTF-16': (bytes, random) => {
    const text = Buffer.from(`${random.of(['\ufeff', ''])}${bytes.toString()}`, 'utf16le');
    return random.below(2) === 0 ? text : text.swap16();
  },
  CRLF: (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
  CR: (bytes) => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r'), 'latin1'),
  'line ends of all kinds': (bytes, random) =>
    Buffer.from(
      bytes.toString('latin1').replace(/\n/g, () => random.of(['\n', '\r\n', '\n\n', '\r\r\n'])),
      'latin1',
    ),
  'no line end at the end': (bytes) => bytes.subarray(0, -1),
  'NUL at the end': (bytes) => Buffer.concat([bytes, Buffer.alloc(4096)]),
  'random bytes': (_, random) =>
    Buffer.from(Array.from({ length: random.below(5000) }, () => random.below(256))),
};

const PACKED: Record<string, Bytes> = {
  gzip: (bytes) => gzipSync(bytes),
  'gzip in two members': (bytes, random) => {
    const at = random.below(bytes.length);
    return Buffer.concat([gzipSync(bytes.subarray(0, at)), gzipSync(bytes.subarray(at))]);
  },
  'gzip, cut off': (bytes, random) => {
    const packed = gzipSync(bytes);
    return packed.subarray(0, random.below(packed.length));
  },
  'gzip with other bytes': (bytes, random) => BYTES['other bytes']?.(gzipSync(bytes), random) ?? bytes,
  'no gzip': (bytes) => bytes,
};

/** A feed file of these lines, changed in one way or two. */
export function mutated(feed: FeedName, lines: readonly string[], random: Random): MutatedFile {
  const whole = [LINE_COLUMNS[feed].join(), ...lines];
  const inLines = random.of(Object.keys(LINES));
  const changed = LINES[inLines]?.(whole, random) ?? whole;
  let bytes: Buffer = Buffer.from(changed.map((line) => `${line}\n`).join(''));
  const inBytes = random.below(2) === 0 ? random.of(Object.keys(BYTES)) : undefined;
  if (inBytes !== undefined && bytes.length > 0) bytes = BYTES[inBytes]?.(bytes, random) ?? bytes;
  const packing = random.below(6) === 0 ? random.of(Object.keys(PACKED)) : undefined;
  if (packing !== undefined && bytes.length > 0) bytes = PACKED[packing]?.(bytes, random) ?? bytes;
  const packed = packing !== undefined || random.below(200) === 0;
  return {
    extension: packed ? '.csv.gz' : '.csv',
    bytes,
    mutation: [inLines, inBytes, packing].filter((one) => one !== undefined).join(' + '),
  };
}
