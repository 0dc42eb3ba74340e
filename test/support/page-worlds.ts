// Small stores that have some variables alone, as feeds.

export const STATIONS = [
  'KORD,Chicago,US,41.98,-87.9,America/Chicago,Dfa,true,,',
  'KSEA,Seattle,US,47.44,-122.3,America/Los_Angeles,Csb,true,,',
];
const IDS = ['KORD', 'KSEA'];
const HOUR = 3_600_000;
const FIRST = Date.parse('2026-05-01T00:00:00Z');
const WINDOWS = 80;
/** The chances that are forecast, in turn. */
const CHANCES = [10, 30, 60, 90];

const text = (instant: number): string => new Date(instant).toISOString();
const windows = Array.from({ length: WINDOWS }, (_each, at) => {
  const chance = CHANCES[at % CHANCES.length]!;
  // Three of ten windows with a chance of 30% are wet, and four of ten with 60%.
  const wet = chance === 60 ? 4 : chance / 10;
  return {
    ends: FIRST + (at + 1) * 12 * HOUR,
    chance,
    isWet: Math.floor(at / CHANCES.length) % 10 < wet,
  };
});

/** Chances of rain in windows of hours, and the hours. */
export const RAIN = {
  stations: STATIONS,
  hours: [
    'station_id,at,temp_f,precip_in',
    ...IDS.flatMap((id) =>
      windows.flatMap(({ ends, isWet }) =>
        Array.from({ length: 12 }, (_each, hour) => {
          const at = text(ends - (hour + 1) * HOUR + 53 * 60_000);
          return `${id},${at},,${isWet && hour === 4 ? '0.07' : '0'}`;
        }),
      ),
    ),
  ],
  hourly_forecasts: [
    'station_id,issued_at,valid_at,temp_f,precip_chance_12h',
    ...IDS.flatMap((id) =>
      windows.map(({ ends, chance }) => `${id},${text(ends - 20 * HOUR)},${text(ends)},,${chance}`),
    ),
  ],
};

const DAYS = Array.from({ length: 20 }, (_each, at) => `2026-05-${String(at + 10).padStart(2, '0')}`);

/** Hours of one station, with a forecast each. */
export const HOURS = {
  stations: STATIONS.slice(0, 1),
  hours: DAYS.map((day) => `KORD,${day}T18:00:00Z,60.1`),
  hourly_forecasts: DAYS.map((day) => `KORD,${day}T06:00:00Z,${day}T18:00:00Z,61.3`),
};
