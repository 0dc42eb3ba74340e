import { addDays, DAY_MS, dateOf, HOUR_MS } from '../../../../src/accuracy/time/calendar.js';
import { localDay } from '../../../../src/accuracy/time/local-midnight.js';
import type { Place } from '../../../../src/collect/source.js';
import { forecastOf, hashed, type StubSource } from '../world.js';

// The single runs of Open-Meteo: curves by the hour whose extremes of each local day are those of the world.

/** By model: whose it is, its hours, the first day of its archive, and after how long a run is there and counts as issued. */
const MODELS: Readonly<
  Record<string, { provider: string; every_hours: number; since: string; published_hours: number }>
> = {
  ecmwf_ifs: { provider: 'ecmwf', every_hours: 6, since: '2024-03-14', published_hours: 8 },
  ncep_gfs_global: { provider: 'gfs', every_hours: 6, since: '2026-04-02', published_hours: 6 },
  dwd_icon_global: { provider: 'icon', every_hours: 6, since: '2026-04-02', published_hours: 5 },
  cmc_gem_gdps: { provider: 'gem', every_hours: 12, since: '2026-08-19', published_hours: 7 },
};
const LOW_AT_HOUR = 5;
const HIGH_AT_HOUR = 15;

/** Whether the source lacks a run for ever: about one of forty. */
export const isLostRun = (run_ms: number, provider = 'ecmwf'): boolean =>
  hashed(`${provider} run ${run_ms}`) < 1 / 40;

/** The temperature at an hour, from the low of its local day up to its high and down again. */
function temperature(
  { station_id, timezone, day_boundary }: Place,
  provider: string,
  issued_ms: number,
  hour_ms: number,
): number {
  const near = dateOf(Math.floor(hour_ms / DAY_MS));
  const date = [addDays(near, -1), near, addDays(near, 1)].find(
    (one) => hour_ms < localDay(one, timezone, day_boundary).ends_ms,
  ) as string;
  const { begins_ms } = localDay(date, timezone, day_boundary);
  const hour = Math.floor((hour_ms - begins_ms) / HOUR_MS);
  const { high_f, low_f } = forecastOf(provider, station_id, issued_ms, date);
  const away = Math.abs(hour - HIGH_AT_HOUR) / (HIGH_AT_HOUR - LOW_AT_HOUR);
  const share = hour < LOW_AT_HOUR ? 0.3 : Math.max(0, 1 - away);
  return Math.round(10 * (low_f + (high_f - low_f) * share)) / 10;
}

const refusal = (reason: string): { status: number; body: string } => ({
  status: 400,
  body: JSON.stringify({ error: true, reason }),
});

export const openMeteo: StubSource = (url, now_ms, places) => {
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
    timezone: 'GMT',
    temperature_unit: 'fahrenheit',
  };
  for (const [name, value] of Object.entries(fixed)) {
    if (asked(name) !== value) return refusal(`${name}=${asked(name)} is not what the stub serves`);
  }
  const model = MODELS[asked('models')];
  if (model === undefined) return refusal('Data corrupted at path. Cannot initialize MultiDomains');
  const { provider, every_hours, since, published_hours } = model;
  if (latitudes.length !== longitudes.length || ![0, latitudes.length].includes(elevations.length)) {
    return refusal('Parameter latitude, longitude and elevation must have the same amount of elements');
  }
  const run = asked('run');
  const run_ms = /^\d{4}-\d{2}-\d{2}T(00|06|12|18):00$/.test(run) ? Date.parse(`${run}Z`) : NaN;
  if (Number.isNaN(run_ms)) return refusal('Invalid run');
  const issued_ms = run_ms + published_hours * HOUR_MS;
  const isKept = run_ms >= Date.parse(since) && run_ms % (every_hours * HOUR_MS) === 0;
  if (!isKept || isLostRun(run_ms, provider) || now_ms < issued_ms) {
    const why = `Model: ${asked('models')}, run: ${run}Z`;
    return latitudes.length === 1
      ? refusal(`The requested model run is not available. ${why}`)
      : { status: 200, body: `Unexpected error while streaming data: modelRunUnavailable(${why})` };
  }
  // ICON ends before the days that are asked for, its runs of 06Z and 18Z earlier.
  const reach_hours = provider !== 'icon' ? 240 : run_ms % (12 * HOUR_MS) === 0 ? 180 : 120;
  const last_ms = run_ms + reach_hours * HOUR_MS;
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
        temperature_2m: time.map((ms) =>
          place === undefined || ms > last_ms ? null : temperature(place, provider, issued_ms, ms),
        ),
      },
    };
  });
  return { status: 200, body: JSON.stringify(locations.length === 1 ? locations[0] : locations) };
};
