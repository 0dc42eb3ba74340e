import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DAY_MS } from '../../../src/statistics/time/calendar.js';
import {
  type FeedLine,
  type StationPlace,
  type Reading,
  type Request,
  GapError,
} from '../../../src/collect/source.js';
import { iemDaily } from '../../../src/collect/sources/iem-daily.js';
import { deformed } from '../../support/collect/mutations.js';
import { iemDaily as stub } from '../../support/collect/stub/iem-daily.js';
import { EGLL, KNYC, LFPG, observed, PLACES, RJTT } from '../../support/collect/world.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

const CSV = readFileSync(new URL('../../support/collect/fixtures/daily-gb.csv', import.meta.url), 'utf8');
const EGLC: StationPlace = { ...EGLL, station_id: 'EGLC', city_name: 'London City' };
const at = (text: string): number => Date.parse(text);
const ASKED_MS = at('2026-10-01T12:00Z');
const span = (from: string, to: string) => ({ from_ms: at(from), to_ms: at(to) });
const SEPTEMBER = span('2026-09-26', '2026-10-01');

const request = (places: readonly StationPlace[] = [EGLC, EGLL], asked_ms = ASKED_MS): Request => ({
  paths: [''],
  covers: places.map((place) => ({ place, span: SEPTEMBER })),
  asked_ms,
});
const read = (body: string, asked = request()): Reading => iemDaily.read([body], asked);
const short = ({ station_id, date, low_f, high_f, status }: FeedLine): string =>
  `${station_id} ${date?.slice(8)} ${low_f || '-'} ${high_f || '-'} ${status?.[0]}`;
const LINE = 'EGLL,2026-09-27,66.2,50.0';

describe('observations of airports, from daily summaries', () => {
  it('are verified from the third day on, and what is read before is preliminary', () => {
    const reading = read(CSV);
    expect(reading.rows.map(short)).to.deep.equal([
      'EGLC 27 51.8 66.2 v',
      'EGLC 28 - 68 v',
      'EGLL 26 46.4 64.4 v',
      'EGLL 27 50 66.2 v',
      'EGLL 28 53.6 69.8 v',
      'EGLL 29 55.4 71.6 p',
      'EGLL 30 57.2 62.6 p',
    ]);
    expect(reading.unusable).to.deep.equal([]);
  });

  it('have a time that follows from their date alone, by the local day until they are verified', () => {
    const observedAt = (asked_ms: number): string | undefined =>
      read(CSV, request([EGLL], asked_ms)).rows.find(({ date }) => date === '2026-09-27')?.observed_at;
    // London is an hour ahead.
    expect(observedAt(at('2026-09-27T22:59:59Z')), 'while the day runs').to.equal(undefined);
    expect(observedAt(at('2026-09-27T23:00Z'))).to.equal('2026-09-27T23:00:00.000Z');
    expect(observedAt(at('2026-09-29T23:59:59Z'))).to.equal('2026-09-27T23:00:00.000Z');
    expect(observedAt(at('2026-09-30T00:00Z'))).to.equal('2026-09-30T00:00:00.000Z');
    expect(observedAt(at('2027-09-30T00:00Z'))).to.equal('2026-09-30T00:00:00.000Z');
  });

  it('that are absent are a gap once no later pass would look for them', () => {
    const gaps = (asked_ms: number): string[] =>
      read(CSV, request([EGLC], asked_ms)).gaps.map(
        (gap) =>
          `${new Date(gap.span.from_ms).toISOString().slice(8, 10)}+${(gap.span.to_ms - gap.span.from_ms) / DAY_MS}`,
      );
    expect(gaps(at('2026-09-30T00:00Z'))).to.deep.equal([]);
    expect(gaps(ASKED_MS)).to.deep.equal(['26+1']);
    expect(gaps(at('2026-10-09T00:00Z'))).to.deep.equal(['26+1', '29+2']);
  });

  describe('an answer is none', () => {
    for (const [name, body] of [
      ['when it is an error', 'ERROR: station: EGLX not found in network: GB__ASOS'],
      ['when it is empty', ''],
      ['when it is a page', '<html>\n'],
      ['when it has another column', CSV.replace('min_temp_f', 'avg_temp_f')],
      ['when it has a column more', CSV.replace('min_temp_f', 'min_temp_f,precip')],
      ['when its last line does not end, as 9 may be 90', CSV.slice(0, -1)],
      ['when it is of another station', CSV.replaceAll(/EGL[A-Z]/g, 'LFPG')],
    ] as const) {
      it(name, () => expect(() => read(body)).to.throw(GapError));
    }
  });

  describe('a line is not used, and named,', () => {
    for (const [name, line, says] of [
      [
        'with a value that is no number',
        'EGLL,2026-09-27,6x.2,50.0',
        'EGLL 2026-09-27: 6x.2 is no temperature',
      ],
      [
        'with a value beyond all that is',
        'EGLL,2026-09-27,662,50.0',
        'EGLL 2026-09-27: 662 is no temperature',
      ],
      [
        'with a maximum below its minimum',
        'EGLL,2026-09-27,50.0,66.2',
        'EGLL 2026-09-27: its maximum 50 is below its',
      ],
      ['with a cell less', 'EGLL,2026-09-27,66.2', 'EGLL,2026-09-27,66.2: 3 cells instead of 4'],
      ['without a date', 'EGLL,2026-09-31,66.2,50.0', 'EGLL,2026-09-31,66.2,50.0: no date'],
      ['of a station that was not asked', 'EGLX,2026-09-27,66.2,50.0', 'EGLX: was not asked'],
      [
        'that contradicts another',
        `${LINE}\nEGLL,2026-09-27,67.2,50.0`,
        'EGLL 2026-09-27: stands there twice',
      ],
    ] as const) {
      it(name, () => {
        const reading = read(CSV.replace(LINE, line));
        const days = reading.rows.map(short);
        expect(days).to.not.include('EGLL 27 50 66.2 v');
        expect(days.filter((day) => !day.startsWith('EGLL 27'))).to.have.length(6);
        expect(reading.unusable.map(({ unit, reason }) => `${unit}: ${reason}`)).to.have.length(1);
        expect(`${reading.unusable[0]?.unit}: ${reading.unusable[0]?.reason}`).to.contain(says);
      });
    }
  });

  it('are read by the names of their columns, whatever their order', () => {
    const turned = CSV.replace(/^(.*),(.*),(.*),(.*)$/gm, '$4,$2,$1,$3');
    expect(read(turned)).to.deep.equal(read(CSV));
  });

  it('are asked for once for a network and a year, without what has not begun and without climate reports', () => {
    const now = at('2026-01-02T15:00Z');
    const KMDW: StationPlace = { ...EGLL, station_id: 'KMDW', country: 'US', daily_network: 'IL_ASOS' };
    const needs = [EGLC, EGLL, { ...KMDW, day_boundary: 'standard' as const }, KNYC].map((place) => ({
      place,
      span: span('2025-12-30', '2026-01-09'),
    }));
    const requests = iemDaily.plan(needs, now);
    const [rest, query] = [
      '&var=max_temp_f,min_temp_f&na=blank&format=csv',
      '/cgi-bin/request/daily.py?network=',
    ];
    expect(requests.flatMap(({ paths }) => paths)).to.deep.equal([
      `${query}GB__ASOS&stations=EGLC,EGLL&sts=2026-01-01&ets=2026-01-02${rest}`,
      `${query}IL_ASOS&stations=MDW&sts=2026-01-01&ets=2026-01-02${rest}`,
      `${query}GB__ASOS&stations=EGLC,EGLL&sts=2025-12-30&ets=2025-12-31${rest}`,
      `${query}IL_ASOS&stations=MDW&sts=2025-12-30&ets=2025-12-31${rest}`,
    ]);
    expect(
      iemDaily.read(['station,day,max_temp_f,min_temp_f\nMDW,2025-12-30,40.0,30.0\n'], requests[3] as Request)
        .rows,
    )
      .to.have.length(1)
      .and.to.have.nested.property('[0].station_id', 'KMDW');
  });

  it('are what the world says, of each day that is over', () => {
    const now = at('2026-01-04T13:00Z');
    const window = span('2025-10-20', '2026-01-05');
    const rows = iemDaily
      .plan(
        [EGLL, LFPG, RJTT].map((place) => ({ place, span: window })),
        now,
      )
      .flatMap((asked) => {
        const reading = read(
          stub(new URL(asked.paths[0] ?? '', 'http://iem'), now, PLACES)?.body ?? '',
          asked,
        );
        expect([...reading.unusable, ...reading.gaps]).to.deep.equal([]);
        return reading.rows;
      });
    for (const { station_id = '', date = '', high_f, low_f } of rows) {
      const truth = observed(station_id, date);
      expect({ high_f, low_f }).to.deep.equal({ high_f: `${truth.high_f}`, low_f: `${truth.low_f}` });
    }
    // 12 + 30 + 31 + 3 days.
    expect(new Set(rows.map(({ station_id, date }) => `${station_id} ${date}`)).size).to.equal(3 * 76);
    expect(rows).to.have.length(3 * 76);
  });

  describe('of a damaged answer', () => {
    const TRUTH = new Map(read(CSV).rows.map((row) => [`${row.station_id} ${row.date}`, row]));

    function judge(body: string, mutation: string): Reading | undefined {
      let reading: Reading;
      try {
        reading = read(body);
      } catch (error) {
        expect(error, mutation).to.be.instanceOf(GapError);
        return undefined;
      }
      for (const { station_id, date, high_f = '', low_f = '' } of reading.rows) {
        const truth = TRUTH.get(`${station_id} ${date}`);
        expect(['', truth?.high_f], `${mutation}:\n${body}`).to.include(high_f);
        expect(['', truth?.low_f], `${mutation}:\n${body}`).to.include(low_f);
      }
      return reading;
    }

    it('cut at any byte only what stands in whole lines is read', () => {
      for (let length = 0; length < CSV.length; length += 1) {
        const reading = judge(CSV.slice(0, length), `cut at ${length}`);
        expect(reading === undefined, `${length}`).to.equal(CSV[length - 1] !== '\n');
      }
    });

    it('no number is read that it does not say', () => {
      const random = new Random(1303);
      for (let run = 0; run < range({ test: 200, ci: 10_000 }); run += 1) {
        const { body, mutation } = deformed(CSV, random);
        judge(body, mutation);
      }
    });
  });
});
