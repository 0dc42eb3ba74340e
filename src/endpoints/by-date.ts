import { z } from 'zod';
import { errorsOf, type Scope, type Source } from '../accuracy/histograms.js';
import { STATISTICS, stats, statisticsOf, statisticsRow, toStats } from '../accuracy/statistics.js';
import { defineEndpoint } from '../api/endpoint.js';
import { flag } from '../api/parameters.js';
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
} from '../api/question.js';

export const byDateSql = (scope: Scope, source?: Source): string => `
  SELECT target_date AS date, ${STATISTICS}
  FROM ${errorsOf(scope, source)}
  GROUP BY target_date
  HAVING verification_pairs != 0
  ORDER BY target_date`;

const row = statisticsRow.extend({ date: z.string() });

const plainRecord = z.object({
  date: z.iso.date(),
  station_id: z.string().meta({ description: 'ICAO identifier, or ALL', example: 'KORD' }),
  city_name: z.string().meta({ description: 'Display name, or All stations', example: 'Chicago' }),
  stats,
  sample_size: z.int().min(1).meta({ description: 'Verification pairs of this date' }),
});

const record = plainRecord
  .extend({
    preliminary_pairs: z.int().min(0).optional().meta({
      description: 'With include_preliminary=true: those of them that rest on a preliminary observation',
    }),
  })
  .meta({ id: 'DateAccuracy' });

const parameters = {
  ...QUESTION_PARAMETERS,
  ...STATION_PARAMETERS,
  include_preliminary: flag(
    false,
    'Include preliminary_pairs, which tells the days whose numbers may still change',
  ),
};

/** GET /api/v1/accuracy/by-date and /by-date/:station_id (section 4.1 of the interface, D11). */
export const byDate = defineEndpoint({
  paths: ['/accuracy/by-date', '/accuracy/by-date/:station_id'],
  operationId: 'getAccuracyByDate',
  summary: 'Accuracy by date',
  description:
    'One record per calendar day that has a pair, ascending; over all stations (station_id ALL) or of one.',
  parameters,
  check: checkWindow,
  record,
  many: true,
  csvRecord: ({ include_preliminary }) => (include_preliminary ? record : plainRecord),
  metadata: z.object({ ...COMMON_METADATA, total_records: TOTAL_RECORDS }),

  question: readQuestion,

  async answer(question, { include_preliminary }, store) {
    const rows = await store.query(byDateSql(question.scope), question.bindings, row);
    const { station_id, city_name } = question.station ?? { station_id: 'ALL', city_name: 'All stations' };
    return {
      data: rows.map((each) => ({
        date: each.date,
        station_id,
        city_name,
        stats: toStats(statisticsOf(each, 1)),
        sample_size: each.verification_pairs,
        ...(include_preliminary && { preliminary_pairs: each.preliminary_pairs }),
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
