import {
  type Chance,
  DECLARED,
  type Derived,
  type ValueLimits,
  type CellColumn,
  type Variable,
} from './declarations.js';
import { compile } from './expression.js';

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
/** Variables with rows in the ledger; the others follow from them. */
export const LEDGER_NAMES = namesOf(({ of }) => !('value' in of));

/** How a variable follows from others; undefined for what feeds say. */
export function getDerivation(name: VariableName): Derived | undefined {
  const { of } = VARIABLES[name];
  return 'value' in of ? of : undefined;
}

/** How a chance is forecast and observed; undefined for any other variable. */
export function getChance(name: VariableName): Chance | undefined {
  const { of } = VARIABLES[name];
  return 'chance' in of ? of : undefined;
}

/** The columns of a variable that feeds have, of forecasts: the first is in its own unit. */
const forecastColumns = (name: VariableName): readonly CellColumn[] | undefined => {
  const { of } = VARIABLES[name];
  return 'columns' in of ? of.columns : 'chance' in of ? of.chance : undefined;
};

/** The variables of the feeds that it follows from. */
export const getSources = (name: VariableName): readonly Metric[] =>
  getDerivation(name)?.from ?? [name as Metric];

/** The least and the greatest value that a day or an hour can have, in its own unit: those of a feed, or what follows from them. */
export function getValueLimits(name: VariableName): ValueLimits {
  const derivation = getDerivation(name);
  if (derivation === undefined) return forecastColumns(name)![0]!.limits;
  const { lowest, highest } = getValueLimits(derivation.from[0]);
  const compute = compile(derivation.value);
  const [coldest, hottest] = [100 * lowest, 100 * highest];
  // No value is beyond those of the coldest, the hottest and the most uneven day.
  const values = [
    compute(coldest, coldest) / 100,
    compute(hottest, hottest) / 100,
    compute(hottest, coldest) / 100,
  ];
  return { lowest: Math.min(...values), highest: Math.max(...values) };
}

/** The columns of the temperatures that daily feeds have, and of a wet day. */
export const FEED_COLUMNS_OF = {
  high: { column: DECLARED.high.of.columns[0].name as 'high_f', plausible: getValueLimits('high') },
  low: { column: DECLARED.low.of.columns[0].name as 'low_f', plausible: getValueLimits('low') },
};
export const WET_DAY = {
  chance: DECLARED.wet_day.of.chance[0].name,
  amount: DECLARED.wet_day.of.amount[0].name,
  wet: DECLARED.wet_day.of.min,
};
