import fc from 'fast-check';
import type { Claim, Truth } from './claims.js';
import {
  DERIVED_NAMES,
  plusDays,
  type Question,
  SORT_BY,
  type StationRow,
  type Variable,
  variableQuery,
} from './oracle.js';

// Requests for the endpoints of the nine statistics, with all parameters and all names of a station, drawn at random.

const DAY = 24 * 3_600_000;
/** The last day that there can be. */
const LAST_DATE = '2149-06-06';

const ENDPOINTS = ['summary', 'by-date', 'by-lead-time', 'by-city', 'by-station'] as const;

/** A request as it is drawn: days and stations by index, so that it can be put to any world. */
const request = fc.record({
  endpoint: fc.constantFrom(...ENDPOINTS),
  metric: fc.constantFrom<Variable | undefined>('high', 'low', undefined, ...DERIVED_NAMES),
  window: fc.constantFrom('both', 'from', 'to', 'neither'),
  first: fc.nat({ max: 59 }),
  before: fc.integer({ min: -1, max: 2 }),
  length: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 1, max: 8 }) },
    fc.integer({ min: 1, max: 3660 }),
  ),
  days: fc.option(fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 365 })), {
    nil: undefined,
  }),
  station: fc.option(fc.nat({ max: 59 }), { nil: undefined }),
  spelling: fc.constantFrom('path', 'id', 'lower case', 'iata', 'city'),
  min_samples: fc.option(fc.nat({ max: 12 }), { nil: undefined }),
  sort_by: fc.option(fc.constantFrom(...SORT_BY), { nil: undefined }),
  include_raw: fc.constantFrom(true, true, false, undefined),
});
export type DrawnRequest = typeof request extends fc.Arbitrary<infer Drawn> ? Drawn : never;

export const drawnRequests = fc.array(request, { minLength: 6, maxLength: 12 });

/** Puts a drawn request to a world: its path, and what has to be answered. */
export function claimOf(drawn: DrawnRequest, { world, oracle }: Truth): Claim {
  const { endpoint, metric, min_samples, sort_by, include_raw } = drawn;
  const member = <Value>(values: readonly Value[], i: number): Value => values[i % values.length] as Value;
  const asked =
    drawn.station === undefined && endpoint !== 'by-station'
      ? undefined
      : member(
          world.stations.filter(({ station_id }) => oracle.hasStation(station_id)),
          drawn.station ?? drawn.first,
        );

  const date_from = notAfter(LAST_DATE, plusDays(member(world.dates, drawn.first), -drawn.before));
  const question: Question = { metric, ...windowOf(drawn, date_from), station: asked?.station_id };
  const parameters = new URLSearchParams();
  const path = ((): string => {
    if (asked === undefined) return endpoint;
    const { name, parameter } = spell(asked, drawn.spelling, world.stations);
    const inPath = endpoint === 'by-station' || (endpoint === 'by-date' && drawn.spelling === 'path');
    if (inPath) return `${endpoint}/${encodeURIComponent(name)}`;
    parameters.set(parameter, name);
    return endpoint;
  })();

  if (endpoint === 'by-city') Object.assign(question, { min_samples, sort_by });
  if (endpoint === 'by-station') Object.assign(question, { include_raw });
  for (const [name, value] of Object.entries(question)) {
    if (name !== 'station' && name !== 'metric' && value !== undefined) parameters.set(name, String(value));
  }
  for (const [name, value] of metric ? Object.entries(variableQuery(metric)) : [])
    parameters.set(name, value);
  const places = endpoint === 'by-city' && question.station !== undefined ? { stations: 1 } : {};
  const metadata = { ...oracle.metadata(question), ...places };
  return { path: `accuracy/${path}?${parameters.toString()}`, metadata };
}

function windowOf({ window, length, days }: DrawnRequest, date_from: string): Question {
  const anchored = daysUntilTheLast(date_from);
  switch (window) {
    case 'both':
      return { days, date_from, date_to: notAfter(LAST_DATE, plusDays(date_from, length - 1)) };
    case 'from':
      return { days: anchored < (days ?? 90) ? anchored : days, date_from };
    case 'to':
      return { days, date_to: notAfter(LAST_DATE, plusDays(date_from, length % 8)) };
    case 'neither':
      return { days };
  }
}

function notAfter(last: string, date: string): string {
  return date > last ? last : date;
}

/** How many days there are from one on. */
export function daysUntilTheLast(date: string): number {
  return (Date.parse(LAST_DATE) - Date.parse(date)) / DAY + 1;
}

/** A name by which a station can be asked for, and the parameter that takes it. */
function spell(
  { station_id, city_name, iata }: StationRow,
  spelling: string,
  stations: readonly StationRow[],
): { name: string; parameter: 'station_id' | 'city' } {
  const namesakes = stations.filter((other) => other.city_name.toLowerCase() === city_name.toLowerCase());
  if (spelling === 'city' && namesakes.length === 1)
    return { name: city_name.toUpperCase(), parameter: 'city' };
  if (spelling === 'iata' && iata !== '') return { name: iata, parameter: 'station_id' };
  return {
    name: spelling === 'lower case' ? station_id.toLowerCase() : station_id,
    parameter: 'station_id',
  };
}
