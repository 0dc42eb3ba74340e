import { plusDays } from '../plain/oracle.js';
import { Random } from '../random.js';
import type { PlainPair } from '../plain/uncertainty.js';
import { type Contract, contractOn } from './contract.js';

// Two months of three stations, long enough for intervals, and their pairs one by one.

export const MONTHS_STATIONS = ['EGLL', 'KLAX', 'KORD'] as const;
export const MONTHS_FIRST = '2026-03-04'; // a Wednesday; the first whole week begins on the 9th
const DAYS = 61;
/** Days behind the window, of KORD alone, whose cases have two forecasts of a bucket: by lead, the errors of the highs. */
export const CHOSEN_DAYS = [
  { date: plusDays(MONTHS_FIRST, DAYS + 10), errors: { 1: 1, 2: 2, 30: 30 } },
  { date: plusDays(MONTHS_FIRST, DAYS + 12), errors: { 1: 3, 2: 9, 30: -3 }, corrected: { 1: 2 } },
] as const;
export const MONTHS_WINDOW = `date_from=${MONTHS_FIRST}&date_to=${plusDays(MONTHS_FIRST, DAYS - 1)}`;

export interface MonthsPair extends PlainPair {
  station_id: string;
  lead_time_bucket: string;
  issued_at: string;
}

export interface Months {
  contract: Contract;
  /** In the order of station, target date and issuance; errors in hundredths of a °F. */
  pairs: readonly MonthsPair[];
}

let shared: Promise<Months> | undefined;

/** One for all tests: they only read. */
export function twoMonths(): Promise<Months> {
  shared ??= load();
  return shared;
}

/** Errors that last from day to day, half of them on half degrees; days without forecasts, one to three a day. */
function feeds(): { stations: string[]; forecasts: string[]; observations: string[] } {
  const random = new Random(20_261_122);
  const found = { stations: [] as string[], forecasts: [] as string[], observations: [] as string[] };
  for (const station of MONTHS_STATIONS) {
    found.stations.push(`${station},${station} City,US,40,-90,UTC,Cfa,true,,`);
    let weather = 0;
    for (let day = 0; day < DAYS; day += 1) {
      const date = plusDays(MONTHS_FIRST, day);
      weather = 0.5 * weather + 2 * random.gaussian();
      const status = random.below(6) === 0 ? 'preliminary' : 'verified';
      found.observations.push(`${station},${date},60,40,${status},${plusDays(date, 2)}T00:00:00Z`);
      for (const hours of [3, 20, 30]) {
        if (random.below(4) === 0 || day === 17) continue;
        const issued = new Date(Date.parse(date) - hours * 3_600_000).toISOString();
        const error = weather + random.gaussian();
        const shown = random.below(2) === 0 ? error : Math.round(2 * error) / 2;
        found.forecasts.push(
          `${station},${issued},${date},${(60 + shown).toFixed(2)},${(40 - shown).toFixed(2)}`,
        );
      }
    }
  }
  for (const { date, errors } of CHOSEN_DAYS) {
    found.forecasts.push(...chosenForecasts(date, errors));
    found.observations.push(`KORD,${date},60,40,verified,${plusDays(date, 2)}T00:00:00Z`);
  }
  return found;
}

const chosenForecasts = (date: string, errors: Record<number, number>): string[] =>
  Object.entries(errors).map(([hours, error]) => {
    const issued = new Date(Date.parse(date) - Number(hours) * 3_600_000).toISOString();
    return `KORD,${issued},${date},${60 + error},40`;
  });

async function load(): Promise<Months> {
  const [, { date, corrected }] = CHOSEN_DAYS;
  const loads = [feeds(), { forecasts: chosenForecasts(date, corrected) }];
  const { contract } = await contractOn(loads, { now: '2026-06-01T00:00:00Z' });
  const pairs: MonthsPair[] = [];
  for (const station_id of MONTHS_STATIONS) {
    const { data } = await contract.ok<{
      sample_records: {
        target_date: string;
        error: number;
        lead_time_bucket: string;
        issued_at: string;
      }[];
    }>(`/api/v1/accuracy/by-station/${station_id}?${MONTHS_WINDOW}&include_raw=true`);
    for (const { error, ...rest } of data.sample_records) {
      pairs.push({ station_id, ...rest, error: Math.round(error * 100) });
    }
  }
  return { contract, pairs };
}
