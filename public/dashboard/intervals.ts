import type { ProviderComparison, Summary, Uncertainty } from '../../clients/typescript/src/generated.js';
import { hours, type Maybe, number, signed, unit } from './words.js';

// How far a number is known, as the API says.

/** The level of confidence that the page asks for. */
export const LEVEL = '0.95';

export interface Interval {
  low: number | null;
  high: number | null;
}

/** An interval in words; undefined without both ends. */
export const intervalWords = (
  interval: Interval | undefined,
  written: (value: Maybe) => string = number,
): string | undefined =>
  interval === undefined || interval.low === null || interval.high === null
    ? undefined
    : `${written(interval.low)} to ${written(interval.high)}`;

/** An interval behind its value, in brackets; blank without both ends. */
export function behind(interval: Interval | undefined, written: (value: Maybe) => string = number): string {
  const words = intervalWords(interval, written);
  return words === undefined ? '' : ` (95 %: ${words})`;
}

/** Whether 0 is within; false where nothing is known. */
export const holdsZero = (interval: Interval | undefined): boolean =>
  typeof interval?.low === 'number' &&
  typeof interval.high === 'number' &&
  interval.low <= 0 &&
  interval.high >= 0;

const NONE = 'no significant difference';

/** The provider with the smaller error, by the verdict of the API. */
const describeBetter = ({ verdict, provider, reference }: ProviderComparison): string =>
  verdict === 'better' ? provider : reference;

/** The finding about a provider and its reference. */
export function finding(each: ProviderComparison): string {
  const { identical, mae_difference, verdict } = each;
  if (identical) return 'the same forecasts under two names';
  const interval = behind(mae_difference, signed);
  if (interval === '') return `${signed(mae_difference.value)} ${unit()}, from too few days to tell`;
  if (verdict === 'not_significant') return NONE;
  return `${describeBetter(each)} has the smaller error: ${signed(mae_difference.value)} ${unit()}${interval}`;
}

/** The verdict of all lead times that have days in common, in one sentence. */
export function makeVerdict(known: ProviderComparison[], isAll = true): string {
  const leads = new Map<string, string[]>();
  for (const each of known) {
    const reported =
      each.verdict === 'not_significant' ? NONE : `${describeBetter(each)} has the smaller error`;
    const found = each.identical ? 'both are the same' : reported;
    leads.set(found, [...(leads.get(found) ?? []), hours(each.lead_time_bucket)]);
  }
  if (leads.size === 1)
    return `At every lead time${isAll ? '' : ' that both have'}: ${[...leads.keys()][0]}.`;
  return `${[...leads].map(([found, names]) => `${names.join(', ')}: ${found}`).join('. ')}.`;
}

/** A warning that differences are of age as well as of skill, where mean leads differ; blank elsewhere. */
export function ageWords(known: ProviderComparison[]): string {
  const unequal = known.filter(({ hint }) => hint !== null);
  const leads = [...new Set(unequal.map(({ lead_time_bucket }) => hours(lead_time_bucket)))].join(', ');
  return (
    leads &&
    ` Their mean leads differ by 3 h or more at ${leads}: these differences are of age as well as of skill.`
  );
}

/**
 * How far the difference of a statistic in two windows without a common day may be from what it is: their variances
 * add up, and Student's t has the degrees of freedom of Welch and Satterthwaite (Welch 1947, Biometrika 34:28).
 * Undefined where either is not known so far.
 */
export function reachOfDifference(
  now: Summary,
  before: Summary,
  name: 'mae' | 'mean_error',
): number | undefined {
  const [one, other] = [formatPart(now.uncertainty, name), formatPart(before.uncertainty, name)];
  if (one === undefined || other === undefined) return undefined;
  const variance = one.variance + other.variance;
  if (variance === 0) return 0;
  const freedom = variance ** 2 / (one.variance ** 2 / one.freedom + other.variance ** 2 / other.freedom);
  return studentT(freedom) * Math.sqrt(variance);
}

function formatPart(uncertainty: Uncertainty | undefined, name: 'mae' | 'mean_error') {
  const error = uncertainty?.[name].std_error ?? null;
  if (uncertainty === undefined || error === null) return undefined;
  return { variance: error ** 2, freedom: uncertainty.degrees_of_freedom };
}

/**
 * Student's t that 95 % lie within, from the normal 1.96 by the first terms of Fisher and Cornish (1960, Technometrics
 * 2:209): within 1 % from 3 degrees of freedom on, 3 % too small at 2, which a window of 14 days has.
 */
export function studentT(freedom: number): number {
  const z = 1.959964;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}
