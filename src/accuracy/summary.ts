import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfDays, TOTAL_RECORDS } from '../api/accuracy-metadata.js';
import { ci } from '../api/params/common.js';
import { listIds, stationOrAll, stationsTogether } from '../api/params/station-params.js';
import { stats, uncertainty } from '../api/records/stats.js';
import type { PairQuery } from '../queries/conditions.js';
import { errors } from '../queries/error-counts.js';
import { byDayRow, perDay, statisticsByDay } from '../queries/sums.js';
import { fromWhere } from '../queries/relation.js';
import { sql } from '../queries/sql.js';
import { daysWithPairs, statsByDay } from '../statistics/by-day.js';
import { VARIABLES } from '../variables/variables.js';
import { readValueSums, VALUE_SUMS } from './value-sums.js';
import { badge, brierBadge } from './charts/badge.js';

export const loadSummary = (params: PairQuery, level: number | undefined) => sql.rows(summaryRow)`
  SELECT
    ${statisticsByDay(params, level)},
    ${perDay(params.window, sql`preliminary_pair_count`)} AS preliminary_pairs_by_day
  ${fromWhere(errors(params))}`;

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
  record: stats.extend({ uncertainty: uncertainty.optional(), ...VALUE_SUMS }).meta({ id: 'Summary' }),
  requested: ({ ci }) => ({ uncertainty: ci !== undefined }),
  isSingle: true,
  totalRecords: TOTAL_RECORDS,
  hasCoverage: true,

  charts: {
    'badge.json': ([found], { station, metric, unit, window }) => {
      const of = `${VARIABLES[metric].plural}, ${stationOrAll(station).city_name}, ${window.days_analyzed} days`;
      return VARIABLES[metric].score === 'brier_score'
        ? brierBadge(`Brier score of ${of}`, found?.brier_score)
        : badge(`MAE of ${of}`, found?.mae ?? null, unit, metric);
    },
  },

  recompute: {
    sql: new URL('summary.recompute.sql', import.meta.url),
  },

  async handle(params, { query }) {
    const [[found], sumsOf] = await Promise.all([
      query(loadSummary(params, params.ci)),
      readValueSums(params, { query }, sql`''`),
    ]);
    const { stats, uncertainty } = statsByDay(found, params.metric, params.ci);
    const preliminaryDays = daysWithPairs(found?.preliminary_pairs_by_day ?? []);
    return {
      data: { ...stats, ...(uncertainty && { uncertainty }), ...sumsOf('') },
      basis: basisOfDays(stats.verification_pairs, stats.unique_days, preliminaryDays),
      csvConstants: { station_id: listIds(params.station) },
    };
  },
});
