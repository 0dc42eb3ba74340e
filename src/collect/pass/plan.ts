import { addDays, formatDate, DAY_MS, isCalendarDate } from '../../statistics/time/calendar.js';
import { UserError } from '../../lib/user-error.js';
import { needs, NOTHING_READ, withCovered } from '../cursors.js';
import type { Days, Hosts } from '../collector.js';
import type { Need, StationPlace, Request, PublicSource, Span } from '../source.js';
import { before, groupBy, hull, needsIn, subtract, union } from '../collected-spans.js';
import { changeCursor, getCursors, type State } from '../state.js';

// The requests of a pass to a source.

/**
 * The days that an operator names; a year, if no first one is named.
 * @throws UserError for a text that is no date, or days the wrong way round
 */
export function wantedDays({ from, to }: Partial<Days>, now_ms: number): Days {
  for (const [name, date] of Object.entries({ from, to }))
    if (date !== undefined && !isCalendarDate(date))
      throw new UserError(`--${name}: must be a date, such as 2026-01-31`);
  const last = to ?? formatDate(Math.floor(now_ms / DAY_MS));
  const first = from ?? addDays(last, -365);
  if (first > last) throw new UserError('--from: must not be after the last day');
  return { from: first, to };
}

export interface SourcePlan {
  source: PublicSource;
  /** The stations that it has anything of. */
  places: StationPlace[];
  /** Newest first. */
  requests: Request[];
  /** Needs that no request covers. */
  unrequested: Need[];
}

/** The unit of a source's spans, ms, because no request can be for half a day of observations. */
const getGrain = ({ feed }: PublicSource): number => (feed === 'observations' ? DAY_MS : 1);

/** The wanted span of a source. It ends now at the latest, or with today where spans are of days. */
function wantedSpan(source: PublicSource, { from, to }: Days, requested_ms: number): Span {
  const grain_ms = getGrain(source);
  const now_ms = Math.ceil(requested_ms / grain_ms) * grain_ms;
  return {
    from_ms: Math.max(Date.parse(from), Date.parse(source.earliest)),
    to_ms: to === undefined ? now_ms : Math.min(now_ms, Date.parse(to) + DAY_MS),
  };
}

/** The moment before which what is read now is final. */
export function finalBefore(source: PublicSource, requested_ms: number): number {
  const grain_ms = getGrain(source);
  return Math.floor((requested_ms - source.overlap_ms) / grain_ms) * grain_ms;
}

/** @param overlap_ms what a schedule reads again; the source's own overlap, without it */
export function planSource(
  source: PublicSource,
  {
    places,
    state,
    days,
    requested_ms,
  }: { places: readonly StationPlace[]; state: State; days: Days; requested_ms: number },
  overlap_ms = source.overlap_ms,
): SourcePlan {
  const served = places.filter((place) => source.serves(place));
  const { stations } = getCursors(state, source.name);
  const { interval_ms = 0 } = source;
  // A source is read up to the moment of its last response; one of days up to the end of a day.
  const isDue = ({ station_id }: StationPlace): boolean =>
    interval_ms === 0 ||
    getGrain(source) > 1 ||
    (stations[station_id]?.covered.at(-1)?.to_ms ?? 0) + interval_ms <= requested_ms;
  const wanted = wantedSpan(source, days, requested_ms);
  const grain_ms = getGrain(source);
  const sinceStart = (ms: number): number => (requested_ms % grain_ms) + Math.ceil(ms / grain_ms) * grain_ms;
  const asking = {
    requested_ms,
    overlap_ms: sinceStart(overlap_ms),
    own_overlap_ms: sinceStart(source.overlap_ms),
  };
  const needed = served
    .filter(isDue)
    .flatMap((place) =>
      needs(stations[place.station_id] ?? NOTHING_READ, wanted, asking).map((span) => ({ place, span })),
    );
  const requests = needed.length === 0 ? [] : source.plan(needed, requested_ms);
  const planned = spansByStation(requests.flatMap(({ covers }) => covers));
  const unrequested = needed.flatMap(({ place, span }) =>
    subtract([span], planned.get(place.station_id) ?? []).map((rest) => ({ place, span: rest })),
  );
  return { source, places: served, requests, unrequested };
}

/** The paths that a host is asked for, in order. */
export const listPaths = (plans: readonly SourcePlan[], host: string): string[] =>
  plans.flatMap(({ source, requests }) =>
    source.host === host ? requests.flatMap(({ paths }) => paths) : [],
  );

/** The time that distances between requests and budgets of a minute take; hosts are queried side by side. */
export function minSeconds(plans: readonly SourcePlan[], hosts: Hosts): number {
  const each = Object.entries(hosts).map(([name, { settings, budget }]) => {
    const paths = listPaths(plans, name);
    return Math.max((paths.length * settings.gap_ms) / 1000, 60 * budget.share(paths, 'minute'));
  });
  return Math.ceil(Math.max(...each));
}

/**
 * The requests for the two halves of a request that has too large a response, the later one first. Empty where a source
 * has no smaller ones. A day is not parted.
 */
export function halves(source: PublicSource, { paths, covers, requested_ms }: Request): Request[] {
  const { from_ms, to_ms } = hull(covers);
  const middle_ms = Math.round((from_ms + to_ms) / 2 / DAY_MS) * DAY_MS;
  const parts = [
    { from_ms: middle_ms, to_ms },
    { from_ms, to_ms: middle_ms },
  ].flatMap((half) =>
    source.plan(
      covers.flatMap((need) => needsIn(need, [half])),
      requested_ms,
    ),
  );
  const isSmaller =
    parts.length > 1 && !parts.some((part) => part.paths.some((path) => paths.includes(path)));
  return isSmaller ? parts : [];
}

/** The spans of needs, by station. */
export function spansByStation(needs: readonly Need[]): Map<string, Span[]> {
  const byStation = groupBy(needs, ({ place }) => place.station_id);
  return new Map([...byStation].map(([station, list]) => [station, union(list.map(({ span }) => span))]));
}

/** Notes as covered what is needed and no request covers, unless it is so new that it may still come. */
export function coverUnrequested(
  state: State,
  { source, unrequested }: SourcePlan,
  requested_ms: number,
): void {
  const known = getCursors(state, source.name);
  const final_ms = finalBefore(source, requested_ms);
  for (const { place, span } of unrequested)
    for (const old of before([span], final_ms))
      changeCursor(known, place, (cursor) => withCovered(cursor, old, final_ms));
}
