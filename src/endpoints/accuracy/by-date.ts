import { z } from 'zod';
import { errorsOf, type Leads, type Scope, type Source } from '../../accuracy/histograms.js';
import { STATISTICS, stats, statisticsOf, statisticsRow, toStats } from '../../accuracy/statistics.js';
import { ownParameters } from '../../api/groups.js';
import { flag } from '../../api/parameters.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  scopeOf,
  sourceOf,
  TOTAL_RECORDS,
  totalPairs,
} from '../../api/accuracy.js';
import { ALL_STATIONS, station } from '../../api/stations.js';

export const byDateSql = (scope: Scope, source?: Source, leads?: Leads): string => `
  SELECT target_date AS date, ${STATISTICS}
  FROM ${errorsOf(scope, source, leads)}
  GROUP BY target_date
  HAVING verification_pairs != 0
  ORDER BY target_date`;

const row = statisticsRow.extend({ date: z.string() });

const record = z
  .object({
    date: z.iso.date(),
    station_id: z.string().meta({ description: 'ICAO identifier, or ALL', example: 'KORD' }),
    city_name: z.string().meta({ description: 'Display name, or All stations', example: 'Chicago' }),
    stats,
    sample_size: z.int().min(1).meta({ description: 'Verification pairs of this date' }),
    preliminary_pairs: z.int().min(0).optional().meta({
      description: 'With include_preliminary=true: those of them that rest on a preliminary observation',
    }),
  })
  .meta({ id: 'DateAccuracy' });

/** GET /api/v1/accuracy/by-date and /by-date/:station_id (section 4.1 of the interface, D11). */
export const byDate = defineAccuracy({
  paths: ['/accuracy/by-date', '/accuracy/by-date/:station_id'],
  operationId: 'getAccuracyByDate',
  summary: 'Accuracy by date',
  description:
    'One record per calendar day that has a pair, ascending; over all stations (station_id ALL) or of one.',
  groups: {
    station,
    own: ownParameters({
      include_preliminary: flag(
        false,
        'Include preliminary_pairs; the numbers of days that have any may still change',
      ),
    }),
  },
  record,
  many: true,
  asked: ({ own }) => ({ preliminary_pairs: own.include_preliminary }),
  metadata: { total_records: TOTAL_RECORDS },

  async answer(question, { query }) {
    const rows = await query(
      byDateSql(scopeOf(question), sourceOf(question), question.leadTimes.leads),
      bindings(question),
      row,
    );
    const { station_id, city_name } = question.station ?? ALL_STATIONS;
    return {
      data: rows.map((each) => ({
        date: each.date,
        station_id,
        city_name,
        stats: toStats(statisticsOf(each, 1)),
        sample_size: each.verification_pairs,
        ...(question.own.include_preliminary && { preliminary_pairs: each.preliminary_pairs }),
      })),
      metadata: { total_records: totalPairs(rows) },
      verified: allVerified(rows),
    };
  },
});
