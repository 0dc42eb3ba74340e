import { DAILY_NAMES, METRICS, VARIABLE_NAMES, VARIABLES } from '../../src/variables/variables.js';

// The panels that a variable has. A name that no variable has is passed on: the API tells what is wrong with it.

interface View {
  metric: string;
}

const isOneOf = (names: readonly string[], { metric }: View): boolean =>
  names.includes(metric) || !VARIABLE_NAMES.some((name) => name === metric);

/** Whether a view is of what the daily feeds say. */
export const isHighOrLow = (view: View): boolean => isOneOf(METRICS, view);

/** Whether a view has one value a day. */
export const isOfDays = (view: View): boolean => isOneOf(DAILY_NAMES, view);

/** Whether a view has values of hours. */
export const isOfHours = ({ metric }: View): boolean =>
  VARIABLE_NAMES.some((name) => name === metric && VARIABLES[name].period === 'hour');

/** Whether a view is of chances, which have no degrees. */
export const isOfChance = ({ metric }: View): boolean =>
  VARIABLE_NAMES.some((name) => name === metric && VARIABLES[name].score === 'brier_score');
