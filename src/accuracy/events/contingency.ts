import { sum } from '../../statistics/statistics.js';
import { type Window, weekOfDay } from '../../statistics/time/window.js';
import { dayClusters, meanInterval } from '../../statistics/uncertainty/intervals.js';
import { jackknifeInterval } from '../../statistics/uncertainty/jackknife.js';
import { type Rates, computeRates } from '../../statistics/uncertainty/rate-intervals.js';

// How well forecasts tell of an event. Definitions and letters are those of Jolliffe and Stephenson, Forecast
// Verification, chapter 3: a hits, b false alarms, c misses, d correct negatives.

/** The cases of an event. */
export type EventTable = Outcomes<number>;

type Outcomes<Cases> = [hits: Cases, false_alarms: Cases, misses: Cases, correct_negatives: Cases];

/** Each score is a ratio; of nothing, it is null. */
const SCORES = {
  base_rate: ([a, b, c, d]) => [a + c, a + b + c + d],
  forecast_rate: ([a, b, c, d]) => [a + b, a + b + c + d],
  frequency_bias: ([a, b, c]) => [a + b, a + c],
  pod: ([a, , c]) => [a, a + c],
  far: ([a, b]) => [b, a + b],
  pofd: ([, b, , d]) => [b, b + d],
  success_ratio: ([a, b]) => [a, a + b],
  csi: ([a, b, c]) => [a, a + b + c],
  ets([a, b, c, d]) {
    const n = a + b + c + d;
    const byChance = (a + b) * (a + c);
    return [a * n - byChance, (a + b + c) * n - byChance];
  },
  hss: ([a, b, c, d]) => [2 * (a * d - b * c), (a + c) * (c + d) + (a + b) * (b + d)],
  /** Ferro and Stephenson 2011 (Weather and Forecasting 26:699). A logarithm of 0 leaves none. */
  sedi([a, b, c, d]) {
    if (a * b * c * d === 0) return [0, 0];
    const [f, h] = [Math.log(b / (b + d)), Math.log(a / (a + c))];
    const [notF, notH] = [Math.log(d / (b + d)), Math.log(c / (a + c))];
    return [f - h - notF + notH, f + h + notF + notH];
  },
} satisfies Record<string, (table: EventTable) => [part: number, whole: number]>;

type Score = keyof typeof SCORES;

/** The scores that are shares of cases. */
export const EVENT_RATES = [
  'base_rate',
  'forecast_rate',
  'pod',
  'far',
  'pofd',
  'success_ratio',
  'csi',
] as const satisfies Score[];

/** Scores that have an interval beside them, with the least and the most that they can be. */
const JACKKNIFED = {
  frequency_bias: [0, Infinity],
  ets: [-1 / 3, 1],
  hss: [-1, 1],
} satisfies Partial<Record<Score, [least: number, most: number]>>;

type Jackknifed = keyof typeof JACKKNIFED;

function computeValue(name: Score, table: EventTable): number | null {
  const [part, whole] = SCORES[name](table);
  return whole === 0 ? null : part / whole;
}

/**
 * The cases of each outcome by day of a window, of cases with their days and places among the thresholds.
 * @param isEvent whether a temperature at this place among the thresholds is the event
 */
export function eventTables(
  {
    days,
    forecast_places,
    actual_places,
    cases,
  }: Record<'days' | 'forecast_places' | 'actual_places' | 'cases', readonly number[]>,
  isEvent: (place: number) => boolean,
  { days_analyzed }: Window,
): Outcomes<number[]> {
  const byDay = (): number[] => new Array<number>(days_analyzed).fill(0);
  const tables: Outcomes<number[]> = [byDay(), byDay(), byDay(), byDay()];
  for (let at = 0; at < days.length; at += 1) {
    const isForecast = isEvent(forecast_places[at]!);
    const outcome = isEvent(actual_places[at]!) ? (isForecast ? 0 : 2) : isForecast ? 1 : 3;
    tables[outcome][days[at]!]! += cases[at]!;
  }
  return tables;
}

const plus = (some: readonly number[], others: readonly number[]): number[] =>
  some.map((cases, day) => cases + others[day]!);

/**
 * The scores of an event, and their intervals at a level of confidence: of shares by days, of
 * others by weeks.
 * @param tables as of eventTables()
 */
export function eventScores(tables: Outcomes<readonly number[]>, window: Window, level: number) {
  const [a, b, c, d] = tables;
  const weekOf = weekOfDay(window);
  const weeks: EventTable[] = [];
  for (let day = 0; day < a.length; day += 1) {
    const week = (weeks[weekOf(day)] ??= [0, 0, 0, 0]);
    for (let outcome = 0; outcome < 4; outcome += 1) week[outcome]! += tables[outcome]![day]!;
  }
  const all = [0, 1, 2, 3].map((outcome) => sum(weeks.map((week) => week[outcome]!))) as EventTable;
  const allButEach = weeks
    .filter((week) => sum(week) > 0)
    .map((week) => all.map((cases, outcome) => cases - week[outcome]!) as EventTable);
  const [hits, false_alarms, misses, correct_negatives] = all;
  const names = Object.keys(SCORES) as Score[];
  const values = names.map((name) => [name, computeValue(name, all)] as const);
  const [observed, forecast] = [plus(a, c), plus(a, b)];
  const [either, ofForecasts] = [plus(forecast, c), dayClusters(forecast)];
  const intervals = [
    computeRates(dayClusters(plus(either, d)), { base_rate: observed, forecast_rate: forecast }, level),
    computeRates(dayClusters(observed), { pod: a }, level),
    computeRates(ofForecasts, { far: b }, level),
    computeRates(dayClusters(plus(b, d)), { pofd: b }, level),
    computeRates(ofForecasts, { success_ratio: a }, level),
    computeRates(dayClusters(either), { csi: a }, level),
    ...(Object.keys(JACKKNIFED) as Jackknifed[]).map((name) => {
      const [min, max] = JACKKNIFED[name];
      const found = jackknifeInterval(
        computeValue(name, all),
        allButEach.map((table) => computeValue(name, table)),
        level,
      );
      return {
        [`${name}_low`]: found && Math.max(min, found.low),
        [`${name}_high`]: found && Math.min(max, found.high),
      };
    }),
  ];
  return {
    cases: sum(all),
    hits,
    false_alarms,
    misses,
    correct_negatives,
    ...(Object.fromEntries(values) as Record<Score, number | null>),
    ...(Object.assign({}, ...intervals) as Rates<(typeof EVENT_RATES)[number] | Jackknifed>),
  };
}

/** The part of the possible saving that forecasts bring to their users, with bounds of the same kind. */
interface EconomicValue {
  economic_value: number | null;
  economic_value_low: number | null;
  economic_value_high: number | null;
}

/**
 * The relative economic value: Richardson 2000 (Q. J. R. Meteorol. Soc. 126:649). Protection costs a share of the loss
 * that it prevents. Without forecasts a user protects always, or never: whichever costs less over the days.
 * Value is the part of the expense that forecasts save, over the part that perfect ones would. So it is a ratio of sums
 * by day, and its interval is that of such a ratio.
 * @param tables as of eventTables()
 * @param costLoss the cost over the loss, above 0 and below 1
 */
export function computeEconomicValue(
  [a, b, c, d]: Outcomes<readonly number[]>,
  costLoss: number,
  level: number,
): EconomicValue {
  const cases = plus(plus(a, b), plus(c, d));
  const isAlways = costLoss * sum(cases) < sum(a) + sum(c);
  // In units of the loss: hits save it, false alarms cost protection. Who protects always saves on forecasts without.
  const saved = a.map((hits, day) =>
    isAlways ? costLoss * d[day]! - (1 - costLoss) * c[day]! : (1 - costLoss) * hits - costLoss * b[day]!,
  );
  const savedByPerfect = a.map((hits, day) =>
    isAlways ? costLoss * (b[day]! + d[day]!) : (1 - costLoss) * (hits + c[day]!),
  );
  const clusters = dayClusters(savedByPerfect, cases);
  if (clusters.total === 0)
    return { economic_value: null, economic_value_low: null, economic_value_high: null };
  const interval = meanInterval(clusters, saved, level);
  return {
    economic_value: sum(saved) / clusters.total,
    economic_value_low: interval?.low ?? null,
    economic_value_high: interval ? Math.min(1, interval.high) : null,
  };
}
