import { z } from 'zod';
import { daysWithPairs } from '../../statistics/by-day.js';
import { exactDifference } from '../../api/degrees.js';
import { percentage, sum } from '../../statistics/statistics.js';
import { allVerified, bindings, defineAccuracy, TOTAL_RECORDS, sourceOf } from '../../api/accuracy.js';
import { thresholds } from '../../api/questions/thresholds.js';
import { exceedanceRow, exceedanceSql, exceeding } from './exceedance.js';

/** GET /api/v1/accuracy/exceedance-summary: exceedance over the network, in percent as its clients expect it (D33). */
export const exceedanceSummary = defineAccuracy({
  paths: ['/accuracy/exceedance-summary'],
  operationId: 'getExceedanceSummary',
  summary: 'How often errors exceed thresholds, over the network, in percent',
  description:
    'The percentage of all pairs of a window whose absolute error is above each threshold. /accuracy/exceedance has ' +
    'shares from 0 to 1 with their intervals, also of one station.',
  groups: { thresholds: thresholds('2,3,5') },
  record: z
    .object({
      thresholds: z
        .array(
          z.object({
            threshold_f: exactDifference().meta({ description: 'A size of errors, °F' }),
            exceedance_rate: z.number().min(0).max(100).nullable().meta({
              description:
                'Percentage of the pairs that are off by more, 0 to 100, to 0.01; null without pairs',
            }),
          }),
        )
        .meta({ description: 'Ascending' }),
      verification_pairs: z.int().min(0).meta({ description: 'Forecast-actual pairs' }),
      unique_days: z.int().min(0).meta({ description: 'Distinct calendar days with a pair' }),
    })
    .meta({ id: 'ExceedanceSummary' }),
  many: false,
  metadata: { total_records: TOTAL_RECORDS },

  rewinds: () => true,

  async answer(question, { query }) {
    const [found] = await query(
      exceedanceSql('network', sourceOf(question), question.leadTimes.leads),
      { ...bindings(question), thresholds: question.thresholds.map(({ hundredths }) => hundredths) },
      exceedanceRow,
    );
    const pairs = found?.verification_pairs ?? 0;
    return {
      data: {
        thresholds: question.thresholds.map(({ degrees }, place) => ({
          threshold_f: degrees,
          exceedance_rate: percentage(sum(exceeding(found, place)), pairs),
        })),
        verification_pairs: pairs,
        unique_days: daysWithPairs(found?.pairs_by_day ?? []),
      },
      metadata: { total_records: pairs },
      verified: allVerified(found ? [found] : []),
    };
  },
});
