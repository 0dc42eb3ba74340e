import { z } from 'zod';
import { daysWithPairs, perDay, perDayEach } from '../../statistics/by-day.js';
import { exactDifference } from '../../api/degrees.js';
import { errorsOf, type Leads, type Source } from '../../relations/histograms.js';
import { type Scope } from '../../relations/station-days.js';
import { type Clusters, dayClusters, rateOf } from '../../statistics/uncertainty/intervals.js';
import { rateValue } from '../../statistics/uncertainty/rates.js';
import { tenths, tenThousandths } from '../../statistics/statistics.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  scopeOf,
  TOTAL_RECORDS,
  sourceOf,
} from '../../api/accuracy.js';
import { level } from '../../api/questions/common.js';
import { ALL_STATIONS, station } from '../../api/questions/stations.js';
import { thresholds } from '../../api/questions/thresholds.js';

/** The pairs of each day, and those of them that are off by more than each threshold, on a day without rows as well. */
export const exceedanceSql = (scope: Scope, source?: Source, leads?: Leads): string => `
  SELECT
    sum(pair_count) AS verification_pairs, sum(preliminary_pair_count) AS preliminary_pairs,
    ${perDay('pair_count')} AS pairs_by_day,
    ${perDayEach(
      'arrayMap(t -> pair_count * (abs(error_hundredths) > t), {thresholds: Array(Int32)})',
      'length({thresholds: Array(Int32)})',
    )} AS exceeding_by_day
  FROM ${errorsOf(scope, source, leads)}`;

export const exceedanceRow = z.object({
  verification_pairs: z.number(),
  preliminary_pairs: z.number(),
  pairs_by_day: z.array(z.number()),
  exceeding_by_day: z.array(z.array(z.number())),
});

export type ExceedanceRow = z.infer<typeof exceedanceRow>;

/** Those pairs of each day that are off by more than the threshold at a place in the list. */
export function exceeding(row: ExceedanceRow | undefined, place: number): number[] {
  return (row?.exceeding_by_day ?? []).map((ofDay) => ofDay[place] ?? 0);
}

const rate = (description: string) => z.number().min(0).max(1).nullable().meta({ description });

const record = z
  .object({
    station_id: z.string().meta({ description: 'ICAO identifier, or ALL', example: 'KORD' }),
    thresholds: z
      .array(
        z.object({
          threshold_f: exactDifference().meta({ description: 'A size of errors, °F' }),
          exceedance_rate: rate('Share of the pairs that are off by more; null without pairs'),
          within_rate: rate('Share of the pairs that are off by no more; the two add up to 1'),
          low: rate('Lower end of the interval of exceedance_rate; null below 14 days with pairs'),
          high: rate('Upper end of it'),
          n_eff: z
            .number()
            .nullable()
            .meta({ description: 'As many independent pairs would leave it as uncertain' }),
        }),
      )
      .meta({ description: 'Ascending' }),
    verification_pairs: z.int().min(0).meta({ description: 'Forecast-actual pairs' }),
    unique_days: z.int().min(0).meta({ description: 'Distinct calendar days with a pair' }),
    city_name: z.string().meta({ description: 'Display name, or All stations', example: 'Chicago' }),
    level: z.number().meta({ description: 'Confidence level of the intervals', example: 0.95 }),
  })
  .meta({ id: 'Exceedance' });

/** GET /api/v1/accuracy/exceedance (D33): how often forecasts are off by more than so much. */
export const exceedance = defineAccuracy({
  paths: ['/accuracy/exceedance'],
  operationId: 'getExceedance',
  summary: 'How often errors exceed thresholds',
  description:
    'The share of the pairs of a window, of the network or of one station, whose absolute error is above each threshold. ' +
    'A pair that is off by exactly the threshold is within it.',
  groups: { station, thresholds: thresholds('1,2,3,5'), level },
  record,
  many: false,
  metadata: { total_records: TOTAL_RECORDS },

  rewinds: () => true,

  async answer(question, { query }) {
    const [found] = await query(
      exceedanceSql(scopeOf(question), sourceOf(question), question.leadTimes.leads),
      { ...bindings(question), thresholds: question.thresholds.map(({ hundredths }) => hundredths) },
      exceedanceRow,
    );
    const { station_id, city_name } = question.station ?? ALL_STATIONS;
    const clusters = dayClusters(found?.pairs_by_day ?? []);
    return {
      data: {
        station_id,
        thresholds: question.thresholds.map(({ degrees }, place) => ({
          threshold_f: degrees,
          ...ratesOf(clusters, exceeding(found, place), question.level),
        })),
        verification_pairs: clusters.total,
        unique_days: daysWithPairs(found?.pairs_by_day ?? []),
        city_name,
        level: question.level,
      },
      metadata: { total_records: clusters.total },
      verified: allVerified(found ? [found] : []),
    };
  },
});

/** The share of the pairs, the rest of them, and the interval of the share, rounded for output. */
function ratesOf(clusters: Clusters, byDay: readonly number[], level: number) {
  const exceedance_rate = rateValue(clusters, byDay);
  const { low, high, n_eff } = rateOf(clusters, byDay, level);
  return {
    exceedance_rate,
    within_rate: exceedance_rate === null ? null : tenThousandths(1 - exceedance_rate),
    low: tenThousandths(low),
    high: tenThousandths(high),
    n_eff: tenths(n_eff),
  };
}
