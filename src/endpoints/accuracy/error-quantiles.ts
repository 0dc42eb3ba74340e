import { z } from 'zod';
import { difference, exactTemperature } from '../../api/degrees.js';
import type { Sources } from '../../api/endpoint.js';
import type { RowsQuestion } from '../../relations/conditions.js';
import { errors, errorsOfPairs } from '../../relations/errors.js';
import { bind, raw, sql, type Statement } from '../../sql.js';
import { leadTimeBucket } from '../../statistics/time/lead-time.js';
import { type Scale, SCALES, type Unit } from '../../statistics/units.js';

// Quantiles of forecast - actual over groups of pairs: how wide errors are, and to which side, and where.

const QUANTILES = { error_p05: 0.05, error_p25: 0.25, error_p50: 0.5, error_p75: 0.75, error_p95: 0.95 };

type QuantileName = keyof typeof QUANTILES;
const NAMES = Object.keys(QUANTILES) as QuantileName[];

/** What error-distribution groups the quantiles of forecast - actual by. */
export const GROUPINGS = ['lead_time_bucket', 'forecast'] as const;
export type Grouping = (typeof GROUPINGS)[number];

type QuantilesQuestion = RowsQuestion & { unit: Unit };

/** How an answer groups them. */
interface GroupedBy {
  group_by?: Grouping | undefined;
  range_width: number;
  range_offset: number;
}

/**
 * The quantiles of the errors of each group, type 7 (D8); as in STATISTICS, negative rows take exactly their pairs away.
 * Histograms hold errors, and no forecasts.
 */
export const quantilesOfErrors = (
  question: QuantilesQuestion,
  grouping: Grouping,
  by: GroupedBy,
): Statement => sql`
  SELECT
    ${grouping === 'forecast' ? rangeOfForecast(SCALES[question.unit], by) : raw(grouping)} AS group_key,
    sum(pair_count) AS group_pairs,
    quantilesExactWeightedInterpolated(${raw(Object.values(QUANTILES).join(', '))})(
      error_hundredths, toUInt64(pair_count)
    ) AS error_quantiles
  FROM ${grouping === 'forecast' ? errorsOfPairs(question) : errors(question)}
  GROUP BY group_key
  HAVING group_pairs != 0
  ORDER BY group_key`;

/** The first degree of the range of a forecast, rounded half up to whole degrees. */
function rangeOfForecast(
  { errors: scale, widths, zero }: Scale,
  { range_width, range_offset }: GroupedBy,
): Statement {
  const [width, offset] = [bind({ range_width }, 'Int32'), bind({ range_offset }, 'Int32')];
  const degree = raw(
    `floor(((toInt32(forecast * 100) - ${zero}) * ${scale} + ${50 * widths}) / ${100 * widths})`,
  );
  return sql`toInt32(floor((${degree} - ${offset}) / ${width}) * ${width} + ${offset})`;
}

/** A row of quantilesOf(): the bucket, or the first degree of the range; errors in hundredths of a °F. */
const quantilesRow = z.object({
  group_key: z.union([leadTimeBucket, z.number()]),
  group_pairs: z.number(),
  error_quantiles: z.array(z.number()),
});

const QUANTILE_FIELDS = {
  group_pairs: z.int().min(1).meta({ description: 'Pairs of the group' }),
  ...(Object.fromEntries(
    NAMES.map((name) => [
      name,
      difference().meta({ description: `${name.slice(-2)}th percentile of forecast - actual, °F` }),
    ]),
  ) as Record<QuantileName, ReturnType<typeof difference>>),
};

/** The groups of an answer, by grouping: fields of error-distribution. */
export const QUANTILES_BY = {
  quantiles_by_lead_time: z
    .array(z.object({ lead_time_bucket: leadTimeBucket, ...QUANTILE_FIELDS }))
    .optional()
    .meta({
      description: 'With group_by=lead_time_bucket: quantiles of forecast - actual; no group without pairs',
    }),
  quantiles_by_forecast: z
    .array(
      z.object({
        range_low_f: exactTemperature().meta({ description: 'First whole degree of the forecast, °F' }),
        range_high_f: exactTemperature().meta({ description: 'The first degree above the range, °F' }),
        ...QUANTILE_FIELDS,
      }),
    )
    .optional()
    .meta({
      description:
        'With group_by=forecast: the same by ranges of the forecast, rounded half up to whole degrees',
    }),
};

/** The field of an answer that a grouping asks for, °F; nothing without one. */
export async function errorQuantiles(
  question: QuantilesQuestion,
  by: GroupedBy,
  query: Sources['query'],
): Promise<object> {
  const { group_by } = by;
  if (group_by === undefined) return {};
  const ofLedger = group_by === 'forecast' && question.knownAt === undefined;
  const rows = await query(
    quantilesOfErrors(question, group_by, by),
    quantilesRow,
    ofLedger ? 'long' : undefined,
  );
  const groups = rows.map(({ group_key, group_pairs, error_quantiles }) => ({
    ...(typeof group_key === 'number'
      ? { range_low_f: group_key, range_high_f: group_key + by.range_width }
      : { lead_time_bucket: group_key }),
    group_pairs,
    ...Object.fromEntries(NAMES.map((name, at) => [name, (error_quantiles[at] ?? NaN) / 100])),
  }));
  return group_by === 'forecast' ? { quantiles_by_forecast: groups } : { quantiles_by_lead_time: groups };
}
