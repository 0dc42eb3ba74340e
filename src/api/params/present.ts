import { z } from 'zod';
import { dateAt, QUARTER_HOUR_MS } from '../../statistics/time/calendar.js';
import { dateIn } from '../../statistics/time/local-midnight.js';
import type { Station } from '../../stations/directory.js';
import type { Present } from '../groups.js';

// The present of a request that names no time: "today" is the day of the one station that it is about, without one the UTC day (D64).

/**
 * The moment of a request, Unix ms: known_at, the time of the data's version, or the beginning of the present
 * quarter of an hour or something finer. Days begin at quarters alone.
 */
export const presentMoment = (
  { directory: { asOf }, now, knownAt }: Omit<Present, 'station'>,
  grain_ms = QUARTER_HOUR_MS,
): number => knownAt ?? asOf?.moment_ms ?? now - (now % grain_ms);

/** The date at a moment: by the clock of a station, without one in UTC. */
const dateFor = (moment_ms: number, station: Station | undefined): string =>
  station === undefined ? dateAt(moment_ms) : dateIn(moment_ms, station.timezone, station.day_boundary);

/** The date of a request that names none: that of its moment. A version has a UTC date whatever is asked of it (D31). */
export const presentDate = (present: Present): string =>
  dateFor(presentMoment(present), present.directory.asOf === undefined ? present.station : undefined);

/** Whether a target date has ended by the moment of a request. */
export const hasEnded = (target_date: string, present: Present): boolean =>
  target_date < dateFor(presentMoment(present), present.station);

/** A hint on probabilities or a correction for a day that has ended. @param station_id of the request, or ALL */
export const hintOfEnded = (target_date: string, station_id: string): string =>
  `${target_date} has ended${station_id === 'ALL' ? ' (UTC)' : ` at ${station_id}`}: /data/observations has its temperature once it is reported`;

/** Says that the day which a request leaves out is no station's. */
export const TODAY_BASIS = z
  .enum(['utc'])
  .optional()
  .meta({
    description:
      'Which day is today (with known_at, the day of that instant) where a request leaves the date out: `utc`, the UTC day, ' +
      'for several stations or all. Absent for one station, whose own day it is; with as_of every day left out is in UTC',
  });
