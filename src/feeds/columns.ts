import { LEVELS } from '../statistics/quantiles.js';
import { type Columns, QUANTITIES, type QuantityName, temperatures } from '../variables/declarations.js';
import { type VariableName, VARIABLES } from '../variables/variables.js';
import {
  type ColumnLook,
  getLook,
  getLookOfProbabilities,
  INCHES_OF_HOURS,
  MILLIMETRES_OF_HOURS,
  OF_DEVIATIONS,
} from './looks.js';
import { type NumberForm, readNumber, remembered, formatRange } from './values.js';

// A column of a feed; and the columns of numbers, those of variables among them.

/** A name under which a file may have a column, and how its cells are read. */
export interface FileColumn<Kept = string> {
  name: string;
  /** Returns the value that is kept of a cell. @throws Rejection */
  read: (text: string, name: string) => Kept;
  /** How numbers look that are in another unit, or stand for missing ones. */
  look?: ColumnLook;
}

export interface Column<Kept = string> extends FileColumn<Kept> {
  /**
   * A value is read after the key. Members of an ensemble have no chances (stated beside the values) and no distributions. Any other
   * column is a mark of the row.
   */
  role: 'key' | 'value' | 'stated' | 'distribution' | 'mark';
  kind: 'text' | 'instant' | 'date' | 'status' | 'number';
  /** A cell in words. */
  form: string;
  /** Whether a header must name it. The cells of a missing one are blank (D27, D28, D42, D56, D63, D68). */
  isRequired: boolean;
  /** The variables with its values: an amount is the observation of wet days as well. */
  variables: readonly VariableName[];
  /** The names under which a file may have it in another unit. */
  others: readonly FileColumn<Kept>[];
  /** The temperatures of a file are in one unit (D43). */
  isTemperature: boolean;
  /** The column of the forecast that a distribution is of; the level of a quantile, %. */
  of?: string;
  level?: number;
  /** Names that others use, where the two have no letters in common. */
  synonyms: readonly string[];
}

type Rest<Kept> = Partial<Omit<Column<Kept>, 'name' | 'form' | 'read'>>;

export const defineColumn = <Kept>(
  name: string,
  form: string,
  read: Column<Kept>['read'],
  rest: Rest<Kept> = {},
): Column<Kept> => ({
  ...{
    name,
    form,
    read,
    role: 'mark',
    kind: 'text',
    isRequired: false,
    variables: [],
    others: [],
    isTemperature: false,
  },
  ...{ synonyms: [], ...rest },
});

/** How the numbers of a column are read, beside what is declared of it. */
interface Reading extends Pick<NumberForm, 'what'> {
  quantity: QuantityName;
  /** How numbers of another unit look, by the unit of the column. */
  looks?: Readonly<Partial<Record<string, Partial<ColumnLook>>>>;
}

/** By form: columns of one form share what they remember, else quantiles would take half as long again. */
const READERS = new Map<string, FileColumn['read']>();

function readerOf(form: NumberForm): FileColumn['read'] {
  const key = JSON.stringify(form);
  const read = READERS.get(key) ?? remembered((text, name) => readNumber(text, name, form));
  READERS.set(key, read);
  return read;
}

/** A column of numbers: the first is in the unit that is kept, the others may stand in its place. */
function numberColumn(columns: Columns, { what, quantity, looks }: Reading, rest: Rest<string>): Column {
  const [own, ...others] = columns.map((column): FileColumn => {
    const { name, unit, limits, trace, minOver } = column;
    const scale = QUANTITIES[quantity].units[unit]!;
    return {
      name,
      read: readerOf({ what, unit, limits, scale, minOver, trace }),
      look: getLook(column, looks?.[unit]),
    };
  });
  const trace = columns[0].trace === undefined ? '' : ` ${columns[0].trace} for a trace,`;
  const words = `a decimal number within ${formatRange(columns[0])},${trace} or blank`;
  return defineColumn(columns[0].name, words, own!.read, {
    ...{ kind: 'number', look: own!.look, others, isTemperature: columns[0].unit === '°F', ...rest },
  });
}

const TEMPERATURE = { what: 'temperature', quantity: 'temperature' } as const;

const PRECIPITATION = { what: 'precipitation', quantity: 'length' } as const;
const OF_WINDOWS = {
  ...PRECIPITATION,
  looks: { inches: INCHES_OF_HOURS, mm: MILLIMETRES_OF_HOURS },
} as const;

/** The column of a variable in forecasts, or in observations; undefined if it follows from others. */
export function variableColumn(
  variable: VariableName,
  side: 'forecast' | 'observation',
  rest: Rest<string>,
): Column | undefined {
  const { of, quantity, label } = VARIABLES[variable];
  if ('value' in of) return undefined;
  const more: Rest<string> = { role: 'value', variables: [variable], ...rest };
  if (!('chance' in of)) {
    const what = quantity === 'temperature' ? quantity : label.toLowerCase();
    return numberColumn(of.columns, { what, quantity }, more);
  }
  const [inPercent, ...inParts] = of.chance;
  const looks = { [inPercent.unit]: getLookOfProbabilities(inParts.map(({ name: other }) => other).join()) };
  return side === 'forecast'
    ? numberColumn(of.chance, { what: 'chance', quantity, looks }, more)
    : numberColumn(of.amount, of.window_hours === undefined ? PRECIPITATION : OF_WINDOWS, more);
}

/** A temperature that is no variable: an extreme within hours. */
export const temperatureColumn = (name: string): Column =>
  numberColumn(temperatures(name), TEMPERATURE, { role: 'value' });

/** The columns of the distribution of a temperature: its standard deviation, and the quantiles of LEVELS. */
export function distributionColumns({ name: of }: Column): [deviation: Column, ...quantiles: Column[]] {
  const name = of.replace(/_f$/, '');
  const rest = { role: 'distribution', of } as const;
  const deviation = numberColumn(
    [
      { name: `${name}_sd_f`, unit: '°F', limits: { lowest: 0, highest: 50 }, sentinels: [9.9, 9.99] },
      { name: `${name}_sd_c`, unit: '°C', limits: { lowest: 0, highest: 27.77 }, sentinels: [9.9, 9.99] },
    ],
    {
      what: 'standard deviation',
      quantity: 'difference',
      looks: { '°F': OF_DEVIATIONS, '°C': OF_DEVIATIONS },
    },
    rest,
  );
  const quantiles = LEVELS.map((level) =>
    numberColumn(temperatures(`${name}_p${`${level}`.padStart(2, '0')}`), TEMPERATURE, { ...rest, level }),
  );
  return [deviation, ...quantiles];
}
