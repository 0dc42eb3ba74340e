import { z } from 'zod';
import { type Choices, MEANS } from '../../variables/declarations.js';
import { getUnitText, type Unit } from '../../variables/units.js';
import {
  getDefinition,
  getDerivation,
  METRICS,
  VARIABLE_NAMES,
  type VariableName,
  VARIABLES,
} from '../../variables/variables.js';
import { temperature } from '../kinds.js';

/** The metadata of a response that say what its variable is, unless the feeds have it. */
export const VARIABLE_METADATA = {
  variable: z
    .object({
      name: z.enum(VARIABLE_NAMES),
      unit: z.string().meta({
        description: 'The unit of its values and errors, which units and temp_unit choose; % is always %',
        example: '°F·day',
      }),
      period: z.enum(['day', 'hour']).meta({ description: 'What one value is of' }),
      derived_from: z.array(z.enum(METRICS)).optional().meta({ description: 'What it is made of' }),
      definition: z.string(),
      base_f: temperature().optional().meta({ description: 'The base of degree days, °F' }),
      cap_f: temperature().optional().meta({ description: 'The cap of growing degree days, °F' }),
      method: z.enum(MEANS).optional().meta({ description: 'method of the request, if it is nws' }),
      wet_at_in: z
        .number()
        .optional()
        .meta({ description: 'The least amount of a wet day, inches, if the request chooses one' }),
    })
    .meta({ id: 'Variable', description: 'What the variable is, unless it is high or low' })
    .optional(),
};

/** The values of these fields, °F at full precision. */
export function variableMetadata(name: VariableName, unit: Unit, choices?: Choices) {
  const derivation = getDerivation(name, choices);
  const { period } = VARIABLES[name];
  if (METRICS.some((each) => each === name)) return {};
  return {
    variable: {
      name,
      unit: getUnitText(name, unit),
      period,
      ...(derivation && { derived_from: [...derivation.from] }),
      definition: getDefinition(name, choices),
      ...(derivation?.base !== undefined && { base_f: derivation.base / 100 }),
      ...(derivation?.cap !== undefined && { cap_f: derivation.cap / 100 }),
      ...(choices?.method !== undefined && { method: choices.method }),
      ...(choices?.wet_at !== undefined && { wet_at_in: choices.wet_at / 100 }),
    },
  };
}
