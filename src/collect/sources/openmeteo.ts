import { z } from 'zod';
import { DAY_MS, formatDate, HOUR_MS } from '../../statistics/time/calendar.js';
import { sum } from '../../statistics/statistics.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { toCell } from '../feed-cells.js';
import { parsed, plainText } from '../plain-text.js';
import {
  type FeedLine,
  type Need,
  type StationPlace,
  type Reading,
  type Request,
  type PublicSource,
  type Span,
  GapError,
  isHourKept,
} from '../source.js';
import { batches } from '../collected-spans.js';

// Forecasts of global models for any place, from Open-Meteo: each run as it was, hour by hour. The days are made here: the
// source's own know only one offset for a whole response.

/** A model behind Open-Meteo's single runs, with a run each so many hours from 00Z on. */
interface Model {
  /** Its name in `models` of a request. */
  name: string;
  title: string;
  /** The first day of which all runs are kept. */
  since: string;
  every_hours: 6 | 12;
  /** From the time of a run to the hour in which all of it is there. */
  out_hours: number;
}

// By Open-Meteo's documentation all but IFS are kept from 2026-04-02 on, by its issue 2020 runs of GEM were lost until
// 2026-08-18. The last step of IFS is out at 7:34 (ECMWF's schedule); GFS is fetched from 3:40 on and whole at 4:59; ICON was
// there at 3:45, and ten minutes later at all servers; the second half of GEM's steps comes at 6:30 (Open-Meteo's source).
const MODELS: Readonly<Record<string, Model>> = {
  ecmwf: { name: 'ecmwf_ifs', title: 'IFS of ECMWF', since: '2024-03-14', every_hours: 6, out_hours: 8 },
  gfs: { name: 'ncep_gfs_global', title: 'GFS of NOAA', since: '2026-04-02', every_hours: 6, out_hours: 6 },
  icon: { name: 'dwd_icon_global', title: 'ICON of DWD', since: '2026-04-02', every_hours: 6, out_hours: 5 },
  gem: { name: 'cmc_gem_gdps', title: 'GEM of ECCC', since: '2026-08-19', every_hours: 12, out_hours: 7 },
};

const MAX_PLACES = 50;
const FARTHEST_DEGREES = 0.3;
const WARMEST_F = 150;
const BYTES_PER_PLACE = 14_000;

/** The unit of a name in a request, and its columns. */
interface Element {
  unit: string;
  hour?: string;
  day?: string;
  ofDay?: (values: readonly number[]) => number;
  /** 1 for the value of the hour before. */
  behind?: number;
}

const max = (values: readonly number[]): number => Math.max(...values);

/** Open-Meteo counts a request of up to ten names as one. A chance of rain among them would fail the request (D78). */
const ELEMENTS = {
  temperature_2m: { unit: '°F', hour: 'temp_f' },
  dew_point_2m: { unit: '°F', hour: 'dew_point_f' },
  relative_humidity_2m: { unit: '%', hour: 'humidity_pct' },
  cloud_cover: { unit: '%', hour: 'cloud_pct' },
  wind_speed_10m: { unit: 'm/s', hour: 'wind_ms', day: 'max_wind_ms' },
  wind_gusts_10m: { unit: 'm/s', hour: 'gust_ms', day: 'max_gust_ms', behind: 1 },
  precipitation: { unit: 'mm', day: 'precip_mm', ofDay: sum, behind: 1 },
  snowfall: { unit: 'cm', day: 'snow_cm', ofDay: sum, behind: 1 },
} as const satisfies Record<string, Element>;

const NAMES = Object.keys(ELEMENTS) as (keyof typeof ELEMENTS)[];
const mapElements = <Value>(value: Value): Record<keyof typeof ELEMENTS, Value> =>
  Object.fromEntries(NAMES.map((name) => [name, value])) as Record<keyof typeof ELEMENTS, Value>;

/** The fields read from one place's part of a response. */
const location = z.object({
  latitude: z.number(),
  longitude: z.number(),
  utc_offset_seconds: z.literal(0),
  hourly_units: z.object(mapElements(z.string())),
  hourly: z.object({
    time: z.array(z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:00$/)),
    ...mapElements(z.array(z.number().nullable())),
    temperature_2m: z.array(z.number().min(-WARMEST_F).max(WARMEST_F).nullable()),
  }),
});
type Location = z.infer<typeof location>;

const refused = z.object({ error: z.literal(true), reason: z.string() });

/** One source for each model. */
export const OPEN_METEO = Object.entries(MODELS).map(([provider, model]): PublicSource => {
  const { title, since, every_hours, out_hours } = model;
  // A run does not change. Each is read once more, because it may not have been whole.
  const overlap_ms = 2 * every_hours * HOUR_MS;
  const hours = Array.from({ length: 24 / every_hours }, (_, at) => (at * every_hours + out_hours) % 24);
  return {
    name: `openmeteo-${provider}`,
    feed: 'forecasts',
    provider,
    host: 'open-meteo',
    earliest: since,
    overlap_ms,
    schedule: [{ cron: `10 ${hours.sort((a, b) => a - b).join()} * * *`, overlap_ms }],
    attribution: `Weather data by Open-Meteo, https://open-meteo.com (CC BY 4.0), from the model ${title}`,
    serves: () => true,
    plan: (needs, requested_ms) => plan(model, needs, requested_ms),
    read: ([body = ''], request) => read(provider, model, body, request),
    refusal: (status, body) => (status === 400 ? refusal(body) : undefined),
    expected: ({ from_ms, to_ms }, requested_ms) =>
      listRuns(model, { from_ms, to_ms: Math.min(to_ms, requested_ms - out_hours * HOUR_MS + 1) }).length,
    estimatedBytes: ({ covers }) => BYTES_PER_PLACE * covers.length,
  };
});

/** The times of the runs in a span. */
function listRuns({ every_hours }: Model, { from_ms, to_ms }: Span): number[] {
  const every_ms = every_hours * HOUR_MS;
  const first = Math.ceil(from_ms / every_ms);
  return Array.from(
    { length: Math.max(0, Math.ceil(to_ms / every_ms) - first) },
    (_, at) => (first + at) * every_ms,
  );
}

/** One request for a run and up to 50 places. Its part of a need begins where that of the run before ends. */
function plan(model: Model, needs: readonly Need[], requested_ms: number): Request[] {
  const [every_ms, out_ms] = [model.every_hours * HOUR_MS, model.out_hours * HOUR_MS];
  const byUnit = new Map<string, { run_ms: number; covers: Need[] }>();
  for (const { place, span } of needs) {
    for (const run_ms of listRuns(model, span).filter((run_ms) => run_ms + out_ms <= requested_ms)) {
      const from_ms = run_ms - every_ms < span.from_ms ? span.from_ms : run_ms;
      // A request has the elevations of all its places, or no elevation.
      const unit = `${run_ms} ${place.elevation_m === undefined}`;
      const { covers } = byUnit.get(unit) ?? { covers: [] };
      const cover = { place, span: { from_ms, to_ms: Math.min(run_ms + every_ms, span.to_ms) } };
      byUnit.set(unit, { run_ms, covers: [...covers, cover] });
    }
  }
  return [...byUnit.values()]
    .sort((a, b) => b.run_ms - a.run_ms)
    .flatMap(({ run_ms, covers }) =>
      batches(covers, MAX_PLACES).map((batch) => ({
        paths: [path(model, run_ms, batch)],
        covers: batch,
        requested_ms,
      })),
    );
}

function path({ name }: Model, run_ms: number, covers: readonly Need[]): string {
  const of = (value: (place: StationPlace) => number | undefined): string =>
    covers.map(({ place }) => value(place)).join();
  const elevations = of(({ elevation_m }) => elevation_m);
  return (
    `/v1/forecast?latitude=${of(({ latitude }) => latitude)}&longitude=${of(({ longitude }) => longitude)}` +
    (covers[0]?.place.elevation_m === undefined ? '' : `&elevation=${elevations}`) +
    `&hourly=${NAMES.join()}&models=${name}&run=${new Date(run_ms).toISOString().slice(0, 16)}` +
    '&forecast_days=10&timezone=GMT&temperature_unit=fahrenheit&wind_speed_unit=ms&precipitation_unit=mm'
  );
}

/** The gap of a 400 that is about the run, and not about the request. */
function refusal(body: string): GapError | undefined {
  const { data } = refused.safeParse(parsed(body));
  return data !== undefined && /requested model run is not available/i.test(data.reason)
    ? new GapError(plainText(data.reason, 200), 'final')
    : undefined;
}

function read(
  provider: string,
  { out_hours }: Model,
  body: string,
  { paths: [path = ''], covers }: Request,
): Reading {
  if (/^\s*Unexpected error while streaming data: modelRunUnavailable/.test(body)) {
    throw new GapError(plainText(body, 200), 'final');
  }
  const run_ms = Date.parse(`${new URLSearchParams(path.split('?')[1]).get('run')}Z`);
  const response = parsed(body);
  const failed = refusal(body) ?? unreadable(response, body);
  if (failed !== undefined) throw failed;
  const { data: locations, error } = z
    .array(location)
    .safeParse(Array.isArray(response) ? response : [response]);
  if (locations === undefined)
    throw new GapError(`the response has an unexpected form: ${plainText(z.prettifyError(error), 200)}`);
  if (locations.length !== covers.length) {
    throw new GapError(`${locations.length} places instead of ${covers.length}`);
  }
  const unusable: Reading['unusable'] = [];
  const gaps: Reading['gaps'] = [];
  const hourly_forecasts: FeedLine[] = [];
  const run = `run of ${new Date(run_ms).toISOString().slice(0, 13)}Z`;
  const rows = covers.flatMap((need, at) => {
    const { station_id } = need.place;
    try {
      const response = locations[at] as Location;
      const { days, broken, byHour } = readDays(need.place, run_ms, response);
      for (const date of broken)
        unusable.push({ unit: station_id, reason: `${run} has not all hours of ${date}` });
      const issued_ms = run_ms + out_hours * HOUR_MS;
      const issued_at = new Date(issued_ms).toISOString();
      for (const [hour_ms, value] of byHour) {
        if (value === null || !isHourKept(issued_ms, hour_ms)) continue;
        const valid_at = new Date(hour_ms).toISOString();
        const cells = readCells('hour', response, run_ms, [hour_ms]);
        hourly_forecasts.push({ station_id, issued_at, valid_at, ...cells, provider });
      }
      return days.map((day) => ({ station_id, issued_at, ...day, provider }));
    } catch (error) {
      if (!(error instanceof GapError)) throw error;
      const reason = `${run}: ${error.message}`;
      unusable.push({ unit: station_id, reason });
      gaps.push({ ...need, reason });
      return [];
    }
  });
  if (gaps.length === covers.length) throw new GapError(gaps[0]?.reason ?? 'nothing was requested');
  return { rows, hourly_forecasts, unusable, gaps };
}

function unreadable(response: unknown, body: string): GapError | undefined {
  if (typeof response !== 'object' || response === null)
    return new GapError(`not JSON: ${plainText(body, 100)}`);
  const { data } = refused.safeParse(response);
  return data && new GapError(plainText(data.reason, 200));
}

/**
 * The forecasts of one run for a place: of the days all of whose hours are there; `broken` are the dates that lack some
 * although hours after them are there; `byHour` has the temperature of each hour, °F.
 * @throws GapError
 */
function readDays(
  place: StationPlace,
  run_ms: number,
  response: Location,
): { days: FeedLine[]; broken: string[]; byHour: ReadonlyMap<number, number | null> } {
  const { hourly, hourly_units } = response;
  const { time, temperature_2m } = hourly;
  const east = Math.abs(response.longitude - place.longitude);
  const isNear =
    Math.abs(response.latitude - place.latitude) <= FARTHEST_DEGREES &&
    Math.min(east, 360 - east) <= FARTHEST_DEGREES;
  if (!isNear) throw new GapError(`is for ${response.latitude}, ${response.longitude}`);
  if (temperature_2m.every((value) => value === null)) throw new GapError('has no values');
  const wrong = NAMES.find(
    (name) => hourly_units[name] !== ELEMENTS[name].unit && hourly[name].some((value) => value !== null),
  );
  if (wrong) throw new GapError(`has ${wrong} in ${plainText(hourly_units[wrong], 20)}`);
  const hours = time.map((text) => Date.parse(`${text}Z`));
  const [first_ms = NaN] = hours;
  const isHourly =
    hours.every((hour, at) => hour === first_ms + at * HOUR_MS) &&
    NAMES.every((name) => hourly[name].length === hours.length);
  if (!isHourly) throw new GapError('its hours do not follow one another, each with a value');
  // The hours of another run would begin with that run.
  if (first_ms !== run_ms) throw new GapError(`begins at ${time[0]}`);
  const byHour = new Map(hours.map((hour, at) => [hour, temperature_2m[at] ?? null]));
  const [firstDay, lastDay] = [run_ms / DAY_MS - 1, (hours.at(-1) ?? NaN) / DAY_MS + 1].map(Math.floor);
  const lastKnown_ms = hours[temperature_2m.findLastIndex((value) => value !== null)] ?? NaN;
  const days: FeedLine[] = [];
  const broken: string[] = [];
  for (let day = firstDay ?? NaN; day <= (lastDay ?? NaN); day += 1) {
    const target_date = formatDate(day);
    const hoursOfDay = listHours(target_date, place);
    const values = hoursOfDay.map((hour) => byHour.get(hour) ?? null);
    if (values.every((value) => value !== null)) {
      days.push({
        target_date,
        high_f: hundredths(Math.max(...values)),
        low_f: hundredths(Math.min(...values)),
        ...readCells('day', response, run_ms, hoursOfDay),
      });
    } else if (hoursOfDay.every((hour) => hour >= run_ms && hour <= lastKnown_ms)) broken.push(target_date);
  }
  return { days, broken, byHour };
}

/** The values of an hour, or of a day from its hours; blank where the model has none. */
const readCells = (
  period: 'hour' | 'day',
  { hourly }: Location,
  run_ms: number,
  hours: readonly number[],
): FeedLine =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const { [period]: column, ofDay = max, behind = 0 }: Element = ELEMENTS[name];
      const first = period === 'day' ? behind : 0;
      const values = hours.map((hour_ms) => hourly[name][(hour_ms - run_ms) / HOUR_MS + first] ?? null);
      const value = values.every((each) => each !== null) ? ofDay(values) : null;
      return column === undefined ? [] : [[column, toCell(column, value) ?? '']];
    }),
  );

/** The whole hours in UTC of a local day: 23, 24 or 25. */
function listHours(date: string, { timezone, day_boundary }: StationPlace): number[] {
  const { begins_ms, ends_ms } = localDay(date, timezone, day_boundary);
  const first = Math.ceil(begins_ms / HOUR_MS);
  return Array.from({ length: Math.ceil(ends_ms / HOUR_MS) - first }, (_, at) => (first + at) * HOUR_MS);
}

const hundredths = (value: number): string => `${Math.round(value * 100) / 100}`;
