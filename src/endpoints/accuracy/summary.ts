import { z } from 'zod';
import {
  byDayRow,
  daysWithPairs,
  PRELIMINARY_PAIRS_BY_DAY,
  statisticsByDay,
  statsByDay,
} from '../../statistics/by-day.js';
import { errorsOf, type Leads, type Source } from '../../relations/histograms.js';
import { type Scope } from '../../relations/station-days.js';
import { uncertainty } from '../../statistics/uncertainty/intervals.js';
import { stats } from '../../statistics/statistics.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  scopeOf,
  sourceOf,
  TOTAL_RECORDS,
} from '../../api/accuracy.js';
import { coverageOf, verificationCoverage } from '../../api/coverage.js';
import { ci } from '../../api/questions/common.js';
import { station } from '../../api/questions/stations.js';

export const summarySql = (scope: Scope, source?: Source, leads?: Leads, level?: number): string => `
  SELECT ${statisticsByDay(level)}, ${PRELIMINARY_PAIRS_BY_DAY}
  FROM ${errorsOf(scope, source, leads)}`;

export const summaryRow = byDayRow.extend({
  preliminary_pairs_by_day: z.array(z.number()),
});

/** GET /api/v1/accuracy/summary (section 4.3 of the interface). */
export const summary = defineAccuracy({
  paths: ['/accuracy/summary'],
  operationId: 'getAccuracySummary',
  summary: 'Accuracy over a window',
  description: 'The nine statistics over all pairs of a window, of the network or of one station.',
  groups: { station, ci },
  record: stats.extend({ uncertainty: uncertainty.optional() }).meta({ id: 'Summary' }),
  asked: ({ ci }) => ({ uncertainty: ci !== undefined }),
  many: false,
  metadata: {
    total_records: TOTAL_RECORDS,
    verification_coverage: verificationCoverage,
  },

  rewinds: () => true,

  async answer(question, { query }) {
    const [found] = await query(
      summarySql(scopeOf(question), sourceOf(question), question.leadTimes.leads, question.ci),
      bindings(question),
      summaryRow,
    );
    const { stats, uncertainty } = statsByDay(found, question.ci);
    const { unique_days } = stats;
    const preliminary_days = daysWithPairs(found?.preliminary_pairs_by_day ?? []);
    return {
      data: { ...stats, ...(uncertainty && { uncertainty }) },
      metadata: {
        total_records: stats.verification_pairs,
        verification_coverage: coverageOf(unique_days, preliminary_days),
      },
      verified: allVerified(found ? [found] : []),
      csvConstants: { station_id: question.station?.station_id ?? 'ALL' },
    };
  },
});
