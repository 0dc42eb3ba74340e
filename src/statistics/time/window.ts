import { addDays, dayNumber, daysInWindow, FIRST_DATE, LAST_DATE, weekday } from './calendar.js';

/** A run of calendar days, both ends included. Dates are YYYY-MM-DD. */
export interface Window {
  period_start: string;
  period_end: string;
  days_analyzed: number;
}

/** The window parameters of a request, with one date at least; each is a calendar date. */
export interface WindowParameters {
  days: number;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

interface WindowIssue {
  parameter: 'date_from' | 'date_to';
  message: string;
}

/** The longest explicit window, in days. */
export const MAX_WINDOW_DAYS = 3660;

/**
 * The window of a request: from bound to bound, or `days` from the one bound.
 * @returns the window, or the error of the request
 */
export function resolveWindow({ days, date_from, date_to }: WindowParameters): Window | WindowIssue {
  const period_end = date_to ?? addDays(date_from ?? FIRST_DATE, days - 1);
  const period_start = date_from ?? addDays(period_end, 1 - days);
  if (period_start > period_end) {
    return {
      parameter: 'date_from',
      message: `is after date_to (${date_to}); the window must begin before it ends`,
    };
  }
  if (period_start < FIRST_DATE) {
    return {
      parameter: 'date_to',
      message: `ends a window of ${days} days that begins before ${FIRST_DATE}; give date_from, or fewer days`,
    };
  }
  if (period_end > LAST_DATE) {
    return {
      parameter: 'date_from',
      message: `begins a window of ${days} days that ends after ${LAST_DATE}; give date_to, or fewer days`,
    };
  }
  const days_analyzed = daysInWindow(period_start, period_end);
  if (days_analyzed > MAX_WINDOW_DAYS) {
    return {
      parameter: 'date_from',
      message: `begins a window of ${days_analyzed} days; at most ${MAX_WINDOW_DAYS} are allowed, so ask for it in parts`,
    };
  }
  return { period_start, period_end, days_analyzed };
}

/** The number of the first Monday of a window, and of its whole weeks; a window without any counts as one. */
export function countWeeks({ period_start, period_end }: Omit<Window, 'days_analyzed'>): {
  first_week: number;
  week_count: number;
} {
  const before = (8 - weekday(period_start)) % 7;
  return {
    first_week: dayNumber(period_start) + before,
    week_count: Math.max(1, Math.floor((daysInWindow(period_start, period_end) - before) / 7)),
  };
}

/** The week of each day of a window, both from 0, as countWeeks() has them: a day beside its whole weeks belongs to the nearest. */
export function weekOfDay(window: Omit<Window, 'days_analyzed'>): (day: number) => number {
  const { first_week, week_count } = countWeeks(window);
  const before = first_week - dayNumber(window.period_start);
  return (day) => Math.min(week_count - 1, Math.max(0, Math.floor((day - before) / 7)));
}
