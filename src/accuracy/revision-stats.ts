import { z } from 'zod';
import { dailyChoices } from '../api/params/variable-choices.js';
import { accuracyEndpoint } from '../api/accuracy.js';
import { computeBasis } from '../api/accuracy-metadata.js';
import { CASES_GROUPS, TOTAL_CASES } from '../api/cases.js';
import { difference, ofVariable, toHundredths } from '../api/kinds.js';
import { count, numberOrNull, STATION } from '../api/fields.js';
import { dailyVariable, everyLeadTime, issuedHours } from '../api/params/common.js';
import { separateStations } from '../api/params/station-params.js';
import { rates } from '../api/records/rates.js';
import type { PairQuery } from '../queries/conditions.js';
import { revisions } from '../queries/station-days.js';
import { perDay } from '../queries/sums.js';
import { numbers } from '../queries/long-lists.js';
import { sql } from '../queries/sql.js';
import { meanAbsoluteError, sum } from '../statistics/statistics.js';
import { DAILY_NAMES } from '../variables/variables.js';
import { dayClusters } from '../statistics/uncertainty/intervals.js';
import { computeRates } from '../statistics/uncertainty/rate-intervals.js';

/**
 * Whether the last forecast of a day is nearer than the first (1), as near (2) or farther (3), or the only one (4); 4 more
 * for a miss.
 */
const OUTCOME = sql`multiIf(issuances = 1, 4, last_error < first_error, 1, last_error = first_error, 2, 3)
  + if(last_error > 200, 4, 0)`;

/**
 * A station has at most one case a day, so the sum of a day's outcomes is its outcome. Sums by the number of issuances
 * are whole numbers, of which the means over days are made.
 */
const readRevisions = (params: PairQuery) => sql.rows(row)`
  SELECT
    station_id, ${perDay(params.window, sql`case_count * (${OUTCOME})`)} AS outcomes, sum(preliminary_case_count) AS preliminary,
    sumMap([issuances], [case_count], [case_count * abs_change_hundredths], [case_count * range_hundredths])
      AS by_issuances,
    sum(case_count * changes) AS changes, sum(case_count * (last_hundredths - first_hundredths)) AS drift,
    sum(case_count * first_error) AS first_errors, sum(case_count * last_error) AS last_errors
  FROM (
    SELECT
      *, abs(first_hundredths - actual_hundredths) AS first_error, abs(last_hundredths - actual_hundredths) AS last_error
    FROM ${revisions(params)}
  )
  GROUP BY station_id
  HAVING sum(case_count) != 0
  ORDER BY station_id`;

/** Measured, of a day of a station. */
const WORK_MS = 0.0005;

const row = z.object({
  station_id: z.string(),
  outcomes: numbers,
  preliminary: z.number(),
  /** Numbers of issuances, and for each the days, their absolute changes and their ranges. */
  by_issuances: z.tuple([numbers, numbers, numbers, numbers]),
  changes: z.number(),
  drift: z.number(),
  first_errors: z.number(),
  last_errors: z.number(),
});

const perStationDay = (description: string, schema = toHundredths()) =>
  schema.meta({ description: `${description}, mean over days` });
const ofDays = (description: string, issuances: number, schema = difference) =>
  numberOrNull(
    `${description}, °F, mean over days with at least ${issuances} forecasts; null without them`,
    schema,
  );
/** A difference that its field's name has the unit of. */
const named = () => ofVariable(difference(), DAILY_NAMES);

/** GET /api/v1/accuracy/revision-stats (D32). */
export const revisionStats = accuracyEndpoint({
  paths: ['/accuracy/revision-stats'],
  operationId: 'getRevisionStats',
  summary: 'Revisions of forecasts',
  description:
    'How the forecasts of a day change until it begins, and whether the changes bring them nearer to the actual. ' +
    'One record per station with a day that has a forecast and an observation, by station_id. Each day has the ' +
    'same weight.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30', keep: 2 },
  groups: {
    metric: dailyVariable,
    choices: dailyChoices,
    ...CASES_GROUPS,
    station: separateStations,
    leadTimes: everyLeadTime,
    issuedHours,
  },
  record: z
    .object({
      ...STATION,
      station_days: z.int().min(1).meta({ description: 'Days with a forecast and an observation' }),
      forecasts: z.int().min(1).meta({ description: 'Forecasts of those days, issued before the day began' }),
      revisions_per_day: perStationDay('Forecasts after the first'),
      changes_per_day: perStationDay('Forecasts that differ from the previous one'),
      mean_abs_change: ofDays('Mean size of the steps from one forecast to the next', 2, named),
      mean_drift: perStationDay('Last forecast - first forecast, °F', named()),
      flip_flop_index: ofDays(
        'Steps there and back, for each step but one: (sum of their sizes - range) / (forecasts - 2) (Griffiths et al. 2019)',
        3,
      ),
      days_with_revisions: count('Days with two or more forecasts'),
      ...rates({
        improved_rate:
          'Share of days_with_revisions whose last forecast is nearer to the actual than the first',
        unchanged_rate: 'Share of days_with_revisions whose first and last forecasts are equally near',
        miss_rate: 'Share of days whose last forecast is off by more than 2 °F',
      }),
      mae_first: perStationDay('Absolute error of the first forecast, °F', difference()),
      mae_last: perStationDay('Absolute error of the last forecast, °F', difference()),
    })
    .meta({ id: 'RevisionStats' }),
  totalRecords: TOTAL_CASES,

  estimatedCpuMs: ({ window, station }, { stations }) =>
    (station?.length ?? stations.all.length) * window.days_analyzed * WORK_MS,

  recompute: {
    sql: new URL('revision-stats.recompute.sql', import.meta.url),
    needsStations: true,
  },

  async handle(params, { query, directory }) {
    const rows = await query(readRevisions(params), 'long');
    const data = rows.map(({ station_id, outcomes, by_issuances, ...sums }) => {
      const [issuances, days, absChanges, ranges] = by_issuances;
      const among = (...wanted: number[]): number[] =>
        outcomes.map((outcome) => Number(wanted.includes(outcome)));
      const clusters = dayClusters(outcomes.map((outcome) => Number(outcome !== 0)));
      const revised = dayClusters(among(1, 2, 3, 5, 6, 7));
      const ofRevised = { improved_rate: among(1, 5), unchanged_rate: among(2, 6) };
      const miss_rate = among(5, 6, 7, 8);
      const station_days = clusters.total;
      const forecasts = issuances.reduce((sum, number, at) => sum + number * (days[at] ?? 0), 0);
      /** The mean over days with more forecasts than this of a sum of theirs, for each forecast more, °F. */
      const perStep = (more: number, sumOf: (at: number) => number): number | null => {
        const counted = [...issuances.keys()].filter((at) => (issuances[at] ?? 0) > more);
        const total = counted.reduce((sum, at) => sum + (days[at] ?? 0), 0);
        const steps = counted.reduce((sum, at) => sum + sumOf(at) / ((issuances[at] ?? 0) - more), 0);
        return total === 0 ? null : steps / total / 100;
      };
      return {
        station_id,
        city_name: directory.stations.cityName(station_id),
        station_days,
        forecasts,
        revisions_per_day: (forecasts - station_days) / station_days,
        changes_per_day: sums.changes / station_days,
        mean_abs_change: perStep(1, (at) => absChanges[at] ?? 0),
        mean_drift: sums.drift / station_days / 100,
        flip_flop_index: perStep(2, (at) => (absChanges[at] ?? 0) - (ranges[at] ?? 0)),
        days_with_revisions: revised.total,
        ...computeRates(revised, ofRevised, params.level),
        ...computeRates(clusters, { miss_rate }, params.level),
        mae_first: meanAbsoluteError(sums.first_errors, station_days),
        mae_last: meanAbsoluteError(sums.last_errors, station_days),
      };
    });
    return {
      data,
      basis: computeBasis(
        sum(data.map(({ station_days }) => station_days)),
        sum(rows.map(({ preliminary }) => preliminary)),
      ),
    };
  },
});
