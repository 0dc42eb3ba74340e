/** P(|T| <= t) for Student's t: a finite sum for whole degrees of freedom (Abramowitz and Stegun 26.7.3 and 26.7.4). */
function central(t: number, degreesOfFreedom: number): number {
  const angle = Math.atan(t / Math.sqrt(degreesOfFreedom));
  const cosine = Math.cos(angle);
  const isOdd = degreesOfFreedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let series = degreesOfFreedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k < degreesOfFreedom; k += 2) {
    term *= ((k - 1) / k) * cosine ** 2;
    series += term;
  }
  const tail = Math.sin(angle) * series;
  return isOdd ? (2 / Math.PI) * (angle + tail) : tail;
}

/** P(|T| > t) for Student's t with whole degrees of freedom: the two-sided p of a statistic. */
export function twoSidedP(t: number, degreesOfFreedom: number): number {
  return Math.max(0, 1 - central(Math.abs(t), degreesOfFreedom));
}

const known = new Map<string, number>();

/** The t between whose two signs Student's t lies with a probability: 4.3027 for 0.95 and 2 degrees of freedom. */
export function studentT(level: number, degreesOfFreedom: number): number {
  const key = `${level} ${degreesOfFreedom}`;
  let found = known.get(key);
  if (found === undefined) {
    let [below, above] = [0, 1e4];
    while (above - below > 1e-12 * above) {
      const middle = (below + above) / 2;
      if (central(middle, degreesOfFreedom) < level) below = middle;
      else above = middle;
    }
    known.set(key, (found = above));
  }
  return found;
}
