import { z } from 'zod';
import { difference, exactTemperature, type Scale, SCALES, type Unit } from '../api/degrees.js';
import { leadTimeBucket } from './time/lead-time.js';

// Quantiles of forecast - actual over groups of pairs: how wide errors are, and to which side, and where.

const QUANTILES = { error_p05: 0.05, error_p25: 0.25, error_p50: 0.5, error_p75: 0.75, error_p95: 0.95 };

type QuantileName = keyof typeof QUANTILES;
const NAMES = Object.keys(QUANTILES) as QuantileName[];

/** What error-distribution groups the quantiles of forecast - actual by. */
export const GROUPINGS = ['lead_time_bucket', 'forecast'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/**
 * The quantiles of the errors of each group, type 7 (D8), over the rows of errorsOf(); as STATISTICS has them, negative
 * rows take exactly their pairs away.
 * @param errors of the ledger, or of what was known, where the groups are ranges of the forecast: histograms have none
 */
export const quantilesSql = (grouping: Grouping, errors: string, unit: Unit): string => `
  SELECT
    ${grouping === 'forecast' ? rangeOfForecast(SCALES[unit]) : grouping} AS group_key, sum(pair_count) AS group_pairs,
    quantilesExactWeightedInterpolated(${Object.values(QUANTILES).join(', ')})(
      error_hundredths, toUInt64(pair_count)
    ) AS error_quantiles
  FROM ${errors}
  GROUP BY group_key
  HAVING group_pairs != 0
  ORDER BY group_key`;

/** The first degree of the range of a forecast, rounded half up to whole degrees. It binds RANGE_PARAMETERS. */
const rangeOfForecast = ({ errors, widths, zero }: Scale): string => `toInt32(
      floor((
        floor(((toInt32(forecast * 100) - ${zero}) * ${errors} + ${50 * widths}) / ${100 * widths}) - {range_offset: Int32}
      ) / {range_width: Int32}) * {range_width: Int32} + {range_offset: Int32}
    )`;

/** A row of quantilesSql(): the bucket, or the first degree of the range; errors in hundredths of a °F. */
export const quantilesRow = z.object({
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

/** The field of an answer that a grouping asks for, °F. */
export function quantilesBy(
  grouping: Grouping,
  rows: readonly z.infer<typeof quantilesRow>[],
  range_width: number,
): object {
  const groups = rows.map(({ group_key, group_pairs, error_quantiles }) => ({
    ...(typeof group_key === 'number'
      ? { range_low_f: group_key, range_high_f: group_key + range_width }
      : { lead_time_bucket: group_key }),
    group_pairs,
    ...Object.fromEntries(NAMES.map((name, at) => [name, (error_quantiles[at] ?? NaN) / 100])),
  }));
  return grouping === 'forecast' ? { quantiles_by_forecast: groups } : { quantiles_by_lead_time: groups };
}
