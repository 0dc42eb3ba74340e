import { plainMean } from './comparison.js';
import { plusDays, rate, roundedFraction } from './oracle.js';
import { plainRate } from './rate.js';
import { T_95 } from './uncertainty.js';

// Departures worked out a second time, straight from their definitions: loops over single forecasts.

/** The forecast of a provider that counts for a station day; whole hundredths of a °F. */
export interface PlainForecast {
  station: string;
  date: string;
  provider: string;
  forecast: number;
  actual: number;
  lead_ms: number;
}

/** One provider's forecast beside those of the others. */
interface PlainCase extends PlainForecast {
  /** Twice the median of the others, so that it is whole. */
  twiceOthers: number;
  /** Twice the departure from it. */
  twice: number;
  othersLead: number;
}

export function plainCases(forecasts: readonly PlainForecast[]): PlainCase[] {
  return forecasts.flatMap((each) => {
    const others = forecasts
      .filter(
        ({ station, date, provider }) =>
          station === each.station && date === each.date && provider !== each.provider,
      )
      .sort((a, b) => a.forecast - b.forecast);
    if (others.length === 0) return [];
    const middle = others.length / 2;
    const twiceOthers = Number.isInteger(middle)
      ? others[middle - 1]!.forecast + others[middle]!.forecast
      : 2 * others[Math.floor(middle)]!.forecast;
    const othersLead = others.reduce((sum, { lead_ms }) => sum + lead_ms, 0) / others.length;
    return [{ ...each, twiceOthers, twice: 2 * each.forecast - twiceOthers, othersLead }];
  });
}

interface PlainWindow {
  first: string;
  last: string;
}

type Fields = Record<string, unknown>;

const byDay = ({ first, last }: PlainWindow, cases: readonly PlainCase[]): PlainCase[][] => {
  const days: PlainCase[][] = [];
  for (let date = first; date <= last; date = plusDays(date, 1))
    days.push(cases.filter((each) => each.date === date));
  return days;
};

/** The days from the first to the last with any. */
const spanned = <Day extends { n: number }>(days: readonly Day[]): Day[] =>
  days.slice(
    days.findIndex(({ n }) => n > 0),
    days.findLastIndex(({ n }) => n > 0) + 1,
  );

/** Twice the errors of the provider and of the others, hundredths. */
const errorsOf = ({ forecast, actual, twiceOthers }: PlainCase): [own: number, others: number] => [
  2 * (forecast - actual),
  twiceOthers - 2 * actual,
];

const apart = (each: PlainCase): number => {
  const [own, others] = errorsOf(each);
  return Math.abs(own) - Math.abs(others);
};

const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

function rateFields(name: string, days: readonly { n: number; hits: number }[]): Fields {
  const [n, hits] = [total(days.map((day) => day.n)), total(days.map((day) => day.hits))];
  const { low, high } = n === 0 ? { low: null, high: null } : plainRate(spanned(days));
  return { [name]: n === 0 ? null : rate(hits, n), [`${name}_low`]: low, [`${name}_high`]: high };
}

function besideOf(window: PlainWindow, cases: readonly PlainCase[]): Fields {
  const days = byDay(window, cases);
  const count = (isSo: (difference: number) => boolean): number =>
    cases.filter((each) => isSo(apart(each))).length;
  const mean = (of: (each: PlainCase) => number): number | null =>
    cases.length === 0 ? null : roundedFraction(BigInt(total(cases.map(of))), 2n * BigInt(cases.length));
  const { interval } = plainMean(days.map((day) => ({ n: day.length, sum: total(day.map(apart)) })));
  const shown = (value: number | undefined): number | null =>
    value === undefined ? null : Number((value / 200).toFixed(2)) + 0;
  return {
    nearer: count((difference) => difference < 0),
    equal: count((difference) => difference === 0),
    farther: count((difference) => difference > 0),
    ...rateFields(
      'nearer_rate',
      days.map((day) => ({
        n: day.filter((each) => apart(each) !== 0).length,
        hits: day.filter((each) => apart(each) < 0).length,
      })),
    ),
    mae: mean((each) => Math.abs(errorsOf(each)[0])),
    mae_of_others: mean((each) => Math.abs(errorsOf(each)[1])),
    mae_difference: {
      value: mean(apart),
      low: shown(interval?.low),
      high: shown(interval?.high),
      std_error: shown(interval?.std_error),
    },
  };
}

const MONDAY = '1970-01-05';

/** The week of a day of a window; days beside its whole weeks belong to the nearest. */
function weekIn({ first, last }: PlainWindow, date: string): number {
  const number = (day: string): number => Math.round((Date.parse(day) - Date.parse(MONDAY)) / 86_400_000);
  const firstMonday = 7 * Math.ceil(number(first) / 7);
  const weeks = Math.max(1, Math.floor((number(last) + 1 - firstMonday) / 7));
  return Math.min(weeks - 1, Math.max(0, Math.floor((number(date) - firstMonday) / 7)));
}

/** The least-squares weight of departures, with each week left out in turn. */
export function plainShare(
  cases: readonly Pick<PlainCase, 'date' | 'twice' | 'twiceOthers' | 'actual'>[],
  window: PlainWindow,
): { value: number; interval: { low: number; high: number } | undefined } {
  const share = (of: typeof cases): number =>
    total(of.map(({ twice, twiceOthers, actual }) => twice * (2 * actual - twiceOthers))) /
    total(of.map(({ twice }) => twice ** 2));
  const value = share(cases);
  const weeks = [...new Set(cases.map(({ date }) => weekIn(window, date)))];
  if (weeks.length < 6) return { value, interval: undefined };
  const without = weeks.map((week) => share(cases.filter(({ date }) => weekIn(window, date) !== week)));
  const mean = total(without) / weeks.length;
  const error = Math.sqrt(
    ((weeks.length - 1) / weeks.length) * total(without.map((each) => (each - mean) ** 2)),
  );
  if (error < 1e-12) return { value, interval: undefined };
  const t = T_95[weeks.length - 1];
  if (t === undefined) throw new Error(`no t for ${weeks.length} weeks`);
  return { value, interval: { low: value - t * error, high: value + t * error } };
}

function shareFields(window: PlainWindow, cases: readonly PlainCase[]): Fields {
  const shown = (value: number | undefined): number | null =>
    value === undefined ? null : Math.round(value * 1e4) / 1e4 + 0;
  const { value, interval } = plainShare(cases, window);
  return {
    share_true: cases.length === 0 ? null : shown(value),
    share_true_low: shown(interval?.low),
    share_true_high: shown(interval?.high),
  };
}

function plainVerdict(window: PlainWindow, cases: readonly PlainCase[]): string {
  if (new Set(cases.map(({ date }) => date)).size < 14) return 'too_few_days';
  if (new Set(cases.map(({ date }) => weekIn(window, date))).size < 6) return 'too_few_weeks';
  const { interval } = plainShare(cases, window);
  if (interval === undefined) return 'cannot_tell';
  const [holdsNone, holdsAll] = [interval.low <= 0, interval.high >= 1];
  if (!holdsNone && !holdsAll) return 'between';
  if (interval.low > 0.5) return 'provider';
  return interval.high < 0.5 ? 'others' : 'cannot_tell';
}

/** The record of some cases, without the p of tests. @param threshold °F */
export function divergenceRecordOf(
  cases: readonly PlainCase[],
  window: PlainWindow,
  threshold: number,
): Fields {
  const departs = ({ twice }: PlainCase): boolean => Math.abs(twice) >= threshold * 200 - 1e-9;
  const departing = cases.filter(departs);
  const near = cases.filter((each) => !departs(each));
  const ofSign = (own: readonly PlainCase[]): Fields => ({
    departures: own.length,
    ...besideOf(window, own),
    ...shareFields(window, own),
  });
  const hours = (of: (each: PlainCase) => number): number | null =>
    cases.length === 0 ? null : Number((total(cases.map(of)) / cases.length / 3_600_000 + 1e-9).toFixed(2));
  return {
    days: new Set(cases.map(({ date }) => date)).size,
    station_days: cases.length,
    departures: departing.length,
    ...rateFields(
      'departure_rate',
      byDay(window, cases).map((day) => ({ n: day.length, hits: day.filter(departs).length })),
    ),
    ...besideOf(window, departing),
    ...shareFields(window, departing),
    verdict: plainVerdict(window, departing),
    warmer: ofSign(departing.filter(({ twice }) => twice > 0)),
    colder: ofSign(departing.filter(({ twice }) => twice < 0)),
    otherwise: { station_days: near.length, ...besideOf(window, near) },
    mean_lead_hours: hours(({ lead_ms }) => lead_ms),
    mean_lead_hours_of_others: hours(({ othersLead }) => othersLead),
  };
}
