import { z } from 'zod';
import { accuracyEndpoint, basisOfDays, TOTAL_RECORDS } from '../api/accuracy.js';
import { ci } from '../api/questions/common.js';
import { idsOf, stationOrAll, stationsTogether } from '../api/questions/stations.js';
import { stats, uncertainty } from '../api/records/stats.js';
import type { RowsQuestion } from '../relations/conditions.js';
import { errors } from '../relations/errors.js';
import { byDayRow, perDay, statisticsByDay } from '../relations/sums.js';
import { sql } from '../sql.js';
import { daysWithPairs, statsByDay } from '../statistics/by-day.js';
import { badge } from './figures/badge.js';

export const summaryOf = (question: RowsQuestion, level: number | undefined) => sql.rows(summaryRow)`
  SELECT
    ${statisticsByDay(question.window, level)},
    ${perDay(question.window, sql`preliminary_pair_count`)} AS preliminary_pairs_by_day
  FROM ${errors(question)}`;

const summaryRow = byDayRow.extend({
  preliminary_pairs_by_day: z.array(z.number()),
});

/** GET /api/v1/accuracy/summary (section 4.3 of the interface). */
export const summary = accuracyEndpoint({
  paths: ['/accuracy/summary'],
  operationId: 'getAccuracySummary',
  summary: 'Accuracy over a window',
  description:
    'The nine statistics over all pairs of a window, for the network, one station or those chosen.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: { station: stationsTogether, ci },
  record: stats.extend({ uncertainty: uncertainty.optional() }).meta({ id: 'Summary' }),
  asked: ({ ci }) => ({ uncertainty: ci !== undefined }),
  many: false,
  totalRecords: TOTAL_RECORDS,
  hasCoverage: true,

  figures: {
    'badge.json': ([{ mae } = { mae: null }], { station, metric, unit, window }) =>
      badge(`MAE of ${metric}s, ${stationOrAll(station).city_name}, ${window.days_analyzed} days`, mae, unit),
  },

  async answer(question, { query }) {
    const [found] = await query(summaryOf(question, question.ci));
    const { stats, uncertainty } = statsByDay(found, question.ci);
    const preliminaryDays = daysWithPairs(found?.preliminary_pairs_by_day ?? []);
    return {
      data: { ...stats, ...(uncertainty && { uncertainty }) },
      basis: basisOfDays(stats.verification_pairs, stats.unique_days, preliminaryDays),
      csvConstants: { station_id: idsOf(question.station) },
    };
  },
});
