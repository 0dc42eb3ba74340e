import { expect } from 'chai';
import fc from 'fast-check';
import {
  type Blend,
  chooseBlend as blendOfStations,
  ownErrors as ownErrorsOf,
  makePoint,
  StationErrors,
  computeWeights,
} from '../../../src/probability/blend/weights.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import { forAnyOf } from '../../support/property.js';

const blendOf = (stations: readonly Float64Array[][], providers: readonly number[]): Blend =>
  blendOfStations(
    stations.map((lists) => new StationErrors(lists)),
    providers,
  );

const ownErrors = (blend: Blend, lists: readonly Float64Array[]) => {
  const { biases, errors } = ownErrorsOf(blend, new StationErrors(lists));
  return { biases, errors: [...errors] };
};

type Matrix = readonly (readonly number[])[];

const varianceOf = (weights: readonly number[], matrix: Matrix): number =>
  weights.reduce(
    (total, weight, k) => total + weight * weights.reduce((sum, other, l) => sum + other * matrix[k]![l]!, 0),
    0,
  );

describe('the weights of a blend', () => {
  for (const [what, text, weights, variance] of [
    ['two that both help', '4 2 / 2 9', [7 / 9, 2 / 9], 32 / 9],
    ['a worse one that would get less than nothing', '4 5 / 5 9', [1, 0], 4],
    ['three', '4 3 1 / 3 5 2 / 1 2 6', [11 / 20, 1 / 10, 7 / 20], 57 / 20],
    ['one source under two names', '4 4 / 4 4', [1, 0], 4],
    ['a second one that is the first and noise', '4 4 / 4 9', [1, 0], 4],
    ['one that is always right', '9 0 / 0 0', [0, 1], 0],
    ['two that are always right', '0 0 / 0 0', [1, 0], 0],
    ['two equal ones beside a third', '4 4 1 / 4 4 1 / 1 1 4', [1 / 2, 0, 1 / 2], 5 / 2],
    ['one alone', '4', [1], 4],
  ] as const) {
    it(`given ${what}, then they are the ones by hand`, () => {
      const matrix = text.split(' / ').map((row) => row.split(' ').map(Number));
      const found = computeWeights(matrix);
      for (const [k, weight] of weights.entries()) expect(found[k]).to.be.closeTo(weight, 1e-14);
      expect(varianceOf(found, matrix)).to.be.closeTo(variance, 1e-13);
    });
  }

  /** Covariances of sums of shared noise and some of their own; in half of them the last is another under a second name. */
  const matrices = fc
    .tuple(fc.integer({ min: 2, max: 5 }), fc.nat({ max: 1e6 }))
    .map(([size, seed]): number[][] => {
      const random = new Random(seed);
      const loads = Array.from({ length: size }, () => Array.from({ length: 3 }, () => random.below(9) - 3));
      const sources = [...loads.keys()];
      if (random.below(2) === 0) sources[size - 1] = random.below(size - 1);
      const covariance = (a: number, b: number): number =>
        loads[a]!.reduce((sum, each, at) => sum + each * loads[b]![at]!, a === b ? 1 : 0);
      return sources.map((a) => sources.map((b) => covariance(a, b)));
    });

  /** Every choice of shares in twentieths. */
  const shares = (members: number, rest = 20): number[][] =>
    members === 1
      ? [[rest / 20]]
      : Array.from({ length: rest + 1 }, (_, part) =>
          shares(members - 1, rest - part).map((others) => [part / 20, ...others]),
        ).flat();

  it('given any covariances, then no shares in twentieths leave less variance, and steps stay small', () =>
    forAnyOf({ seed: 54, numRuns: range({ test: 60, ci: 200, stress: 600 }) })(matrices, (matrix) => {
      const weights = computeWeights(matrix);
      const least = varianceOf(weights, matrix);
      const slack = 1e-9 * (1 + Math.max(...matrix.map((row, k) => row[k]!)));
      expect(weights.every((weight) => weight >= 0)).to.equal(true);
      expect(weights.reduce((sum, weight) => sum + weight, 0)).to.be.closeTo(1, 1e-12);
      for (const other of shares(matrix.length)) {
        if (varianceOf(other, matrix) < least - slack) throw new Error(`${JSON.stringify(other)} is better`);
      }
      for (const from of matrix.keys()) {
        for (const to of matrix.keys()) {
          const step = Math.min(weights[from]!, 1e-4);
          const moved = weights.map((weight, k) => weight - (k === from ? step : 0) + (k === to ? step : 0));
          expect(varianceOf(moved, matrix)).to.be.at.least(least - slack);
        }
      }
    }));
});

/** Errors of so many stations, providers and days, which share part of their noise. */
function errorsOf(
  random: Random,
  stations: number,
  spreads: readonly number[],
  days: number,
): Float64Array[][] {
  return Array.from({ length: stations }, () => {
    const biases = spreads.map(() => random.below(400) - 200);
    const lists = spreads.map(() => new Float64Array(days));
    for (let day = 0; day < days; day += 1) {
      const shared = random.gaussian();
      for (const [k, spread] of spreads.entries()) {
        lists[k]![day] = Math.round(biases[k]! + spread * (shared + random.gaussian()));
      }
    }
    return lists;
  });
}

describe('a blend of providers', () => {
  const NAN = (days: number): Float64Array => new Float64Array(days).fill(NaN);

  it('given 199 days in common, or 29 dates, then the provider with the fewest days is left out', () => {
    const random = new Random(1);
    const stations = errorsOf(random, 4, [100, 100], 50); // 200 days
    expect(blendOf(stations, [0, 1]).members).to.deep.equal([0, 1]);
    stations[2]![0]![7] = NaN;
    const fewer = blendOf(stations, [0, 1]);
    expect(fewer.members).to.deep.equal([1]);
    expect(fewer.dropped).to.deep.equal([{ provider: 0, days: 199, common: { days: 199, dates: 50 } }]);
    expect(fewer.weights).to.deep.equal([1]);
    stations[3]![1]![7] = NaN; // both have 199
    expect(blendOf(stations, [0, 1]).members).to.deep.equal([0]);
    expect(blendOf(errorsOf(random, 10, [100, 100], 29), [0, 1]).dropped).to.deep.equal([
      { provider: 1, days: 290, common: { days: 290, dates: 29 } },
    ]);
    expect(blendOf(errorsOf(random, 10, [100, 100], 30), [0, 1]).dropped).to.deep.equal([]);
  });

  it('given three of which one is young, then the other two are blended, as if it were not there', () => {
    const stations = errorsOf(new Random(2), 6, [200, 200, 200], 60);
    for (const station of stations) station[1]!.fill(NaN, 0, 40);
    const found = blendOf(stations, [0, 1, 2]);
    const { weights, best } = blendOf(stations, [0, 2]);
    expect(found).to.deep.include({ members: [0, 2], weights, best });
    expect(found.dropped).to.deep.equal([{ provider: 1, days: 120, common: { days: 120, dates: 20 } }]);
  });

  it('given a provider that is right but for its bias, then it has all weight, and errors shrink away', () => {
    const stations = errorsOf(new Random(3), 8, [300, 0], 60);
    const blend = blendOf(stations, [0, 1]);
    expect(blend.weights[1]).to.be.greaterThan(0.9);
    expect(blend.best).to.equal(1);
    expect(
      blendOf(
        stations.map(([noisy, right]) => [right!, noisy!]),
        [0, 1],
      ).best,
    ).to.equal(0);
    const own = ownErrors({ ...blend, weights: [0, 1] }, stations[0]!);
    const mean = blend.meanErrors[1]!;
    expect(own.biases[1]).to.be.closeTo((60 * stations[0]![1]![0]! + 40 * mean) / 100, 1e-9);
    expect(makePoint({ ...blend, weights: [0, 1] }, own, [5000, 5000])).to.equal(
      Math.floor(5000 - own.biases[1]! + 0.5),
    );
  });

  it('given one provider of all weight, then its point less its errors is its forecast less its errors', () =>
    forAnyOf({ seed: 54, numRuns: range({ test: 20, ci: 60, stress: 200 }) })(
      fc.nat(),
      fc.integer({ min: -9000, max: 9000 }),
      (seed, forecast) => {
        const stations = errorsOf(new Random(seed), 4, [150, 250], 50);
        const blend: Blend = { ...blendOf(stations, [0, 1]), weights: [0, 1] };
        const own = ownErrors(blend, stations[1]!);
        const point = makePoint(blend, own, [0, forecast]);
        expect(own.errors.map((error) => point - error)).to.deep.equal(
          [...stations[1]![1]!].map((error) => forecast - error),
        );
      },
    ));

  it('given a bias that ends on half a hundredth, however its sum is made, then it goes up', () => {
    // 100 days less one: (60 * e + 40 * mean) / 100 ends on .5 for sums that are odd multiples of 50.
    const station = [Float64Array.from({ length: 60 }, () => 5), Float64Array.from({ length: 60 }, () => 5)];
    const blend: Blend = {
      members: [0, 1],
      dropped: [],
      weights: [0.7, 0.3],
      meanErrors: [6.25, 6.25],
      network: { lowest: 0, counts: new Int32Array(0), days: 0, sum: 0 },
      best: 0,
    };
    const own = ownErrors(blend, station);
    expect(own.biases).to.deep.equal([5.5, 5.5]);
    // 100 - 5.5 and 5 - 5.5, each in two parts whose doubles do not add up to a half.
    expect(makePoint(blend, own, [100, 100])).to.equal(95);
    expect(new Set(own.errors)).to.deep.equal(new Set([0]));
  });

  it('given stations without some providers, then the days that all have count, on any station', () => {
    const stations = [
      ...errorsOf(new Random(5), 5, [200, 200], 60),
      [NAN(60), errorsOf(new Random(6), 1, [900], 60)[0]![0]!],
    ];
    expect(blendOf(stations, [0, 1]).network.days).to.equal(300);
    expect(blendOf(stations, [0, 1])).to.deep.equal(blendOf(stations.slice(0, 5), [0, 1]));
  });

  it('given days that go, come and change, then sums and blends are those of the days that stand', () => {
    const random = new Random(7);
    const lists = errorsOf(random, 1, [150, 250], 40)[0]!;
    const rolled = new StationErrors(lists.map((list) => list.slice()));
    const members = [0, 1];
    const write = (from: number, dropped: number): void =>
      rolled.roll(dropped, from, () => {
        for (const list of rolled.lists) {
          for (let day = from; day < 40; day += 1)
            list[day] = random.below(9) === 0 ? NaN : random.below(800) - 400;
        }
      });
    for (const [from, dropped] of [
      [39, 1],
      [35, 3],
      [38, 0],
      [0, 0],
      [30, 7],
      [0, 40],
    ] as const) {
      rolled.sumScores(members);
      write(from, dropped);
      const fresh = new StationErrors(rolled.lists.map((list) => list.slice()));
      expect(rolled.sumScores(members)).to.deep.equal(fresh.sumScores(members));
      expect(rolled.sumScores([1])).to.deep.equal(fresh.sumScores([1]));
    }
  });
});
