import { IANAZone } from 'luxon';
import { DAY_MS, MINUTE_MS, SECOND_MS } from './calendar.js';

/** How far clocks are ahead of UTC at an instant, Unix ms, both in ms. */
export type Offset = (instant: number) => number;

/** From an instant on, clocks are so far ahead of UTC, both in ms. */
export interface ZoneOffset {
  from_ms: number;
  offset_ms: number;
}

/** No zone changes its clocks twice within so long. */
const STEP_MS = 7 * DAY_MS;

export function civilOffset(timezone: string): Offset {
  const zone = IANAZone.create(timezone);
  return (instant) => zone.offset(instant) * MINUTE_MS;
}

/** The second within a time in which an offset changes once. */
export function changeWithin(from: number, to: number, offset: Offset): number {
  const first = offset(from);
  let [before, after] = [from, to];
  while (after - before > SECOND_MS) {
    const middle = before + Math.floor((after - before) / (2 * SECOND_MS)) * SECOND_MS;
    if (offset(middle) === first) before = middle;
    else after = middle;
  }
  return after;
}

/** The offset at an instant, and each that it changes to until another, in order. */
export function listOffsets(offset: Offset, first_ms: number, last_ms: number): ZoneOffset[] {
  let known = offset(first_ms);
  const found = [{ from_ms: first_ms, offset_ms: known }];
  for (let instant = first_ms; instant < last_ms; instant += STEP_MS) {
    const next = offset(instant + STEP_MS);
    if (next === known) continue;
    const from_ms = changeWithin(instant, instant + STEP_MS, offset);
    if (from_ms <= last_ms) found.push({ from_ms, offset_ms: offset(from_ms) });
    known = next;
  }
  return found;
}
