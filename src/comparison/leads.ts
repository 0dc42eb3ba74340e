import { rounded } from '../statistics/statistics.js';

// Forecasts of unequal age: a younger one is better without more skill.

/** Mean leads that differ by so much make a difference of their own, hours. */
const UNEQUAL_LEADS = 3;

/**
 * Says which of two has older forecasts, so that part of the difference is age; null where mean leads are about equal.
 * @param means the provider's mean lead and the reference's, hours; null without cases
 */
export function hintOfLeads(
  provider: string,
  reference: string,
  ...means: [own: number | null, other: number | null]
): string | null {
  const [own = null, other = null] = means.map((each) => rounded(each)); // as they are shown
  if (own === null || other === null || rounded(Math.abs(own - other)) < UNEQUAL_LEADS) return null;
  const older = own > other ? provider : reference;
  return (
    `On average ${provider} was issued ${own.toFixed(1)} h before the day, ${reference} ${other.toFixed(1)} h: ` +
    `part of the difference is that forecasts of ${older} are older, not worse`
  );
}
