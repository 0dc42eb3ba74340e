import { type Choices, DECLARED, QUANTITIES, type Variable } from './declarations.js';
import type { Expression, Source } from './expression.js';

// The registry of variables (declarations.ts), and the lists that follow from it.

/** A variable that a request about pairs may name. */
export type VariableName = keyof typeof DECLARED;

/** The variables with such a declaration. */
type NameOf<Declaration> = {
  [Name in VariableName]: (typeof DECLARED)[Name] extends Declaration ? Name : never;
}[VariableName];

/** A temperature of the day that feeds have: endpoints about distributions, probabilities and suspects are about these. */
export type Metric = NameOf<{ quantity: 'temperature'; period: 'day'; of: { columns: unknown } }>;
type HourlyName = NameOf<{ period: 'hour' }>;
type ChanceName = NameOf<{ score: 'brier_score' }>;

export const VARIABLES: Readonly<Record<VariableName, Variable>> = DECLARED;
export const VARIABLE_NAMES = Object.keys(DECLARED) as [VariableName, ...VariableName[]];

/** The variables of which these are so, in the order of the registry. */
const namesOf = <Name extends VariableName>(isSo: (variable: Variable) => boolean) =>
  VARIABLE_NAMES.filter((name) => isSo(VARIABLES[name])) as [Name, ...Name[]];

export const METRICS = namesOf<Metric>(
  ({ quantity, period, of }) => quantity === 'temperature' && period === 'day' && 'columns' in of,
) as ['high', 'low'];
export const HOURLY_NAMES = namesOf<HourlyName>(({ period }) => period === 'hour');
/** Variables of days, judged by the size of their errors. */
export const DAILY_NAMES = namesOf(({ period, score }) => period === 'day' && score === 'mae');
export const CHANCE_NAMES = namesOf<ChanceName>(({ score }) => score === 'brier_score');
/** The hours of the window that a variable is of; undefined for others. */
export const getWindowHours = (name: VariableName): number | undefined => {
  const { of } = VARIABLES[name];
  return 'amount' in of ? of.window_hours : undefined;
};
/** Variables with rows in the ledger; the others follow from them. */
export const LEDGER_NAMES = namesOf(({ of }) => !('value' in of));

/** A variable as it follows from others, with its choices, if it has any. */
export interface Derived extends Choices {
  from: readonly [Source, Source];
  value: Expression;
}

/** The choices of a variable: those of a request, else its own. */
const getChosen = (name: VariableName, choices?: Choices) =>
  ({ ...VARIABLES[name].choices?.defaults, ...choices }) as Required<Choices>;

/** The way in which a variable follows from others; undefined for what feeds say. */
export function getDerivation(name: VariableName, choices?: Choices): Derived | undefined {
  const { of } = VARIABLES[name];
  const chosen = getChosen(name, choices);
  return 'value' in of ? { from: of.from, value: of.value(chosen), ...chosen } : undefined;
}

/** Whether values of days add up to that of a month. */
export const isSummed = (name: VariableName): boolean =>
  QUANTITIES[VARIABLES[name].quantity].isSummed === true;

/** The definition of a variable with the choices of a request. */
export const getDefinition = (name: VariableName, choices?: Choices): string =>
  VARIABLES[name].choices?.define(getChosen(name, choices)) ?? VARIABLES[name].definition;

/** The variables of the feeds that it follows from. */
export const getSources = (name: VariableName): readonly Metric[] =>
  getDerivation(name)?.from ?? [name as Metric];
