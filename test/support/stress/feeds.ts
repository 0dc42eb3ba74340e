import type { FeedLines } from '../ingest/feeds.js';
import { hourLine } from '../plain/hours.js';
import { hourlyForecastLine } from '../plain/station-hours.js';
import type { Random } from '../random.js';

// Feeds for the stress suite. No forecast is late and no value is blank, so that the pairs can be counted by hand:
// stations x days x issuances, for each metric.

const ZONES = ['UTC', 'America/Chicago', 'Asia/Kolkata', 'Europe/London', 'Pacific/Auckland'];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_DAY_MS = Date.UTC(2026, 0, 1);

/** The stations and days that feeds cover; days count from 1 January 2026. */
export interface Cover {
  stations: [from: number, to: number];
  days: [from: number, to: number];
  /** Forecasts of each station day. */
  issuances: number;
  status: 'preliminary' | 'verified';
  /** Whether stations have reports of each hour too, and forecasts of them, issued at the start of each day. */
  hours?: boolean;
}

const stationId = (station: number): string => `T${`${station}`.padStart(4, '0')}`;

export const dateOf = (day: number): string =>
  new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);

/** Feeds with random temperatures: other ones, for the same cover, correct them all but a few. */
export function feedsOf(
  { stations, days, issuances, status, hours = false }: Cover,
  random: Random,
): Required<Omit<FeedLines, 'columns' | 'unit' | 'normals' | 'members'>> {
  const lines = {
    ...{ stations: [] as string[], forecasts: [] as string[], observations: [] as string[] },
    ...{ hours: [] as string[], hourly_forecasts: [] as string[] },
  };
  for (let station = stations[0]; station < stations[1]; station += 1) {
    const id = stationId(station);
    const zone = ZONES[station % ZONES.length];
    lines.stations.push(`${id},Town ${station},US,${station % 90},-${station % 180}.5,${zone},Dfa,true,,`);
    for (let day = days[0]; day < days[1]; day += 1) {
      const startMs = FIRST_DAY_MS + day * DAY_MS;
      const date = dateOf(day);
      for (let issuance = 0; issuance < issuances; issuance += 1) {
        // The day begins first in Auckland, 13 hours before it does in UTC: there the last lead time is 0 h.
        const issued = new Date(startMs - (13 + 2 * issuance) * HOUR_MS).toISOString();
        lines.forecasts.push(`${id},${issued.slice(0, 19)}Z,${date},${temperatures(random)}`);
      }
      const observed = new Date(startMs + (status === 'verified' ? 60 : 36) * HOUR_MS).toISOString();
      lines.observations.push(`${id},${date},${temperatures(random)},${status},${observed.slice(0, 19)}Z`);
      for (let hour = 0; hours && hour < 24; hour += 1) {
        const [temp, issued_at] = [5000 + random.below(2000), startMs];
        const at = startMs + hour * HOUR_MS;
        lines.hours.push(hourLine({ station_id: id, at, temp: 5000 + random.below(2000), status }));
        lines.hourly_forecasts.push(hourlyForecastLine({ station_id: id, issued_at, valid_at: at, temp }));
      }
    }
  }
  return lines;
}

/** Pairs of one metric when feeds of these covers, of as many issuances each, have gone in. */
export function pairsOf(...covers: Cover[]): number {
  const stationDays = new Set<string>();
  for (const { stations, days } of covers) {
    for (let station = stations[0]; station < stations[1]; station += 1) {
      for (let day = days[0]; day < days[1]; day += 1) stationDays.add(`${station} ${day}`);
    }
  }
  return stationDays.size * (covers[0]?.issuances ?? 0);
}

function temperatures(random: Random): string {
  const high = 4000 + random.below(4000);
  const low = high - 500 - random.below(2000);
  return `${high / 100},${low / 100}`;
}
