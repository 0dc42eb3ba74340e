import { dateAt, DAY_MS, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import type { FeedLine, Span } from '../../../../src/collect/source.js';
import { metarText, type MetarValues } from '../metar.js';
import {
  hashed,
  type Lateness,
  observed,
  type StubAnswer,
  type StubPlace,
  type StubSource,
  USUAL,
} from '../world.js';

// Reports of airports from the archive of IEM. In the United States they have tenths, the extremes of six hours and the
// amounts of rain; in some hours a special follows, and in some a correction, with the wrong one beside it.

const MINUTE_MS = 60_000;
/** Until a report is in the archive. */
const OUT_AFTER_MS = 4 * MINUTE_MS;

const round = (celsius: number): number => Math.round(celsius * 10) / 10;

/** °C in tenths: lowest at 9Z, highest at 21Z. */
function temperatureAt(station_id: string, at_ms: number): number {
  const { high_f, low_f } = observed(station_id, dateAt(at_ms));
  const warm = 0.5 - 0.5 * Math.cos((((at_ms % DAY_MS) / HOUR_MS - 9) / 24) * 2 * Math.PI);
  return round((low_f + warm * (high_f - low_f) - 32) / 1.8);
}

/** The reports of the hour that begins at a time, as they hold in the end. */
function reportsOf({ station_id, country }: StubPlace, hour_ms: number): MetarValues[] {
  const at_ms = hour_ms + 51 * MINUTE_MS;
  const luck = hashed(`${station_id} ${hour_ms} report`);
  const tenths_c = temperatureAt(station_id, at_ms);
  const sky = ['CLR', 'FEW050', 'FEW020 BKN080', 'SCT020 OVC040CB', 'VV002'][Math.floor(5 * luck)] ?? '';
  const report = { station_id, at_ms, body_c: Math.floor(tenths_c + 0.5), sky };
  if (country !== 'US') return [report];
  const isSixth = (hour_ms / HOUR_MS) % 6 === 5;
  const routine = {
    ...report,
    tenths_c,
    ...(isSixth && { max_6h_c: round(tenths_c + 1.1), min_6h_c: round(tenths_c - 2.2) }),
    ...(luck > 0.8 && { precip_in: Math.round(luck * 10) / 100 }),
    isCorrection: luck < 0.02,
  };
  const special = { ...report, at_ms: at_ms + 6 * MINUTE_MS, tenths_c, precip_in: 0.01, isSpecial: true };
  return luck > 0.9 ? [routine, special] : [routine];
}

/** The reports of a span that are in the archive by a time. */
function reportsIn(
  place: StubPlace,
  { from_ms, to_ms }: Span,
  now_ms: number,
  lateness: Lateness,
): MetarValues[] {
  const first = Math.floor(from_ms / HOUR_MS);
  const hours = Array.from({ length: Math.ceil(to_ms / HOUR_MS) - first }, (_, at) => (first + at) * HOUR_MS);
  return hours
    .flatMap((hour_ms) => reportsOf(place, hour_ms))
    .filter(
      ({ at_ms }) =>
        at_ms >= from_ms && at_ms < to_ms && asosOutAt(place.station_id, at_ms, lateness) <= now_ms,
    );
}

/** When a report of a time is in the archive. */
export const asosOutAt = (station_id: string, at_ms: number, lateness: Lateness): number =>
  at_ms + OUT_AFTER_MS + lateness('iem-asos', station_id, at_ms - (at_ms % DAY_MS));

const cell = (value: number | undefined): string => (value === undefined ? '' : `${value}`);

/** The rows that a collector must make of the reports of a span. */
export const asosRows = (place: StubPlace, span: Span, now_ms: number): FeedLine[] =>
  reportsIn(place, span, now_ms, USUAL).map((report) => ({
    station_id: place.station_id,
    at: `${new Date(report.at_ms).toISOString().slice(0, 16)}Z`,
    temp_c: cell(report.tenths_c ?? report.body_c),
    max_6h_c: cell(report.max_6h_c),
    min_6h_c: cell(report.min_6h_c),
    sky: (report.sky.split(' ').at(-1) ?? '').replace(/\d+(CB)?$/, ''),
    ...moistureOf(report.tenths_c ?? report.body_c),
    wind_kt: '12',
    gust_kt: '20',
    ...amountsOf(report),
  }));

/** A routine report with remarks says 0 by silence, and always 0.10 inch of six hours; a special counts for none. */
function amountsOf({ at_ms, tenths_c, precip_in = 0, isSpecial }: MetarValues): FeedLine {
  const isTold = tenths_c !== undefined && isSpecial !== true;
  const is6Hours = Math.floor(at_ms / HOUR_MS) % 6 === 5;
  return { precip_6h_in: isTold && is6Hours ? '0.1' : '', precip_in: isTold ? `${precip_in}` : '' };
}

/** The dew point of every report is 8 °C below its temperature. */
function moistureOf(celsius: number): FeedLine {
  const dew_c = round(celsius - 8);
  const pressure = (at_c: number): number => 6.112 * Math.exp((17.62 * at_c) / (243.12 + at_c));
  const humidity_pct = `${Math.round((100 * pressure(dew_c)) / pressure(celsius))}`;
  return { dew_point_c: `${dew_c + 0}`, humidity_pct };
}

const text = (body: string, status = 200): StubAnswer => ({
  status,
  body,
  headers: { 'content-type': 'text/plain' },
});

export const iemAsos: StubSource = (url, now_ms, places, lateness = USUAL) => {
  if (url.pathname !== '/cgi-bin/request/asos.py') return undefined;
  const asked = (name: string): string => url.searchParams.get(name) ?? '';
  const fixed = { data: 'metar', report_type: '3,4', tz: 'UTC', format: 'onlycomma', missing: 'M' };
  if (Object.entries(fixed).some(([name, value]) => asked(name) !== value)) return text('not served', 422);
  const [from_ms = NaN, to_ms = NaN] = ['sts', 'ets'].map((name) => Date.parse(asked(name)));
  if (!(from_ms < to_ms)) return text('Invalid times provided.', 422);
  const stations = asked('station').split(',');
  const lines = places
    .map((place) => ({ place, name: place.station_id.replace(/^K/, '') }))
    .filter(({ name }) => stations.includes(name))
    .flatMap(({ place, name }) =>
      reportsIn(place, { from_ms, to_ms }, now_ms, lateness).flatMap((report) => {
        const sent = [report];
        if (report.isCorrection === true) {
          const wrong = { ...report, body_c: 40, tenths_c: 40, isCorrection: false };
          if (Math.floor(report.at_ms / HOUR_MS) % 2 === 0) sent.unshift(wrong);
          else sent.push(wrong);
        }
        const valid = new Date(report.at_ms).toISOString().slice(0, 16).replace('T', ' ');
        return sent.map((one) => ({ valid, line: `${name},${valid},${metarText(one)}\n` }));
      }),
    )
    .sort((a, b) => (a.valid < b.valid ? -1 : Number(a.valid > b.valid)));
  return text(`station,valid,metar\n${lines.map(({ line }) => line).join('')}`);
};
