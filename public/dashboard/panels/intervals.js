/** @import { Compared, SummaryData, Uncertainty } from '../types.js' */
import { h } from '../dom.js';
import { term } from '../terms.js';
import { hours, number, signed, unit } from '../words.js';

// How far a number is known, as the API says.

/** The level of confidence that the page asks for. */
export const LEVEL = '0.95';

/** @param {Uncertainty} uncertainty */
const percent = ({ level }) => `${Math.round(level * 100)} %`;

/**
 * An interval in words; undefined where it is missing.
 * @param {{ low: number | null, high: number | null } | undefined} interval
 * @param {(value: number | null) => string} written
 */
export function intervalWords(interval, written = number) {
  if (interval === undefined || interval.low === null || interval.high === null) return undefined;
  return `${written(interval.low)} to ${written(interval.high)}`;
}

/** Whether 0 is within; false where nothing is known. @param {{ low: number | null, high: number | null } | undefined} interval */
export const holdsZero = (interval) =>
  typeof interval?.low === 'number' &&
  typeof interval.high === 'number' &&
  interval.low <= 0 &&
  interval.high >= 0;

const NONE = 'no significant difference';

/** Who has the smaller error, by the verdict of the API. @param {Compared} each */
const betterOf = ({ verdict, provider, reference }) => (verdict === 'better' ? provider : reference);

/** The finding of the days about a provider and its reference. @param {Compared} each */
export function finding(each) {
  const { identical, mae_difference, verdict } = each;
  if (identical) return 'the same forecasts under two names';
  const interval = intervalWords(mae_difference, signed);
  if (interval === undefined) return `${signed(mae_difference.value)} ${unit()}, from too few days to tell`;
  if (verdict === 'not_shown') return NONE;
  return `${betterOf(each)} has the smaller error: ${signed(mae_difference.value)} ${unit()} (95 %: ${interval})`;
}

/**
 * The verdict of the lead times together, in one sentence.
 * @param {Compared[]} known those with days in common
 * @param {boolean} [isAll] whether those are all
 */
export function verdictOf(known, isAll = true) {
  /** @type {Map<string, string[]>} */
  const leads = new Map();
  for (const each of known) {
    const { identical, verdict } = each;
    const told = verdict === 'not_shown' ? NONE : `${betterOf(each)} has the smaller error`;
    const found = identical ? 'both are the same' : told;
    leads.set(found, [...(leads.get(found) ?? []), hours(each.lead_time_bucket)]);
  }
  if (leads.size === 1)
    return `At every lead time${isAll ? '' : ' that both have'}: ${[...leads.keys()][0]}.`;
  return `${[...leads].map(([found, names]) => `${names.join(', ')}: ${found}`).join('. ')}.`;
}

/**
 * A warning that differences are of age as well as of skill, where mean leads differ; blank elsewhere.
 * @param {Compared[]} known
 */
export function ageWords(known) {
  const unequal = known.filter(({ hint }) => hint !== null);
  const leads = [...new Set(unequal.map(({ lead_time_bucket }) => hours(lead_time_bucket)))].join(', ');
  return (
    leads &&
    ` Their mean leads differ by 3 h or more at ${leads}: these differences are of age as well as of skill.`
  );
}

/**
 * The interval of a statistic in small text: short for the eye, a phrase for the ear.
 * @param {Uncertainty | undefined} uncertainty
 * @param {'mae' | 'mean_error'} name
 */
export function intervalLine(uncertainty, name) {
  if (uncertainty === undefined) return undefined;
  const words = intervalWords(uncertainty[name], name === 'mean_error' ? signed : number);
  const level = term('interval', percent(uncertainty));
  if (words === undefined) return h('p', { class: 'interval' }, level, ': not known from so few days');
  return h(
    'p',
    { class: 'interval' },
    level,
    h('span', { 'aria-hidden': 'true' }, `: ${words}`),
    h('span', { class: 'visually-hidden' }, ` interval: from ${words} ${unit()}`),
  );
}

/**
 * How far the difference of a statistic in two windows without a common day may be from what it is: their variances
 * add up, and Student's t has the degrees of freedom of Welch and Satterthwaite (Welch 1947, Biometrika 34:28).
 * @param {SummaryData} now
 * @param {SummaryData} before
 * @param {'mae' | 'mean_error'} name
 * @returns {number | undefined} undefined where either is not known so far
 */
export function reachOfDifference(now, before, name) {
  const [one, other] = [partOf(now.uncertainty, name), partOf(before.uncertainty, name)];
  if (one === undefined || other === undefined) return undefined;
  const variance = one.variance + other.variance;
  if (variance === 0) return 0;
  const freedom = variance ** 2 / (one.variance ** 2 / one.freedom + other.variance ** 2 / other.freedom);
  return studentT(freedom) * Math.sqrt(variance);
}

/** @param {Uncertainty | undefined} uncertainty @param {'mae' | 'mean_error'} name */
function partOf(uncertainty, name) {
  const error = uncertainty?.[name].std_error ?? null;
  if (uncertainty === undefined || error === null) return undefined;
  return { variance: error ** 2, freedom: uncertainty.degrees_of_freedom };
}

/**
 * Student's t that 95 % lie within, from the normal 1.96 by the first terms of Fisher and Cornish (1960, Technometrics
 * 2:209): within 1 % from 3 degrees of freedom on, 3 % too small at 2, which a window of 14 days has.
 * @param {number} freedom degrees of freedom
 */
export function studentT(freedom) {
  const z = 1.959964;
  return (
    z +
    (z ** 3 + z) / (4 * freedom) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * freedom ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * freedom ** 3)
  );
}
