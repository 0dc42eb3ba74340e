/** A path that clients may ask for and the feeds have no data for, below /api/v1. */
export interface Unavailable {
  path: string;
  /** What the feeds lack, and what there is instead. */
  message: string;
}

const NO_HOURLY_FORECASTS =
  'The feeds have forecasts of the high and the low of a day, and none of its hours; /api/v1/data/hours has the temperatures measured within the day';

/** Each is a 404 that says why, rather than an answer without numbers (D33). */
export const UNAVAILABLE: readonly Unavailable[] = [
  { path: '/data/hourly-snapshot', message: NO_HOURLY_FORECASTS },
  { path: '/data/hourly-comparison', message: NO_HOURLY_FORECASTS },
];
