import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../api/accuracy-metadata.js';
import { exactDifference, ofVariable, percentage, toTenths } from '../api/kinds.js';
import { confidenceLevel, numberOrNull, SAMPLE, shareOrNull, STATION_OR_ALL } from '../api/fields.js';
import { level } from '../api/params/common.js';
import { stationOrAll, stationsTogether } from '../api/params/station-params.js';
import { type Threshold, thresholdRows, thresholds } from '../api/params/thresholds.js';
import type { PairQuery } from '../queries/conditions.js';
import { errors } from '../queries/error-counts.js';
import { pairsByDay, perDayEach } from '../queries/sums.js';
import { fromWhere } from '../queries/relation.js';
import { bind, sql } from '../queries/sql.js';
import { daysWithPairs } from '../statistics/by-day.js';
import { sum, tenThousandths } from '../statistics/statistics.js';
import { type Clusters, dayClusters, computeRate } from '../statistics/uncertainty/intervals.js';

interface ExceedanceParams extends PairQuery {
  thresholds: readonly Threshold[];
}

/** The pairs of each day, and those of them that are off by more than each threshold, on a day without rows as well. */
function exceedances(params: ExceedanceParams) {
  const given = bind({ thresholds: params.thresholds.map(({ hundredths }) => hundredths) }, 'Array(Int32)');
  return sql.rows(exceedanceRow)`
  SELECT
    sum(pair_count) AS verification_pairs, sum(preliminary_pair_count) AS preliminary_pairs,
    ${pairsByDay(params.window)} AS pairs_by_day,
    ${perDayEach(
      params.window,
      sql`arrayMap(t -> pair_count * (abs(error_hundredths) > t), ${given})`,
      sql`length(${given})`,
    )} AS exceeding_by_day
  ${fromWhere(errors(params))}`;
}

const exceedanceRow = z.object({
  verification_pairs: z.number(),
  preliminary_pairs: z.number(),
  pairs_by_day: z.array(z.number()),
  exceeding_by_day: z.array(z.array(z.number())),
});

type ExceedanceRow = z.infer<typeof exceedanceRow>;

/** The pairs of each day that are off by more than the threshold at a place in the list. */
function exceeding(row: ExceedanceRow | undefined, place: number): number[] {
  return (row?.exceeding_by_day ?? []).map((ofDay) => ofDay[place] ?? 0);
}

const record = z
  .object({
    station_id: STATION_OR_ALL.station_id,
    thresholds: z
      .array(
        z.object({
          threshold: ofVariable(exactDifference()).meta({ description: 'A size of errors, °F' }),
          exceedance_rate: shareOrNull(
            'Share of pairs with a larger absolute error, 0 to 1 (a percentage in exceedance-summary); null without pairs',
          ),
          within_rate: shareOrNull('Share of pairs with at most this absolute error; the two add up to 1'),
          low: shareOrNull('Lower end of the interval of exceedance_rate; null below 14 days with pairs'),
          high: shareOrNull('Upper end of it'),
          n_eff: numberOrNull(
            'Effective sample size: this many independent pairs would leave it equally uncertain',
            toTenths,
          ),
        }),
      )
      .meta({ description: 'Ascending' }),
    ...SAMPLE,
    city_name: STATION_OR_ALL.city_name,
    level: confidenceLevel,
  })
  .meta({ id: 'Exceedance' });

/** GET /api/v1/accuracy/exceedance: how often forecasts are off by more than so much. */
export const exceedance = accuracyEndpoint({
  paths: ['/accuracy/exceedance'],
  operationId: 'getExceedance',
  summary: 'How often errors exceed thresholds',
  description:
    'The share of pairs in a window, for the network or one station, whose absolute error is above each threshold. ' +
    'A pair that is off by exactly the threshold is within it.',
  example: { query: 'city=Chicago&thresholds=3,10&date_from=2026-09-01&date_to=2026-09-30' },
  groups: { station: stationsTogether, thresholds: thresholds('1,2,3,5'), level },
  record,
  isSingle: true,
  totalRecords: TOTAL_RECORDS,

  recompute: {
    sql: new URL('exceedance.recompute.sql', import.meta.url),
    values: ({ thresholds }) => ({ thresholds: thresholdRows(thresholds) }),
  },

  async handle(params, { query }) {
    const [found] = await query(exceedances(params));
    const { station_id, city_name } = stationOrAll(params.station);
    const clusters = dayClusters(found?.pairs_by_day ?? []);
    return {
      data: {
        station_id,
        thresholds: params.thresholds.map(({ degrees }, place) => ({
          threshold: degrees,
          ...computeExceedanceRates(clusters, exceeding(found, place), params.level),
        })),
        verification_pairs: clusters.total,
        unique_days: clusters.days,
        city_name,
        level: params.level,
      },
      basis: basisOfPairs(found ? [found] : []),
    };
  },
});

/** GET /api/v1/accuracy/exceedance-summary: exceedance over the network, in percent as its clients expect it. */
export const exceedanceSummary = accuracyEndpoint({
  paths: ['/accuracy/exceedance-summary'],
  operationId: 'getExceedanceSummary',
  summary: 'How often errors exceed thresholds, over the network, in percent',
  description:
    'The percentage of all pairs in a window whose absolute error is above each threshold. For shares from 0 to 1 ' +
    'with intervals, or for one station, use /accuracy/exceedance.',
  example: { query: 'thresholds=3,10&date_from=2026-09-01&date_to=2026-09-30' },
  groups: { station: stationsTogether, thresholds: thresholds('2,3,5') },
  record: z
    .object({
      thresholds: z
        .array(
          z.object({
            threshold: ofVariable(exactDifference()).meta({ description: 'A size of errors, °F' }),
            exceedance_rate: numberOrNull(
              'Percentage of pairs with a larger absolute error, 0 to 100, to 0.01 (a share from 0 to 1 in exceedance); null ' +
                'without pairs',
              percentage,
            ),
          }),
        )
        .meta({ description: 'Ascending' }),
      ...SAMPLE,
    })
    .meta({ id: 'ExceedanceSummary' }),
  isSingle: true,
  totalRecords: TOTAL_RECORDS,

  recompute: {
    sql: new URL('exceedance.recompute.sql', import.meta.url),
    values: ({ thresholds }) => ({ thresholds: thresholdRows(thresholds) }),
  },

  async handle(params, { query }) {
    const [found] = await query(exceedances(params));
    const pairs = found?.verification_pairs ?? 0;
    return {
      data: {
        thresholds: params.thresholds.map(({ degrees }, place) => ({
          threshold: degrees,
          exceedance_rate: (100 * sum(exceeding(found, place))) / pairs,
        })),
        verification_pairs: pairs,
        unique_days: daysWithPairs(found?.pairs_by_day ?? []),
      },
      basis: basisOfPairs(found ? [found] : []),
    };
  },
});

/** The share of the pairs and the rest of them, rounded so that they add up to 1; and the interval of the share. */
function computeExceedanceRates(clusters: Clusters, byDay: readonly number[], level: number) {
  const { rate, ...interval } = computeRate(clusters, byDay, level);
  const exceedance_rate = rate === null ? null : tenThousandths(rate);
  return { exceedance_rate, within_rate: exceedance_rate === null ? null : 1 - exceedance_rate, ...interval };
}
