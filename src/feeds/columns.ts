import { z } from 'zod';
import { nearest } from '../lib/nearest.js';
import { LEVELS } from '../statistics/quantiles.js';
import { REPORTED_IN } from '../variables/units.js';
import { FEED_COLUMNS_OF, type Metric, METRICS, WET_DAY } from '../variables/variables.js';

// The feeds and their columns, and a station as the store keeps it.

/** The feeds of highs and lows at a station. */
const DAILY_FEEDS = ['forecasts', 'observations', 'normals'] as const;

/** The feeds of temperatures within the day. */
export const HOURLY_FEEDS = ['hours', 'hourly_forecasts'] as const;
export type HourlyFeed = (typeof HOURLY_FEEDS)[number];

/** The feeds of values at a station. */
export const VALUE_FEEDS = [...DAILY_FEEDS, ...HOURLY_FEEDS] as const;
export type ValueFeed = (typeof VALUE_FEEDS)[number];

export const FEED_NAMES = ['stations', ...VALUE_FEEDS] as const;
export type FeedName = (typeof FEED_NAMES)[number];

/** The files that a load may be given: those of each feed, and of members, which become forecasts. */
export const FILE_KINDS = [...FEED_NAMES, 'members'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** The columns of the daily values. */
export const DAILY_COLUMNS = METRICS.map((name) => FEED_COLUMNS_OF[name].column) as ['high_f', 'low_f'];
export type DailyColumn = (typeof DAILY_COLUMNS)[number];

/** The columns that the header of a feed must name. */
export const FEED_COLUMNS = {
  stations: ['station_id', 'city_name', 'country', 'latitude', 'longitude', 'timezone'],
  forecasts: ['station_id', 'issued_at', 'target_date', ...DAILY_COLUMNS],
  observations: ['station_id', 'date', ...DAILY_COLUMNS, 'status', 'observed_at'],
  normals: ['station_id', 'month_day', ...DAILY_COLUMNS],
  hours: ['station_id', 'at', 'temp_f'],
  hourly_forecasts: ['station_id', 'issued_at', 'valid_at', 'temp_f'],
} as const satisfies Record<FeedName, readonly string[]>;

/** A level in the name of a column, %. */
type LevelName = '05' | `${Exclude<(typeof LEVELS)[number], 5>}`;

/** The column of a quantile, such as `high_p10_f`; °F. */
type QuantileColumn = `${Metric}_p${LevelName}_f`;

const quantileColumns = (metric: Metric): QuantileColumn[] =>
  LEVELS.map((level) => `${metric}_p${`${level}`.padStart(2, '0') as LevelName}_f` as const);

/** The columns of each temperature's distribution: the standard deviation, and the quantiles of LEVELS. */
export const DISTRIBUTION_COLUMNS = {
  high_f: { sd: 'high_sd_f', quantiles: quantileColumns('high') },
  low_f: { sd: 'low_sd_f', quantiles: quantileColumns('low') },
} as const;

export const QUANTILE_COLUMNS: readonly QuantileColumn[] = Object.values(DISTRIBUTION_COLUMNS).flatMap(
  ({ quantiles }) => quantiles,
);

/** Columns of the daily feeds that a file may have in another unit: amounts in mm, chances as probabilities of 0 to 1. */
export const OTHER_UNITS = { precip_in: 'precip_mm', precip_chance: 'precip_probability' } as const;
export type OtherUnitColumn = (typeof OTHER_UNITS)[keyof typeof OTHER_UNITS];

/** The column of amounts, or of chances, of each daily feed. */
const RAIN_COLUMNS: Partial<Record<FeedName, keyof typeof OTHER_UNITS>> = {
  forecasts: WET_DAY.chance,
  observations: WET_DAY.amount,
};

/** The columns that a header may name as well (D27, D28, D42, D56, D63, D68). The cells of a missing one are blank. */
const OPTIONAL_COLUMNS = {
  stations: ['climate_zone', 'data_active', 'aliases', 'iata', 'day_boundary', 'withdrawn', 'reported_in'],
  forecasts: [
    'provider',
    'withdrawn',
    'high_sd_f',
    'low_sd_f',
    ...QUANTILE_COLUMNS,
    WET_DAY.chance,
    'member',
  ],
  observations: ['withdrawn', WET_DAY.amount],
  normals: ['withdrawn'],
  hours: ['max_6h_f', 'min_6h_f', 'precip_in', 'sky', 'withdrawn', 'status'],
  hourly_forecasts: ['provider', 'withdrawn'],
} as const satisfies Record<FeedName, readonly string[]>;

type InCelsius<Column extends string> = Column extends `${infer Name}_f` ? `${Name}_c` : never;

/** The columns in degrees, and the names under which a file may have all of them in °C instead (D43). */
export const CELSIUS_COLUMNS = {
  high_f: 'high_c',
  low_f: 'low_c',
  high_sd_f: 'high_sd_c',
  low_sd_f: 'low_sd_c',
  temp_f: 'temp_c',
  max_6h_f: 'max_6h_c',
  min_6h_f: 'min_6h_c',
  ...(Object.fromEntries(QUANTILE_COLUMNS.map((name) => [name, name.replace(/f$/, 'c')])) as {
    [Column in QuantileColumn]: InCelsius<Column>;
  }),
} as const;

type ColumnOf<Name extends FeedName> =
  (typeof FEED_COLUMNS)[Name][number] | (typeof OPTIONAL_COLUMNS)[Name][number];

export type FeedColumn = ColumnOf<FeedName>;

const COLUMNS = Object.fromEntries(
  FEED_NAMES.map((feed) => [feed, [...FEED_COLUMNS[feed], ...OPTIONAL_COLUMNS[feed]]]),
) as unknown as Record<FeedName, readonly FeedColumn[]>;

/** All columns of a feed, in the order of `Header.positions`. */
export const getColumns = (feed: FeedName): readonly FeedColumn[] => COLUMNS[feed];

/** Cells in °C, of a file that has them. */
export type CelsiusCells = Partial<Record<(typeof CELSIUS_COLUMNS)[keyof typeof CELSIUS_COLUMNS], string>>;

/** One row of a feed: the text of each of its columns, trimmed; blank where the file has no such column. */
export type FeedRow<Name extends FeedName> = Record<ColumnOf<Name>, string> &
  CelsiusCells &
  Partial<Record<OtherUnitColumn, string>>;

/** The names of the columns of a feed in a file with these names, in the order of getColumns(). */
export function columnNames(feed: FeedName, names: readonly string[]): string[] {
  const inCelsius: Partial<Record<FeedColumn, string>> = CELSIUS_COLUMNS;
  const columns = getColumns(feed);
  const isCelsius = columns.some((column) => column in inCelsius && names.includes(inCelsius[column] ?? ''));
  const rain = RAIN_COLUMNS[feed];
  const rainName = rain && names.includes(OTHER_UNITS[rain]) ? OTHER_UNITS[rain] : rain;
  return columns.map((column) => {
    if (column === rain) return rainName ?? column;
    return (isCelsius ? inCelsius[column] : undefined) ?? column;
  });
}

/** A row of a station as the store keeps it, in the order of its columns. */
export const stationRow = z.object({
  station_id: z.string(),
  city_name: z.string(),
  country: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  timezone: z.string(),
  climate_zone: z.string(),
  data_active: z.boolean(),
  aliases: z.array(z.string()),
  iata: z.string(),
  day_boundary: z.enum(['civil', 'standard']),
  reported_in: z.enum(REPORTED_IN),
  /** The station and all its facts are taken back (D42). */
  withdrawn: z.boolean(),
});

export type StationFact = z.infer<typeof stationRow>;

/** Names that others use for a column, where the two have no letters in common. */
const OTHER_NAMES: Partial<Record<string, FeedColumn>> = {
  icao: 'station_id',
  name: 'city_name',
  lng: 'longitude',
  tz: 'timezone',
  temp: 'high_f',
  tmax: 'high_f',
  max: 'high_f',
  tmin: 'low_f',
  min: 'low_f',
};

/** A column of a file that its feed does not have, and the feed's column that it may be. */
export interface UnreadColumn {
  name: string;
  nearest?: string;
}

/** Columns that a report lists: a header may have thousands, and each is compared with all columns of the feed. */
const MAX_UNREAD = 100;

/** The columns of a header that the feed does not have. */
export function unreadColumns(feed: FeedName, names: readonly string[]): UnreadColumn[] {
  const columns = columnNames(feed, names);
  const absent = columns.filter((column) => !names.includes(column));
  return [...new Set(names)]
    .filter((name) => name !== '' && !columns.includes(name))
    .slice(0, MAX_UNREAD)
    .map((name) => {
      // Names of quantiles are near each other, and the nearest would be another level: 025 may be 2.5% or 25%.
      const [, level] = /_[a-z]*(\d.*)/s.exec(name.replace(/_[cf]$/, '')) ?? [];
      const ofLevel = /^\d\d?$/.test(level ?? '') ? `_p${level?.padStart(2, '0')}_` : '';
      const names = absent.filter((column) =>
        level === undefined ? !/_p\d\d_/.test(column) : ofLevel !== '' && column.includes(ofLevel),
      );
      const [near = absent.find((column) => column === OTHER_NAMES[name])] = nearest(name, names, 1);
      return near === undefined ? { name } : { name, nearest: near };
    });
}
