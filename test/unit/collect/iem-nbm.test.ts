import { expect } from 'chai';
import { type StationPlace, type Reading, type Request, GapError } from '../../../src/collect/source.js';
import { iemNbm } from '../../../src/collect/sources/iem-nbm.js';
import { fixture } from '../../support/collect/fixtures.js';
import { iemNbm as stub, nbmForecasts } from '../../support/collect/stub/iem-nbm.js';
import { answered, inOrder, spanOf } from '../../support/collect/reading.js';
import { EGLL, KDEN, KNYC, KORD } from '../../support/collect/world.js';
import { refusalOf } from '../../support/refusal.js';
import { isInCi, range } from '../../support/runner/range.js';

const KMIA: StationPlace = { ...KNYC, station_id: 'KMIA', city_name: 'Miami', wfo: 'MFL', longitude: -80.3 };
/** A zone that is new takes a third of a second: `make test` has one, and Guam's. */
const STATIONS = range({ test: 1, ci: 3 }, [KNYC, KORD, KDEN]);
const NOW = Date.parse('2026-11-22T12:00:00Z');
const DAY = 86_400_000;
const NBS = '/cgi-bin/request/mos.py?station=KMIA&model=NBS';

/** A request of NBS alone, as before NBE was kept. */
const request = (
  place: StationPlace,
  of: Request['covers'][number]['span'],
  requested_ms = NOW,
): Request => ({
  paths: [NBS],
  covers: [{ place, span: of }],
  requested_ms,
});
const MIAMI = request(KMIA, spanOf('2021-06-15', '2021-06-16'));
const RECORDED = fixture('mos-nbs-kmia-2021-06-15.csv');
const NO_ROWS = fixture('mos-no-rows.csv');

const brief = ({ rows }: Reading): string[] =>
  rows.map((row) => `${row.issued_at} ${row.target_date} ${row.high_f}/${row.low_f}`).sort();
const unusable = (bodies: string[], of: Request): string =>
  refusalOf(GapError, () => iemNbm.read(bodies, of));
const changed = (...replacements: [string, string][]): string =>
  replacements.reduce((body, [from, to]) => {
    expect(body).to.include(from);
    return body.replaceAll(from, to);
  }, RECORDED);

describe('what the National Blend says', () => {
  it('given NBS and NBE of one run, then NBS holds where it has the day, and NBE says the rest', () => {
    const nbe =
      'runtime,ftime,model,station,txn\n' +
      '2021-06-15 01:00:00,2021-06-16 00:00:00,NBE,KMIA,91\n' +
      '2021-06-15 01:00:00,2021-06-17 00:00:00,NBE,KMIA,88\n';
    const reading = iemNbm.read([RECORDED, nbe], { ...MIAMI, paths: [NBS, NBS.replace('NBS', 'NBE')] });
    expect(brief(reading).slice(0, 2)).to.deep.equal([
      '2021-06-15T02:15:00Z 2021-06-15 90/',
      '2021-06-15T02:15:00Z 2021-06-16 88/79',
    ]);
    expect(reading.unusable).to.deep.equal([]);
  });

  it('given temperatures at hours, then those of NBS are forecasts of hours, but missing or invalid ones', () => {
    const hours = (body: string): string[] =>
      (iemNbm.read([body], MIAMI).hourly_forecasts ?? []).map((row) => Object.values(row).join(' '));
    expect(hours(RECORDED).slice(0, 2)).to.deep.equal([
      'KMIA 2021-06-15T02:15:00Z 2021-06-15T06:00:00Z 79 nbm 74 70 6 12  ',
      'KMIA 2021-06-15T02:15:00Z 2021-06-16T00:00:00Z 82 nbm 74 85 6 10 62 37',
    ]);
    const [, ...others] = hours(RECORDED);
    for (const other of ['', '-99', '79.5', '200'])
      expect(hours(changed(['NBS,79,74,210', `NBS,${other},74,210`])), other).to.deep.equal(others);
    expect(hours(changed(['2021-06-15 06:00:00', '2021-06-15 02:00:00'])), 'before issuance').to.deep.equal(
      others,
    );
  });

  it('given standard deviations, then each is the spread of its extreme; an invalid cell is named', () => {
    const spreads = (body: string): string => {
      const { rows, unusable } = iemNbm.read([body], MIAMI);
      const [{ high_f, high_sd_f, low_f, low_sd_f } = {}] = rows;
      return [high_f, high_sd_f, low_f, low_sd_f, ...unusable.map(({ reason }) => reason)].join();
    };
    expect(spreads(RECORDED)).to.equal('90,2,,');
    for (const missing of ['', '-99', '999.0'])
      expect(spreads(changed(['90.0,2.0', `90.0,${missing}`])), missing).to.equal('90,,,');
    for (const none of ['51', '-1', '2.5', 'M'])
      expect(spreads(changed(['90.0,2.0', `90.0,${none}`]))).to.equal(
        `90,,,,${none} is not a standard deviation in whole °F`,
      );
  });

  it('given Guam, where the blend has the minimum at 00Z, then each extreme is of its local day', () => {
    const guam: StationPlace = { ...KMIA, station_id: 'PGUM', wfo: 'GUM', timezone: 'Pacific/Guam' };
    // 00Z of the 16th is 10 AM of the 16th; 12Z is 10 PM.
    const body = changed(['KMIA', 'PGUM'], ['10,90.0,2.0', '10,77.0,2.0'], ['8,79.0,2.0', '8,86.0,2.0']);
    const reading = iemNbm.read([body], { ...request(guam, spanOf('2021-06-15', '2021-06-16')) });
    expect(brief(reading).slice(0, 1)).to.deep.equal(['2021-06-15T02:15:00Z 2021-06-16 86/77']);
    expect(reading.unusable).to.deep.equal([]);
  });

  it('given a run of after the clock, then it is left out', () => {
    const before = request(KMIA, spanOf('2021-06-15', '2021-06-16'), Date.parse('2021-06-15T14:14:59Z'));
    expect(brief(iemNbm.read([RECORDED], before))).to.have.length(2);
    const at = { ...before, requested_ms: before.requested_ms + 1000 };
    expect(brief(iemNbm.read([RECORDED], at))).to.have.length(3);
  });

  it('given two values for one extreme of a run, then the first holds and the second is named', () => {
    const line = RECORDED.split('\n')[2] ?? '';
    const reading = iemNbm.read([`${RECORDED}${line}\n${line.replace('90.0', '70.0')}\n`], MIAMI);
    expect(brief(reading)[0]).to.equal('2021-06-15T02:15:00Z 2021-06-15 90/');
    expect(reading.unusable.map(({ reason }) => reason)).to.deep.equal(['has 70 after 90']);
  });

  it('given no run that is due in the span, then no rows are no gap', () => {
    const early = request(
      KMIA,
      spanOf('2026-11-22T00:00Z', '2026-11-22T06:01Z'),
      Date.parse('2026-11-22T01:14Z'),
    );
    expect(iemNbm.read([NO_ROWS], early)).to.deep.equal({
      rows: [],
      hourly_forecasts: [],
      unusable: [],
      gaps: [],
    });
    const due = { ...early, requested_ms: Date.parse('2026-11-22T01:15Z') };
    expect(unusable([NO_ROWS], due)).to.equal('NBS has no rows of KMIA');
  });

  it('given rows of one of both models, then the span is missing beside what is there', () => {
    const paths = [NBS, NBS.replace('NBS', 'NBE')];
    const half = iemNbm.read([RECORDED, NO_ROWS], { ...MIAMI, paths });
    expect(half.rows).to.have.length(3);
    expect(half.gaps).to.deep.equal([{ ...MIAMI.covers[0], reason: 'NBE has no rows of KMIA' }]);
  });
});

describe('what is asked of the National Blend', () => {
  it('given a need of two years and more, then parts of at most 366 days are asked for, without gap', () => {
    const needs = [
      { place: KNYC, span: spanOf('2020-01-01', '2022-06-01') },
      { place: KORD, span: spanOf('2022-06-01', '2022-06-03') },
    ];
    const plan = iemNbm.plan(needs, NOW);
    const covered = plan.map(({ covers }) => covers[0]?.span ?? spanOf('', ''));
    expect(plan[0]?.covers[0]?.place).to.equal(KORD);
    expect(covered.slice(1).map(({ to_ms }) => to_ms)).to.deep.equal([
      Date.parse('2022-06-01'),
      ...covered.slice(1, -1).map(({ from_ms }) => from_ms),
    ]);
    expect(covered.at(-1)?.from_ms).to.equal(Date.parse('2020-01-01'));
    expect(covered.every(({ from_ms, to_ms }) => to_ms - from_ms <= 366 * DAY)).to.be.true;
  });

  it("given bounds that the archive takes as inclusive, then they are the span's first and last minute", () => {
    const [asked] = iemNbm.plan([{ place: KNYC, span: spanOf('2026-11-01', '2026-11-02') }], NOW);
    expect(asked?.paths).to.deep.equal(
      ['NBS', 'NBE'].map(
        (model) =>
          `/cgi-bin/request/mos.py?station=KNYC&model=${model}&sts=2026-11-01T00:00Z&ets=2026-11-01T23:59Z&format=csv`,
      ),
    );
  });

  it('given times before a model was kept, then they are not asked for', () => {
    const paths = (from: string, to: string): string[] =>
      iemNbm.plan([{ place: KNYC, span: spanOf(from, to) }], NOW).flatMap((one) => one.paths);
    expect(paths('2018-01-01', '2018-11-07')).to.deep.equal([]);
    expect(paths('2020-07-01', '2020-07-23')).to.have.length(1);
    expect(paths('2020-07-01', '2020-07-24')[1]).to.include(
      'model=NBE&sts=2020-07-23T00:00Z&ets=2020-07-23T23:59Z',
    );
  });

  it('given stations, then those of the NWS are served, but where 00Z and 12Z are no hours of extremes', () => {
    const serves = (zone: string): boolean => iemNbm.serves({ ...KNYC, timezone: zone });
    expect([...STATIONS, EGLL].filter(iemNbm.serves)).to.deep.equal(STATIONS);
    expect(serves('Asia/Tokyo')).to.be.false;
    const zones = isInCi ? ['Pacific/Honolulu', 'America/Anchorage', 'America/Puerto_Rico'] : [];
    for (const zone of zones) expect(serves(zone), zone).to.be.true;
  });

  it('given a span, then the runs that the archive keeps in it are expected once they are out', () => {
    for (const [from, to, asked, expected] of [
      ['2025-01-01', '2026-01-01', '2026-06-01', 1460],
      ['2026-05-04T19:00Z', '2026-05-05T12:00Z', '2026-06-01', 1],
      ['2026-05-05', '2026-05-06', '2026-06-01', 2], // the hours of the runs change that day, at noon
      ['2026-05-04', '2026-05-07', '2026-06-01', 10],
      ['2026-05-04T19:01Z', '2026-05-05T00:00Z', '2026-06-01', 0],
      ['2026-01-01T13:00Z', '2026-01-01T16:00Z', '2026-01-01T14:14Z', 0],
      ['2026-01-01T13:00Z', '2026-01-01T16:00Z', '2026-01-01T14:15Z', 1],
    ] as const)
      expect(iemNbm.expected(spanOf(from, to), Date.parse(asked)), `${from} ${asked}`).to.equal(expected);
  });
});

describe('the National Blend of the world', () => {
  const spans: [what: string, from: string, to: string][] = [
    ['a month of summer', '2026-07-01', '2026-08-01'],
    ['the first hours of the present runs', '2026-05-03T06:00Z', '2026-05-06T06:00Z'],
    ['the hours of 2020, a leap day', '2020-02-24', '2020-03-02'],
    ['the first NBE', '2020-07-21', '2020-07-25'],
    ['version 4.0 within the answer', '2020-09-28', '2020-10-02'],
    ['clocks that go forward', '2026-03-07', '2026-03-09'],
    ['clocks that go back, a month end', '2026-10-30', '2026-11-02'],
    ['the end of a year', '2025-12-30', '2026-01-02'],
    ['the last runs, which are not all out', '2026-11-20', '2026-11-22T12:00Z'],
  ];
  for (const [what, from, to] of spans)
    it(`given ${what}, then exactly its numbers are read`, () => {
      const needs = STATIONS.map((place) => ({ place, span: spanOf(from, to) }));
      for (const request of iemNbm.plan(needs, NOW)) {
        const reading = answered(iemNbm, stub, request, NOW);
        const [need] = request.covers;
        expect([...reading.unusable, ...reading.gaps]).to.deep.equal([]);
        const wanted = nbmForecasts(need?.place ?? KNYC, need?.span ?? spanOf('', ''), NOW);
        expect(wanted).to.not.be.empty;
        expect(inOrder(reading.rows)).to.deep.equal(inOrder(wanted));
      }
    });
});
