import { expect } from 'chai';
import { DAY_MS } from '../../../src/statistics/time/calendar.js';
import {
  type FeedLine,
  type CodeSource,
  type PublicSource,
  type Reading,
  type Request,
  GapError,
} from '../../../src/collect/source.js';
import { iemDaily } from '../../../src/collect/sources/iem-daily.js';
import { iemNbm } from '../../../src/collect/sources/iem-nbm.js';
import { iemPfm } from '../../../src/collect/sources/iem-pfm.js';
import { noaaNbp } from '../../../src/collect/sources/noaa-nbp.js';
import { beginnings, mutatedBody, otherEncodings } from '../../support/collect/fixtures.js';
import { deformed } from '../../support/collect/mutations.js';
import { RECORDED, type Recorded } from '../../support/collect/recorded.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

// An answer must never become a number that it does not say, whatever happens to it on the way.

interface Answer {
  source: PublicSource;
  body: string;
  request: Request;
  /** Whether a damaged body says this row, of an answer whose numbers are damaged too; else only its form is. */
  says?: (body: string, row: FeedLine) => boolean;
  /** Which beginnings are read: none, those that end with a line, or any, with a gap. */
  beginnings: 'none' | 'lines' | 'gap';
  /** A loss of it is named in the report, or so much as one loss makes it no answer. */
  loss?: 'named' | 'no answer';
}

const MATRIX = RECORDED['a Point Forecast Matrix'] as Recorded;
const EXTREMES_ALONE = MATRIX.body.replace(/^(Dew|RH|Wind|Cloud|PoP|QPF|Snow|PWind).*\n/gm, '').trimEnd();

const OF_RUN = RECORDED['a run of Open-Meteo'] as Recorded;

const recorded = (name: string, rest: Omit<Answer, 'source' | 'body' | 'request'>): [string, Answer] => [
  name,
  { ...(RECORDED[name] as Recorded), ...rest },
];
const ANSWERS: [what: string, answer: Answer][] = [
  recorded('a day of the National Blend', { says: saysBlend, beginnings: 'lines' }),
  recorded('climate reports of a year', { says: saysReport, beginnings: 'none' }),
  recorded('climate reports of a day', { says: saysReport, beginnings: 'none' }),
  recorded('daily summaries of two airports', { beginnings: 'lines' }),
  recorded('reports of two airports', { says: saysMetar, beginnings: 'lines' }),
  recorded('a run of NBP', { beginnings: 'lines' }),
  ['a Point Forecast Matrix', { ...MATRIX, body: EXTREMES_ALONE, beginnings: 'gap', loss: 'named' }],
  [
    'a run of Open-Meteo',
    { ...OF_RUN, body: OF_RUN.body.replaceAll(',"', ',\n"'), beginnings: 'none', loss: 'no answer' },
  ],
];

for (const [what, { source, body, request, says: saysIt, beginnings: readable, loss }] of ANSWERS) {
  describe(`an answer of ${what} that is damaged`, () => {
    let whole: Reading;
    before(async () => (whole = await source.read([body], request)));
    const damaged = (random: Random): string =>
      saysIt ? mutatedBody(body, random) : deformed(body, random).body;

    /** A table of the blend without rows is no answer, nor its text without stations; one of daily summaries may be. */
    const isEmpty = (part: string): boolean =>
      (source === iemNbm && part.split('\n').length === 2) ||
      (source === noaaNbp && !part.includes('GUIDANCE'));

    /** The reading of a body; undefined where it is unusable. Any other error is a fault, as is a row not in it. */
    async function judged(given: string, says: Answer['says']): Promise<Reading | undefined> {
      let reading: Reading;
      try {
        reading = await source.read([given], request);
      } catch (error) {
        expect(error, given).to.be.instanceOf(GapError);
        return undefined;
      }
      for (const row of reading.rows)
        expect(says?.(given, row) ?? saysWhole(whole, row), `${JSON.stringify(row)} of ${given}`).to.be.true;
      if (loss === 'no answer') expect(reading.rows, given).to.deep.equal(whole.rows);
      if (loss === 'named' && numbersOf(reading) < numbersOf(whole))
        expect(reading.unusable.length + reading.gaps.length, given).to.be.above(0);
      return reading;
    }

    it('given any beginning of it, then it says nothing that the whole does not, and nothing looks whole', async () => {
      for (const part of beginnings(body)) {
        const reading = await judged(part, undefined);
        if (readable === 'gap') expect(reading?.gaps ?? ['none'], part).to.have.length(1);
        else
          expect(reading === undefined, part).to.equal(
            readable === 'none' || !part.endsWith('\n') || isEmpty(part),
          );
      }
    });

    it('given another encoding, then it is no answer', async () => {
      for (const other of otherEncodings(body)) {
        const reading = await judged(other, undefined);
        if (![iemPfm, noaaNbp].includes(source as CodeSource)) expect(reading).to.equal(undefined);
      }
    });

    it('given random damage, then each number that is read stands there', async () => {
      const random = new Random(20_261_122);
      let read = 0;
      for (let run = 0; run < range({ test: 80, ci: 1000, stress: 10_000 }); run += 1)
        read += (await judged(damaged(random), saysIt))?.rows.length ?? 0;
      expect(read, 'not all is refused').to.be.greaterThan(5);
    });
  });
}

describe('an answer in columns', () => {
  for (const [what, { source, body, request }] of ANSWERS.filter(([, { source }]) =>
    [iemNbm, iemDaily].includes(source as CodeSource),
  ))
    it(`of ${what}, given them in any order, or other line ends, then the numbers are the same`, async () => {
      const whole = await source.read([body], request);
      const random = new Random(1);
      const lines = body.trimEnd().split('\n');
      const width = (lines[0] ?? '').split(',').length;
      for (let run = 0; run < 20; run += 1) {
        const order = Array.from({ length: width }, (_, at) => [random.next(), at] as const);
        order.sort(([a], [b]) => a - b);
        const turned = lines.map((line) => `${order.map(([, at]) => line.split(',')[at]).join(',')}\n`);
        expect(source.read([turned.join('')], request)).to.deep.equal(whole);
      }
      expect(source.read([body.replaceAll('\n', '\r\n')], request)).to.deep.equal(whole);
      expect(() => source.read([body.replaceAll('\n', '\r')], request)).to.throw(GapError);
    });
});

const VALUES = ['high_f', 'low_f'] as const;

const numbersOf = ({ rows }: Reading): number =>
  rows.flatMap((row) => VALUES.filter((name) => row[name] !== '')).length;

/** Whether the undamaged answer has the values of a row, for its station, issuance and date. */
function saysWhole({ rows }: Reading, row: FeedLine): boolean {
  const names = ['station_id', 'issued_at', 'target_date', 'date', 'status', 'observed_at'];
  return rows.some(
    (one) =>
      names.every((name) => one[name] === row[name]) &&
      VALUES.every((name) => row[name] === '' || one[name] === row[name]),
  );
}

/** Whether a table of the blend has each value of a row in a line of its run, time and station. */
function saysBlend(body: string, { issued_at = '', target_date = '', ...row }: FeedLine): boolean {
  const [names = [], ...lines] = body
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.trim()));
  const columns = ['txn', 'n_x'].map((name) => names.indexOf(name));
  const runtime = new Date(Date.parse(issued_at) - 75 * 60_000).toISOString().slice(0, 19).replace('T', ' ');
  const next = new Date(Date.parse(target_date) + DAY_MS).toISOString().slice(0, 10);
  const times = { high_f: `${next} 00:00:00`, low_f: `${target_date} 12:00:00` };
  return VALUES.filter((name) => row[name] !== '').every((name) =>
    lines
      .filter((cells) => [runtime, times[name], 'NBS', 'KMIA'].every((one) => cells.includes(one)))
      .some((cells) => columns.some((at) => cells[at] && `${Number(cells[at])}` === row[name])),
  );
}

/** Whether a line of a station and time has the groups of a row's temperatures. */
function saysMetar(body: string, { station_id = '', at = '', ...row }: FeedLine): boolean {
  const sizes = (name: string): string => `${Math.round(Math.abs(Number(row[name])) * 10)}`.padStart(3, '0');
  const begins = `${station_id.replace(/^K/, '')},${at.slice(0, 16).replace('T', ' ')},`;
  const forms = [
    new RegExp(`\\sT[01]${sizes('temp_c')}|\\sM?${sizes('temp_c').replace(/0$/, '')}/`),
    ...(row.max_6h_c === '' ? [] : [new RegExp(`\\s1[01]${sizes('max_6h_c')}`)]),
    ...(row.min_6h_c === '' ? [] : [new RegExp(`\\s2[01]${sizes('min_6h_c')}`)]),
  ];
  return body
    .split(/\r?\n/)
    .some((line) => line.startsWith(begins) && forms.every((form) => form.test(line)));
}

interface Report {
  station: string;
  valid: string;
  product: string;
  high: unknown;
  low: unknown;
}

/** Whether a list of climate reports has one of the station, day and time of a row with its values. */
function saysReport(body: string, row: FeedLine): boolean {
  const json = JSON.parse(body) as { results?: Report[]; features?: { properties: Report }[] };
  const reports = json.results ?? json.features?.map(({ properties }) => properties) ?? [];
  // A report has whole °F; another number is told, and the rest of its report stays.
  const value = (cell: unknown): string =>
    Number.isInteger(cell) && Math.abs(cell as number) <= 150 ? `${cell as number}` : '';
  return reports.some(
    (one) =>
      one?.station === row.station_id &&
      one.valid === row.date &&
      value(one.high) === row.high_f &&
      value(one.low) === row.low_f &&
      one.product.slice(0, 12) === row.observed_at?.replace(/\D/g, '').slice(0, 12),
  );
}
