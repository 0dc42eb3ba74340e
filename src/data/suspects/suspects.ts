import { z } from 'zod';
import { temperature, toTenths } from '../../api/kinds.js';
import { defineEndpoint, type Sources } from '../../api/endpoint.js';
import { dateOrNull, differenceOrNull, numberOrNull, STATION } from '../../api/fields.js';
import { anyMetric, window } from '../../api/params/common.js';
import { type Metric, METRICS } from '../../variables/variables.js';
import { page, PAGE_METADATA, makePage, getVersion } from '../../api/params/row-pages.js';
import {
  STATIONS_METADATA,
  stationsInMetadata,
  stationsInName,
  stationsTogether,
} from '../../api/params/station-params.js';
import { temperatureUnit, UNIT_METADATA, unitMetadata } from '../../api/params/temperature-unit.js';
import { asOf } from '../../api/params/as-of.js';
import { instantText } from '../../queries/issuances.js';
import { forEachCooperatively } from '../../lib/yield-to-event-loop.js';
import { addDays, formatDate, dayNumber, nearestDate } from '../../statistics/time/calendar.js';
import { daysOfStations, stationPlaces, reportRows } from '../../monitoring/judged-days.js';
import { AROUND, JudgedStation, MIN_RUN, findNeighbours, PAST_DAYS } from './rules.js';

/** About how long a station day takes a processor. */
const WORK_MS = 0.001;

const REASONS = ['repeated', 'hours', 'all_providers', 'neighbours'] as const;

/** A suspect observation; hundredths of a °F. A staged value that a load warns of is a SuspectRow. */
interface Suspect {
  station_id: string;
  date: string;
  metric: Metric;
  actual: number;
  run?: ReturnType<JudgedStation['unlikelyRun']>;
  extreme?: number | undefined;
  outlier?: ReturnType<JudgedStation['findOutlier']>;
  jump?: ReturnType<JudgedStation['jumpOn']>;
}

type Requested = Pick<Parameters<typeof daysOfStations>[0], 'station' | 'window' | 'providers' | 'version'>;

/** The suspects of a metric, by date and station. */
async function readSuspects(
  metric: Metric,
  requested: Requested,
  query: Sources['query'],
): Promise<Suspect[]> {
  const { station, window, version } = requested;
  const nearOf = findNeighbours(await query(stationPlaces(version)));
  const own = station === undefined ? undefined : 'station_id' in station ? [station] : station;
  const [first, last] = [dayNumber(window.period_start), dayNumber(window.period_end)];
  /** The days of stations from so many before the window. */
  const judged = async (stations: Requested['station'], before: number, after: number) => {
    const period = {
      period_start: nearestDate(addDays(window.period_start, -before)),
      period_end: nearestDate(addDays(window.period_end, after)),
    };
    const rows = await query(
      daysOfStations({ ...requested, metric, station: stations, window: period }),
      'long',
    );
    const found = new Map<string, JudgedStation>();
    const days = last + after - first + before + 1;
    await forEachCooperatively(rows, (row) =>
      found.set(row.station_id, new JudgedStation(row, first - before, days)),
    );
    return found;
  };
  // The usual value of a day follows from the days around it, and how far values are from it from the days around these.
  const before = 2 * AROUND;
  const near = own?.flatMap((each) => [each, ...(nearOf.get(each.station_id) ?? [])]);
  const all = await judged(near, before, before);
  const isOwn = new Set(own?.map(({ station_id }) => station_id));
  const listed = [...all.values()].filter(({ station_id }) => own === undefined || isOwn.has(station_id));
  const places = Array.from({ length: last - first + 1 }, (_, at) => at + before);
  const running = listed.filter((each) => places.some((day) => each.runUpTo(day) >= MIN_RUN));
  const past = running.length === 0 ? undefined : await judged(running, PAST_DAYS, 0);
  const suspects: Suspect[] = [];
  await forEachCooperatively(listed, (each) => {
    const neighbours = (nearOf.get(each.station_id) ?? []).flatMap(({ station_id, km }) => {
      const judged = all.get(station_id);
      return judged === undefined ? [] : [{ judged, km }];
    });
    for (const day of places) {
      const reasons = {
        run: past?.get(each.station_id)?.unlikelyRun(day - before + PAST_DAYS),
        extreme: each.excluded.get(day),
        outlier: each.findOutlier(day),
        jump: each.jumpOn(day, neighbours),
      };
      if (Object.values(reasons).every((reason) => reason === undefined)) continue;
      const date = formatDate(first + day - before);
      suspects.push({ station_id: each.station_id, date, metric, actual: each.actuals[day]!, ...reasons });
    }
  });
  return suspects;
}

/** GET /api/v1/data/suspects: observations worth a second look; no number changes by them. */
export const suspects = defineEndpoint({
  paths: ['/data/suspects'],
  operationId: 'getSuspects',
  summary: 'Observations worth a second look',
  description:
    'Observations that look wrong, by date, metric (high, then low) and station_id: the same value for days, a value beyond ' +
    'what the hourly readings allow, a value far above or below all forecasts, and a jump that the neighbours ' +
    'do not have. This is a list and no filter: every response includes them until a load withdraws them. Only days ' +
    'with a forecast are judged. Pages work as in /data/forecast-actual.',
  example: { query: 'date_from=2026-07-01&date_to=2026-09-30', keep: 2 },
  groups: {
    station: stationsTogether,
    window,
    metric: anyMetric,
    asOf,
    unit: temperatureUnit,
    page: page(1000),
  },
  record: z
    .object({
      ...STATION,
      date: z.iso.date(),
      metric: z.enum(METRICS),
      actual_f: temperature().meta({ description: 'The observation, °F' }),
      status: z.enum(['preliminary', 'verified']),
      observed_at: z.iso.datetime().meta({ description: 'When it was reported, UTC' }),
      reasons: z.array(z.enum(REASONS)).meta({
        description:
          'repeated: the same value for days; hours: beyond what the hourly readings allow; all_providers: far above or below all ' +
          'forecasts; neighbours: a jump that they do not have. Each has the fields below, which are null without it',
      }),
      run_days: numberOrNull('Days in a row up to this one with the value'),
      run_since: dateOrNull('First of them'),
      longest_run_before: numberOrNull(
        'Longest such run of the year before it, days, without those that were in doubt themselves',
      ),
      hours_extreme_f: temperature().nullable().meta({ description: 'Highest of the hours, or lowest, °F' }),
      off_all_providers: differenceOrNull('Observation less the forecast that is nearest to it, °F'),
      error_std_dev: differenceOrNull(
        "Standard deviation of the errors of the forecasts' median in the days around, °F: 1.4826 times the median distance " +
          'from their median',
      ),
      jump: differenceOrNull(
        "Observation less the forecasts' median, from its median in the days around, less the same of the neighbours, °F",
      ),
      usual_jump: differenceOrNull(
        'Standard deviation of such jumps in the days around, as of error_std_dev, °F',
      ),
      neighbours: z
        .array(z.string())
        .meta({ description: 'station_id of the neighbours with a value on that day, the nearest first' }),
      neighbours_km: z.array(toTenths()).meta({ description: 'Their distances, km, to 0.1' }),
    })
    .meta({ id: 'Suspect' }),
  metadata: {
    days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
    period_start: z.iso.date(),
    period_end: z.iso.date(),
    ...PAGE_METADATA,
    ...STATIONS_METADATA,
    ...UNIT_METADATA,
  },
  estimatedCpuMs: ({ window, metric }, { stations }) =>
    stations.all.length * (window.days_analyzed + 4 * AROUND) * (metric === undefined ? 2 : 1) * WORK_MS,

  async handle(params, { query, directory }) {
    const { station, window, metric, asOf, unit, page } = params;
    const version = await getVersion(page, asOf, query);
    const requested = {
      station,
      window,
      version,
      providers: directory.providers.all.map(({ name }) => name),
    };
    const metrics = metric === undefined ? METRICS : [metric];
    const found = (await Promise.all(metrics.map((each) => readSuspects(each, requested, query)))).flat();
    const inOrder = found.sort(
      (a, b) =>
        dayNumber(a.date) - dayNumber(b.date) ||
        METRICS.indexOf(a.metric) - METRICS.indexOf(b.metric) ||
        (a.station_id < b.station_id ? -1 : 1),
    );
    const { rows, metadata, headers } = makePage(inOrder.slice(page.skip), page, version);
    const getReport = await reportsOfRows(rows, version, query);
    const { days_analyzed, period_start, period_end } = window;
    return {
      data: rows.map(({ station_id, date, actual, run, extreme, outlier, jump, ...each }) => ({
        station_id,
        city_name: directory.stations.cityName(station_id),
        date,
        metric: each.metric,
        actual_f: actual / 100,
        ...getReport({ station_id, date, metric: each.metric }),
        reasons: REASONS.filter((_, at) => [run, extreme, outlier, jump][at] !== undefined),
        run_days: run?.days ?? null,
        run_since: run === undefined ? null : addDays(date, 1 - run.days),
        longest_run_before: run?.longest_before ?? null,
        hours_extreme_f: inDegrees(extreme),
        off_all_providers: inDegrees(outlier?.off),
        error_std_dev: inDegrees(outlier?.spread),
        jump: inDegrees(jump?.apart),
        usual_jump: inDegrees(jump?.spread),
        neighbours: (jump?.of ?? []).map(({ judged }) => judged.station_id),
        neighbours_km: (jump?.of ?? []).map(({ km }) => km),
      })),
      metadata: {
        days_analyzed,
        period_start,
        period_end,
        ...metadata,
        ...stationsInMetadata(station),
        ...unitMetadata(unit),
      },
      csvConstants: unitMetadata(unit),
      headers,
      fileNameParts: [
        ...stationsInName(station),
        ...(metric === undefined ? [] : [metric]),
        period_start,
        period_end,
      ],
    };
  },
});

const inDegrees = (hundredths: number | undefined): number | null =>
  hundredths === undefined ? null : hundredths / 100;

type Named = Pick<Suspect, 'station_id' | 'date' | 'metric'>;

/** How the observations of some rows were reported. */
async function reportsOfRows(rows: readonly Named[], version: number, query: Sources['query']) {
  const reports = new Map<string, { status: 'preliminary' | 'verified'; observed_at: string }>();
  const getKey = ({ station_id, date, metric }: Named): string => `${metric} ${date} ${station_id}`;
  for (const metric of METRICS) {
    const ofMetric = rows.filter((row) => row.metric === metric);
    if (ofMetric.length === 0) continue;
    for (const { station_id, target_date: date, status, observed_ms } of await query(
      reportRows(metric, ofMetric, version),
    ))
      reports.set(getKey({ station_id, date, metric }), { status, observed_at: instantText(observed_ms) });
  }
  return (row: Named) => reports.get(getKey(row))!;
}
