import { ORIENTATIONS, type Orientation } from '../../src/statistics/orientation.js';
import type { OpenApiDocument } from './components.js';

// Each statistic has its orientation, its perfect score and its reference in its schema, as keys of ours.

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
}

const known: Partial<Record<string, Orientation>> = ORIENTATIONS;

/** Whether a schema is that of a number, or of one with its interval. */
const isNumber = ({ type, properties }: Schema): boolean =>
  [type].flat().includes('number') || properties?.value !== undefined;

/** The same document with the orientation of every statistic. */
export function withOrientation(document: OpenApiDocument): OpenApiDocument {
  const text = JSON.stringify(document, (key, value: unknown) => {
    if (key !== 'properties') return value;
    const fields = Object.entries(value as Record<string, Schema>).map(([name, schema]) => {
      const statistic = known[name];
      if (statistic === undefined || !isNumber(schema)) return [name, schema];
      const { orientation, perfect_score, reference } = statistic;
      const keys = {
        'x-orientation': orientation,
        'x-perfect-score': perfect_score,
        'x-reference': reference,
      };
      return [name, { ...schema, ...keys }];
    });
    return Object.fromEntries(fields) as unknown;
  });
  return JSON.parse(text) as OpenApiDocument;
}
