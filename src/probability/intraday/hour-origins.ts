import type { DayBegins } from '../../api/day-begins.js';
import { HOURS_KNOWN_AFTER_MS } from '../../statistics/time/hour-of-day.js';
import type { Reports } from '../../queries/report-rows.js';
import { HOUR_MS } from '../../statistics/time/calendar.js';
import {
  encodeCase,
  type Cases,
  type DailyExtreme,
  toGap,
  LAST_HOUR,
  Line,
  MIN_CASES,
  computeRise,
  type RemainingRises,
  withoutGaps,
} from './remaining-rise.js';
import type { History } from '../training/history.js';
import type { Case, OriginDays } from '../training/forecast-origins.js';
import { listOrigins } from '../training/rolling-origins.js';

// Rolling origin at an hour of the day (D57): every past day beside what it could be trained on by then.

/** A station's days at an hour; of its forecasts, the latest that were issued by then. */
export interface HourHistory extends History {
  /** The extreme by that hour, whole degrees, by day as the forecasts; NaN where hours are missing. */
  measured: ArrayLike<number>;
}

/** A past day at an hour: its outcome, its distribution by the line, and that by the hour alone. */
export interface HourCase extends Pick<Case, 'station_id' | 'day' | 'forecast' | 'actual'> {
  measured: number;
  line: RemainingRises;
  rise: RemainingRises;
}

export interface HourDays extends Omit<OriginDays, 'horizon'> {
  metric: DailyExtreme;
  /** Whole hours since the day began, 1 to 23, or 24 once it has ended. */
  hour: number;
}

/** When a station's day comes to the hour, Unix ms. */
type HourOf = (history: HourHistory, day: number) => number;

/** The last report of a day is known a little after its end. */
export const hourFinder =
  (hour: number, dayBegins: DayBegins): HourOf =>
  ({ station_id }, day) =>
    hour === LAST_HOUR
      ? dayBegins(station_id, day + 1) + HOURS_KNOWN_AFTER_MS
      : dayBegins(station_id, day) + hour * HOUR_MS;

/** The days before it that a day is trained on at the hour. */
export type HourTraining = Pick<HourDays, 'metric' | 'window' | 'scale'>;

/** The cases of a day that are known at a moment. */
export function casesKnown(
  histories: readonly HourHistory[],
  toHour: HourOf,
  day: number,
  moment_ms: number,
): number {
  return histories.filter((each) => {
    const { measured, forecast } = ofDay(each, day);
    return (
      !Number.isNaN(measured + forecast) &&
      toHour(each, day) <= moment_ms &&
      each.reports.known(day, moment_ms) !== undefined
    );
  }).length;
}

/**
 * Visits each case, by target day; with nothing for one that has too few to be trained on. A day without a forecast has the rise
 * by hour.
 */
export function eachHourOrigin(
  histories: readonly HourHistory[],
  requested: HourDays,
  dayBegins: DayBegins,
  visit: (found: HourCase | undefined) => void,
): void {
  const { metric, hour, scale, station_id: only, known_ms = Infinity } = requested;
  const toHour = hourFinder(hour, dayBegins);
  const origins = listOrigins(histories, requested, 'by day', {
    getMoment: (history, day) => {
      const moment_ms = toHour(history, day);
      return moment_ms > known_ms || Number.isNaN(ofDay(history, day).measured) ? undefined : moment_ms;
    },
    getReports: ({ reports }) => reports,
  });
  const fitLinesOf = (day: number): ReturnType<typeof fitLines> => {
    const moments = histories
      .filter(({ station_id }) => (only ?? station_id) === station_id)
      .map((each) => toHour(each, day))
      .filter((moment_ms) => moment_ms <= known_ms);
    return fitLines(histories, requested, day, toHour, Math.min(...moments));
  };
  let fitted: { day: number; linesAt: ReturnType<typeof fitLines> } | undefined;
  for (const { station: history, day, actual, moment_ms } of origins) {
    if (fitted?.day !== day) fitted = { day, linesAt: fitLinesOf(day) };
    const { line, alone } = fitted.linesAt(moment_ms);
    const { measured, forecast } = ofDay(history, day);
    const own = ownCases(history, requested, day, moment_ms);
    const rise = alone.rises(0, withoutGaps(own));
    const found = { station_id: history.station_id, day, forecast, actual, measured, rise };
    const along = Number.isNaN(forecast) ? rise : line.rises(toGap(metric, forecast, measured, scale), own);
    visit(line.cases < MIN_CASES ? undefined : { ...found, line: along });
  }
}

/** NaN when missing, or when the day is not read. */
const ofDay = ({ first, measured, forecasts }: HourHistory, day: number) => ({
  measured: measured[day - first] ?? NaN,
  forecast: forecasts[day - first] ?? NaN,
});

/** Calls with each earlier day of a station that a day is trained on, and with what makes a case of its settled value. */
function eachEarlier(
  history: HourHistory,
  { metric, window, scale }: HourTraining,
  day: number,
  visit: (earlier: number, getKey: (actual: number) => number) => void,
): void {
  for (let earlier = day - window; earlier < day; earlier += 1) {
    const { measured, forecast } = ofDay(history, earlier);
    if (Number.isNaN(measured + forecast)) continue;
    const gap = toGap(metric, forecast, measured, scale);
    visit(earlier, (actual) => encodeCase(gap, computeRise(metric, actual, measured, scale)));
  }
}

/** The cases of a station that are known at a moment. */
export function ownCases(
  history: HourHistory | undefined,
  requested: HourTraining,
  day: number,
  moment_ms: number,
): Cases {
  const own: Cases = { keys: [], times: [] };
  if (history === undefined) return own;
  eachEarlier(history, requested, day, (earlier, getKey) => {
    const actual = history.reports.known(earlier, moment_ms);
    if (actual === undefined) return;
    own.keys.push(getKey(actual));
    own.times.push(1);
  });
  return own;
}

/**
 * The lines through the cases of all stations as known at a moment of a day. Stations come to the hour at different moments;
 * days that nothing new is said of from the earliest on are counted once for all of them. Zones lie up to 26 hours apart, so
 * the day before may come to the hour only later, with a value that was reported early.
 */
export function fitLines(
  histories: readonly HourHistory[],
  requested: HourTraining,
  day: number,
  toHour: HourOf,
  earliest_ms: number,
): (moment_ms: number) => { line: Line; alone: Line } {
  const earlyCounts = new Map<number, number>();
  const count = (counts: Map<number, number>, key: number): unknown =>
    counts.set(key, (counts.get(key) ?? 0) + 1);
  const late: { reports: Reports; day: number; from_ms: number; getKey: (actual: number) => number }[] = [];
  for (const history of histories) {
    const { reports } = history;
    eachEarlier(history, requested, day, (earlier, getKey) => {
      const from_ms = earlier === day - 1 ? toHour(history, earlier) : -Infinity;
      const isLate = Math.max(from_ms, reports.knownFrom(earlier)) > earliest_ms;
      const actual = isLate ? undefined : reports.known(earlier, earliest_ms);
      if (actual !== undefined) count(earlyCounts, getKey(actual));
      if (isLate) late.push({ reports, day: earlier, from_ms, getKey });
    });
  }
  const found = new Map<number, { line: Line; alone: Line }>();
  return (moment_ms) => {
    const known = found.get(moment_ms);
    if (known !== undefined) return known;
    const counts = new Map(earlyCounts);
    for (const each of late) {
      const actual = each.from_ms <= moment_ms ? each.reports.known(each.day, moment_ms) : undefined;
      if (actual !== undefined) count(counts, each.getKey(actual));
    }
    const cases = { keys: [...counts.keys()], times: [...counts.values()] };
    const lines = {
      line: new Line(cases, requested.scale),
      alone: new Line(withoutGaps(cases), requested.scale),
    };
    found.set(moment_ms, lines);
    return lines;
  };
}
