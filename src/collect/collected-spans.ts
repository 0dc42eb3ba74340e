import { DAY_MS, HOUR_MS } from '../statistics/time/calendar.js';
import type { Need, Span } from './source.js';

// Sets of time, as lists of spans. Lists from these functions are in order and disjoint, and no two spans touch.

/** All that is in any of these. */
export function union(...lists: readonly (readonly Span[])[]): Span[] {
  const sorted = lists
    .flat()
    .filter(({ from_ms, to_ms }) => from_ms < to_ms)
    .sort((a, b) => a.from_ms - b.from_ms);
  const merged: Span[] = [];
  for (const { from_ms, to_ms } of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && from_ms <= last.to_ms) last.to_ms = Math.max(last.to_ms, to_ms);
    else merged.push({ from_ms, to_ms });
  }
  return merged;
}

/** The time in the first and in no other. */
export function subtract(spans: readonly Span[], ...taken: readonly (readonly Span[])[]): Span[] {
  const holes = union(...taken);
  const left: Span[] = [];
  let at = 0;
  for (const { from_ms, to_ms } of union(spans)) {
    let from = from_ms;
    while ((holes[at]?.to_ms ?? Infinity) <= from) at += 1;
    for (let next = at; (holes[next]?.from_ms ?? Infinity) < to_ms; next += 1) {
      const hole = holes[next] as Span;
      if (from < hole.from_ms) left.push({ from_ms: from, to_ms: hole.from_ms });
      from = hole.to_ms;
    }
    if (from < to_ms) left.push({ from_ms: from, to_ms });
  }
  return left;
}

/** The time in both. */
export function intersect(spans: readonly Span[], others: readonly Span[]): Span[] {
  return subtract(spans, subtract(spans, others));
}

/** The time before a moment. */
export const before = (spans: readonly Span[], ms: number): Span[] =>
  intersect(spans, [{ from_ms: -Infinity, to_ms: ms }]);

/** The days, since 1970, whose day in UTC a span touches. */
export function daysIn({ from_ms, to_ms }: Span): number[] {
  const first = Math.floor(from_ms / DAY_MS);
  return Array.from({ length: Math.max(0, Math.ceil(to_ms / DAY_MS) - first) }, (_, at) => first + at);
}

/** Days, since 1970, as the spans of their days in UTC. */
export const daySpans = (days: readonly number[]): Span[] =>
  union(days.map((day) => ({ from_ms: day * DAY_MS, to_ms: (day + 1) * DAY_MS })));

/** The days whose observation a source should have by now. A day of UTC is over everywhere 12 hours after its end. */
export const daysOverBy = ({ from_ms, to_ms }: Span, requested_ms: number): number[] =>
  daysIn({ from_ms, to_ms: Math.min(to_ms, Math.floor((requested_ms - 12 * HOUR_MS) / DAY_MS) * DAY_MS) });

/** The span from the beginning of the first need to the end of the last. */
export const hull = (needs: readonly Need[]): Span => ({
  from_ms: Math.min(...needs.map(({ span }) => span.from_ms)),
  to_ms: Math.max(...needs.map(({ span }) => span.to_ms)),
});

/** The parts of a need that are in any of these spans. */
export const needsIn = ({ place, span }: Need, spans: readonly Span[]): Need[] =>
  intersect([span], spans).map((part) => ({ place, span: part }));

/** The parts of a need in the calendar months or years, of UTC, that it touches. */
export function calendarParts({ place, span: { from_ms, to_ms } }: Need, unit: 'month' | 'year'): Need[] {
  const parts: Need[] = [];
  for (let begins = from_ms; begins < to_ms; begins = parts.at(-1)?.span.to_ms ?? to_ms) {
    const date = new Date(begins);
    const month = unit === 'year' ? 12 : date.getUTCMonth() + 1;
    const ends = Math.min(to_ms, Date.UTC(date.getUTCFullYear(), month, 1));
    parts.push({ place, span: { from_ms: begins, to_ms: ends } });
  }
  return parts;
}

/** Items in lists of at most so many. */
export const batches = <Item>(items: readonly Item[], max: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / max) }, (_, at) => items.slice(at * max, (at + 1) * max));

/** Items under their keys, in the order in which they come. */
export function groupBy<Item>(items: Iterable<Item>, getKey: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(getKey(item));
    if (group === undefined) groups.set(getKey(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** The parts of a need that are at most so long, the newest first. */
export function splitNeed({ place, span: { from_ms, to_ms } }: Need, longest_ms: number): Need[] {
  const parts: Need[] = [];
  for (let end = to_ms; end > from_ms; end -= longest_ms)
    parts.push({ place, span: { from_ms: Math.max(from_ms, end - longest_ms), to_ms: end } });
  return parts;
}

/** The times of the runs in a span, which are so far apart. */
export function listRuns({ from_ms, to_ms }: Span, every_ms: number, first_ms = 0): number[] {
  const first = Math.ceil((from_ms - first_ms) / every_ms);
  const end = Math.ceil((to_ms - first_ms) / every_ms);
  return Array.from({ length: Math.max(0, end - first) }, (_, at) => (first + at) * every_ms + first_ms);
}

/** The runs of needs that are out, newest first, with what each covers: its part of a need begins where that of the run before ends. */
export function planRuns(
  needs: readonly Need[],
  { every_ms, out_ms, first_ms = 0 }: { every_ms: number; out_ms: number; first_ms?: number },
  requested_ms: number,
): { run_ms: number; covers: Need[] }[] {
  const byRun = new Map<number, Need[]>();
  for (const { place, span } of needs)
    for (const run_ms of listRuns(span, every_ms, first_ms).filter(
      (run_ms) => run_ms + out_ms <= requested_ms,
    )) {
      const from_ms = run_ms - every_ms < span.from_ms ? span.from_ms : run_ms;
      const cover = { place, span: { from_ms, to_ms: Math.min(run_ms + every_ms, span.to_ms) } };
      byRun.set(run_ms, [...(byRun.get(run_ms) ?? []), cover]);
    }
  return [...byRun].sort(([a], [b]) => b - a).map(([run_ms, covers]) => ({ run_ms, covers }));
}
