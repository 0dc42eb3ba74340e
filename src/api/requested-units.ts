import { QUANTITIES, SYSTEMS } from '../variables/declarations.js';
import { getUnitOf, hasDegrees, type Unit, type UnitChoice } from '../variables/units.js';
import type { VariableName } from '../variables/variables.js';
import type { ParamIssue } from './parameters.js';

// The choice of units of a request, and the unit that its response then has (D72).

const CHOICES = Object.entries(QUANTITIES).flatMap(([name, { words }]) => (words ? [{ name, words }] : []));
export const LISTED_UNITS = CHOICES.map(({ name, words }) => `${name}=${Object.keys(words).join('|')}`).join(
  ', ',
);
export const UNITS_ISSUE = `must be ${SYSTEMS.join(', ')}, or units with commas between them: ${LISTED_UNITS}`;

/** Reads `us`, or `speed=kt,length=mm`; undefined for any other text. */
export function parseUnits(text: string): UnitChoice | undefined {
  const system = SYSTEMS.find((each) => each === text);
  if (system !== undefined) return system;
  const chosen = text.split(',').map((each) => {
    const [name, word = '', ...more] = each.split('=');
    const words = CHOICES.find((choice) => choice.name === name)?.words ?? {};
    return [name, more.length === 0 && Object.hasOwn(words, word) ? words[word] : undefined] as const;
  });
  const isGood = chosen.every(([, unit]) => unit !== undefined);
  return isGood && new Map(chosen).size === chosen.length
    ? (Object.fromEntries(chosen) as UnitChoice)
    : undefined;
}

/** The parameters of a request from which its unit follows. */
interface RequestedUnits {
  metric?: VariableName;
  temp_unit?: Unit;
  units?: UnitChoice;
}

/** The unit of a request's variable; high, where an endpoint has none. */
export function chooseUnit({ metric = 'high', temp_unit, units = {} }: RequestedUnits): Unit | ParamIssue {
  const degrees = getUnitOf('high', units);
  const isSilent = typeof units !== 'string' && units.temperature === undefined;
  if (temp_unit !== undefined && !isSilent && temp_unit !== degrees) {
    const message = `has ${degrees} for temperatures, and temp_unit=${temp_unit} has not; leave out temp_unit`;
    return { parameter: 'units', message };
  }
  return hasDegrees(metric) && isSilent ? (temp_unit ?? degrees) : getUnitOf(metric, units);
}
