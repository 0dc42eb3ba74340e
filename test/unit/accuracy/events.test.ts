import { expect } from 'chai';
import {
  computeEconomicValue,
  eventScores as eventScoresOf,
  type EventTable,
  eventTables,
} from '../../../src/accuracy/events/contingency.js';
import { eventAccuracy } from '../../../src/accuracy/events/events.js';
import { weekOfDay } from '../../../src/statistics/time/window.js';
import { jackknifeInterval } from '../../../src/statistics/uncertainty/jackknife.js';
import { Random } from '../../support/random.js';
import { itInCi } from '../../support/runner/range.js';

const WINDOW = { period_start: '2026-01-05', period_end: '2026-03-15', days_analyzed: 70 }; // ten whole weeks

const eventScores = (days: readonly EventTable[], window: typeof WINDOW, level: number) => {
  const casesOf = (outcome: number): number[] => days.map((table) => table[outcome]!);
  const found = eventScoresOf([casesOf(0), casesOf(1), casesOf(2), casesOf(3)], window, level);
  return eventAccuracy.plan.convert!(found, 'fahrenheit') as typeof found;
};

/** The cases of some days, one table for each, in a window of ten weeks. */
const scoresOf = (...days: EventTable[]) => eventScores(days, WINDOW, 0.95);

/** The same table on every day. */
const always = (table: EventTable): EventTable[] => Array.from({ length: 70 }, () => table);

const SCORES = ['base_rate', 'forecast_rate', 'frequency_bias', 'pod', 'far', 'pofd', 'success_ratio', 'csi'];
const WITH_INTERVAL = [...SCORES, 'ets', 'hss'];

describe('the scores of an event', () => {
  it("given Finley's tornadoes of 1884, then they are those of the books", () => {
    const { pod, far, csi, ets, hss, ...others } = scoresOf([28, 72, 23, 2680]);
    expect([pod, far, csi, ets, hss]).to.deep.equal([0.549, 0.72, 0.2276, 0.216, 0.3553]);
    expect(others).to.include({
      ...{ cases: 2803, hits: 28, false_alarms: 72, misses: 23, correct_negatives: 2680 },
      ...{
        base_rate: 0.0182,
        forecast_rate: 0.0357,
        frequency_bias: 1.9608,
        pofd: 0.0262,
        success_ratio: 0.28,
      },
    });
    // ln of F = .026163 and H = .549020: -3.643418 and -.599621; of the rest of them: -.026511 and -.796332.
    expect(others.sedi).to.equal(0.7528); // -3.813618 / -5.065882
  });

  // Methods for dichotomous forecasts, cawcr.gov.au/projects/verification: 365 days, with two decimals.
  it('given the year of rain of the WWRP/WGNE working group on verification, then they are as printed', () => {
    const { frequency_bias, pod, far, pofd, success_ratio, csi, ets, hss } = scoresOf([82, 38, 23, 222]);
    const rounded = [frequency_bias, pod, far, pofd, success_ratio, csi, ets, hss].map((each) =>
      each!.toFixed(2),
    );
    expect(rounded).to.deep.equal(['1.14', '0.78', '0.32', '0.15', '0.68', '0.57', '0.44', '0.61']);
  });

  it('given a table that never says the event, then a ratio of nothing is null, and hits are 0', () => {
    expect(scoresOf([0, 0, 20, 2783])).to.include({
      ...{ base_rate: 0.0071, forecast_rate: 0, frequency_bias: 0, pod: 0, far: null, pofd: 0 },
      ...{ success_ratio: null, csi: 0, ets: 0, hss: 0, sedi: null },
    });
  });

  for (const [given, table, expected] of [
    ['no case', [0, 0, 0, 0], 'cases 0, base_rate null, pod null, far null, pofd null, csi null, ets null'],
    ['no event', [0, 0, 0, 9], 'base_rate 0, frequency_bias null, pod null, far null, pofd 0, hss null'],
    ['the event every day', [9, 0, 0, 0], 'base_rate 1, pod 1, far 0, pofd null, csi 1, ets null, sedi null'],
    [
      'perfect forecasts',
      [4, 0, 0, 6],
      'pod 1, far 0, pofd 0, csi 1, ets 1, hss 1, sedi null, frequency_bias 1',
    ],
    ['the opposite', [0, 5, 5, 0], 'pod 0, far 1, pofd 1, csi 0, ets -0.3333, hss -1, sedi null'],
    ['chance', [4, 8, 8, 16], 'ets 0, hss 0, sedi 0, frequency_bias 1, csi 0.2'],
  ] as [string, EventTable, string][]) {
    it(`given ${given}, then they are what the definitions say of it: ${expected}`, () => {
      const found = Object.entries(scoresOf(table)).map(([name, score]) => `${name} ${score}`);
      expect(found).to.include.members(expected.split(', '));
    });
  }

  it('given 70 days, then the interval of a rate is of days with something to count, and needs 14', () => {
    const days = always([0, 0, 0, 1]);
    for (let day = 0; day < 13; day += 1) days[5 * day] = day % 3 === 0 ? [1, 0, 0, 0] : [0, 0, 1, 0];
    const few = scoresOf(...days);
    expect([few.pod, few.pod_low, few.pod_high]).to.deep.equal([0.3846, null, null]);
    expect(few.base_rate_low).to.be.within(0, few.base_rate!);
    days[69] = [1, 0, 0, 0];
    const enough = scoresOf(...days);
    expect(enough.pod_low).to.be.within(0, enough.pod!);
    expect(enough.pod_high).to.be.within(enough.pod!, 1);
  });

  it('given days without spread, then shares have bounds and the others none', () => {
    const found = scoresOf(...always([2, 1, 1, 6])) as Record<string, number | null>;
    for (const name of WITH_INTERVAL) {
      const isRate = !['frequency_bias', 'ets', 'hss'].includes(name);
      expect([found[`${name}_low`] !== null, found[`${name}_high`] !== null], name).to.deep.equal([
        isRate,
        isRate,
      ]);
    }
  });

  it('given an event whose outcome each week decides, then no bound is beyond what its score can be', () => {
    const days = always([0, 0, 0, 1]);
    [days[1], days[8], days[20]] = [
      [3, 0, 0, 0],
      [0, 4, 0, 0],
      [0, 0, 1, 0],
    ];
    // ets is 0.34, without the first week 0 and without the second 0.74: unbounded, from -0.8 to 1.5.
    const { frequency_bias_low, ets_low, ets_high, hss_high } = scoresOf(...days);
    expect([frequency_bias_low, ets_low, ets_high, hss_high]).to.deep.equal([0, -0.3333, 1, 1]);
  });

  it('given events of one week alone, then scores that hang on it have no interval', () => {
    const days = always([0, 0, 0, 1]);
    days[3] = [1, 0, 0, 0];
    days[4] = [0, 1, 0, 0];
    const found = scoresOf(...days);
    expect(found.ets).to.be.above(0);
    expect([found.ets_low, found.hss_high, found.frequency_bias_low]).to.deep.equal([null, null, null]);
  });
});

describe('95 % intervals of scores, of 200 days that follow each other', () => {
  it('given simulations whose truth is known, then 90 to 98 % of them hold it', () => {
    const random = new Random(20_261_123);
    /** Days of a station: weather that lasts, its forecasts, and an event on three days of ten. */
    const days = (count: number): EventTable[] => {
      let weather = 0;
      return Array.from({ length: count }, () => {
        weather = 0.6 * weather + 0.8 * random.gaussian();
        const [isForecast, isObserved] = [weather + 0.5 * random.gaussian() >= 0.5, weather >= 0.5];
        const hit = Number(isForecast && isObserved);
        const correct = Number(!isForecast && !isObserved);
        return [hit, Number(isForecast) - hit, Number(isObserved) - hit, correct];
      });
    };
    const all = days(200_000).reduce(
      (one, other) => one.map((cases, at) => cases + other[at]!) as EventTable,
    );
    const truth = scoresOf(all);
    const window = { period_start: '2026-01-05', period_end: '2026-07-23', days_analyzed: 200 };
    const runs = Array.from({ length: 150 }, () => eventScores(days(200), window, 0.95));
    for (const name of ['frequency_bias', 'ets', 'hss', 'base_rate'] as const) {
      const holding = runs.filter(
        (run) => run[`${name}_low`]! <= truth[name]! && truth[name]! <= run[`${name}_high`]!,
      );
      expect(holding.length / runs.length, name).to.be.within(0.9, 0.98);
    }
  });
});

describe('the relative economic value of forecasts of an event', () => {
  /** By days, as eventTables() gives them. */
  const valueOf = (days: readonly EventTable[], costLoss: number) => {
    const casesOf = (outcome: number): number[] => days.map((table) => table[outcome]!);
    return computeEconomicValue([casesOf(0), casesOf(1), casesOf(2), casesOf(3)], costLoss, 0.95);
  };

  for (const [costLoss, expense, without, perfect] of [
    // 100 cases: 20 hits, 10 false alarms, 5 misses. Expense: the cost of 30 protections and the loss of 5.
    [0.1, 0.1 * 30 + 5, 0.1 * 100, 0.1 * 25],
    [0.5, 0.5 * 30 + 5, 25, 0.5 * 25],
  ] as const) {
    it(`given a cost/loss ratio of ${costLoss}, then it is the part of the possible saving, from three expenses`, () => {
      const { economic_value } = valueOf([[20, 10, 5, 65]], costLoss);
      expect(economic_value).to.be.closeTo((without - expense) / (without - perfect), 1e-12);
    });
  }

  it('given the base rate as ratio, then it is pod less pofd, the greatest of all (Richardson 2000)', () => {
    const days: EventTable[] = [[20, 10, 5, 65]];
    expect(valueOf(days, 0.25).economic_value).to.be.closeTo(20 / 25 - 10 / 75, 1e-12);
    for (let ratio = 0.01; ratio < 1; ratio += 0.01)
      expect(valueOf(days, ratio).economic_value).to.be.at.most(20 / 25 - 10 / 75 + 1e-12);
  });

  it('given perfect forecasts, then it is 1; given the event every day or never, then it is null', () => {
    expect(valueOf([[4, 0, 0, 6]], 0.2).economic_value).to.equal(1);
    for (const table of [
      [9, 0, 0, 0],
      [0, 0, 0, 9],
      [0, 0, 0, 0],
    ] as EventTable[])
      expect(valueOf([table], 0.2).economic_value).to.equal(null);
  });

  // The jackknife is that of the simulations of scores, above.
  itInCi(
    'given simulations of 20 stations with a rare event, then 90 to 98 % of intervals hold the truth',
    () => {
      const random = new Random(20_261_127);
      /** Weather and errors that last, and that stations share in part; the event is on 7 % of days. */
      const days = (count: number): EventTable[] => {
        let [weather, error] = [0, 0];
        const next = (state: number): number => 0.5 * state + Math.sqrt(0.75) * random.gaussian();
        return Array.from({ length: count }, () => {
          [weather, error] = [next(weather), next(error)];
          const table: EventTable = [0, 0, 0, 0];
          for (let station = 0; station < 20; station += 1) {
            const actual = Math.sqrt(0.6) * weather + Math.sqrt(0.4) * random.gaussian();
            const forecast = actual + 0.5 * Math.sqrt(0.5) * (error + random.gaussian());
            table[forecast > 1.5 ? (actual > 1.5 ? 0 : 1) : actual > 1.5 ? 2 : 3] += 1;
          }
          return table;
        });
      };
      const truth = valueOf(days(50_000), 0.2).economic_value!;
      const runs = Array.from({ length: 150 }, () => valueOf(days(365), 0.2));
      const holding = runs.filter(
        ({ economic_value_low: low, economic_value_high: high }) => low! <= truth && truth <= high!,
      );
      expect(holding.length / runs.length).to.be.within(0.9, 0.98);
      expect(runs.every(({ economic_value_high }) => economic_value_high! <= 1)).to.equal(true);
    },
  );
});

describe('the tables of days', () => {
  it('given thresholds that forecast and actual reached, then each case is one of four, or withdrawn', () => {
    const [forecast_places, actual_places] = [
      [2, 0, 1, 1, 1],
      [1, 1, 0, 2, 1],
    ];
    const cases = { days: [0, 0, 1, 1, 2], cases: [3, 2, 1, 5, 4], preliminary_days: [] };
    const row = { group_key: '', forecast_places, actual_places, ...cases };
    const tables = (is: (place: number) => boolean): string =>
      eventTables(row, is, { ...WINDOW, days_analyzed: 4 })
        .map((cases) => cases.join(' '))
        .join(' | ');
    expect(tables((place) => place > 0)).to.equal('3 5 4 0 | 0 1 0 0 | 2 0 0 0 | 0 0 0 0');
    expect(tables((place) => place <= 1)).to.equal('2 1 4 0 | 0 5 0 0 | 3 0 0 0 | 0 0 0 0');
  });
});

describe('the interval of a jackknife over weeks', () => {
  it('given six weeks worked out by hand, then it is theirs', () => {
    // Mean 0.5, squares 2 * (0.01 + 0.04) = 0.1; times 5/6: 0.083333, its root 0.288675; t of 5 degrees 2.570582.
    const found = jackknifeInterval(0.52, [0.4, 0.6, 0.3, 0.7, 0.5, 0.5], 0.95);
    expect(found?.low).to.be.closeTo(0.52 - 0.742063, 1e-6);
    expect(found?.high).to.be.closeTo(0.52 + 0.742063, 1e-6);
  });

  it('given a mean, then it is the plain interval of the mean', () => {
    const values = [3, 1, 4, 1, 5, 9, 2];
    const mean = 25 / 7;
    const error = Math.sqrt(values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / 6 / 7);
    const without = values.map((each) => (25 - each) / 6);
    const found = jackknifeInterval(mean, without, 0.95);
    expect((found?.high ?? NaN) - mean).to.be.closeTo(2.446912 * error, 1e-5);
    expect(mean - (found?.low ?? NaN)).to.be.closeTo(2.446912 * error, 1e-5);
  });

  it('given five weeks, no spread, or none without one of the weeks, then there is no interval', () => {
    expect(jackknifeInterval(0.5, [0.4, 0.6, 0.3, 0.7, 0.5], 0.95)).to.equal(null);
    expect(jackknifeInterval(1, Array<number>(8).fill(1), 0.95)).to.equal(null);
    expect(jackknifeInterval(0.5, [0.4, 0.6, 0.3, 0.7, 0.5, 0.5, null], 0.95)).to.equal(null);
    expect(jackknifeInterval(null, [], 0.95)).to.equal(null);
  });
});

describe('the week of a day', () => {
  const weeksFrom = (period_start: string, days: number): number[] => {
    const period_end = new Date(Date.parse(period_start) + (days - 1) * 86_400_000)
      .toISOString()
      .slice(0, 10);
    const weekOf = weekOfDay({ period_start, period_end });
    return Array.from({ length: days }, (_, day) => weekOf(day));
  };

  it('given a window from Monday, then weeks are whole; days beside whole weeks belong to the nearest', () => {
    expect(weeksFrom('2026-01-05', 15)).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    // Saturday and Sunday, two weeks, and a Monday.
    expect(weeksFrom('2026-01-03', 17)).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1]);
    expect(weeksFrom('2026-01-06', 5)).to.deep.equal([0, 0, 0, 0, 0]);
  });
});
