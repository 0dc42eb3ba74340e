import { z } from 'zod';
import { GROUPINGS, type Grouping } from '../queries/grouped-cases.js';
import type { Directory } from '../stations/directory.js';
import { count, leadTimeBucket, STATION } from './fields.js';
import { ALL_BUCKETS } from '../statistics/time/lead-time.js';
import { addDays } from '../statistics/time/calendar.js';
import type { Window } from '../statistics/time/window.js';
import { type ParamIssue, word } from './parameters.js';
import { level } from './params/common.js';

// Parts that the endpoints which count cases share (D32).

/** The groups of a request about cases. */
export const CASES_GROUPS = { level };

export const TOTAL_CASES = count('Station days behind the response');

/** The groups of the records of a response. */
export const GROUP_BY = word(
  GROUPINGS,
  'none: all days together; lead_time_bucket: the days of each lead time, with the latest forecast in it; ' +
    'station; month: calendar months, of which the window may cut the first and the last',
).default('none');

/** The fields that tell the groups apart. */
export const GROUP_FIELDS = {
  lead_time_bucket: leadTimeBucket.optional().meta({ description: 'With group_by=lead_time_bucket' }),
  station_id: STATION.station_id.optional().meta({ description: 'With group_by=station', example: 'KORD' }),
  city_name: STATION.city_name.optional().meta({ description: 'With group_by=station', example: 'Chicago' }),
  month: z.iso
    .date()
    .optional()
    .meta({ description: 'With group_by=month: its first day, which may lie before the window' }),
};

export const requestedByGroups = (group_by: Grouping): Record<keyof typeof GROUP_FIELDS, boolean> => ({
  lead_time_bucket: group_by === 'lead_time_bucket',
  station_id: group_by === 'station',
  city_name: group_by === 'station',
  month: group_by === 'month',
});

/** The fields of the group with a key. */
export const fieldsOfGroup = (group_by: Grouping, key: string, { stations }: Directory) => ({
  ...(group_by === 'lead_time_bucket' && { lead_time_bucket: ALL_BUCKETS[Number(key) - 1] }),
  ...(group_by === 'station' && { station_id: key, city_name: stations.cityName(key) }),
  ...(group_by === 'month' && { month: key }),
});

/** The error of a window that has more than so many station days. */
export function tooManyDays(
  { days_analyzed }: Window,
  stations: number,
  max: number,
): ParamIssue | undefined {
  const days = Math.max(1, Math.floor(max / Math.max(1, stations)));
  if (days_analyzed <= days) return undefined;
  const message = `reads every day of ${stations} stations; name fewer of them, or ask for at most ${days} days instead of ${days_analyzed}`;
  return { parameter: 'days', message };
}

/** The parts of a window, in order, each of at most so many station days: what one query reads of every case. */
export function splitWindow(
  { period_start, days_analyzed }: Window,
  stations: number,
  each: number,
): { period_start: string; period_end: string }[] {
  const length = Math.max(1, Math.floor(each / Math.max(1, stations)));
  return Array.from({ length: Math.ceil(days_analyzed / length) }, (_, at) => ({
    period_start: addDays(period_start, at * length),
    period_end: addDays(period_start, Math.min(days_analyzed, (at + 1) * length) - 1),
  }));
}
