import { z } from 'zod';
import { daysWithPairs, perDay } from '../../statistics/by-day.js';
import { binLayout } from '../../statistics/error-bins.js';
import {
  type Grouping,
  GROUPINGS,
  QUANTILES_BY,
  quantilesBy,
  quantilesRow,
  quantilesSql,
} from '../../statistics/error-quantiles.js';
import { exactDifference, type Unit } from '../../api/degrees.js';
import { errorsOf, type Leads, type Source } from '../../relations/histograms.js';
import { type Scope } from '../../relations/station-days.js';
import { percentage, share } from '../../statistics/statistics.js';
import {
  allVerified,
  bindings,
  defineAccuracy,
  scopeOf,
  TOTAL_RECORDS,
  sourceOf,
} from '../../api/accuracy.js';
import { ownParameters } from '../../api/groups.js';
import { flag, RANGE_PARAMETERS, word } from '../../api/parameters.js';
import type { Sources } from '../../api/endpoint.js';
import { ALL_STATIONS, station } from '../../api/questions/stations.js';
import type { Station } from '../../stations/directory.js';

/** The pairs of each day, and those of each bin. */
export const errorDistributionSql = (bin: string, scope: Scope, source?: Source, leads?: Leads): string => `
  SELECT
    sum(pair_count) AS verification_pairs, sum(preliminary_pair_count) AS preliminary_pairs,
    ${perDay('pair_count')} AS pairs_by_day,
    sumResample(0, {bin_count: UInt32}, 1)(pair_count, toUInt32(${bin})) AS pairs_by_bin
  FROM ${errorsOf(scope, source, leads)}`;

const row = z.object({
  verification_pairs: z.number(),
  preliminary_pairs: z.number(),
  pairs_by_day: z.array(z.number()),
  pairs_by_bin: z.array(z.number()),
});

const record = z
  .object({
    station_id: z.string().meta({ description: 'ICAO identifier, or ALL', example: 'KORD' }),
    city_name: z.string().meta({ description: 'Display name, or All stations', example: 'Chicago' }),
    buckets: z
      .array(
        z.object({
          range: z.string().meta({ example: '0-1°F' }),
          count: z.int().min(0).meta({ description: 'Pairs in this range' }),
          pct: z.number().min(0).max(100).meta({ description: 'Percentage of all pairs, 0 to 100, to 0.01' }),
          share: z.number().min(0).max(1).meta({ description: 'Share of all pairs, 0 to 1, to 0.0001' }),
          from_f: exactDifference().meta({ description: 'Lower bound, °F, in the range' }),
          to_f: exactDifference()
            .nullable()
            .meta({ description: 'Upper bound, °F, not in it; null: there is none' }),
        }),
      )
      .meta({ description: 'Ascending, empty ones included; none without pairs' }),
    verification_pairs: z.int().min(0).meta({ description: 'Forecast-actual pairs' }),
    unique_days: z.int().min(0).meta({ description: 'Distinct calendar days with a pair' }),
    ...QUANTILES_BY,
  })
  .meta({ id: 'ErrorDistribution' });

const WIDTHS = ['0.5', '1', '2', '5'] as const;

/** GET /api/v1/accuracy/error-distribution (D33). */
export const errorDistribution = defineAccuracy({
  paths: ['/accuracy/error-distribution'],
  operationId: 'getErrorDistribution',
  summary: 'Distribution of errors',
  description:
    'How many pairs of a window, of the network or of one station, have an error of which size: five ranges of the absolute ' +
    'error and one for all beyond or, with signed=true, every range from the lowest to the highest error. A range has its ' +
    'lower bound and not its upper one.',
  groups: {
    station,
    own: ownParameters({
      bin_width: word(WIDTHS, 'Width of a range, °F, or °C with temp_unit=celsius').default('1'),
      group_by: word(
        GROUPINGS,
        'Add quantiles of forecast - actual by lead time, or by ranges of the forecast value; CSV has them in place of buckets',
      ).optional(),
      ...RANGE_PARAMETERS,
      signed: flag(false, 'Ranges of forecast - actual, the middle one around 0, instead of its size'),
    }),
  },
  record,
  many: false,
  asked: ({ own: { group_by } }) => ({
    buckets: group_by === undefined,
    quantiles_by_lead_time: group_by === 'lead_time_bucket',
    quantiles_by_forecast: group_by === 'forecast',
  }),
  metadata: { total_records: TOTAL_RECORDS },

  rewinds: () => true,

  async answer(question, { query }) {
    const { bin_width, signed } = question.own;
    const layout = binLayout(Number(bin_width) * 100, signed, question.unit);
    const [found] = await query(
      errorDistributionSql(layout.sql, scopeOf(question), sourceOf(question), question.leadTimes.leads),
      { ...bindings(question), ...layout.bindings },
      row,
    );
    const { station_id, city_name } = question.station ?? ALL_STATIONS;
    const total = found?.verification_pairs ?? 0;
    return {
      data: {
        station_id,
        city_name,
        buckets: layout.bins(found?.pairs_by_bin ?? []).map(({ from_f, to_f, range, count }) => ({
          range,
          count,
          pct: percentage(count, total),
          share: share(count, total),
          from_f,
          to_f,
        })),
        verification_pairs: total,
        unique_days: daysWithPairs(found?.pairs_by_day ?? []),
        ...(await quantiles(question, query)),
      },
      metadata: { total_records: total },
      verified: allVerified(found ? [found] : []),
    };
  },
});

type Asked = Parameters<typeof bindings>[0] & {
  station: Station | undefined;
  unit: Unit;
  own: { group_by?: Grouping | undefined; range_width: number; range_offset: number };
};

/** The quantiles that a question groups; nothing where it does not. */
async function quantiles(question: Asked, query: Sources['query']): Promise<object> {
  const { group_by, range_width, range_offset } = question.own;
  if (group_by === undefined) return {};
  const source = sourceOf(question);
  // Histograms hold errors, and no forecasts.
  const ofLedger = group_by === 'forecast' && source !== 'known';
  const errors = errorsOf(scopeOf(question), ofLedger ? 'ledger' : source, question.leadTimes.leads);
  const rows = await query(
    quantilesSql(group_by, errors, question.unit),
    { ...bindings(question), range_width, range_offset },
    quantilesRow,
    ofLedger ? 'long' : undefined,
  );
  return quantilesBy(group_by, rows, range_width);
}
