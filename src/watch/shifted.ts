import { rounded, sum } from '../statistics/statistics.js';
import { dateOf, dayNumber } from '../statistics/time/calendar.js';
import type { Alarm } from './alarm.js';
import type { NetworkDays } from './network-days.js';

// A provider that has changed. A cumulative sum (Page 1954, Biometrika 41:100) over the days of the network: of departures,
// in which the weather cancels, or of errors where a provider is alone.

/** Days that say how much a provider varies, before those that are watched. */
const BASE_DAYS = 60;

/** And days that are watched: a change that is older is in the base itself, and the alarm ends. */
const WATCHED_DAYS = 60;

/** Days before the base that say how far the mean wanders with the seasons: a shift is more. Fewer than the least say nothing. */
const WANDERING_DAYS = 365;
const LEAST_WANDERING_DAYS = 180;

/** Days of history that all this needs. */
export const WATCHED_HISTORY_DAYS = BASE_DAYS + WATCHED_DAYS + WANDERING_DAYS;

/** The sum of standard deviations at which there is an alarm: noise alone comes to it once in four years and more. */
const LIMIT = 10;

/** And at which one that holds ends. */
const LIMIT_TO_HOLD = 5;

/** Neighbouring days are alike: so many lags count for the variance (Newey and West 1987). */
const LAGS = 4;

/** The least standard deviation, hundredths of a °F: forecasts that agree to the digit have none. */
const LEAST_DEVIATION = 5;

/** A shift of one provider shows in the departures of the others as well, the other way, within so many days. */
const MIRRORED_DAYS = 30;

const mean = (values: readonly number[]): number => sum(values) / values.length;

/** A change of the mean. */
interface Shift {
  /** The place of its first day in the series. */
  from: number;
  /** In the unit of the series. */
  by: number;
}

/** The shift of a series of days, if it has one. */
export function shiftOf(series: readonly number[], isHeld = false): Shift | undefined {
  const begin = Math.max(0, series.length - BASE_DAYS - WATCHED_DAYS);
  const base = series.slice(begin, begin + BASE_DAYS);
  if (series.length - begin <= BASE_DAYS) return undefined;
  const usual = mean(base);
  const deviation = deviationOf(base, usual);
  const past = series.slice(Math.max(0, begin - WANDERING_DAYS), begin);
  const allowed =
    past.length < LEAST_WANDERING_DAYS ? 0.75 * deviation : Math.max(0.5 * deviation, 1.15 * wandering(past));
  for (const sign of [1, -1]) {
    let [excess, from] = [0, begin + BASE_DAYS];
    for (let at = from; at < series.length; at += 1) {
      excess = Math.max(0, excess + (sign * (series[at]! - usual) - allowed) / deviation);
      if (excess === 0) from = at + 1;
    }
    if (excess > (isHeld ? LIMIT_TO_HOLD : LIMIT)) return { from, by: mean(series.slice(from)) - usual };
  }
  return undefined;
}

/** The standard deviation of a day, neighbours considered. */
function deviationOf(base: readonly number[], usual: number): number {
  const product = (lag: number): number =>
    sum(base.slice(lag).map((each, at) => (each - usual) * (base[at]! - usual))) / (base.length - 1);
  let variance = product(0);
  for (let lag = 1; lag <= LAGS; lag += 1) variance += 2 * (1 - lag / (LAGS + 1)) * product(lag);
  return Math.max(Math.sqrt(Math.max(variance, product(0) / 2)), LEAST_DEVIATION);
}

/** The most that the mean of 30 days has differed from that of the 60 before. */
function wandering(past: readonly number[]): number {
  let most = 0;
  for (let at = BASE_DAYS; at + 30 <= past.length; at += 1) {
    const change = mean(past.slice(at, at + 30)) - mean(past.slice(at - BASE_DAYS, at));
    most = Math.max(most, Math.abs(change));
  }
  return most;
}

/** The days of a provider as a series, without those on which fewer than half of its usual stations are there. */
function seriesOf(network: NetworkDays): {
  days: number[];
  values: number[];
  stations: number;
  isAlone: boolean;
} {
  const isAlone = network.compared_days.every((count) => count === 0);
  const [counts, means] = isAlone
    ? [network.station_days, network.errors]
    : [network.compared_days, network.departures];
  const stations = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)] ?? 0;
  const kept = counts.flatMap((count, at) => (count > 0 && 2 * count >= stations ? [at] : []));
  return {
    days: kept.map((at) => network.days[at]!),
    values: kept.map((at) => means[at]!),
    stations,
    isAlone,
  };
}

/** The providers that have changed, by metric. @param first_date of day 0 @param before the alarms that held until now */
export function shiftedProviders(
  network: readonly NetworkDays[],
  first_date: string,
  before: readonly Alarm[] = [],
): Alarm[] {
  const found = network.flatMap((row) => {
    const { days, values, stations, isAlone } = seriesOf(row);
    const isHeld = before.some(
      ({ kind, provider, metric }) =>
        kind === 'shifted' && provider === row.provider && metric === row.metric,
    );
    const shift = shiftOf(values, isHeld);
    if (shift === undefined) return [];
    return [
      { ...row, shift, since: days[shift.from]!, watched: days.length - shift.from, stations, isAlone },
    ];
  });
  const isPair = (metric: string): boolean => network.filter((row) => row.metric === metric).length === 2;
  return found
    .filter(
      ({ metric, since, shift }) =>
        // Departures of two are equal and opposite, and say nothing of which of them has changed.
        isPair(metric) ||
        !found.some(
          (other) =>
            other.metric === metric &&
            Math.sign(other.shift.by) !== Math.sign(shift.by) &&
            Math.abs(other.since - since) <= MIRRORED_DAYS &&
            Math.abs(other.shift.by) > Math.abs(shift.by),
        ),
    )
    .map(({ provider, metric, since, shift, watched, stations, isAlone }) => {
      const by = rounded(shift.by / 100);
      const date = dateOf(dayNumber(first_date) + since);
      const others = isPair(metric)
        ? 'the other provider, which may have changed itself'
        : 'the other providers';
      return {
        kind: 'shifted',
        provider,
        station_id: null,
        metric,
        since: date,
        shift_f: by,
        message:
          `${provider}: its ${metric}s moved by ${by > 0 ? '+' : ''}${by} °F since ${date}, ${isAlone ? 'by its errors' : `against ${others}`}; ` +
          `${watched} days of ${stations} stations, after ${BASE_DAYS} days before`,
      };
    });
}
