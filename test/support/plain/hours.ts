import fc from 'fast-check';
import { dayStart } from './oracle.js';
import { type HourlyValues, OF_HOURS, type OfWindow, WINDOWS } from './variables.js';

// The hours of a station day by the reports within the day, worked out report by report (D56).

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A report; temperatures in hundredths of a °F. */
export interface HourRow extends HourlyValues {
  station_id: string;
  at: number;
  temp?: number | undefined;
  max_6h?: number | undefined;
  min_6h?: number | undefined;
  sky?: string | undefined;
  withdrawn?: boolean;
  status?: 'preliminary' | 'verified' | undefined;
}

/** The extremes of a station day at the end of hours 1 to 23, and of the day. Null: too few hours were reported. */
export interface DayHours {
  highest: (number | null)[];
  lowest: (number | null)[];
  weather: 'unknown' | 'clear' | 'cloudy' | 'precipitation';
}

const text = (hundredths: number | undefined): string =>
  hundredths === undefined ? '' : `${hundredths / 100}`;

/** An amount of a window; some of 0 are written as a trace. */
const amountText = (row: HourRow, name: OfWindow): string =>
  row[name] === 0 && (row.at / MINUTE) % 3 < 1 ? 'T' : text(row[name]);

/** The line of a report in a feed with all columns. */
export const hourLine = (row: HourRow): string =>
  [
    row.station_id,
    new Date(row.at).toISOString(),
    ...[row.temp, row.max_6h, row.min_6h].map(text),
    amountText(row, 'wet_1h'),
    row.sky ?? '',
    row.withdrawn === true ? 'true' : '',
    row.status ?? '',
    ...OF_HOURS.map((name) => text(row[name])),
    amountText(row, 'wet_12h'),
    amountText(row, 'wet_6h'),
  ].join();

/** The reports that stand when these have come in their order. */
export function standingReports(rows: readonly HourRow[]): HourRow[] {
  const byKey = new Map<string, HourRow>();
  for (const row of rows) {
    const values = [row.temp, row.max_6h, row.min_6h, row.sky];
    const says = [...values, ...[...OF_HOURS, ...WINDOWS].map((name) => row[name])].some(
      (each) => each !== undefined && each !== '',
    );
    if (says || row.withdrawn === true) byKey.set(`${row.station_id} ${row.at}`, row);
  }
  return [...byKey.values()].filter(({ withdrawn }) => withdrawn !== true);
}

/** When a local day begins (D28). */
export const beginsAt = (date: string, timezone: string, day_boundary: 'civil' | 'standard'): number =>
  dayStart(date, { timezone, day_boundary });

const EIGHTHS: Record<string, number> = { CLR: 0, FEW: 1.5, SCT: 3.5, BKN: 6, OVC: 8, VV: 8 };

/** The reports of which the six hours before lie between two instants: the last may be made at the second. */
export const sixHoursIn = (reports: readonly HourRow[], begins: number, ends: number): HourRow[] =>
  reports.filter(({ at }) => begins <= at - 6 * HOUR && at <= ends);

/** The day between two instants, by the reports of one station, in whole °F, or whole °C. */
export function dayHours(
  reports: readonly HourRow[],
  begins: number,
  ends: number,
  unit?: 'celsius',
): DayHours {
  const ofDay = reports.filter(({ at }) => at >= begins && at < ends);
  const hourOf = ({ at }: HourRow): number => Math.floor((at - begins) / HOUR);
  const hoursOf = (rows: readonly HourRow[]): number =>
    new Set(rows.filter((row) => row.temp !== undefined).map(hourOf)).size;
  const byHour = (sign: 1 | -1): (number | null)[] =>
    Array.from({ length: 24 }, (_, index) => {
      const hour = index + 1;
      const end = hour === 24 ? ends : begins + hour * HOUR;
      const known = hour === 24 ? ofDay : ofDay.filter(({ at }) => at + 3 * MINUTE <= end);
      const measured = known.filter(({ temp }) => temp !== undefined);
      const newest = Math.max(...measured.map(({ at }) => at));
      if (hoursOf(known) < (end - begins) / HOUR - 2 || measured.length === 0 || end - newest > 70 * MINUTE)
        return null;
      const temperatures = [
        ...known.map(({ temp }) => temp),
        ...sixHoursIn(reports, begins, ends)
          .filter(({ at }) => hour === 24 || at + 3 * MINUTE <= end)
          .map((row) => (sign === 1 ? row.max_6h : row.min_6h)),
      ];
      const extreme = Math.max(...temperatures.flatMap((each) => (each === undefined ? [] : [sign * each])));
      const degree =
        unit === 'celsius'
          ? Math.floor(((extreme - sign * 3200) * 5 + 450) / 900)
          : Math.floor((extreme + 50) / 100);
      return sign * degree + 0;
    });
  const skies = ofDay.flatMap((row) => {
    const eighths = EIGHTHS[row.sky ?? ''];
    return eighths !== undefined && hourOf(row) >= 9 && hourOf(row) < 18 ? [eighths] : [];
  });
  const isWet = ofDay.some(({ wet_1h = 0 }) => wet_1h >= 1);
  const mean = skies.reduce((sum, each) => sum + each, 0) / skies.length;
  const weather =
    hoursOf(ofDay) < 12
      ? 'unknown'
      : isWet
        ? 'precipitation'
        : Number.isNaN(mean)
          ? 'unknown'
          : mean >= 5
            ? 'cloudy'
            : 'clear';
  return { highest: byHour(1), lowest: byHour(-1), weather };
}

/** Reports of a station from an instant on: most hours, with specials between, 6-hour groups, rain and sky, some late on. */
export const reportsFrom = (station_id: string, from: number, hours: number): fc.Arbitrary<HourRow[]> =>
  fc
    .array(
      fc.record({
        minute: fc.constantFrom(51, 51, 51, 53, 56, 57, 58, 0, 20, 59),
        isThere: fc.integer({ min: 0, max: 9 }).map((each) => each > 0),
        temp: fc.option(fc.integer({ min: -2050, max: 12_000 }), { nil: undefined, freq: 12 }),
        max_6h: fc.option(fc.integer({ min: -2050, max: 12_000 }), { nil: undefined, freq: 2 }),
        min_6h: fc.option(fc.integer({ min: -2050, max: 12_000 }), { nil: undefined, freq: 2 }),
        wet_1h: fc.constantFrom(undefined, undefined, undefined, 0, 0, 1),
        sky: fc.constantFrom('', 'CLR', 'FEW', 'SCT', 'BKN', 'OVC', 'VV'),
      }),
      { minLength: hours, maxLength: hours },
    )
    .map((all) =>
      all.flatMap(({ minute, isThere, ...row }, hour) =>
        isThere ? [{ station_id, at: from + hour * HOUR + minute * MINUTE, ...row }] : [],
      ),
    );
