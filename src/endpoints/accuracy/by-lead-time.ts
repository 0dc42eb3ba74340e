import { z } from 'zod';
import { latestByBucket, type Scope } from '../../relations/station-days.js';
import { byDayRow, statisticsByDay, statsByDay } from '../../statistics/by-day.js';
import { errorsOf, type Leads, type Source } from '../../relations/histograms.js';
import { uncertainty } from '../../statistics/uncertainty/intervals.js';
import { leadTimeBucket, leadTimeText } from '../../statistics/time/lead-time.js';
import { casesRow, casesSql, matched, matchedCurve, sumsByBucket } from '../../statistics/matched.js';
import { stats } from '../../statistics/statistics.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  knowledgeOf,
  scopeOf,
  sourceOf,
  TOTAL_RECORDS,
  totalPairs,
} from '../../api/accuracy.js';
import { ownParameters } from '../../api/groups.js';
import { word } from '../../api/parameters.js';
import { ci, leadTimesAndSameDay } from '../../api/questions/common.js';
import { station } from '../../api/questions/stations.js';

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
  groups: {
    station,
    leadTimes: leadTimesAndSameDay,
    ci,
    own: ownParameters({
      align: word(
        ['none', 'matched'],
        'matched: add the curve over the cases (station days) that have a forecast in every bucket compared: those of ' +
          'lead_time_bucket, or as many as leave half of the cases',
      ).default('none'),
      select: word(
        ['mean', 'latest'],
        'With align=matched: a case is the mean of its forecasts in a bucket, or the latest of them',
      ).default('mean'),
    }),
  },
  record: z
    .object({
      lead_time_bucket: leadTimeBucket,
      label: z.string().meta({ example: '0–6 Hours Before Target Date' }),
      description: z.string(),
      stats,
      uncertainty: uncertainty.optional(),
      matched: matched.nullable().optional().meta({
        description:
          'With align=matched: over the cases that all buckets compared have; null for a bucket that is not compared',
      }),
    })
    .meta({ id: 'LeadTimeAccuracy' }),
  many: true,
  asked: ({ ci, own }) => ({ uncertainty: ci !== undefined, matched: own.align === 'matched' }),
  metadata: {
    total_records: TOTAL_RECORDS,
    aligned_buckets: z.array(leadTimeBucket).optional().meta({
      description: 'With align=matched: the buckets compared; none where no two share enough cases',
    }),
    cases_matched: z.int().min(0).optional().meta({ description: 'Station days that have all of them' }),
    cases_dropped: z
      .record(z.string(), z.int().min(0))
      .optional()
      .meta({ description: 'By bucket that has any, the station days that are not compared' }),
  },

  rewinds: () => true,

  async answer(question, { query }) {
    const { ci, leadTimes, own } = question;
    const { leads } = leadTimes;
    const source = sourceOf(question);
    const bound = bindings(question);
    const rows = await query(byLeadTimeSql(scopeOf(question), source, leads, ci), bound, row);
    const found = new Map(rows.map((each) => [each.lead_time_bucket, each]));
    const buckets = found.size === 0 ? [] : leadTimes.buckets;
    const each: Scope = question.station ? 'station' : 'each_station';
    const curve =
      own.align === 'none'
        ? undefined
        : matchedCurve(
            await query(
              casesSql(
                own.select === 'latest'
                  ? latestByBucket(each, knowledgeOf(question))
                  : sumsByBucket(errorsOf(each, source, leads)),
              ),
              bound,
              casesRow,
              question.station ? 'short' : 'long',
            ),
            leadTimes,
            ci ?? 0.95,
          );
    return {
      data: buckets.map((bucket) => ({
        lead_time_bucket: bucket,
        ...leadTimeText(bucket),
        ...statsByDay(found.get(bucket), ci),
        ...(curve && { matched: curve.of.get(bucket) ?? null }),
      })),
      metadata: {
        total_records: totalPairs(rows),
        ...(curve && {
          aligned_buckets: curve.buckets,
          cases_matched: curve.cases,
          cases_dropped: curve.dropped,
        }),
      },
      verified: allVerified(rows),
    };
  },
});
