import type { RowOf } from '../../sql.js';
import { listed } from '../learning/training-cases.js';
import type { Sources } from '../../api/endpoint.js';
import { type Blend, blendOf, type OwnErrors, ownErrors, StationErrors } from './weights.js';
import { standing } from '../learning/history.js';
import { type LeadRange, networkMoment, trainingDays } from '../learning/training.js';
import { dateOf } from '../../statistics/time/calendar.js';
import {
  inParts,
  type Learned,
  type Learner,
  type Leads,
  leadsOf,
  learnsFrom,
  type TrainingSpan,
  windowOf,
} from '../learning/learn.js';

// How a blend reads what it learns from: the same errors as those of one provider, by station and day.

/**
 * How providers become one for a target day, from what could be known before any station issues such a forecast;
 * and what is learned from it for a forecast that was issued at a moment.
 * @param providers those that have a forecast, as places among the names
 */
export async function learnBlend(
  asked: Learner & { station: { station_id: string } },
  names: readonly string[],
  providers: readonly number[],
  range: LeadRange,
  target_day: number,
  { query }: Pick<Sources, 'query'>,
): Promise<{ blend: Blend; learned: (issued_ms: number) => Promise<Learned & { own: OwnErrors }> }> {
  const { horizon } = range;
  const provider = { name: '', names: providers.map((each) => names[each]!) };
  const window = await windowOf({ ...asked, provider }, range, target_day, { query });
  const days = trainingDays(target_day, horizon, window);
  const read = async (station: Learner['station'], moment_ms: number): Promise<StationTraining[]> => {
    // No date is before 1970.
    if (days.last < 0) return [];
    const question = { ...learnsFrom(asked, range, days, moment_ms), station };
    const rows = await inParts(question, query, (errors) => query(listed(errors)));
    return byStation(rows, names, days);
  };
  const network = providers.length < 2 ? [] : await read(undefined, networkMoment(target_day, horizon));
  const blend = blendOf(
    network.map(({ errors }) => new StationErrors(errors)),
    providers,
  );
  return {
    blend,
    async learned(issued_ms) {
      const [station] = await read(asked.station, issued_ms);
      const own = ownErrors(blend, new StationErrors(station?.errors ?? names.map(() => new Float64Array())));
      return {
        from: dateOf(days.first),
        to: dateOf(days.last),
        window,
        stationErrors: [...own.errors],
        network: blend.network,
        leads: leadsOf(
          leadsOfCommon(station === undefined ? [] : [station], blend),
          leadsOfCommon(network, blend),
        ),
        own,
      };
    },
  };
}

/** The errors of a station, and the lead times of the forecasts that have them, by provider and training day. */
interface StationTraining {
  errors: Float64Array[];
  leads: Float64Array[];
}

/** By station, in the order of their ids. */
function byStation(
  rows: readonly RowOf<typeof listed>[],
  names: readonly string[],
  { first, last }: TrainingSpan,
): StationTraining[] {
  const lists = (): Float64Array[] => names.map(() => new Float64Array(last - first + 1).fill(NaN));
  const stations = new Map<string, StationTraining>();
  for (const row of rows) {
    const { station_id } = row;
    let station = stations.get(station_id);
    if (station === undefined) stations.set(station_id, (station = { errors: lists(), leads: lists() }));
    const provider = names.indexOf(row.provider);
    for (const at of standing(row, row.errors, row.leads)) {
      const day = (row.days[at] as number) - first;
      station.errors[provider]![day] = row.errors[at] as number;
      station.leads[provider]![day] = row.leads[at] as number;
    }
  }
  return [...stations].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** The lead times of the days that all members of a blend have; a day has the mean of its forecasts. */
function leadsOfCommon(stations: readonly StationTraining[], { members }: Blend): Leads[] {
  const found = { station_days: 0, lead_ms_sum: 0, shortest_ms: Infinity, longest_ms: -Infinity };
  for (const { leads } of stations) {
    const lists = members.map((member) => leads[member]!);
    for (let day = 0; day < lists[0]!.length; day += 1) {
      let [total, shortest, longest] = [0, Infinity, -Infinity];
      for (const list of lists) {
        const lead = list[day]!;
        total += lead;
        if (lead < shortest) shortest = lead;
        if (lead > longest) longest = lead;
      }
      if (Number.isNaN(total)) continue;
      found.station_days += 1;
      found.lead_ms_sum += total / lists.length;
      if (shortest < found.shortest_ms) found.shortest_ms = shortest;
      if (longest > found.longest_ms) found.longest_ms = longest;
    }
  }
  return found.station_days === 0 ? [] : [found];
}
