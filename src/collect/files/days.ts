import { DAY_MS, formatDate, HOUR_MS } from '../../statistics/time/calendar.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { sum } from '../../statistics/statistics.js';
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
  const issuances = new Map<string, HourRow[]>();
  for (const row of rows) {
    const known = issuances.get(row.issued_at);
    if (known === undefined) issuances.set(row.issued_at, [row]);
    else known.push(row);
  }
  return [...issuances].flatMap(([issued_at, list]) => {
    const isObserved = dayFeedOf(file.kind) === 'observations';
    const [first_ms, last_ms] = [Math.min, Math.max].map((of) => of(...list.map(({ at_ms }) => at_ms))) as [
      number,
      number,
    ];
    const lines: FeedLine[] = [];
    for (let day = Math.floor(first_ms / DAY_MS) - 1; day <= Math.floor(last_ms / DAY_MS) + 1; day += 1) {
      const date = formatDate(day);
      const { begins_ms, ends_ms } = localDay(date, place.timezone, place.day_boundary);
      if (isObserved && ends_ms > requested_ms) continue;
      const cells = cellsOf(file, list, begins_ms, ends_ms);
      if (Object.values(cells)[0] === '') {
        if (begins_ms >= first_ms && ends_ms <= lastKnown(list))
          unusable.push({
            unit: `${place.station_id} ${issued_at.replace(':00.000Z', 'Z')}`.trim(),
            reason: `lacks hours of ${date}`,
          });
        continue;
      }
      const { station_id } = place;
      lines.push(
        isObserved
          ? { station_id, date, ...cells, ...statusOf(file, ends_ms, requested_ms) }
          : { station_id, issued_at, target_date: date, ...cells, provider: file.provider ?? file.name },
      );
    }
    return lines;
  });
}

/** The end of the last hour with a value. */
const lastKnown = (rows: readonly HourRow[]): number =>
  Math.max(...rows.map(({ at_ms, values: [first] }) => (first === null ? -Infinity : at_ms + HOUR_MS)));

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
