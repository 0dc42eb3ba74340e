import { IANAZone } from 'luxon';
import { DAY_MS, MINUTE_MS, SECOND_MS } from './calendar.js';

/** How far clocks are ahead of UTC at an instant, Unix ms, both in ms. */
export type Offset = (instant: number) => number;

/** From an instant on, clocks are so far ahead of UTC, both in ms. */
export interface ZoneOffset {
  from_ms: number;
  offset_ms: number;
}

/** No zone changes its clocks twice within so long: the least is 6 days and 23 hours (America/Boa_Vista in October 2000). */
const STEP_MS = 6 * DAY_MS;

/** The offset at the begin of each step since 1970, by zone: the runtime takes some 5 µs for one. */
const offsetsOfSteps = new Map<string, Map<number, number>>();

export function civilOffset(timezone: string): Offset {
  const zone = IANAZone.create(timezone);
  const exact: Offset = (instant) => zone.offset(instant) * MINUTE_MS;
  let known = offsetsOfSteps.get(timezone);
  if (known === undefined) offsetsOfSteps.set(timezone, (known = new Map<number, number>()));
  const ofSteps = known;
  const atStep = (step: number): number => {
    let offset = ofSteps.get(step);
    if (offset === undefined) ofSteps.set(step, (offset = exact(step * STEP_MS)));
    return offset;
  };
  return (instant) => {
    const step = Math.floor(instant / STEP_MS);
    const offset = atStep(step);
    return offset === atStep(step + 1) ? offset : exact(instant);
  };
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
