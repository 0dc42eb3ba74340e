import { expect } from 'chai';
import {
  type Reading,
  type Request,
  type PublicSource,
  type Span,
  GapError,
} from '../../../src/collect/source.js';
import { iemCli } from '../../../src/collect/sources/iem-cli.js';
import { iemNbm } from '../../../src/collect/sources/iem-nbm.js';
import { beginnings, fixture, mutatedBody, otherEncodings } from '../../support/collect/fixtures.js';
import { KNYC } from '../../support/collect/world.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

// What IEM's answers must never become, whatever happens to them on the way: a number that they do not say.

const span = (from: string, to: string): Span => ({ from_ms: Date.parse(from), to_ms: Date.parse(to) });
const request = (path: string, station_id: string, of: Span): Request => ({
  paths: [path],
  covers: [{ place: { ...KNYC, station_id, climate_report_id: station_id }, span: of }],
  asked_ms: Date.parse('2026-11-22T12:00:00Z'),
});

/** What a source reads of an answer; undefined where it is unusable. Any other error is a fault. */
function readBy(source: PublicSource, body: string, of: Request): Reading | undefined {
  try {
    return source.read([body], of);
  } catch (error) {
    if (error instanceof GapError) return undefined;
    throw error;
  }
}

const DAY = 86_400_000;
const NBS = fixture('mos-nbs-kmia-2021-06-15.csv');
const MIAMI = request(
  '/cgi-bin/request/mos.py?station=KMIA&model=NBS',
  'KMIA',
  span('2021-06-15', '2021-06-16'),
);
const readNbm = (body: string): Reading | undefined => readBy(iemNbm, body, MIAMI);
const WHOLE = iemNbm.read([NBS], MIAMI);

const REPORTS: [string, Request][] = [
  [
    fixture('cli-knyc-2026.json'),
    request('/json/cli.py?station=KNYC&year=2026', 'KNYC', span('2026-09-13', '2026-09-16')),
  ],
  [
    fixture('cli-2026-09-24.json'),
    request('/geojson/cli.py?dt=2026-09-24', 'KNYC', span('2026-09-24', '2026-09-25')),
  ],
];
const readCli = (body: string, of: Request): Reading | undefined => readBy(iemCli, body, of);

describe('answers of the National Blend that are broken', () => {
  const values = ({ rows }: Reading): string[] =>
    rows.flatMap((row) => [
      ...(row.high_f ? [`${row.issued_at} ${row.target_date} high ${row.high_f}`] : []),
      ...(row.low_f ? [`${row.issued_at} ${row.target_date} low ${row.low_f}`] : []),
    ]);

  it('given any beginning of an answer, then it says nothing that the whole does not', () => {
    const whole = new Set(values(WHOLE));
    let read = 0;
    for (const body of beginnings(NBS)) {
      const reading = readNbm(body);
      if (reading === undefined) continue;
      read += 1;
      expect(values(reading).filter((value) => !whole.has(value))).to.deep.equal([]);
    }
    expect(read).to.equal(4);
  });

  it('given columns in any order, then the numbers are the same', () => {
    const random = new Random(1);
    const lines = NBS.trimEnd().split('\n');
    const width = (lines[0] ?? '').split(',').length;
    for (let run = 0; run < 20; run += 1) {
      const order = Array.from({ length: width }, (_, at) => [random.next(), at] as const).sort(
        ([a], [b]) => a - b,
      );
      const body = lines.map((line) => `${order.map(([, at]) => line.split(',')[at]).join(',')}\n`).join('');
      expect(readNbm(body)).to.deep.equal(WHOLE);
    }
  });

  it('given other encodings, then they are no answers; given other line ends, then the numbers are the same', () => {
    for (const body of otherEncodings(NBS)) expect(readNbm(body)).to.equal(undefined);
    expect(readNbm(NBS.replaceAll('\n', '\r'))).to.equal(undefined);
    expect(readNbm(NBS.replaceAll('\n', '\r\n'))).to.deep.equal(readNbm(NBS));
  });

  it('given random changes, then each number stands in a line of its run, time and station', () => {
    const random = new Random(20_261_122);
    let read = 0;
    for (let run = 0; run < range({ test: 200, ci: 10_000 }); run += 1) {
      const body = mutatedBody(NBS, random);
      const reading = readNbm(body);
      for (const value of reading ? values(reading) : []) {
        read += 1;
        const [issued_at = '', date = '', kind, degrees] = value.split(' ');
        const runtime = new Date(Date.parse(issued_at) - 75 * 60_000)
          .toISOString()
          .slice(0, 19)
          .replace('T', ' ');
        const ftime =
          kind === 'low'
            ? `${date} 12:00:00`
            : `${new Date(Date.parse(date) + DAY).toISOString().slice(0, 10)} 00:00:00`;
        const [names = [], ...lines] = body
          .split(/\r?\n/)
          .map((line) => line.split(',').map((cell) => cell.trim()));
        const columns = ['txn', 'n_x'].map((name) => names.indexOf(name));
        const saying = lines
          .filter((cells) => [runtime, ftime, 'NBS', 'KMIA'].every((one) => cells.includes(one)))
          .filter((cells) => columns.some((at) => cells[at] && `${Number(cells[at])}` === degrees));
        expect(saying, `${value} of ${body}`).to.not.be.empty;
      }
    }
    expect(read).to.be.greaterThan(100);
  });
});

describe('climate reports that are broken', () => {
  it('given any beginning of an answer, then it is none', () => {
    for (const [body, request] of REPORTS)
      expect(beginnings(body).filter((part) => readCli(part, request) !== undefined)).to.deep.equal([]);
  });

  it('given other encodings, then they are no answers', () => {
    for (const [body, request] of REPORTS)
      for (const other of otherEncodings(body)) expect(readCli(other, request)).to.equal(undefined);
  });

  it('given random changes, then each row stands in a report of its station and day', () => {
    const random = new Random(20_261_122);
    let read = 0;
    for (let run = 0; run < range({ test: 200, ci: 10_000 }); run += 1) {
      const [original, request] = random.of(REPORTS);
      const body = mutatedBody(original, random);
      if (readCli(body, request) === undefined) continue;
      const json = JSON.parse(body) as { results?: Report[]; features?: { properties: Report }[] };
      const reports = json.results ?? json.features?.map(({ properties }) => properties) ?? [];
      for (const row of readCli(body, request)?.rows ?? []) {
        read += 1;
        const value = (cell: unknown): string => (typeof cell === 'number' ? `${cell}` : '');
        const saying = reports.filter(
          (one) =>
            one?.station === row.station_id &&
            one.valid === row.date &&
            value(one.high) === row.high_f &&
            value(one.low) === row.low_f &&
            one.product.slice(0, 12) === row.observed_at?.replace(/\D/g, '').slice(0, 12),
        );
        expect(saying, `${JSON.stringify(row)} of ${body}`).to.not.be.empty;
      }
    }
    expect(read).to.be.greaterThan(20);
  });
});

interface Report {
  station: string;
  valid: string;
  product: string;
  high: unknown;
  low: unknown;
}
