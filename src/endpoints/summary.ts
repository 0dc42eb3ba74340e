import { z } from 'zod';
import {
  daysWithPairs,
  errorsOf,
  PAIRS_BY_DAY,
  PRELIMINARY_PAIRS_BY_DAY,
  type Scope,
  type Source,
} from '../accuracy/histograms.js';
import { STATISTICS, stats, statisticsOf, statisticsRow, toStats } from '../accuracy/statistics.js';
import { defineEndpoint } from '../api/endpoint.js';
import {
  allVerified,
  checkWindow,
  COMMON_METADATA,
  csvOf,
  ERROR_CONVENTION,
  QUESTION_PARAMETERS,
  readQuestion,
  STATION_PARAMETERS,
  TOTAL_RECORDS,
  windowMetadata,
} from '../api/question.js';

export const summarySql = (scope: Scope, source?: Source): string => `
  SELECT ${STATISTICS}, ${PAIRS_BY_DAY}, ${PRELIMINARY_PAIRS_BY_DAY}
  FROM ${errorsOf(scope, source)}`;

export const summaryRow = statisticsRow.extend({
  pairs_by_day: z.array(z.number()),
  preliminary_pairs_by_day: z.array(z.number()),
});

const parameters = { ...QUESTION_PARAMETERS, ...STATION_PARAMETERS };

/** GET /api/v1/accuracy/summary (section 4.3 of the interface). */
export const summary = defineEndpoint({
  paths: ['/accuracy/summary'],
  operationId: 'getAccuracySummary',
  summary: 'Accuracy over a window',
  description: 'The nine statistics over all pairs of a window, of the network or of one station.',
  parameters,
  check: checkWindow,
  record: stats,
  many: false,
  metadata: z.object({
    ...COMMON_METADATA,
    total_records: TOTAL_RECORDS,
    accuracy_metric: z.enum(['high', 'low']),
    error_convention: ERROR_CONVENTION,
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
  }),

  question: readQuestion,

  async answer(question, _values, store) {
    const [found] = await store.query(summarySql(question.scope), question.bindings, summaryRow);
    const unique_days = daysWithPairs(found?.pairs_by_day ?? []);
    const preliminary_days = daysWithPairs(found?.preliminary_pairs_by_day ?? []);
    const verified_days = unique_days - preliminary_days;
    const data = toStats(statisticsOf(found, unique_days));
    return {
      data,
      metadata: {
        ...windowMetadata(question),
        total_records: data.verification_pairs,
        accuracy_metric: question.metric,
        error_convention: 'forecast_minus_actual',
        verification_coverage: {
          verified_days,
          preliminary_days,
          verified_pct: unique_days === 0 ? null : Math.round((verified_days / unique_days) * 1e4) / 1e4,
        },
      },
      verified: allVerified(found ? [found] : []),
      csv: csvOf(question),
    };
  },
});
