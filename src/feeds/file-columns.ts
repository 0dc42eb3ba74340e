import { nearest } from '../lib/nearest.js';
import type { Column, FileColumn } from './columns.js';
import { type FeedName, FEEDS, getColumns } from './feeds.js';

// The columns of a feed in a file: which of their names it has, and what its other columns may be.

/** A column of a feed as a file has it, in the unit of the file. */
export interface ColumnOfFile<Kept = string> extends FileColumn<Kept> {
  column: Column<Kept>;
}

/**
 * The columns of a feed in a file with these names. Its temperatures are in one unit, those that it lacks as well; any other is
 * in its own unit unless the file has it in another one.
 */
export function getFileColumns<Kept>(
  columns: readonly Column<Kept>[],
  names: readonly string[],
): ColumnOfFile<Kept>[] {
  const has = ({ name }: FileColumn<Kept>): boolean => names.includes(name);
  const isCelsius = columns.some(({ isTemperature, others }) => isTemperature && others.some(has));
  return columns.map((column) => {
    const other = column.isTemperature && isCelsius ? column.others[0] : column.others.find(has);
    return { ...(other ?? column), column };
  });
}

/** The columns of a feed that such a file has. */
export const getPresentColumns = <Kept>(
  columns: readonly Column<Kept>[],
  names: readonly string[],
): ColumnOfFile<Kept>[] => getFileColumns(columns, names).filter(({ name }) => names.includes(name));

/** The names under which files may have a column, in its own unit last. */
const NAMES = new Map(
  Object.values(FEEDS)
    .flatMap(({ columns }) => columns)
    .map(({ name, others }) => [name, [...others.map((other) => other.name), name]] as const),
);

export const getNamesByUnit = (name: string): readonly string[] => NAMES.get(name) ?? [name];

/** The names of temperatures, in °F and in °C. */
const TEMPERATURES = new Map(
  Object.values(FEEDS)
    .flatMap(({ columns }) => columns)
    .filter(({ isTemperature }) => isTemperature)
    .flatMap(({ name, others }) => others.map((inCelsius) => [name, inCelsius.name] as const)),
);

/** The name of a column in °C; undefined of no temperature. */
export const getCelsiusName = (name: string): string | undefined => TEMPERATURES.get(name);

/** The names of temperatures among these. */
export const getTemperatureNames = (names: readonly string[]): string[] =>
  [...TEMPERATURES].flat().filter((name) => names.includes(name));

/** A column of a file that its feed does not have, and the feed's column that it may be. */
export interface UnreadColumn {
  name: string;
  nearest?: string;
}

/** Columns that a report lists: a header may have thousands, and each is compared with all columns of the feed. */
const MAX_UNREAD = 100;

/** The columns of a header that the feed does not have. */
export function getUnreadColumns(feed: FeedName, names: readonly string[]): UnreadColumn[] {
  const columns = getFileColumns(getColumns(feed), names);
  const known = new Set(columns.map(({ name }) => name));
  const absent = columns.filter(({ name }) => !names.includes(name));
  return [...new Set(names)]
    .filter((name) => name !== '' && !known.has(name))
    .slice(0, MAX_UNREAD)
    .map((name) => {
      const near = nearestColumn(name, absent);
      return near === undefined ? { name } : { name, nearest: near };
    });
}

/** The absent column that a name may mean: names of quantiles are near each other, so one of a level means that level alone. */
function nearestColumn(name: string, absent: readonly ColumnOfFile<unknown>[]): string | undefined {
  const level = levelOf(name);
  const ofLevel = absent.filter(({ column }) => column.level === level);
  const [near] = nearest(
    name,
    ofLevel.map((each) => each.name),
    1,
  );
  return near ?? absent.find(({ column }) => column.synonyms.includes(name))?.column.name;
}

/** The level of a quantile in a name, %; NaN if it can be read in two ways, as 025 may be 2.5% or 25%; undefined without digits. */
function levelOf(name: string): number | undefined {
  const [, digits] = /_[a-z]*(\d.*)/s.exec(name.replace(/_[cf]$/, '')) ?? [];
  if (digits === undefined) return undefined;
  return /^\d\d?$/.test(digits) ? Number(digits) : NaN;
}
