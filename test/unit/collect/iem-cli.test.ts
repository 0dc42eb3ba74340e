import { expect } from 'chai';
import { type StationPlace, type Reading, type Request, GapError } from '../../../src/collect/source.js';
import { iemCli } from '../../../src/collect/sources/iem-cli.js';
import { fixture } from '../../support/collect/fixtures.js';
import {
  cliObservations,
  iemCli as stub,
  isCorrected,
  normalOf,
} from '../../support/collect/stub/iem-cli.js';
import { inOrder, readingsOf, spanOf } from '../../support/collect/reading.js';
import { KDEN, KNYC, KORD, observed, PLACES } from '../../support/collect/world.js';
import { refusalOf } from '../../support/refusal.js';
import { range } from '../../support/runner/range.js';

/** A zone that is new takes a third of a second: `make test` has one. */
const STATIONS = range({ test: 1, ci: 3 }, [KNYC, KORD, KDEN]);
const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY = 86_400_000;

const named = (station_id: string): StationPlace => ({ ...KNYC, station_id, climate_report_id: station_id });

const YEAR: Request = {
  paths: ['/json/cli.py?station=KNYC&year=2026'],
  covers: [{ place: KNYC, span: spanOf('2026-09-13', '2026-09-16') }],
  requested_ms: NOW,
};
const RECORDED = fixture('cli-knyc-2026.json');
const ONE_DAY: Request = {
  paths: ['/geojson/cli.py?dt=2026-09-24'],
  covers: [{ place: KNYC, span: spanOf('2026-09-24', '2026-09-25') }],
  requested_ms: Date.parse('2026-09-27T00:00:00Z'),
};
const DAY_RECORDED = fixture('cli-2026-09-24.json');
const PRODUCT = '202609242037-KOKX-CDUS41-CLINYC';

const brief = ({ rows }: Reading): string[] =>
  rows.map(
    (row) => `${row.station_id} ${row.date} ${row.high_f}/${row.low_f} ${row.status} ${row.observed_at}`,
  );
const unusable = (body: string, of: Request): string => refusalOf(GapError, () => iemCli.read([body], of));
const changed = (body: string, from: string, to: string): string => {
  expect(body).to.include(from);
  return body.replaceAll(from, to);
};

describe('what climate reports say', () => {
  it('given two reports of one day, then the one with the greatest name holds, wherever it stands', () => {
    const { features } = JSON.parse(DAY_RECORDED) as { features: { properties: object }[] };
    const corrected = { ...features[1]?.properties, product: `${PRODUCT}-CCA`, high: 67 };
    const correction = { properties: corrected };
    for (const list of [
      [...features, correction],
      [correction, ...features],
    ])
      expect(brief(iemCli.read([JSON.stringify({ features: list })], ONE_DAY))).to.deep.equal([
        'KNYC 2026-09-24 67/53 preliminary 2026-09-24T20:37:00Z',
      ]);
  });

  it('given days without a report, then those over since a day are missing, others not there yet', () => {
    const asked = (requested_ms: number): string[] =>
      iemCli
        .read([RECORDED], {
          ...YEAR,
          covers: [{ place: KNYC, span: spanOf('2026-09-11', '2026-09-19') }],
          requested_ms,
        })
        .gaps.map(({ span: { from_ms, to_ms } }) =>
          [from_ms, to_ms].map((ms) => new Date(ms).toISOString().slice(0, 10)).join(),
        );
    expect(asked(Date.parse('2026-09-18T04:59:59Z'))).to.deep.equal(['2026-09-11,2026-09-13']);
    expect(asked(Date.parse('2026-09-18T05:00:00Z'))).to.deep.equal([
      '2026-09-11,2026-09-13',
      '2026-09-16,2026-09-17',
    ]);
    const newYear = (requested_at: string): string => {
      const covers = [{ place: KNYC, span: spanOf('2026-01-01', '2026-01-02') }];
      return unusable('{"results": []}', { ...YEAR, covers, requested_ms: Date.parse(requested_at) });
    };
    expect(newYear('2026-01-03T04:59Z')).to.equal('');
    expect(newYear('2026-01-03T05:00Z')).to.not.equal('');
  });

  it("given a station whose reports have another name, then they are asked by that, and are its airport's", () => {
    const bethel: StationPlace = { ...KNYC, station_id: 'PABE', climate_report_id: 'PBET', wfo: 'AFC' };
    const needs = [{ place: bethel, span: spanOf('2026-09-13', '2026-09-16') }];
    const [asked] = iemCli.plan(needs, NOW);
    expect(asked?.paths).to.deep.equal(['/json/cli.py?station=PBET&year=2026']);
    const body = changed(changed(RECORDED, 'KNYC', 'PBET'), 'KOKX-CDUS41-CLINYC', 'PABE-CDAK48-CLIBET');
    const reading = iemCli.read([body], asked as Request);
    expect(reading.rows.map(({ station_id }) => station_id)).to.deep.equal(['PABE', 'PABE']);
    expect(reading.normals?.[0]?.station_id).to.equal('PABE');
    expect(reading.unusable).to.deep.equal([]);
  });

  it('given the amount of a day, then a trace stays one, M is not known, and what is no amount is told', () => {
    const report = (JSON.parse(DAY_RECORDED) as { features: { properties: object }[] }).features.find(
      ({ properties }) => 'station' in properties && properties.station === 'KNYC',
    )!.properties;
    for (const [precip, said, told] of [
      [0.37, '0.37', []],
      [0, '0', []],
      ['T', 'T', []],
      [0.0001, '0', []],
      [0.005, '0', []],
      [0.0079, '0.01', []],
      ['M', '', []],
      [-1, '', ['precip is no amount of a day: -1']],
      ['wet', '', ['precip is no amount of a day: "wet"']],
    ] as const) {
      const body = JSON.stringify({ features: [{ properties: { ...report, precip } }] });
      const { rows, unusable } = iemCli.read([body], ONE_DAY);
      expect([rows[0]?.precip_in, unusable.map(({ reason }) => reason)], `${precip}`).to.deep.equal([
        said,
        told,
      ]);
    }
  });

  it('given a report without a high and a low, then its rain is read, and one without any value is no row', () => {
    const report = (JSON.parse(DAY_RECORDED) as { features: { properties: object }[] }).features.find(
      ({ properties }) => 'station' in properties && properties.station === 'KNYC',
    )!.properties;
    for (const [high, low, precip, expected] of [
      [null, null, 0.42, ['0.42']],
      ['M', 'MM', 0.5, ['0.5']],
      ['M', null, 'T', ['T']],
      ['M', 'M', 'M', []],
    ] as const) {
      const body = JSON.stringify({ features: [{ properties: { ...report, high, low, precip } }] });
      const { rows, gaps, unusable } = iemCli.read([body], ONE_DAY);
      expect(rows.map(({ high_f, low_f, precip_in }) => `${high_f}${low_f}${precip_in}`)).to.deep.equal(
        expected,
      );
      expect([gaps, unusable]).to.deep.equal([[], []]);
    }
  });

  it('given a value that cannot be read, then it is told, and the others of its report stay', () => {
    const report = (JSON.parse(DAY_RECORDED) as { features: { properties: object }[] }).features.find(
      ({ properties }) => 'station' in properties && properties.station === 'KNYC',
    )!.properties;
    const readOf = (values: object): Reading =>
      iemCli.read([JSON.stringify({ features: [{ properties: { ...report, ...values } }] })], ONE_DAY);
    for (const [high, told] of [
      ['MM', []],
      ['57E', ['KNYC 2026-09-24: high is not a whole number of °F: "57E"']],
      [75.5, ['KNYC 2026-09-24: high is not a whole number of °F: 75.5']],
    ] as const) {
      const { rows, unusable, gaps } = readOf({ high, low: 53 });
      expect(rows.map(({ high_f, low_f }) => [high_f, low_f])).to.deep.equal([['', '53']]);
      expect(unusable.map(({ unit, reason }) => `${unit}: ${reason}`)).to.deep.equal(told);
      expect(gaps).to.deep.equal([]);
    }
    const { rows, normals } = readOf({ high: 70, low: 53, high_normal: 'x', low_normal: 58 });
    expect(rows.map(({ high_f, low_f }) => [high_f, low_f])).to.deep.equal([['70', '53']]);
    expect(normals).to.deep.equal([{ station_id: 'KNYC', month_day: '09-24', high_f: '', low_f: '58' }]);
    expect(readOf({ high: '57E', low: '40E' }).gaps).to.have.length(1);
  });

  it('given a station that a day of all stations lacks, then that day of it is missing', () => {
    const covers = [...ONE_DAY.covers, { place: named('KEWR'), span: spanOf('2026-09-24', '2026-09-25') }];
    const { gaps } = iemCli.read([DAY_RECORDED], { ...ONE_DAY, covers });
    expect(gaps).to.deep.equal([{ ...covers[1], reason: 'no climate report of KEWR' }]);
  });
});

describe('what is asked of climate reports', () => {
  const paths = (requests: readonly Request[]): string[] => requests.flatMap((one) => one.paths);

  it('given a need over two years, then each year of a station is one request, the newest first', () => {
    const plan = iemCli.plan([{ place: KNYC, span: spanOf('2025-11-01', '2026-11-22') }], NOW);
    expect(paths(plan)).to.deep.equal([
      '/json/cli.py?station=KNYC&year=2026',
      '/json/cli.py?station=KNYC&year=2025',
    ]);
    expect(plan.map(({ covers }) => covers)).to.deep.equal([
      [{ place: KNYC, span: spanOf('2026-01-01', '2026-11-22') }],
      [{ place: KNYC, span: spanOf('2025-11-01', '2026-01-01') }],
    ]);
  });

  it('given needs of a station in one year, then they share a request', () => {
    const needs = ['2026-02-01', '2026-06-01'].map((day) => ({
      place: KNYC,
      span: spanOf(day, `${day.slice(0, 8)}03`),
    }));
    const plan = iemCli.plan(needs, NOW);
    expect(plan.map(({ covers }) => covers)).to.deep.equal([needs]);
  });

  it('given the last two days of three stations, then days of all are asked for; of two, years', () => {
    const places = ['KAAA', 'KBBB', 'KCCC'].map(named);
    const needs = places.map((place) => ({ place, span: { from_ms: NOW - DAY, to_ms: NOW } }));
    const plan = iemCli.plan(needs, NOW);
    expect(paths(plan)).to.deep.equal(['/geojson/cli.py?dt=2026-11-22', '/geojson/cli.py?dt=2026-11-21']);
    expect(plan[0]?.covers).to.have.length(3);
    expect(plan[1]?.covers[0]?.span).to.deep.equal({ from_ms: NOW - DAY, to_ms: Date.parse('2026-11-22') });
    expect(paths(iemCli.plan(needs.slice(1), NOW))).to.deep.equal([
      '/json/cli.py?station=KBBB&year=2026',
      '/json/cli.py?station=KCCC&year=2026',
    ]);
  });

  it('given days that are older than eight, then they come with years, and what is new of them too', () => {
    const places = Array.from({ length: 12 }, (_, at) => named(`K${100 + at}`));
    const needs = places.map((place, at) => ({
      place,
      span: { from_ms: NOW - (at === 0 ? 9 : 7) * DAY, to_ms: NOW },
    }));
    const asked = paths(iemCli.plan(needs, NOW));
    expect(asked.filter((path) => path.startsWith('/json'))).to.deep.equal([
      '/json/cli.py?station=K100&year=2026',
    ]);
    expect(asked.filter((path) => path.startsWith('/geojson'))).to.have.length(8);
  });

  it('given stations, then those with climate reports are served, and a day is due once it is over', () => {
    expect(PLACES.filter(iemCli.serves)).to.deep.equal([KNYC, KORD, KDEN]);
    expect(iemCli.serves({ ...KNYC, climate_report_id: '' })).to.be.false;
    const days = spanOf('2024-02-28', '2024-03-01');
    for (const [asked, expected] of [
      ['2024-03-01T12:00Z', 2],
      ['2024-03-01T11:59Z', 1],
      ['2024-02-28T00:00Z', 0],
    ] as const)
      expect(iemCli.expected(days, Date.parse(asked))).to.equal(expected);
  });
});

describe('climate reports of the world', () => {
  const read = (from: string, to: string, now_ms: number, places = STATIONS): Reading[] =>
    readingsOf(iemCli, stub, places, spanOf(from, to), now_ms);

  it('given two years with a leap day and clock changes, then exactly its numbers and normals are read', () => {
    const readings = read('2024-01-15', '2025-12-20', NOW);
    const wanted = STATIONS.flatMap((place) =>
      cliObservations(place, spanOf('2024-01-15', '2025-12-20'), NOW),
    );
    expect(inOrder(readings.flatMap(({ rows }) => rows))).to.deep.equal(inOrder(wanted));
    expect(readings.flatMap(({ gaps, unusable }) => [...gaps, ...unusable])).to.deep.equal([]);
    expect(wanted.find(({ date }) => date === '2024-02-29')).to.include({
      high_f: `${observed('KNYC', '2024-02-29').high_f}`,
      status: 'verified',
    });
    const { high_f, low_f } = normalOf('KNYC', '02-29');
    expect(readings.flatMap(({ normals = [] }) => normals)).to.deep.include({
      station_id: 'KNYC',
      month_day: '02-29',
      high_f: `${high_f}`,
      low_f: `${low_f}`,
    });
  });

  it('given a day as it becomes known, then nothing, a preliminary, a final and a corrected value are read', () => {
    const dates = Array.from({ length: 200 }, (_, at) => new Date(NOW - at * DAY).toISOString().slice(0, 10));
    const date = dates.find((one) => isCorrected('KNYC', one)) ?? '';
    const after = new Date(Date.parse(date) + DAY).toISOString().slice(0, 10);
    const at = (hours: number): string[] =>
      read(date, after, Date.parse(date) + hours * 3_600_000, [KNYC]).flatMap(brief);
    const { high_f, low_f } = observed('KNYC', date);
    const later = new Date(Date.parse(date) + 2 * DAY).toISOString().slice(0, 10);
    expect(at(20.9)).to.deep.equal([]);
    expect(at(21)).to.deep.equal([`KNYC ${date} ${high_f - 1}/${low_f} preliminary ${date}T21:00:00Z`]);
    expect(at(30.5)).to.deep.equal([`KNYC ${date} ${high_f + 1}/${low_f} verified ${after}T06:30:00Z`]);
    expect(at(54.5)).to.deep.equal([`KNYC ${date} ${high_f}/${low_f} verified ${later}T06:30:00Z`]);
  });
});
