// The variables beside highs and lows, in the order of their columns.

export const OF_HOURS = ['dew_point', 'humidity', 'cloud_cover', 'wind_speed', 'wind_gust'] as const;
export type OfHours = (typeof OF_HOURS)[number];
/** The chances of rain in windows, in the order of their columns, by the hours of each. */
export const WINDOW_HOURS = { wet_12h: 12, wet_6h: 6, wet_1h: 1 } as const;
export type OfWindow = keyof typeof WINDOW_HOURS;
export const WINDOWS = Object.keys(WINDOW_HOURS) as OfWindow[];
/** Hundredths of a °F, a percent or a knot; of a window the chance or, in a report, its amount, hundredths of an inch. */
export type HourlyValues = Partial<Record<OfHours | OfWindow, number | undefined>>;

export const HOURLY = ['temperature', ...OF_HOURS, ...(['wet_12h', 'wet_6h', 'wet_1h'] as const)] as const;
export type Hourly = (typeof HOURLY)[number];

export const AMOUNTS = ['precip', 'snowfall', 'max_wind', 'max_gust'] as const;
export type Amount = (typeof AMOUNTS)[number];
/** Hundredths of an inch or a knot. */
export type Amounts = Partial<Record<Amount, number | undefined>>;
