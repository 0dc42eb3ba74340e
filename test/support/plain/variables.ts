// The variables beside highs and lows, in the order of their columns.

export const OF_HOURS = ['dew_point', 'humidity', 'cloud_cover', 'wind_speed', 'wind_gust'] as const;
export type OfHours = (typeof OF_HOURS)[number];
/** Hundredths of a °F, a percent or a knot. */
export type HourlyValues = Partial<Record<OfHours, number | undefined>>;

export const HOURLY = ['temperature', ...OF_HOURS] as const;
export type Hourly = (typeof HOURLY)[number];

export const AMOUNTS = ['precip', 'snowfall', 'max_wind', 'max_gust'] as const;
export type Amount = (typeof AMOUNTS)[number];
/** Hundredths of an inch or a knot. */
export type Amounts = Partial<Record<Amount, number | undefined>>;
