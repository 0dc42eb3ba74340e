/** P(Z <= z) of the normal distribution, to 1.2e-7 of its value also far out (Press et al., Numerical Recipes, erfcc). */
export function normalCdf(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + 0.5 * x);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
    -0.82215223, 0.17087277,
  ];
  const half = 0.5 * t * Math.exp(terms.reduceRight((sum, term) => term + t * sum, 0) - x * x);
  return z < 0 ? half : 1 - half;
}

/** The z between whose two signs a normal value lies with a probability: 1.96 for 0.95. */
export function normalZ(level: number): number {
  let [below, above] = [0, 10];
  for (let step = 0; step < 60; step += 1) {
    const middle = (below + above) / 2;
    if (2 * normalCdf(middle) - 1 < level) below = middle;
    else above = middle;
  }
  return above;
}
