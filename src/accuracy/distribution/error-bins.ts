import type { Scale } from '../../variables/declarations.js';
import { getScale, getUnitText, type Unit } from '../../variables/units.js';
import { getDerivation, type VariableName } from '../../variables/variables.js';

// Errors in bins of one width, each with its lower bound and without its upper one. Widths and bounds are in hundredths of
// the degrees of the request; the errors of the histograms in hundredths of a °F, which are 5/9 of a °C.

/** Bins of the absolute error before the open one. */
export const CLOSED_BINS = 5;

/** The largest error of a variable that feeds have; what follows from two of them may err by twice as much. */
const LARGEST_ERROR = 30_000;

type NamedScale = Pick<Scale, 'times' | 'over'> & { text: string; largest: number };

/** A bin, and the number of pairs in it. */
export interface ErrorBin {
  range: string;
  from: number;
  /** null for the open one. */
  to: number | null;
  count: number;
}

/** How errors fall into bins of a width: all in 5/9 of a hundredth of a °F, if the unit is °C. */
export interface BinLayout {
  signed: boolean;
  /** How many of these a hundredth of a °F is. */
  scale: number;
  bin_width: number;
  bin_count: number;
  /** The number of the bin of errors from 0 on; of signed ones, of those around 0. */
  middle: number;
  /** The bins of a response, by the number of pairs of every bin: none without pairs. */
  bins(pairsByBin: readonly number[]): ErrorBin[];
}

/**
 * @param width in hundredths of the unit
 * @param signed bins of the error, the middle one around 0; otherwise of its size
 */
export function binLayout(
  width: number,
  signed: boolean,
  unit: Unit = 'fahrenheit',
  metric: VariableName = 'high',
): BinLayout {
  const scale = {
    ...getScale(unit, metric),
    text: getUnitText(metric, unit),
    largest: LARGEST_ERROR * (getDerivation(metric) === undefined ? 1 : 2),
  };
  return signed ? signedBins(width, scale) : sizeBins(width, scale);
}

/** Five bins of the absolute error, and one for all beyond. */
function sizeBins(width: number, { text, times, over }: NamedScale): BinLayout {
  return {
    signed: false,
    scale: over,
    bin_width: width * times,
    bin_count: CLOSED_BINS + 1,
    middle: 0,
    bins(pairsByBin) {
      if (pairsByBin.every((count) => count === 0)) return [];
      return pairsByBin.map((count, bin) => {
        const from = (bin * width) / 100;
        const to = bin < CLOSED_BINS ? ((bin + 1) * width) / 100 : null;
        return {
          range: to === null ? `${from}+${text}` : `${from}-${to}${text}`,
          from,
          to,
          count,
        };
      });
    },
  };
}

/** Every bin from the one of the lowest error to that of the highest. */
function signedBins(width: number, { text, largest, times, over }: NamedScale): BinLayout {
  const bin_width = width * times;
  const middle = Math.ceil((largest * over) / bin_width);
  return {
    signed: true,
    scale: over,
    bin_width,
    bin_count: 2 * middle + 1,
    middle,
    bins(pairsByBin) {
      const first = pairsByBin.findIndex((count) => count !== 0);
      if (first === -1) return [];
      const last = pairsByBin.findLastIndex((count) => count !== 0);
      return pairsByBin.slice(first, last + 1).map((count, at) => {
        const from = ((first + at - middle) * width - width / 2) / 100;
        const to = from + width / 100;
        return { range: `${from} to ${to}${text}`, from, to, count };
      });
    },
  };
}
