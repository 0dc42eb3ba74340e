import {
  CELSIUS_COLUMNS,
  type CelsiusCells,
  type FeedColumn,
  type FeedRow,
  DISTRIBUTION_COLUMNS,
  type StationFact,
  type ValueFeed,
} from './columns.js';
import { areAscending } from '../../statistics/quantiles.js';
import type { LoadClock } from './load-clock.js';
import {
  calendarDate,
  celsius,
  degrees,
  instant,
  matching,
  monthDay,
  readPrecipitation,
  readStandardDeviation,
  readTemperature,
  Rejection,
  shortCell,
  timeZone,
} from './values.js';

// Judges the rows of each feed: what one says, or why it cannot be used. A row of values stays a row: its cells
// in the plain form that the engine takes (stage/plain-rows.ts), so that a row judged here and one taken as it stands end the same way.

/** The cells of a row by column; a column that is left out is blank. */
export type Cells = Partial<Record<FeedColumn, string>>;

/** The facts by which a row of values is judged. */
export interface RowFacts {
  /** A station of the store or of this load, a withdrawn one as well. */
  station: (stationId: string) => StationFact | undefined;
  clock: LoadClock;
}

export interface RowContext extends RowFacts {
  /** Receives why a part of a row is left out. */
  warn: (reason: string, detail: string) => void;
}

// No controls, and no code points that are no characters: XML has no way to write U+FFFE, and a chart is XML.
/** A name of a station, an alias or a member. */
export const NAME = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{1,100}$/u;
const CLIMATE_ZONE = /^[^\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]{0,40}$/u;

/**
 * @param known the station as the store or an earlier row has it
 * @returns undefined when the row withdraws an unknown station: it says nothing
 * @throws Rejection
 */
export function stationFact(
  row: FeedRow<'stations'>,
  known: (stationId: string) => StationFact | undefined,
): StationFact | undefined {
  const station_id = stationId(row.station_id);
  if (isWithdrawn(row)) {
    const before = known(station_id);
    return before && { ...before, withdrawn: true };
  }
  return {
    station_id,
    city_name: matching(row.city_name, 'city_name', NAME, 'a name of 1 to 100 characters'),
    country: matching(row.country.toUpperCase(), 'country', /^[A-Z]{2}$/, 'an ISO 3166 code of two letters'),
    latitude: degrees(row.latitude, 'latitude', 90),
    longitude: degrees(row.longitude, 'longitude', 180),
    timezone: timeZone(row.timezone),
    climate_zone: matching(row.climate_zone, 'climate_zone', CLIMATE_ZONE, 'at most 40 characters'),
    data_active: flag(row.data_active || 'true', 'data_active', /^(true|false)$/, 'true, false or blank'),
    aliases: row.aliases
      .split('|')
      .map((alias) => alias.trim())
      .filter((alias) => alias !== '')
      .map((alias) => matching(alias, 'aliases', NAME, 'a name of 1 to 100 characters')),
    iata: matching(row.iata.toUpperCase(), 'iata', /^([A-Z]{3})?$/, 'three letters or blank'),
    day_boundary:
      matching(
        row.day_boundary.toLowerCase(),
        'day_boundary',
        /^(civil|standard|)$/,
        'civil, standard or blank',
      ) === 'standard'
        ? 'standard'
        : 'civil',
    reported_in: matching(
      row.reported_in.toLowerCase(),
      'reported_in',
      /^(whole_fahrenheit|whole_celsius|)$/,
      'whole_fahrenheit, whole_celsius or blank',
    ) as StationFact['reported_in'],
    withdrawn: false,
  };
}

/** @throws Rejection */
export function forecastCells(row: FeedRow<'forecasts'>, context: RowContext): Cells {
  const cells = forecastAlone(row, context);
  return cells.withdrawn === undefined ? { ...cells, ...distributions(row, cells, context.warn) } : cells;
}

/** A forecast without its distribution. @throws Rejection */
export function forecastAlone(row: FeedRow<'forecasts'>, { station, clock }: RowFacts): Cells {
  const { station_id } = knownStation(row.station_id, station);
  const key: Cells = {
    station_id,
    issued_at: instant(row.issued_at),
    target_date: calendarDate(row.target_date),
    provider: matching(
      row.provider,
      'provider',
      /^([a-z0-9][a-z0-9-]{0,31})?$/,
      '1 to 32 of a-z, 0-9 and -, beginning with a letter or digit',
    ),
  };
  if (isWithdrawn(row)) return { ...key, withdrawn: 'true' };
  const cells = { ...key, ...temperatures(row) };
  clock.checkPast('forecast issued', row.issued_at, key.issued_at ?? '');
  return cells;
}

/** @throws Rejection */
export function observationCells(row: FeedRow<'observations'>, { station, clock }: RowContext): Cells {
  const place = knownStation(row.station_id, station);
  const date = calendarDate(row.date);
  const status = matching(row.status, 'status', /^(preliminary|verified)$/, 'preliminary or verified');
  const key: Cells = { station_id: place.station_id, date, status, observed_at: instant(row.observed_at) };
  if (isWithdrawn(row)) return { ...key, withdrawn: 'true' };
  const cells = { ...key, ...temperatures(row) };
  if (status === 'verified') clock.checkVerified(place, date);
  clock.checkReported(place, date, row.observed_at, key.observed_at ?? '');
  return cells;
}

/** @throws Rejection */
export function normalCells(row: FeedRow<'normals'>, { station }: RowContext): Cells {
  const key: Cells = {
    station_id: knownStation(row.station_id, station).station_id,
    month_day: monthDay(row.month_day),
  };
  return isWithdrawn(row) ? { ...key, withdrawn: 'true' } : { ...key, ...temperatures(row) };
}

/** @throws Rejection */
export function hourCells(row: FeedRow<'hours'>, { station, clock }: RowContext): Cells {
  const { station_id } = knownStation(row.station_id, station);
  const key: Cells = { station_id, at: instant(row.at) };
  if (isWithdrawn(row)) return { ...key, withdrawn: 'true' };
  const cells = {
    ...key,
    temp_f: temperature(row, 'temp_f'),
    max_6h_f: temperature(row, 'max_6h_f'),
    min_6h_f: temperature(row, 'min_6h_f'),
    precip_in: readPrecipitation(row.precip_in),
    sky: matching(
      row.sky.toUpperCase(),
      'sky',
      /^(CLR|FEW|SCT|BKN|OVC|VV|)$/,
      'CLR, FEW, SCT, BKN, OVC, VV or blank',
    ),
  };
  clock.checkPast('temperature measured', row.at, key.at ?? '');
  return cells;
}

/** By feed: makes a row in plain form of one in another form. @throws Rejection */
export const CELLS: { [Name in ValueFeed]: (row: FeedRow<Name>, context: RowContext) => Cells } = {
  forecasts: forecastCells,
  observations: observationCells,
  normals: normalCells,
  hours: hourCells,
};

const temperatures = (row: { high_f: string; low_f: string } & CelsiusCells): Cells => ({
  high_f: temperature(row, 'high_f'),
  low_f: temperature(row, 'low_f'),
});

/** The temperature of a column, °F, as text; blank for none. */
function temperature<Column extends keyof typeof CELSIUS_COLUMNS>(
  row: Record<Column, string> & CelsiusCells,
  column: Column,
): string {
  const inCelsius = CELSIUS_COLUMNS[column];
  const text = row[inCelsius];
  const value = text === undefined ? readTemperature(row[column], column) : celsius(text, inCelsius);
  return value === undefined ? '' : `${value}`;
}

const DISTRIBUTIONS = (['high_f', 'low_f'] as const).map((temperature) => {
  const { sd, quantiles } = DISTRIBUTION_COLUMNS[temperature];
  return { temperature, sd, columns: [sd, ...quantiles] };
});

/**
 * The distributions of these temperatures. Where the quantiles of one fall, those of the row are left out.
 * @throws Rejection
 */
function distributions(row: FeedRow<'forecasts'>, values: Cells, warn: RowContext['warn']): Cells {
  const cells: Cells = {};
  let falling = '';
  for (const { temperature: of, sd, columns } of DISTRIBUTIONS) {
    const quantiles: number[] = [];
    const quoted: string[] = [];
    for (const column of columns) {
      const inCelsius = row[CELSIUS_COLUMNS[column]];
      const text = inCelsius ?? row[column];
      if (text === '') continue;
      const name = inCelsius === undefined ? column : CELSIUS_COLUMNS[column];
      if (values[of] === '')
        throw new Rejection('distribution without its temperature', `${name}=${shortCell(text)}`);
      if (column === sd) {
        cells[column] = `${readStandardDeviation(text, name, inCelsius === undefined ? 5 : 9) ?? ''}`;
        continue;
      }
      cells[column] = temperature(row, column);
      quantiles.push(Number(cells[column]));
      quoted.push(`${name}=${text}`);
    }
    if (!areAscending(quantiles)) falling ||= quoted.join(', ');
  }
  if (falling === '') return cells;
  warn('quantiles not ascending, left out', falling);
  return { high_sd_f: cells.high_sd_f ?? '', low_sd_f: cells.low_sd_f ?? '' };
}

function isWithdrawn(row: { withdrawn: string }): boolean {
  return flag(row.withdrawn, 'withdrawn', /^(true|false|)$/, 'true, false or blank');
}

function flag(text: string, column: string, form: RegExp, wanted: string): boolean {
  return matching(text.toLowerCase(), column, form, wanted) === 'true';
}

function knownStation(text: string, station: RowContext['station']): StationFact {
  const found = station(text.toUpperCase());
  if (found === undefined) throw new Rejection('unknown station', stationId(text));
  return found;
}

const STATION_ID = '3 to 24 of A-Z, 0-9 and -, beginning with a letter or digit';

function stationId(text: string): string {
  return matching(text.toUpperCase(), 'station_id', /^[A-Z0-9][A-Z0-9-]{2,23}$/, STATION_ID);
}
