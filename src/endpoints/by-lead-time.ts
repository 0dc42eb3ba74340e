import { z } from 'zod';
import { byDayRow, statisticsByDay, statsByDay } from '../accuracy/by-day.js';
import { errorsOf, type Leads, type Scope, type Source } from '../accuracy/histograms.js';
import { uncertainty } from '../accuracy/intervals.js';
import { leadTimeBucket, leadTimeText } from '../accuracy/lead-time.js';
import { stats } from '../accuracy/statistics.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  scopeOf,
  TOTAL_RECORDS,
  totalPairs,
} from '../api/accuracy.js';
import { ci, leadTimesAndSameDay } from '../api/question.js';
import { station } from '../api/stations.js';

export const byLeadTimeSql = (scope: Scope, source?: Source, leads?: Leads, level?: number): string => `
  SELECT lead_time_bucket, ${statisticsByDay(level)}
  FROM ${errorsOf(scope, source, leads)}
  GROUP BY lead_time_bucket
  HAVING verification_pairs != 0`;

const row = byDayRow.extend({ lead_time_bucket: leadTimeBucket });

/** GET /api/v1/accuracy/by-lead-time (section 4.4 of the interface, D5, D12). */
export const byLeadTime = defineAccuracy({
  paths: ['/accuracy/by-lead-time'],
  operationId: 'getAccuracyByLeadTime',
  summary: 'Accuracy by lead time',
  description:
    'One record per lead-time bucket, in order: all six, or those of the request; none if the window has no pair of them.',
  groups: { station, leadTimes: leadTimesAndSameDay, ci },
  record: z
    .object({
      lead_time_bucket: leadTimeBucket,
      label: z.string().meta({ example: '0–6 Hours Before Target Date' }),
      description: z.string(),
      stats,
      uncertainty: uncertainty.optional(),
    })
    .meta({ id: 'LeadTimeAccuracy' }),
  many: true,
  asked: ({ ci }) => ({ uncertainty: ci !== undefined }),
  metadata: { total_records: TOTAL_RECORDS },

  async answer(question, { query }) {
    const rows = await query(
      byLeadTimeSql(scopeOf(question), 'histogram', question.leadTimes.leads, question.ci),
      bindings(question),
      row,
    );
    const found = new Map(rows.map((each) => [each.lead_time_bucket, each]));
    const buckets = found.size === 0 ? [] : question.leadTimes.buckets;
    return {
      data: buckets.map((bucket) => ({
        lead_time_bucket: bucket,
        ...leadTimeText(bucket),
        ...statsByDay(found.get(bucket), question.ci),
      })),
      metadata: { total_records: totalPairs(rows) },
      verified: allVerified(rows),
    };
  },
});
