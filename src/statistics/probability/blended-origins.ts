import { type Blend, blendOf, type ErrorsByProvider, ownErrors, pointOf } from './blend.js';
import { errorKnown, type History } from './history.js';
import type { DayBegins, OriginDays } from './origins.js';
import type { ScoredCase } from './scores.js';
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
export interface BlendedCase extends ScoredCase {
  station_id: string;
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
  { first, last, horizon, window, station_id: only, known_ms = Infinity }: OriginDays,
  dayBegins: DayBegins,
): Generator<(visit: (found: BlendedCase | undefined) => void) => void> {
  const providers = [...(stations[0]?.byProvider.keys() ?? [])];
  const lists = (): Float64Array[] => providers.map(() => new Float64Array(window));
  const learned = stations.map(lists);
  const blends: Blend[] = [];
  for (let day = first; day <= last; day += 1) {
    yield () => {
      const days = trainingDays(day, horizon, window);
      for (const [at, { byProvider }] of stations.entries()) {
        learn(byProvider, days, networkMoment(day, horizon), learned[at]!);
      }
      blends.push(blendOf(learned, providers));
    };
  }
  const own = lists();
  const station = tallyOfList([], 0, 0);
  for (const { station_id, byProvider } of stations) {
    const histories = byProvider.filter((history) => history !== undefined);
    if ((only ?? station_id) !== station_id || histories.length < byProvider.length) continue;
    yield (visit) => {
      for (let day = first; day <= last; day += 1) {
        const blend = blends[day - first]!;
        const ofDay = histories.map(({ forecasts, leads, first: begin }) => ({
          forecast: forecasts[day - begin]!,
          lead: leads[day - begin]!,
        }));
        const actual = histories[0]!.reports.known(day, known_ms);
        if (actual === undefined || ofDay.some(({ forecast }) => Number.isNaN(forecast))) continue;
        if (blend.members.length < 2) {
          visit(undefined);
          continue;
        }
        const members = blend.members.map((member) => ofDay[member]!);
        const issued_ms = dayBegins(station_id, day) - Math.min(...members.map(({ lead }) => lead));
        learn(byProvider, trainingDays(day, horizon, window), issued_ms, own);
        const left = ownErrors(blend, own);
        const forecast = pointOf(
          blend,
          left,
          members.map((each) => each.forecast),
        );
        tallyOfList(left.errors, left.errors.length, phaseOf(forecast), station);
        const networkTally = tallyOf(blend.network, phaseOf(forecast));
        const forecasts = ofDay.map((each) => each.forecast);
        visit({ station_id, day, forecast, actual, station, networkTally, blend, forecasts });
      }
    };
  }
}

/** Writes the errors of some days as known at an instant, by provider. */
function learn(
  byProvider: StationHistories['byProvider'],
  { first, last }: { first: number; last: number },
  instant_ms: number,
  into: ErrorsByProvider,
): void {
  for (const [provider, history] of byProvider.entries()) {
    const errors = into[provider]!;
    errors.fill(NaN);
    if (history === undefined) continue;
    for (let day = Math.max(first, history.first); day <= last; day += 1) {
      errors[day - first] = errorKnown(history, day, instant_ms);
    }
  }
}
