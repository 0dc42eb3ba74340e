import { HOUR_MS } from '../time/calendar.js';
import {
  caseOf,
  type Cases,
  type DailyExtreme,
  gapOf,
  Line,
  MIN_CASES,
  riseOf,
  type Rises,
  withoutGaps,
} from './day-so-far.js';
import type { History } from './history.js';
import type { Case, DayBegins, OriginDays } from './origins.js';

// Rolling origin at an hour of the day (D57): every past day beside what could be learned for it by then, and nothing later.

/** A station's days at an hour; of its forecasts, the latest that were issued by then. */
export interface HourHistory extends History {
  /** The extreme by that hour, whole °F, by day as the forecasts; NaN where hours are missing. */
  measured: ArrayLike<number>;
}

/** A past day at an hour, with what came of it, and what may have come of it by the line, and by the hour alone. */
export interface HourCase extends Pick<Case, 'station_id' | 'day' | 'forecast' | 'actual'> {
  measured: number;
  line: Rises;
  rise: Rises;
}

export interface HourDays extends Omit<OriginDays, 'horizon'> {
  metric: DailyExtreme;
  /** Whole hours since the day began, 1 to 23. */
  hour: number;
}

/** The target days of stations that share a clock, and when each comes to the hour, Unix ms; both ascend. */
interface Clock {
  days: number[];
  moments: number[];
  members: HourHistory[];
}

/**
 * Functions to be called one after the other, one for each target day of the stations that share a clock. It calls another
 * with each case, or with nothing for one that has too few to learn from. A day without a forecast has the rise by hour.
 * @param dayBegins of the target days; NaN for one of which nothing is known at the station
 */
export function* hourOrigins(
  histories: readonly HourHistory[],
  asked: HourDays,
  dayBegins: DayBegins,
): Generator<(visit: (found: HourCase | undefined) => void) => void> {
  const { metric, known_ms = Infinity } = asked;
  for (const clock of clocksOf(histories, asked, dayBegins)) {
    const network = casesByDay(histories, asked, clock);
    for (const [at, day] of clock.days.entries()) {
      yield (visit) => {
        const cases = network.next().value!;
        const [line, alone] = [new Line(cases), new Line(withoutGaps(cases))];
        for (const history of clock.members) {
          const { measured, forecast } = ofDay(history, day);
          const actual = history.reports.known(day, known_ms);
          if (Number.isNaN(measured) || actual === undefined) continue;
          const own = ownCases(history, asked, day, clock.moments[at]!);
          const rise = alone.rises(0, withoutGaps(own));
          const found = { station_id: history.station_id, day, forecast, actual, measured, rise };
          const gap = gapOf(metric, forecast, measured);
          const isEnough = line.cases >= MIN_CASES;
          visit(
            isEnough ? { ...found, line: Number.isNaN(forecast) ? rise : line.rises(gap, own) } : undefined,
          );
        }
      };
    }
  }
}

function clocksOf(
  histories: readonly HourHistory[],
  { first, last, hour, station_id: only, known_ms = Infinity }: HourDays,
  dayBegins: DayBegins,
): Iterable<Clock> {
  const clocks = new Map<string, Clock>();
  for (const history of histories) {
    const { station_id } = history;
    if ((only ?? station_id) !== station_id) continue;
    const found: Clock = { days: [], moments: [], members: [] };
    for (let day = first; day <= last; day += 1) {
      const moment_ms = dayBegins(station_id, day) + hour * HOUR_MS;
      if (!(moment_ms <= known_ms)) continue;
      found.days.push(day);
      found.moments.push(moment_ms);
    }
    const key = found.moments.join();
    const clock = clocks.get(key) ?? found;
    clock.members.push(history);
    clocks.set(key, clock);
  }
  return clocks.values();
}

/** NaN where there is none, or the day is not read. */
const ofDay = ({ first, measured, forecasts }: HourHistory, day: number) => ({
  measured: measured[day - first] ?? NaN,
  forecast: forecasts[day - first] ?? NaN,
});

/** The cases of a station that a day learns from. */
function ownCases(history: HourHistory, { metric, window }: HourDays, day: number, moment_ms: number): Cases {
  const own: Cases = { keys: [], times: [] };
  for (let earlier = day - window; earlier < day; earlier += 1) {
    const { measured, forecast } = ofDay(history, earlier);
    if (Number.isNaN(measured + forecast)) continue;
    const actual = history.reports.known(earlier, moment_ms);
    if (actual === undefined) continue;
    own.keys.push(caseOf(gapOf(metric, forecast, measured), riseOf(metric, actual, measured)));
    own.times.push(1);
  }
  return own;
}

/** The cases of all stations that each target day of a clock learns from. */
function* casesByDay(
  histories: readonly HourHistory[],
  { metric, window }: HourDays,
  { days, moments }: Clock,
): Generator<Cases, undefined> {
  const byDay = (): number[][] => Array.from({ length: days.length + 1 }, () => []);
  const [added, removed] = [byDay(), byDay()];
  const placeAfter = (instant_ms: number): number => placeOf(moments, instant_ms);
  for (const history of histories) {
    for (let day = history.first; day < history.first + history.measured.length; day += 1) {
      const { measured, forecast } = ofDay(history, day);
      if (Number.isNaN(measured + forecast)) continue;
      const gap = gapOf(metric, forecast, measured);
      const learners = { from: placeOf(days, day + 1), until: placeOf(days, day + 1 + window) };
      history.reports.eachKnown(day, learners, placeAfter, (actual, { from, until }) => {
        const key = caseOf(gap, riseOf(metric, actual, measured));
        added[from]!.push(key);
        removed[until]!.push(key);
      });
    }
  }
  const counts = new Map<number, number>();
  const count = (keys: readonly number[], times: 1 | -1): void => {
    for (const key of keys) {
      const left = (counts.get(key) ?? 0) + times;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    }
  };
  for (const at of days.keys()) {
    count(added[at]!, 1);
    count(removed[at]!, -1);
    yield { keys: [...counts.keys()], times: [...counts.values()] };
  }
  return undefined;
}

/** The place of the first of ascending numbers that is not below another. */
function placeOf(numbers: readonly number[], least: number): number {
  let [place, end] = [0, numbers.length];
  while (place < end) {
    const middle = (place + end) >> 1;
    if (numbers[middle]! < least) place = middle + 1;
    else end = middle;
  }
  return place;
}
