import type { Span } from './source.js';

// Sets of time, as lists of spans. What these functions return is in order, disjoint, and has no two that touch.

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

/** What is in the first and not in the second. */
export function subtract(spans: readonly Span[], taken: readonly Span[]): Span[] {
  const holes = union(taken);
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

/** What is in both. */
export function intersect(spans: readonly Span[], others: readonly Span[]): Span[] {
  return subtract(spans, subtract(spans, others));
}

/** What is before a moment. */
export const before = (spans: readonly Span[], ms: number): Span[] =>
  intersect(spans, [{ from_ms: -Infinity, to_ms: ms }]);
