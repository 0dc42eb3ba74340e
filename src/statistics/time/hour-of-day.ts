import { MINUTE_MS } from './calendar.js';

/** How long after its time a report counts as known: routine ones carry :51 to :56 and are out by the full hour. */
export const HOURS_KNOWN_AFTER_MS = 3 * MINUTE_MS;
