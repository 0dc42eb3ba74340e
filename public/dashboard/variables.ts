import type { Chance, Variable } from '../../src/variables/declarations.js';
import { METRICS, VARIABLE_NAMES, VARIABLES } from '../../src/variables/variables.js';

// The panels that a variable has. A name that no variable has is passed on: the API tells what is wrong with it.

interface View {
  metric: string;
}

/** The declaration of the variable of a view; undefined of a name that no variable has. */
function getDeclaration({ metric }: View): Variable | undefined {
  const name = VARIABLE_NAMES.find((each) => each === metric);
  return name && VARIABLES[name];
}

/** The score that judges the variable of a view. */
export const getScore = (view: View): Variable['score'] => getDeclaration(view)?.score ?? 'mae';

export const getPeriod = (view: View): Variable['period'] => getDeclaration(view)?.period ?? 'day';

/** The chance of a view; undefined of what is no chance. */
export function getChance(view: View): Chance | undefined {
  const { of } = getDeclaration(view) ?? {};
  return of !== undefined && 'chance' in of ? of : undefined;
}

/** Whether a view is of what the daily feeds say. */
export const isHighOrLow = (view: View): boolean =>
  METRICS.some((name) => name === view.metric) || getDeclaration(view) === undefined;
