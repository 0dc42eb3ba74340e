// Where an observation lies in a distribution, by docs/probability.md (Ties) alone. It shares no code with src/.

/** Standard normal quantiles of the levels of a feed, from a table. */
export const Z: Readonly<Record<number, number>> = {
  ...{ 5: -1.644854, 10: -1.281552, 20: -0.841621, 25: -0.67449, 30: -0.524401, 40: -0.253347, 50: 0 },
  ...{ 60: 0.253347, 70: 0.524401, 75: 0.67449, 80: 0.841621, 90: 1.281552, 95: 1.644854 },
};

/** The standard normal distribution function, by the series of Marsaglia 2004 (J. Stat. Softw. 11:4). */
function phi(z: number): number {
  if (Math.abs(z) > 8) return z < 0 ? 0 : 1;
  let [sum, term] = [z, z];
  for (let k = 3; Math.abs(term) > 1e-18; k += 2) sum += term *= z ** 2 / k;
  return 0.5 + (sum * Math.exp(-(z ** 2) / 2)) / Math.sqrt(2 * Math.PI);
}

/** A distribution, temperatures in hundredths of a °F. */
export interface Quantiles {
  levels: readonly number[];
  quantiles: readonly number[];
  /** From the lowest to the highest, not rounded. */
  width: number;
}

/** The rows of the table of cases. */
export type TieCase = 'none' | 'several' | 'alone' | 'cell' | 'cut' | 'levels';

export interface Place {
  of: TieCase;
  /** %, in increasing order; equal without a tie. */
  from: number;
  to: number;
  /** As how much the observation counts as below each quantile. */
  below: number[];
}

const degreeOf = (actual: number): number =>
  actual % 100 === 0 ? 100 : (actual - 3200) % 180 === 0 ? 180 : 18;

/** Between which percentages an observation lies, and in which case of the table. */
function findRange({ levels, quantiles, width }: Quantiles, actual: number): Omit<Place, 'below'> {
  const i = quantiles.filter((each) => each < actual).length;
  const k = quantiles.filter((each) => each === actual).length;
  const [from, to] = [levels[i - 1] ?? 0, levels[i + k] ?? 100];
  if (k === 0) return { of: 'none', from, to };
  if (k > 1) return { of: 'several', from, to };
  if (levels.length === 1) return { of: 'alone', from, to };
  const z = Z[levels[i]!]!;
  const h = (degreeOf(actual) * (Z[levels.at(-1)!]! - Z[levels[0]!]!)) / (2 * width);
  const cell = [100 * phi(z - h), 100 * phi(z + h)] as const;
  if (to - from < 2 * (cell[1] - cell[0])) return { of: 'levels', from, to };
  const isCut = cell[0] < from || cell[1] > to;
  return { of: isCut ? 'cut' : 'cell', from: Math.max(from, cell[0]), to: Math.min(to, cell[1]) };
}

/** The place of an observation, hundredths of a °F. */
export function findPlace(distribution: Quantiles, actual: number): Place {
  const range = findRange(distribution, actual);
  const { levels, quantiles } = distribution;
  const below = quantiles.map((each, j) =>
    each < actual ? 0 : each > actual ? 1 : (levels[j]! - range.from) / (range.to - range.from),
  );
  return { ...range, below };
}
