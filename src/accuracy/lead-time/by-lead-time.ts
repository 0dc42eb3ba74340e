import { z } from 'zod';
import { accuracyEndpoint } from '../../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../../api/accuracy-metadata.js';
import { difference } from '../../api/kinds.js';
import { count, leadTimeBucket } from '../../api/fields.js';
import { ownParameters } from '../../api/groups.js';
import { word } from '../../api/parameters.js';
import { ci, leadTimesAndSameDay } from '../../api/params/common.js';
import { stationsTogether } from '../../api/params/station-params.js';
import { stats, uncertainty } from '../../api/records/stats.js';
import { readValueSums, VALUE_SUMS } from '../value-sums.js';
import { errorChart } from '../charts/error-chart.js';
import type { PairQuery } from '../../queries/conditions.js';
import { errors } from '../../queries/error-counts.js';
import { casesByBuckets } from './matched-cases.js';
import { byDayRow, statisticsByDay } from '../../queries/sums.js';
import { fromWhere } from '../../queries/relation.js';
import { raw, sql } from '../../queries/sql.js';
import { quoteNames } from '../../variables/codes.js';
import { statsByDay } from '../../statistics/by-day.js';
import { matchedCurve } from './matched.js';
import { VARIABLES } from '../../variables/variables.js';
import { ALL_BUCKETS, leadTimeText } from '../../statistics/time/lead-time.js';

export const byLeadTimes = (params: PairQuery, level: number | undefined) => sql.rows(row)`
  SELECT lead_time_bucket, ${statisticsByDay(params, level)}
  ${fromWhere(errors(params))}
  GROUP BY lead_time_bucket
  HAVING verification_pairs != 0`;

/** The bucket of a row of latestForecasts(). */
const BUCKET_OF_SLOT = raw(`[${quoteNames(ALL_BUCKETS)}][slot]`);

const row = byDayRow.extend({ lead_time_bucket: leadTimeBucket });

const fahrenheit = difference().nullable();

/** A bucket over the matched cases. */
const matched = z
  .object({
    cases: count('Station days with a forecast in every bucket compared'),
    days: count('Calendar days with such a case'),
    mean_error: fahrenheit.meta({
      description: 'Over cases; each counts with its latest forecast in the bucket, °F',
    }),
    mae: fahrenheit.meta({ description: '°F' }),
    rmse: fahrenheit.meta({ description: '°F' }),
    uncertainty,
    mae_difference: z.object({ value: difference(), low: fahrenheit, high: fahrenheit }).nullable().meta({
      description: 'MAE minus that of the first bucket compared, on the same cases, °F; null for the first',
    }),
  })
  .meta({ id: 'MatchedAccuracy' });

/** GET /api/v1/accuracy/by-lead-time (section 4.4 of the interface, D5). */
export const byLeadTime = accuracyEndpoint({
  paths: ['/accuracy/by-lead-time'],
  operationId: 'getAccuracyByLeadTime',
  summary: 'Accuracy by lead time',
  description:
    'One record per lead-time bucket, in order: all six, or those in the request. If the window has no pair in any ' +
    'of them, there is no record.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: {
    station: stationsTogether,
    leadTimes: leadTimesAndSameDay,
    ci,
    own: ownParameters({
      align: word(
        ['none', 'matched'],
        'matched: add the curve over the cases (station days) with a forecast in every bucket compared: those of ' +
          'lead_time_bucket, or as many buckets as leave half of the cases. A case counts with its latest forecast in a bucket',
      ).default('none'),
    }),
  },
  record: z
    .object({
      lead_time_bucket: leadTimeBucket,
      label: z.string().meta({ example: '0–6 Hours Before Target Date' }),
      description: z.string(),
      stats,
      uncertainty: uncertainty.optional(),
      ...VALUE_SUMS,
      matched: matched.nullable().optional().meta({
        description:
          'With align=matched: over the cases that all compared buckets have; null for a bucket not compared',
      }),
    })
    .meta({ id: 'LeadTimeAccuracy' }),
  requested: ({ ci, own }) => ({ uncertainty: ci !== undefined, matched: own.align === 'matched' }),
  totalRecords: TOTAL_RECORDS,
  metadata: {
    aligned_buckets: z.array(leadTimeBucket).optional().meta({
      description: 'With align=matched: the buckets compared; none if no two share enough cases',
    }),
    cases_matched: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Station days with a forecast in all of them' }),
    cases_dropped: z
      .record(z.string(), z.int().min(0))
      .optional()
      .meta({ description: 'Station days not compared, for each bucket with any station days' }),
  },

  charts: {
    'chart.svg': (records, params) =>
      errorChart(
        params,
        'lead time',
        'names',
        records.map(({ lead_time_bucket: at, stats }) => ({ at, stats })),
      ),
  },

  recompute: {
    sql: new URL('by-lead-time.recompute.sql', import.meta.url),
    values: () => ({ separate: 'lead_time_bucket' }),
    validate: ({ own }) =>
      own.align === 'none' ? undefined : { parameter: 'align', message: 'must be none for recompute.sql' },
  },

  async handle(params, { query }) {
    const { ci, leadTimes, own, station } = params;
    const [rows, sumsOf] = await Promise.all([
      query(byLeadTimes(params, ci)),
      readValueSums(params, { query }, BUCKET_OF_SLOT, 'in_each_lead_time'),
    ]);
    const found = new Map(rows.map((each) => [each.lead_time_bucket, each]));
    const buckets = found.size === 0 ? [] : leadTimes.buckets;
    const curve =
      own.align === 'none'
        ? undefined
        : matchedCurve(
            await query(casesByBuckets(params), station ? 'short' : 'long'),
            leadTimes,
            ci ?? 0.95,
          );
    return {
      data: buckets.map((bucket) => ({
        lead_time_bucket: bucket,
        ...leadTimeText(bucket, VARIABLES[params.metric].period === 'hour'),
        ...statsByDay(found.get(bucket), params.metric, ci),
        ...sumsOf(bucket),
        ...(curve && { matched: curve.of.get(bucket) ?? null }),
      })),
      metadata: {
        ...(curve && {
          aligned_buckets: [...curve.buckets],
          cases_matched: curve.cases,
          cases_dropped: curve.dropped,
        }),
      },
      basis: basisOfPairs(rows),
    };
  },
});
