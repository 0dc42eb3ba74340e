// A quotient of polynomials (Hart 1968, Computer Approximations, as printed by West 2005, Wilmott Magazine, May).
const ABOVE = [
  3.52624965998911e-2, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871,
  221.213596169931, 220.206867912376,
];
const BELOW = [
  8.83883476483184e-2, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674,
  637.333633378831, 793.826512519948, 440.413735824752,
];
const horner = (coefficients: readonly number[], x: number): number =>
  coefficients.reduce((sum, each) => sum * x + each, 0);

/** P(Z <= z) of the normal distribution, to 1e-15: another good one gives the same digits of a response (docs/probability.md, Ties). */
export function normalCdf(z: number): number {
  const x = Math.abs(z);
  const density = Math.exp((-x * x) / 2);
  const tail =
    x < 7
      ? (density * horner(ABOVE, x)) / horner(BELOW, x)
      : density / (x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))))) / Math.sqrt(2 * Math.PI);
  return z < 0 ? tail : 1 - tail;
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
