import { getUnitText } from '../../src/variables/units.js';
import { getDerivation, VARIABLE_NAMES, VARIABLES } from '../../src/variables/variables.js';

const HEADER = '| `metric` | What | Period | Unit | From | Definition |';

/** The variables as a table in Markdown, a row for each. */
export function makeVariablesTable(): string {
  const rows = VARIABLE_NAMES.map((name) => {
    const { label, period, definition } = VARIABLES[name];
    const from = getDerivation(name)?.from.join(', ') ?? 'the feeds';
    return `| \`${name}\` | ${label} | ${period} | ${getUnitText(name, 'fahrenheit')} | ${from} | ${definition} |`;
  });
  return [HEADER, '|---|---|---|---|---|---|', ...rows].join('\n');
}

/** A page with the table as it is now. */
export const withVariablesTable = (page: string): string =>
  page.replace(/^\| `metric` \| What \|.*\n(?:\|.*\n)*/m, () => `${makeVariablesTable()}\n`);
