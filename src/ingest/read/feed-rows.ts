import type { Column } from '../../feeds/columns.js';
import {
  AMOUNT_COLUMNS,
  DISTRIBUTIONS,
  FEEDS,
  getColumn,
  STATION_COLUMNS,
  type ValueFeed,
} from '../../feeds/feeds.js';
import { getPresentColumns } from '../../feeds/file-columns.js';
import { type StationFact, stationRow } from '../../feeds/stations.js';
import { Rejection, shortCell } from '../../feeds/values.js';
import { areAscending } from '../../statistics/quantiles.js';
import type { LoadClock } from './load-clock.js';

// Judges the rows of each feed: what one says, or why it cannot be used. A row of values stays a row: its cells
// in the plain form that the engine takes.

/** A row of a file: the text of each of its columns that the feed has, trimmed, by the name in the file. */
export type FeedRow = Readonly<Record<string, string>>;

/** The cells of a row by column; one that is left out is blank. */
export type Cells = Partial<Record<string, string>>;

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

/** The column by which every feed names a station. */
const STATION_ID = getColumn('forecasts', 'station_id');
const ID_AND_WITHDRAWN = STATION_COLUMNS.filter(({ name }) => name === 'station_id' || name === 'withdrawn');

const readStation = (row: FeedRow, columns: typeof STATION_COLUMNS): Record<string, unknown> =>
  Object.fromEntries(columns.map(({ name, read }) => [name, read(row[name] ?? '', name)]));

/**
 * @param known the station as the store or an earlier row has it
 * @returns undefined when the row withdraws an unknown station: it says nothing
 * @throws Rejection
 */
export function stationFact(
  row: FeedRow,
  known: (stationId: string) => StationFact | undefined,
): StationFact | undefined {
  const { station_id, withdrawn } = readStation(row, ID_AND_WITHDRAWN);
  if (withdrawn !== true) return stationRow.parse(readStation(row, STATION_COLUMNS));
  const before = known(String(station_id));
  return before && { ...before, withdrawn: true };
}

/** A cell of a row: its name in the file, and its column; of a quantile, the level. All have one shape, for speed. */
interface CellReader {
  name: string;
  read: Column['read'];
  column: string;
  level: number | undefined;
}

/** Makes a row in plain form of one as its file has it. @throws Rejection */
export type ReadRow = (row: FeedRow, context: RowContext) => Cells;

/**
 * Makes the reader of a file, by its columns: to look for a column in each row takes as long as to read a cell.
 * @param names the columns of the file.
 * @param isOfMembers whether a row is a member of an ensemble, which has neither a chance nor a distribution
 */
export function makeReader(feed: ValueFeed, names: readonly string[], isOfMembers = false): ReadRow {
  const present = getPresentColumns(FEEDS[feed].columns, names);
  const select = (isOne: (column: Column) => boolean): CellReader[] =>
    present
      .filter(({ column }) => isOne(column))
      .map(({ name, read, column }) => ({ name, read, column: column.name, level: column.level }));
  const key = select(({ role, name }) => role === 'key' && name !== STATION_ID.name);
  const values = select(({ role }) => role === 'value');
  const stated = select(({ role }) => role === 'stated');
  const [withdrawn] = select(({ name }) => name === 'withdrawn');
  const [precipHours] = select(({ name }) => name === 'precip_hours');
  const distributions = DISTRIBUTIONS.map(({ temperature }): DistributionOfFile => ({
    temperature,
    columns: select(({ of }) => of === temperature),
  })).filter(({ columns }) => columns.length > 0);
  return (row, context) => {
    const station = knownStation(row.station_id!, context.station);
    const cells: Cells = { station_id: station.station_id };
    for (const { column, name, read } of key) cells[column] = read(row[name]!, name);
    if (withdrawn !== undefined && row.withdrawn !== '' && withdrawn.read(row.withdrawn!, 'withdrawn')) {
      cells.withdrawn = 'true';
      return cells;
    }
    addCells(row, cells, values);
    if (precipHours !== undefined) moveAmount(precipHours.read(row.precip_hours!, 'precip_hours'), cells);
    checkTime(FEEDS[feed], row, cells, station, context.clock);
    if (isOfMembers) return cells;
    addCells(row, cells, stated);
    if (distributions.length > 0) addDistributions(row, cells, distributions, context.warn);
    return cells;
  };
}

function addCells(row: FeedRow, cells: Cells, columns: readonly CellReader[]): void {
  for (const { column, name, read } of columns) {
    const text = row[name]!;
    // Blank ones as well: cells of one shape are read in nine tenths of the time.
    cells[column] = text === '' ? '' : read(text, name);
  }
}

/** Puts the amount of an hour under the hours that its row says. @throws Rejection where the row has an amount of these as well */
function moveAmount(hours: string, cells: Cells): void {
  const [from, to] = [AMOUNT_COLUMNS['1']!, AMOUNT_COLUMNS[hours || '1']!];
  if (to === from || !cells[from]) return;
  if (cells[to])
    throw new Rejection(
      'two amounts of the same hours',
      `${to}=${cells[to]} beside ${from}=${cells[from]} with precip_hours=${hours}; leave one of them out`,
    );
  [cells[to], cells[from]] = [cells[from], ''];
}

/** @throws Rejection of what has not happened yet */
function checkTime(
  { happened, valid }: (typeof FEEDS)[ValueFeed],
  row: FeedRow,
  cells: Cells,
  station: StationFact,
  clock: LoadClock,
): void {
  if (happened === undefined) return;
  const { what, column, isOfDay } = happened;
  const [written, instant] = [row[column]!, cells[column]!];
  if (isOfDay === undefined) clock.checkPast(what, written, instant);
  else {
    if (cells.status === 'verified') clock.checkVerified(station, cells[valid]!);
    clock.checkReported(station, cells[valid]!, written, instant);
  }
}

/** The columns of the distribution of a temperature that a file has. */
interface DistributionOfFile {
  temperature: string;
  columns: readonly CellReader[];
}

/**
 * Adds the distributions of these temperatures. Where the quantiles of one fall, those of the row are left out.
 * @throws Rejection
 */
function addDistributions(
  row: FeedRow,
  cells: Cells,
  distributions: readonly DistributionOfFile[],
  warn: RowContext['warn'],
): void {
  let falling = '';
  for (const { temperature, columns } of distributions) {
    const quantiles: number[] = [];
    for (const { column, name, read, level } of columns) {
      const text = row[name]!;
      if (text === '') continue;
      if (!cells[temperature])
        throw new Rejection('distribution without its temperature', `${name}=${shortCell(text)}`);
      const cell = read(text, name);
      cells[column] = cell;
      if (level !== undefined) quantiles.push(Number(cell));
    }
    if (!areAscending(quantiles)) falling ||= quantileCells(row, columns);
  }
  if (falling === '') return;
  warn('quantiles not ascending, left out', falling);
  for (const { columns } of distributions)
    for (const { column, level } of columns) if (level !== undefined) delete cells[column];
}

/** The quantiles of a row, as its file has them. */
const quantileCells = (row: FeedRow, columns: readonly CellReader[]): string =>
  columns
    .filter(({ level, name }) => level !== undefined && row[name] !== '')
    .map(({ name }) => `${name}=${row[name]}`)
    .join(', ');

function knownStation(text: string, station: RowFacts['station']): StationFact {
  const found = station(text.toUpperCase());
  if (found === undefined) throw new Rejection('unknown station', STATION_ID.read(text, STATION_ID.name));
  return found;
}
