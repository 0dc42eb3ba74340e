import { VARIABLE_NAMES, type VariableName, VARIABLES } from '../variables/variables.js';
import type { ValueFeed } from './columns.js';

/** A column with the values of a variable, in the column's own unit. */
export interface ValueColumn {
  variable: VariableName;
  column: string;
}

/** A column by which a value is told from others; `text` is also a day of the year, MM-DD. */
export interface KeyColumn {
  column: string;
  kind: 'text' | 'instant' | 'date' | 'status';
}

/** The column of a variable in a feed; undefined where the feed has none. */
function columnOf(feed: ValueFeed, name: VariableName): string | undefined {
  const { of, period } = VARIABLES[name];
  const isOfHours = feed === 'hours' || feed === 'hourly_forecasts';
  if (isOfHours !== (period === 'hour')) return undefined;
  if ('chance' in of) return { forecasts: of.chance, observations: of.amount }[feed as string]?.[0].name;
  return 'columns' in of ? of.columns[0].name : undefined;
}

/** The columns of values of a feed, in the order of the registry of variables. */
export const valueColumns = (feed: ValueFeed): readonly ValueColumn[] =>
  VARIABLE_NAMES.flatMap((variable) => {
    const column = columnOf(feed, variable);
    return column === undefined ? [] : [{ variable, column }];
  });

const station: KeyColumn = { column: 'station_id', kind: 'text' };
const provider: KeyColumn = { column: 'provider', kind: 'text' };
const instant = (column: string): KeyColumn => ({ column, kind: 'instant' });
const date = (column: string): KeyColumn => ({ column, kind: 'date' });

const KEY_COLUMNS: Record<ValueFeed, readonly KeyColumn[]> = {
  forecasts: [station, instant('issued_at'), date('target_date'), provider],
  observations: [station, date('date'), { column: 'status', kind: 'status' }, instant('observed_at')],
  normals: [station, { column: 'month_day', kind: 'text' }],
  hours: [station, instant('at')],
  hourly_forecasts: [station, instant('issued_at'), instant('valid_at'), provider],
};

/** The columns of the key of a feed's rows, in the order in which they are read. */
export const keyColumns = (feed: ValueFeed): readonly KeyColumn[] => KEY_COLUMNS[feed];
