import { DAY_MS, HOUR_MS } from '../../statistics/time/calendar.js';

// Limits on requests to a host in a minute, an hour and a day. Requests count by the data that they cover.

/** The units of time for which a host has limits, the longest last, and how Open-Meteo names each when it is reached. */
export const BUDGET_UNITS = [
  { unit: 'minute', unit_ms: 60_000, pattern: /\bminutely\b/i },
  { unit: 'hour', unit_ms: HOUR_MS, pattern: /\bhourly\b/i },
  { unit: 'day', unit_ms: DAY_MS, pattern: /\bdaily\b/i },
] as const;
type Unit = (typeof BUDGET_UNITS)[number]['unit'];

/** The weight of requests to a host in the current minute, hour and day of UTC. */
export type Spent = Partial<Record<Unit, { since_ms: number; weight: number }>>;

export type Budgets = Readonly<Record<Unit, number>>;

export class Budget {
  #spent: Spent = {};

  /** @param budgets none for a host that has no limits */
  constructor(readonly budgets?: Budgets) {}

  get spent(): Spent {
    return this.#spent;
  }

  /** Goes on with what an earlier process has spent. */
  remember(earlier: Spent): void {
    for (const { unit } of BUDGET_UNITS) {
      const { since_ms = 0, weight = 0 } = this.#spent[unit] ?? {};
      const spent = earlier[unit];
      if (spent && (spent.since_ms > since_ms || (spent.since_ms === since_ms && spent.weight > weight)))
        this.#spent[unit] = spent;
    }
  }

  /** How many of a unit's budgets requests need, 0 without one. */
  share(paths: readonly string[], unit: Unit): number {
    return paths.reduce((sum, path) => sum + callWeight(path), 0) / (this.budgets?.[unit] ?? Infinity);
  }

  /** Counts a request where all budgets have room for it. @returns when the first has room again, Unix ms, and the reason */
  spend(path: string, now_ms: number): { until_ms: number; reason: string } | undefined {
    const { budgets } = this;
    if (budgets === undefined) return undefined;
    const next = BUDGET_UNITS.map(({ unit, unit_ms }) => {
      const since_ms = now_ms - (now_ms % unit_ms);
      const known = this.#spent[unit];
      const weight = callWeight(path) + (known?.since_ms === since_ms ? known.weight : 0);
      return { unit, since_ms, weight, until_ms: since_ms + unit_ms };
    });
    const full = next.findLast(({ unit, weight }) => weight > budgets[unit]);
    if (full === undefined)
      for (const { unit, since_ms, weight } of next) this.#spent[unit] = { since_ms, weight };
    const a = full?.unit === 'hour' ? 'an' : 'a';
    return (
      full && {
        until_ms: full.until_ms,
        reason: `the budget of ${budgets[full.unit]} ${a} ${full.unit} is spent`,
      }
    );
  }
}

/**
 * The weight of a request at Open-Meteo, by its page of prices. Each location weighs a tenth for each variable and model
 * and for each 14 days, at least 1.
 */
export function callWeight(path: string): number {
  const query = new URL(path, 'http://host').searchParams;
  const count = (name: string): number =>
    (query.get(name) ?? '').split(',').filter((item) => item !== '').length;
  const days = Number(query.get('forecast_days') ?? 7);
  const values = (count('hourly') + count('daily')) * Math.max(1, count('models'));
  return Math.max(1, (values / 10) * Math.max(1, days / 14)) * Math.max(1, count('latitude'));
}
