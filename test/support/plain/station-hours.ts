import { Random } from '../random.js';
import type { HourRow } from './hours.js';
import { standingReports } from './hours.js';
import { bucketOf, dayStart, type Load, type Pair, plusDays, stationsOf, type StationRow } from './oracle.js';

// The pairs of hours, worked out forecast by forecast and report by report, and worlds of them.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A forecast of the temperature at a full hour, in hundredths of a °F. */
export interface HourlyForecastRow {
  station_id: string;
  issued_at: number;
  valid_at: number;
  temp: number | undefined;
  /** `default`, unless it says so. */
  provider?: string;
  withdrawn?: boolean;
}

/** The line of a forecast in a feed with all columns. */
export const hourlyForecastLine = (row: HourlyForecastRow): string =>
  [
    row.station_id,
    new Date(row.issued_at).toISOString(),
    new Date(row.valid_at).toISOString(),
    row.temp === undefined ? '' : row.temp / 100,
    row.provider ?? '',
    row.withdrawn === true ? 'true' : '',
  ].join();

/** The forecasts that stand when these have come in their order. */
function standingForecasts(rows: readonly HourlyForecastRow[]): HourlyForecastRow[] {
  const byKey = new Map<string, HourlyForecastRow>();
  for (const row of rows) {
    const { provider = '', station_id, valid_at, issued_at } = row;
    const key = `${provider} ${station_id} ${valid_at} ${issued_at}`;
    if (row.withdrawn === true) byKey.delete(key);
    else if (row.temp !== undefined) byKey.set(key, row);
  }
  return [...byKey.values()];
}

/** The rows that are known by an instant. */
export interface Known {
  forecasts: (row: HourlyForecastRow) => boolean;
  reports: (row: HourRow) => boolean;
}

const ALL: Known = { forecasts: () => true, reports: () => true };

/** The pairs of hours after these loads. Their days are later than the clock of any load: no report came a day after it was measured. */
export function hourPairs(loads: readonly Load[], known: Known = ALL): Pair[] {
  const stations = stationsOf(loads);
  const said = loads.flatMap(({ hours = [] }) => hours).filter(known.reports);
  const reports = new Map<string, HourRow[]>();
  for (const row of standingReports(said))
    reports.set(row.station_id, [...(reports.get(row.station_id) ?? []), row]);
  const latest = new Map<string, number>();
  for (const row of standingReports(said.map((each) => ({ ...each, withdrawn: false }))))
    latest.set(row.station_id, Math.max(row.at, latest.get(row.station_id) ?? 0));
  const forecasts = standingForecasts(
    loads.flatMap(({ hourly_forecasts = [] }) => hourly_forecasts).filter(known.forecasts),
  );
  return forecasts.flatMap(({ station_id, provider = 'default', issued_at, valid_at, temp = 0 }): Pair[] => {
    const station = stations.get(station_id);
    const report = nearest(reports.get(station_id) ?? [], valid_at);
    if (station === undefined || report?.temp === undefined || issued_at > valid_at) return [];
    const isLater = (latest.get(station_id) ?? 0) >= report.at + DAY;
    return [
      {
        metric: 'temperature',
        provider,
        station_id,
        target_date: dayOf(valid_at, station),
        issued_at,
        local_midnight: valid_at,
        lead_time_bucket: bucketOf(valid_at - issued_at, 0)!,
        forecast: temp,
        actual: report.temp,
        error: temp - report.temp,
        observation_status: report.status ?? (isLater ? 'verified' : 'preliminary'),
      },
    ];
  });
}

/** The report nearest to a full hour, from half an hour before it to just less after it; of two equally near the earlier. */
function nearest(reports: readonly HourRow[], hour: number): HourRow | undefined {
  let found: HourRow | undefined;
  for (const report of reports) {
    if (report.temp === undefined || report.at < hour - 30 * MINUTE || report.at >= hour + 30 * MINUTE)
      continue;
    const [distance, least] = [Math.abs(report.at - hour), found ? Math.abs(found.at - hour) : Infinity];
    if (distance < least || (distance === least && report.at < found!.at)) found = report;
  }
  return found;
}

/** The day of a station in which an instant lies. */
function dayOf(instant: number, station: StationRow): string {
  const inUtc = new Date(instant).toISOString().slice(0, 10);
  return [1, 0, -1].map((days) => plusDays(inUtc, days)).find((date) => dayStart(date, station) <= instant)!;
}

const PLACES: readonly [id: string, city: string, timezone: string, boundary?: 'standard'][] = [
  ['KNYC', 'New York', 'America/New_York'],
  ['KALB', 'Albany', 'America/New_York', 'standard'],
  ['VABB', 'Mumbai', 'Asia/Kolkata'],
  ['PLCH', 'London', 'Pacific/Kiritimati'],
  ['YLHI', 'Lord Howe Island', 'Australia/Lord_Howe'],
  ['PHNL', 'Honolulu', 'Pacific/Honolulu'],
  ['EGLL', 'Hounslow', 'Europe/London'],
  ['KBOS', 'Boston', 'America/New_York'],
];

/** The first hour of the reports of a world: the clocks of New York change on 9 March 2098, those of Lord Howe on 6 April. */
const WORLD_BEGINS = Date.parse('2098-03-07T00:00:00Z');
const CLOCK_CHANGES_LATER = Date.parse('2098-04-04T00:00:00Z') - WORLD_BEGINS;

/** Four loads of 8 stations in 6 zones: the later ones correct, withdraw, move a station and bring values back. */
export function hourlyWorld(seed: number, days: number): Load[] {
  const random = new Random(seed);
  const stations = PLACES.map(
    ([station_id, city_name, timezone, day_boundary = 'civil' as const]): StationRow => ({
      ...{ station_id, city_name, timezone, day_boundary, iata: '' },
      country: { VABB: 'NP', YLHI: 'AU' }[station_id] ?? 'US',
    }),
  );
  const hours: HourRow[] = [];
  const forecasts: HourlyForecastRow[] = [];
  for (const { station_id } of stations) {
    const begins = WORLD_BEGINS + (station_id === 'YLHI' ? CLOCK_CHANGES_LATER : 0);
    for (let hour = 0; hour < days * 24; hour += 1) {
      const at = begins + hour * HOUR;
      const temp = 5000 + Math.round(1000 * Math.sin(hour / 4) + 300 * random.gaussian());
      if (random.next() < 0.04) continue; // a gap
      hours.push({ station_id, at: at + (random.next() < 0.8 ? 53 : random.of([0, 51, 59])) * MINUTE, temp });
      // Specials, and two that are equally near an hour.
      if (random.next() < 0.15)
        hours.push({ station_id, at: at + random.of([10, 29, 30, 31, 44]) * MINUTE, temp: temp + 90 });
      if (random.next() < 0.1) hours.push({ station_id, at: at + 67 * MINUTE, temp: temp - 110 });
      if (random.next() < 0.05) hours.push({ station_id, at: at + 55 * MINUTE, temp: undefined, sky: 'OVC' });
    }
    for (let run = -1; run < days * 4; run += 1)
      for (const provider of ['default', 'other']) {
        if (random.next() < 0.2) continue;
        const issued_at = begins + run * 6 * HOUR + (provider === 'other' ? 41 * MINUTE + 7 : 0);
        for (let lead = 0; lead <= 30; lead += provider === 'other' ? 3 : 1) {
          if (random.next() < 0.05) continue;
          const valid_at = begins + (run * 6 + lead) * HOUR; // of lead 0 the other provider says it afterwards
          const temp = 5000 + Math.round(1000 * Math.sin((run * 6 + lead) / 4) + 200 * random.gaussian());
          forecasts.push({ station_id, issued_at, valid_at, temp, provider });
        }
      }
  }
  const some = <Row>(rows: readonly Row[], share: number): Row[] => rows.filter(() => random.next() < share);
  const empty: Load = { stations: [], forecasts: [], observations: [] };
  const late = some(hours, 0.05);
  const [mumbai, boston] = [stations[2]!, stations[7]!];
  const withdrawn = some(forecasts, 0.04).map((row) => ({ ...row, withdrawn: true }));
  return [
    { ...empty, stations, hours: hours.filter((row) => !late.includes(row)), hourly_forecasts: forecasts },
    {
      ...empty,
      hours: [
        ...late,
        ...some(hours, 0.03).map((row) => ({ ...row, temp: (row.temp ?? 5000) + 170 })),
        ...some(hours, 0.03).map((row) => ({ ...row, withdrawn: true })),
      ],
      hourly_forecasts: [...some(forecasts, 0.04).map((row) => ({ ...row, temp: 4444 })), ...withdrawn],
    },
    {
      ...empty,
      // Midnight of Mumbai is now that of London, and Boston has no facts.
      stations: [
        { ...mumbai, timezone: 'Europe/London' },
        { ...boston, withdrawn: true },
      ],
      hours: some(hours, 0.1).map((row) => ({
        ...row,
        status: random.of(['preliminary', 'verified'] as const),
      })),
      hourly_forecasts: withdrawn.slice(0, 40).map((row) => ({ ...row, withdrawn: false })),
    },
    {
      ...empty,
      stations: [{ ...boston, withdrawn: false }],
      // Some have the lead time of the other provider in whole hours, some that of an earlier forecast.
      hourly_forecasts: [HOUR, 7 * MINUTE].flatMap((later) =>
        some(forecasts, 0.15).map((row) => ({ ...row, issued_at: row.issued_at + later })),
      ),
    },
  ];
}
