import { CERTAIN } from '../brier.js';
import { sum } from '../statistics.js';

/** How many cases have which chance, in hundredths of a percent. */
export type ChanceCounts = ReadonlyMap<number, number>;

/** Arithmetic may leave a probability so far from a level of confidence that it is equal to. */
const TIE_MARGIN = 1e-9;

/**
 * Within which range the observed share lies at a level of confidence if the chances are reliable: the bar of Bröcker and Smith (2007,
 * Weather and Forecasting 22:651). They draw forecasts and outcomes at random; this takes the forecasts as they are (D77). So outcomes
 * of independent cases add up to a Poisson binomial distribution, and its quantiles are exact. Hong (2013, Computational Statistics and
 * Data Analysis 59:41) has the sum over `points` of the circle; beyond `reach` of the mean there is less than 1e-19 of it.
 * @returns shares of the cases; at least one case is needed
 */
export function computeConsistencyBar(counts: ChanceCounts, level: number): { low: number; high: number } {
  const groups = [...counts]
    .filter(([, cases]) => cases > 0)
    .map(([chance, n]) => [chance / CERTAIN, n] as const);
  const cases = sum(groups.map(([, n]) => n));
  const mean = sum(groups.map(([p, n]) => p * n));
  const reach = Math.ceil(10 * Math.sqrt(sum(groups.map(([p, n]) => p * (1 - p) * n))) + 31);
  const points = Math.min(cases + 1, 2 * reach + 1);
  const first = Math.max(0, Math.min(cases + 1 - points, Math.floor(mean) - reach));
  // The characteristic function at the points of one half of the circle; the other half mirrors it.
  const waves = Array.from({ length: points >> 1 }, (_, at) => {
    const angle = (2 * Math.PI * (at + 1)) / points;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    let [size, turn] = [0, 0];
    for (const [p, n] of groups) {
      size += (n * Math.log1p(-2 * p * (1 - p) * (1 - cos))) / 2;
      turn += n * Math.atan2(p * sin, 1 - p + p * cos);
    }
    const halves = 2 * (at + 1) < points ? 2 : 1;
    return { angle, turn, weight: (halves * Math.exp(size)) / (points * Math.sin(angle / 2)) };
  });
  /** The probability of at most so many outcomes. */
  const upTo = (max: number): number => {
    const length = max - first + 1;
    const middle = (first + max) / 2;
    return (
      length / points +
      sum(
        waves.map(
          ({ angle, turn, weight }) =>
            weight * Math.sin((angle * length) / 2) * Math.cos(turn - angle * middle),
        ),
      )
    );
  };
  const quantile = (probability: number): number => {
    let [below, found] = [first - 1, first + points - 1];
    while (found - below > 1) {
      const middle = (below + found) >> 1;
      if (upTo(middle) >= probability - TIE_MARGIN) found = middle;
      else below = middle;
    }
    return found / cases;
  };
  return { low: quantile((1 - level) / 2), high: quantile((1 + level) / 2) };
}
