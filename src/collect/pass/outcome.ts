import type { Collected } from '../../ingest/load-report.js';
import { DAY_MS } from '../../statistics/time/calendar.js';
import { FOREVER_MS, isFinal, withCovered, withFailed, withGap } from '../cursors.js';
import { finalBefore, spansByStation } from './plan.js';
import {
  type Gap,
  getNames,
  type PublicSource,
  type Reading,
  type Request,
  type StationPlace,
} from '../source.js';
import { subtract } from '../collected-spans.js';
import { changeCursor, getCursors, type RunCounts, type State } from '../state.js';

/** A run that is later than this is lost. Until then a source says the same of a late run and of one that never comes. */
const LATEST_MS = 3 * DAY_MS;

/** The outcome of a request. */
export interface Outcome {
  source: PublicSource;
  request: Request;
  counts: Partial<RunCounts>;
  reading?: Reading;
  /** Why there is no reading. */
  gap?: Gap;
  /** Requests for its parts may have small enough responses. */
  isTooLarge?: boolean;
  /** The versions of responses that are requested again only if they have changed. */
  validators?: Readonly<Record<string, Record<string, string>>>;
}

/** Notes in the state what came of a request. */
export function noteOutcome(
  state: State,
  { source, request, counts, reading, gap, validators }: Outcome,
): void {
  const known = getCursors(state, source.name);
  const { requested_ms, covers } = request;
  for (const name of Object.keys(known.requests) as (keyof typeof known.requests)[])
    known.requests[name] += counts[name] ?? 0;
  if (gap !== undefined) {
    for (const { place, span } of covers) {
      const isEarly = gap.kind === 'final' && requested_ms - span.from_ms <= LATEST_MS;
      const known_gap: Gap = isEarly ? { ...gap, kind: 'absent' } : gap;
      changeCursor(known, place, (cursor) => withFailed(cursor, span, known_gap, requested_ms));
    }
    return;
  }
  const gaps = reading?.gaps ?? [];
  if (validators !== undefined && gaps.length === 0)
    known.validators = { ...known.validators, ...validators };
  known.last_success_ms = Math.max(known.last_success_ms ?? 0, requested_ms);
  const absent = spansByStation(gaps);
  const final_ms = finalBefore(source, requested_ms);
  for (const { place, span } of covers)
    for (const covered of subtract([span], absent.get(place.station_id) ?? []))
      changeCursor(known, place, (cursor) => withCovered(cursor, covered, final_ms));
  for (const { place, span, reason, kind } of gaps) {
    const to_ms = kind === 'of_place' && span.to_ms >= requested_ms ? FOREVER_MS : span.to_ms;
    changeCursor(known, place, (cursor) =>
      withGap(cursor, { ...span, to_ms }, { reason, kind }, requested_ms),
    );
  }
}

/** Forgets what sources never have of a place, for stations that have changed or moved: it is asked for again. */
export function forgetMoved(
  state: State,
  before: readonly StationPlace[],
  now: readonly StationPlace[],
): void {
  const known = new Set(before.map((place) => JSON.stringify(place)));
  for (const place of now.filter((one) => !known.has(JSON.stringify(one))))
    for (const { stations } of Object.values(state.sources)) {
      const cursor = stations[place.station_id];
      if (cursor) cursor.gaps = cursor.gaps.filter(({ kind }) => kind !== 'of_place');
    }
}

/** The state of all sources for the report of a load, also of those that this pass does not ask. */
export function getCollected(state: State, sources: readonly PublicSource[], at_ms: number): Collected {
  return {
    at: new Date(at_ms).toISOString(),
    sources: sources.map((source) => {
      const places = (state.catalogue?.places ?? []).filter((place) => source.serves(place));
      const { requests, last_success_ms, stations } = getCursors(state, source.name);
      const gaps = places.flatMap(({ station_id }) => stations[station_id]?.gaps ?? []);
      const permanent_gaps = gaps.filter(isFinal).length;
      return {
        ...getNames(source),
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
