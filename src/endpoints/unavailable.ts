/** A path that clients may ask for and the feeds have no data for, below /api/v1. */
export interface Unavailable {
  path: string;
  /** What the feeds lack, and what there is instead. */
  message: string;
}

const NO_HOURS =
  'The feeds have one high and one low a day, and no hourly temperatures; /api/v1/data/forecast-actual has the pairs of each day';

/** Each is a 404 that says why, rather than an answer without numbers (D33). */
export const UNAVAILABLE: readonly Unavailable[] = [
  { path: '/data/hourly-snapshot', message: NO_HOURS },
  { path: '/data/hourly-comparison', message: NO_HOURS },
  {
    path: '/accuracy/peak-timing/:station_id',
    message: 'The feeds do not say at what time of the day the high and the low occurred',
  },
  {
    path: '/accuracy/by-weather-regime',
    message:
      'The feeds do not have weather conditions, such as clear, cloudy or rain; /api/v1/accuracy/by-date has the accuracy of each day',
  },
];
