import { DailySums } from '../../statistics/uncertainty/daily-sums.js';
import { CERTAIN } from '../../statistics/brier.js';
import type { ReferenceForecast } from './references.js';

// Skill: one minus the errors of forecasts over those of a reference on the same cases (Murphy 1988, Mon. Weather Rev.
// 116:2417), as ratios of sums. Means of
// the skills of stations or days would count those with an easy reference as much as all others.

const SUMS = [
  ...(['known', 'abs', 'square', 'reference_abs', 'reference_square'] as const),
  ...(['within', 'reference_within', 'lag_days', 'normals'] as const),
];

type SkillSums = DailySums<(typeof SUMS)[number]>;

export const noSkill = (days: number): SkillSums => DailySums.empty(0, days, SUMS);

const WITHIN = 300;

/** @param error hundredths of a °F @param count 1, or -1 for a case that is withdrawn */
export function addSkill(
  sums: SkillSums,
  day: number,
  error: number,
  actual: number,
  reference: ReferenceForecast | undefined,
  count: number,
): void {
  const referenceError = (reference?.hundredths ?? 0) - actual;
  // Cases without a reference are those beside the known ones.
  const known = reference === undefined ? 0 : 1;
  const values = {
    known,
    abs: known * Math.abs(error),
    square: known * error ** 2,
    reference_abs: known * Math.abs(referenceError),
    reference_square: known * referenceError ** 2,
    within: known * Number(Math.abs(error) <= WITHIN),
    reference_within: known * Number(Math.abs(referenceError) <= WITHIN),
    // Other years have no distance, and so their cases no mean of it.
    lag_days: reference === undefined ? 0 : (reference.lagDays ?? NaN),
    normals: Number(reference?.isNormal ?? 0),
  };
  sums.add(day, values, count);
}

/** The record of some cases; what is in °F is at full precision. */
export function computeSkill(sums: SkillSums, level: number) {
  const known = sums.of('known');
  const { count: cases } = known;
  const mean = (name: 'abs' | 'reference_abs'): number => known.total(name) / cases / 100;
  const skill = (name: 'abs' | 'square') => {
    const { value, low, high } = known.ratio(name, `reference_${name}`, level);
    return { value: 1 - value, low: high === null ? null : 1 - high, high: low === null ? null : 1 - low };
  };
  return {
    cases,
    cases_without_reference: sums.count - cases,
    days: known.clusters.days,
    mae: mean('abs'),
    reference_mae: mean('reference_abs'),
    skill_mae: skill('abs'),
    msess: skill('square'),
    within_3_rate: known.total('within') / cases,
    reference_within_3_rate: known.total('reference_within') / cases,
    mean_reference_lag_days: known.total('lag_days') / cases,
  };
}

/** More fields of the record of a chance: its skill is that of squares. @param skill of the same cases */
export function computeBrierSkill(sums: SkillSums, { cases, msess }: ReturnType<typeof computeSkill>) {
  const mean = (name: 'square' | 'reference_square'): number => sums.total(name) / cases / CERTAIN ** 2;
  return {
    brier_score: mean('square'),
    reference_brier_score: mean('reference_square'),
    brier_skill_score: msess,
  };
}
