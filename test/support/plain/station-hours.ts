import { Random } from '../random.js';
import { type HourRow, standingReports } from './hours.js';
import {
  bucketOf,
  dayStart,
  type ForecastRow,
  type Load,
  type ObservationRow,
  type Pair,
  plusDays,
  stationsOf,
  type StationRow,
} from './oracle.js';
import {
  type Amounts,
  type Hourly,
  type HourlyValues,
  OF_HOURS,
  type OfWindow,
  WINDOW_HOURS,
  WINDOWS,
} from './variables.js';

// The pairs of hours, worked out forecast by forecast and report by report, and worlds of them.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A forecast of the temperature at a full hour, in hundredths of a °F. */
export interface HourlyForecastRow extends HourlyValues {
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
    ...[...OF_HOURS, ...WINDOWS].map((name) => (row[name] === undefined ? '' : row[name] / 100)),
  ].join();

/** Percents that words for the sky stand for: the middles of their eighths. */
const COVERED: Record<string, number> = { CLR: 0, FEW: 19, SCT: 44, BKN: 75, OVC: 100, VV: 100 };

/** The value of a variable in a forecast or a report. */
function valueOf(
  row: HourlyValues & { temp?: number | undefined; sky?: string | undefined },
  name: Hourly,
): number | undefined {
  if (name === 'temperature') return row.temp;
  const bySky = COVERED[row.sky ?? ''];
  return row[name] ?? (name === 'cloud_cover' && bySky !== undefined ? 100 * bySky : undefined);
}

/** The forecasts of a variable that stand when these have come in their order. */
function standingForecasts(rows: readonly HourlyForecastRow[], metric: Hourly): HourlyForecastRow[] {
  const byKey = new Map<string, HourlyForecastRow>();
  for (const row of rows) {
    const { provider = '', station_id, valid_at, issued_at } = row;
    const key = `${provider} ${station_id} ${valid_at} ${issued_at}`;
    if (row.withdrawn === true) byKey.delete(key);
    else if (valueOf(row, metric) !== undefined) byKey.set(key, row);
  }
  return [...byKey.values()];
}

/** The rows that are known by an instant. */
export interface Known {
  forecasts: (row: HourlyForecastRow | ForecastRow) => boolean;
  reports: (row: HourRow | ObservationRow) => boolean;
}

const ALL: Known = { forecasts: () => true, reports: () => true };

/** The pairs of hours after these loads. Their days are later than the clock of any load: no report came a day after it was measured. */
export function hourPairs(
  loads: readonly Load[],
  known: Known = ALL,
  metrics: readonly Hourly[] = ['temperature'],
  wetAt = 1,
): Pair[] {
  const stations = stationsOf(loads);
  const said = loads.flatMap(({ hours = [] }) => hours).filter(known.reports);
  const reports = new Map<string, HourRow[]>();
  const dayKey = (station_id: string, at: number): string => `${station_id} ${Math.floor(at / DAY)}`;
  for (const row of standingReports(said)) {
    const key = dayKey(row.station_id, row.at);
    reports.set(key, [...(reports.get(key) ?? []), row]);
  }
  const reportsNear = (station_id: string, at: number): HourRow[] =>
    [at - DAY, at, at + DAY].flatMap((each) => reports.get(dayKey(station_id, each)) ?? []);
  const latest = new Map<string, number>();
  for (const row of standingReports(said.map((each) => ({ ...each, withdrawn: false }))))
    latest.set(row.station_id, Math.max(row.at, latest.get(row.station_id) ?? 0));
  const said_by_then = loads.flatMap(({ hourly_forecasts = [] }) => hourly_forecasts).filter(known.forecasts);
  const ofMetric =
    (metric: Hourly) =>
    (row: HourlyForecastRow): Pair[] => {
      const { station_id, provider = 'default', issued_at, valid_at } = row;
      const forecast = valueOf(row, metric)!;
      const station = stations.get(station_id);
      const of = reportsNear(station_id, valid_at);
      const observed = isOfWindow(metric)
        ? outcomeOf(of, valid_at, metric, wetAt)
        : stateOf((metric === 'wind_gust' ? highest : nearest)(of, valid_at, metric), metric);
      if (station === undefined || observed === undefined || issued_at > valid_at) return [];
      const { actual, behind } = observed;
      const statuses = behind.map(
        ({ status, at }) =>
          status ?? ((latest.get(station_id) ?? 0) >= at + DAY ? 'verified' : 'preliminary'),
      );
      return [
        {
          metric,
          provider,
          station_id,
          target_date: dayOf(valid_at, station),
          issued_at,
          local_midnight: valid_at,
          lead_time_bucket: bucketOf(valid_at - issued_at, 0)!,
          forecast,
          actual,
          error: forecast - actual,
          observation_status: statuses.includes('preliminary') ? 'preliminary' : 'verified',
        },
      ];
    };
  return metrics.flatMap((metric) => standingForecasts(said_by_then, metric).flatMap(ofMetric(metric)));
}

/** Windows with a forecast, and those of them without an amount, by station. */
export interface WindowCounts {
  windows_forecast: number;
  windows_without_report: number;
  windows_without_amount: number;
}

/** The windows of a provider on these days that ended by the latest report, counted one by one. */
export function countWindows(
  loads: readonly Load[],
  metric: OfWindow,
  provider: string,
  [first, last]: readonly [string, string],
): Map<string, WindowCounts> {
  const stations = stationsOf(loads);
  const reports = standingReports(loads.flatMap(({ hours = [] }) => hours));
  const latest = Math.max(...loads.flatMap(({ hours = [] }) => hours).map(({ at }) => at));
  const counts = new Map<string, WindowCounts>();
  const windows = new Map(
    standingForecasts(
      loads.flatMap(({ hourly_forecasts = [] }) => hourly_forecasts),
      metric,
    )
      .filter((row) => row.provider === provider && row.issued_at <= row.valid_at)
      .map(({ station_id, valid_at }) => [`${station_id} ${valid_at}`, { station_id, valid_at }] as const),
  );
  for (const { station_id, valid_at } of windows.values()) {
    const day = dayOf(valid_at, stations.get(station_id)!);
    if (day < first || day > last || valid_at > latest) continue;
    const of = counts.get(station_id) ?? {
      ...{ windows_forecast: 0, windows_without_report: 0, windows_without_amount: 0 },
    };
    counts.set(station_id, of);
    of.windows_forecast += 1;
    const near = reports.filter(
      (row) => row.station_id === station_id && row.at > valid_at - DAY && row.at <= valid_at,
    );
    if (amountOf(near, valid_at, WINDOW_HOURS[metric]) !== undefined) continue;
    const isReported = (hour: number): boolean =>
      near.some(({ at }) => at >= hour - 15 * MINUTE && at <= hour);
    const hours = Array.from({ length: WINDOW_HOURS[metric] }, (_, before) => valid_at - before * HOUR);
    if (hours.every(isReported)) of.windows_without_amount += 1;
    else of.windows_without_report += 1;
  }
  return counts;
}

/** The value that verifies a forecast, and the reports behind it. */
interface Observed {
  actual: number;
  behind: readonly HourRow[];
}

const stateOf = (report: HourRow | undefined, metric: Hourly): Observed | undefined =>
  report && { actual: valueOf(report, metric)!, behind: [report] };

const isOfWindow = (metric: Hourly): metric is OfWindow => metric in WINDOW_HOURS;

function outcomeOf(
  reports: readonly HourRow[],
  hour: number,
  metric: OfWindow,
  wetAt: number,
): Observed | undefined {
  const amount = amountOf(reports, hour, WINDOW_HOURS[metric]);
  return amount && { ...amount, actual: amount.actual >= wetAt ? 10_000 : 0 };
}

/** The amount of the hours that end at a full hour: that of the report at their end, else the sum of the parts that make it up. */
function amountOf(reports: readonly HourRow[], hour: number, hours: 1 | 6 | 12): Observed | undefined {
  const name = ({ 1: 'wet_1h', 6: 'wet_6h', 12: 'wet_12h' } as const)[hours];
  const own = routine(reports, hour, name);
  if (own !== undefined) return { actual: own[name]!, behind: [own] };
  if (hours === 1) return undefined;
  const part = hours === 12 ? 6 : 1;
  const all: Observed = { actual: 0, behind: [] };
  for (let before = 0; before < hours; before += part) {
    const each = amountOf(reports, hour - before * HOUR, part);
    if (each === undefined) return undefined;
    all.actual += each.actual;
    all.behind = [...all.behind, ...each.behind];
  }
  return all;
}

/** The report with an amount that is nearest to seven minutes before a full hour, of those of its last 15 minutes; of two the later. */
function routine(reports: readonly HourRow[], hour: number, name: OfWindow): HourRow | undefined {
  let found: HourRow | undefined;
  const distanceOf = ({ at }: HourRow): number => Math.abs(at - (hour - 7 * MINUTE));
  for (const report of reports) {
    if (report[name] === undefined || report.at < hour - 15 * MINUTE || report.at > hour) continue;
    if (found === undefined || distanceOf(report) < distanceOf(found)) found = report;
    else if (distanceOf(report) === distanceOf(found) && report.at > found.at) found = report;
  }
  return found;
}

/** The report with the highest value of the hour that ends at a full hour, its end included; of two equally high the earlier. */
function highest(reports: readonly HourRow[], hour: number, metric: Hourly): HourRow | undefined {
  let found: HourRow | undefined;
  for (const report of reports) {
    const value = valueOf(report, metric);
    if (value === undefined || report.at <= hour - HOUR || report.at > hour) continue;
    const before = found && valueOf(found, metric)!;
    if (before === undefined || value > before || (value === before && report.at < found!.at)) found = report;
  }
  return found;
}

/** The report nearest to a full hour, from half an hour before it to just less after it; of two equally near the earlier. */
function nearest(reports: readonly HourRow[], hour: number, metric: Hourly): HourRow | undefined {
  let found: HourRow | undefined;
  for (const report of reports) {
    if (
      valueOf(report, metric) === undefined ||
      report.at < hour - 30 * MINUTE ||
      report.at >= hour + 30 * MINUTE
    )
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
  ['VNKT', 'Kathmandu', 'Asia/Kathmandu'],
];

/** The first hour of the reports of a world: the clocks of New York change on 9 March 2098, those of Lord Howe on 6 April. */
const WORLD_BEGINS = Date.parse('2098-03-07T00:00:00Z');
const CLOCK_CHANGES_LATER = Date.parse('2098-04-04T00:00:00Z') - WORLD_BEGINS;

/** Four loads of 9 stations in 7 zones: the later ones correct, withdraw, move a station and bring values back. */
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

/** The later loads of a world correct rows with these. */
type Drawn = HourlyValues & Amounts;

/** Values of these variables, some of them missing. */
const drawValues = (random: Random, share: number, highest: Record<string, number>): Drawn =>
  Object.fromEntries(
    Object.entries(highest).map(([name, most]) => [
      name,
      random.next() < share ? Math.floor(random.next() ** 2 * most) : undefined,
    ]),
  );

const MOST_OF_HOURS = { dew_point: 7500, humidity: 10_000, cloud_cover: 10_000, wind_speed: 4000 };
/** Mostly dry. */
const AMOUNTS_OF_WINDOWS = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3, 12];
const MOST_OF_DAYS = { precip: 300, snowfall: 1200, max_wind: 5000, max_gust: 7000 };

/** The loads of such a world with all variables of hours in its rows, gusts in some, and with days of the others. */
export function withAllVariables(loads: readonly Load[], seed: number, days: number): Load[] {
  const random = new Random(seed);
  const drawHour = (): Drawn => ({
    ...drawValues(random, 0.9, MOST_OF_HOURS),
    // Few different ones, so that two reports of an hour have the same.
    wind_gust: random.next() < 0.4 ? 100 * random.of([15, 18, 20, 24, 33]) : undefined,
  });
  const drawForecast = (): Drawn => ({
    ...drawHour(),
    // Few different ones, so that the parts of a score have several cases.
    ...Object.fromEntries(
      WINDOWS.map((name) => [name, random.next() < 0.8 ? 1000 * random.of([0, 1, 2, 5, 9, 10]) : undefined]),
    ),
  });
  const drawAmount = (share: number): number | undefined =>
    random.next() < share ? random.of(AMOUNTS_OF_WINDOWS) : undefined;
  const drawReport = (): Drawn & { sky?: string } => {
    const { cloud_cover, ...values } = drawHour();
    return {
      ...values,
      ...{ wet_1h: drawAmount(0.95), wet_6h: drawAmount(0.1), wet_12h: drawAmount(0.05) },
      ...(random.next() < 0.3 ? { cloud_cover } : { sky: random.of(['', ...Object.keys(COVERED)]) }),
    };
  };
  const [forecasts, observations] = drawDays(random, loads[0]!.stations, days);
  return loads.map((load, at) => ({
    ...load,
    hours: (load.hours ?? []).map((row) => ({ ...row, ...drawReport() })),
    hourly_forecasts: (load.hourly_forecasts ?? []).map((row) => ({ ...row, ...drawForecast() })),
    forecasts: correct(random, forecasts, at),
    observations: correct(random, observations, at),
  }));
}

/** The rows that a load has: the first most of them; the second the others, and some that correct and withdraw. */
const correct = <Row extends object>(random: Random, rows: readonly Row[], load: number): Row[] =>
  rows.flatMap((row, at): Row[] => {
    if (load === 0) return at % 20 === 0 ? [] : [row];
    if (load > 1) return load === 3 && at % 60 === 1 ? [row] : [];
    if (at % 20 === 0) return [row];
    if (random.next() < 0.06) return [{ ...row, ...drawValues(random, 0.8, MOST_OF_DAYS) }];
    return random.next() < 0.06 ? [{ ...row, withdrawn: true }] : [];
  });

/** Forecasts of two providers, twice a day, and reports of the evening and of a day later, of which some are missing. */
function drawDays(
  random: Random,
  stations: readonly StationRow[],
  days: number,
): [ForecastRow[], ObservationRow[]] {
  const [forecasts, observations]: [ForecastRow[], ObservationRow[]] = [[], []];
  const none = { high: undefined, low: undefined };
  for (const { station_id } of stations)
    for (let day = 0; day < days; day += 1) {
      const midnight = WORLD_BEGINS + day * DAY;
      const [target_date, date] = Array<string>(2).fill(new Date(midnight).toISOString().slice(0, 10)) as [
        string,
        string,
      ];
      for (const provider of ['default', 'other'])
        for (let lead = -1; lead < 6; lead += 1)
          if (random.next() < 0.8)
            forecasts.push({
              ...{
                station_id,
                provider,
                target_date,
                issued_at: midnight - lead * 12 * HOUR - 7 * MINUTE,
                ...none,
              },
              ...drawValues(random, 0.9, MOST_OF_DAYS),
            });
      for (const [status, after, share] of [
        ['preliminary', 30, 0.7],
        ['verified', 54, 0.8],
        ['verified', 60, 0.1],
      ] as const)
        if (random.next() < share)
          observations.push({
            ...{ station_id, date, status, observed_at: midnight + after * HOUR, ...none },
            ...drawValues(random, 0.9, MOST_OF_DAYS),
          });
    }
  return [forecasts, observations];
}
