import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { eventScores } from '../../../src/accuracy/events/contingency.js';
import { addSkill, computeSkill, noSkill } from '../../../src/comparison/skill/skill-scores.js';
import { judgeDifference, type Orientation, ORIENTATIONS } from '../../../src/statistics/orientation.js';
import { computeStatistics } from '../../../src/statistics/statistics.js';

const WINDOW = { period_start: '2026-01-01', period_end: '2026-01-01', days_analyzed: 1 };
const statistics = Object.entries<Orientation>(ORIENTATIONS);

/** The values that the service computes of forecasts without any error. */
function perfectValues(): Record<string, unknown> {
  const errors = { error_sum: 0, abs_error_sum: 0, square_error_sum: '0', abs_error_percentiles: [0, 0, 0] };
  const skill = noSkill(1);
  addSkill(skill, 0, 0, 7000, { hundredths: 7500 }, 10);
  const { skill_mae, msess, ...rest } = computeSkill(skill, 0.95);
  return {
    ...computeStatistics({ verification_pairs: 10, preliminary_pairs: 0, ...errors }, 1, 'high'),
    ...eventScores([[4], [0], [0], [6]], WINDOW, 0.95),
    within_3_rate: rest.within_3_rate,
    skill_mae: skill_mae.value,
    msess: msess.value,
  };
}

// No other test guards what the table says; dashboards, clients and verdicts of comparisons believe it.
describe('the orientation of statistics', () => {
  it('given forecasts without error, then each statistic that they have is its perfect score', () => {
    const values = perfectValues();
    const known = statistics.filter(([name]) => typeof values[name] === 'number');
    expect(known.map(([name]) => [name, values[name]])).to.deep.equal(
      known.map(([name, { perfect_score }]) => [name, perfect_score]),
    );
    expect(known).to.have.length.above(15);
  });

  it("given openapi.json, then every statistic's schema has orientation, perfect score and reference", () => {
    const found = new Map<string, object>();
    JSON.parse(readFileSync('openapi.json', 'utf8'), (_, value: unknown) => {
      for (const [name, schema] of Object.entries((value ?? {}) as Record<string, Record<string, unknown>>)) {
        if (schema?.['x-orientation'] === undefined) continue;
        const { 'x-orientation': orientation, 'x-reference': reference } = schema;
        found.set(name, { orientation, perfect_score: schema['x-perfect-score'], reference });
      }
      return value;
    });
    expect(Object.fromEntries(found)).to.deep.equal(ORIENTATIONS);
  });

  it('given concepts.md, then its table says the same', () => {
    const rows = readFileSync('docs/concepts.md', 'utf8').match(/^\| Statistic \|[^]*?\n\n/m)?.[0] ?? '';
    const words = { 'nearer zero': 'zero_is_best', lower: 'lower_is_better', higher: 'higher_is_better' };
    for (const [text, ...names] of [
      ['mean error (bias)', 'mean_error'],
      ['MAE, RMSE, standard deviation, percentiles', 'mae', 'rmse', 'std_dev', 'abs_error_p90'],
      ['hit rate', 'exact_rate', 'within_3_rate'],
      ['Brier score, log score, CRPS, pinball loss', 'brier', 'log_score', 'crps_f', 'pinball'],
      ['skill score', 'skill_mae', 'msess', 'brier_skill', 'crps_skill'],
    ] as [string, ...(keyof typeof ORIENTATIONS)[]][]) {
      const [, better = '', perfect] = (rows.split('\n').find((row) => row.startsWith(`| ${text} |`)) ?? '')
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      for (const name of names) {
        const { orientation, perfect_score } = ORIENTATIONS[name];
        expect([words[better as keyof typeof words], Number(perfect)], text).to.deep.equal([
          orientation,
          perfect_score,
        ]);
      }
    }
  });

  it('given an interval of a difference, then its verdict follows the orientation; around 0, none', () => {
    const [below, around, above] = [
      { low: -2, high: -1 },
      { low: -1, high: 1 },
      { low: 1, high: 2 },
    ];
    expect([below, around, above].map((each) => judgeDifference('mae', each))).to.deep.equal([
      ...['better', 'not_significant', 'worse'],
    ]);
    expect([below, around, above].map((each) => judgeDifference('skill_mae', each))).to.deep.equal([
      ...['worse', 'not_significant', 'better'],
    ]);
  });
});
