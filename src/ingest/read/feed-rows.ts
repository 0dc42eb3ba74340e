import {
  CELSIUS_COLUMNS,
  type CelsiusCells,
  DAILY_COLUMNS,
  type FeedColumn,
  type FeedRow,
  DISTRIBUTION_COLUMNS,
  type StationFact,
  type ValueFeed,
} from '../../feeds/columns.js';
import { areAscending } from '../../statistics/quantiles.js';
import type { Header } from './header.js';
import type { LoadClock } from './load-clock.js';
import {
  calendarDate,
  celsius,
  degrees,
  instant,
  matching,
  monthDay,
  readChance,
  readDayAmount,
  readPrecipitation,
  readStandardDeviation,
  readTemperature,
  Rejection,
  remembered,
  shortCell,
  timeZone,
} from './values.js';

// Judges the rows of each feed: what one says, or why it cannot be used. A row of values stays a row: its cells
// in the plain form that the engine takes.

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
  /** The columns of distributions that the file has; without it, all are looked at. */
  distributions?: readonly Distribution[];
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
    city_name: matching(row.city_name, 'city_name', NAME),
    country: matching(row.country.toUpperCase(), 'country', /^[A-Z]{2}$/),
    latitude: degrees(row.latitude, 'latitude'),
    longitude: degrees(row.longitude, 'longitude'),
    timezone: timeZone(row.timezone),
    climate_zone: matching(row.climate_zone, 'climate_zone', CLIMATE_ZONE),
    data_active: flag(row.data_active || 'true', 'data_active'),
    aliases: row.aliases
      .split('|')
      .map((alias) => alias.trim())
      .filter((alias) => alias !== '')
      .map((alias) => matching(alias, 'aliases', NAME)),
    iata: matching(row.iata.toUpperCase(), 'iata', /^([A-Z]{3})?$/),
    day_boundary:
      matching(row.day_boundary.toLowerCase(), 'day_boundary', /^(civil|standard|)$/) === 'standard'
        ? 'standard'
        : 'civil',
    reported_in: matching(
      row.reported_in.toLowerCase(),
      'reported_in',
      /^(whole_fahrenheit|whole_celsius|)$/,
    ) as StationFact['reported_in'],
    withdrawn: false,
  };
}

/** @throws Rejection */
export function forecastCells(row: FeedRow<'forecasts'>, context: RowContext): Cells {
  const cells = forecastAlone(row, context);
  if (cells.withdrawn !== undefined) return cells;
  const { precip_probability, precip_chance } = row;
  if (precip_probability) cells.precip_chance = probability(precip_probability);
  else if (precip_chance !== '') cells.precip_chance = percent(precip_chance);
  addDistributions(row, cells, context);
  return cells;
}

/** A forecast without its distribution. @throws Rejection */
export function forecastAlone(row: FeedRow<'forecasts'>, { station, clock }: RowFacts): Cells {
  const { station_id } = knownStation(row.station_id, station);
  const issued_at = instant(row.issued_at);
  const cells: Cells = {
    station_id,
    issued_at,
    target_date: calendarDate(row.target_date),
    provider: providerName(row.provider),
  };
  if (!addTemperatures(row, cells)) return cells;
  clock.checkPast('forecast issued', row.issued_at, issued_at);
  return cells;
}

const providerName = remembered((text) => matching(text, 'provider', /^([a-z0-9][a-z0-9-]{0,31})?$/));

/** @throws Rejection */
export function observationCells(row: FeedRow<'observations'>, { station, clock }: RowContext): Cells {
  const place = knownStation(row.station_id, station);
  const date = calendarDate(row.date);
  const status = observationStatus(row.status);
  const observed_at = instant(row.observed_at);
  const cells: Cells = { station_id: place.station_id, date, status, observed_at };
  if (!addTemperatures(row, cells)) return cells;
  const { precip_mm, precip_in } = row;
  const amount = precip_mm === undefined ? inchesOfDay(precip_in) : millimetresOfDay(precip_mm);
  if (amount !== '') cells.precip_in = amount;
  if (status === 'verified') clock.checkVerified(place, date);
  clock.checkReported(place, date, row.observed_at, observed_at);
  return cells;
}

const observationStatus = (text: string): string => matching(text, 'status', /^(preliminary|verified)$/);

/** @throws Rejection */
function normalCells(row: FeedRow<'normals'>, { station }: RowContext): Cells {
  const cells: Cells = {
    station_id: knownStation(row.station_id, station).station_id,
    month_day: monthDay(row.month_day),
  };
  addTemperatures(row, cells);
  return cells;
}

/** @throws Rejection */
function hourCells(row: FeedRow<'hours'>, { station, clock }: RowContext): Cells {
  const { station_id } = knownStation(row.station_id, station);
  const at = instant(row.at);
  if (isWithdrawn(row)) return { station_id, at, withdrawn: 'true' };
  const cells = {
    station_id,
    at,
    temp_f: temperature(row, 'temp_f'),
    max_6h_f: temperature(row, 'max_6h_f'),
    min_6h_f: temperature(row, 'min_6h_f'),
    precip_in: precipitation(row.precip_in),
    sky: skyCover(row.sky),
    status: row.status && observationStatus(row.status),
  };
  clock.checkPast('temperature measured', row.at, at);
  return cells;
}

/** @throws Rejection */
function hourlyForecastCells(row: FeedRow<'hourly_forecasts'>, { station, clock }: RowContext): Cells {
  const { station_id } = knownStation(row.station_id, station);
  const issued_at = instant(row.issued_at);
  const cells: Cells = {
    station_id,
    issued_at,
    valid_at: fullHour(row.valid_at),
    provider: providerName(row.provider),
  };
  if (isWithdrawn(row)) return { ...cells, withdrawn: 'true' };
  cells.temp_f = temperature(row, 'temp_f');
  clock.checkPast('forecast issued', row.issued_at, issued_at);
  return cells;
}

const fullHour = remembered((text) => {
  const read = instant(text);
  if (!read.endsWith(':00:00.000'))
    throw new Rejection('invalid valid_at', `${shortCell(text)} is not a full hour, UTC`);
  return read;
});

const precipitation = remembered(readPrecipitation);
const percent = remembered((text) => readChance(text, 'precip_chance'));
const probability = remembered((text) => readChance(text, 'precip_probability'));
const inchesOfDay = remembered((text) => readDayAmount(text, 'precip_in'));
const millimetresOfDay = remembered((text) => readDayAmount(text, 'precip_mm'));

const skyCover = remembered((text) => matching(text.toUpperCase(), 'sky', /^(CLR|FEW|SCT|BKN|OVC|VV|)$/));

/** By feed: makes a row in plain form of one in another form. @throws Rejection */
export const CELLS: { [Name in ValueFeed]: (row: FeedRow<Name>, context: RowContext) => Cells } = {
  forecasts: forecastCells,
  observations: observationCells,
  normals: normalCells,
  hours: hourCells,
  hourly_forecasts: hourlyForecastCells,
};

/** @returns whether the row has values, and does not say that it is withdrawn */
function addTemperatures(
  row: { high_f: string; low_f: string; withdrawn: string } & CelsiusCells,
  cells: Cells,
): boolean {
  if (isWithdrawn(row)) {
    cells.withdrawn = 'true';
    return false;
  }
  cells.high_f = temperature(row, 'high_f');
  cells.low_f = temperature(row, 'low_f');
  return true;
}

/** The temperature of a column, °F, as text; blank for none. */
function temperature<Column extends keyof typeof CELSIUS_COLUMNS>(
  row: Record<Column, string> & CelsiusCells,
  column: Column,
): string {
  const inCelsius = CELSIUS_COLUMNS[column];
  const text = row[inCelsius];
  return text === undefined ? inFahrenheit(row[column], column) : celsiusInFahrenheit(text, inCelsius);
}

const inFahrenheit = remembered((text, column) => `${readTemperature(text, column) ?? ''}`);
const celsiusInFahrenheit = remembered((text, column) => `${celsius(text, column) ?? ''}`);

/** The columns of the distribution of a temperature: its standard deviation, and its quantiles by level. */
export interface Distribution {
  temperature: keyof typeof DISTRIBUTION_COLUMNS;
  columns: readonly (keyof FeedRow<'forecasts'> & keyof typeof CELSIUS_COLUMNS)[];
}

export const DISTRIBUTIONS: readonly Distribution[] = DAILY_COLUMNS.map((temperature) => {
  const { sd, quantiles } = DISTRIBUTION_COLUMNS[temperature];
  return { temperature, columns: [sd, ...quantiles] };
});

export const isStandardDeviation = (column: FeedColumn): boolean =>
  column === 'high_sd_f' || column === 'low_sd_f';

/** The distributions of which a file has columns. */
export const distributionsIn = ({ names }: Header): Distribution[] =>
  DISTRIBUTIONS.map(({ temperature, columns }) => ({
    temperature,
    columns: columns.filter((column) => names.includes(column) || names.includes(CELSIUS_COLUMNS[column])),
  })).filter(({ columns }) => columns.length > 0);

/**
 * Adds the distributions of these temperatures. Where the quantiles of one fall, those of the row are left out.
 * @throws Rejection
 */
function addDistributions(
  row: FeedRow<'forecasts'>,
  cells: Cells,
  { warn, distributions = DISTRIBUTIONS }: RowContext,
): void {
  let falling = '';
  for (const { temperature: of, columns } of distributions) {
    const quantiles: number[] = [];
    for (const column of columns) {
      const inCelsius = row[CELSIUS_COLUMNS[column]];
      const text = inCelsius ?? row[column];
      if (text === '') continue;
      const name = inCelsius === undefined ? column : CELSIUS_COLUMNS[column];
      if (cells[of] === '')
        throw new Rejection('distribution without its temperature', `${name}=${shortCell(text)}`);
      if (isStandardDeviation(column)) {
        cells[column] = inCelsius === undefined ? deviation(text, name) : deviationInCelsius(text, name);
        continue;
      }
      cells[column] = temperature(row, column);
      quantiles.push(Number(cells[column]));
    }
    if (!areAscending(quantiles)) falling ||= quantileCells(row, columns);
  }
  if (falling === '') return;
  warn('quantiles not ascending, left out', falling);
  for (const { columns } of distributions)
    for (const column of columns) if (!isStandardDeviation(column)) delete cells[column];
}

const deviation = remembered((text, name) => `${readStandardDeviation(text, name, 5) ?? ''}`);
const deviationInCelsius = remembered((text, name) => `${readStandardDeviation(text, name, 9) ?? ''}`);

/** The quantiles of a row, as its file has them. */
function quantileCells(row: FeedRow<'forecasts'>, columns: Distribution['columns']): string {
  const names = columns
    .filter((column) => !isStandardDeviation(column))
    .map((column) => (row[CELSIUS_COLUMNS[column]] === undefined ? column : CELSIUS_COLUMNS[column]));
  const cells: Partial<Record<string, string>> = row;
  return names.flatMap((name) => (cells[name] ? [`${name}=${cells[name]}`] : [])).join(', ');
}

function isWithdrawn(row: { withdrawn: string }): boolean {
  return row.withdrawn !== '' && flag(row.withdrawn, 'withdrawn');
}

function flag(text: string, column: 'data_active' | 'withdrawn'): boolean {
  return matching(text.toLowerCase(), column, /^(true|false|)$/) === 'true';
}

function knownStation(text: string, station: RowContext['station']): StationFact {
  const found = station(text.toUpperCase());
  if (found === undefined) throw new Rejection('unknown station', stationId(text));
  return found;
}

function stationId(text: string): string {
  return matching(text.toUpperCase(), 'station_id', /^[A-Z0-9][A-Z0-9-]{2,23}$/);
}
