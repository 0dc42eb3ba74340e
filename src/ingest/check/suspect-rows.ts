import type { ValueFeed } from '../../feeds/feeds.js';
import { getCelsiusName, getNamesByUnit } from '../../feeds/file-columns.js';

/**
 * A staged value that a check flags as suspect, and what it is compared with, °F. Once its day has forecasts of the ledger,
 * data/suspects judges an observation by finer checks.
 */
export interface SuspectRow {
  feed: ValueFeed;
  column: string;
  row_number: number;
  value_f: number;
  check: Check;
  lowest_f: number;
  highest_f: number;
}

/** How a report words each check; the checks have the names of QARTOD and GHCN-Daily. */
export const REASONS = {
  'buddy check of members': 'far from the other members of its forecast',
  'buddy check of the day': 'far from the other values of its day',
  'spike in days': 'far from the days around it',
  'spike in hours': 'far from the reports around it',
  'buddy check of the hour': 'far from the other values of its hour',
  'spike in forecast hours': 'far from the hours around it',
  'spike in normals': 'far from the normals around it',
  'climatology check': 'far from what is observed in its month',
} as const;

export type Check = keyof typeof REASONS;

/** The value in °F if it is in °C in a column of °F, or the reverse. */
const inOtherUnit = ({ value_f, is_celsius }: { value_f: number; is_celsius: boolean }): number =>
  is_celsius ? (value_f - 32) / 1.8 : value_f * 1.8 + 32;

/** How near what a value may be meant as has to be to the others. */
const NEAR_F = 10;

/** Why a value is suspect, in words. */
export const getReason = ({ check }: SuspectRow): string => REASONS[check];

/**
 * The finding, and what it may be, in the unit of the file.
 * @param cells of its row, by the names of the file's columns
 */
export function formatDetail(suspect: SuspectRow, cells: Readonly<Record<string, string>>): string {
  const { column, value_f, check, lowest_f, highest_f } = suspect;
  const is_celsius = cells[getCelsiusName(column) ?? ''] !== undefined;
  const shown = (degrees_f: number): string =>
    `${Math.round(10 * (is_celsius ? (degrees_f - 32) / 1.8 : degrees_f)) / 10}`;
  const others =
    shown(lowest_f) === shown(highest_f) ? shown(lowest_f) : `${shown(lowest_f)} to ${shown(highest_f)}`;
  const isNear = (degrees_f: number): boolean =>
    degrees_f > lowest_f - NEAR_F && degrees_f < highest_f + NEAR_F;
  const quotedCell = quotedCells(
    [column],
    check === 'buddy check of members' ? { ...cells, member: '' } : cells,
  );
  const hint = isNear(inOtherUnit({ value_f, is_celsius }))
    ? `; is it in ${is_celsius ? 'Fahrenheit' : 'Celsius'}?`
    : /=[+-]?9[9.]+$/.test(quotedCell)
      ? '; is it a missing value? Leave the cell blank'
      : '';
  const quoted = quotedCell || `the mean of members, ${shown(value_f)}`;
  return `${quoted} at ${cells.station_id ?? ''}, others ${others} °${is_celsius ? 'C' : 'F'}${hint}`;
}

/** Cells of a row as its file has them, those that are not blank. A forecast has other temperatures than the row of a member. */
export const quotedCells = (
  columns: readonly string[],
  cells: Readonly<Record<string, string | undefined>>,
): string => {
  const names = columns.map((column) => {
    if (cells.member && getCelsiusName(column) !== undefined) return undefined;
    return getNamesByUnit(column).find((name) => cells[name] !== undefined);
  });
  return names
    .flatMap((name) => (name === undefined || cells[name] === '' ? [] : [`${name}=${cells[name]}`]))
    .join(', ');
};
