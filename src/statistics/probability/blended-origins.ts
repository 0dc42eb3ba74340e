import { type Blend, blendOf, type ErrorsByProvider, ownErrors, pointOf } from './blend.js';
import type { History } from './history.js';
import type { Case, DayBegins, OriginDays } from './origins.js';
import { phaseOf, tallyOf, tallyOfList } from './tally.js';
import { networkMoment, trainingDays } from './training.js';

// Rolling origin of several providers as one (D54): every past day that all have a forecast of, beside what could be learned
// for it when the last of these was issued, and nothing later.

/** The histories of a station by provider, in the order of their names; undefined for a provider without a forecast there. */
export interface StationHistories {
  station_id: string;
  byProvider: readonly (History | undefined)[];
}

/** Those of one provider. */
export const historiesOf = (stations: readonly StationHistories[], provider: number): History[] =>
  stations.flatMap(({ byProvider }) => byProvider[provider] ?? []);

/** A past day with a blended forecast, and that of each provider, hundredths of a °F. */
export interface BlendedCase extends Case {
  blend: Blend;
  forecasts: readonly number[];
}

/**
 * Functions to be called one after the other: first one for each target day, which finds its blend, then one for each
 * station, which calls another with each case, or with nothing for one of a day on which no two providers can be blended.
 * @param stations in the order of their ids
 */
export function* blendedOrigins(
  stations: readonly StationHistories[],
  asked: OriginDays,
  dayBegins: DayBegins,
): Generator<(visit: (found: BlendedCase | undefined) => void) => void> {
  const { first, last, horizon, window, known_ms = Infinity } = asked;
  const providers = [...(stations[0]?.byProvider.keys() ?? [])];
  const lists = (): Float64Array[] => providers.map(() => new Float64Array(window));
  const learned = stations.map(lists);
  const blends: Blend[] = [];
  for (let day = first; day <= last; day += 1) {
    yield () => {
      const days = trainingDays(day, horizon, window);
      for (const [at, { byProvider }] of stations.entries()) {
        learnAll(byProvider, days, networkMoment(day, horizon), learned[at]!);
      }
      blends.push(blendOf(learned, providers));
    };
  }
  const own = lists();
  const station = tallyOfList([], 0, 0);
  for (const { station_id, byProvider } of stations) {
    if (asked.station_id !== undefined && station_id !== asked.station_id) continue;
    if (!areAll(byProvider)) continue;
    const [{ first: firstDay, reports }] = byProvider as [History, ...History[]];
    yield (visit) => {
      for (let day = first; day <= last; day += 1) {
        const blend = blends[day - first]!;
        const forecasts = byProvider.map((history) => history.forecasts[day - firstDay]!);
        const actual = reports.known(day, known_ms);
        if (forecasts.some(Number.isNaN) || actual === undefined) continue;
        if (blend.members.length < 2) {
          visit(undefined);
          continue;
        }
        const leads = blend.members.map((member) => byProvider[member]!.leads[day - firstDay]!);
        const issued_ms = dayBegins(station_id, day) - Math.min(...leads);
        learnAll(byProvider, trainingDays(day, horizon, window), issued_ms, own);
        const { network } = blend;
        const left = ownErrors(blend, own);
        const forecast = pointOf(
          blend,
          left,
          blend.members.map((member) => forecasts[member]!),
        );
        const phase = phaseOf(forecast);
        tallyOfList(left.errors, left.errors.length, phase, station);
        const networkTally = tallyOf(network, phase);
        const stationErrors = Int32Array.from(left.errors);
        visit({
          ...{ station_id, day, forecast, actual, forecasts, blend },
          ...{ stationErrors, station, network, networkTally },
        });
      }
    };
  }
}

const areAll = (histories: readonly (History | undefined)[]): histories is readonly History[] =>
  !histories.includes(undefined);

/** Writes the errors of some days as known at an instant, by provider. */
function learnAll(
  byProvider: readonly (History | undefined)[],
  { first, last }: { first: number; last: number },
  instant_ms: number,
  into: ErrorsByProvider,
): void {
  for (const [provider, history] of byProvider.entries()) {
    const errors = into[provider]!;
    errors.fill(NaN);
    if (history === undefined) continue;
    for (let day = Math.max(first, history.first); day <= last; day += 1) {
      const at = day - history.first;
      if (history.finalAt[at]! <= instant_ms) {
        errors[day - first] = history.finalErrors[at]!;
        continue;
      }
      const actual = history.reports.known(day, instant_ms);
      if (actual !== undefined) errors[day - first] = history.forecasts[at]! - actual;
    }
  }
}
