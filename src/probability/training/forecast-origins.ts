import type { DayBegins } from '../../api/day-begins.js';
import type { Scale } from '../../variables/declarations.js';
import { errorKnown, type History } from './history.js';
import {
  type Errors,
  computeFraction,
  degreeCountsByFraction,
  type DegreeCounts,
  degreeCountsOfList,
} from './degree-counts.js';
import { listOrigins, type OriginRange } from './rolling-origins.js';
import { firstTargetAfter, computeLag, trainingDays } from './training.js';

// Rolling origin of forecasts: every past one beside what it could be trained on when it was issued.

/** A past forecast with what came of it, and what it could be trained on. */
export interface Case {
  station_id: string;
  /** Its target day, from 1970-01-01. */
  day: number;
  /** Hundredths of a °F, as the errors. */
  forecast: number;
  actual: number;
  /** The errors of the station's training days, in the order of the days; the next forecast uses the array again. */
  stationErrors: Int32Array;
  /** These errors as whole degrees, for forecasts like this one, with how many of them count. */
  station: DegreeCounts;
  /** The errors of all stations, and those as whole degrees. */
  network: Errors;
  networkCounts: DegreeCounts;
}

/** The target days; the histories have no forecast of later than `known_ms`. */
export interface OriginDays extends OriginRange {
  /** The horizon of the range of leads (LeadRange), hours. */
  horizon: number;
  /** Days of the training. */
  window: number;
  /** The degrees in which outcomes are whole. */
  scale: Scale;
}

/** Visits each case, by station. (By day first, each case would fetch its station's days anew: three times as long.) */
export function eachOrigin(
  histories: readonly History[],
  requested: OriginDays,
  dayBegins: DayBegins,
  visit: (found: Case) => void,
): void {
  const { first, horizon, window, scale } = requested;
  const stationErrors = new Int32Array(window);
  const networks = networkErrors(histories, requested);
  const countsByFraction = networks.map((network) => degreeCountsByFraction(network, scale));
  const origins = listOrigins(histories, requested, 'by station', {
    getMoment: ({ station_id, first, forecasts, leads }, day) =>
      Number.isNaN(forecasts[day - first]) ? undefined : dayBegins(station_id, day) - leads[day - first]!,
    getReports: ({ reports }) => reports,
  });
  for (const { station: history, day, actual, moment_ms } of origins) {
    const { station_id } = history;
    const forecast = history.forecasts[day - history.first]!;
    const days = errorsOfTraining(history, trainingDays(day, horizon, window), moment_ms, stationErrors);
    const phase = computeFraction(forecast, scale);
    const network = networks[day - first]!;
    const networkCounts = countsByFraction[day - first]!(phase);
    const station = degreeCountsOfList(stationErrors, days, phase, scale);
    visit({ station_id, day, forecast, actual, stationErrors, station, network, networkCounts });
  }
}

/** The errors of a station's days as known at an instant: how many there are, written to the start of an array. */
function errorsOfTraining(
  history: History,
  days: { first: number; last: number },
  instant_ms: number,
  errors: Int32Array,
): number {
  let count = 0;
  for (let day = Math.max(history.first, days.first); day <= days.last; day += 1) {
    const error = errorKnown(history, day, instant_ms);
    if (Number.isNaN(error)) continue;
    errors[count] = error;
    count += 1;
  }
  return count;
}

/**
 * The errors of the network for one target day after the other. A value of a station day counts from the first target
 * day whose moment is after its report. It ends when another value is known or the day is too old. So each is added
 * once and taken away once.
 */
function networkErrors(
  histories: readonly History[],
  { first, last, window, horizon }: OriginDays,
): Errors[] {
  const added: number[][] = Array.from({ length: last - first + 2 }, () => []);
  const removed: number[][] = Array.from({ length: last - first + 2 }, () => []);
  let [lowest, highest] = [Infinity, -Infinity];
  for (const history of histories) {
    for (let at = 0; at < history.forecasts.length; at += 1) {
      const forecast = history.forecasts[at]!;
      const opens = Math.max(first, history.first + at + computeLag(horizon));
      const closes = Math.min(last + 1, history.first + at + computeLag(horizon) + window);
      if (Number.isNaN(forecast) || opens >= closes) continue;
      let until = closes;
      const { reports } = history;
      const begin = reports.begin(history.first + at);
      for (let place = reports.end(history.first + at) - 1; place >= begin && until > opens; place -= 1) {
        const since = Math.max(opens, firstTargetAfter(reports.reportedAt(place), horizon));
        if (since >= until) continue;
        const error = forecast - reports.reported(place);
        added[since - first]?.push(error);
        removed[until - first]?.push(error);
        until = since;
        if (error < lowest) lowest = error;
        if (error > highest) highest = error;
      }
    }
  }
  const errors: Errors = {
    lowest: lowest === Infinity ? 0 : lowest,
    counts: new Int32Array(lowest === Infinity ? 0 : highest - lowest + 1),
    days: 0,
    sum: 0,
  };
  const count = (list: readonly number[] | undefined, sign: 1 | -1): void => {
    for (const error of list ?? []) {
      errors.counts[error - lowest] = errors.counts[error - lowest]! + sign;
      errors.days += sign;
      errors.sum += sign * error;
    }
  };
  const found: Errors[] = [];
  for (let at = 0; at <= last - first; at += 1) {
    count(added[at], 1);
    count(removed[at], -1);
    found.push({ ...errors, counts: errors.counts.slice() });
  }
  return found;
}
