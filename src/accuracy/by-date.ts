import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../api/accuracy-metadata.js';
import { STATION_OR_ALL } from '../api/fields.js';
import { ownParameters } from '../api/groups.js';
import { flag, word } from '../api/parameters.js';
import { stationOrAll, stationsTogether } from '../api/params/station-params.js';
import { stats } from '../api/records/stats.js';
import { readValueSums, VALUE_SUMS } from './value-sums.js';
import { errorChart } from './charts/error-chart.js';
import type { PairQuery } from '../queries/conditions.js';
import { errors } from '../queries/error-counts.js';
import { statisticsOf, statisticsRow, uniqueDays } from '../queries/sums.js';
import { fromWhere } from '../queries/relation.js';
import { sql, type Statement } from '../queries/sql.js';
import { computeStatistics } from '../statistics/statistics.js';

const PERIODS = ['week', 'month', 'season', 'year'] as const;
type Period = (typeof PERIODS)[number];

/** The first day of the period of a date; 1970-01-01 for a period that began before. */
const FIRST_DAY: Record<Period, Statement> = {
  week: sql`toMonday(target_date)`,
  month: sql`toStartOfMonth(target_date)`,
  // Dec to Feb, Mar to May and so on, as meteorologists count them; a Date has no day before 1970.
  season: sql`if(target_date < '1970-03-01', toDate(0), addMonths(toStartOfMonth(target_date), -toInt8(toMonth(target_date) % 3)))`,
  year: sql`toStartOfYear(target_date)`,
};

const dateOf = (period: Period | undefined): Statement =>
  period === undefined ? sql`target_date` : FIRST_DAY[period];

/** A row for each day, or each period. */
export function byDates(params: PairQuery, period: Period | undefined) {
  const date = dateOf(period);
  return sql.rows(row)`
  SELECT ${date} AS date, ${statisticsOf(params)}, ${period === undefined ? sql`1 AS unique_days` : uniqueDays(params.window)}
  ${fromWhere(errors(params))}
  GROUP BY ${date}
  HAVING verification_pairs != 0
  ORDER BY ${date}`;
}

const row = statisticsRow.extend({ date: z.string(), unique_days: z.number() });

const record = z
  .object({
    date: z.iso.date().meta({
      description:
        'The day; with group_by the first day of the week, month, season or year, which may lie before the window: a period at ' +
        'an edge of the window holds only its days in the window',
    }),
    ...STATION_OR_ALL,
    stats,
    sample_size: z.int().min(1).meta({ description: 'Verification pairs of this date, or period' }),
    ...VALUE_SUMS,
    preliminary_pairs: z.int().min(0).optional().meta({
      description: 'With include_preliminary=true: those of them based on a preliminary observation',
    }),
  })
  .meta({ id: 'DateAccuracy' });

/** GET /api/v1/accuracy/by-date and /by-date/:station_id (section 4.1 of the interface). */
export const byDate = accuracyEndpoint({
  paths: ['/accuracy/by-date', '/accuracy/by-date/:station_id'],
  operationId: 'getAccuracyByDate',
  summary: 'Accuracy by date',
  description:
    'One record per calendar day with a pair, ascending; over all stations (station_id ALL) or for one. With ' +
    'group_by, one per week, month, season or year, computed over its pairs: 13 months show a month beside the same month ' +
    'a year before.',
  example: { station: 'KORD', query: 'date_from=2026-09-28&date_to=2026-09-30' },
  groups: {
    station: stationsTogether,
    own: ownParameters({
      include_preliminary: flag(
        false,
        'Adds the field preliminary_pairs. Not a filter: preliminary pairs always count in all statistics, and the ' +
          'numbers of their days may still change',
      ),
      group_by: word(
        PERIODS,
        'One record per week (from Monday), month, season (from December, March, June or September) or year instead of per day; at the edges of the window, a record ' +
          'covers only the days inside',
      ).optional(),
    }),
  },
  record,
  requested: ({ own }) => ({ preliminary_pairs: own.include_preliminary }),
  totalRecords: TOTAL_RECORDS,
  metadata: {
    group_by: z.enum(PERIODS).optional().meta({ description: 'group_by of the request, if given' }),
  },

  charts: {
    'chart.svg': (records, params) =>
      errorChart(
        params,
        'date',
        'dates',
        records.map(({ date, stats }) => ({ at: date, stats })),
      ),
  },

  recompute: {
    sql: new URL('by-date.recompute.sql', import.meta.url),
    values: ({ own }) => own,
  },

  async handle(params, { query }) {
    const { group_by } = params.own;
    const [rows, sumsOf] = await Promise.all([
      query(byDates(params, group_by)),
      readValueSums(params, { query }, dateOf(group_by)),
    ]);
    const { station_id, city_name } = stationOrAll(params.station);
    return {
      data: rows.map((each) => ({
        date: each.date,
        station_id,
        city_name,
        stats: computeStatistics(each, each.unique_days, params.metric),
        sample_size: each.verification_pairs,
        ...sumsOf(each.date),
        ...(params.own.include_preliminary && { preliminary_pairs: each.preliminary_pairs }),
      })),
      metadata: { ...(group_by && { group_by }) },
      basis: basisOfPairs(rows),
      fileNameParts: group_by && [`by-${group_by}`],
    };
  },
});
