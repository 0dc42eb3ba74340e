import type { Random } from '../random.js';
import type { HourRow } from './hours.js';
import { type Load, type StationRow } from './oracle.js';
import { type HourlyForecastRow } from './station-hours.js';
import { type OfWindow, WINDOWS } from './variables.js';

// Worlds of rain in windows: reports like those of ASOS, and of stations that report in other ways.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How a station reports: ASOS with specials and groups of six hours, each full hour, or twelve hours at once. */
type Kind = 'asos' | 'full hours' | 'twelve hours';

const PLACES: readonly [id: string, city: string, timezone: string, kind: Kind, boundary?: 'standard'][] = [
  ['KNYC', 'New York', 'America/New_York', 'asos'],
  ['KALB', 'Albany', 'America/New_York', 'asos', 'standard'],
  ['PLCH', 'London', 'Pacific/Kiritimati', 'asos'],
  ['VNKT', 'Kathmandu', 'Asia/Kathmandu', 'full hours'],
  ['YLHI', 'Lord Howe Island', 'Australia/Lord_Howe', 'asos'],
  ['EGLL', 'Hounslow', 'Europe/London', 'twelve hours'],
];

/** The clocks of New York change on 9 March 2098. */
const FIRST_DAY = '2098-03-08';
const BEGINS = Date.parse(`${FIRST_DAY}T00:00:00Z`);

/** Rain of each five minutes, thousandths of an inch: spells, mostly light, that begin seldom. */
function drawRain(random: Random, hours: number): number[] {
  let rate = 0;
  return Array.from({ length: hours * 12 }, () => {
    if (rate === 0 && random.next() < 0.01) rate = random.of([1, 2, 9, 40]);
    else if (random.next() < 0.08) rate = 0;
    return rate === 0 ? 0 : random.below(2 * rate);
  });
}

/** Thousandths as a report has them, hundredths of an inch: what is less is a trace. */
const amountOf = (rain: readonly number[], from: number, to: number): number =>
  Math.floor(rain.slice(from, to).reduce((sum, each) => sum + each, 0) / 10);

/** The reports of a station; a place is that of a sum of five minutes. */
function drawReports(random: Random, station_id: string, kind: Kind, hours: number): HourRow[] {
  const rain = drawRain(random, hours);
  const reports: HourRow[] = [];
  const report = (place: number, row: Partial<HourRow>): void => {
    // A routine report comes two minutes before the five are over.
    reports.push({ station_id, at: BEGINS + place * 5 * MINUTE - 2 * MINUTE, temp: 5000, ...row });
  };
  for (let hour = 1; hour < hours; hour += 1) {
    const end = hour * 12;
    if (kind === 'twelve hours') {
      if (hour % 6 === 0 && random.next() < 0.9)
        report(end, { at: BEGINS + hour * HOUR, wet_12h: amountOf(rain, end - 144, end) });
      continue;
    }
    const routine = kind === 'asos' ? end - 1 : end;
    // ASOS adds up from one routine report to the next.
    const since = kind === 'asos' ? routine - 12 : end - 12;
    for (const after of [1, 4, 7, 9, 10]) {
      if (kind === 'asos' && random.next() < 0.08)
        report(since + after, { wet_1h: amountOf(rain, since, since + after) });
    }
    // Kiritimati has all, so that late reports complete windows.
    const isWhole = station_id === 'PLCH';
    if (!isWhole && random.next() < 0.04) continue; // a gap
    const ofSix = hour % 6 === 0 && random.next() < 0.8 ? amountOf(rain, routine - 72, routine) : undefined;
    const ofHour = !isWhole && random.next() < 0.03 ? undefined : amountOf(rain, since, routine);
    report(routine, {
      wet_1h: ofHour,
      wet_6h: ofSix,
      ...(kind === 'full hours' && { at: BEGINS + hour * HOUR }),
    });
    if (kind === 'asos' && random.next() < 0.1)
      report(routine + 1, { wet_1h: amountOf(rain, routine, routine + 1) });
  }
  return reports;
}

/** Chances of all windows from two providers, in whole tens so that each bin has many. */
function drawForecasts(random: Random, station_id: string, hours: number): HourlyForecastRow[] {
  const forecasts: HourlyForecastRow[] = [];
  for (let run = 0; run < hours; run += 12)
    for (const provider of ['default', 'other'])
      for (let lead = 0; lead <= 48; lead += provider === 'other' ? 6 : 2) {
        const valid_at = BEGINS + (run + lead) * HOUR;
        const chances = Object.fromEntries(
          WINDOWS.map((name): [OfWindow, number | undefined] => [
            name,
            random.next() < 0.9 ? 1000 * random.of([0, 0, 1, 2, 4, 7, 10]) : undefined,
          ]),
        );
        forecasts.push({
          station_id,
          provider,
          issued_at: BEGINS + run * HOUR,
          valid_at,
          temp: undefined,
          ...chances,
        });
      }
  return forecasts;
}

/** The loads of a world: most of all, corrections and withdrawals, single reports that were late, then status and a zone. */
export function windowsWorld(random: Random, days: number): Load[] {
  const stations = PLACES.map(
    ([station_id, city_name, timezone, , day_boundary = 'civil' as const]): StationRow => ({
      ...{ station_id, city_name, timezone, day_boundary, iata: '' },
    }),
  );
  const reports = PLACES.flatMap(([station_id, , , kind]) =>
    drawReports(random, station_id, kind, days * 24),
  );
  const hourly_forecasts = PLACES.flatMap(([station_id]) => drawForecasts(random, station_id, days * 24));
  const some = <Row>(rows: readonly Row[], share: number): Row[] => rows.filter(() => random.next() < share);
  const empty: Load = { stations: [], forecasts: [], observations: [] };
  // Late ones at the end of a UTC day decide windows of the day after the next in Kiritimati.
  const isEvening = ({ station_id, at, wet_1h }: HourRow): boolean =>
    station_id === 'PLCH' &&
    new Date(at).getUTCHours() === 22 &&
    new Date(at).getUTCMinutes() === 53 &&
    wet_1h !== undefined;
  const late = reports.filter(isEvening).slice(0, 3);
  const first = reports.filter((row) => !late.includes(row));
  return [
    { ...empty, stations, hours: first, hourly_forecasts },
    {
      ...empty,
      hours: [
        ...some(first, 0.05).map((row) => ({ ...row, wet_1h: random.of([undefined, 0, 1, 30]) })),
        ...some(first, 0.03).flatMap((row) =>
          row.station_id === 'PLCH' ? [] : [{ ...row, withdrawn: true }],
        ),
      ],
      hourly_forecasts: [
        ...some(hourly_forecasts, 0.03).map((row) => ({ ...row, withdrawn: true })),
        ...some(hourly_forecasts, 0.03).map((row) => ({ ...row, wet_6h: 5000 })),
      ],
    },
    ...late.map((row) => ({ ...empty, hours: [row] })),
    ...late.slice(0, 1).map((row) => ({ ...empty, hours: [{ ...row, withdrawn: true }] })),
    {
      ...empty,
      stations: [{ ...stations[3]!, timezone: 'Pacific/Auckland' }],
      hours: some(first, 0.2).map((row) => ({
        ...row,
        status: random.of(['preliminary', 'verified'] as const),
      })),
    },
  ];
}
