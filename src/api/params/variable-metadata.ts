import { z } from 'zod';
import { getUnitText, type Unit } from '../../variables/units.js';
import {
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
    })
    .meta({ id: 'Variable', description: 'What the variable is, unless it is high or low' })
    .optional(),
};

/** The values of these fields, °F at full precision. */
export function variableMetadata(name: VariableName, unit: Unit) {
  const derivation = getDerivation(name);
  const { period, definition } = VARIABLES[name];
  if (METRICS.some((each) => each === name)) return {};
  return {
    variable: {
      name,
      unit: getUnitText(name, unit),
      period,
      ...(derivation && { derived_from: [...derivation.from] }),
      definition,
      ...(derivation?.base && { base_f: derivation.base / 100 }),
    },
  };
}
