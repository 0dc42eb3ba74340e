import { getUnitText, type Unit } from '../../statistics/units.js';
import type { VariableName } from '../../statistics/variables.js';

/** Colours by the mean absolute error, °F: below each of these bounds. */
const COLOURS = [
  [2, 'brightgreen'],
  [3, 'green'],
  [4, 'yellowgreen'],
  [5, 'yellow'],
  [6, 'orange'],
  [Infinity, 'red'],
] as const;

/**
 * A badge as the endpoint badges of shields.io are (https://shields.io/badges/endpoint-badge).
 * @param mae in the unit; null without pairs
 */
export function badge(label: string, mae: number | null, unit: Unit, metric: VariableName): string {
  const degree_f = unit === 'celsius' ? 9 / 5 : 1;
  const colour = mae === null ? 'lightgrey' : COLOURS.find(([below]) => mae * degree_f < below)?.[1];
  const message = mae === null ? 'no pairs' : `${mae.toFixed(2)} ${getUnitText(metric, unit)}`;
  return JSON.stringify({ schemaVersion: 1, label, message, color: colour, cacheSeconds: 3600 });
}
