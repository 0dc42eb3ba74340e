const NO_HOURLY_FORECASTS =
  'The feeds have forecasts of the daily high and low, but not of hours; /api/v1/data/hours has the temperatures measured within the day';

/**
 * Paths below /api/v1 that clients may ask for and the feeds have no data for: each is a 404 that says what they lack and
 * what there is instead, rather than a response without numbers.
 */
export const UNAVAILABLE = ['/data/hourly-snapshot', '/data/hourly-comparison'].map((path) => ({
  path,
  message: NO_HOURLY_FORECASTS,
}));
