import { daysWithPairs } from '../../statistics/by-day.js';
import { sum } from '../../statistics/statistics.js';
import { dayClusters, meanInterval } from '../../statistics/uncertainty/intervals.js';
import type { ReferenceForecast } from './references.js';

// Skill: one minus the errors of forecasts over those of a reference on the same cases, as ratios of sums. Means of
// the skills of stations or days would count those with an easy reference as much as all others.

/** The forecasts of a station as lists that go together. */
type ForecastLists = Record<
  'counts' | 'days' | 'actuals' | 'forecast_counts' | 'errors' | 'lead_ms',
  readonly number[]
>;

/**
 * Adds the forecasts of a station to the sums that they belong to.
 * @param begins_ms when each day of the window begins
 * @param referenceAt the reference for a day of the window and a moment of issuance
 * @param sumsOf the sums of a lead time, ms
 */
export function addForecasts(
  { counts, days, actuals, forecast_counts, errors, lead_ms }: ForecastLists,
  begins_ms: readonly number[],
  referenceAt: (day: number, issued_ms: number) => ReferenceForecast | undefined,
  sumsOf: (lead_ms: number) => SkillSums,
): void {
  let forecast = 0;
  for (let at = 0; at < days.length; at += 1) {
    const [day, actual, count] = [days[at]!, actuals[at]!, counts[at]!];
    const begins = begins_ms[day] ?? NaN;
    for (const next = forecast + forecast_counts[at]!; forecast < next; forecast += 1) {
      const lead = lead_ms[forecast]!;
      sumsOf(lead).add(day, errors[forecast]!, actual, referenceAt(day, begins - lead), count);
    }
  }
}

const WITHIN = 300;

/** Sums over the cases of a record, by day of the window where they have an interval; errors in hundredths of a °F. */
export class SkillSums {
  readonly #cases: number[];
  readonly #abs: number[];
  readonly #squares: number[];
  readonly #referenceAbs: number[];
  readonly #referenceSquares: number[];
  #without = 0;
  #within = 0;
  #referenceWithin = 0;
  #lagDays = 0;
  #hasLag = false;
  #withNormals = 0;

  constructor(days: number) {
    const byDay = (): number[] => new Array<number>(days).fill(0);
    [this.#cases, this.#abs, this.#squares] = [byDay(), byDay(), byDay()];
    [this.#referenceAbs, this.#referenceSquares] = [byDay(), byDay()];
  }

  /** @param count 1, or -1 for a case that is withdrawn */
  add(
    day: number,
    error: number,
    actual: number,
    reference: ReferenceForecast | undefined,
    count: number,
  ): void {
    if (reference === undefined) {
      this.#without += count;
      return;
    }
    const referenceError = reference.hundredths - actual;
    this.#cases[day]! += count;
    this.#abs[day]! += count * Math.abs(error);
    this.#squares[day]! += count * error ** 2;
    this.#referenceAbs[day]! += count * Math.abs(referenceError);
    this.#referenceSquares[day]! += count * referenceError ** 2;
    if (Math.abs(error) <= WITHIN) this.#within += count;
    if (Math.abs(referenceError) <= WITHIN) this.#referenceWithin += count;
    if (reference.isNormal) this.#withNormals += count;
    if (reference.lagDays === undefined) return;
    this.#lagDays += count * reference.lagDays;
    this.#hasLag = true;
  }

  /** Cases whose reference is a normal that was loaded. */
  get withNormals(): number {
    return this.#withNormals;
  }

  /** The record of these cases; what is in °F is at full precision. */
  skill(level: number) {
    const cases = sum(this.#cases);
    const mean = (sums: number[]): number | null => (cases === 0 ? null : sum(sums) / cases / 100);
    return {
      cases,
      cases_without_reference: this.#without,
      days: daysWithPairs(this.#cases),
      mae: mean(this.#abs),
      reference_mae: mean(this.#referenceAbs),
      skill_mae: skillOf(this.#abs, this.#referenceAbs, this.#cases, level),
      msess: skillOf(this.#squares, this.#referenceSquares, this.#cases, level),
      within_3_rate: this.#within / cases,
      reference_within_3_rate: this.#referenceWithin / cases,
      mean_reference_lag_days: this.#hasLag && cases > 0 ? this.#lagDays / cases : null,
    };
  }
}

/**
 * One minus the ratio of sums over days, whose interval is that of a mean with reference errors as counts. On a scale of
 * ratios it never reaches 1, as the error of no forecast does. A day on which the reference is exactly right is a day
 * too: without it, 95 % intervals of a station's 90 days hold the truth in 90 to 94 % of simulations.
 */
function skillOf(errors: number[], references: number[], cases: number[], level: number) {
  const clusters = dayClusters(references, cases);
  if (clusters.total === 0) return { value: null, low: null, high: null };
  const found = meanInterval(clusters, errors, level, 'log');
  return {
    value: 1 - sum(errors) / clusters.total,
    low: found === undefined ? null : 1 - found.high,
    high: found === undefined ? null : 1 - found.low,
  };
}
