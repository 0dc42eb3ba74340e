import { z } from 'zod';
import { difference, exactTemperature, type Unit } from './degrees.js';
import { leadTimeBucket } from './time/lead-time.js';

// Errors in bins of one width, each with its lower bound and without its upper one. Widths and bounds are in hundredths of
// the degrees of the question; the errors of the histograms in hundredths of a °F, which are 5/9 of a °C.

interface Scale {
  letter: 'F' | 'C';
  /** Whole numbers of one size: an error of the histograms, and a width, times these. */
  errors: number;
  widths: number;
  /** Where its scale of temperatures begins, hundredths of a °F. */
  zero: number;
}

const SCALES: Record<Unit, Scale> = {
  fahrenheit: { letter: 'F', errors: 1, widths: 1, zero: 0 },
  celsius: { letter: 'C', errors: 5, widths: 9, zero: 3200 },
};

/** Bins of the absolute error before the open one. */
const CLOSED_BINS = 5;

/** The largest error: -150 to 150 °F may be forecast, and observed (D25). */
const LARGEST_ERROR = 30_000;

/** A bin, and the number of pairs in it. */
export interface ErrorBin {
  range: string;
  from_f: number;
  /** null for the open one. */
  to_f: number | null;
  count: number;
}

/** How errors fall into bins. */
export interface BinLayout {
  /** The number of a row's bin, from 0, as SQL over the rows of errorsOf(). */
  sql: string;
  /** The values that it binds, and the number of bins, `bin_count`. */
  bindings: { bin_width: number; bin_count: number };
  /** The bins of an answer, by the number of pairs of every bin: none without pairs. */
  bins(pairsByBin: readonly number[]): ErrorBin[];
}

/**
 * @param width in hundredths of the unit
 * @param signed bins of the error, the middle one around 0; otherwise of its size
 */
export function binLayout(width: number, signed: boolean, unit: Unit = 'fahrenheit'): BinLayout {
  return signed ? signedBins(width, SCALES[unit]) : sizeBins(width, SCALES[unit]);
}

/** Five bins of the absolute error, and one for all beyond. */
function sizeBins(width: number, { letter, errors, widths }: Scale): BinLayout {
  return {
    sql: `least(${CLOSED_BINS}, intDiv(abs(error_hundredths) * ${errors}, {bin_width: Int32}))`,
    bindings: { bin_width: width * widths, bin_count: CLOSED_BINS + 1 },
    bins(pairsByBin) {
      if (pairsByBin.every((count) => count === 0)) return [];
      return pairsByBin.map((count, bin) => {
        const from_f = (bin * width) / 100;
        const to_f = bin < CLOSED_BINS ? ((bin + 1) * width) / 100 : null;
        return {
          range: to_f === null ? `${from_f}+°${letter}` : `${from_f}-${to_f}°${letter}`,
          from_f,
          to_f,
          count,
        };
      });
    },
  };
}

/** Every bin from the one of the lowest error to that of the highest. */
function signedBins(width: number, { letter, errors, widths }: Scale): BinLayout {
  const bin_width = width * widths;
  const middle = Math.ceil((LARGEST_ERROR * errors) / bin_width);
  return {
    sql: `intDiv(
      error_hundredths * ${errors} + ${middle * bin_width} + intDiv({bin_width: Int32}, 2), {bin_width: Int32}
    )`,
    bindings: { bin_width, bin_count: 2 * middle + 1 },
    bins(pairsByBin) {
      const first = pairsByBin.findIndex((count) => count !== 0);
      if (first === -1) return [];
      const last = pairsByBin.findLastIndex((count) => count !== 0);
      return pairsByBin.slice(first, last + 1).map((count, at) => {
        const from_f = ((first + at - middle) * width - width / 2) / 100;
        const to_f = from_f + width / 100;
        return { range: `${from_f} to ${to_f}°${letter}`, from_f, to_f, count };
      });
    },
  };
}

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

const QUANTILE_ROW = { group_pairs: z.number(), error_quantiles: z.array(z.number()) };
export const quantilesRow = {
  lead_time_bucket: z.object({ group_key: leadTimeBucket, ...QUANTILE_ROW }),
  forecast: z.object({ group_key: z.number(), ...QUANTILE_ROW }),
};

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

/** The fields of a group, °F. */
export function quantilesOf({
  group_pairs,
  error_quantiles,
}: {
  group_pairs: number;
  error_quantiles: number[];
}) {
  const quantiles = NAMES.map((name, at) => [name, (error_quantiles[at] ?? NaN) / 100]);
  return { group_pairs, ...(Object.fromEntries(quantiles) as Record<QuantileName, number>) };
}
