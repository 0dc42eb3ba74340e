// The odds of a day that has begun (D57), worked out a second time: fractions, and loops over all cases.

/** An earlier station day at the same hour, whole degrees; no gap without a forecast. */
export interface PlainCase {
  station: string;
  gap?: number;
  rise: number;
}

export type Fraction = readonly [numerator: bigint, denominator: bigint];

const plus = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d + c * b, b * d];
const times = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * c, b * d];
const whole = (number: number): Fraction => [BigInt(number), 1n];
const over = ([a, b]: Fraction, [c, d]: Fraction): Fraction => [a * d, b * c];

/** The whole number at a fraction or below it; denominators are positive. */
function floor([a, b]: Fraction): number {
  let quotient = a / b;
  while (quotient * b > a) quotient -= 1n;
  return Number(quotient);
}

export const cut = (gap: number, unit?: 'celsius'): number =>
  unit === 'celsius' ? Math.max(-7, Math.min(22, gap)) : Math.max(-12, Math.min(40, gap));

const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

/** Least squares through all cases, cut to 0 and 1. */
export function plainSlope(cases: readonly PlainCase[]): Fraction {
  const gaps = cases.map(({ gap = 0 }) => gap);
  const n = cases.length;
  const products = total(cases.map(({ gap = 0, rise }) => gap * rise));
  const numerator = n * products - total(gaps) * total(cases.map(({ rise }) => rise));
  const denominator = n * total(gaps.map((gap) => gap * gap)) - total(gaps) ** 2;
  if (denominator === 0 || numerator < 0) return [0n, 1n];
  return numerator > denominator ? [1n, 1n] : [BigInt(numerator), BigInt(denominator)];
}

/** The rise that a case would have had from a gap. */
export function plainEnd({ gap = 0, rise }: PlainCase, today: number, slope: Fraction): number {
  const moved = plus(plus(whole(rise), times(slope, whole(today - gap))), [1n, 2n]);
  return Math.max(Math.min(rise, 0), floor(moved));
}

/**
 * The probability that a rise from `from` to `to` is still to come.
 * @param gap of today; without a forecast, all cases count as if theirs were what had been measured
 * @param members of the partition; 0 for the shares of the cases alone
 */
export function plainChance(
  all: readonly PlainCase[],
  station: string,
  gap: number | undefined,
  [from, to]: readonly [from: number, to: number],
  members = 2,
  unit?: 'celsius',
): Fraction {
  const near = unit === 'celsius' ? 4 : 8;
  const cases =
    gap === undefined
      ? all.map((each) => ({ ...each, gap: 0 }))
      : all.filter((each) => each.gap !== undefined);
  const today = gap ?? 0;
  const slope = plainSlope(cases);
  const isInside = (each: PlainCase): boolean => {
    const end = plainEnd(each, today, slope);
    return from <= end && end <= to;
  };
  const weigh = (some: readonly PlainCase[]): Fraction => [
    BigInt(total(some.map((each) => Math.max(0, near - Math.abs((each.gap ?? 0) - today))))),
    BigInt(near),
  ];
  const more: Fraction = members === 0 ? whole(0) : [1n, BigInt(members)];
  const count = cases.filter(isInside).length;
  const ofAll = over(plus(whole(count), more), whole(cases.length + (members === 0 ? 0 : 1)));
  const beside = (some: readonly PlainCase[], weight: number, others: Fraction): Fraction =>
    over(plus(weigh(some.filter(isInside)), times(whole(weight), others)), plus(weigh(some), whole(weight)));
  const ofNetwork = beside(cases, 3, ofAll);
  return beside(
    cases.filter((each) => each.station === station),
    20,
    ofNetwork,
  );
}
