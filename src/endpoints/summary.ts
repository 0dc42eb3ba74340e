import { z } from 'zod';
import {
  daysWithPairs,
  errorsOf,
  type Leads,
  PAIRS_BY_DAY,
  PRELIMINARY_PAIRS_BY_DAY,
  type Scope,
  type Source,
} from '../accuracy/histograms.js';
import { STATISTICS, stats, statisticsOf, statisticsRow, toStats } from '../accuracy/statistics.js';
import { allVerified, bindings, defineAccuracy, scopeOf, sourceOf, TOTAL_RECORDS } from '../api/accuracy.js';
import { station } from '../api/stations.js';

export const summarySql = (scope: Scope, source?: Source, leads?: Leads): string => `
  SELECT ${STATISTICS}, ${PAIRS_BY_DAY}, ${PRELIMINARY_PAIRS_BY_DAY}
  FROM ${errorsOf(scope, source, leads)}`;

export const summaryRow = statisticsRow.extend({
  pairs_by_day: z.array(z.number()),
  preliminary_pairs_by_day: z.array(z.number()),
});

/** GET /api/v1/accuracy/summary (section 4.3 of the interface). */
export const summary = defineAccuracy({
  paths: ['/accuracy/summary'],
  operationId: 'getAccuracySummary',
  summary: 'Accuracy over a window',
  description: 'The nine statistics over all pairs of a window, of the network or of one station.',
  groups: { station },
  record: stats,
  many: false,
  metadata: {
    total_records: TOTAL_RECORDS,
    verification_coverage: z
      .object({
        verified_days: z
          .int()
          .min(0)
          .meta({ description: 'Days all of whose pairs rest on verified observations' }),
        preliminary_days: z
          .int()
          .min(0)
          .meta({ description: 'Days with a pair that rests on a preliminary one' }),
        verified_pct: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .meta({ description: 'Verified share of the days, to 0.0001; null without days' }),
      })
      .meta({
        description: 'How far the observations behind the numbers are final (0 preliminary days: they are)',
      }),
  },

  async answer(question, { query }) {
    const [found] = await query(
      summarySql(scopeOf(question), sourceOf(question), question.leadTimes.leads),
      bindings(question),
      summaryRow,
    );
    const unique_days = daysWithPairs(found?.pairs_by_day ?? []);
    const preliminary_days = daysWithPairs(found?.preliminary_pairs_by_day ?? []);
    const verified_days = unique_days - preliminary_days;
    const data = toStats(statisticsOf(found, unique_days));
    return {
      data,
      metadata: {
        total_records: data.verification_pairs,
        verification_coverage: {
          verified_days,
          preliminary_days,
          verified_pct: unique_days === 0 ? null : Math.round((verified_days / unique_days) * 1e4) / 1e4,
        },
      },
      verified: allVerified(found ? [found] : []),
      csvConstants: { station_id: question.station?.station_id ?? 'ALL' },
    };
  },
});
