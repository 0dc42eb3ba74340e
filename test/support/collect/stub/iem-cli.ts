import { addDays, DAY_MS, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import type { FeedLine, StationPlace, Span } from '../../../../src/collect/source.js';
import { fixture } from '../fixtures.js';
import {
  type Extremes,
  hashed,
  type Lateness,
  observed,
  type StubAnswer,
  type StubPlace,
  type StubSource,
  USUAL,
  windOf,
} from '../world.js';

// Climate reports as IEM has them: a preliminary one from 21:00Z of its day, a final one 90 minutes after the day in
// standard time, and after some finals a correction, one day later or five. The last word is what the world says. A
// day that is late has no report until the final one.

/** The hours by which standard time is behind UTC, of the world's stations with climate reports. */
const BEHIND: Record<string, number> = {
  'America/New_York': 5,
  'America/Chicago': 6,
  'America/Denver': 7,
  'America/Los_Angeles': 8,
  'America/Anchorage': 9,
  'America/Juneau': 9,
  'America/Nome': 9,
  'Pacific/Honolulu': 10,
  'America/Puerto_Rico': 4,
};

/** Whether a day of a station gets a correction: until then its final high is one degree more than what the world says. */
export const isCorrected = (station_id: string, date: string): boolean =>
  hashed(`${station_id} ${date} correction`) < 0.04;

export interface StubReport extends Extremes {
  issued_ms: number;
  /** CCA of a correction, else blank. */
  version: string;
  status: 'preliminary' | 'verified';
}

/** All reports of a day, in their order. */
export function reportsOf(place: StationPlace, date: string, lateness: Lateness = USUAL): StubReport[] {
  const day_ms = Date.parse(date);
  const late_ms = lateness('iem-cli', place.station_id, day_ms);
  if (late_ms === Infinity) return [];
  const final_ms = day_ms + DAY_MS + (BEHIND[place.timezone] ?? 0) * HOUR_MS + 90 * 60_000 + late_ms;
  const truth = observed(place.station_id, date);
  const isLate = isCorrected(place.station_id, date);
  const preliminary = {
    ...truth,
    issued_ms: day_ms + 21 * HOUR_MS,
    version: '',
    status: 'preliminary' as const,
    high_f: truth.high_f - 1,
  };
  const final = {
    ...truth,
    issued_ms: final_ms,
    version: '',
    status: 'verified' as const,
    high_f: truth.high_f + (isLate ? 1 : 0),
  };
  const after_ms = (hashed(`${place.station_id} ${date} correction`) < 0.02 ? 5 : 1) * DAY_MS;
  const correction = { ...final, ...truth, issued_ms: final_ms + after_ms, version: 'CCA' };
  return [...(late_ms > 0 ? [] : [preliminary]), final, ...(isLate ? [correction] : [])];
}

/** The last report of a day by an instant; undefined before the first. */
export function reportOf(
  place: StationPlace,
  date: string,
  now_ms: number,
  lateness: Lateness = USUAL,
): StubReport | undefined {
  return reportsOf(place, date, lateness).findLast(({ issued_ms }) => issued_ms <= now_ms);
}

/** The normals of a station on a day of the year, MM-DD. */
export function normalOf(station_id: string, month_day: string): Extremes {
  const { high_f } = observed(station_id, `2020-${month_day}`);
  return { high_f, low_f: high_f - 18 };
}

/** The rows that a collector must make of the days of a span, by date. */
export function cliObservations(place: StationPlace, { from_ms, to_ms }: Span, now_ms: number): FeedLine[] {
  const first = new Date(from_ms).toISOString().slice(0, 10);
  const days = Math.ceil(to_ms / DAY_MS) - Math.floor(from_ms / DAY_MS);
  return Array.from({ length: days }, (_, at) => addDays(first, at)).flatMap((date): FeedLine[] => {
    const report = reportOf(place, date, now_ms);
    if (report === undefined) return [];
    const { high_f, low_f, status, issued_ms } = report;
    const observed_at = `${new Date(issued_ms).toISOString().slice(0, 19)}Z`;
    const precip_in = 'T'; // of the recorded report that all of the stub's are made from
    return [
      {
        station_id: place.station_id,
        date,
        high_f: `${high_f}`,
        low_f: `${low_f}`,
        precip_in,
        status,
        observed_at,
        snow_in: '0',
        max_wind_mph: `${windOf(place.station_id, date)}`,
        max_gust_mph: `${windOf(place.station_id, date) + 9}`,
      },
    ];
  });
}

/** A report with all its fields. */
const [RECORDED] = (JSON.parse(fixture('cli-knyc-2026.json')) as { results: [object] }).results;

function result(
  place: StubPlace,
  date: string,
  now_ms: number,
  lateness?: Lateness,
): Record<string, unknown>[] {
  const report = reportOf(place, date, now_ms, lateness);
  if (report === undefined) return [];
  const normal = normalOf(place.station_id, date.slice(5));
  const time = new Date(report.issued_ms).toISOString().replace(/\D/g, '').slice(0, 12);
  const { climate_report_id, wfo, office_letter = 'K', state = 'NY' } = place;
  const pil = `CLI${climate_report_id.slice(1)}`;
  const product = [time, `${office_letter}${wfo}`, 'CDUS41', pil, report.version]
    .filter((one) => one !== '')
    .join('-');
  return [
    {
      ...RECORDED,
      ...{ station: climate_report_id, valid: date, state, wfo, product },
      link: `/api/1/nwstext/${product}`,
      name: place.city_name.toUpperCase(),
      high: report.high_f,
      highest_wind_speed: windOf(place.station_id, date),
      highest_gust_speed: windOf(place.station_id, date) + 9,
      high_normal: normal.high_f,
      high_depart: report.high_f - normal.high_f,
      low: report.low_f,
      low_normal: normal.low_f,
      low_depart: report.low_f - normal.low_f,
    },
  ];
}

const json = (body: unknown): StubAnswer => ({
  status: 200,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** A year of a station, or a day of all. */
export const iemCli: StubSource = (url, now_ms, places, lateness) => {
  const asked = (name: string): string => url.searchParams.get(name) ?? '';
  const reporting = places.filter(({ climate_report_id }) => climate_report_id !== '');
  const generated_at = `${new Date(now_ms).toISOString().slice(0, 19)}Z`;
  if (url.pathname === '/json/cli.py') {
    const place = reporting.find(({ climate_report_id }) => climate_report_id === asked('station'));
    const dates = Array.from({ length: 366 }, (_, at) => addDays(`${asked('year')}-01-01`, at));
    const results = dates
      .filter((date) => date.startsWith(asked('year')))
      .flatMap((date) => (place === undefined ? [] : result(place, date, now_ms, lateness)));
    return json({ results, generated_at });
  }
  if (url.pathname !== '/geojson/cli.py') return undefined;
  const features = reporting.flatMap((place) =>
    result(place, asked('dt') || generated_at.slice(0, 10), now_ms, lateness).map((properties, id) => ({
      type: 'Feature',
      id,
      properties: { ...properties, lon: place.longitude, lat: place.latitude },
      geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
    })),
  );
  return json({ type: 'FeatureCollection', features, generated_at });
};
