import { IANAZone } from 'luxon';
import { DAY_MS, MINUTE_MS, SECOND_MS } from './calendar.js';

/** From an instant on the clocks of a zone are so far ahead of UTC, both in ms. */
export interface ZoneOffset {
  from_ms: number;
  offset_ms: number;
}

/** No zone changes its clocks twice within so long. */
const STEP_MS = 7 * DAY_MS;

/** How far the clocks of a zone are ahead of UTC between two instants, Unix ms, in order. */
export function listOffsets(timezone: string, first_ms: number, last_ms: number): ZoneOffset[] {
  const zone = IANAZone.create(timezone);
  const offsetAt = (ms: number): number => zone.offset(ms) * MINUTE_MS;
  const found = [{ from_ms: first_ms, offset_ms: offsetAt(first_ms) }];
  for (let from = first_ms; from < last_ms; from += STEP_MS) {
    const to = Math.min(from + STEP_MS, last_ms);
    const [before, after] = [offsetAt(from), offsetAt(to)];
    if (before === after) continue;
    let [known, changed] = [from, to];
    while (changed - known > SECOND_MS) {
      const middle = known + Math.floor((changed - known) / (2 * SECOND_MS)) * SECOND_MS;
      if (offsetAt(middle) === before) known = middle;
      else changed = middle;
    }
    found.push({ from_ms: changed, offset_ms: after });
  }
  return found;
}
