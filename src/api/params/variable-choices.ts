import { z } from 'zod';
import { type Choices, MEANS, QUANTITIES } from '../../variables/declarations.js';
import { toSteps } from '../../variables/units.js';
import { getDerivation, VARIABLE_NAMES, type VariableName, VARIABLES } from '../../variables/variables.js';
import { defineGroup, type ParameterGroup } from '../groups.js';
import { parseBy, type ParamIssue, word } from '../parameters.js';
import {
  anyVariable,
  chanceVariable,
  dailyVariable,
  hourlyVariable,
  referencedVariable,
  variable,
} from './common.js';

// The choices of a request about its variable (D73): the least amount of a wet day; base, cap and mean of degree days.

const { temperature, length } = QUANTITIES;
const SCALES = {
  f: temperature.units['°F']!,
  c: temperature.units['°C']!,
  in: length.units.inches!,
  mm: length.units.mm!,
};
type Letters = keyof typeof SCALES;

/** The schema of a number with the letters of its unit, as steps. @param limits by unit, in it */
function numberWithUnit(limits: Partial<Record<Letters, [number, number]>>, example: string) {
  const ranges = Object.entries(limits).map(([unit, [low, high]]) => `${low}${unit} to ${high}${unit}`);
  const parse = (text: string): number | undefined => {
    const [, number = '', unit = ''] = /^(\d{1,3}(?:\.\d{1,2})?)([a-z]+)$/.exec(text.toLowerCase()) ?? [];
    const [low, high] = limits[unit as Letters] ?? [Infinity, Infinity];
    if (!(Number(number) >= low && Number(number) <= high)) return undefined;
    const steps = toSteps(Math.round(Number(number) * 100), SCALES[unit as Letters]);
    // Amounts are rounded as those of feeds are (D68). A temperature of 0.01 °C is no whole step.
    return unit === 'c' && !Number.isInteger(steps) ? undefined : Math.round(steps);
  };
  const message = `must be a number with its unit, ${ranges.join(' or ')}; write it as in ${example}`;
  return (description: string) =>
    z
      .string()
      .transform(parseBy(parse, message))
      .optional()
      .meta({ type: 'string', description: `${description}: ${ranges.join(' or ')}`, example });
}

const temperatureOf = numberWithUnit({ f: [32, 104], c: [0, 40] }, '18c');

export const OF_DEGREE_DAYS = {
  base: temperatureOf('The base of degree days; default: 65f, of growing degree days 50f'),
  cap: temperatureOf('Highs and lows above it count as it in growing degree days; default: 86f'),
  method: word(
    MEANS,
    'The mean of degree days: to 0.01 °F, or rounded to whole °F, halves up, as climate reports of the NWS have it',
  ).optional(),
};

const OF_ALL = {
  wet_at: numberWithUnit(
    { in: [0.01, 20], mm: [0.2, 500] },
    '1mm',
  )('A wet day has this precipitation or more, compared to 0.01 inch; default: 0.01in, which is 0.2mm'),
  ...OF_DEGREE_DAYS,
};

type Name = keyof Choices;
const NAMES = Object.keys(OF_ALL) as Name[];

/** The errors of choices that the variable does not have. */
const validateChoices = (given: Choices, metric: VariableName): ParamIssue[] =>
  NAMES.flatMap((parameter) => {
    const names = VARIABLE_NAMES.filter((name) => parameter in (VARIABLES[name].choices?.defaults ?? {}));
    if (given[parameter] === undefined || names.includes(metric)) return [];
    return [{ parameter, message: `is for metric=${names.join(', ')} alone; leave it out` }];
  });

/** The choices of a request that are not the variable's own, so that there is one key for each meaning; undefined without any. */
export function readChoices(given: Choices, metric: VariableName): Choices | undefined {
  const { defaults = {} } = VARIABLES[metric].choices ?? {};
  const found = NAMES.filter((name) => given[name] !== undefined && given[name] !== defaults[name]);
  return found.length === 0 ? undefined : Object.fromEntries(found.map((name) => [name, given[name]]));
}

function choicesOf<Shape extends z.ZodRawShape>(
  of: ParameterGroup<VariableName | undefined>,
  parameters: Shape,
): ParameterGroup<Choices | undefined, Shape> {
  return defineGroup({
    parameters: { ...parameters, ...of.parameters },
    read(request) {
      const { metric = 'high', ...given } = request as Choices & { metric?: VariableName };
      const issues = validateChoices(given, metric);
      if (issues.length > 0) return issues;
      const found = readChoices(given, metric);
      const { base = 0, cap = Infinity } = getDerivation(metric, found) ?? {};
      if (cap <= base)
        return [{ parameter: 'cap', message: 'must be above the base; raise it, or lower the base' }];
      return () => found;
    },
  });
}

/** The choices of a request about any variable. */
export const choices = choicesOf(variable, OF_ALL);
export const anyChoices = choicesOf(anyVariable, OF_ALL);
/** The choices of a variable with a value for each day. */
export const dailyChoices = choicesOf(dailyVariable, OF_DEGREE_DAYS);
export const referencedChoices = choicesOf(referencedVariable, OF_ALL);
/** The choices of a chance, and of a variable of hours. */
export const chanceChoices = choicesOf(chanceVariable, { wet_at: OF_ALL.wet_at });
export const hourlyChoices = choicesOf(hourlyVariable, { wet_at: OF_ALL.wet_at });
/** None, because the variable has none. */
export const noChoices = defineGroup({ parameters: {}, read: () => (): Choices | undefined => undefined });

const LETTERS: Partial<Record<Name, Letters>> = { wet_at: 'in', base: 'f', cap: 'f' };

/** The choices as parameters of a request, in the units of the store. */
export const writeChoices = (chosen: Choices = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(chosen).map(([name, value]) => {
      const letters = LETTERS[name as Name];
      return [name, letters === undefined ? `${value}` : `${Number(value) / 100}${letters}`];
    }),
  );

/** The choices as words of a file name. */
export const nameChoices = (chosen: Choices | undefined): string[] =>
  Object.entries(writeChoices(chosen)).map(([name, text]) => `${name.replace('_', '-')}-${text}`);
