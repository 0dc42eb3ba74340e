import { expect } from 'chai';
import { HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { type StationPlace, type Reading, type Request, GapError } from '../../../src/collect/source.js';
import { iemPfm } from '../../../src/collect/sources/iem-pfm.js';
import { fixture } from '../../support/collect/fixtures.js';
import {
  iemPfm as stub,
  pfmIssues,
  productText,
  type Wording,
  type Zone,
} from '../../support/collect/stub/iem-pfm.js';
import { readingsOf, spanOf } from '../../support/collect/reading.js';
import { EGLL, forecastOf, KDEN, KNYC, KORD } from '../../support/collect/world.js';

const [EARLY, LATE] = [fixture('pfm-okx-march.txt'), fixture('pfm-okx-october.txt')];
const at = (text: string): number => Date.parse(text);
const ALL = spanOf('2017-03-01', '2028-01-01');

const request = (place: StationPlace = KNYC, span = ALL): Request => ({
  paths: [''],
  covers: [{ place, span }],
  requested_ms: span.to_ms,
});
const read = (body: string, asked: Request = request()): Reading => iemPfm.read([body], asked);

/** `10-06 49 63`: low and high of a date. */
const short = ({ rows }: Reading): string[] =>
  rows.map(({ target_date, low_f, high_f }) => `${target_date?.slice(5)} ${low_f || '-'} ${high_f || '-'}`);
const reasons = ({ unusable }: Reading): string =>
  unusable.map(({ unit, reason }) => `${unit}: ${reason}`).join('\n');

// answers.txt has what recorded products say.
const OCTOBER = short(read(LATE));

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
  describe('of Hawaii, Samoa and Guam', () => {
    for (const [wfo, label, hours, latitude, longitude] of [
      ['HFO', 'HST', -10, 21.33, -157.94],
      ['PPG', 'SST', -11, -14.33, -170.71],
      ['GUM', 'CHST', 10, 13.48, 144.8],
    ] as const)
      it(`have maxima under 06Z and minima under 18Z, each of its day in ${label}`, () => {
        const place: StationPlace = { ...KNYC, wfo, latitude, longitude };
        const issued_ms = at('2026-10-05T02:10Z');
        const values = (date: string) => {
          const day = Number(date.slice(8));
          return { high_f: 80 + day, low_f: 60 + day };
        };
        const points = [{ name: 'the airport', at: [latitude, longitude] as const, values }];
        const zone = { label, hours };
        const body = productText({ wfo, issued_ms, said_ms: issued_ms, zone, points });
        const reading = read(body, request(place));
        expect(reading.unusable).to.deep.equal([]);
        expect(reading.rows.length).to.be.greaterThan(5);
        for (const { target_date = '', high_f, low_f } of reading.rows) {
          const truth = values(target_date);
          expect(['', `${truth.high_f}`]).to.include(high_f);
          expect(['', `${truth.low_f}`]).to.include(low_f);
        }
        const whole = reading.rows.filter(({ high_f, low_f }) => high_f !== '' && low_f !== '');
        expect(whole).to.have.length.greaterThan(3);
      });
  });

  describe('of temperatures at hours', () => {
    /** `10-05T21Z 66`. */
    const hours = ({ hourly_forecasts = [] }: Reading): string[] =>
      hourly_forecasts.map(({ valid_at = '', temp_f }) => `${valid_at.slice(5, 13)}Z ${temp_f}`);

    it('are those of the columns of both tables, from issuance to 72 hours after it', () => {
      const { hourly_forecasts = [] } = read(LATE);
      const [first] = hourly_forecasts;
      expect(first).to.deep.equal({
        station_id: 'KNYC',
        issued_at: '2026-10-05T19:01:00.000Z',
        valid_at: '2026-10-05T21:00:00.000Z',
        temp_f: '66',
        provider: 'nws',
        ...{ dew_point_f: '41', humidity_pct: '40', cloud_pct: '15', wind_mph: '20', gust_mph: '' },
        precip_chance_12h: '',
      });
      const ofFirst = hours({
        ...read(LATE),
        hourly_forecasts: hourly_forecasts.filter(({ issued_at }) => issued_at === first?.issued_at),
      });
      expect(ofFirst).to.have.length(23);
      expect(ofFirst.slice(0, 3)).to.deep.equal(['10-05T21Z 66', '10-06T00Z 61', '10-06T03Z 56']);
      expect(ofFirst.slice(-3)).to.deep.equal(['10-08T09Z 55', '10-08T12Z 57', '10-08T18Z 75']);
    });

    it('given a row of UTC above one of local time, then hours are the same', () => {
      const place = { ...KORD, wfo: 'LOT', latitude: 41.78, longitude: -87.76 };
      const found = hours(read(fixture('pfm-lot.txt'), request(place)));
      expect(found.slice(0, 3)).to.deep.equal(['03-14T11Z 41', '03-14T14Z 43', '03-14T17Z 46']);
    });

    it('given values that cannot be used, then each is named, and highs and lows stay', () => {
      for (const [from, to, lost, reason] of [
        ['Temp          66 61', 'Temp          MM 61', 1, /^$/],
        ['Temp          66 61', 'Temp          6X 61', 1, /6X is not a temperature$/],
        ['Temp          66 61', 'Temp         66  61', 1, /66 is not under an hour$/],
        ['60 58 55 57\n', '60 58 55 57 99\n', 22, /its row of Temp is longer than its rows of hours$/],
      ] as const) {
        expect(LATE).to.include(from);
        const reading = read(LATE.replace(from, to));
        expect(hours(reading), to).to.have.length(hours(read(LATE)).length - lost);
        expect(reasons(reading), to).to.match(reason);
        expect(short(reading), to).to.deep.equal(OCTOBER);
      }
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

    const TWO = 'PFMOKX has two points as near';
    for (const [name, points, says] of [
      ['no point within 8 km', [point('9 km', 40.86, 50)], 'PFMOKX has no point within 8 km of KNYC'],
      ['a point of its city and one as far, beyond 8 km', [point('a', 40.85, 50), point('b', 40.7, 50)], TWO],
      ['two points equally near', [point('a', 40.77, 50), point('b', 40.79, 60)], TWO],
    ] as const) {
      it(`with ${name} is a gap`, () => {
        const { rows, gaps } = of(...points);
        expect([rows.length, gaps.length]).to.deep.equal([0, 1]);
        expect(gaps[0]).to.include({ place: KNYC, span: ALL });
        expect(gaps[0]?.reason).to.contain(says);
      });
    }

    it('whose point stands twice in a product has nothing of that product', () => {
      const points = [point('a', 40.78, 50), point('b', 40.78, 60)];
      const reading = read(productText(wording({ issued_ms, points })) + LATE);
      expect(short(reading)).to.deep.equal(OCTOBER);
      expect(reasons(reading)).to.contain('its point occurs 2 times: a, b');
    });
  });

  describe('an answer', () => {
    it('that has no product of a month is a gap; of a few hours it is not', () => {
      const nothing = 'ERROR: Could not Find: PFMOKX\n';
      expect(() => read(nothing))
        .to.throw(GapError, 'PFMOKX has no product between')
        .with.property('kind', 'absent');
      const hours = spanOf('2026-10-01T00:00Z', '2026-10-01T05:00Z');
      expect(read(nothing, request(KNYC, hours))).to.deep.equal({ rows: [], unusable: [], gaps: [] });
    });

    it('that is cut off covers what comes before its last whole product, and names what is lost', () => {
      const reading = read((EARLY + LATE).slice(0, -3));
      expect(short(reading)).to.have.length(7);
      expect(reasons(reading)).to.equal('PFMOKX FOUS51 KOKX 051901: the product is cut off');
      expect(reading.gaps).to.deep.equal([
        {
          place: KNYC,
          span: { ...ALL, from_ms: at('2021-03-12T23:05Z') },
          reason: 'the response is cut off',
        },
      ]);
    });

    it('has nothing of another office, of another time, or of two products in one', () => {
      const span = spanOf('2026-10-01', '2026-11-01');
      const other = LATE.replace('PFMOKX', 'PFMLOT');
      const glued = (LATE + LATE).replace('\u0003\n\u0001\n', '');
      const reading = read(EARLY + other + glued + LATE, request(KNYC, span));
      expect(short(reading)).to.deep.equal(OCTOBER);
      expect(reasons(reading)).to.match(
        /is PFMLOT and not PFMOKX\n.*two WMO headers.*\n.*which was not requested$/,
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
      const span = spanOf(from, to);
      const places = [KNYC, KORD, KDEN];
      const readings = readingsOf(iemPfm, stub, places, span, span.to_ms);
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
          for (const what of ['high_f', 'low_f'])
            expect(own.filter((row) => row[what] !== '').length, `${station_id} ${issued_ms}`).to.be.within(
              6,
              7,
            );
        }
      }
    }
  });
});
