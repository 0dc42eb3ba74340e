import { expect } from 'chai';
import { refusedCells, refusedGroups, workOfCells } from '../../../src/comparison/cells.js';
import { departure } from '../../../src/comparison/divergence/divergence-params.js';
import { hintOfLeads } from '../../../src/comparison/leads.js';
import type { Threshold } from '../../../src/api/params/thresholds.js';
import { getReference, wholeMean } from '../../../src/comparison/skill/references.js';
import { DAY_MS, dayNumber } from '../../../src/statistics/time/calendar.js';
import { Reports } from '../../../src/queries/report-rows.js';
import type { Unit } from '../../../src/variables/units.js';

// Each bound at which a comparison refuses, leaves out or adds a word, from both sides.

describe('hintOfLeads, which says that forecasts are older', () => {
  it('given mean leads that differ by 3 h as shown, then it names the older side; below, no one', () => {
    expect(hintOfLeads('one', 'two', 15, 12))
      .to.include('one was issued 15.0 h')
      .and.include('forecasts of one are older');
    expect(hintOfLeads('one', 'two', 12, 15)).to.include('forecasts of two are older');
    expect(hintOfLeads('one', 'two', 14.996, 12), 'shown as 15.0').to.include('of one are older');
    expect(hintOfLeads('one', 'two', 14.99, 12)).to.equal(null);
    expect([hintOfLeads('one', 'two', null, 12), hintOfLeads('one', 'two', 12, null)]).to.deep.equal([
      null,
      null,
    ]);
  });
});

/** A group that is read without the data. */
const NOTHING = undefined as never;

describe('threshold of departures', () => {
  const { threshold } = departure.parameters;
  const read = (degrees: number | undefined, temp_unit: Unit): Threshold => {
    const found = departure.read({ threshold: degrees, temp_unit }, NOTHING);
    if (Array.isArray(found)) throw new Error('refused');
    return found(NOTHING);
  };

  it('given 0.5 to 30 degrees, then it is taken; what is outside is refused', () => {
    const isTaken = (text: string): boolean => threshold.safeParse(text).success;
    expect(['0.5', '30', '0.50'].map(isTaken)).to.deep.equal([true, true, true]);
    expect(['0.49', '30.01', '0', '99', '0.501', '-1'].map(isTaken)).to.deep.equal(Array(6).fill(false));
  });

  it('given a unit, then degrees of it become hundredths of a °F; without a threshold 3 °F or 2 °C', () => {
    expect(read(2.5, 'fahrenheit')).to.deep.equal({ degrees: 2.5, hundredths: 250 });
    expect(read(2.5, 'celsius')).to.deep.equal({ degrees: 2.5, hundredths: 450 });
    expect(
      [read(undefined, 'fahrenheit'), read(undefined, 'celsius')].map(({ hundredths }) => hundredths),
    ).to.deep.equal([300, 360]);
  });
});

describe('the cells of a comparison', () => {
  type Query = Parameters<typeof refusedCells>[0];
  const station = (at: number) => ({
    station_id: `S${at}`,
    country: `C${at % 2}`,
    climate_zone: `Z${at % 5}`,
  });
  const directoryOf = (stations: number) => {
    const all = Array.from({ length: stations }, (_, at) => station(at));
    return {
      stations: { all, byStation: (id: string) => all.find((one) => one.station_id === id) },
    } as never;
  };
  /** A request about a window of 100 days, from October to January. */
  const query = (group_by: readonly string[], rest: Partial<Query> = {}): Query => ({
    window: { period_start: '2025-10-01', period_end: '2026-01-08', days_analyzed: 100 },
    leadTimes: { buckets: ['0-6h', '6-12h'] } as unknown as Query['leadTimes'],
    provider: { names: ['a', 'b', 'c'] },
    own: { group_by },
    ...rest,
  });

  it('given 800,000 days of cells, then the request is taken; with a station more it is refused', () => {
    expect(refusedCells(query(['station']), directoryOf(4000))).to.equal(undefined);
    expect(refusedCells(query(['station']), directoryOf(4001))).to.deep.include({ parameter: 'group_by' });
    expect(refusedCells(query(['station']), directoryOf(4001))?.message).to.match(
      /^makes 8002 cells of 100 days, but at most 800000 days/,
    );
  });

  for (const [group_by, cells, days] of [
    [[], 2, 100],
    [['lead_time_bucket'], 4, 100],
    [['month'], 8, 31],
    [['season'], 8, 100],
    [['country'], 4, 100],
    [['country', 'climate_zone'], 20, 100],
    [['station', 'month'], 400, 31],
    [['lead_hour'], 24, 100],
    [['lead_hour', 'month'], 96, 31],
  ] as const) {
    it(`given three providers by ${group_by.join(' and ') || 'nothing'}, then work is that of ${cells} cells of ${days} days`, () => {
      expect(workOfCells(query(group_by), directoryOf(50)) / 0.0022).to.be.closeTo(cells * days, 1e-6);
    });
  }

  it('given lead hours without an end, then they are expected up to sixteen days', () => {
    const leadTimes = { buckets: ['same-day', '72h+'] } as unknown as Query['leadTimes'];
    expect(workOfCells(query(['lead_hour'], { leadTimes }), directoryOf(50)) / 0.0022).to.be.closeTo(
      2 * 312 * 100,
      1e-6,
    );
  });

  it('given lead hours, then they are taken of hours alone, and without buckets', () => {
    const of = (metric: 'high' | 'temperature', ...group_by: string[]) =>
      refusedGroups({ metric, own: { group_by } })?.message;
    expect(of('temperature', 'lead_hour', 'month')).to.equal(undefined);
    expect(of('high', 'lead_time_bucket', 'month')).to.equal(undefined);
    expect(of('high', 'lead_hour')).to.match(/add metric=temperature, or take lead_time_bucket$/);
    expect(of('temperature', 'lead_time_bucket', 'lead_hour')).to.match(/not both$/);
  });

  it('given named stations, then they alone count', () => {
    const named = query(['station'], { station: [station(1), station(2)] });
    expect(workOfCells(named, directoryOf(50)) / 0.0022).to.be.closeTo(4 * 100, 1e-6);
  });
});

describe('references', () => {
  const TARGET = dayNumber('2026-03-01');
  const ISSUED_MS = TARGET * DAY_MS;
  /** Values of days, each reported as its day ends. */
  const reportsOf = (values: ReadonlyMap<number, number>): Reports =>
    new Reports({
      days: [...values.keys()],
      reported_after: [...values.keys()].map(() => DAY_MS),
      hundredths: [...values.values()],
      flags: [...values.keys()].map(() => 2),
      loads: [...values.keys()].map(() => 1),
    });

  it('persistence: given a report of up to 60 days before, then it is that; of 61 days before, none', () => {
    const persistence = getReference('persistence');
    const ask = (...lags: number[]) =>
      persistence(
        reportsOf(new Map(lags.toReversed().map((lag) => [TARGET - lag, 100 * lag]))),
        TARGET,
        ISSUED_MS,
      );
    expect(ask(1, 2)).to.deep.equal({ hundredths: 100, lagDays: 1 });
    expect(ask(60)).to.deep.equal({ hundredths: 6000, lagDays: 60 });
    expect(ask(61)).to.equal(undefined);
  });

  /** The first `perYear` days, of 15, of the season of March 1 in some years before. */
  const seasonsOf = (
    perYear: readonly number[],
    hundredths: (years: number) => number,
  ): Map<number, number> =>
    new Map(
      perYear
        .flatMap((days, at) => {
          const first = dayNumber(`${2025 - at}-02-22`);
          return Array.from({ length: days }, (_, day) => [first + day, hundredths(at + 1)] as const);
        })
        .sort(([a], [b]) => a - b),
    );
  const askClimate = (...given: Parameters<typeof seasonsOf>) =>
    getReference('climatology')(reportsOf(seasonsOf(...given)), TARGET, ISSUED_MS)?.hundredths;

  it('climatology: given 30 values of three years, then it is their mean; of fewer there is none', () => {
    expect(askClimate([10, 10, 10], (years) => 100 * years)).to.equal(200);
    expect(askClimate([10, 10, 9], () => 100)).to.equal(undefined);
    expect(askClimate([15, 15], () => 100)).to.equal(undefined);
    expect(askClimate([14, 15, 1], () => 100)).to.equal(100);
  });

  it('climatology: given more than 30 years, then older ones do not count', () => {
    const valued = (years: number): number => (years <= 30 ? 0 : 9999);
    expect(askClimate(Array<number>(31).fill(10), valued)).to.equal(0);
    expect(askClimate(Array<number>(30).fill(10), (years) => (years === 30 ? 3000 : 0))).to.equal(100);
  });

  it('climatology: given a mean between two hundredths, then it is rounded half away from zero', () => {
    const means = [
      [5, 2],
      [-5, 2],
      [7, 3],
      [-7, 3],
      [0, 3],
    ] as const;
    expect(means.map(([total, count]) => wholeMean(total, count) + 0)).to.deep.equal([3, -3, 2, -2, 0]);
  });
});
