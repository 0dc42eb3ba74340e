import { geoDistance } from 'd3-geo';
import { dateAt, DAY_MS, HOUR_MS } from '../../statistics/time/calendar.js';
import {
  type FeedLine,
  type Need,
  type StationPlace,
  type Reading,
  type Request,
  type CodeSource,
  GapError,
  isHourKept,
} from '../source.js';
import { minuteText, plainText } from '../plain-text.js';
import { calendarParts, groupBy, hull } from '../collected-spans.js';
import { type HourlyValues, readTables } from './pfm/matrix.js';
import { type Product, readProducts } from './pfm/product.js';

// The official forecasts of the National Weather Service: Point Forecast Matrices, which each office issues a few times
// a day for its points, from the archive of the Iowa Environmental Mesonet (IEM).

const PROVIDER = 'nws';
const EARTH_KM = 6371;
/** Points stand at cities as well as at airports: Miami's is 5.1 km from its airport. */
const FARTHEST_KM = 8;
/** Coordinates of points are given to 0.01 degrees, which is about a kilometre: of nearer ones nobody can tell the nearest. */
const GRAIN_KM = 1;
const BYTES_PER_DAY = 400_000;
/** Offices issue at least twice a day: a shorter span may have nothing. */
const QUIET_MS = DAY_MS;

export const iemPfm: CodeSource = {
  name: 'iem-pfm',
  feed: 'forecasts',
  provider: PROVIDER,
  host: 'iem',
  earliest: '2017-03-01',
  overlap_ms: 36 * HOUR_MS,
  schedule: [
    { cron: '10 * * * *', overlap_ms: 6 * HOUR_MS },
    { cron: '40 3 * * *', overlap_ms: 36 * HOUR_MS },
  ],
  attribution:
    'Point forecasts of the National Weather Service (public domain), from the Iowa Environmental Mesonet of Iowa State University',
  serves: ({ wfo }) => /^[A-Z]{3}$/.test(wfo),
  plan,
  read: ([body = ''], request) => read(body, request),
  expected: () => undefined,
  estimatedBytes: ({ covers }) => {
    const { from_ms, to_ms } = hull(covers);
    return Math.ceil((BYTES_PER_DAY * (to_ms - from_ms)) / DAY_MS);
  },
};

/** One request for an office and a month. */
function plan(needs: readonly Need[], requested_ms: number): Request[] {
  const parts = needs
    .filter(({ place }) => iemPfm.serves(place))
    .flatMap(({ place, span: { from_ms, to_ms } }) =>
      calendarParts({ place, span: { from_ms, to_ms: Math.min(to_ms, requested_ms) } }, 'month'),
    );
  const units = groupBy(parts, ({ place, span }) => `${dateAt(span.from_ms).slice(0, 7)} ${place.wfo}`);
  return [...units.values()]
    .map((covers) => ({ covers, ...hull(covers) }))
    .sort((a, b) => b.to_ms - a.to_ms)
    .map(({ covers, from_ms, to_ms }) => ({
      paths: [
        `/cgi-bin/afos/retrieve.py?pil=PFM${covers[0]?.place.wfo}&sdate=${minuteText(from_ms)}` +
          `&edate=${minuteText(Math.ceil(to_ms / 60_000) * 60_000)}&fmt=text&limit=9999&order=asc`,
      ],
      covers,
      requested_ms,
    }));
}

function read(body: string, { covers }: Request): Reading {
  const pil = `PFM${covers[0]?.place.wfo}`;
  const { from_ms, to_ms } = hull(covers);
  if (/^\s*ERROR: Could not Find: /.test(body)) {
    if (to_ms - from_ms < QUIET_MS) return { rows: [], unusable: [], gaps: [] };
    throw new GapError(`${pil} has no product between ${minuteText(from_ms)} and ${minuteText(to_ms)}`);
  }
  if (!body.includes('\u0001')) throw new GapError(`the response has no product of ${pil}`);
  const { products, unusable, isCut } = readProducts(body, pil);
  const requested = products.filter(({ heading, issued_ms }) => {
    // The request is by whole minutes.
    const isRequested = issued_ms >= from_ms - 60_000 && issued_ms < to_ms + 60_000;
    if (!isRequested)
      unusable.push({
        unit: `${pil} ${heading}`,
        reason: `issued at ${minuteText(issued_ms)}, which was not requested`,
      });
    return isRequested;
  });
  const gaps: Reading['gaps'] = [];
  const rows: FeedLine[] = [];
  const hourly_forecasts: FeedLine[] = [];
  const notes: Reading['notes'] = [];
  for (const place of new Set(covers.map((cover) => cover.place))) {
    const needs = covers.filter((cover) => cover.place === place);
    const point = nearestPoint(place, requested);
    const { found, hourly } =
      typeof point === 'string'
        ? { found: [], hourly: [] }
        : readForecasts(place, point, requested, unusable);
    const reason =
      typeof point === 'string' ? point : `its point is missing in all ${requested.length} products`;
    // One product may leave points out; those of a day do not.
    const isOfPlace = typeof point === 'string' && requested.length > 1 && to_ms - from_ms >= QUIET_MS;
    if (found.length === 0)
      gaps.push(
        ...needs.map((need) => ({ ...need, reason, ...(isOfPlace && { kind: 'of_place' as const }) })),
      );
    else if (typeof point !== 'string') {
      const note = `${plainText(point.name, 60)}, ${point.km.toFixed(1)} km away`;
      notes.push({ station_id: place.station_id, note });
    }
    const isNeeded = ({ issued_ms }: IssuedLine): boolean =>
      needs.some(({ span }) => issued_ms >= span.from_ms && issued_ms < span.to_ms);
    const takeNeeded = (lines: readonly IssuedLine[]): FeedLine[] =>
      lines.filter(isNeeded).map(({ row }) => row);
    rows.push(...takeNeeded(found));
    hourly_forecasts.push(...takeNeeded(hourly));
    // The archive answers in the order of issuance: what follows the last whole product is not there.
    const cut_ms = Math.max(from_ms, ...requested.map(({ issued_ms }) => issued_ms));
    if (isCut && found.length > 0) {
      gaps.push(
        ...needs
          .filter(({ span }) => span.to_ms > cut_ms)
          .map(({ span }) => ({
            place,
            span: { from_ms: Math.max(span.from_ms, cut_ms), to_ms: span.to_ms },
            reason: 'the response is cut off',
          })),
      );
    }
  }
  return { rows, hourly_forecasts, unusable, gaps, notes };
}

const getKey = ({ latitude, longitude }: { latitude: number; longitude: number }): string =>
  `${latitude} ${longitude}`;

/** The point of a station among those of all products, the same for each product; or why no point fits. */
function nearestPoint(
  place: StationPlace,
  products: readonly Product[],
): { key: string; name: string; km: number } | string {
  const points = new Map(
    products.flatMap((product) => product.points.map((point) => [getKey(point), point])),
  );
  const [nearest, next] = [...points]
    .map(([key, { name, longitude, latitude }]) => ({
      key,
      name,
      km: EARTH_KM * geoDistance([place.longitude, place.latitude], [longitude, latitude]),
    }))
    .sort((a, b) => a.km - b.km);
  if (nearest === undefined || nearest.km > FARTHEST_KM)
    return `PFM${place.wfo} has no point within ${FARTHEST_KM} km of ${place.station_id}`;
  if (next !== undefined && next.km - nearest.km < GRAIN_KM) {
    return `PFM${place.wfo} has two points as near to ${place.station_id} as one another`;
  }
  return nearest;
}

interface IssuedLine {
  issued_ms: number;
  row: FeedLine;
}

/** The products' forecasts for the point, of days and of hours. Each value is the last one of an issuance and its corrections. */
function readForecasts(
  place: StationPlace,
  { key }: { key: string },
  products: readonly Product[],
  unusable: Reading['unusable'],
): { found: IssuedLine[]; hourly: IssuedLine[] } {
  const rows = new Map<string, IssuedLine>();
  const hourly = new Map<string, IssuedLine>();
  // In the order of issuance, and there CCA after what it corrects and before CCB.
  const inOrder = [...products].sort((a, b) => a.issued_ms - b.issued_ms || (a.heading < b.heading ? -1 : 1));
  for (const { heading, issued_ms, points } of inOrder) {
    const blocks = points.filter((point) => getKey(point) === key);
    const [block] = blocks;
    if (block === undefined) continue;
    const unit = `${place.station_id} ${heading} of ${minuteText(issued_ms)}`;
    if (blocks.length > 1) {
      unusable.push({
        unit,
        reason: `its point occurs ${blocks.length} times: ${blocks.map(({ name }) => name).join(', ')}`,
      });
      continue;
    }
    const { extremes, hours } = readTables(block, issued_ms, unit, unusable);
    for (const line of hourlyLines(place, issued_ms, hours))
      hourly.set(`${issued_ms} ${line.valid_at}`, { issued_ms, row: line });
    for (const { what, date, value } of extremes) {
      const fact = `${issued_ms} ${date}`;
      const row = rows.get(fact)?.row ?? {
        station_id: place.station_id,
        issued_at: new Date(issued_ms).toISOString(),
        target_date: date,
        high_f: '',
        low_f: '',
        provider: PROVIDER,
      };
      rows.set(fact, { issued_ms, row: { ...row, [what]: `${value}` } });
    }
  }
  return { found: [...rows.values()], hourly: [...hourly.values()] };
}

/** The lines of the hours that begin at the issuance or later. */
const hourlyLines = (
  { station_id }: StationPlace,
  issued_ms: number,
  hours: readonly HourlyValues[],
): FeedLine[] =>
  hours
    .filter(({ valid_ms }) => isHourKept(issued_ms, valid_ms))
    .map(({ valid_ms, cells }) => ({
      station_id,
      issued_at: new Date(issued_ms).toISOString(),
      valid_at: new Date(valid_ms).toISOString(),
      provider: PROVIDER,
      ...cells,
    }));
