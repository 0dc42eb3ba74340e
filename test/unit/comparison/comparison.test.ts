import { expect } from 'chai';
import { falseDiscoveryAdjusted } from '../../../src/statistics/uncertainty/diebold-mariano.js';
import { adjustedTests, computePaired, makeTest } from '../../../src/comparison/difference.js';
import type { PairedCases } from '../../../src/comparison/paired-cases.js';
import { normalsByDay, orNormal } from '../../../src/comparison/skill/normals.js';
import {
  computeReach,
  getReference,
  REFERENCES,
  seasonsBefore,
} from '../../../src/comparison/skill/references.js';
import { Reports } from '../../../src/queries/report-rows.js';
import { addSkill, noSkill, computeSkill } from '../../../src/comparison/skill/skill-scores.js';
import { rounded } from '../../../src/statistics/statistics.js';
import { addDays, dayNumber } from '../../../src/statistics/time/calendar.js';
import { twoSidedP } from '../../../src/statistics/uncertainty/student-t.js';
import { plainMean } from '../../support/plain/comparison.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

type Paired = ReturnType<typeof computePaired>;

/** The records of an answer at 95 %. */
function recordsOf(rows: readonly PairedCases[]): Paired[] {
  const tests = adjustedTests(rows.map((row) => makeTest(row, 'abs')));
  return rows.map((row, at) => computePaired(row, tests[at], 0.95, 'abs'));
}

describe("the two-sided p of Student's t", () => {
  it('given values of printed tables, then it is theirs', () => {
    for (const [t, freedom, p] of [
      [12.7062, 1, 0.05],
      [4.30265, 2, 0.05],
      [2.77645, 4, 0.05],
      [3.16927, 10, 0.01],
      [1.67943, 45, 0.1],
      [2.58075, 1000, 0.01],
      [0, 7, 1],
    ] as const) {
      expect(twoSidedP(t, freedom), `${t} ${freedom}`).to.be.closeTo(p, 1e-6);
      expect(twoSidedP(-t, freedom)).to.equal(twoSidedP(t, freedom));
    }
    expect(twoSidedP(1e6, 30)).to.equal(0);
  });
});

describe('the p of several tests, adjusted by Benjamini and Hochberg', () => {
  const expectAdjusted = (given: number[], expected: number[]): void => {
    const found = falseDiscoveryAdjusted(given);
    expect(found).to.have.length(expected.length);
    for (const [at, p] of expected.entries()) expect(found[at]).to.be.closeTo(p, 1e-12);
  };

  it('given tests, then each has the p of the steps up, in the order given', () => {
    // In rising order 0.005, 0.01, 0.03, 0.04: times 4 / rank 0.02, 0.02, 0.04, 0.04.
    expectAdjusted([0.01, 0.04, 0.03, 0.005], [0.02, 0.04, 0.04, 0.02]);
    // 0.04 · 3 / 2 = 0.06 is larger than 0.045 · 3 / 3, which the later one has.
    expectAdjusted([0.04, 0.01, 0.045], [0.045, 0.03, 0.045]);
    expectAdjusted([0.6, 0.9], [0.9, 0.9]);
    expectAdjusted([0.2, 0.2, 0.2], [0.2, 0.2, 0.2]);
    expectAdjusted([0.7], [0.7]);
    expectAdjusted([], []);
  });

  it('given the fifteen p of the example of 1995, then four are significant at 0.05', () => {
    const published = [
      ...[0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719],
      ...[0.6528, 0.759, 1],
    ];
    expect(falseDiscoveryAdjusted(published).filter((p) => p <= 0.05)).to.have.length(4);
  });
});

const LEADS = 6;
const MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

const DAYS = 90;
const CASES_A_DAY = 5;
const SPREAD_F = 2;

/** Days of a reference, and of the reference with noise added; errors of neighbouring days resemble each other. */
function simulated(random: Random, noise_f: number): PairedCases {
  const days = Array.from({ length: DAYS }, () => ({ abs: 0, square: 0, wins: 0 }));
  const sums = {
    ...{ error_sum: 0, abs_error_sum: 0, square_error_sum: 0 },
    ...{ reference_error_sum: 0, reference_abs_error_sum: 0, reference_square_error_sum: 0 },
  };
  const nextWeather = random.lasting(0.5);
  let [squares, moved] = [0, 0];
  for (const day of days) {
    const weather = nextWeather();
    for (let i = 0; i < CASES_A_DAY; i += 1) {
      const share = Math.sqrt(0.7) * weather + Math.sqrt(0.3) * random.gaussian();
      const reference = 100 * SPREAD_F * share;
      const error = reference + 100 * noise_f * random.gaussian();
      const difference = Math.abs(error) - Math.abs(reference);
      day.abs += difference;
      day.square += error ** 2 - reference ** 2;
      if (difference < 0) day.wins += 1;
      squares += difference ** 2;
      moved = Math.max(moved, Math.abs(error - reference));
      for (const [prefix, each] of [
        ['', error],
        ['reference_', reference],
      ] as const) {
        sums[`${prefix}error_sum`] += each;
        sums[`${prefix}abs_error_sum`] += Math.abs(each);
        sums[`${prefix}square_error_sum`] += each ** 2;
      }
    }
  }
  return {
    provider_place: 2,
    cases: DAYS * CASES_A_DAY,
    ...{ provider_only_cases: 0, reference_only_cases: 0, preliminary_cases: 0 },
    cases_by_day: days.map(() => CASES_A_DAY),
    abs_differences: days.map(({ abs }) => abs),
    square_differences: days.map(({ square }) => square),
    decided_by_day: days.map(() => CASES_A_DAY),
    wins_by_day: days.map(({ wins }) => wins),
    forecast_difference: moved,
    abs_difference_squares: squares,
    square_difference_squares: '0',
    ...sums,
    ...{ lead_ms_sum: 0, reference_lead_ms_sum: 0 },
  };
}

describe('a provider against itself with noise', () => {
  const runs = range({ test: 300, ci: 600, stress: 4000 });
  const [least, most] = [0.91, 0.98];

  /** The records of many runs, each 90 days of its own. */
  const records = (noise_f: number, seed: number): Paired[] => {
    const random = new Random(seed);
    return Array.from({ length: runs }, () => recordsOf([simulated(random, noise_f)])[0]!);
  };
  const share = (of: readonly Paired[], holds: (record: Paired) => boolean): number =>
    of.filter(holds).length / of.length;

  it('given noise of 1 °F, then intervals hold the true differences in 91 to 98 % of runs', () => {
    const found = records(1, 20_261_122);
    // The mean size of a normal error is its spread times the root of 2/π.
    const mae = Math.sqrt(2 / Math.PI) * (Math.sqrt(SPREAD_F ** 2 + 1) - SPREAD_F);
    const holds = (name: 'mae_difference' | 'mse_difference', truth: number): number =>
      share(found, ({ [name]: { low, high } }) => low! <= truth && truth <= high!);
    expect(holds('mae_difference', mae)).to.be.within(least, most);
    expect(holds('mse_difference', 1)).to.be.within(least, most);
    expect(share(found, ({ mae_difference }) => mae_difference.low! > 0)).to.be.above(0.95);
    expect(share(found, ({ dm_p_value }) => dm_p_value! < 0.05)).to.be.above(0.95);
    expect(share(found, ({ win_rate_high }) => win_rate_high! < 0.5)).to.be.above(0.5);
  });

  it('given a difference that days barely show, then the verdict goes with p, not the rounded interval', () => {
    const found = records(0.3, 7);
    const decided = ({ verdict }: Paired): boolean => verdict !== 'not_significant';
    expect(share(found, decided)).to.be.within(0.05, 0.95);
    for (const { verdict, mae_difference, dm_p_value } of found) {
      if (Math.abs(dm_p_value! - 0.05) < 0.0001) continue; // p is to 0.0001
      const side = mae_difference.value! < 0 ? 'better' : 'worse';
      expect(verdict, String(dm_p_value)).to.equal(dm_p_value! < 0.05 ? side : 'not_significant');
    }
    const bounds = ({ mae_difference: { low, high } }: Paired): (number | null)[] =>
      [low!, high!].map(rounded);
    const onZero = found.filter((record) => bounds(record).includes(0));
    expect(onZero.map(decided), 'some bounds are 0 on either side').to.include.members([true, false]);
  });

  it('given forecasts at most 0.1 °F apart, then they are of one source, untested; beyond, tested', () => {
    const random = new Random(9);
    const noisy = simulated(random, 0.05);
    const worse = { ...noisy, abs_differences: noisy.abs_differences.map(() => 10 + random.below(5)) };
    const [one, two] = recordsOf([
      { ...worse, forecast_difference: 10 },
      { ...worse, forecast_difference: 11 },
    ]);
    expect(one).to.include({
      identical: true,
      verdict: 'not_significant',
      significant: false,
      dm_p_value: null,
    });
    expect(one).to.include({ wins: 0, losses: 0, ties: DAYS * CASES_A_DAY });
    expect(one!.mae_difference).to.include({ low: null, high: null, std_error: null, n_eff: null });
    expect(one!.mae_difference.value).to.equal(two!.mae_difference.value).and.be.above(0);
    expect(one!.mse_difference.value).to.equal(two!.mse_difference.value);
    expect(two).to.include({ identical: false, verdict: 'worse', significant: true });
  });

  it('given no day that both have, or too few, then the verdict says so', () => {
    const one = simulated(new Random(8), 1);
    const nothing = { ...one, cases: 0, cases_by_day: one.cases_by_day.map(() => 0) };
    const cases_by_day = one.cases_by_day.map((cases, day) => (day < 13 ? cases : 0));
    const few = { ...one, cases: 65, cases_by_day };
    const single = {
      ...nothing,
      cases: 1,
      cases_by_day: nothing.cases_by_day.map((_, day) => (day ? 0 : 1)),
    };
    const verdicts = recordsOf([nothing, single, few, one]).map(({ verdict }) => verdict);
    expect(verdicts).to.deep.equal(['no_common_days', 'not_significant', 'not_significant', 'worse']);
  });
});

describe('a scorecard of two providers that are equally good', () => {
  it('given 72 cells of days that resemble each other, then at most 7 % of runs have a significant one', () => {
    const random = new Random(1995);
    const runs = range({ test: 200, ci: 800, stress: 10_000 });
    let [adjusted, single] = [0, 0];
    for (let run = 0; run < runs; run += 1) {
      const nextWeather = random.lasting(0.5);
      const cells = MONTHS.flatMap((days) => {
        const weather = Array.from({ length: days }, nextWeather);
        return Array.from({ length: LEADS }, () => ({
          ...{ cases: days, forecast_difference: 100 },
          cases_by_day: weather.map(() => 1),
          abs_differences: weather.map((each) => Math.sqrt(0.7) * each + Math.sqrt(0.3) * random.gaussian()),
        }));
      });
      const tests = adjustedTests(cells.map((cell) => makeTest({ ...cell, square_differences: [] }, 'abs')));
      expect(tests).to.have.lengthOf(72).and.not.include(undefined);
      if (tests.some((test) => test!.false_discovery <= 0.05)) adjusted += 1;
      if (tests.some((test) => test!.p_value <= 0.05)) single += 1;
    }
    expect(adjusted / runs).to.be.at.most(0.07);
    expect(single / runs).to.be.above(0.8);
  });
});

/** Errors in whole degrees of a station's days, each half of the day before; hundredths. */
const wholeErrors = (random: Random, spread_f: number): (() => number) => {
  const next = random.lasting(0.5);
  return () => 100 * Math.round(spread_f * next());
};

/** The mean size of such errors, and of their squares; °F. */
function meanSizes(spread_f: number): { abs: number; square: number } {
  const sizes = { abs: 0, square: 0 };
  // Fine enough to be exact to 0.0001.
  for (let z = 0.0005; z < 8; z += 0.001) {
    const density = (0.002 / Math.sqrt(2 * Math.PI)) * Math.exp(-(z ** 2) / 2);
    sizes.abs += density * Math.round(spread_f * z);
    sizes.square += density * Math.round(spread_f * z) ** 2;
  }
  return sizes;
}

describe('the interval of skill, where the reference is exactly right on some days', () => {
  /** A day in twelve has no case. */
  const simulatedDays = (random: Random, days: number) => {
    const [forecast, reference] = [wholeErrors(random, 2), wholeErrors(random, 3)];
    return Array.from({ length: days }, () => ({
      cases: random.below(12) === 0 ? 0 : 1,
      error: forecast(),
      off: reference(),
    }));
  };
  const skillOfDays = (days: ReturnType<typeof simulatedDays>) => {
    const sums = noSkill(days.length);
    for (const [at, { cases, error, off }] of days.entries())
      for (let one = 0; one < cases; one += 1)
        addSkill(sums, at, error, 0, { hundredths: off, lagDays: 1 }, 1);
    return computeSkill(sums, 0.95);
  };

  it('given such days, also first and last, then they are days like all others of the plain computation', () => {
    const days = simulatedDays(new Random(20), 97);
    for (const at of [0, 40, 96]) days[at] = { cases: 1, error: 300, off: 0 };
    for (const at of [5, 50]) days[at]!.cases = 3;
    const { interval, value } = plainMean(
      days.map(({ cases, error, off }) => ({
        cases,
        n: cases * Math.abs(off),
        sum: cases * Math.abs(error),
      })),
    );
    const reach = Math.exp((interval!.high - value) / value);
    const found = skillOfDays(days);
    expect(found.skill_mae.low).to.be.closeTo(1 - value * reach, 5.1e-5);
    expect(found.skill_mae.high).to.be.closeTo(1 - value / reach, 5.1e-5);
  });

  it('given simulations, then 93 to 97 % of the intervals hold the true skill', () => {
    const random = new Random(21);
    const runs = range({ test: 1000, ci: 4000 });
    const [forecast, reference] = [meanSizes(2), meanSizes(3)];
    const held = { skill_mae: 0, msess: 0 };
    for (let run = 0; run < runs; run += 1) {
      const found = skillOfDays(simulatedDays(random, 97));
      for (const name of ['skill_mae', 'msess'] as const) {
        const of = name === 'msess' ? 'square' : 'abs';
        const truth = 1 - forecast[of] / reference[of];
        if (found[name].low! <= truth && truth <= found[name].high!) held[name] += 1;
      }
    }
    for (const [name, count] of Object.entries(held)) expect(count / runs, name).to.be.within(0.93, 0.97);
  });
});

describe('references', () => {
  const TARGET = dayNumber('2026-03-01');
  const HOUR = 3_600_000;

  /** A station's reports of the last days and of earlier years; some days have several, at any time. */
  const reported = (random: Random) => {
    const days = [
      ...Array.from({ length: 70 }, (_, lag) => TARGET - 1 - lag),
      ...seasonsBefore(TARGET)
        .slice(0, 5)
        .flatMap((each) => [...each]),
    ];
    const rows = days.flatMap((day) =>
      Array.from({ length: random.below(4) }, () => ({
        day,
        observed_ms: (day + 1) * 24 * HOUR + random.below(96) * HOUR + random.below(HOUR),
        verified: random.below(2),
        hundredths: random.below(9000) - 2000,
      })),
    );
    return rows;
  };
  type Rows = ReturnType<typeof reported>;
  const reportsOf = (rows: Rows): Reports =>
    new Reports({
      days: rows.map(({ day }) => day),
      reported_after: rows.map(({ day, observed_ms }) => observed_ms - day * 24 * HOUR),
      hundredths: rows.map(({ hundredths }) => hundredths),
      flags: rows.map(({ verified }) => 2 * verified),
      loads: rows.map(() => 1),
    });

  it('when all that is reported later than the moment of issuance changes or goes, then no reference does', () => {
    const random = new Random(5);
    let answered = 0;
    for (let round = 0; round < 60; round += 1) {
      const rows = reported(random);
      const issued_ms = TARGET * 24 * HOUR - random.below(100) * HOUR;
      const later = rows.flatMap((row) => {
        if (row.observed_ms <= issued_ms) return [row];
        const observed_ms = row.observed_ms + random.below(HOUR);
        return random.below(3) === 0 ? [] : [{ ...row, hundredths: 20_000, verified: 1, observed_ms }];
      });
      for (const name of REFERENCES) {
        const [was, is] = [rows, later].map((of) => getReference(name)(reportsOf(of), TARGET, issued_ms));
        expect(is, name).to.deep.equal(was);
        if (was !== undefined) answered += 1;
      }
    }
    expect(answered).to.equal(120);
  });

  it('given a moment that nobody knows, then there is no reference', () => {
    const reports = reportsOf(reported(new Random(6)));
    for (const name of REFERENCES) expect(getReference(name)(reports, TARGET, NaN)).to.equal(undefined);
  });

  it('given days of the year, then their season is a week on both sides in each earlier year', () => {
    const dates = (target: string, year: number): string[] => {
      const season = seasonsBefore(dayNumber(target))[Number(target.slice(0, 4)) - year - 1] ?? [];
      return [...season].map((day) => addDays('1970-01-01', day));
    };
    const ends = (target: string, year: number) => {
      const found = dates(target, year);
      return [found[0], found.at(-1), found.length];
    };
    expect(ends('2026-07-10', 2025)).to.deep.equal(['2025-07-03', '2025-07-17', 15]);
    expect(ends('2026-01-03', 2025)).to.deep.equal(['2024-12-27', '2025-01-10', 15]);
    expect(ends('2026-12-30', 2024)).to.deep.equal(['2024-12-23', '2025-01-06', 15]);
    expect(ends('2026-03-01', 2024)).to.deep.equal(['2024-02-22', '2024-03-08', 16]);
    expect(ends('2024-02-29', 2023)).to.deep.equal(['2023-02-22', '2023-03-07', 14]);
    expect(ends('2024-02-29', 2020)).to.deep.equal(['2020-02-22', '2020-03-07', 15]);
    expect(ends('2100-03-05', 2096)).to.deep.equal(['2096-02-26', '2096-03-12', 16]);
    expect(dates('2100-03-05', 2070)).to.have.lengthOf(15);
    expect(dates('2100-03-05', 2069)).to.deep.equal([]);
  });

  it("given normals, then a day that has one has that; a leap day without has its neighbours' mean", () => {
    const reports = new Reports();
    const own = { hundredths: 1 };
    const on = (date: string, days: Record<number, number>): unknown => {
      const row = { month_days: Object.keys(days).map(Number), hundredths: Object.values(days) };
      return orNormal(() => own, normalsByDay(row))(reports, dayNumber(date), 0);
    };
    const days = { 101: -50, 228: -301, 301: -302, 1231: 4000 };
    expect(on('2026-01-01', days)).to.deep.equal({ hundredths: -50, isNormal: true });
    expect(on('2024-12-31', days)).to.deep.equal({ hundredths: 4000, isNormal: true });
    expect(on('2024-02-29', days)).to.deep.equal({ hundredths: -302, isNormal: true });
    expect(on('2024-02-29', { ...days, 229: 7 })).to.deep.equal({ hundredths: 7, isNormal: true });
    expect(on('2024-02-29', { 228: -301 })).to.equal(own);
    expect(on('2026-07-04', days)).to.equal(own);
    expect(orNormal(() => own, normalsByDay(undefined))(reports, dayNumber('2026-01-01'), 0)).to.equal(own);
  });

  it('given any window, then the days that are read are enough', () => {
    for (const [period_start, days_analyzed] of [
      ['2026-02-20', 40],
      ['2024-02-29', 1],
      ['2100-03-01', 1],
      ['2025-12-25', 20],
      ['1973-01-05', 3],
    ] as const) {
      const first = dayNumber(period_start);
      const period_end = addDays(period_start, days_analyzed - 1);
      const {
        reports_from,
        reports_to,
        season_margin: margin = 0,
      } = computeReach('climatology', { period_start, period_end });
      const seasons = Array.from({ length: days_analyzed }, (_, at) => seasonsBefore(first + at));
      const unread = seasons.flat().flatMap((season) =>
        [...season].filter((day) => {
          const behind = (((day - first + margin) % 365.2425) + 365.2425) % 365.2425;
          const [from, to] = [dayNumber(reports_from), dayNumber(reports_to)];
          return behind > days_analyzed + 2 * margin || day < from || day > to;
        }),
      );
      expect(seasons.flat().length, period_start).to.be.above(days_analyzed);
      expect(unread, period_start).to.deep.equal([]);
    }
  });
});
