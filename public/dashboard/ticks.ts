/** Round numbers between two, at most so many. */
export function makeTicks(low: number, high: number, max: number): number[] {
  const min = (high - low) / max;
  const power = 10 ** Math.floor(Math.log10(min));
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= min * 0.999) ?? 10) * power;
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_each, index) => (first + index) * step);
}
