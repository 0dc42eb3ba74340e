import { DAY_MS, formatDate, HOUR_MS } from '../../statistics/time/calendar.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { sum } from '../../statistics/statistics.js';
import { groupBy } from '../collected-spans.js';
import { toCell } from '../feed-cells.js';
import type { FeedLine, StationPlace, UnusablePart } from '../source.js';
import { dayFeedOf, type SourceFile } from './source-file.js';

// Days of a place, made of values at hours: of its local day, and only if no hour lacks.

/** A row of hours with the values of the columns of days; `issued_at` of forecasts. */
export interface HourRow {
  at_ms: number;
  issued_at: string;
  values: readonly (number | null)[];
}

/** The days of all issuances. A day counts only if its first column has a value in each of its hours. */
export function makeDays(
  file: SourceFile,
  place: StationPlace,
  rows: readonly HourRow[],
  requested_ms: number,
  unusable: UnusablePart[],
): FeedLine[] {
  if (Object.keys(file.days).length === 0) return [];
  const isObserved = dayFeedOf(file.kind) === 'observations';
  const { station_id, timezone, day_boundary } = place;
  return [...groupBy(rows, ({ issued_at }) => issued_at)].flatMap(([issued_at, list]) => {
    const byDay = groupBy(list, ({ at_ms }) => `${Math.floor(at_ms / DAY_MS)}`);
    const utcDays = [...byDay.keys()].map(Number);
    const near = [...new Set(utcDays.flatMap((day) => [day - 1, day, day + 1]))].sort((a, b) => a - b);
    const { first_ms, end_ms } = knownSpan(list);
    const lines: FeedLine[] = [];
    for (const day of near) {
      const date = formatDate(day);
      const { begins_ms, ends_ms } = localDay(date, timezone, day_boundary);
      if (isObserved && ends_ms > requested_ms) continue;
      const hours = [-1, 0, 1, 2].flatMap((days) => byDay.get(`${day + days}`) ?? []);
      const cells = cellsOf(file, hours, begins_ms, ends_ms);
      if (Object.values(cells)[0] !== '')
        lines.push(
          isObserved
            ? { station_id, date, ...cells, ...statusOf(file, ends_ms, requested_ms) }
            : { station_id, issued_at, target_date: date, ...cells, provider: file.provider ?? file.name },
        );
      else if (begins_ms >= first_ms && ends_ms <= end_ms)
        unusable.push({
          unit: `${station_id} ${issued_at.replace(':00.000Z', 'Z')}`.trim(),
          reason: `lacks hours of ${date}`,
        });
    }
    return lines;
  });
}

/** From the first hour to the end of the last one with a value. */
function knownSpan(rows: readonly HourRow[]): { first_ms: number; end_ms: number } {
  let [first_ms, end_ms] = [Infinity, -Infinity];
  for (const { at_ms, values } of rows) {
    first_ms = Math.min(first_ms, at_ms);
    if (values[0] !== null) end_ms = Math.max(end_ms, at_ms + HOUR_MS);
  }
  return { first_ms, end_ms };
}

/** Both follow from the day and the clock alone, so that what is read twice is the same. */
export function statusOf({ verified_after }: SourceFile, ends_ms: number, requested_ms: number): FeedLine {
  const isVerified = requested_ms >= ends_ms + verified_after;
  const observed_at = new Date(ends_ms + (isVerified ? verified_after : 0)).toISOString();
  return { status: isVerified ? 'verified' : 'preliminary', observed_at };
}

function cellsOf(
  { days }: SourceFile,
  rows: readonly HourRow[],
  begins_ms: number,
  ends_ms: number,
): Record<string, string> {
  const first = Math.ceil(begins_ms / HOUR_MS);
  const hours = Array.from({ length: Math.ceil(ends_ms / HOUR_MS) - first }, (_, at) => first + at);
  return Object.fromEntries(
    Object.entries(days).map(([column, { max, min, at }], index) => {
      const known = new Set<number>();
      const values: number[] = [];
      for (const row of rows) {
        const at_ms = row.at_ms - (at === 'end' ? HOUR_MS : 0);
        const value = row.values[index] ?? null;
        if (value === null || at_ms < begins_ms || at_ms >= ends_ms) continue;
        known.add(Math.floor(at_ms / HOUR_MS));
        values.push(value);
      }
      if (!hours.every((hour) => known.has(hour))) return [column, ''];
      const value =
        max !== undefined ? Math.max(...values) : min !== undefined ? Math.min(...values) : sum(values);
      return [column, toCell(column, value) ?? ''];
    }),
  );
}
