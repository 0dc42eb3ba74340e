import { DAY_MS, HOUR_MS } from '../../../../src/statistics/time/calendar.js';
import { pfmIssues } from '../stub/iem-pfm.js';
import { MODELS } from '../stub/openmeteo.js';
import type { Watch } from './published.js';
import type { Asked } from './watched.js';

// The requests of a watch: by source, and for one thing that an archive does not have, or not yet.

/** A run, an issuance or a day of a station that did not come, or came late. */
export interface Lacking {
  source: string;
  station_id: string;
  at_ms: number;
  late_ms: number;
}

export function lackingIn({ places, archives, first_ms, end_ms }: Watch): Lacking[] {
  const every = (step_ms: number): number[] =>
    Array.from({ length: Math.floor((end_ms - first_ms) / step_ms) }, (_, at) => first_ms + at * step_ms);
  return places.flatMap((place): Lacking[] => {
    const { station_id, wfo, point_north_degrees } = place;
    const hasNoPoint = wfo !== '' && point_north_degrees === null;
    const lacking = (source: string, unit: string, times: readonly number[]): Lacking[] =>
      times
        .map((at_ms) => ({ source, station_id, at_ms, late_ms: archives.lateness(source, unit, at_ms) }))
        .filter(({ late_ms }) => late_ms > 0);
    return [
      ...lacking('iem-asos', station_id, every(DAY_MS)),
      ...lacking(wfo === '' ? 'iem-daily' : 'iem-cli', station_id, every(DAY_MS)),
      ...(hasNoPoint ? pfmIssues(wfo, first_ms, end_ms) : []).map((at_ms) => ({
        source: 'iem-pfm',
        station_id,
        at_ms,
        late_ms: Infinity,
      })),
      ...Object.values(MODELS).flatMap(({ provider, every_hours }) =>
        lacking(`openmeteo-${provider}`, '', every(every_hours * HOUR_MS)),
      ),
    ];
  });
}

/** The passes that asked for something, by the clock; those while its host was down are no choice of theirs. */
export function passesFor({ source, station_id, at_ms }: Lacking, asked: readonly Asked[]): number[] {
  const passes = asked
    .filter(
      (one) =>
        one.source === source &&
        !one.isOutage &&
        one.covers.some(
          ({ place, span }) => place.station_id === station_id && span.from_ms <= at_ms && at_ms < span.to_ms,
        ),
    )
    .map(({ requested_ms }) => requested_ms);
  return [...new Set(passes)];
}

export interface Sum {
  requests: number;
  bytes: number;
}

/** By source. */
export function sums(asked: readonly Asked[]): Map<string, Sum> {
  const bySource = new Map<string, Sum>();
  for (const { source, bytes } of asked) {
    const sum = bySource.get(source) ?? { requests: 0, bytes: 0 };
    bySource.set(source, { requests: sum.requests + 1, bytes: sum.bytes + bytes });
  }
  return bySource;
}
