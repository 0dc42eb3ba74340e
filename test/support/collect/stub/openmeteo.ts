import { addDays, DAY_MS, dateOf, HOUR_MS } from '../../../../src/accuracy/time/calendar.js';
import { localDay } from '../../../../src/accuracy/time/local-midnight.js';
import { forecastOf, type StubPlace, type StubSource, USUAL } from '../world.js';

// The single runs of Open-Meteo: curves by the hour whose extremes of each local day are those of the world.

/** When a run is there, and what it counts as issued at. */
const PUBLISHED_MS = 8 * HOUR_MS;
const LOW_AT_HOUR = 5;
const HIGH_AT_HOUR = 15;

export { isLostRun } from '../world.js';

/** The temperature at an hour, from the low of its local day up to its high and down again. */
function temperature(
  { station_id, timezone, day_boundary }: StubPlace,
  run_ms: number,
  hour_ms: number,
): number {
  const near = dateOf(Math.floor(hour_ms / DAY_MS));
  const date = [addDays(near, -1), near, addDays(near, 1)].find(
    (one) => hour_ms < localDay(one, timezone, day_boundary).ends_ms,
  ) as string;
  const { begins_ms } = localDay(date, timezone, day_boundary);
  const hour = Math.floor((hour_ms - begins_ms) / HOUR_MS);
  const { high_f, low_f } = forecastOf('ecmwf', station_id, run_ms + PUBLISHED_MS, date);
  const away = Math.abs(hour - HIGH_AT_HOUR) / (HIGH_AT_HOUR - LOW_AT_HOUR);
  const share = hour < LOW_AT_HOUR ? 0.3 : Math.max(0, 1 - away);
  return Math.round(10 * (low_f + (high_f - low_f) * share)) / 10;
}

const refusal = (reason: string): { status: number; body: string } => ({
  status: 400,
  body: JSON.stringify({ error: true, reason }),
});

export const openmeteoEcmwf: StubSource = (url, now_ms, places, lateness = USUAL) => {
  if (url.pathname !== '/v1/forecast') return undefined;
  const asked = (name: string): string => url.searchParams.get(name) ?? '';
  const [latitudes, longitudes, elevations] = ['latitude', 'longitude', 'elevation'].map((name) =>
    asked(name)
      .split(',')
      .filter((text) => text !== '')
      .map(Number),
  ) as [number[], number[], number[]];
  const fixed = {
    hourly: 'temperature_2m',
    models: 'ecmwf_ifs',
    timezone: 'GMT',
    temperature_unit: 'fahrenheit',
  };
  for (const [name, value] of Object.entries(fixed)) {
    if (asked(name) !== value) return refusal(`${name}=${asked(name)} is not what the stub serves`);
  }
  if (latitudes.length !== longitudes.length || ![0, latitudes.length].includes(elevations.length)) {
    return refusal('Parameter latitude, longitude and elevation must have the same amount of elements');
  }
  const run = asked('run');
  const run_ms = /^\d{4}-\d{2}-\d{2}T(00|06|12|18):00$/.test(run) ? Date.parse(`${run}Z`) : NaN;
  if (Number.isNaN(run_ms)) return refusal('Invalid run');
  if (now_ms < run_ms + PUBLISHED_MS + lateness('openmeteo-ecmwf', '', run_ms)) {
    const why = `Model: ecmwf_ifs, run: ${run}Z`;
    return latitudes.length === 1
      ? refusal(`The requested model run is not available. ${why}`)
      : { status: 200, body: `Unexpected error while streaming data: modelRunUnavailable(${why})` };
  }
  const time = Array.from({ length: 24 * Number(asked('forecast_days')) }, (_, at) => run_ms + at * HOUR_MS);
  const locations = latitudes.map((latitude, at) => {
    const longitude = longitudes[at] ?? NaN;
    const place = places.find((one) => one.latitude === latitude && one.longitude === longitude);
    return {
      // Of the middle of the model's square.
      latitude: Math.round(latitude * 10) / 10,
      longitude: Math.round(longitude * 10) / 10,
      generationtime_ms: 0.516,
      utc_offset_seconds: 0,
      timezone: 'GMT',
      timezone_abbreviation: 'GMT',
      elevation: elevations[at] ?? 0,
      hourly_units: { time: 'iso8601', temperature_2m: place === undefined ? 'undefined' : '°F' },
      hourly: {
        time: time.map((ms) => new Date(ms).toISOString().slice(0, 16)),
        temperature_2m: time.map((ms) => (place === undefined ? null : temperature(place, run_ms, ms))),
      },
    };
  });
  return { status: 200, body: JSON.stringify(locations.length === 1 ? locations[0] : locations) };
};
