import { getScale, getUnitText, type Unit } from '../../variables/units.js';
import type { VariableName } from '../../variables/variables.js';

/** Colours by the mean absolute error, °F: below each of these bounds. */
const COLOURS = [
  [2, 'brightgreen'],
  [3, 'green'],
  [4, 'yellowgreen'],
  [5, 'yellow'],
  [6, 'orange'],
  [Infinity, 'red'],
] as const;

/** Colours by the Brier score likewise: 0.25 is that of 50% on every day. */
const BRIER_COLOURS = [
  [0.05, 'brightgreen'],
  [0.1, 'green'],
  [0.15, 'yellowgreen'],
  [0.2, 'yellow'],
  [0.25, 'orange'],
  [Infinity, 'red'],
] as const;

const writeBadge = (label: string, message: string, color: string | undefined): string =>
  JSON.stringify({ schemaVersion: 1, label, message, color, cacheSeconds: 3600 });

/** A badge of a Brier score. @param score undefined without pairs */
export const brierBadge = (label: string, score: number | null | undefined): string =>
  typeof score === 'number'
    ? writeBadge(label, score.toFixed(3), BRIER_COLOURS.find(([below]) => score < below)?.[1])
    : writeBadge(label, 'no pairs', 'lightgrey');

/**
 * A badge as the endpoint badges of shields.io are (https://shields.io/badges/endpoint-badge).
 * @param mae in the unit; null without pairs
 */
export function badge(label: string, mae: number | null, unit: Unit, metric: VariableName): string {
  const degree_f = getScale(unit, metric).size / 100;
  const colour = mae === null ? 'lightgrey' : COLOURS.find(([below]) => mae * degree_f < below)?.[1];
  const message = mae === null ? 'no pairs' : `${mae.toFixed(2)} ${getUnitText(metric, unit)}`;
  return writeBadge(label, message, colour);
}
