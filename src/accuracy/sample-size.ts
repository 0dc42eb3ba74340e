import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../api/accuracy-metadata.js';
import { count, dateOrNull, numberOrNull, STATION } from '../api/fields.js';
import { share, toTenths } from '../api/kinds.js';
import { ownParameters } from '../api/groups.js';
import { integer } from '../api/parameters.js';
import { separateStations } from '../api/params/station-params.js';
import type { PairQuery } from '../queries/conditions.js';
import { errors } from '../queries/error-counts.js';
import { clusteredRow, pairsByDay, sumsByWeek, uniqueDays } from '../queries/sums.js';
import { fromWhere } from '../queries/relation.js';
import { sql } from '../queries/sql.js';
import { getWindowHours } from '../variables/variables.js';
import { lostWindows } from './lost-windows.js';
import { UNCERTAINTY_MS, uncertaintyOfRow } from '../statistics/by-day.js';
import { addDays } from '../statistics/time/calendar.js';

/** A complete window of a station: the days, and the share of the window's days (WMO lead centre: 90%). */
const ENOUGH = { days: 30, coverage: 0.9 };

// n_eff is the same at every level.
const LEVEL = 0.95;

/** The sample of each station that has pairs; the places of days count from 1. */
const sampleSizes = (params: PairQuery) => sql.rows(row)`
  SELECT
    station_id, sum(pair_count) AS verification_pairs, sum(preliminary_pair_count) AS preliminary_pairs,
    ${uniqueDays(params.window)},
    arrayFirstIndex(count -> count != 0, ${pairsByDay(params.window)}) AS first_place,
    arrayLastIndex(count -> count != 0, ${pairsByDay(params.window)}) AS last_place${sumsByWeek(params.window, LEVEL)}
  ${fromWhere(errors(params, 'each_station'))}
  GROUP BY station_id
  HAVING verification_pairs != 0`;

const row = clusteredRow.extend({
  station_id: z.string(),
  verification_pairs: z.number(),
  preliminary_pairs: z.number(),
  unique_days: z.number(),
  first_place: z.number(),
  last_place: z.number(),
});

const ofWindows = (description: string) =>
  count(`With a chance of a window of hours: ${description}`).optional();

const NO_WINDOWS = { windows_forecast: 0, windows_without_report: 0, windows_without_amount: 0 };

/** GET /api/v1/accuracy/sample-size: on how much the statistics of each station rest. */
export const sampleSize = accuracyEndpoint({
  paths: ['/accuracy/sample-size'],
  operationId: 'getSampleSize',
  summary: 'Pairs and days per station',
  description:
    'How many pairs and days each station has in a window, and whether days are missing. One record per station, ' +
    'even without pairs, by station_id.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30', keep: 2 },
  groups: {
    station: separateStations,
    own: ownParameters({
      min_samples: integer(0, 1_000_000_000, 0, 'Leave out stations with fewer verification pairs than this'),
    }),
  },
  record: z
    .object({
      ...STATION,
      verification_pairs: count('Forecast-actual pairs'),
      unique_days: count('Distinct calendar days with a pair'),
      preliminary_pairs: count('Pairs based on a preliminary observation'),
      first_date: dateOrNull('First day of the window with a pair; null without pairs'),
      last_date: dateOrNull('Last day of the window with a pair; null without pairs'),
      days_expected: z.int().min(1).meta({ description: 'Days of the window' }),
      coverage: share().meta({ description: 'unique_days / days_expected, to 0.0001' }),
      n_eff_mae: numberOrNull(
        'Effective sample size of the MAE, by weeks; null with fewer than six weeks',
        toTenths,
      ),
      windows_forecast: ofWindows(
        'windows with a forecast of any lead time that ended by the latest report of all stations',
      ),
      windows_without_report: ofWindows(
        'those without a pair, and without a report in the last 15 minutes of one of their hours',
      ),
      windows_without_amount: ofWindows(
        'the others without a pair: each hour has such a report, and one of these has no amount',
      ),
      sufficient: z.boolean().meta({
        description:
          'Completeness only: at least 30 days, and a coverage of at least 0.9. Use intervals (ci) to judge whether the ' +
          'days are enough to tell one number from another',
      }),
    })
    .meta({ id: 'SampleSize' }),
  requested: ({ metric }) =>
    Object.fromEntries(
      Object.keys(NO_WINDOWS).map((name) => [name, getWindowHours(metric) !== undefined] as const),
    ),
  totalRecords: TOTAL_RECORDS,

  estimatedCpuMs: ({ window, station }, { stations }) =>
    (station?.length ?? stations.all.length) * window.days_analyzed * UNCERTAINTY_MS,

  recompute: {
    sql: new URL('sample-size.recompute.sql', import.meta.url),
    needsStations: true,
    values: ({ own }) => own,
  },

  async handle({ own, ...params }, { query, directory }) {
    const { days_analyzed, period_start } = params.window;
    const stations = params.station ?? directory.stations.all;
    const hours = getWindowHours(params.metric);
    const [rows, windows] = await Promise.all([
      query(sampleSizes(params), 'long'),
      hours === undefined ? undefined : query(lostWindows(params, hours), 'long'),
    ]);
    const found = new Map(rows.map((each) => [each.station_id, each]));
    const windowsOf = new Map(windows?.map(({ station_id, ...counts }) => [station_id, counts]));
    const data = stations.map(({ station_id, city_name }) => {
      const own = found.get(station_id);
      const unique_days = own?.unique_days ?? 0;
      return {
        station_id,
        city_name,
        verification_pairs: own?.verification_pairs ?? 0,
        unique_days,
        preliminary_pairs: own?.preliminary_pairs ?? 0,
        first_date: own ? addDays(period_start, own.first_place - 1) : null,
        last_date: own ? addDays(period_start, own.last_place - 1) : null,
        days_expected: days_analyzed,
        coverage: unique_days / days_analyzed,
        n_eff_mae: own ? uncertaintyOfRow(own, unique_days, LEVEL).mae.n_eff : null,
        ...(windows && (windowsOf.get(station_id) ?? NO_WINDOWS)),
        sufficient: unique_days >= ENOUGH.days && unique_days >= ENOUGH.coverage * days_analyzed,
      };
    });
    const kept = data.filter(({ verification_pairs }) => verification_pairs >= own.min_samples);
    return {
      data: kept,
      basis: basisOfPairs(kept),
    };
  },
});
