import { expect } from 'chai';
import fc from 'fast-check';
import {
  encodeCase,
  type Cases,
  computeChance,
  toGap,
  Line,
  computeRise,
  risesTo,
  withoutGaps,
} from '../../../src/probability/intraday/remaining-rise.js';
import {
  type Fraction,
  type PlainCase,
  plainChance,
  plainEnd,
  plainSlope,
} from '../../support/plain/day-so-far.js';
import { range } from '../../support/runner/range.js';
import { forAnyOf } from '../../support/property.js';
import { SCALES } from '../../../src/variables/units.js';

const FAHRENHEIT = SCALES.fahrenheit;

/** A station day at its hour, whole °F. */
type Told = readonly [station: string, gap: number, rise: number];

const casesOf = (told: readonly Told[]): Cases => ({
  keys: told.map(([, gap, rise]) => encodeCase(gap, rise)),
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
const runs = { seed: 57, numRuns: range({ test: 200, ci: 600, stress: 2000 }) };

describe('what may still come of a day that has begun (D57)', () => {
  for (const [station, gap, ends, chances] of VECTORS) {
    it(`given thirteen cases and a gap of ${gap} at ${station}, then all is as by an independent program`, () => {
      const line = new Line(casesOf(VECTOR_CASES), FAHRENHEIT);
      expect(line.slope).to.equal(887 / 1272);
      const found = VECTOR_CASES.map((each) => line.rises(gap, casesOf([each])).own.all);
      for (const end of ['lowest', 'highest'] as const)
        expect(found.map((all) => all[end]).join(' ')).to.equal(ends);
      const rises = risesOf(VECTOR_CASES, station, gap);
      for (const [at, range] of RANGES.entries()) {
        const [numerator, denominator] = chances.split(' ')[at]!.split('/').map(Number);
        expect(computeChance(rises, rangeOf(range)), range).to.equal(numerator! / denominator!);
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
          const chance = computeChance(rises, { from, to: from + more }, members);
          expect(chance).to.equal(numberOf(plainChance(plain, station, gap, [from, from + more], members)));
        }
        const alone = new Line(withoutGaps(casesOf(cases)), FAHRENHEIT).rises(0, withoutGaps(own));
        const expected = plainChance(plain, station, undefined, [from, from + more]);
        expect(computeChance(alone, { from, to: from + more })).to.equal(numberOf(expected));
      },
    );
  });

  it('given any cases, then a higher threshold is not more likely, and a partition adds up to 1', () => {
    forAnyOf(runs)(world, ([cases, station, gap]) => {
      const rises = risesOf(cases, station, gap);
      const thresholds = Array.from({ length: 80 }, (_, at) => at - 30);
      const above = thresholds.map((from) => computeChance(rises, { from, to: null }));
      for (const [at, chance] of above.entries()) expect(chance).to.be.at.most(above[at - 1] ?? 1);
      expect(above.every((chance) => chance > 0 && chance < 1)).to.equal(true);
      const parts = [
        { from: null, to: -2 },
        { from: -1, to: 0 },
        { from: 1, to: 4 },
        { from: 5, to: null },
      ];
      const total = parts.reduce((sum, part) => sum + computeChance(rises, part, parts.length), 0);
      expect(total).to.be.closeTo(1, 1e-12);
    });
  });

  it('given gaps that are all alike, then the slope is 0; given rises that follow them, 1 at most', () => {
    const slopeOf = (text: string): number => new Line(casesOf(toldOf(text)), FAHRENHEIT).slope;
    expect(new Line(casesOf([]), FAHRENHEIT).slope).to.equal(0);
    expect(['A 3 1, A 3 8', 'A 1 1, A 2 5', 'A 1 5, A 2 1'].map(slopeOf)).to.deep.equal([0, 1, 0]);
  });

  it('given 2 million cases, then a slope and its halves are exact', () => {
    // 3 of 4 gaps are 0: b = (4·40·U - 40·ΣU) / (4·1600 - 1600) n², with ΣU = 20 + 1 a case of four.
    const keys = [encodeCase(0, 0), encodeCase(0, 0), encodeCase(0, 1), encodeCase(40, 20)];
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

  it('given highs, then forecasts and values are whole degrees, half up, gaps cut to -12 and 40', () => {
    expect(toGap('high', 9650, 94, FAHRENHEIT)).to.equal(3);
    expect(toGap('high', 9649, 94, FAHRENHEIT)).to.equal(2);
    expect([toGap('high', 5000, 94, FAHRENHEIT), toGap('high', 9400, 20, FAHRENHEIT)]).to.deep.equal([
      -12, 40,
    ]);
    expect([
      computeRise('high', 9350, 94, FAHRENHEIT),
      computeRise('high', 9800, 94, FAHRENHEIT),
    ]).to.deep.equal([0, 4]);
    expect(risesTo('high', { from: 0, to: null }, 5)).to.deep.equal({ from: -5, to: null });
    expect(risesTo('low', { from: 0, to: null }, 5)).to.deep.equal({ from: null, to: 5 });
  });

  it('given lows, then they are the highs of mirrored temperatures', () => {
    forAnyOf(runs)(hundredths, degrees, degrees, fc.nat(9), (forecast, measured, from, more) => {
      expect(toGap('low', forecast, measured, FAHRENHEIT)).to.equal(
        toGap('high', -forecast, -measured, FAHRENHEIT),
      );
      expect(computeRise('low', 100 * from, measured, FAHRENHEIT)).to.equal(
        computeRise('high', -100 * from, -measured, FAHRENHEIT),
      );
      expect(risesTo('low', { from, to: from + more }, measured)).to.deep.equal(
        risesTo('high', { from: -from - more, to: -from }, -measured),
      );
    });
  });

  it('given a degree more of all, then gaps and rises stay', () => {
    forAnyOf(runs)(fc.constantFrom('high', 'low'), hundredths, degrees, (metric, value, measured) => {
      expect(toGap(metric, value + 100, measured + 1, FAHRENHEIT)).to.equal(
        toGap(metric, value, measured, FAHRENHEIT),
      );
      expect(computeRise(metric, value + 100, measured + 1, FAHRENHEIT)).to.equal(
        computeRise(metric, value, measured, FAHRENHEIT),
      );
    });
  });
});
