import { DAY_MS, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import { type Fault, SAYS } from '../stub-server.js';
import { hashed, type Lateness } from '../world.js';

// Faults of real archives, over a month in which somebody watches them.

/** A time in which a host answers nobody, or us not. */
export interface Outage {
  host: 'iem' | 'open-meteo';
  from_ms: number;
  to_ms: number;
  fault: Fault | undefined;
}

/** How an archive fares: clean ones have everything in time. */
export interface Archives {
  lateness: Lateness;
  outages: readonly Outage[];
  /** The share of requests that breaks once. */
  broken: number;
}

export const CLEAN: Archives = { lateness: () => 0, outages: [], broken: 0 };

/** Late data are there so long before the end that a collector has had its time to find them. */
const SETTLES_MS = 8 * DAY_MS;

const FARES: Readonly<Record<string, { lost: number; late: number; least_ms: number; most_ms: number }>> = {
  'iem-nbm': { lost: 0.01, late: 0.02, least_ms: HOUR_MS, most_ms: 24 * HOUR_MS },
  'iem-pfm': { lost: 0.02, late: 0.03, least_ms: HOUR_MS, most_ms: 20 * HOUR_MS },
  'iem-cli': { lost: 0.02, late: 0.04, least_ms: 6 * HOUR_MS, most_ms: 4 * DAY_MS },
  'iem-daily': { lost: 0.04, late: 0.06, least_ms: 20 * HOUR_MS, most_ms: 5 * DAY_MS },
  'iem-asos': { lost: 0.02, late: 0.04, least_ms: 6 * HOUR_MS, most_ms: 4 * DAY_MS },
  openmeteo: { lost: 0.03, late: 0.07, least_ms: HOUR_MS / 2, most_ms: 60 * HOUR_MS },
};

/** The archives of a world whose last day ends at a time, with runs, issuances and reports that are late, or lost. */
export const latenessUntil =
  (end_ms: number): Lateness =>
  (source, unit, of_ms) => {
    const fares = FARES[source.replace(/^openmeteo.*/, 'openmeteo')];
    if (fares === undefined) return 0;
    const { lost, late, least_ms, most_ms } = fares;
    const luck = hashed(`${source} ${unit} ${of_ms} fares`);
    if (luck < lost) return Infinity;
    if (luck > lost + late || of_ms > end_ms - SETTLES_MS) return 0;
    const minutes = (least_ms + ((luck - lost) / late) * (most_ms - least_ms)) / 60_000;
    return Math.round(minutes) * 60_000;
  };

const HOURLY =
  '{"error":true,"reason":"Hourly API request limit exceeded. Please try again in the next hour."}';

/**
 * A month's worth of trouble that hosts are in, from a first day on.
 * @param full_hours how long the first of them goes on
 */
export function outagesFrom(start_ms: number, full_hours: number): Outage[] {
  const on = (day: number, hour: number, hours: number): Pick<Outage, 'from_ms' | 'to_ms'> => {
    const from_ms = start_ms + day * DAY_MS + hour * HOUR_MS;
    return { from_ms, to_ms: from_ms + hours * HOUR_MS };
  };
  const says = (status: number, body: string, headers: Record<string, string> = {}): Fault => ({
    answer: { status, body, headers: { 'content-type': 'text/plain', ...headers } },
  });
  return [
    { host: 'iem', ...on(1, 1, full_hours), fault: { answer: SAYS.overCapacity } },
    { host: 'open-meteo', ...on(5, 6, 6), fault: says(429, HOURLY) },
    { host: 'iem', ...on(8, 10, 1), fault: { answer: SAYS.tooMany } },
    // Who asks in its first hours is told to come back after a day, which is when it ends.
    { host: 'iem', ...on(12, 15, 2), fault: says(429, 'Not today.', { 'retry-after': '86400' }) },
    { host: 'iem', ...on(12, 17, 25), fault: undefined },
    { host: 'open-meteo', ...on(15, 0, 24), fault: says(503, 'The service is overloaded') },
  ];
}
