import { DAY_MS, HOUR_MS } from '../../../../src/accuracy/time/calendar.js';
import { pfmIssues } from '../stub/iem-pfm.js';
import { MODELS } from '../stub/openmeteo.js';
import type { Watch } from './published.js';
import type { Asked, Watched } from './watched.js';

// What a watch has asked: by source, and for one thing that an archive does not have, or not yet.

/** A run, an issuance or a day of a station that did not come, or came late. */
export interface Lacking {
  source: string;
  station_id: string;
  at_ms: number;
}

export function lackingIn({ places, archives, first_ms, end_ms }: Watch): Lacking[] {
  const every = (step_ms: number): number[] =>
    Array.from({ length: Math.floor((end_ms - first_ms) / step_ms) }, (_, at) => first_ms + at * step_ms);
  const { lateness } = archives;
  return places.flatMap(({ station_id, wfo, point_north_degrees }): Lacking[] => {
    const observations = wfo === '' ? 'iem-daily' : 'iem-cli';
    const days = every(DAY_MS).filter((day_ms) => lateness(observations, station_id, day_ms) > 0);
    const issues = wfo !== '' && point_north_degrees === null ? pfmIssues(wfo, first_ms, end_ms) : [];
    return [
      ...days.map((at_ms) => ({ source: observations, station_id, at_ms })),
      ...issues.map((at_ms) => ({ source: 'iem-pfm', station_id, at_ms })),
      ...Object.values(MODELS).flatMap(({ provider, every_hours }) => {
        const source = `openmeteo-${provider}`;
        return every(every_hours * HOUR_MS)
          .filter((run_ms) => lateness(source, '', run_ms) > 0)
          .map((at_ms) => ({ source, station_id, at_ms }));
      }),
    ];
  });
}

/** The passes that asked for something, by the clock; those while its host was down are no choice of theirs. */
export function passesFor({ source, station_id, at_ms }: Lacking, { asked }: Watched): number[] {
  const passes = asked
    .filter(
      (one) =>
        one.source === source &&
        !one.isOutage &&
        one.covers.some(
          ({ place, span }) => place.station_id === station_id && span.from_ms <= at_ms && at_ms < span.to_ms,
        ),
    )
    .map(({ asked_ms }) => asked_ms);
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
