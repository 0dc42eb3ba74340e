import { z } from 'zod';
import {
  daysWithPairs,
  errorsOf,
  type Leads,
  PAIRS_BY_DAY,
  type Scope,
  type Source,
} from '../accuracy/histograms.js';
import { leadTimeBucket, leadTimeText } from '../accuracy/lead-time.js';
import { NO_STATS, STATISTICS, stats, statisticsOf, statisticsRow, toStats } from '../accuracy/statistics.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  scopeOf,
  sourceOf,
  TOTAL_RECORDS,
  totalPairs,
} from '../api/accuracy.js';
import { leadTimesAndSameDay } from '../api/question.js';
import { station } from '../api/stations.js';

export const byLeadTimeSql = (scope: Scope, source?: Source, leads?: Leads): string => `
  SELECT lead_time_bucket, ${STATISTICS}, ${PAIRS_BY_DAY}
  FROM ${errorsOf(scope, source, leads)}
  GROUP BY lead_time_bucket
  HAVING verification_pairs != 0`;

const row = statisticsRow.extend({ lead_time_bucket: leadTimeBucket, pairs_by_day: z.array(z.number()) });

/** GET /api/v1/accuracy/by-lead-time (section 4.4 of the interface, D5, D12). */
export const byLeadTime = defineAccuracy({
  paths: ['/accuracy/by-lead-time'],
  operationId: 'getAccuracyByLeadTime',
  summary: 'Accuracy by lead time',
  description:
    'One record per lead-time bucket, in order: all six, or those of the request; none if the window has no pair of them.',
  groups: { station, leadTimes: leadTimesAndSameDay },
  record: z
    .object({
      lead_time_bucket: leadTimeBucket,
      label: z.string().meta({ example: '0–6 Hours Before Target Date' }),
      description: z.string(),
      stats,
    })
    .meta({ id: 'LeadTimeAccuracy' }),
  many: true,
  metadata: { total_records: TOTAL_RECORDS },

  async answer(question, { query }) {
    const rows = await query(
      byLeadTimeSql(scopeOf(question), sourceOf(question), question.leadTimes.leads),
      bindings(question),
      row,
    );
    const found = new Map(
      rows.map((each) => [
        each.lead_time_bucket,
        toStats(statisticsOf(each, daysWithPairs(each.pairs_by_day))),
      ]),
    );
    const buckets = found.size === 0 ? [] : question.leadTimes.buckets;
    return {
      data: buckets.map((bucket) => ({
        lead_time_bucket: bucket,
        ...leadTimeText(bucket),
        stats: found.get(bucket) ?? NO_STATS,
      })),
      metadata: { total_records: totalPairs(rows) },
      verified: allVerified(rows),
    };
  },
});
