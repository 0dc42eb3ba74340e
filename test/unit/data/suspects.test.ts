import { expect } from 'chai';
import { JudgedStation } from '../../../src/data/suspects/rules.js';
import { Random } from '../../support/random.js';

const YEAR = 365;

/** A station that observes each day. @param values hundredths of a °F @param errors twice forecast less observed */
const stationOf = (values: readonly number[], errors = values.map(() => 0)): JudgedStation =>
  new JudgedStation(
    {
      station_id: 'VABB',
      days: values.map((_, day) => day),
      actuals: values.map((value) => value),
      errors,
      far_off: [],
      excluded: [],
    },
    0,
    values.length,
  );

/** The days on which a run in doubt begins. */
const runsOf = (values: readonly number[], from: number): number[] => {
  const station = stationOf(values);
  const days = Array.from({ length: values.length - from }, (_, at) => from + at);
  return [
    ...new Set(
      days.flatMap((day) => {
        const run = station.unlikelyRun(day);
        return run === undefined ? [] : [day - run.days + 1];
      }),
    ),
  ];
};

/** Years of whole °C; neighbouring days are alike. @param sdOf the standard deviation of a day, °C */
function weather(random: Random, years: number, sdOf: (day: number) => number): number[] {
  const next = random.lasting(0.6);
  return Array.from({ length: years * YEAR }, (_, day) => 180 * Math.round(30 + sdOf(day % YEAR) * next()));
}

describe('jumps', () => {
  it('given whole degrees of which many are equal, then each is its error less the median of 31 days', () => {
    const random = new Random(3);
    const errors = Array.from({ length: 120 }, () => 200 * random.of([0, 0, 1, 2, 3]));
    const observedLess = errors.map((error) => -error / 2);
    const expected = observedLess.map((error, day) => {
      const around = observedLess.slice(Math.max(0, day - 15), day + 16).sort((a, b) => a - b);
      return error - (around[(around.length - 1) >> 1]! + around[around.length >> 1]!) / 2;
    });
    const { jumps } = stationOf(errors, errors);
    expect([...jumps].map((jump) => jump + 0)).to.deep.equal(expected.map((jump) => jump + 0));
  });
});

describe('runs of one value', () => {
  it('given 60 days before with 5 that repeat a value, then a run of 5 days is listed; with 6, it is not', () => {
    // A year has 365 (1 - p) p^4 runs of 5 days by chance: 0.029 with p = 6/62, 0.053 with 7/62, and 0.05 is the bound.
    const isListed = (repeats: number): boolean => {
      const values: number[] = [];
      for (let day = 0; day < 70; day += 1)
        values.push(day >= 14 && day % 8 === 0 && day < 14 + 8 * repeats ? values.at(-1)! : 180 * (day % 3));
      const run = stationOf([...values, ...Array<number>(5).fill(9000)]).unlikelyRun(74);
      return run !== undefined;
    };
    expect([isListed(5), isListed(6)]).to.deep.equal([true, false]);
  });

  it('given a season of small spread, then runs in doubt are as rare as with one spread: one in 20 years', () => {
    const random = new Random(7);
    const monsoon = (day: number): number => (day >= 150 && day < 270 ? 0.7 : 2);
    let runs = 0;
    for (let station = 0; station < 40; station += 1)
      runs += runsOf(weather(random, 4, monsoon), 2 * YEAR).length;
    expect(runs, 'in 80 years').to.be.at.most(8);
  });

  it('given a thermometer that sticks in its first year, then it is listed as well', () => {
    const random = new Random(9);
    let found = 0;
    for (let station = 0; station < 20; station += 1) {
      const values = weather(random, 1, () => 2);
      values.fill(values[150]!, 150, 164);
      found += runsOf(values, 100).some((run) => Math.abs(run - 150) <= 2) ? 1 : 0;
    }
    expect(found, 'of 20').to.be.at.least(18);
  });

  it('given two equal runs in a first year, then the first is left out where 20 later days are known', () => {
    const secondIsListed = (daysBetween: number): boolean => {
      const values = Array.from({ length: 200 }, (_, day) => 180 * (day % 3));
      const second = 112 + daysBetween;
      values.fill(9000, 100, 112).fill(9000, second, second + 12);
      return runsOf(values, 100).includes(second);
    };
    // The days before a season do not say how long its runs are.
    expect(secondIsListed(19)).to.equal(false);
    expect(secondIsListed(20)).to.equal(true);
  });

  it('given a thermometer that sticks three times in a year, then each time is listed', () => {
    const random = new Random(8);
    let found = 0;
    for (let station = 0; station < 20; station += 1) {
      const values = weather(random, 3, () => 2);
      const begins = [800, 870, 950];
      for (const begin of begins) values.fill(values[begin]!, begin, begin + 14);
      const runs = runsOf(values, 2 * YEAR);
      found += begins.filter((begin) => runs.some((run) => Math.abs(run - begin) <= 2)).length;
    }
    expect(found, 'of 60').to.be.at.least(58);
  });
});
