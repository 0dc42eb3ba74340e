import { z } from 'zod';
import { accuracyEndpoint, basisOfDays } from '../../api/accuracy.js';
import { CASES_GROUPS, daysWithAny, TOTAL_CASES } from '../../api/cases.js';
import { count, numberOrNull, STATION } from '../../api/fields.js';
import { toHundredths } from '../../api/kinds.js';
import { issuedHours, leadTimesFrom } from '../../api/questions/common.js';
import { stationsApart } from '../../api/questions/stations.js';
import { bounds, rate } from '../../api/records/rates.js';
import type { RowsQuestion } from '../../relations/conditions.js';
import { latestForecasts } from '../../relations/latest-forecasts.js';
import { perDay } from '../../relations/sums.js';
import { bind, sql, type Statement } from '../../sql.js';
import { SCALES, type Unit } from '../../statistics/units.js';
import { HIT_RATES, hitsOf } from './hits.js';

/**
 * The grade of a forecast, from 1, a hit, to 6, over the rows of latestForecasts(). Whole degrees are half up, as
 * in climate reports: 12.5 °F is 13, and -12.5 °F is -12. A hit is within 1 degree, so the grades below one are its share.
 */
function gradeIn(unit: Unit): Statement {
  const { size, zero } = SCALES[unit];
  const [degree, half_up] = [bind({ degree: size }, 'Int32'), bind({ half_up: size / 2 - zero }, 'Int32')];
  return sql`multiIf(
    floor((forecast_hundredths + ${half_up}) / ${degree}) = floor((actual_hundredths + ${half_up}) / ${degree}), 1,
    abs(error_hundredths) <= ${degree}, 2, abs(error_hundredths) <= 2 * ${degree}, 3,
    abs(error_hundredths) <= 3 * ${degree}, 4, abs(error_hundredths) < 10 * ${degree}, 5, 6
  )`;
}

/**
 * A station has at most one case a day, so the sum of a day's grades is its grade, and 0 without a case. A text has them as
 * digits: 2,000 stations have 730,000 days in a year, and numbers take twice the bytes.
 */
const gradesOf = (question: RowsQuestion & { unit: Unit }) => sql.rows(row)`
  SELECT
    station_id, arrayStringConcat(${perDay(question.window, sql`case_count * ${gradeIn(question.unit)}`)}) AS grades,
    arrayStringConcat(${perDay(question.window, sql`preliminary_case_count`)}) AS preliminary,
    sum(case_count * latest_lead_ms) AS lead_ms
  FROM ${latestForecasts(question)}
  GROUP BY station_id
  HAVING sum(case_count) != 0
  ORDER BY station_id`;

const row = z.object({
  station_id: z.string(),
  grades: z.string(),
  preliminary: z.string(),
  lead_ms: z.number(),
});

/** Measured, of a day of a station. */
const WORK_MS = 0.0004;

const within = (degrees: number) =>
  count(`Days whose forecast was off by at most ${degrees}, in degrees of the question's unit`);

/** The hits of some cases. */
export const hits = z.object({
  total_days: count('Days of a station with a forecast of these lead times and an observation'),
  exact_hits: count('Days whose forecast and actual are the same whole degree, rounded half up'),
  within_1: within(1),
  within_2: within(2),
  exact_rate: rate('exact_hits of total_days'),
  within_1_rate: rate('within_1 of total_days'),
  within_2_rate: rate('within_2 of total_days'),
  within_3: within(3),
  within_3_rate: rate('within_3 of total_days'),
  misses_10: count("Days whose forecast was off by 10 or more, in degrees of the question's unit"),
  misses_10_rate: rate('misses_10 of total_days'),
  ...bounds(...HIT_RATES),
  mean_lead_hours: numberOrNull('Mean lead time of the forecasts, hours; null without days', toHundredths),
});

/** GET /api/v1/accuracy/hit-rate (D32). */
export const hitRate = accuracyEndpoint({
  paths: ['/accuracy/hit-rate'],
  operationId: 'getHitRate',
  summary: 'Hit rate',
  description:
    'How often the forecast was right. Each day counts once, with the latest forecast of the lead times asked for. ' +
    'One record per station with such a day, by station_id; metadata.network counts all stations together.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30', keep: 2 },
  groups: {
    ...CASES_GROUPS,
    station: stationsApart,
    leadTimes: leadTimesFrom,
    issuedHours,
  },
  record: z
    .object({
      ...STATION,
      ...hits.shape,
    })
    .meta({ id: 'HitRate' }),
  many: true,
  totalRecords: TOTAL_CASES,
  metadata: {
    network: hits.meta({ id: 'HitRateTotals', description: 'The days of all records together' }),
  },
  hasCoverage: true,

  workMs: ({ window, station }, { stations }) =>
    (station?.length ?? stations.all.length) * window.days_analyzed * WORK_MS,

  async answer(question, { query, directory }) {
    const rows = await query(gradesOf(question), 'long');
    const network = hitsOf(rows, question.level);
    const days = daysWithAny(rows.map(({ grades }) => grades));
    const preliminaryDays = daysWithAny(rows.map(({ preliminary }) => preliminary));
    return {
      data: rows.map((each) => ({
        station_id: each.station_id,
        city_name: directory.stations.cityName(each.station_id),
        ...hitsOf([each], question.level),
      })),
      metadata: { network },
      basis: basisOfDays(network.total_days, days, preliminaryDays),
    };
  },
});
