import { readDayBegins, type DayBegins } from '../../api/day-begins.js';
import type { Sources } from '../../api/endpoint.js';
import type { Unit } from '../../variables/units.js';
import { getHistories, type StationHistories } from '../training/history.js';
import { type TrainingQuery, readForWindow, readHistories } from '../training/archive.js';
import { rangeByHour } from '../training/training.js';
import { measuredArrays } from './hour-cases.js';
import { casesKnown, type HourHistory, hourFinder } from './hour-origins.js';
import { MIN_CASES } from './remaining-rise.js';

/** The days that some target days are trained on at an hour. */
export interface HourArchive {
  histories: StationHistories[];
  byHour: HourHistory[];
  dayBegins: DayBegins;
  window: number;
}

/**
 * The histories of all stations at an hour of their days (D57).
 * @param moment_ms by which cases are counted
 */
export async function readHourArchive(
  params: TrainingQuery & { unit: Unit },
  hour: number,
  { first, last }: { first: number; last: number },
  moment_ms: number,
  sources: Pick<Sources, 'query'>,
): Promise<HourArchive> {
  const range = rangeByHour(hour);
  const { found, window } = await readForWindow(
    params.training.window,
    { needed: MIN_CASES, last: last - 1 },
    async (window) => {
      const days = { first: Math.max(0, first - window), last };
      const [histories, rows, dayBegins] = await Promise.all([
        readHistories(params, range, days, sources),
        sources.query(measuredArrays({ ...params, hour }, days), 'long'),
        readDayBegins(params, days, sources),
      ]);
      const measured = new Map(rows.map((row) => [row.station_id, row]));
      const byHour = getHistories(histories, 0).map((history): HourHistory => {
        const { days = [], measured: degrees = [] } = measured.get(history.station_id) ?? {};
        const byDay = new Float64Array(history.forecasts.length).fill(NaN);
        for (const [at, day] of days.entries()) byDay[day - history.first] = degrees[at]!;
        return { ...history, measured: byDay };
      });
      return { histories, byHour, dayBegins };
    },
    ({ byHour, dayBegins }, day) => casesKnown(byHour, hourFinder(hour, dayBegins), day, moment_ms),
  );
  return { ...found, window };
}
