import { z } from 'zod';
import { type Knowledge, latestForecasts, type Scope } from '../../relations/station-days.js';
import { perDay } from '../../statistics/by-day.js';
import { GRADE, hits, hitsOf } from '../../statistics/hits.js';
import { defineAccuracy } from '../../api/accuracy.js';
import { CASES_GROUPS, casesOf, daysOf, recordsOf, TOTAL_CASES } from '../../api/cases.js';
import { coverageOf, verificationCoverage } from '../../api/coverage.js';
import { leadTimesFrom } from '../../api/questions/common.js';
import { stationsOfCity } from '../../api/questions/stations.js';
import { wholeFahrenheit } from '../../api/questions/temperature-unit.js';

/** A station has at most one case a day, so the sum of a day's grades is its grade, and 0 without a case. */
const hitRateSql = (scope: Scope, knowledge: Knowledge): string => `
  SELECT
    station_id, ${perDay(`case_count * ${GRADE}`)} AS grades, ${perDay('preliminary_case_count')} AS preliminary,
    sum(case_count * latest_lead_ms) AS lead_ms
  FROM ${latestForecasts(scope, knowledge)}
  GROUP BY station_id
  HAVING sum(case_count) != 0
  ORDER BY station_id`;

const row = z.object({
  station_id: z.string(),
  grades: z.array(z.number()),
  preliminary: z.array(z.number()),
  lead_ms: z.number(),
});

/** GET /api/v1/accuracy/hit-rate (D32, D33). */
export const hitRate = defineAccuracy({
  paths: ['/accuracy/hit-rate'],
  operationId: 'getHitRate',
  summary: 'Hit rate',
  description:
    'How often the forecast was right. Each day counts once, with the latest forecast of its lead times. One record ' +
    'per station that has such a day, by station_id; metadata.network counts all of them together.',
  groups: { ...CASES_GROUPS, station: stationsOfCity, leadTimes: leadTimesFrom, unit: wholeFahrenheit },
  record: z
    .object({
      station_id: z.string().meta({ example: 'KORD' }),
      city_name: z.string().meta({ example: 'Chicago' }),
      ...hits.shape,
    })
    .meta({ id: 'HitRate' }),
  many: true,
  metadata: {
    total_records: TOTAL_CASES,
    network: hits.meta({ id: 'HitRateTotals', description: 'The days of all records together' }),
    verification_coverage: verificationCoverage,
  },

  async answer(question, { query, directory }) {
    const { scope, knowledge, bound } = casesOf(question);
    const rows = await query(hitRateSql(scope, knowledge), bound, row, 'long');
    const network = hitsOf(rows, question.level);
    const days = daysOf(rows.map(({ grades }) => grades));
    const preliminaryDays = daysOf(rows.map(({ preliminary }) => preliminary));
    return {
      data: await recordsOf(rows, (each) => ({
        station_id: each.station_id,
        city_name: directory.stations.cityName(each.station_id),
        ...hitsOf([each], question.level),
      })),
      metadata: {
        total_records: network.total_days,
        network,
        verification_coverage: coverageOf(days, preliminaryDays),
      },
      verified: days > 0 && preliminaryDays === 0,
    };
  },
});
