import type { ProviderComparison } from '../../clients/typescript/src/generated.js';
import { type Bounds, locate } from '../../src/statistics/uncertainty/judge.js';
import { score } from './score.js';
import { capitalize, hours, type Maybe, NOT_YET, number } from './words.js';

// How far a number is known, as the API says.

/** The level of confidence that the page asks for. */
export const LEVEL = '0.95';

export type Interval = Bounds;

/** A number as text, with so many digits instead of the usual ones. */
type Format = (value: Maybe, digits?: number) => string;

/** An interval in words: 2.72–2.84, 54–81%, −7 to 37%; undefined without both ends. @param beside it excludes, or holds */
export function intervalWords(
  interval: Interval | undefined,
  format: Format = number,
  beside?: number,
): string | undefined {
  if (interval === undefined || interval.low === null || interval.high === null) return undefined;
  const place = beside === undefined ? 'around' : locate(interval, beside);
  const low = place === 'above' ? formatEnd(interval.low, beside!, format) : format(interval.low);
  const high = place === 'below' ? formatEnd(interval.high, beside!, format) : format(interval.high);
  const first = high.endsWith('%') ? low.replace('%', '') : low;
  return `${first}${/^[−+]/.test(low) || /^[−+]/.test(high) ? ' to ' : '–'}${high}`;
}

/** An end with as many digits as tell it from a value that it excludes: 79.7% beside 80%; where no digits do, with a sign: >0.00. */
function formatEnd(end: number, beside: number, format: Format): string {
  const read = (text: string): number => Number(text.replace('−', '-').replace('%', ''));
  const value = format(beside);
  const excludes = (text: string): boolean =>
    end > beside ? read(text) > read(value) : read(text) < read(value);
  const text = [format(end), format(end, 1), format(end, 2)].find(excludes);
  return text ?? `${end > beside ? '>' : '<'}${value}`;
}

/** An interval behind its value, in brackets; blank without both ends. The foot of the page says what brackets are. */
export function formatInterval(
  interval: Interval | undefined,
  format: Format = number,
  beside?: number,
): string {
  const words = intervalWords(interval, format, beside);
  return words === undefined ? '' : ` (${words})`;
}

/** The side of 0 on which a mean is for sure: 0 where it may be either, undefined where nothing is known. */
export function getSide(interval: Interval | undefined): -1 | 0 | 1 | undefined {
  const place = interval === undefined ? 'unknown' : locate(interval);
  return ({ below: -1, around: 0, above: 1, unknown: undefined } as const)[place];
}

/** Whether 0 is within; false where nothing is known. */
export const holdsZero = (interval: Interval | undefined): boolean =>
  interval !== undefined && locate(interval) === 'around';

/** Whether a comparison has an interval, without which its verdict says nothing. */
export const isTested = (each: ProviderComparison): boolean => locate(score().difference(each)) !== 'unknown';

/** Degree days of a season without any are the same, too: it need not be one source. */
const SAME = 'the same forecasts';

/** Why neither of two providers is better; undefined where one is. The API judges by the same rule. */
function describeTie(each: ProviderComparison): string | undefined {
  if (each.identical) return SAME;
  if (!isTested(each)) return NOT_YET;
  return each.verdict === 'not_significant' ? 'no significant difference' : undefined;
}

/** The provider with the smaller error, by the verdict of the API. */
const describeBetter = ({ verdict, provider, reference }: ProviderComparison): string =>
  verdict === 'better' ? provider : reference;

/** By how much one of the two misses less, such as 0.11 or 0.34–1.00. */
const describeGain = (known: ProviderComparison[]): string => {
  const { difference, formatDifference } = score();
  const values = known.flatMap((each) => difference(each).value ?? []);
  const sizes = values.map((value) => formatDifference(Math.abs(value))).toSorted();
  return [...new Set([sizes[0], sizes.at(-1)])].join('–');
};

/** The finding about a provider and its reference. */
export function finding(each: ProviderComparison): string {
  const tie = describeTie(each);
  const { difference, formatDifference, gain } = score();
  const { low, high } = difference(each);
  if (tie !== undefined || low === null || high === null) return tie ?? NOT_YET;
  const ends = each.verdict === 'better' ? { low: -high, high: -low } : { low, high };
  // The verdict is made before rounding: an end that is rounded to 0 is above it.
  if (ends.low === 0) ends.low = Number.MIN_VALUE;
  return `${describeBetter(each)} ${gain(describeGain([each]))}${formatInterval(ends, formatDifference, 0)}`;
}

/** The verdict of all lead times that have days in common, in one sentence. */
export function makeVerdict(known: ProviderComparison[]): string {
  const leads = new Map<string, ProviderComparison[]>();
  for (const each of known) {
    const name = describeTie(each) ?? describeBetter(each);
    leads.set(name, [...(leads.get(name) ?? []), each]);
  }
  const isProvider = (name: string): boolean => [known[0]?.provider, known[0]?.reference].includes(name);
  const found = [...leads].sort(([a], [b]) => Number(isProvider(b)) - Number(isProvider(a)));
  const clauses = found.map(([name, list]) => {
    const where =
      leads.size === 1
        ? `at ${isProvider(name) || name === SAME ? 'every' : 'any'} lead time`
        : `at ${list.map((each) => hours(each.lead_time_bucket)).join(', ')}`;
    return isProvider(name) ? `${name} ${score().gain(describeGain(list))} ${where}` : `${name} ${where}`;
  });
  // The name of a provider stays as it is.
  const isOfName = found.length > 0 && isProvider(found[0]![0]);
  const text = `${clauses.join('; ')}.`;
  return isOfName ? text : capitalize(text);
}

/** Where one of two has older forecasts, so that part of the difference is age; blank elsewhere. */
export function ageWords(known: ProviderComparison[]): string {
  const isOlder = ({ mean_lead_hours, reference_mean_lead_hours }: ProviderComparison): boolean =>
    (mean_lead_hours ?? 0) > (reference_mean_lead_hours ?? 0);
  const unequal = known.filter(({ hint }) => hint !== null);
  const names = [...new Set(unequal.map((each) => (isOlder(each) ? each.provider : each.reference)))];
  const leads = [...new Set(unequal.map(({ lead_time_bucket }) => hours(lead_time_bucket)))];
  const where = leads.length > 2 ? 'several lead times' : leads.join(' and ');
  if (names.length === 0) return '';
  return `At ${where}, part of the difference is that forecasts of ${names.length === 1 ? names[0] : 'one'} are older, not worse.`;
}
