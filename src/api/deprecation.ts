import { z } from 'zod';

/** The days of a URL or parameter that is to go (docs/api-stability.md), ISO 8601 dates. */
export interface Deprecation {
  /** The first day on which it is deprecated. */
  since: string;
  /** It may be gone from this day on. */
  sunset: string;
}

const ofParameters = z.registry<Deprecation>();

/** A parameter that is to go; it is read as before. */
export function deprecatedParameter<Schema extends z.ZodType>(
  schema: Schema,
  deprecation: Deprecation,
): Schema {
  const marked = schema.meta({ ...schema.meta(), param: { deprecated: true } });
  ofParameters.add(marked, deprecation);
  return marked;
}

/** The deprecations of the parameters that have one, by name. */
export const getDeprecations = (parameters: z.ZodRawShape): Map<string, Deprecation> =>
  new Map(
    Object.entries(parameters).flatMap(([name, schema]) => {
      const deprecation = ofParameters.get(schema as z.ZodType);
      return deprecation === undefined ? [] : [[name, deprecation]];
    }),
  );
