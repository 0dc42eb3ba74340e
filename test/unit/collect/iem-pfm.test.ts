import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { type StationPlace, type Reading, type Request, GapError } from '../../../src/collect/source.js';
import { iemPfm } from '../../../src/collect/sources/iem-pfm.js';
import { deformed } from '../../support/collect/mutations.js';
import {
  iemPfm as stub,
  pfmIssues,
  productText,
  type Wording,
  type Zone,
} from '../../support/collect/stub/iem-pfm.js';
import { EGLL, forecastOf, KDEN, KNYC, KORD, PLACES } from '../../support/collect/world.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

const fixture = (name: string): string =>
  readFileSync(new URL(`../../support/collect/fixtures/${name}`, import.meta.url), 'utf8');
const OKX = fixture('pfm-okx.txt');
const [EARLY = '', LATE = ''] = OKX.split('\u0003\n').map((text) => `${text}\u0003\n`);
const at = (text: string): number => Date.parse(text);
const ALL = { from_ms: at('2017-03-01T00:00Z'), to_ms: at('2028-01-01T00:00Z') };

const request = (place: StationPlace = KNYC, span = ALL): Request => ({
  paths: [''],
  covers: [{ place, span }],
  asked_ms: span.to_ms,
});
const read = (body: string, asked: Request = request()): Reading => iemPfm.read([body], asked);

/** `10-06 49 63`: low and high of a date. */
const short = ({ rows }: Reading): string[] =>
  rows.map(({ target_date, low_f, high_f }) => `${target_date?.slice(5)} ${low_f || '-'} ${high_f || '-'}`);
const reasons = ({ unusable }: Reading): string =>
  unusable.map(({ unit, reason }) => `${unit}: ${reason}`).join('\n');

const OCTOBER = [
  '10-06 49 63',
  '10-07 47 68',
  '10-08 55 76',
  '10-09 57 72',
  '10-10 55 69',
  '10-11 53 68',
  '10-12 57 71',
];

const EST: Zone = { label: 'EST', hours: -5 };
const EDT: Zone = { label: 'EDT', hours: -4 };
const wording = (rest: Partial<Wording> & { issued_ms: number }): Wording => ({
  wfo: 'OKX',
  zone: EDT,
  points: [
    { name: 'Central Park-New York NY', at: [40.78, -73.97], values: () => ({ high_f: 60, low_f: 40 }) },
  ],
  ...rest,
});

describe('forecasts of the weather service, from Point Forecast Matrices', () => {
  describe('recorded products', () => {
    it('have minima under 12Z and maxima under 00Z, in both tables', () => {
      const reading = read(LATE);
      expect(short(reading)).to.deep.equal(OCTOBER);
      expect(reading.rows[0]).to.deep.equal({
        station_id: 'KNYC',
        issued_at: '2026-10-05T19:01:00.000Z',
        target_date: '2026-10-06',
        high_f: '63',
        low_f: '49',
        provider: 'nws',
      });
      expect({ ...reading, rows: [] }).to.deep.equal({
        rows: [],
        unusable: [],
        gaps: [],
        notes: [{ station_id: 'KNYC', note: 'Central Park-New York NY, 0.1 km away' }],
      });
    });

    it('keep the offset of their issuance over a change of clocks, and lose no day', () => {
      const march = [
        '03-13 31 47',
        '03-14 36 55',
        '03-15 25 38',
        '03-16 31 42',
        '03-17 37 51',
        '03-18 39 52',
        '03-19 42 49',
      ];
      expect(short(read(OKX))).to.deep.equal([...march, ...OCTOBER]);
    });

    it('of offices with columns at 11Z and 23Z, UTC above local time and capitals, are read as others', () => {
      const KMDW: StationPlace = { ...KORD, station_id: 'KMDW', latitude: 41.786, longitude: -87.752 };
      expect(short(read(fixture('pfm-lot.txt'), request(KMDW)))).to.deep.equal([
        '03-14 - 46',
        '03-15 31 35',
        '03-16 35 46',
        '03-17 35 50',
        '03-18 38 46',
        '03-19 34 45',
        '03-20 33 52',
      ]);
    });
  });

  describe('of Hawaii, Samoa and Guam', () => {
    for (const [wfo, label, hours, latitude, longitude] of [
      ['HFO', 'HST', -10, 21.33, -157.94],
      ['PPG', 'SST', -11, -14.33, -170.71],
      ['GUM', 'CHST', 10, 13.48, 144.8],
    ] as const)
      it(`have maxima under 06Z and minima under 18Z, each of its day in ${label}`, () => {
        const place: StationPlace = { ...KNYC, wfo, latitude, longitude };
        const issued_ms = at('2026-10-05T02:10Z');
        const values = (date: string) => ({
          high_f: 80 + Number(date.slice(8)),
          low_f: 60 + Number(date.slice(8)),
        });
        const points = [{ name: 'the airport', at: [latitude, longitude] as const, values }];
        const zone = { label, hours };
        const body = productText({ wfo, issued_ms, said_ms: issued_ms, zone, points });
        const reading = read(body, request(place));
        expect(reading.unusable).to.deep.equal([]);
        expect(reading.rows.length).to.be.greaterThan(5);
        for (const { target_date = '', high_f, low_f } of reading.rows) {
          const { high_f: high, low_f: low } = values(target_date);
          expect(['', `${high}`]).to.include(high_f);
          expect(['', `${low}`]).to.include(low_f);
        }
        expect(
          reading.rows.filter(({ high_f, low_f }) => high_f !== '' && low_f !== ''),
        ).to.have.length.greaterThan(3);
      });

    it('but a value under 06Z or 18Z of the lower 48 is none: it is night, or noon', () => {
      const reading = read(LATE.replace('   49       ', ' 49         '));
      expect(reasons(reading)).to.contain('49 stands under no minimum or maximum');
    });
  });

  describe('the time of issuance', () => {
    const issuedAt = (issued: string, said: string, zone: Zone): string | undefined =>
      read(productText(wording({ issued_ms: at(issued), said_ms: at(said), zone }))).rows[0]?.issued_at;

    for (const [issued, said, zone, name] of [
      ['2026-10-01T00:03:00.000Z', '2026-09-30T23:58Z', EDT, 'a month ends between the line and the header'],
      ['2027-01-01T00:05:00.000Z', '2026-12-31T23:50Z', EST, 'a year ends between the line and the header'],
      ['2026-03-01T04:30:00.000Z', '2026-03-01T04:30Z', EST, 'February is not over in local time'],
      ['2024-02-29T23:15:00.000Z', '2024-02-29T23:00Z', EST, 'the header is 15 minutes late'],
    ] as const) {
      it(`is that of the header when ${name}`, () => expect(issuedAt(issued, said, zone)).to.equal(issued));
    }

    for (const [issued, said, name] of [
      ['2026-10-05T19:16Z', '2026-10-05T19:00Z', 'more than 15 minutes after the line'],
      ['2026-10-05T18:59Z', '2026-10-05T19:00Z', 'before the line'],
      ['2026-10-06T19:00Z', '2026-10-05T19:00Z', 'of another day'],
    ] as const) {
      it(`is unknown, and the product unusable, when the header is ${name}`, () => {
        const reading = read(productText(wording({ issued_ms: at(issued), said_ms: at(said) })));
        expect(reading.rows).to.deep.equal([]);
        expect(reasons(reading)).to.match(
          /^PFMOKX FOUS51 KOKX \d{6}: header .* is not within 15 minutes after/,
        );
        expect(reading.gaps).to.have.length(1);
      });
    }

    it('is that of the product it corrects, whose values the correction replaces', () => {
      const issued_ms = at('2026-10-05T19:01Z');
      const [wrong, right] = [60, 61].map((high_f) => [
        { name: 'Central Park', at: [40.78, -73.97] as const, values: () => ({ high_f, low_f: 40 }) },
      ]);
      const first = productText(wording({ issued_ms, points: wrong ?? [] }));
      const correction = productText(wording({ issued_ms, points: right ?? [], correction: 'CCA' }));
      for (const body of [first + correction, correction + first]) {
        expect(new Set(read(body).rows.map(({ high_f }) => high_f))).to.deep.equal(new Set(['61', '']));
        expect(new Set(read(body).rows.map(({ issued_at }) => issued_at)).size).to.equal(1);
      }
    });
  });

  describe('a value', () => {
    for (const [name, from, to, lost, says] of [
      [
        'beside its column is dropped and named',
        '   49       ',
        '  49        ',
        '10-06 - 63',
        /49 stands under no min/,
      ],
      [
        'under no column of extremes is dropped and named',
        '49          63 ',
        '   49       63 ',
        '10-06 - 63',
        /49 stands/,
      ],
      ['that is MM is missing', '   49       ', '   MM       ', '10-06 - 63', /^$/],
      [
        'that is no number is dropped and named',
        '   49       ',
        '   4x       ',
        '10-06 - 63',
        /4x is no temp/,
      ],
      ['of three digits is read', '   49       ', ' -100       ', '10-06 -100 63', /^$/],
    ] as const) {
      it(name, () => {
        const reading = read(LATE.replace(from, to));
        expect(short(reading)).to.deep.equal([lost, ...OCTOBER.slice(1)]);
        expect(reasons(reading)).to.match(says);
      });
    }
  });

  describe('a table is not used, and is named,', () => {
    for (const [name, from, to, says] of [
      [
        'when its first value is not what its label says',
        'Min/Max  ',
        'Max/Min  ',
        /49 is the first of Max\/Min/,
      ],
      ['when its values moved on', 'Min/Max  ', 'Min/Max   ', /not as long as its rows of hours/],
      ['when its values moved by a day', /49 {10}63 {10}/, '', /not as long/],
      ['when its values are cut off', /68 {10}55/, '68          5', /not as long/],
      ['when its date is that of another column', 'Wed 10/07/26', 'Thu 10/08/26', /dates do not fit/],
      ['when its weekday is that of another date', 'Wed 10/07/26', 'Thu 10/07/26', /dates do not fit/],
      [
        'without dates',
        'Date           10/05/26      Tue 10/06/26            Wed 10/07/26',
        'Date ',
        /dates do not/,
      ],
      ['when it is of another year', /10\/0([567])\/26/g, '10/0$1/20', /columns begin at 2020-10-05T21/],
      ['when its hours jump', 'UTC 3hrly     21 00 03', 'UTC 3hrly     21 03 03', /rows of hours do not fit/],
      ['when its hours are not those of its zone', 'EDT 3hrly', 'CDT 3hrly', /rows of hours do not fit/],
      ['without hours', 'UTC 3hrly', 'UTC', /no rows of UTC and local/],
    ] as const) {
      it(name, () => {
        const reading = read(LATE.replace(from, to));
        expect(short(reading)).to.deep.equal(['10-08 - 76', ...OCTOBER.slice(3)]);
        expect(reasons(reading))
          .to.match(says)
          .and.to.match(/^KNYC FOUS51 KOKX 051901 of 2026-10-05T19:01Z: /);
      });
    }
  });

  describe('a station', () => {
    const issued_ms = at('2026-10-05T20:01Z');
    const point = (name: string, latitude: number, high_f: number): Wording['points'][number] => ({
      name,
      at: [latitude, -73.97],
      values: () => ({ high_f, low_f: 30 }),
    });
    const of = (...points: Wording['points']): Reading => read(productText(wording({ issued_ms, points })));

    it('has the nearest point', () => {
      const { rows } = of(point('4 km', 40.815, 50), point('here', 40.78, 60), point('31 km', 41.06, 70));
      expect(new Set(rows.map(({ high_f }) => high_f))).to.deep.equal(new Set(['60', '']));
    });

    it('has that of its city up to 8 km away, and the report says which and how far', () => {
      const { rows, notes } = of(point('the city', 40.85, 50), point('31 km', 41.06, 70));
      expect(new Set(rows.map(({ high_f }) => high_f))).to.deep.equal(new Set(['50', '']));
      expect(notes).to.deep.equal([{ station_id: 'KNYC', note: 'the city, 7.9 km away' }]);
    });

    for (const [name, points, says] of [
      ['no point within 8 km', [point('9 km', 40.86, 50)], 'PFMOKX has no point within 8 km of KNYC'],
      [
        'a point of its city and one as far, beyond 8 km',
        [point('7.9 km', 40.85, 50), point('8.8 km', 40.7, 50)],
        'PFMOKX has two points as near',
      ],
      [
        'two points equally near',
        [point('a', 40.77, 50), point('b', 40.79, 60)],
        'PFMOKX has two points as near',
      ],
    ] as const) {
      it(`with ${name} is a gap`, () => {
        const reading = of(...points);
        expect(reading.rows).to.deep.equal([]);
        expect(reading.gaps).to.have.length(1);
        expect(reading.gaps[0])
          .to.include({ place: KNYC, span: ALL })
          .and.to.have.property('reason')
          .contains(says);
      });
    }

    it('whose point stands twice in a product has nothing of that product', () => {
      const twice = productText(
        wording({ issued_ms, points: [point('a', 40.78, 50), point('b', 40.78, 60)] }),
      );
      const reading = read(twice + LATE);
      expect(short(reading)).to.deep.equal(OCTOBER);
      expect(reasons(reading)).to.contain('its point stands 2 times: a, b');
    });
  });

  describe('an answer', () => {
    it('that has no product of a month is a gap; of a few hours it is none', () => {
      const nothing = 'ERROR: Could not Find: PFMOKX\n';
      expect(() => read(nothing))
        .to.throw(GapError, 'PFMOKX has no product between')
        .with.property('is_final', false);
      const hours = { from_ms: at('2026-10-01T00:00Z'), to_ms: at('2026-10-01T05:00Z') };
      expect(read(nothing, request(KNYC, hours))).to.deep.equal({ rows: [], unusable: [], gaps: [] });
    });

    for (const body of [
      '',
      '<html>503</html>',
      'ERROR: Query took too long to complete',
      LATE.replaceAll('\u0001', ''),
    ]) {
      it(`that is ${JSON.stringify(body.slice(0, 20))} is none`, () =>
        expect(() => read(body)).to.throw(GapError));
    }

    it('that is cut off covers what comes before its last whole product, and names what is lost', () => {
      const reading = read(OKX.slice(0, -3));
      expect(short(reading)).to.have.length(7);
      expect(reasons(reading)).to.equal('PFMOKX FOUS51 KOKX 051901: the product is cut off');
      expect(reading.gaps).to.deep.equal([
        { place: KNYC, span: { ...ALL, from_ms: at('2021-03-12T23:05Z') }, reason: 'the answer is cut off' },
      ]);
    });

    it('has nothing of another office, of another time, or of two products in one', () => {
      const span = { from_ms: at('2026-10-01T00:00Z'), to_ms: at('2026-11-01T00:00Z') };
      const other = LATE.replace('PFMOKX', 'PFMLOT');
      const glued = (LATE + LATE).replace('\u0003\n\u0001\n', '');
      const reading = read(EARLY + other + glued + LATE, request(KNYC, span));
      expect(short(reading)).to.deep.equal(OCTOBER);
      expect(reasons(reading)).to.match(
        /is PFMLOT and not PFMOKX\n.*two WMO headers.*\n.*which was not asked$/,
      );
    });
  });

  it('asks once for an office and a month, the newest first, and for nothing to come', () => {
    const now = at('2026-11-02T12:30Z');
    const from_ms = at('2026-10-30T06:00Z');
    const KLGA: StationPlace = { ...KNYC, station_id: 'KLGA' };
    const needs = [
      { place: KNYC, span: { from_ms, to_ms: now + HOUR_MS } },
      { place: KLGA, span: { from_ms: from_ms - HOUR_MS, to_ms: now } },
      { place: EGLL, span: { from_ms, to_ms: now } },
    ];
    const requests = iemPfm.plan(needs, now);
    expect(requests.flatMap(({ paths }) => paths)).to.deep.equal([
      '/cgi-bin/afos/retrieve.py?pil=PFMOKX&sdate=2026-11-01T00:00Z&edate=2026-11-02T12:30Z&fmt=text&limit=9999&order=asc',
      '/cgi-bin/afos/retrieve.py?pil=PFMOKX&sdate=2026-10-30T05:00Z&edate=2026-11-01T00:00Z&fmt=text&limit=9999&order=asc',
    ]);
    expect(requests.map(({ covers }) => covers.map(({ place }) => place.station_id))).to.deep.equal([
      ['KNYC', 'KLGA'],
      ['KNYC', 'KLGA'],
    ]);
  });

  it('reads of the world what the world says, over both changes of clocks', () => {
    for (const [from, to] of [
      ['2026-03-06T00:00Z', '2026-03-08T18:00Z'],
      ['2026-10-31T00:00Z', '2026-11-02T00:00Z'],
    ] as const) {
      const span = { from_ms: at(from), to_ms: at(to) };
      const places = [KNYC, KORD, KDEN];
      const readings = iemPfm
        .plan(
          places.map((place) => ({ place, span })),
          span.to_ms,
        )
        .map((asked) =>
          read(stub(new URL(asked.paths[0] ?? '', 'http://iem'), span.to_ms, PLACES)?.body ?? '', asked),
        );
      expect(readings.flatMap(({ unusable, gaps }) => [...unusable, ...gaps])).to.deep.equal([]);
      const rows = readings.flatMap((reading) => reading.rows);
      for (const row of rows) {
        const { station_id = '', issued_at = '', target_date = '' } = row;
        const { high_f, low_f } = forecastOf('nws', station_id, at(issued_at), target_date);
        expect([`${high_f}`, '']).to.include(row.high_f, JSON.stringify(row));
        expect([`${low_f}`, '']).to.include(row.low_f, JSON.stringify(row));
      }
      for (const { station_id, wfo } of places) {
        for (const issued_ms of pfmIssues(wfo, span.from_ms, span.to_ms)) {
          const own = rows.filter(
            (row) => row.station_id === station_id && at(row.issued_at ?? '') === issued_ms,
          );
          const count = (what: 'high_f' | 'low_f'): number => own.filter((row) => row[what] !== '').length;
          expect([count('high_f'), count('low_f')], `${station_id} ${issued_ms}`).to.satisfy(
            (counts: number[]) => counts.every((one) => one === 6 || one === 7),
          );
        }
      }
    }
  });

  describe('a damaged answer', () => {
    const SMALL = LATE.replace(/^(Dew|RH|Wind|Cloud|PoP|QPF|Snow|PWind).*\n/gm, '');
    const TRUTH = new Map(read(SMALL).rows.map((row) => [`${row.issued_at} ${row.target_date}`, row]));

    /** Reads it, and holds what it says to the undamaged one. */
    function judge(body: string, mutation: string): Reading | undefined {
      let reading: Reading;
      try {
        reading = read(body);
      } catch (error) {
        expect(error, mutation).to.be.instanceOf(GapError);
        return undefined;
      }
      for (const { issued_at, target_date, high_f = '', low_f = '' } of reading.rows) {
        const truth = TRUTH.get(`${issued_at} ${target_date}`);
        expect(['', truth?.high_f], `${mutation} of ${target_date}:\n${body}`).to.include(high_f);
        expect(['', truth?.low_f], `${mutation} of ${target_date}:\n${body}`).to.include(low_f);
      }
      const isLess =
        reading.rows.length < TRUTH.size || reading.rows.some((row) => !row.high_f || !row.low_f);
      if (isLess)
        expect(reading.unusable.length + reading.gaps.length, `${mutation}:\n${body}`).to.be.above(0);
      return reading;
    }

    it('cut at any byte says that it is', () => {
      const end = SMALL.indexOf('\u0003');
      for (let length = 0; length <= end; length += 1) {
        expect(judge(SMALL.slice(0, length), `cut at ${length}`)?.gaps ?? ['none']).to.have.length(1);
      }
    });

    it('has no number that it does not say, and names what is lost', () => {
      const random = new Random(1501);
      for (let run = 0; run < range({ test: 200, ci: 10_000 }); run += 1) {
        const { body, mutation } = deformed(SMALL, random);
        judge(body, mutation);
      }
    });
  });
});
