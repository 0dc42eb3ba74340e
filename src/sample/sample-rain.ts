import { DAY_MS } from '../statistics/time/calendar.js';
import { normal, uniform } from './weather.js';

// Rain of the sample: how probable a wet day is, what was forecast of it, and what fell.

/** Days ahead for which the issuances of midnight in UTC say a chance: few, because a chance of each would be half as many rows again. */
const CHANCE_DAYS: readonly number[] = [1, 3];

/** Whether an issuance says a chance of a day. */
export const saysChance = (issued_ms: number, day: number): boolean =>
  issued_ms % DAY_MS === 0 && CHANCE_DAYS.includes(day - issued_ms / DAY_MS);

/** How probable a wet day is, which the forecasters try to tell. */
const probabilityOf = (id: string, day: number): number => uniform(id, 'rain', day) ** 1.5;

/** A chance in whole tens of percent: the farther ahead, the nearer to that of any day. @param spread of the provider, 1 or more */
export function writeChance(
  id: string,
  { seed, spread }: { seed: string; spread: number },
  day: number,
  leadHours: number,
): string {
  const memory = Math.min(0.9, leadHours / 240);
  const noise = 0.08 * spread * normal(id, `${seed}rain error`, day, leadHours);
  const chance = (1 - memory) * probabilityOf(id, day) + 0.4 * memory + noise;
  return `${10 * Math.round(10 * Math.min(1, Math.max(0, chance)))}`;
}

/** The amount of a day, inches; T for a trace. */
export function writeAmount(id: string, day: number): string {
  const drawn = uniform(id, 'wet', day);
  const probability = probabilityOf(id, day);
  if (drawn >= probability) return drawn < probability + 0.04 ? 'T' : '0';
  return (0.01 - 0.4 * Math.log(1 - uniform(id, 'amount', day))).toFixed(2);
}
