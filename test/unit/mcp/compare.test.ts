import { expect } from 'chai';
import type { ApiResponse } from '../../../src/responses/local-client.js';
import { compareForecasts } from '../../../src/mcp/tools/compare-providers.js';
import { readArguments, type ToolResponse } from '../../../src/mcp/tool.js';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { dayClusters, computeUncertainty } from '../../../src/statistics/uncertainty/intervals.js';
import { Random } from '../../support/random.js';

// Comparisons of two answers that are made up, as the API would give them.

const FIRST = '2026-01-01';
const DAYS = 60;

/** Answers of the API about a place or a window whose forecasts are off by so much each day. */
function answersOf(errors: readonly number[], first = FIRST): { summary: ApiResponse; days: ApiResponse } {
  const clusters = dayClusters(errors.map(() => 1));
  const quantity = { sums: errors.map((error) => 100 * error), squares: 0 };
  const mae = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  const uncertainty = computeUncertainty(
    clusters,
    { mean_error: quantity, mae: quantity, rmse: quantity },
    0.95,
  );
  const metadata = {
    period_start: first,
    period_end: addDays(first, errors.length - 1),
    days_analyzed: errors.length,
  };
  const stats = (error: number) => ({ verification_pairs: errors.length, mean_error: error, mae: error });
  return {
    summary: { data: { ...stats(mae), uncertainty }, metadata },
    days: {
      data: errors.flatMap((error, day) =>
        Number.isNaN(error) ? [] : [{ date: addDays(first, day), stats: stats(error) }],
      ),
      metadata,
    },
  };
}

const compared = async (given: Record<string, unknown>, answers: ApiResponse[]): Promise<ToolResponse> =>
  compareForecasts.handle(
    readArguments(compareForecasts, given).values,
    answers,
    () => Promise.reject(new Error('asks for more')),
    undefined,
  );

const random = new Random(7);
/** Bad days and good days, and another place under the same weather, always a little worse. */
const WEATHER = Array.from({ length: DAYS }, () => 3 + 2 * random.gaussian());
const WORSE = WEATHER.map((error) => error + 0.3 + 0.2 * random.gaussian());

describe('compare of=places', () => {
  const [one, other] = [answersOf(WEATHER), answersOf(WORSE)];

  it('given places that share their weather, then a small difference shows day by day, not by means', async () => {
    const given = { of: 'places', place: 'A', other_place: 'B' };
    const byDay = await compared(given, [one.summary, other.summary, one.days, other.days]);
    expect(byDay.params?.test).to.equal('paired_by_day');
    expect(byDay.rows[0]).to.include({ verdict: 'worse' });
    const unrelated = await compared(given, [one.summary, other.summary]);
    expect(unrelated.params?.test).to.equal('welch');
    expect(unrelated.rows[0]).to.include({ verdict: 'not_significant' });
  });

  it('given days that one place alone has, then they do not count', async () => {
    const holes = WORSE.map((error, day) => (day % 3 === 0 ? NaN : error));
    const given = { of: 'places', place: 'A', other_place: 'B' };
    const difference = async (errors: number[], others: number[]) => {
      const answers = [one.summary, other.summary, answersOf(errors).days, answersOf(others).days];
      const [row] = (await compared(given, answers)).rows as { mae_difference: { value: number } }[];
      return row!.mae_difference;
    };
    const both = WEATHER.map((error, day) => (day % 3 === 0 ? NaN : error));
    const far = WEATHER.map((error, day) => (day % 3 === 0 ? 50 : error));
    expect(await difference(far, holes)).to.deep.equal(await difference(both, holes));
    expect((await difference(holes, far)).value).to.equal(-(await difference(far, holes)).value);
    const none = WEATHER.map(() => NaN);
    expect(await difference(none, holes)).to.deep.equal({ value: null, low: null, high: null });
  });
});

describe('compare of chances', () => {
  /** Two windows of a year apart, by their MAE and RMSE, %. */
  const summary = (mae: number, rmse: number, period_start: string): ApiResponse => {
    const mean = { low: 0, high: 50, std_error: 0.5, n_eff: 60 };
    const uncertainty = { degrees_of_freedom: 20, mean_error: mean, mae: mean, rmse: mean };
    const stats = { verification_pairs: 60, mean_error: 0, mae, rmse, brier_score: rmse ** 2 / 10_000 };
    const window = { period_start, period_end: addDays(period_start, 59), days_analyzed: 60 };
    return { data: { ...stats, uncertainty }, metadata: { ...window, accuracy_metric: 'wet_day' } };
  };

  it('given a smaller MAE and a larger Brier score, then the verdict is of the Brier score', async () => {
    const given = { of: 'windows', metric: 'wet_day', other_date_from: FIRST, other_date_to: FIRST };
    const windows = [summary(30, 30, '2025-01-01'), summary(20, 40, '2026-01-01')];
    const { rows, hints } = await compared(given, windows);
    const [row] = rows as { verdict: string; brier_difference: { value: number; low: number } }[];
    // 2 · 30 · 0.5 / 10,000 and 2 · 40 · 0.5 / 10,000, with t of 37 degrees of freedom, 2.026.
    expect(row!.brier_difference).to.deep.equal({ value: 0.07, low: 0.059869, high: 0.080131 });
    expect(row).to.include({ verdict: 'worse' }).and.not.have.property('mae_difference');
    expect(hints[0]).to.contain('Brier score');
  });
});

describe('compare of=windows', () => {
  const given = { of: 'windows', other_date_from: '2026-03-02', other_date_to: '2026-04-30' };
  const before = answersOf(WEATHER).summary;

  for (const [what, first, test] of [
    ['follow each other', addDays(FIRST, DAYS), 'welch'],
    ['are in the other order', addDays(FIRST, -DAYS), 'welch'],
    ['share a day', addDays(FIRST, DAYS - 1), 'none'],
  ] as const) {
    it(`given windows that ${what}, then the test is ${test}`, async () => {
      const worse = WEATHER.map((error) => error + 9);
      const far = answersOf(worse, first).summary;
      const { params: question, rows, hints } = await compared(given, [before, far]);
      expect(question?.test).to.equal(test);
      expect(rows[0]).to.include({ verdict: test === 'none' ? 'unknown' : 'worse' });
      expect(hints[0]).to.match(/^verdict is about the second window \(/);
      expect(hints.length).to.equal(test === 'none' ? 2 : 1);
    });
  }

  it('given standard errors that are rounded to 0, then a difference of 0.01 is not shown', async () => {
    const still = (mae: number, period_start: string): ApiResponse => {
      const known = { low: mae, high: mae, std_error: 0, n_eff: 60 };
      const uncertainty = { degrees_of_freedom: 8, mean_error: known, mae: known, rmse: known };
      const metadata = { period_start, period_end: period_start };
      return { data: { verification_pairs: 60, mean_error: mae, mae, uncertainty }, metadata };
    };
    const { rows } = await compared(given, [still(2, '2026-01-01'), still(2.01, '2026-03-02')]);
    expect(rows[0]).to.include({ verdict: 'not_significant' });
  });
});

describe('compare of=providers', () => {
  const of = (hint: string | null) => ({ cases: 60, verdict: 'better', hint });
  for (const [rows, hints] of [
    [[of('a is older')], ['a is older']],
    [[of(null), of(null)], []],
    [
      [of('a is older'), of(null), of('b is older')],
      [
        '2 of 3 rows compare older forecasts with younger ones, as their hint says: give it beside the verdict',
      ],
    ],
  ] as const) {
    it(`given ${rows.length} rows, then hints tell of unequal age: ${hints.length}`, async () => {
      const answer = { data: [...rows], metadata: {} };
      expect((await compared({ of: 'providers' }, [answer])).hints).to.deep.equal(hints);
    });
  }
});

describe('compare of=reference', () => {
  const skillOf = (reference: string, cases: number): ApiResponse => ({
    data: [{ reference, cases, cases_without_reference: 40, skill_mae: { value: null, low: null, high: null } }], // prettier-ignore
    metadata: {},
  });
  for (const [reference, cases, hint] of [
    ['climatology', 0, /^40 of 40 station days .* no normal of the day is loaded, and .* earlier years/],
    ['climatology', 60, /^40 of 100 station days .* no normal of the day is loaded/],
    ['persistence', 0, /^40 of 40 station days .* the 60 days before had been reported/],
  ] as const) {
    it(`given ${reference} that 40 station days lack, beside ${cases} others, then the hint says what is lacking`, async () => {
      const { hints } = await compared({ of: 'reference', reference }, [skillOf(reference, cases)]);
      expect(hints[0]).to.match(hint);
      expect(hints).to.have.length(1);
    });
  }
});
