import { DAY_MS } from '../statistics/time/calendar.js';
import { normal, type SampleDay, uniform } from './weather.js';

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

/** In hours of a day with more clouds than this it rains now and then. */
const RAIN_CLOUDS = 0.9;
const WET_HOUR = 0.3;

/** The clouds of a day, most where the weather deceives forecasts. */
export const cloudsOf = (id: string, { number, surprise }: SampleDay): number =>
  uniform(id, 'clouds', number) + 0.2 * Math.abs(surprise);

/** The amount of an hour, hundredths of an inch. */
export const hourlyAmount = (id: string, day: SampleDay, hour: number): number =>
  cloudsOf(id, day) > RAIN_CLOUDS && uniform(id, 'rain', day.number, hour) < WET_HOUR
    ? Math.ceil(20 * uniform(id, 'amount', day.number, hour))
    : 0;

/** The share of a standard normal distribution below a value, to 0.01: a logistic curve. */
const shareBelow = (value: number): number => 1 / (1 + Math.exp(-1.702 * value));

/**
 * A chance of rain in a window, in whole tens of percent: a forecaster knows the clouds of its days, the less the farther ahead,
 * and no hour of them.
 * @param days the day of each hour of the window
 * @param spread of the provider, 1 or more
 */
export function writeWindowChance(
  id: string,
  { seed, spread }: { seed: string; spread: number },
  days: readonly SampleDay[],
  run: number,
  lead: number,
): string {
  const unsure = 0.08 * spread * (1 + lead / 24);
  const dry = [...new Set(days)].map((day) => {
    // A coarser model makes rain of too few clouds.
    const clouds =
      cloudsOf(id, day) + 0.3 * (spread - 1) + unsure * normal(id, `${seed}clouds`, day.number, run);
    const hours = days.filter((other) => other === day).length;
    return 1 - shareBelow((clouds - RAIN_CLOUDS) / unsure) * (1 - (1 - WET_HOUR) ** hours);
  });
  return `${10 * Math.round(10 * (1 - dry.reduce((product, share) => product * share, 1)))}`;
}
