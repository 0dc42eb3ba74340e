import type { ProviderComparison, Stats, Uncertainty } from '../../clients/typescript/src/generated.js';
import type { Bounds as Interval } from '../../src/statistics/uncertainty/judge.js';
import type { ScoreName } from '../../src/variables/declarations.js';
import { VARIABLES } from '../../src/variables/variables.js';
import { getVariable, type Maybe, number, percent, signed, tick, valueUnit } from './words.js';

// The one score of the page's variable: every panel draws it, ranks by it and speaks of it.

export interface Score {
  /** As headings have it, and as a text has it in full. */
  name: string;
  words: string;
  /** It by something, as the title of a panel begins. */
  title: string;
  /** The word that has its definition. */
  term: readonly [of: 'mae' | 'brier', text: string];
  /** The order of the API by it: the Brier score is the square of RMSE. */
  sortBy: 'mae' | 'rmse';
  /** The least range of an axis. */
  minRange: number;
  read: (stats: Partial<Pick<Stats, ScoreName>>) => Maybe;
  interval: (uncertainty: Pick<Uncertainty, 'mae' | 'rmse'> | undefined) => Interval | undefined;
  difference: (comparison: ProviderComparison) => Interval & { value: number | null };
  /** In short: with so many digits as a chart has room for. */
  format: (value: Maybe) => string;
  short: (value: Maybe) => string;
  formatDifference: (value: Maybe) => string;
  signed: (value: Maybe) => string;
  /** The column beside it: how far errors spread, or what the forecasts are worth. A percentile of the errors of chances would favour those of 0 and 100. */
  spread: { name: string; write: (stats: Stats) => string };
  /** On an axis; undefined for degrees with their unit. */
  tick: ((value: number) => string) | undefined;
  /** Behind a value, with a blank before it; blank without one. */
  unit: () => string;
  /** The predicate of a provider that is better by so much. */
  gain: (difference: string) => string;
}

const UNKNOWN = { value: null, low: null, high: null };

/** RMSE of chances in percent as a Brier score. */
const toBrier = (rmse: number | null): number | null => (rmse === null ? null : rmse ** 2 / 10_000);

const SCORES: Record<ScoreName, Score> = {
  mae: {
    name: 'MAE',
    words: 'mean absolute error',
    title: 'Error',
    term: ['mae', 'Average miss (MAE)'],
    sortBy: 'mae',
    minRange: 0.5,
    read: ({ mae }) => mae,
    interval: (uncertainty) => uncertainty?.mae,
    difference: ({ mae_difference }) => mae_difference,
    format: (value) => number(value),
    short: (value) => number(value, 1),
    formatDifference: (value) => number(value),
    signed: (value) => signed(value),
    spread: { name: '9 in 10 within', write: ({ abs_error_p90 }) => number(abs_error_p90) },
    tick: undefined,
    unit: () => ` ${valueUnit()}`,
    gain: (difference) => `misses by ${difference} ${valueUnit()} less`,
  },
  brier_score: {
    name: 'Brier score',
    words: 'Brier score',
    title: 'Brier score',
    term: ['brier', 'Brier score'],
    sortBy: 'rmse',
    minRange: 0.05,
    read: ({ brier_score }) => brier_score,
    interval: (uncertainty) =>
      uncertainty && { low: toBrier(uncertainty.rmse.low), high: toBrier(uncertainty.rmse.high) },
    difference: ({ brier_difference }) => brier_difference ?? UNKNOWN,
    format: (value) => number(value, 3),
    short: (value) => number(value, 3),
    // Providers differ in the third digit.
    formatDifference: (value) => number(value, 4),
    signed: (value) => signed(value, 4),
    spread: { name: 'Skill', write: (stats) => percent(stats.brier_skill_score) },
    tick,
    unit: () => '',
    gain: (difference) => `has a Brier score lower by ${difference}`,
  },
};

/** It as the head of a column, with its unit. */
export const scoreWithUnit = (name = score().name): string =>
  `${name}${score().unit() && `,${score().unit()}`}`;

export const score = (): Score => SCORES[VARIABLES[getVariable()].score];
