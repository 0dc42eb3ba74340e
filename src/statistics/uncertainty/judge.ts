// The rule of every verdict, of the API and of the dashboard; docs/uncertainty.md has it in words. A verdict follows from
// an interval alone: what the interval holds is not denied.

/** Fewer days say nothing of what days like them do: no interval, so no verdict. */
export const MIN_DAYS = 14;

/** Fewer weeks say nothing of what weeks like them do. */
export const MIN_WEEKS = 6;

/** Fewer days say nothing of a blend: the same weather may favour it for months. */
export const MIN_BLEND_DAYS = 180;

/** Fewer station days, of all stations, are not learned from. */
export const MIN_NETWORK_DAYS = 200;

/**
 * A share is right only if its interval stays this close to what it should be. One of 34 to 91% holds 80%, and would hold
 * 40% as well. In the sample data 90 days of one station reach 10 to 25 points.
 */
const MAX_REACH = 0.15;

/** The ends of an interval; null where it is not known. */
export interface Bounds {
  low: number | null;
  high: number | null;
}

/** Where an interval lies beside a value; `unknown` without both ends. */
export function locate({ low, high }: Bounds, value = 0): 'below' | 'above' | 'around' | 'unknown' {
  if (high !== null && high < value) return 'below';
  if (low !== null && low > value) return 'above';
  return low === null || high === null ? 'unknown' : 'around';
}

/** Whether a share is what it should be; `unknown` also where its interval is too wide to say so. */
export function judgeShare(interval: Bounds, wanted: number): 'below' | 'above' | 'right' | 'unknown' {
  const place = locate(interval, wanted);
  if (place !== 'around') return place;
  const reach = Math.max(wanted - interval.low!, interval.high! - wanted);
  // 0.8 - 0.65 is a little more than 0.15.
  return reach <= MAX_REACH + 1e-9 ? 'right' : 'unknown';
}

/** Forecast probabilities of about one size, and the interval of how often what they were about happened. */
export interface ProbabilityBin extends Bounds {
  mean_probability: number | null;
}

/**
 * Whether probabilities were reliable, in a sentence; undefined where nothing can be told.
 * @param percent writes a share
 * @param what names them
 */
export function describeReliability(
  bins: readonly ProbabilityBin[],
  percent: (share: number) => string,
  what = 'odds',
): string | undefined {
  const known = bins.filter(({ low, mean_probability }) => low !== null && mean_probability !== null);
  const around = (...verdicts: ReturnType<typeof judgeShare>[]): string =>
    known
      .filter((bin) => verdicts.includes(judgeShare(bin, bin.mean_probability!)))
      .map((bin) => percent(bin.mean_probability!))
      .join(', ');
  const [off, right, open] = [around('below', 'above'), around('right'), around('unknown')];
  const rest = open === '' ? '' : `; those around ${open} cannot be told yet`;
  if (off !== '' && right !== '') return `The ${what} were reliable, except those around ${off}${rest}`;
  if (off !== '') return `The ${what} around ${off} were not reliable${rest}`;
  if (right === '') return undefined;
  return open === ''
    ? `The ${what} were reliable`
    : `The ${what} were reliable as far as can be told: not yet those around ${open}`;
}
