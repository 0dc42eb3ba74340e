import { dayNumber } from '../../statistics/time/calendar.js';
import { ALL_BUCKETS, SAME_DAY } from '../../statistics/time/lead-time.js';
import { SCALES } from '../../statistics/units.js';
import type { Sources } from '../../api/endpoint.js';
import { inSlices } from '../../slices.js';
import type { RowsQuestion } from '../../relations/conditions.js';
import { historiesOf } from '../learning/history.js';
import { type Learner, readOrigins, windowOf, withinReach } from '../learning/learn.js';
import { type Case, origins } from '../learning/origins.js';
import { atMost, floorOf } from '../learning/tally.js';
import { leadRange, MIN_NETWORK_DAYS, PROBABILITY_KAPPA } from '../learning/training.js';
import type { CasesWithDistributions } from './cases.js';
import { lossOf } from './scores.js';

// The odds of /probability for the same forecasts, from the errors known when each was issued.

type OddsQuestion = Omit<Learner, 'station' | 'training'> & {
  window: RowsQuestion['window'] & { days_analyzed: number };
  station?: readonly { station_id: string }[] | undefined;
};

/** The training of /probability by default. */
const USUAL_TRAINING = { window: undefined, verified_only: undefined };

/** Where a case is: its row, and its place in that. */
interface Place {
  row: CasesWithDistributions;
  at: number;
}

/**
 * The losses of the odds, by row and place of a case, 0.0001 °F; undefined for a forecast of the day itself, and where there
 * was too little to learn from.
 * @param rows with the station and the lead time of each case
 */
export async function lossesOfOdds(
  question: OddsQuestion,
  rows: readonly CasesWithDistributions[],
  { query }: Pick<Sources, 'query'>,
): Promise<ReadonlyMap<CasesWithDistributions, readonly (number | undefined)[]>> {
  const { window, station, knownAt } = question;
  withinReach(window);
  const days = { first: dayNumber(window.period_start), last: dayNumber(window.period_end) };
  const losses = new Map(
    rows.map((row) => [row, new Array<number | undefined>(row.days.length).fill(undefined)]),
  );
  for (const [slot, bucket] of ALL_BUCKETS.entries()) {
    if (bucket === SAME_DAY) continue;
    for (const name of question.provider.names ?? [question.provider.name]) {
      const places = placesOf(
        rows.filter(({ provider }) => provider === name),
        slot + 1,
      );
      if (places.size === 0) continue;
      const range = leadRange(bucket);
      const usual = { ...question, provider: { name }, station: undefined, training: USUAL_TRAINING };
      const training = { ...USUAL_TRAINING, window: await windowOf(usual, range, days.last, { query }) };
      const { histories, dayBegins } = await readOrigins({ ...usual, training }, range, days, { query });
      const asked = {
        ...{ ...range, ...days, window: training.window, scale: SCALES.fahrenheit, known_ms: knownAt },
        station_id: station?.length === 1 ? station[0]?.station_id : undefined,
      };
      await inSlices(origins(historiesOf(histories, 0), asked, dayBegins), (each) =>
        each((found) => {
          const place = places.get(found.station_id)?.get(found.day - days.first);
          if (place && found.networkTally.days >= MIN_NETWORK_DAYS)
            losses.get(place.row)![place.at] = lossOfMixture(found, place.row.levels);
        }),
      );
    }
  }
  return losses;
}

/** The cases of a lead time by station and day. */
function placesOf(rows: readonly CasesWithDistributions[], slot: number): Map<string, Map<number, Place>> {
  const places = new Map<string, Map<number, Place>>();
  for (const row of rows) {
    for (const [at, day] of row.days.entries()) {
      if (row.slots[at] !== slot) continue;
      const station_id = row.station_ids[at]!;
      let ofStation = places.get(station_id);
      if (ofStation === undefined) places.set(station_id, (ofStation = new Map<number, Place>()));
      ofStation.set(day, { row, at });
    }
  }
  return places;
}

/** The sum of the losses of the mixture: its quantile is the first whole degree with so much probability at or below it. */
function lossOfMixture(
  {
    forecast,
    actual,
    station,
    networkTally: network,
  }: Pick<Case, 'forecast' | 'actual' | 'station' | 'networkTally'>,
  levels: readonly number[],
): number {
  const { size, zero } = SCALES.fahrenheit;
  const lowest = station.days === 0 ? network.lowest : Math.min(station.lowest, network.lowest);
  const highest = station.days === 0 ? network.highest : Math.max(station.highest, network.highest);
  const floor = floorOf(forecast, SCALES.fahrenheit);
  let degree = lowest;
  let loss = 0;
  for (const level of levels) {
    const needed = (level / 100) * (station.days + PROBABILITY_KAPPA) - 1e-9; // thirds add up to a little less
    while (
      degree < highest &&
      atMost(station, degree) + (PROBABILITY_KAPPA * atMost(network, degree)) / network.days < needed
    )
      degree += 1;
    loss += lossOf((floor + degree) * size + zero - actual, level);
  }
  return loss;
}
