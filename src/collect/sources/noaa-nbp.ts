import { DAY_MS, HOUR_MS, isoInstant, MINUTE_MS } from '../../statistics/time/calendar.js';
import { minuteText, plainText } from '../plain-text.js';
import {
  type FeedLine,
  type Need,
  type Reading,
  type Request,
  type CodeSource,
  type Sieve,
  type UnusablePart,
  GapError,
} from '../source.js';
import { listRuns, planRuns } from '../collected-spans.js';
import { extremeAt, isInBlend } from './nbm/extremes.js';

// The probabilistic text of the National Blend of Models (NBP): mean, standard deviation and quantiles of each maximum
// and minimum up to nine days ahead, from NOAA's own archive. One text has all 9,500 stations.
//
// A maximum is of 12Z to 06Z, a minimum of 00Z to 18Z: 18 hours, and not the climate day of the observations. The blend's
// card of its texts names these hours for NBS and NBE. For NBP it names only the hours of its extremes.

const PROVIDER = 'nbp';

/**
 * Extremes are in the texts of 01Z, 07Z, 13Z and 19Z. At 13Z it is between 3 and 9 AM of one date from Hawaii to
 * Puerto Rico. So at every station the first maximum is of the next day.
 */
const RUNS = {
  every_ms: DAY_MS,
  first_ms: 13 * HOUR_MS,
  /** The delay of the blend's other texts, too. On 60 days since 2021 the median was 66 minutes, and the longest 137. */
  out_ms: 75 * MINUTE_MS,
};
/** A text of 13Z from 2024 has 34.8 MB, one from 2026 34.7 MB. */
const BYTES = 35e6;
const WARMEST_F = 150;
const WIDEST_F = 50;

/** The row of each value of an extreme, and what its column has between `high` or `low` and the unit. */
const VALUES = {
  TXNMN: '',
  TXNSD: '_sd',
  TXNP1: '_p10',
  TXNP2: '_p25',
  TXNP5: '_p50',
  TXNP7: '_p75',
  TXNP9: '_p90',
};
const COLUMNS = ['high', 'low'].flatMap((kind) => Object.values(VALUES).map((name) => `${kind}${name}_f`));

export const noaaNbp: CodeSource = {
  name: 'noaa-nbp',
  feed: 'forecasts',
  provider: PROVIDER,
  host: 'noaa',
  isOff: true,
  // The first day whose text has been seen in a list of the archive.
  earliest: '2021-01-15',
  // A run does not change, and no pass asks for it twice. The overlap is longer than its delay, or a pass before it is out
  // would count it as read.
  overlap_ms: 2 * HOUR_MS,
  schedule: [{ cron: '30 15 * * *', overlap_ms: 2 * HOUR_MS }],
  attribution:
    'National Blend of Models of NOAA/NWS (public domain), its probabilistic text NBP from the archive of NOAA. Its highs and lows are of 18 hours (12 to 06 and 00 to 18 UTC), not of the climate day',
  serves: isInBlend,
  plan,
  sieve,
  read: ([body = ''], { covers }) => read(body, covers),
  refusal: (status, body) =>
    status === 404 && body.includes('NoSuchKey')
      ? new GapError('the archive does not have this run', 'final')
      : undefined,
  expected: ({ from_ms, to_ms }, requested_ms) =>
    listRuns({ from_ms, to_ms: Math.min(to_ms, requested_ms - RUNS.out_ms + 1) }, DAY_MS, RUNS.first_ms)
      .length,
  estimatedBytes: () => BYTES,
};

/** One request for a run and all stations. */
function plan(needs: readonly Need[], requested_ms: number): Request[] {
  const runs = planRuns(needs, RUNS, requested_ms);
  return runs.map(({ run_ms, covers }) => ({ paths: [makePath(run_ms)], covers, requested_ms }));
}

function makePath(run_ms: number): string {
  const [date = '', hour = ''] = new Date(run_ms).toISOString().split(/T|:/);
  return `/blend.${date.replaceAll('-', '')}/${hour}/text/blend_nbptx.t${hour}z`;
}

/** The first line of a station's part, such as ` KNYC    NBM V5.0 NBP GUIDANCE    9/28/2026  1300 UTC`. */
const HEADER = /^ ?([A-Z0-9]+) +NBM V\S+ NBP GUIDANCE +(\d+)\/(\d+)\/(\d{4}) +(\d\d)00 UTC\s*$/;
const ROW = new RegExp(`^ ?(UTC|FHR|${Object.keys(VALUES).join('|')}) `);

/** Keeps what stands before all stations, and the rows of those that are wanted; ends behind the last of them. */
function sieve({ covers }: Request): Sieve {
  const missing = new Set(covers.map(({ place }) => place.station_id));
  let part: 'before' | 'wanted' | 'other' = 'before';
  return (line) => {
    const [, station] = HEADER.exec(line) ?? [];
    if (station === undefined)
      return part === 'before' || (part === 'wanted' && ROW.test(line)) ? 'keep' : 'drop';
    if (missing.size === 0) return 'enough';
    const isFirst = part === 'before';
    part = missing.delete(station) ? 'wanted' : 'other';
    // The first header shows that it is such a text.
    return part === 'wanted' || isFirst ? 'keep' : 'drop';
  };
}

/** The part of a station, with its rows by name. */
interface Part {
  run_ms: number;
  rows: Map<string, string>;
  /** A row comes twice, as where the header of the next station is lost. */
  isTwo: boolean;
}

/** @throws GapError */
function read(body: string, covers: readonly Need[]): Reading {
  const parts = parseParts(body);
  if (parts.size === 0) throw new GapError(`not a text of NBP: ${plainText(body, 80)}`);
  // The last line ends too, or a 101 that is cut off is a 10.
  if (!body.endsWith('\n')) throw new GapError('the response is cut off');
  const reading: Reading = { rows: [], unusable: [], gaps: [] };
  for (const need of covers) {
    try {
      const part = parts.get(need.place.station_id);
      reading.rows.push(...readDays(part, need, reading.unusable));
    } catch (error) {
      if (!(error instanceof GapError)) throw error;
      reading.gaps.push({ ...need, reason: error.message, kind: error.kind });
    }
  }
  const failure = reading.gaps.find(({ kind }) => kind === 'absent');
  if (reading.rows.length === 0 && failure !== undefined) throw new GapError(failure.reason);
  return reading;
}

/** The first part of each station. */
function parseParts(body: string): Map<string, Part> {
  const parts = new Map<string, Part>();
  let part: Part | undefined;
  for (const line of body.split('\n')) {
    const [, station, month, day, year, hour] = HEADER.exec(line) ?? [];
    const [, name] = ROW.exec(line) ?? [];
    if (station !== undefined) {
      const run_ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour));
      part = { run_ms, rows: new Map(), isTwo: false };
      if (!parts.has(station)) parts.set(station, part);
    } else if (name !== undefined && part !== undefined) {
      part.isTwo ||= part.rows.has(name);
      part.rows.set(name, line);
    }
  }
  return parts;
}

/** Where a row is parted into days. */
const findBars = (row: string): string => [...row.matchAll(/\|/g)].map(({ index }) => index).join();

/**
 * The forecasts of one run for a station, a row for each date.
 * @throws GapError, final for a text without it, because no later text is of this run
 */
function readDays(part: Part | undefined, { place, span }: Need, unusable: UnusablePart[]): FeedLine[] {
  const { station_id } = place;
  const [run_ms = NaN] = listRuns(span, DAY_MS, RUNS.first_ms);
  // A row without any value is left out of the text.
  if (part?.rows.has('TXNMN') !== true) throw new GapError(`NBP has no extremes of ${station_id}`, 'final');
  const { rows } = part;
  const isOne = !part.isTwo && new Set([...rows.values()].map(findBars)).size === 1;
  if (part.run_ms !== run_ms || !isOne)
    throw new GapError(`${station_id}: rows of another run, or of two stations`);
  const issued_at = isoInstant(run_ms + RUNS.out_ms);
  const days = new Map<string, Record<string, string>>();
  for (const { valid_ms, ends } of findColumns(part, station_id)) {
    const extreme = extremeAt(valid_ms, place);
    if (extreme === undefined) throw new GapError(`${station_id}: a column of ${minuteText(valid_ms)}`);
    const { kind, date } = extreme;
    const values = Object.entries(VALUES).map(([row, name]) => {
      const cell = (rows.get(row) ?? '').slice(ends - 4, ends + 1);
      const value = valueIn(cell, row === 'TXNSD');
      if (value === undefined)
        unusable.push({
          unit: `${station_id} ${row} of ${minuteText(run_ms)} for ${minuteText(valid_ms)}`,
          reason: `${plainText(cell, 20)} is not a number of whole °F`,
        });
      return [`${kind}${name}_f`, value ?? ''] as const;
    });
    if (values[0]?.[1] === '') continue;
    const day = days.get(date) ?? Object.fromEntries(COLUMNS.map((name) => [name, '']));
    days.set(date, { ...day, ...Object.fromEntries(values) });
  }
  return [...days].map(([target_date, values]) => ({
    station_id,
    issued_at,
    target_date,
    ...values,
    provider: PROVIDER,
  }));
}

/** The time of each column, and where its cells end. @throws GapError where the columns do not follow one another */
function findColumns({ run_ms, rows }: Part, station_id: string): { valid_ms: number; ends: number }[] {
  const utc = rows.get('UTC') ?? '';
  const columns = [...(rows.get('FHR') ?? '').matchAll(/\d+/g)].map(({ 0: hours, index }) => ({
    valid_ms: run_ms + Number(hours) * HOUR_MS,
    ends: index + hours.length,
  }));
  const [first_ms = NaN] = columns.map(({ valid_ms }) => valid_ms);
  const isInOrder = columns.every(
    ({ valid_ms, ends }, at) =>
      valid_ms === first_ms + (at * DAY_MS) / 2 &&
      utc.slice(ends - 2, ends) === new Date(valid_ms).toISOString().slice(11, 13),
  );
  if (columns.length === 0 || !isInOrder)
    throw new GapError(`${station_id}: its columns do not follow one another`);
  return columns;
}

/**
 * The number of a cell of three characters, given with those around it, which part it from the cells beside it; blank where
 * it is missing, undefined where it is no number.
 */
function valueIn(cell: string, isDeviation: boolean): string | undefined {
  if (/^[ |]?( *|-99)[ |\r]?$/.test(cell)) return '';
  const value = /^[ |] {0,2}-?\d{1,3}[ |\r]?$/.test(cell) ? parseInt(cell.slice(1), 10) : NaN;
  const [min, max] = isDeviation ? [0, WIDEST_F] : [-WARMEST_F, WARMEST_F];
  return value >= min && value <= max ? `${value}` : undefined;
}
