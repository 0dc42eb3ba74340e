import { addDays, DAY_MS, formatDate, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import { localDay } from '../../../../src/statistics/time/local-midnight.js';
import type { StationPlace } from '../../../../src/collect/source.js';
import { type Extremes, forecastOf, type StubSource, USUAL } from '../world.js';

// The single runs of Open-Meteo: curves by the hour whose extremes of each local day are those of the world.

/** By model: whose it is, its hours, the first day of its archive, and after how long a run is there and counts as issued. */
export const MODELS: Readonly<
  Record<string, { provider: string; every_hours: number; since: string; published_hours: number }>
> = {
  ecmwf_ifs: { provider: 'ecmwf', every_hours: 6, since: '2024-03-14', published_hours: 8 },
  ncep_gfs_global: { provider: 'gfs', every_hours: 6, since: '2026-04-02', published_hours: 6 },
  dwd_icon_global: { provider: 'icon', every_hours: 6, since: '2026-04-02', published_hours: 5 },
  cmc_gem_gdps: { provider: 'gem', every_hours: 12, since: '2026-08-19', published_hours: 7 },
};
const LOW_AT_HOUR = 5;
const HIGH_AT_HOUR = 15;

const DAYS = 10;

export { isLostRun } from '../world.js';

/** The last hour of a run: ICON ends before the days that are asked for, its runs of 06Z and 18Z earlier. */
const lastHour = (provider: string, run_ms: number): number =>
  run_ms + (provider !== 'icon' ? 240 : run_ms % (12 * HOUR_MS) === 0 ? 180 : 120) * HOUR_MS;

/** The local days that a run has whole, and what it says of them. */
export function runForecasts(
  provider: string,
  { station_id, timezone, day_boundary }: StationPlace,
  run_ms: number,
  issued_ms: number,
): (Extremes & { date: string })[] {
  const first = addDays(formatDate(Math.floor(run_ms / DAY_MS)), -1);
  return Array.from({ length: DAYS + 3 }, (_, at) => addDays(first, at))
    .filter((date) => {
      const { begins_ms, ends_ms } = localDay(date, timezone, day_boundary);
      const hours_end_ms = Math.min(run_ms + DAYS * DAY_MS, lastHour(provider, run_ms) + HOUR_MS);
      return begins_ms >= run_ms && ends_ms <= hours_end_ms;
    })
    .map((date) => ({ date, ...forecastOf(provider, station_id, issued_ms, date) }));
}

/** The temperatures of a run, hour by hour: from the low of each local day up to its high and down again. */
function curve(
  provider: string,
  { station_id, timezone, day_boundary }: StationPlace,
  { run_ms, issued_ms, hours }: { run_ms: number; issued_ms: number; hours: number },
): number[] {
  let date = addDays(formatDate(Math.floor(run_ms / DAY_MS)), -2);
  let day = { begins_ms: 0, ends_ms: 0 };
  let said: Extremes = { high_f: 0, low_f: 0 };
  return Array.from({ length: hours }, (_, at) => {
    const hour_ms = run_ms + at * HOUR_MS;
    while (hour_ms >= day.ends_ms) {
      date = addDays(date, 1);
      day = localDay(date, timezone, day_boundary);
      said = forecastOf(provider, station_id, issued_ms, date);
    }
    const hour = Math.floor((hour_ms - day.begins_ms) / HOUR_MS);
    const away = Math.abs(hour - HIGH_AT_HOUR) / (HIGH_AT_HOUR - LOW_AT_HOUR);
    const share = hour < LOW_AT_HOUR ? 0.3 : Math.max(0, 1 - away);
    return Math.round(10 * (said.low_f + (said.high_f - said.low_f) * share)) / 10;
  });
}

/** The unit of each element, and its value at an hour of a run; it has no snow, and rain of 0.1 mm an hour. */
const ELEMENTS: Readonly<Record<string, readonly [unit: string, valueAt: (hour: number) => number]>> = {
  dew_point_2m: ['°F', (hour) => 20 + (hour % 24) / 2],
  relative_humidity_2m: ['%', (hour) => 40 + (hour % 24)],
  cloud_cover: ['%', (hour) => hour % 101],
  wind_speed_10m: ['m/s', (hour) => (hour % 30) / 4],
  wind_gusts_10m: ['m/s', (hour) => (hour % 30) / 2],
  precipitation: ['mm', () => 0.1],
  snowfall: ['cm', () => 0],
};
const mapElements = <Value>(map: (element: (typeof ELEMENTS)[string]) => Value): Record<string, Value> =>
  Object.fromEntries(Object.entries(ELEMENTS).map(([name, element]) => [name, map(element)]));

const refusal = (reason: string): { status: number; body: string } => ({
  status: 400,
  body: JSON.stringify({ error: true, reason }),
});

export const openMeteo: StubSource = (url, now_ms, places, lateness = USUAL) => {
  if (url.pathname !== '/v1/forecast') return undefined;
  const asked = (name: string): string => url.searchParams.get(name) ?? '';
  const [latitudes, longitudes, elevations] = ['latitude', 'longitude', 'elevation'].map((name) =>
    asked(name)
      .split(',')
      .filter((text) => text !== '')
      .map(Number),
  ) as [number[], number[], number[]];
  const fixed = {
    hourly: `temperature_2m,${Object.keys(ELEMENTS).join()}`,
    wind_speed_unit: 'ms',
    precipitation_unit: 'mm',
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
  if (!isKept || now_ms < issued_ms + lateness(`openmeteo-${provider}`, '', run_ms)) {
    const why = `Model: ${asked('models')}, run: ${run}Z`;
    return latitudes.length === 1
      ? refusal(`The requested model run is not available. ${why}`)
      : { status: 200, body: `Unexpected error while streaming data: modelRunUnavailable(${why})` };
  }
  const hours = 24 * Number(asked('forecast_days'));
  const time = Array.from({ length: hours }, (_, at) => run_ms + at * HOUR_MS);
  const last_ms = lastHour(provider, run_ms);
  const locations = latitudes.map((latitude, at) => {
    const longitude = longitudes[at] ?? NaN;
    const place = places.find((one) => one.latitude === latitude && one.longitude === longitude);
    return {
      // The middle of the model's square.
      latitude: Math.round(latitude * 10) / 10,
      longitude: Math.round(longitude * 10) / 10,
      generationtime_ms: 0.516,
      utc_offset_seconds: 0,
      timezone: 'GMT',
      timezone_abbreviation: 'GMT',
      elevation: elevations[at] ?? 0,
      hourly_units: {
        ...{ time: 'iso8601', temperature_2m: place === undefined ? 'undefined' : '°F' },
        ...mapElements(([unit]) => unit),
      },
      hourly: {
        time: time.map((ms) => new Date(ms).toISOString().slice(0, 16)),
        temperature_2m:
          place === undefined
            ? time.map(() => null)
            : curve(provider, place, { run_ms, issued_ms, hours }).map((degrees, at) =>
                (time[at] ?? 0) > last_ms ? null : degrees,
              ),
        ...mapElements(([, valueAt]) => time.map((ms, hour) => (ms > last_ms ? null : valueAt(hour)))),
      },
    };
  });
  return { status: 200, body: JSON.stringify(locations.length === 1 ? locations[0] : locations) };
};
