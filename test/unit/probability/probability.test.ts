import { expect } from 'chai';
import fc from 'fast-check';
import { normalCdf, normalZ } from '../../../src/probability/training/normal.js';
import {
  aboveAndBelow,
  millionths,
  mixErrors,
  networkInterval,
  partition,
  computeProbability,
  quantile,
  stationInterval,
} from '../../../src/probability/training/predictive.js';
import { DailySums } from '../../../src/statistics/uncertainty/daily-sums.js';
import { computeDecomposition } from '../../../src/probability/training/probability-scores.js';
import {
  limitTo,
  countErrors,
  wholeBelow,
  computeFraction,
  makeDegreeCounts,
  degreeCountsOfList,
} from '../../../src/probability/training/degree-counts.js';
import {
  type Bucket,
  firstTargetAfter,
  computeLag,
  leadRange,
  networkMoment,
  trainingDays,
} from '../../../src/probability/training/training.js';
import { plainRate } from '../../support/plain/rate.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';
import { DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { forAnyOf } from '../../support/property.js';
import { SCALES, wholeDegree } from '../../../src/variables/units.js';

const { fahrenheit: FAHRENHEIT, celsius: CELSIUS } = SCALES;

const DAY = 20_000;
/** A millisecond, in hours. */
const MOMENT = 1 / HOUR_MS;
const LEADS = fc.integer({ min: 0, max: 700 * HOUR_MS });
const BUCKETS: [Bucket, number][] = [
  ['0-6h', 0],
  ['6-12h', 6],
  ['12-24h', 12],
  ['24-48h', 24],
  ['48-72h', 48],
  ['72h+', 72],
];
const bucketOf = (lead_ms: number): Bucket =>
  BUCKETS.findLast(([, from]) => from * HOUR_MS <= lead_ms)?.[0] ?? '0-6h';

describe('the forecast of a day that counts (D36)', () => {
  for (const [what, bucket, lead_hours, from, to, ends] of [
    ['no lead', '0-6h', undefined, 0, 6, 'excluded'],
    ['no lead', '6-12h', undefined, 6, 12, 'excluded'],
    ['no lead', '12-24h', undefined, 12, 24, 'excluded'],
    ['no lead', '24-48h', undefined, 24, 48, 'excluded'],
    ['no lead', '48-72h', undefined, 48, 72, 'excluded'],
    ['no lead', '72h+', undefined, 72, 96, 'included'],
    ['no hour', '0-6h', 0, 0, 6, 'excluded'],
    ['a moment', '0-6h', MOMENT, 0, 6, 'excluded'],
    ['a moment less than 6 hours', '0-6h', 6 - MOMENT, 0, 6, 'excluded'],
    ['6 hours', '6-12h', 6, 6, 12, 'excluded'],
    ['23.5 hours', '12-24h', 23.5, 12, 24, 'excluded'],
    ['a moment less than 24 hours', '12-24h', 24 - MOMENT, 12, 24, 'excluded'],
    ['24 hours', '24-48h', 24, 12, 24, 'included'],
    ['a moment more than 24 hours', '24-48h', 24 + MOMENT, 24 + MOMENT, 48, 'included'],
    ['47 hours', '24-48h', 47, 24 + MOMENT, 48, 'included'],
    ['48 hours', '48-72h', 48, 24 + MOMENT, 48, 'included'],
    ['a moment more than 48 hours', '48-72h', 48 + MOMENT, 48 + MOMENT, 72, 'included'],
    ['72 hours', '72h+', 72, 48 + MOMENT, 72, 'included'],
    ['96 hours', '72h+', 96, 72 + MOMENT, 96, 'included'],
    ['120.5 hours', '72h+', 120.5, 120 + MOMENT, 144, 'included'],
    ['720 hours', '72h+', 720, 696 + MOMENT, 720, 'included'],
  ] as const) {
    it(`given ${what} in ${bucket}, then it is the nearest of a range up to ${to} hours, that end ${ends}`, () => {
      const inMs = (hours: number): number => Math.round(hours * HOUR_MS);
      expect(leadRange(bucket, lead_hours && inMs(lead_hours))).to.deep.equal({
        from_ms: inMs(from),
        to_ms: inMs(to) - (ends === 'included' ? 0 : 1),
        nearest_ms: inMs(lead_hours ?? from),
        horizon: to,
      });
    });
  }

  it('given any lead, then it is in its own range, and the range ends by its horizon', () =>
    forAnyOf({ seed: 55, numRuns: 300 })(LEADS, (lead_ms) => {
      const { from_ms, to_ms, nearest_ms, horizon } = leadRange(bucketOf(lead_ms), lead_ms);
      expect(nearest_ms).to.equal(lead_ms).and.to.be.within(from_ms, to_ms);
      expect(to_ms).to.be.at.most(horizon * HOUR_MS);
    }));
});

describe('the days that are learned from', () => {
  it('given a lead time, then the last day is 2 days before up to 24 hours, then a day more for each', () => {
    for (const [hours, lag] of [
      [0, 2],
      [23.99, 2],
      [24, 2],
      [24.01, 3],
      [48, 3],
      [48.01, 4],
      [72, 4],
      [72.01, 5],
      [96, 5],
      [97, 6],
    ] as const) {
      const lead_ms = hours * HOUR_MS;
      const days = trainingDays(DAY, leadRange(bucketOf(lead_ms), lead_ms).horizon, 60);
      expect([DAY - days.last, days.last - days.first + 1], String(hours)).to.deep.equal([lag, 60]);
    }
  });

  it('given any zone on Earth, then nothing is learned that was not there when a forecast was issued', () => {
    const zone = fc.integer({ min: -12 * HOUR_MS, max: 14 * HOUR_MS });
    const lead = fc.oneof(
      LEADS,
      fc.integer({ min: 1, max: 29 }).map((days) => days * DAY_MS),
    );
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    forAnyOf({ seed: 36, numRuns: 300 })(
      lead,
      fc.boolean(),
      zone,
      share,
      zone,
      (lead_ms, isNamed, ahead, place, otherAhead) => {
        const bucket = bucketOf(lead_ms);
        const { from_ms, to_ms, horizon } = leadRange(bucket, isNamed ? lead_ms : undefined);
        const within = (at: number): number => Math.round(from_ms + at * (to_ms - from_ms));
        for (const at of [0, place, 1]) {
          const moment = networkMoment(DAY, horizon);
          expect(moment).to.be.at.most(DAY * DAY_MS - ahead - within(at));
          const otherDay = DAY - computeLag(horizon);
          expect(otherDay * DAY_MS - otherAhead - within(at)).to.be.at.most(moment);
          expect(otherDay * DAY_MS + 12 * HOUR_MS - within(at)).to.be.at.most(moment);
        }
      },
    );
  });

  it('given an instant, then the first target day is the first whose moment is not before it', () => {
    for (const horizon of [6, 12, 24, 48, 72, 96]) {
      const moment = networkMoment(DAY, horizon);
      expect([moment - 1, moment, moment + 1].map((at) => firstTargetAfter(at, horizon) - DAY)).to.deep.equal(
        [0, 0, 1],
      );
    }
  });
});

const errors = fc.array(fc.integer({ min: -3000, max: 3000 }), { maxLength: 40 });
const evidenceOf = (station: number[], network: number[], phase: number) => {
  const lowest = Math.min(...network);
  const counts = new Int32Array(Math.max(...network) - lowest + 1);
  for (const error of network) counts[error - lowest] = (counts[error - lowest] ?? 0) + 1;
  const all = { lowest, counts, days: network.length, sum: 0 };
  return {
    station: degreeCountsOfList(station, station.length, phase, FAHRENHEIT),
    network: makeDegreeCounts(all, phase, FAHRENHEIT),
  };
};

interface Given {
  station: number[];
  network: number[];
  phase: number;
  found: ReturnType<typeof evidenceOf>;
}

describe('a mixture of errors', () => {
  const counts = fc
    .tuple(
      errors,
      fc.array(fc.integer({ min: -3000, max: 3000 }), { minLength: 1 }),
      fc.integer({ min: 0, max: 99 }),
    )
    .map(([station, network, phase]) => ({
      ...{ station, network, phase },
      found: evidenceOf(station, network, phase),
    }));

  it('given any errors, then a threshold and what is below add up to 1, and more is never likelier', () =>
    forAnyOf({ seed: 36, numRuns: 200 })(counts, fc.integer({ min: -40, max: 40 }), ({ found }, degree) => {
      const above = computeProbability(found, { from: degree, to: null });
      expect(above + computeProbability(found, { from: null, to: degree - 1 })).to.be.closeTo(1, 1e-12);
      expect(computeProbability(found, { from: degree + 1, to: null })).to.be.at.most(above + 1e-12);
      expect(millionths(above)).to.be.within(1e-6, 1 - 1e-6);
    }));

  it('given any errors, then a quantile is the first degree with so much probability at or below', () => {
    const shareBelow = ({ station, network, phase }: Omit<Given, 'found'>) => {
      const upTo = (list: number[], degree: number): number =>
        list.filter((error) => Math.floor((phase - error + 50) / 100) < degree).length;
      // Half a day more of the network in either outcome, and to a millionth.
      return (degree: number): number =>
        (upTo(station, degree) + (60 * (upTo(network, degree) + 0.5)) / (network.length + 1)) /
        (station.length + 60);
    };
    forAnyOf({ seed: 36, numRuns: 400 })(
      counts,
      fc.constantFrom(0.05, 0.1, 0.25, 0.5, 0.9, 0.95),
      (given, share) => {
        const { found } = given;
        const degree = quantile(mixErrors(found), share);
        const shown = (threshold: number): number => aboveAndBelow(mixErrors(found), threshold).below;
        const ends = [...given.station, ...given.network].map((error) =>
          wholeDegree(given.phase - error, FAHRENHEIT),
        );
        // The days that are added to few days are more than the share: the quantile stays where days end.
        if (degree > Math.min(...ends)) expect(shown(degree)).to.be.below(share);
        if (degree < Math.max(...ends)) expect(shown(degree + 1)).to.be.at.least(share);
        expect(degree).to.be.within(Math.min(...ends), Math.max(...ends));
        expect(shown(degree)).to.be.closeTo(shareBelow(given)(degree), 1.5e-6);
      },
    );
  });

  it('given a threshold that the half day alone lifts above a share, then the quantile is below it', () => {
    // 200 days, 10 of which end at 65 and all others above: 10.5 of 201 are below 66.
    const network = Array.from({ length: 200 }, (_, at) => (at < 10 ? 100 : -100));
    const found = evidenceOf([], network, 0);
    expect(aboveAndBelow(mixErrors(found), 0).below).to.equal(0.052239);
    const degrees = [0.0522, 0.052239, 0.05224].map((share) => quantile(mixErrors(found), share));
    expect(degrees).to.deep.equal([-1, -1, 1]);
  });

  it('given any partition, then its rounded shares add up to 1, none is 0, none off by more than rounding', () =>
    forAnyOf({ seed: 36, numRuns: 200 })(
      fc.array(fc.integer({ min: 1, max: 1e9 }), { minLength: 2, maxLength: 32 }),
      (weights) => {
        const total = weights.reduce((sum, each) => sum + each, 0);
        const shown = partition(weights.map((each) => each / total));
        expect(shown.reduce((sum, each) => sum + Math.round(each * 1e6), 0)).to.equal(1e6);
        for (const [at, each] of shown.entries()) {
          expect(each).to.be.at.least(1e-6);
          expect(each).to.be.closeTo((weights[at] ?? 0) / total, 33e-6);
        }
      },
    ));

  it('given temperatures on a half, then whole degrees are half up', () => {
    for (const [scale, hundredths, degrees] of [
      [FAHRENHEIT, [8250, 8249, -8250, -50, -51, 0], [83, 82, -82, 0, -1, 0]],
      // 20.5 °C is 68.9 °F, and -0.5 °C is 31.1.
      [CELSIUS, [6890, 6889, 3110, 3109, 3200, -4000], [21, 20, 0, -1, 0, -40]],
    ] as const) {
      expect(hundredths.map((each) => wholeDegree(each, scale))).to.deep.equal(degrees);
    }
  });

  it('given any errors and either unit, then both kinds of degreeCounts count the days up to each degree', () =>
    forAnyOf({ seed: 42, numRuns: 200 })(
      fc.array(fc.integer({ min: -3000, max: 3000 }), { minLength: 1, maxLength: 40 }),
      fc.integer({ min: -6000, max: 12_000 }),
      fc.constantFrom(FAHRENHEIT, CELSIUS),
      (found, forecast, scale) => {
        const [phase, floor] = [computeFraction(forecast, scale), wholeBelow(forecast, scale)];
        const lists = [
          degreeCountsOfList(found, found.length, phase, scale),
          makeDegreeCounts(countErrors(found), phase, scale),
        ];
        const { size, zero } = scale;
        for (let degree = -40; degree <= 40; degree += 1) {
          // A day is at a degree or below it, if it is below the half degree after.
          const upTo = found.filter(
            (error) => 2 * (forecast - error - zero) < size * (2 * (floor + degree) + 1),
          );
          for (const degreeCounts of lists) expect(limitTo(degreeCounts, degree)).to.equal(upTo.length);
        }
      },
    ));
});

// Errors of a day share 30 % of their variance, and each day's a part of the day before.
describe('95 % intervals of probabilities learned from 60 days of 60 stations, whose biases are -1.5 to 1.5 °F', function () {
  const STATIONS = 60;
  const DAYS = 60;
  const SPREAD = 220;
  const LASTS = 0.3;
  const RUNS = range({ test: 60, ci: 400 });
  const THRESHOLDS = [-3, 0, 1, 4];
  const biasOf = (station: number): number => -150 + (300 * station) / (STATIONS - 1);
  /** P(settled >= threshold) of a forecast of 0: half up, so from half a degree below on. */
  const truth = (station: number, threshold: number): number =>
    1 - normalCdf((100 * threshold - 50 + biasOf(station)) / SPREAD);

  const simulated = (random: Random): number[][] => {
    const weather = random.lasting(LASTS);
    const own = Array.from({ length: STATIONS }, () => random.lasting(LASTS));
    const byDay = Array.from({ length: DAYS }, () => {
      const shared = Math.sqrt(0.3) * weather();
      return own.map((next, at) => Math.round(biasOf(at) + SPREAD * (shared + Math.sqrt(0.7) * next())));
    });
    return own.map((_, at) => byDay.map((day) => day[at]!));
  };

  it('given any station, then 90 % or more hold its probability at each threshold; so the network', () => {
    const random = new Random(9);
    const held = THRESHOLDS.map(() => new Array<number>(STATIONS).fill(0));
    const networkHeld = THRESHOLDS.map(() => 0);
    let [width, networkWidth] = [0, 0];
    for (let run = 0; run < RUNS; run += 1) {
      const stations = simulated(random);
      const all = stations.flat();
      const byDay = Array.from({ length: DAYS }, (_, day) =>
        stations.map((errors) => ({ day, error_hundredths: errors[day]!, station_days: 1 })),
      ).flat();
      const { network } = evidenceOf([], all, 0);
      for (const [at, from] of THRESHOLDS.entries()) {
        for (const [station, errors] of stations.entries()) {
          const counts = { station: degreeCountsOfList(errors, DAYS, 0, FAHRENHEIT), network };
          const { low, high } = stationInterval(counts, { from, to: null }, 2, errors, 0.95);
          const shown = computeProbability(counts, { from, to: null });
          if (low > shown || high < shown) throw new Error(`${shown} is not within ${low} to ${high}`);
          if (low <= truth(station, from) && truth(station, from) <= high) held[at]![station]! += 1;
          if (from === 0) width += (high - low) / STATIONS;
        }
        const mean = stations.reduce((sum, _, station) => sum + truth(station, from), 0) / STATIONS;
        const { low, high } = networkInterval(byDay, 0, { from, to: null }, 0.95, FAHRENHEIT)!;
        if (low <= mean && mean <= high) networkHeld[at]! += 1;
        if (from === 0) networkWidth += high - low;
      }
    }
    for (const [at, threshold] of THRESHOLDS.entries()) {
      const shares = held[at]!.map((count) => count / RUNS);
      const least = range({ test: 0.8, ci: 0.9 }); // of 60 runs of one station, chance leaves fewer
      expect(Math.min(...shares), `a station, ${threshold}`).to.be.at.least(least);
      const mean = shares.reduce((sum, each) => sum + each, 0) / STATIONS;
      expect(mean, `all, ${threshold}`).to.be.at.least(0.93);
      const leastOfNetwork = range({ test: 0.87, ci: 0.91 });
      expect(networkHeld[at]! / RUNS, `network, ${threshold}`).to.be.at.least(leastOfNetwork);
    }
    expect(width / RUNS).to.be.within(0.2, 0.35);
    expect(networkWidth).to.be.below(0.9 * width);
  });

  it("given a network alone, then its interval is a rate's by days; given fewer than 14, none", () => {
    const byDay = Array.from({ length: 40 }, (_, day) => [
      { day, error_hundredths: -100, station_days: 10 + (day % 5) },
      { day, error_hundredths: 100, station_days: 20 - (day % 7) },
    ]).flat();
    const days = Array.from({ length: 40 }, (_, day) => ({
      n: 30 + (day % 5) - (day % 7),
      hits: 10 + (day % 5),
    }));
    const plain = plainRate(days);
    const { low, high } = networkInterval(byDay, 0, { from: 1, to: null }, 0.95, FAHRENHEIT)!;
    expect([low, high].map((bound) => Math.round(bound * 1e4) / 1e4)).to.deep.equal([plain.low, plain.high]);
    expect(networkInterval(byDay.slice(0, 26), 0, { from: 1, to: null }, 0.95, FAHRENHEIT)).to.equal(
      undefined,
    );
  });
});

describe('scores of probabilities', () => {
  it('given forecasts of chance alone, then the corrected reliability is 0 on average', () => {
    // One bin of three forecasts of 0.5: 0 to 3 hits, in 1, 3, 3 and 1 of 8 cases.
    const term = (hits: number): number => {
      const bin = DailySums.empty(0, 1, ['probability', 'hit']);
      for (let at = 0; at < 3; at += 1) bin.add(0, { probability: 0.5, hit: Number(at < hits) });
      return computeDecomposition([bin], 0.25).reliability;
    };
    expect((term(0) + 3 * term(1) + 3 * term(2) + term(3)) / 8).to.be.closeTo(0, 1e-12);
  });

  it('given the normal distribution, then it has the values of the tables', () => {
    for (const [z, expected] of [
      [0, 0.5],
      [1, 0.8413447],
      [-1.959964, 0.025],
      [-5, 2.866516e-7],
    ] as const) {
      expect(normalCdf(z) / expected).to.be.closeTo(1, 3e-7);
    }
    expect(normalZ(0.95)).to.be.closeTo(1.959964, 1e-5);
  });
});
