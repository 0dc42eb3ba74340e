import type { DayBegins } from '../../api/day-begins.js';
import { type Blend, chooseBlend, ownErrors, makePoint, StationErrors } from './weights.js';
import { errorKnown, type History, type StationHistories } from '../training/history.js';
import type { OriginDays } from '../training/forecast-origins.js';
import { listOrigins } from '../training/rolling-origins.js';
import type { ScoredCase } from '../training/score-case.js';
import { computeFraction, degreeCountsByFraction, degreeCountsOfList } from '../training/degree-counts.js';
import { networkMoment, trainingDays } from '../training/training.js';

// Rolling origin of several providers as one: every past day that all have a forecast of, beside what could be learned
// for it when the last of these was issued.

/** A past day with a blended forecast, and that of each provider, hundredths of a °F. */
export interface BlendedCase extends ScoredCase {
  station_id: string;
  blend: Blend;
  forecasts: readonly number[];
}

/**
 * Visits each case, by station; with nothing for one of a day on which no two providers can be blended.
 * @param stations in the order of their ids
 */
export function eachBlendedOrigin(
  stations: readonly StationHistories[],
  requested: OriginDays,
  dayBegins: DayBegins,
  visit: (found: BlendedCase | undefined) => void,
): void {
  const { first, last, horizon, window, scale } = requested;
  const providers = [...(stations[0]?.byProvider.keys() ?? [])];
  const trainers = stations.map(({ byProvider }) => new StationTrainer(byProvider, window));
  const blends: Blend[] = [];
  for (let day = first; day <= last; day += 1) {
    const [days, moment] = [trainingDays(day, horizon, window), networkMoment(day, horizon)];
    const known = trainers.map((trainer) => trainer.train(days, moment));
    blends.push(chooseBlend(known, providers));
  }
  const countsByFraction = blends.map(({ network }) => degreeCountsByFraction(network, scale));
  const errors = new Int32Array(window);
  const whole = stations.flatMap(({ station_id, byProvider }) => {
    const histories = byProvider.filter((history) => history !== undefined);
    return histories.length < byProvider.length ? [] : [{ station_id, byProvider, histories }];
  });
  const getForecasts = (histories: readonly History[], day: number): number[] =>
    histories.map((history) => history.forecasts[day - history.first]!);
  const origins = listOrigins(whole, requested, 'by station', {
    getMoment: ({ station_id, histories }, day) => {
      if (getForecasts(histories, day).some((forecast) => Number.isNaN(forecast))) return undefined;
      const { members } = blends[day - first]!;
      const leads = members.map((member) => histories[member]!.leads[day - histories[member]!.first]!);
      return dayBegins(station_id, day) - Math.min(...leads);
    },
    getReports: ({ histories }) => histories[0]!.reports,
  });
  let trained: { station_id: string; trainer: StationTrainer } | undefined;
  for (const { station, day, actual, moment_ms } of origins) {
    const { station_id, byProvider, histories } = station;
    if (trained?.station_id !== station_id)
      trained = { station_id, trainer: new StationTrainer(byProvider, window) };
    const blend = blends[day - first]!;
    if (blend.members.length < 2) {
      visit(undefined);
      continue;
    }
    const forecasts = getForecasts(histories, day);
    const own = ownErrors(
      blend,
      trained.trainer.train(trainingDays(day, horizon, window), moment_ms),
      errors,
    );
    const forecast = makePoint(
      blend,
      own,
      blend.members.map((member) => forecasts[member]!),
    );
    const phase = computeFraction(forecast, scale);
    const counts = degreeCountsOfList(own.errors, own.errors.length, phase, scale);
    const networkCounts = countsByFraction[day - first]!(phase);
    visit({ station_id, day, forecast, actual, station: counts, networkCounts, blend, forecasts });
  }
}

/** Trains on the errors of a station by provider for one target day after the other: most stay from one to the next. */
export class StationTrainer {
  readonly #errors: StationErrors;
  #first = 0;
  /** Errors of the days before this one stay as they are. */
  #open = 0;
  #instant_ms = NaN;

  constructor(
    private readonly byProvider: StationHistories['byProvider'],
    window: number,
  ) {
    this.#errors = new StationErrors(byProvider.map(() => new Float64Array(window).fill(NaN)));
  }

  /** The errors of some days as known at an instant; the next call changes them. */
  train({ first, last }: { first: number; last: number }, instant_ms: number): StationErrors {
    // Before the instant of the last call, days may have had another value.
    const from = instant_ms >= this.#instant_ms ? Math.max(first, this.#open) : first;
    const { lists } = this.#errors;
    this.#errors.roll(Math.min(first - this.#first, last - first + 1), from - first, () => {
      for (const [provider, history] of this.byProvider.entries()) {
        for (let day = from; history !== undefined && day <= last; day += 1) {
          lists[provider]![day - first] = errorKnown(history, day, instant_ms);
        }
      }
    });
    const isReconciled = (day: number): boolean =>
      !this.byProvider.some((history) => history && history.finalAt[day - history.first]! > instant_ms);
    let open = from;
    while (open <= last && isReconciled(open)) open += 1;
    [this.#first, this.#open, this.#instant_ms] = [first, open, instant_ms];
    return this.#errors;
  }
}
