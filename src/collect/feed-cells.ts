import { type FileColumn } from '../feeds/columns.js';
import { FEEDS } from '../feeds/feeds.js';
import { Rejection } from '../feeds/values.js';
import { plainText } from './plain-text.js';
import type { FeedLine, UnusablePart } from './source.js';

// Numbers of sources as cells of feeds.

const COLUMNS: ReadonlyMap<string, FileColumn> = new Map(
  [FEEDS.hours, FEEDS.hourly_forecasts, FEEDS.forecasts, FEEDS.observations]
    .flatMap(({ columns }) => columns.flatMap((column) => [column, ...column.others]))
    .map((column) => [column.name, column]),
);

/** A value as a cell of a column, a number in hundredths; undefined where a load would reject it, and all of its row. */
export function toCell(column: string, value: unknown): string | undefined {
  const isNumber = typeof value === 'number' || /^[+-]?[\d.]+$/.test(`${value as string}`);
  const cell = isNumber ? `${Math.round(Number(value) * 100) / 100 + 0}` : `${value as string}`;
  try {
    return COLUMNS.get(column)?.read(cell, column) === '' ? undefined : cell;
  } catch (error) {
    if (error instanceof Rejection) return undefined;
    throw error;
  }
}

/** Values of a source as cells: blank where one is missing, or cannot be used. */
export function readCells(
  values: Readonly<Record<string, unknown>>,
  isMissing: (value: unknown) => boolean,
  unit: string,
  unusable: UnusablePart[],
): FeedLine {
  const cells = Object.entries(values).map(([column, value]) => {
    const cell = isMissing(value) ? '' : toCell(column, value);
    if (cell === undefined)
      unusable.push({ unit, reason: `${plainText(JSON.stringify(value), 20)} is no value of ${column}` });
    return [column, cell ?? ''];
  });
  return Object.fromEntries(cells) as FeedLine;
}
