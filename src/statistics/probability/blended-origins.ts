import { type Blend, blendOf, type ErrorsByProvider, OwnErrorsFinder, pointOf } from './blend.js';
import type { History } from './history.js';
import { type Case, type DayBegins, type NetworkOfDay, networkOfDay, type OriginDays } from './origins.js';
import { phaseOf, tallyOfList } from './tally.js';
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
  const blends: { blend: Blend; network: NetworkOfDay }[] = [];
  for (let day = first; day <= last; day += 1) {
    yield () => {
      const days = trainingDays(day, horizon, window);
      for (const [at, { byProvider }] of stations.entries()) {
        learnAll(byProvider, days, networkMoment(day, horizon), learned[at]!);
      }
      const blend = blendOf(learned, providers);
      blends.push({ blend, network: networkOfDay(blend.network) });
    };
  }
  const own = lists();
  const finder = new OwnErrorsFinder(window);
  const station = tallyOfList([], 0, 0);
  for (const { station_id, byProvider } of stations) {
    if (asked.station_id !== undefined && station_id !== asked.station_id) continue;
    if (!areAll(byProvider)) continue;
    const [{ first: firstDay, reports }] = byProvider as [History, ...History[]];
    yield (visit) => {
      for (let day = first; day <= last; day += 1) {
        const { blend, network } = blends[day - first]!;
        const at = day - firstDay;
        const actual = reports.known(day, known_ms);
        const forecasts = byProvider.map((history) => history.forecasts[at]!);
        if (actual === undefined || forecasts.some(Number.isNaN)) continue;
        if (blend.members.length < 2) {
          visit(undefined);
          continue;
        }
        let lead = Infinity;
        for (const member of blend.members) lead = Math.min(lead, byProvider[member]!.leads[at]!);
        const issued_ms = dayBegins(station_id, day) - lead;
        learnAll(byProvider, trainingDays(day, horizon, window), issued_ms, own);
        const left = finder.find(blend, own);
        const ofMembers = blend.members.map((member) => forecasts[member]!);
        const forecast = pointOf(blend, left, ofMembers);
        const phase = phaseOf(forecast);
        tallyOfList(left.errors, left.count, phase, station);
        const stationErrors = left.errors;
        const { errors } = network;
        const networkTally = network.tally(phase);
        visit({
          station_id,
          day,
          forecast,
          actual,
          stationErrors,
          station,
          network: errors,
          networkTally,
          forecasts,
          blend,
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
    const { first: firstDay, finalAt, finalErrors, forecasts, reports } = history;
    for (let day = Math.max(first, firstDay); day <= last; day += 1) {
      const at = day - firstDay;
      if (finalAt[at]! <= instant_ms) {
        errors[day - first] = finalErrors[at]!;
        continue;
      }
      const actual = Number.isNaN(forecasts[at]) ? undefined : reports.known(day, instant_ms);
      if (actual !== undefined) errors[day - first] = forecasts[at]! - actual;
    }
  }
}
