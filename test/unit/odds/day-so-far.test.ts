import { expect } from 'chai';
import fc from 'fast-check';
import {
  caseOf,
  type Cases,
  chanceOf,
  gapOf,
  Line,
  predictiveOf,
  riseOf,
  risesTo,
  withoutGaps,
} from '../../../src/odds/so-far/line.js';
import { type HourCase, type HourHistory, eachHourOrigin } from '../../../src/odds/so-far/hour-origins.js';
import { historyOf } from '../../../src/odds/learning/history.js';
import { crps } from '../../../src/odds/learning/predictive.js';
import { mixtureOfCase } from '../../../src/odds/learning/score-case.js';
import { Reports } from '../../../src/relations/report-rows.js';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import {
  cut,
  type Fraction,
  type PlainCase,
  plainChance,
  plainEnd,
  plainSlope,
} from '../../support/plain/day-so-far.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import { forAnyOf } from '../../support/property.js';
import { SCALES } from '../../../src/statistics/units.js';

const FAHRENHEIT = SCALES.fahrenheit;

/** A station day at its hour, whole °F. */
type Told = readonly [station: string, gap: number, rise: number];

const casesOf = (told: readonly Told[]): Cases => ({
  keys: told.map(([, gap, rise]) => caseOf(gap, rise)),
  times: told.map(() => 1),
});

const ofStation = (told: readonly Told[], station: string): Told[] =>
  told.filter(([name]) => name === station);

const risesOf = (told: readonly Told[], station: string, gap: number) =>
  new Line(casesOf(told), FAHRENHEIT).rises(gap, casesOf(ofStation(told, station)));

const numberOf = ([numerator, denominator]: Fraction): number => Number(numerator) / Number(denominator);
const plainCases = (told: readonly Told[]): PlainCase[] =>
  told.map(([station, gap, rise]) => ({ station, gap, rise }));

/** Cases from a text: `A 0 1, B 2 3`. */
const toldOf = (text: string): Told[] =>
  text.split(', ').map((each) => {
    const [station = '', gap, rise] = each.split(' ');
    return [station, Number(gap), Number(rise)];
  });

const VECTOR_CASES = toldOf(
  'A 0 0, A 0 1, A 2 2, A 4 3, A 5 5, A 9 6, B -2 0, B 1 1, B 3 4, B 6 4, B 8 9, B 12 8, B 2 -1',
);
const RANGES = ['1 or more', '3 or more', '0 or less', '2 to 3'];
const rangeOf = (text: string) => {
  const [one = 0, other = null] = (text.match(/\d/g) ?? []).map(Number);
  return text.endsWith('less') ? { from: null, to: one } : { from: one, to: other };
};

/** Where each case ends, and the probabilities of the ranges, that an independent program worked out with fractions. */
const VECTORS = [
  ['A', 3, '2 3 3 2 4 2 3 2 4 2 6 2 0', '3361/3696 3713/7392 335/3696 1647/2464'],
  ['B', 3, '2 3 3 2 4 2 3 2 4 2 6 2 0', '12905/14784 3559/7392 1879/14784 1493/2464'],
  ['C', 3, '2 3 3 2 4 2 3 2 4 2 6 2 0', '549/616 151/308 67/616 197/308'],
  ['A', 0, '0 1 1 0 2 0 1 0 2 0 3 0 -1', '17747/34839 320/11613 17092/34839 2477/14931'],
  ['A', -4, '0 0 0 0 0 0 0 0 0 0 1 0 -1', '144/2737 48/2737 2593/2737 48/2737'],
  ['B', 15, '10 11 11 11 12 10 12 11 12 10 14 10 8', '566/581 566/581 15/581 15/581'],
] as const;

const told = fc.tuple(
  fc.constantFrom('A', 'B', 'C'),
  fc.integer({ min: -12, max: 40 }),
  fc.integer({ min: -9, max: 30 }),
);
const world = fc.tuple(
  fc.array(told, { minLength: 1, maxLength: 60 }),
  fc.constantFrom('A', 'D'),
  fc.integer({ min: -12, max: 40 }),
);
const runs = { seed: 57, numRuns: range({ test: 200, ci: 2000 }) };

describe('what may still come of a day that has begun (D57)', () => {
  for (const [station, gap, ends, chances] of VECTORS) {
    it(`given thirteen cases and a gap of ${gap} at ${station}, then slope, ends and probabilities are those of an independent program`, () => {
      const line = new Line(casesOf(VECTOR_CASES), FAHRENHEIT);
      expect(line.slope).to.equal(887 / 1272);
      const found = VECTOR_CASES.map((each) => line.rises(gap, casesOf([each])).own.all);
      for (const end of ['lowest', 'highest'] as const)
        expect(found.map((all) => all[end]).join(' ')).to.equal(ends);
      const rises = risesOf(VECTOR_CASES, station, gap);
      for (const [at, range] of RANGES.entries()) {
        const [numerator, denominator] = chances.split(' ')[at]!.split('/').map(Number);
        expect(chanceOf(rises, rangeOf(range)), range).to.equal(numerator! / denominator!);
      }
    });
  }

  it('given any cases, then slope, ends and probabilities are those of plain fractions over all cases', () => {
    forAnyOf(runs)(
      world,
      fc.integer({ min: -15, max: 40 }),
      fc.nat(9),
      ([cases, station, gap], from, more) => {
        const plain = plainCases(cases);
        const line = new Line(casesOf(cases), FAHRENHEIT);
        expect(line.slope).to.equal(numberOf(plainSlope(plain)));
        const ends = plain.map((each) => plainEnd(each, gap, plainSlope(plain)));
        const own = casesOf(ofStation(cases, station));
        const rises = line.rises(gap, own);
        expect([rises.network.all.lowest, rises.network.all.highest]).to.deep.equal([
          Math.min(...ends),
          Math.max(...ends),
        ]);
        for (const members of [0, 2, 6]) {
          const chance = chanceOf(rises, { from, to: from + more }, members);
          expect(chance).to.equal(numberOf(plainChance(plain, station, gap, [from, from + more], members)));
        }
        const alone = new Line(withoutGaps(casesOf(cases)), FAHRENHEIT).rises(0, withoutGaps(own));
        const expected = plainChance(plain, station, undefined, [from, from + more]);
        expect(chanceOf(alone, { from, to: from + more })).to.equal(numberOf(expected));
      },
    );
  });

  it('given any cases, then a higher threshold is not more likely, and a partition adds up to 1', () => {
    forAnyOf(runs)(world, ([cases, station, gap]) => {
      const rises = risesOf(cases, station, gap);
      const thresholds = Array.from({ length: 80 }, (_, at) => at - 30);
      const above = thresholds.map((from) => chanceOf(rises, { from, to: null }));
      for (const [at, chance] of above.entries()) expect(chance).to.be.at.most(above[at - 1] ?? 1);
      expect(above.every((chance) => chance > 0 && chance < 1)).to.equal(true);
      const parts = [
        { from: null, to: -2 },
        { from: -1, to: 0 },
        { from: 1, to: 4 },
        { from: 5, to: null },
      ];
      const total = parts.reduce((sum, part) => sum + chanceOf(rises, part, parts.length), 0);
      expect(total).to.be.closeTo(1, 1e-12);
    });
  });

  it('given gaps that are all alike, then the slope is 0; given rises that follow them, then it is 1 at most', () => {
    const slopeOf = (text: string): number => new Line(casesOf(toldOf(text)), FAHRENHEIT).slope;
    expect(new Line(casesOf([]), FAHRENHEIT).slope).to.equal(0);
    expect(['A 3 1, A 3 8', 'A 1 1, A 2 5', 'A 1 5, A 2 1'].map(slopeOf)).to.deep.equal([0, 1, 0]);
  });

  it('given 2 million cases, then a slope and its halves are exact', () => {
    // 3 of 4 gaps are 0: b = (4·40·U - 40·ΣU) / (4·1600 - 1600) n², with ΣU = 20 + 1 a case of four.
    const keys = [caseOf(0, 0), caseOf(0, 0), caseOf(0, 1), caseOf(40, 20)];
    const line = new Line({ keys, times: [500_001, 500_000, 500_000, 500_000] }, FAHRENHEIT);
    const [n, gaps, rises, squares, products] = [2_000_001n, 40n, 21n, 1600n, 800n].map(
      (each, at) => each * (at === 0 ? 1n : 500_000n),
    ) as [bigint, bigint, bigint, bigint, bigint];
    expect(line.slope).to.equal(Number(n * products - gaps * rises) / Number(n * squares - gaps * gaps));
  });
});

describe('gaps and rises', () => {
  const hundredths = fc.integer({ min: -5000, max: 12_000 });
  const degrees = fc.integer({ min: -50, max: 120 });

  it('given highs, then forecasts and settled values are whole degrees, half up, and gaps are cut to -12 and 40', () => {
    expect(gapOf('high', 9650, 94, FAHRENHEIT)).to.equal(3);
    expect(gapOf('high', 9649, 94, FAHRENHEIT)).to.equal(2);
    expect([gapOf('high', 5000, 94, FAHRENHEIT), gapOf('high', 9400, 20, FAHRENHEIT)]).to.deep.equal([
      -12, 40,
    ]);
    expect([riseOf('high', 9350, 94, FAHRENHEIT), riseOf('high', 9800, 94, FAHRENHEIT)]).to.deep.equal([
      0, 4,
    ]);
    expect(risesTo('high', { from: 0, to: null }, 5)).to.deep.equal({ from: -5, to: null });
    expect(risesTo('low', { from: 0, to: null }, 5)).to.deep.equal({ from: null, to: 5 });
  });

  it('given lows, then they are the highs of mirrored temperatures', () => {
    forAnyOf(runs)(hundredths, degrees, degrees, fc.nat(9), (forecast, measured, from, more) => {
      expect(gapOf('low', forecast, measured, FAHRENHEIT)).to.equal(
        gapOf('high', -forecast, -measured, FAHRENHEIT),
      );
      expect(riseOf('low', 100 * from, measured, FAHRENHEIT)).to.equal(
        riseOf('high', -100 * from, -measured, FAHRENHEIT),
      );
      expect(risesTo('low', { from, to: from + more }, measured)).to.deep.equal(
        risesTo('high', { from: -from - more, to: -from }, -measured),
      );
    });
  });

  it('given a degree more of all, then gaps and rises stay', () => {
    forAnyOf(runs)(fc.constantFrom('high', 'low'), hundredths, degrees, (metric, value, measured) => {
      expect(gapOf(metric, value + 100, measured + 1, FAHRENHEIT)).to.equal(
        gapOf(metric, value, measured, FAHRENHEIT),
      );
      expect(riseOf(metric, value + 100, measured + 1, FAHRENHEIT)).to.equal(
        riseOf(metric, value, measured, FAHRENHEIT),
      );
    });
  });
});

// Three zones, an hour at which one station's day before has not been reported yet, and reports that are corrected later.
const HOUR = 9;
const FIRST = 20_000;
const DAYS = 110;
const STATIONS = { A: 5, B: 5, C: 8, D: -10 } as const;
type Name = keyof typeof STATIONS;
const NAMES = Object.keys(STATIONS) as Name[];
const beginOf = (station: string, day: number): number => day * DAY_MS + STATIONS[station as Name] * HOUR_MS;

interface Fact {
  station: string;
  day: number;
  measured: number;
  /** Hundredths of a °F. */
  forecast: number;
  /** The lead of the forecast, hours; below 0 on the day itself. */
  lead: number;
  /** The reported values, hundredths, and when, Unix ms, in this order. */
  reports: (readonly [hundredths: number, at_ms: number])[];
}

function factsOf(seed: number): Fact[] {
  const random = new Random(seed);
  return NAMES.flatMap((station) =>
    Array.from({ length: DAYS }, (_, at): Fact => {
      const day = FIRST + at;
      const forecast = Math.round(8000 + 1000 * random.gaussian());
      const actual = 100 * Math.round((forecast + 300 * random.gaussian()) / 100);
      const soon = beginOf(station, day) + (24 + 40 * random.next()) * HOUR_MS;
      const reports: Fact['reports'] = [[actual, soon]];
      if (random.below(4) === 0) reports.push([actual + 100 * (random.below(5) - 2), soon + 30 * HOUR_MS]);
      return {
        station,
        day,
        measured: random.below(12) === 0 ? NaN : Math.round(actual / 100 - 6 + 4 * random.gaussian()),
        forecast: random.below(12) === 0 ? NaN : forecast,
        lead: random.below(3) === 0 ? -HOUR : 5,
        reports: random.below(15) === 0 ? [] : reports,
      };
    }),
  );
}

const historiesOf = (facts: readonly Fact[]): HourHistory[] =>
  NAMES.map((station_id) => {
    const own = facts.filter(({ station }) => station === station_id);
    const forecast = own.filter((each) => !Number.isNaN(each.forecast));
    const reports = own.flatMap((each) => each.reports.map(([value, at]) => ({ day: each.day, value, at })));
    const row = {
      days: reports.map(({ day }) => day),
      reported_after: reports.map(({ day, at }) => at - day * DAY_MS),
      hundredths: reports.map(({ value }) => value),
      flags: reports.map(() => 2),
      loads: reports.map(() => 1),
    };
    const cases = {
      station_id,
      days: forecast.map(({ day }) => day),
      forecasts: forecast.map((each) => each.forecast),
      leads: forecast.map(({ lead }) => lead * HOUR_MS),
      signs: forecast.map(() => 1),
    };
    const history = historyOf(cases, new Reports(row), { first: FIRST, last: FIRST + DAYS - 1 });
    return { ...history, measured: own.map(({ measured }) => measured) };
  });

const knownAt = ({ reports }: Fact, instant: number): number | undefined =>
  reports.findLast(([, at]) => at <= instant)?.[0];

const ASKED: Parameters<typeof eachHourOrigin>[1] = {
  ...{ metric: 'high', hour: HOUR, window: 60, scale: FAHRENHEIT },
  ...{ first: FIRST + 20, last: FIRST + DAYS - 1 },
};

function casesAt(facts: readonly Fact[], asked = ASKED): (HourCase | undefined)[] {
  const found: (HourCase | undefined)[] = [];
  eachHourOrigin(historiesOf(facts), asked, beginOf, (one) => found.push(one));
  return found;
}

const textOf = (found: HourCase | undefined): string => JSON.stringify(found);

describe('past days at an hour, each with what was known by then (D57)', () => {
  const facts = factsOf(57);

  it('then each has the cases that a plain loop finds, and days without a forecast have the rise by hour', () => {
    const found = casesAt(facts);
    const expected = NAMES.flatMap((station) =>
      facts.filter((each) => each.station === station && each.day >= ASKED.first),
    ).filter((each) => !Number.isNaN(each.measured) && each.reports.length > 0);
    expect(found).to.have.length(expected.length);
    const seen = { few: 0, alone: 0, line: 0 };
    for (const one of expected) {
      const moment = beginOf(one.station, one.day) + HOUR * HOUR_MS;
      const cases = facts.flatMap((each): PlainCase[] => {
        const actual = knownAt(each, moment);
        const isEarlier = each.day < one.day && each.day >= one.day - 60;
        if (!isEarlier || actual === undefined || Number.isNaN(each.measured + each.forecast)) return [];
        const gap = cut(Math.floor((each.forecast + 50) / 100) - each.measured);
        return [{ station: each.station, gap, rise: actual / 100 - each.measured }];
      });
      const same = found.find((each) => each?.day === one.day && each.station_id === one.station);
      if (cases.length < 120) {
        expect(same).to.equal(undefined);
        seen.few += 1;
        continue;
      }
      const hasForecast = !Number.isNaN(one.forecast);
      seen[hasForecast ? 'line' : 'alone'] += 1;
      const gap = hasForecast ? cut(Math.floor((one.forecast + 50) / 100) - one.measured) : undefined;
      for (const range of ['1 99', '3 5', '-99 0']) {
        const [from = NaN, to = NaN] = range.split(' ').map(Number);
        const { line, rise } = same!;
        const ofLine = plainChance(cases, one.station, gap, [from, to]);
        const ofRise = plainChance(cases, one.station, undefined, [from, to]);
        expect(chanceOf(line, { from, to })).to.equal(numberOf(ofLine));
        expect(chanceOf(rise, { from, to })).to.equal(numberOf(ofRise));
      }
    }
    expect(seen.few).to.be.above(20);
    expect(seen.alone).to.be.above(10);
    expect(seen.line).to.be.above(150);
  });

  it('when everything that is known later changes, then what was said of a day does not', () => {
    const before = casesAt(facts);
    for (const one of before.filter((each) => each !== undefined).filter((_, at) => at % 9 === 0)) {
      const moment = beginOf(one.station_id, one.day) + HOUR * HOUR_MS;
      const changed = facts.map((each): Fact => {
        const isNow = each.day === one.day && each.station === one.station_id;
        const isLater = beginOf(each.station, each.day) + HOUR * HOUR_MS > moment;
        return {
          ...each,
          measured: isLater ? each.measured + 7 : each.measured,
          forecast: isLater ? each.forecast - 900 : each.forecast,
          reports: isNow
            ? each.reports
            : [...each.reports.filter(([, at]) => at <= moment), [12_300, moment + 1] as const],
        };
      });
      const asked = { ...ASKED, first: one.day, last: one.day, station_id: one.station_id };
      expect(casesAt(changed, asked).map(textOf)).to.deep.equal([textOf(one)]);
    }
  });

  it('given an instant by which all is known, then days that come to the hour later are no cases', () => {
    const known_ms = beginOf('C', FIRST + 90) + HOUR * HOUR_MS;
    const found = casesAt(facts, { ...ASKED, known_ms }).filter((each) => each !== undefined);
    expect(Math.max(...found.map(({ day }) => day))).to.be.at.most(FIRST + 90);
    for (const { station_id, day, actual } of found) {
      const fact = facts.find((each) => each.station === station_id && each.day === day)!;
      expect(actual).to.equal(knownAt(fact, known_ms));
    }
  });

  const saidOf = ({ line, rise, measured }: HourCase, metric: 'high' | 'low' = 'high') => ({
    line: predictiveOf(line, metric, measured),
    rise: predictiveOf(rise, metric, measured),
  });

  it('given lows, then they score as the highs of mirrored temperatures, and their places are mirrored', () => {
    const highs = facts.map((each): Fact => ({ ...each, forecast: 100 * Math.round(each.forecast / 100) }));
    const lows = highs.map((each): Fact => ({
      ...each,
      measured: -each.measured,
      forecast: -each.forecast,
      reports: each.reports.map(([value, at]) => [-value, at] as const),
    }));
    const [high, low] = [casesAt(highs), casesAt(lows, { ...ASKED, metric: 'low' })];
    for (const [at, one] of high.entries()) {
      const other = low[at];
      if (one === undefined || other === undefined) continue;
      expect(other.line).to.deep.equal(one.line);
      const [above, below] = [saidOf(one).line, saidOf(other, 'low').line];
      const degree = one.actual / 100;
      expect(crps(below, -degree)).to.be.closeTo(crps(above, degree), 1e-12);
      expect(below.upTo(-degree)).to.be.closeTo(1 - above.upTo(degree - 1), 1e-12);
    }
  });

  it('then a day ends at 1, and the mixture says nothing without its 200 days', () => {
    const [one] = casesAt(facts).filter((each) => each !== undefined);
    const { highest, upTo } = saidOf(one!).line;
    expect([upTo(highest - 1) < 1, upTo(highest)]).to.deep.equal([true, 1]);
    const none = { lowest: 0, highest: -1, upTo: new Float64Array(0), days: 0 };
    const scored = { day: one!.day, forecast: 8000, actual: 8100, station: none, networkTally: none };
    expect(mixtureOfCase(scored, FAHRENHEIT)).to.equal(undefined);
  });
});
