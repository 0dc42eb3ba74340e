import { z } from 'zod';
import { count } from './fields.js';
import { share } from '../statistics/statistics.js';

/** How far the observations behind an answer are final (D6), for its metadata. */
export const verificationCoverage = z
  .object({
    verified_days: count('Days on which all pairs rest on verified observations'),
    preliminary_days: count('Days with a pair that rests on a preliminary one'),
    verified_pct: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Verified share of the days, to 0.0001; null without days' }),
  })
  .meta({
    id: 'VerificationCoverage',
    description: 'How far the numbers are final; they are without preliminary days',
  });

export function coverageOf(days: number, preliminary_days: number): z.infer<typeof verificationCoverage> {
  const verified_days = days - preliminary_days;
  return { verified_days, preliminary_days, verified_pct: share(verified_days, days) };
}
