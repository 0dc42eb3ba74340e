import { z } from 'zod';
import { ERROR_COUNTS, errorsOf, type Scope, type Source } from '../accuracy/histogram.js';
import { STATISTICS, stats, statisticsRow, toStats } from '../accuracy/statistics.js';
import { defineEndpoint } from '../http/endpoint.js';
import { integer } from '../http/parameters.js';
import {
  allVerified,
  checkWindow,
  COMMON_METADATA,
  csvOf,
  QUESTION_PARAMETERS,
  readQuestion,
  STATION_PARAMETERS,
  TOTAL_RECORDS,
  windowMetadata,
} from './question.js';

/** What `sort_by` means (D14); equal ones are in order of station_id. */
const ORDER = {
  mae: 'mae',
  count: 'verification_pairs DESC',
  mean_error: 'mean_error',
  city: 'lowerUTF8(city_name)',
  rmse: 'rmse',
} as const;

type SortBy = keyof typeof ORDER;
const SORT_BY = Object.keys(ORDER) as [SortBy, ...SortBy[]];

export const byCitySql = (scope: Scope, sortBy: SortBy, source?: Source): string => `
  SELECT station_id, city_name, accuracy.*
  FROM (
    SELECT station_id, ${STATISTICS}
    FROM (
      SELECT station_id, ${ERROR_COUNTS}
      FROM ${errorsOf(scope, source)}
      GROUP BY GROUPING SETS ((station_id, error), (station_id, target_date))
      HAVING weight != 0
    )
    GROUP BY station_id
    HAVING verification_pairs >= {min_samples: UInt64}
  ) AS accuracy
  INNER JOIN (SELECT station_id, city_name FROM current_stations) AS city USING (station_id)
  ORDER BY ${ORDER[sortBy]}, station_id`;

const row = statisticsRow.extend({ station_id: z.string(), city_name: z.string() });

const parameters = {
  ...QUESTION_PARAMETERS,
  ...STATION_PARAMETERS,
  min_samples: integer(0, 1_000_000_000, 0, 'Leave out cities with fewer verification pairs'),
  sort_by: z
    .enum(SORT_BY, `must be one of ${SORT_BY.join(', ')}`)
    .default('city')
    .meta({ description: 'mae, rmse, mean_error and city ascend, count descends; equal ones by station_id' }),
};

/** GET /api/v1/accuracy/by-city (section 4.5 of the interface, D14). */
export const byCity = defineEndpoint({
  paths: ['/accuracy/by-city'],
  operationId: 'getAccuracyByCity',
  summary: 'Accuracy by city',
  description: 'One record per station that has a pair in the window.',
  parameters,
  check: checkWindow,
  record: z
    .object({
      station_id: z.string().meta({ example: 'KORD' }),
      city_name: z.string().meta({ example: 'Chicago' }),
      sample_size: z.int().min(1).meta({ description: 'Verification pairs of this city' }),
      stats,
    })
    .meta({ id: 'CityAccuracy' }),
  many: true,
  metadata: z.object({ ...COMMON_METADATA, total_records: TOTAL_RECORDS }),

  question: readQuestion,

  async answer(question, { sort_by, min_samples }, store) {
    const scope = question.station === undefined ? 'each_station' : 'station';
    const rows = await store.query(
      byCitySql(scope, sort_by),
      { ...question.bindings, min_samples: Math.max(1, min_samples) },
      row,
    );
    return {
      data: rows.map((each) => ({
        station_id: each.station_id,
        city_name: each.city_name,
        sample_size: each.verification_pairs,
        stats: toStats(each),
      })),
      metadata: {
        ...windowMetadata(question),
        total_records: rows.reduce((total, { verification_pairs }) => total + verification_pairs, 0),
      },
      verified: allVerified(rows),
      csv: csvOf(question),
    };
  },
});
