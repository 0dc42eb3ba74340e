import type { Collected } from '../../ingest/feed/report.js';
import { DAY_MS } from '../../statistics/time/calendar.js';
import { type Cursor, FOREVER_MS, NOTHING_READ, withFailed, withMissing, withRead } from '../cursors.js';
import { settledBefore } from './plan.js';
import type { Missing, Place, Request, Source } from '../source.js';
import { subtract } from '../spans.js';
import { type RequestCounts, sourceOf, type State } from '../state.js';

/** A run that is later than this is lost: until then a source says of it what it says of one that it never has. */
const LATEST_MS = 3 * DAY_MS;

/** What came of a request. */
export interface Outcome {
  source: Source;
  request: Request;
  counts: Partial<RequestCounts>;
  /** What its answers lack, where they can be read. */
  missing: readonly Missing[];
  /** Why nothing of it was read. */
  failure?: {
    reason: string;
    isFinal: boolean;
    isUnheard: boolean;
    isUnasked: boolean;
    isTooLarge: boolean;
  };
}

/** Notes in the state what came of a request. */
export function noteOutcome(state: State, { source, request, counts, missing, failure }: Outcome): void {
  const known = sourceOf(state, source.name);
  for (const [name, count] of Object.entries(counts)) known.requests[name as keyof RequestCounts] += count;
  const { asked_ms } = request;
  if (failure === undefined) known.last_success_ms = Math.max(known.last_success_ms ?? 0, asked_ms);
  const settled_ms = settledBefore(source, asked_ms);
  for (const { place, span } of request.covers) {
    const before = known.stations[place.station_id] ?? NOTHING_READ;
    const lacks = missing.filter((lack) => lack.place.station_id === place.station_id);
    known.stations[place.station_id] =
      failure !== undefined
        ? withFailed(before, span, {
            asked_ms,
            ...failure,
            isFinal: failure.isFinal && asked_ms - span.from_ms > LATEST_MS,
          })
        : subtract(
            [span],
            lacks.map((lack) => lack.span),
          ).reduce((cursor: Cursor, read) => withRead(cursor, read, settled_ms), before);
  }
  for (const { place, span, reason, isOfPlace = false } of failure === undefined ? missing : []) {
    const before = known.stations[place.station_id] ?? NOTHING_READ;
    const to_ms = isOfPlace && span.to_ms >= asked_ms ? FOREVER_MS : span.to_ms;
    const lack = { asked_ms, reason, isOfPlace, isFinal: isOfPlace };
    known.stations[place.station_id] = withMissing(before, { ...span, to_ms }, lack);
  }
}

/** Asks again for what a source has nothing of, for stations that are not what or where they were. */
export function forgetMoved(state: State, before: readonly Place[], now: readonly Place[]): void {
  const known = new Set(before.map((place) => JSON.stringify(place)));
  for (const place of now.filter((one) => !known.has(JSON.stringify(one))))
    for (const { stations } of Object.values(state.sources)) {
      const cursor = stations[place.station_id];
      if (cursor) cursor.gaps = cursor.gaps.filter(({ is_of_place }) => !is_of_place);
    }
}

/** What the report of a load says of the sources, those that this pass does not ask included. */
export function collectedOf(state: State, sources: readonly Source[], at_ms: number): Collected {
  return {
    at: new Date(at_ms).toISOString(),
    sources: sources.map((source) => {
      const places = (state.catalogue?.places ?? []).filter((place) => source.serves(place));
      const { requests, last_success_ms, stations } = sourceOf(state, source.name);
      const gaps = places.flatMap(({ station_id }) => stations[station_id]?.gaps ?? []);
      const permanent_gaps = gaps.filter(({ is_final }) => is_final).length;
      return {
        source: source.name,
        feed: source.feed,
        provider: source.provider ?? null,
        attribution: source.attribution,
        stations: places.length,
        last_success_at: last_success_ms === undefined ? null : new Date(last_success_ms).toISOString(),
        gaps: gaps.length - permanent_gaps,
        permanent_gaps,
        requests: { ...requests },
      };
    }),
  };
}
