import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { forecastRows, observationRows, readStations } from '../../../src/sample/generate.js';
import { LEVELS } from '../../../src/statistics/quantiles.js';
import { hourRows, SAMPLE_HOURS_DAYS } from '../../../src/sample/sample-hours.js';
import { DAY_MS } from '../../../src/statistics/time/calendar.js';
import type { FeedLines } from './feeds.js';

/** The sample's feeds as of a day, without what is about days before another: a month loads in a tenth of the time of all. */
export function sampleSince(date: string, today: string): FeedLines {
  const stations = readStations();
  const days = (Date.parse(today) - Date.parse(date)) / DAY_MS + 2;
  const since = (lines: Iterable<string>, dateColumn: number): string[] =>
    [...lines].slice(1).filter((line) => (line.split(',')[dateColumn] ?? '') >= date);
  const hours = [...hourRows(stations, Date.parse(today), Math.min(days, SAMPLE_HOURS_DAYS))];
  const file = createRequire(import.meta.url).resolve('#sample/stations.csv');
  return {
    columns: 'all', // the sample has no optional column of a station, and withdraws nothing, but names providers
    stations: readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => `${line},,,`),
    // It has its provider behind the standard deviations, and no quantiles before its chances.
    forecasts: since(forecastRows(stations, today, days), 2).map((line) =>
      line.replace(/,([^,]*,[^,]*),([^,]*),([^,]*)$/, `,$2,,$1${','.repeat(2 * LEVELS.length)},$3`),
    ),
    observations: since(observationRows(stations, today, days), 1).map((line) =>
      line.replace(/,([^,]*)$/, ',,$1'),
    ),
    hours: [...hours.slice(0, 1), ...since(hours, 1)],
  };
}
