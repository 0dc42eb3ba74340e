import { LEDGER_NAMES, VARIABLES } from './variables.js';

// The variables as tables have them: an Enum of the names, with the code of each (D70, clickhouse/variables.sql).

/** A variable with rows of its own. */
export interface CodedVariable {
  name: string;
  code: number;
  period: 'day' | 'hour';
}

export const CODED_VARIABLES: readonly CodedVariable[] = LEDGER_NAMES.flatMap((name) => {
  const { of, period } = VARIABLES[name];
  return 'code' in of ? [{ name, code: of.code, period }] : [];
});

/** The elements of an Enum of variables, as SQL: `'high' = 1, 'low' = 2`. */
export const enumElements = (variables: readonly CodedVariable[]): string =>
  variables.map(({ name, code }) => `'${name}' = ${code}`).join(', ');

/** Names of variables as SQL: `'high', 'low'`. */
export const quoteNames = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

export const ofPeriod = (
  variables: readonly CodedVariable[],
  period: CodedVariable['period'],
): CodedVariable[] => variables.filter((variable) => variable.period === period);

export const namesOfPeriod = (
  variables: readonly CodedVariable[],
  period: CodedVariable['period'],
): string[] => ofPeriod(variables, period).map(({ name }) => name);

/** The type of columns of variables: of all, and of those of hours alone. */
export const METRIC_TYPE = `Enum8(${enumElements(CODED_VARIABLES)})`;
export const METRIC_OF_HOURS_TYPE = `Enum8(${enumElements(ofPeriod(CODED_VARIABLES, 'hour'))})`;
