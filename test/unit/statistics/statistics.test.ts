import { BRIER_SCORES, scoreProbabilities } from '../../../src/statistics/brier.js';
import { expect } from 'chai';
import fc from 'fast-check';
import { stats } from '../../../src/api/records/stats.js';
import { computeStatistics, rounded } from '../../../src/statistics/statistics.js';
import { VARIABLE_NAMES, VARIABLES } from '../../../src/variables/variables.js';
import { roundedFraction } from '../../support/plain/oracle.js';
import { forAnyOf } from '../../support/property.js';

describe('rounding to 0.01', () => {
  it('given a sum in binary, a tie but for its last digits, or a whole number, then it is rounded once', () => {
    expect([0.1 + 0.2, 1.0149999, 1.0150001, 300].map(rounded)).to.deep.equal([0.3, 1.01, 1.02, 300]);
  });

  it('given a value that rounds to nothing, from above or below, then it is 0 and never -0', () => {
    for (const value of [0, -0, 0.004, -0.004, -0.0049999, 1e-300, -1e-300]) {
      expect(Object.is(rounded(value), 0), String(value)).to.be.true;
    }
  });

  it('given null, then it is null', () => {
    expect(rounded(null)).to.equal(null);
  });

  it('given any decimal of up to nine places, then it equals the rounding of its digits', () => {
    forAnyOf({ seed: 20_260_131, numRuns: 5000 })(
      fc.bigInt({ min: -300_000_000_000n, max: 300_000_000_000n }),
      fc.integer({ min: 3, max: 9 }),
      (digits, places) => {
        const scale = 10n ** BigInt(places);
        const within = digits % (300n * scale);
        const size = within < 0n ? -within : within;
        const text = `${within < 0n ? '-' : ''}${size / scale}.${String(size % scale).padStart(places, '0')}`;
        expect(rounded(Number(text)), text).to.equal(roundedFraction(100n * within, scale));
      },
    );
  });

  it('given any tie, then it rounds away from zero', () => {
    forAnyOf({ seed: 20_260_131, numRuns: 5000 })(fc.integer({ min: 0, max: 29_999 }), (hundredths) => {
      const tie = Number(`${hundredths}.5e-2`);
      expect(rounded(tie)).to.equal((hundredths + 1) / 100);
      expect(rounded(-tie)).to.equal(-(hundredths + 1) / 100);
    });
  });

  it('given the mean of any pairs, however many, then it equals the rounding of the exact fraction', () => {
    forAnyOf({ seed: 20_260_131, numRuns: 5000 })(
      fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 50_000_000 })),
      fc.integer({ min: -30_000, max: 30_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (pairs, mean, share) => {
        const sum = mean * pairs + Math.floor(share * (pairs - 1));
        expect(rounded(sum / (100 * pairs))).to.equal(roundedFraction(BigInt(sum), BigInt(pairs)));
      },
    );
  });
});

describe('the stats object', () => {
  it('given no pairs, then the counts are 0, all other fields are null, and none is missing', () => {
    const ofChances = new Set<string>(BRIER_SCORES);
    for (const metric of VARIABLE_NAMES) {
      const names = Object.keys(stats.shape).filter(
        (name) => VARIABLES[metric].score === 'brier_score' || !ofChances.has(name),
      );
      const found = computeStatistics(undefined, 0, metric);
      expect(Object.keys(found), metric).to.deep.equal(names);
      const { verification_pairs, unique_days, ...others } = found;
      expect([verification_pairs, unique_days]).to.deep.equal([0, 0]);
      expect(new Set(Object.values(others))).to.deep.equal(new Set([null]));
    }
  });
});

describe('the Brier score', () => {
  /** The scores of single forecasts: each chance, %, and whether it was wet. */
  const scoresOf = (...days: [chance: number, isWet: boolean][]) =>
    scoreProbabilities([
      days.map(([chance]) => 100 * chance),
      days.map(() => 1),
      days.map(([, isWet]) => Number(isWet)),
    ])!;

  it('given the single forecasts of its definition, then it is the square of each error', () => {
    const examples: [chance: number, isWet: boolean, score: number][] = [
      [100, true, 0],
      [100, false, 1],
      [70, true, 0.09],
      [30, true, 0.49],
      [50, true, 0.25],
      [50, false, 0.25],
    ];
    for (const [chance, isWet, score] of examples)
      expect(scoresOf([chance, isWet]).brier_score).to.be.closeTo(score, 1e-12);
  });

  it('given the worked examples of scikit-learn for brier_score_loss, then it is theirs', () => {
    for (const [last, score] of [
      [30, 0.0375],
      [40, 0.055],
    ] as const)
      expect(scoresOf([10, false], [90, true], [80, true], [last, false]).brier_score).to.be.closeTo(
        score,
        1e-12,
      );
  });

  it('given chances that repeat, then its parts add up to it, as Murphy (1973) has them', () => {
    // 10 days of 20 %, 2 of them wet, and 10 of 70 %, 8 of them wet.
    const scores = scoreProbabilities([
      [2000, 7000],
      [10, 10],
      [2, 8],
    ])!;
    const { brier_score, reliability, resolution, base_rate, brier_skill_score } = scores;
    expect(brier_score).to.be.closeTo((2 * 0.64 + 8 * 0.04 + 8 * 0.09 + 2 * 0.49) / 20, 1e-12);
    expect(reliability).to.be.closeTo((10 * 0 + 10 * 0.01) / 20, 1e-12);
    expect(resolution).to.be.closeTo(0.09, 1e-12);
    expect(base_rate).to.equal(0.5);
    expect(brier_score).to.be.closeTo(reliability! - resolution! + 0.25, 1e-12);
    expect(brier_skill_score).to.be.closeTo(1 - brier_score! / 0.25, 1e-12);
  });

  it('given days that were all wet, then there is no skill to tell, and without a pair no score', () => {
    expect(scoresOf([90, true], [80, true]).brier_skill_score).to.equal(null);
    expect(scoreProbabilities([[], [], []])).to.equal(undefined);
    expect(scoreProbabilities([[5000], [0], [0]])).to.equal(undefined);
  });
});
