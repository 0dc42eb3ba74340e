import { z } from 'zod';
import { accuracyEndpoint } from '../../api/accuracy.js';
import { basisOfPairs, TOTAL_RECORDS } from '../../api/accuracy-metadata.js';
import { exactDifference, ofVariable, percentage, share } from '../../api/kinds.js';
import { count, numberOrNull, SAMPLE, STATION_OR_ALL } from '../../api/fields.js';
import { ownParameters } from '../../api/groups.js';
import { flag, word } from '../../api/parameters.js';
import { stationOrAll, stationsTogether } from '../../api/params/station-params.js';
import type { PairQuery } from '../../queries/conditions.js';
import { errors } from '../../queries/error-counts.js';
import { pairsByDay } from '../../queries/sums.js';
import { fromWhere } from '../../queries/relation.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { daysWithPairs } from '../../statistics/by-day.js';
import { type BinLayout, binLayout, CLOSED_BINS } from './error-bins.js';

/** The number of a row's bin, from 0. */
function binExpression({ signed, scale, bin_width, middle }: BinLayout): Statement {
  const [width, size] = [bind({ bin_width }, 'Int32'), raw(`${scale}`)];
  if (!signed) return sql`least(${raw(`${CLOSED_BINS}`)}, intDiv(abs(error_hundredths) * ${size}, ${width}))`;
  return sql`intDiv(error_hundredths * ${size} + ${raw(`${middle * bin_width}`)} + intDiv(${width}, 2), ${width})`;
}

/** The pairs of each day, and those of each bin. */
const binned = (params: PairQuery, layout: BinLayout) => sql.rows(row)`
  SELECT
    sum(pair_count) AS verification_pairs, sum(preliminary_pair_count) AS preliminary_pairs,
    ${pairsByDay(params.window)} AS pairs_by_day,
    sumResample(0, ${bind({ bin_count: layout.bin_count }, 'UInt32')}, 1)(pair_count, toUInt32(${binExpression(layout)})) AS pairs_by_bin
  ${fromWhere(errors(params))}`;

const row = z.object({
  verification_pairs: z.number(),
  preliminary_pairs: z.number(),
  pairs_by_day: z.array(z.number()),
  pairs_by_bin: z.array(z.number()),
});

const record = z
  .object({
    ...STATION_OR_ALL,
    buckets: z
      .array(
        z.object({
          range: z.string().meta({ example: '0-1°F' }),
          count: count('Pairs in this range'),
          pct: percentage().meta({ description: 'Percentage of all pairs, 0 to 100, to 0.01' }),
          share: share().meta({ description: 'Share of all pairs, 0 to 1, to 0.0001' }),
          from: ofVariable(exactDifference()).meta({ description: 'Lower bound, °F, in the range' }),
          to: numberOrNull('Upper bound, °F, not in it; null: the range has no upper bound', () =>
            ofVariable(exactDifference()),
          ),
        }),
      )
      .meta({ description: 'Ascending, empty ones included; none without pairs' }),
    ...SAMPLE,
  })
  .meta({ id: 'ErrorDistribution' });

const WIDTHS = ['0.5', '1', '2', '5'] as const;

/** GET /api/v1/accuracy/error-distribution. */
export const errorDistribution = accuracyEndpoint({
  paths: ['/accuracy/error-distribution'],
  operationId: 'getErrorDistribution',
  summary: 'Distribution of errors',
  description:
    'How the errors in a window are distributed, for the network or one station: five ranges of the absolute error ' +
    'and one for all beyond or, with signed=true, every range from the lowest to the highest error. A range ' +
    'includes its lower bound, not its upper one.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: {
    station: stationsTogether,
    own: ownParameters({
      bin_width: word(WIDTHS, 'Width of a range, °F, or °C with temp_unit=celsius').default('1'),
      signed: flag(
        false,
        'Ranges of forecast - actual, the middle one around 0, instead of the absolute error',
      ),
    }),
  },
  record,
  isSingle: true,
  totalRecords: TOTAL_RECORDS,

  recompute: {
    sql: new URL('error-distribution.recompute.sql', import.meta.url),
    values: ({ own }) => ({ width: 100 * Number(own.bin_width), signed: own.signed }),
  },

  async handle(params, { query }) {
    const { bin_width, signed } = params.own;
    const layout = binLayout(Number(bin_width) * 100, signed, params.unit, params.metric);
    const [found] = await query(binned(params, layout));
    const { station_id, city_name } = stationOrAll(params.station);
    const total = found?.verification_pairs ?? 0;
    return {
      data: {
        station_id,
        city_name,
        buckets: layout.bins(found?.pairs_by_bin ?? []).map(({ from, to, range, count }) => ({
          range,
          count,
          pct: (100 * count) / total,
          share: count / total,
          from,
          to,
        })),
        verification_pairs: total,
        unique_days: daysWithPairs(found?.pairs_by_day ?? []),
      },
      basis: basisOfPairs(found ? [found] : []),
    };
  },
});
