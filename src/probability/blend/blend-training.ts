import type { Sources } from '../../api/endpoint.js';
import { type Blend, chooseBlend, type OwnErrors, ownErrors, StationErrors } from './weights.js';
import { StationTrainer } from './blended-origins.js';
import type { StationHistories } from '../training/history.js';
import { type LeadRange, networkMoment, trainingDays } from '../training/training.js';
import { formatDate } from '../../statistics/time/calendar.js';
import { type TrainingSample, type TrainingQuery, summarizeLeads, readArchive } from '../training/archive.js';

/**
 * How providers become one for a target day, from what could be known before any station issues such a forecast;
 * and what it is trained on for a forecast that was issued at a moment.
 * @param names those that have a forecast
 */
export async function trainBlend(
  requested: TrainingQuery & { station: { station_id: string } },
  names: readonly string[],
  range: LeadRange,
  target_day: number,
  sources: Pick<Sources, 'query'>,
): Promise<{ blend: Blend; trained: (issued_ms: number) => TrainingSample & { own: OwnErrors } }> {
  const target = { first: target_day, last: target_day };
  const { histories, window } = await readArchive(
    { ...requested, provider: { name: '', names } },
    range,
    target,
    sources,
  );
  const days = trainingDays(target_day, range.horizon, window);
  const known = (stations: readonly StationHistories[], moment_ms: number) =>
    stations.map(({ byProvider }) => new StationTrainer(byProvider, window).train(days, moment_ms));
  const network = known(names.length < 2 ? [] : histories, networkMoment(target_day, range.horizon));
  const blend = chooseBlend(network, [...names.keys()]);
  /** The leads of the members on the days that all of them have. */
  const leads = (stations: readonly StationHistories[], errors: readonly StationErrors[]): number[][] =>
    errors.flatMap((each, at) =>
      Array.from({ length: each.length }, (_, day) => day)
        .filter((day) => each.has(blend.members, day))
        .map((day) =>
          blend.members.map((member) => {
            const history = stations[at]!.byProvider[member]!;
            return history.leads[days.first + day - history.first]!;
          }),
        ),
    );
  return {
    blend,
    trained(issued_ms) {
      const ofStation = histories.filter(({ station_id }) => station_id === requested.station.station_id);
      const errors = known(ofStation, issued_ms);
      const own = ownErrors(blend, errors[0] ?? new StationErrors(names.map(() => new Float64Array())));
      return {
        from: formatDate(days.first),
        to: formatDate(days.last),
        window,
        stationErrors: [...own.errors],
        network: blend.network,
        leads: summarizeLeads(leads(ofStation, errors), leads(histories, network)),
        own,
      };
    },
  };
}
