import {
  type Load,
  OTHER_PROVIDER,
  plusDays,
  startOfDay,
  STATIONS,
  type StationRow,
} from '../plain/oracle.js';
import { Random } from '../random.js';

// Worlds with months of pairs, where digits are hard: ties, hundredths of a °F, preliminary days, gaps, and names that hold SQL.

const HOUR = 3_600_000;
const NAMES = ["L'Aquila; --", '{{days}} -- if ci', 'zürich', 'Zug', 'ZUG', "Nome d'Oro"];
const LEADS = [82, 71.99, 50, 30.5, 24, 12.25, 8, 6, 3.1, 0, -5];

export const FIRST = '2026-01-07';
export const LAST = '2026-07-28';

/** The stations of a world: those of all worlds, some of them under hostile names. */
const stationsOf = (random: Random): StationRow[] =>
  STATIONS.slice(0, 7).map((station, at) => ({
    ...station,
    ...(at > 0 && { city_name: random.next() < 0.5 ? NAMES[at - 1]! : station.city_name, iata: '' }),
  }));

/** A world as two loads: the second one corrects the first, and brings more. */
export function recomputeWorld(seed: number): Load[] {
  const random = new Random(seed);
  const stations = stationsOf(random);
  const grain = random.of([100, 50, 1]); // whole degrees make ties
  const first: Load = { stations, forecasts: [], observations: [] };
  const second: Load = { stations: [], forecasts: [], observations: [] };
  const grained = (value: number): number => Math.round(value / grain) * grain;
  const [forecasts, observations] = [[...first.forecasts], [...first.observations]];
  const [moreForecasts, corrections] = [[...second.forecasts], [...second.observations]];
  for (const [at, station] of stations.entries()) {
    const drift = random.lasting(0.6);
    // One station begins late, one has gaps of months, one has no pairs at all.
    if (at === 6) continue;
    for (let date = at === 5 ? '2026-06-20' : FIRST; date <= LAST; date = plusDays(date, 1)) {
      if (at === 4 && date > '2026-02-10' && date < '2026-06-01') continue;
      const begins = startOfDay(date, station.timezone);
      const season = 2500 * Math.sin((Date.parse(date) / 86_400_000 / 365) * 2 * Math.PI);
      const high = grained(6000 - season + 800 * random.gaussian());
      const low = grained(high - 1500 + 300 * random.gaussian());
      const off = 150 * drift();
      for (const lead of LEADS) {
        if (random.next() < 0.35) continue;
        const error = (): number =>
          grained(off + 120 * Math.sqrt(1 + Math.abs(lead) / 24) * random.gaussian());
        const row = {
          station_id: station.station_id,
          issued_at: begins - lead * HOUR - random.below(3) * 1000,
          target_date: date,
          high: high + error(),
          low: random.next() < 0.1 ? undefined : low + error(),
          ...(random.next() < 0.3 && { provider: OTHER_PROVIDER }),
        };
        (random.next() < 0.03 ? moreForecasts : forecasts).push(row);
      }
      if (random.next() < 0.04) continue;
      const reported = { station_id: station.station_id, date, observed_at: begins + 30 * HOUR };
      const status =
        random.next() < 0.15 || date > '2026-07-20' ? ('preliminary' as const) : ('verified' as const);
      observations.push({ ...reported, high, low, status });
      if (random.next() < 0.05)
        corrections.push({
          ...reported,
          high: high + grained(250),
          low,
          status: 'verified',
          observed_at: begins + 60 * HOUR,
        });
    }
  }
  return [
    { ...first, forecasts, observations },
    { ...second, forecasts: moreForecasts, observations: corrections },
  ];
}
