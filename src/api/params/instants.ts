import { z } from 'zod';
import { isCalendarDate, DAY_MS } from '../../statistics/time/calendar.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { MAX_WINDOW_DAYS } from '../../statistics/time/window.js';
import { defineGroup, type Present } from '../groups.js';
import { parseBy, parseInstant, InvalidParamsError, type ParamIssue, withPlus } from '../parameters.js';
import { presentDate } from './present.js';

/** Two instants, both included, in milliseconds since 1970. */
export interface Instants {
  first_ms: number;
  last_ms: number;
}

/** An instant, in milliseconds since 1970. */
const readInstant = (text: string): number | undefined =>
  isCalendarDate(text.slice(0, 10)) ? parseInstant(text) : undefined;

const instant = (description: string) =>
  z
    .string()
    .transform(withPlus)
    .transform(
      parseBy(
        readInstant,
        'must be a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z',
      ),
    )
    .optional()
    .meta({ type: 'string', description, example: '2026-10-01T06:00:00Z' });

/** The last millisecond of a day: of a station's where a request is about one, else of a UTC day. */
function endOfDay(date: string, { directory: { asOf }, station }: Present): number {
  if (asOf !== undefined || station === undefined) return Date.parse(date) + DAY_MS - 1;
  return localDay(date, station.timezone, station.day_boundary).ends_ms - 1;
}

/**
 * From `start_time` to `end_time`. A default is no finer than the date, so that equal requests are equal for a day.
 * @param days how long that is where the request does not say
 */
export const instants = (days: number) =>
  defineGroup({
    parameters: {
      start_time: instant(`The first instant; default: ${days} days before end_time`),
      end_time: instant(
        'The last instant; default: the end of today at the station asked about, else in UTC, or of the day of as_of',
      ),
    },
    read({ start_time, end_time }) {
      const upTo = (last_ms: number): Instants | ParamIssue[] => {
        const first_ms = start_time ?? Math.max(0, last_ms - days * DAY_MS);
        if (first_ms > last_ms) return [{ parameter: 'start_time', message: 'is after end_time' }];
        if (last_ms - first_ms > MAX_WINDOW_DAYS * DAY_MS) {
          return [
            { parameter: 'start_time', message: `is more than ${MAX_WINDOW_DAYS} days before end_time` },
          ];
        }
        return { first_ms, last_ms };
      };
      const given = end_time === undefined ? undefined : upTo(end_time);
      if (Array.isArray(given)) return given;
      return (present) => {
        const found = given ?? upTo(endOfDay(presentDate(present), present));
        if (Array.isArray(found)) throw new InvalidParamsError(found);
        return found;
      };
    },
    cacheKey: ({ first_ms, last_ms }: Instants) => [first_ms, last_ms],
  });
