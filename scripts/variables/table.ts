import { getUnitText } from '../../src/variables/units.js';
import { type Columns, QUANTITIES, type Variable } from '../../src/variables/declarations.js';
import { getDerivation, VARIABLE_NAMES, VARIABLES } from '../../src/variables/variables.js';

const HEADER = '| `metric` | What | Units | Columns of feeds | Compared with | Definition |';

/** The columns of a variable, `wind_kt` or another unit: `wind_kt`, `_mph`. */
function listColumns(columns: Columns): string {
  const [{ name, unit }, ...others] = columns;
  const [stem = ''] = name.split(/_[a-z]+$/);
  const isIn = (other: string): boolean => other.startsWith(`${stem}_`) && unit !== '%';
  return [name, ...others.map((other) => (isIn(other.name) ? other.name.slice(stem.length) : other.name))]
    .map((text) => `\`${text}\``)
    .join(', ');
}

/** The observation of a forecast. */
function describeObservation({ of, period }: Variable): string {
  if ('value' in of) return 'the same of what was observed';
  if ('chance' in of) {
    const span = { none: 'day', 1: 'hour', 6: '6 hours', 12: '12 hours' }[of.window_hours ?? 'none'];
    return `100 or 0, by the amount of the ${span}: ${listColumns(of.amount)}`;
  }
  if (period === 'day') return 'the report of the day';
  return of.match === undefined ? 'the nearest report within half an hour' : 'the highest report of the hour';
}

/** The variables as a table in Markdown, a row for each. */
export function makeVariablesTable(): string {
  const rows = VARIABLE_NAMES.map((name) => {
    const variable: Variable = VARIABLES[name];
    const { label, quantity, definition, of } = variable;
    const own = getUnitText(name, 'fahrenheit');
    const units = Object.keys(QUANTITIES[quantity].units).filter((unit) => unit !== own && unit !== '1');
    const from = getDerivation(name)?.from.join(' and ');
    const columns = 'value' in of ? `none: ${from}` : listColumns('chance' in of ? of.chance : of.columns);
    const cells = [`\`${name}\``, label, [own, ...units].join(', '), columns, describeObservation(variable)];
    return `| ${[...cells, definition].join(' | ')} |`;
  });
  return [HEADER, '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** A page with the table as it is now. */
export const withVariablesTable = (page: string): string =>
  page.replace(/^\| `metric` \| What \|.*\n(?:\|.*\n)*/m, () => `${makeVariablesTable()}\n`);
