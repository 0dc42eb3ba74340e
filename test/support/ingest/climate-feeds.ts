import { LoadTally } from '../../../src/ingest/load-tally.js';
import type { ValueFeed } from '../../../src/feeds/feeds.js';
import type { StationFact } from '../../../src/feeds/stations.js';
import type { RowContext } from '../../../src/ingest/read/feed-rows.js';
import { LoadClock } from '../../../src/ingest/read/load-clock.js';
import { Rejection } from '../../../src/feeds/values.js';
import { UnitCheck } from '../../../src/ingest/stage/unit-check.js';
import { DAY_MS, formatDate } from '../../../src/statistics/time/calendar.js';
import type { Random } from '../random.js';
import { CHICAGO_STATION, GOOD_ROWS, readCells } from './rows.js';

// Feeds of all climates, right ones and wrong ones, as texts; and what a load says of them, without an engine.

/** A place: latitude, mean temperature of the year and half its swing (°C), daily range, share of wet days, mean amount of one (mm). */
interface Climate {
  latitude: number;
  mean: number;
  swing: number;
  range: number;
  wet: number;
  amount: number;
}

const place = (
  latitude: number,
  mean: number,
  swing: number,
  range: number,
  wet: number,
  amount: number,
): Climate => ({ latitude, mean, swing, range, wet, amount });

export const CLIMATES = {
  Singapore: place(1.4, 27.5, 0.6, 6, 0.5, 13),
  Quito: place(-0.2, 15, 0.5, 9, 0.5, 7),
  Nairobi: place(-1.3, 19, 1.6, 11, 0.25, 9),
  'La Paz': place(-16.5, 8, 2.5, 13, 0.3, 5),
  Arica: place(-18.3, 19, 3.5, 6, 0.001, 0.6),
  Honolulu: place(21.3, 25, 2.2, 7, 0.3, 4),
  Riyadh: place(24.7, 26, 11, 14, 0.04, 4),
  Cherrapunji: place(25.3, 17.5, 5, 7, 0.6, 70),
  Miami: place(25.8, 25, 4.5, 8, 0.4, 11),
  Delhi: place(28.6, 25, 9, 12, 0.15, 12),
  Lhasa: place(29.7, 8, 9, 14, 0.25, 5),
  Phoenix: place(33.4, 24, 11, 15, 0.08, 5),
  'Fuji summit': place(35.4, -6, 12, 5, 0.4, 12),
  'Death Valley': place(36.5, 25, 13, 15, 0.04, 4),
  Sydney: place(-33.9, 18, 5.5, 8, 0.35, 9),
  Chicago: place(41.9, 10, 14, 10, 0.33, 8),
  Jungfraujoch: place(46.5, -6.6, 7, 5, 0.5, 8),
  London: place(51.5, 11, 7, 8, 0.4, 4),
  Ushuaia: place(-54.8, 6, 4, 8, 0.45, 4),
  Bergen: place(60.3, 8, 7, 5, 0.6, 11),
  Yakutsk: place(62, -8.5, 29, 10, 0.35, 2),
  Reykjavik: place(64.1, 5, 6, 5, 0.55, 5),
  Longyearbyen: place(78.2, -4, 9, 5, 0.4, 1.6),
  McMurdo: place(-77.8, -17, 12, 6, 0.25, 1.2),
  Vostok: place(-78.5, -55, 15, 8, 0.1, 0.3),
  'Cape Denison': place(-67, -13, 8, 5, 0.3, 1),
  Kerguelen: place(-49.4, 4.8, 2.8, 5, 0.65, 3.5),
  'Chiang Mai': place(18.8, 26, 3.5, 11, 0.3, 9),
} as const satisfies Record<string, Climate>;
export type ClimateName = keyof typeof CLIMATES;

/** A day of the weather at a place, °C and mm. */
export interface WeatherDay {
  date: string;
  high: number;
  low: number;
  /** The chance of rain, 0 to 1, and what came. */
  chance: number;
  amount: number;
}

/** A day above 15 inches is told of, unless its place is known to be so wet. */
const MOST_MM = 380;

/** Some days of a place, each after the other. */
export function weatherOf(random: Random, name: ClimateName, first: string, days: number): WeatherDay[] {
  const { latitude, mean, swing, range, wet, amount }: Climate = CLIMATES[name];
  const anomaly = random.lasting(0.7);
  const begin = Date.parse(first);
  return Array.from({ length: days }, (_, at) => {
    const ms = begin + at * DAY_MS;
    const dayOfYear = (ms - Date.parse(`${new Date(ms).getUTCFullYear()}`)) / DAY_MS;
    const season = Math.cos((2 * Math.PI * (dayOfYear - 200)) / 365) * (latitude < 0 ? -1 : 1);
    const monsoon = name === 'Cherrapunji' || name === 'Delhi' ? Math.max(0, season) * 1.6 : 1;
    const middle = mean + swing * season + anomaly() * (1 + Math.abs(latitude) / 20);
    const half = (range / 2) * (0.7 + 0.6 * random.next());
    const chance = Math.min(0.98, Math.max(0, wet * monsoon * 2.2 * random.next() ** 1.2));
    const isWet = random.next() < chance;
    // Most wet days have little, and few have much.
    const size = amount * monsoon * (-Math.log(1 - random.next())) ** 1.5 * 0.75;
    return {
      date: formatDate(ms / DAY_MS),
      high: middle + half,
      low: middle - half,
      chance,
      amount: isWet ? Math.min(size, MOST_MM) : 0,
    };
  });
}

export const inFahrenheit = (celsius: number): number => celsius * 1.8 + 32;

/** A feed as texts: the columns of its file, and its rows. */
export interface TextFeed {
  feed: ValueFeed;
  climate: ClimateName;
  rows: Record<string, string>[];
}

/** The reasons for which a load rejects rows of the feeds, or warns of them, by the check of units. */
export function reasonsOf(feeds: readonly TextFeed[], told: ReadonlySet<number> = new Set()): string[] {
  const tally = new LoadTally(undefined);
  const units = new UnitCheck();
  const rejected: string[] = [];
  for (const { feed, climate, rows } of feeds) {
    const station: StationFact = {
      ...CHICAGO_STATION,
      station_id: climate.toUpperCase().replace(/[^A-Z]/g, ''),
      latitude: CLIMATES[climate].latitude,
      timezone: 'UTC',
    };
    const context: RowContext = {
      station: () => station,
      clock: new LoadClock(new Date('2027-01-01T00:00:00Z')),
      warn: () => {},
    };
    const names = Object.keys(rows[0] ?? {});
    const file = tally.beginFile(feed, feed, 0);
    const table = units.getTable(feed, names);
    const blank = Object.fromEntries(Object.keys(GOOD_ROWS[feed]).map((name) => [name, '']));
    for (const [at, texts] of rows.entries()) {
      file.lines = at + 2;
      try {
        const cells = readCells(feed, { ...blank, station_id: station.station_id, ...texts }, context);
        units.add(table, file.base + at + 2, texts, cells, context.station);
      } catch (error) {
        if (!(error instanceof Rejection)) throw error;
        rejected.push(error.reason);
      }
    }
  }
  units.warn(tally, told);
  return [...new Set(rejected), ...tally.warnings.map(({ reason }) => reason)];
}

/** A row of a day in each feed, with values under the names of a file. */
export const ROW_OF: Record<ValueFeed, (date: string) => Record<string, string>> = {
  forecasts: (date) => ({ issued_at: `${date}T00:00:00Z`, target_date: date, provider: 'made-up' }),
  observations: (date) => ({ date, status: 'preliminary', observed_at: `${date}T23:00:00Z` }),
  normals: (date) => ({ month_day: date.slice(5) }),
  hours: (date) => ({ at: `${date}T12:00:00Z` }),
  hourly_forecasts: (date) => ({
    issued_at: `${date}T00:00:00Z`,
    valid_at: `${date}T12:00:00Z`,
    provider: 'made-up',
  }),
};
