import { z } from 'zod';
import { rounded } from '../statistics/statistics.js';
import type { Sources } from '../api/endpoint.js';
import { collectedState, collectedStates } from '../stations/collected.js';

/** A public source, as of the last load of the collector. */
export const collectedSource = collectedState
  .extend({
    minutes_since_success: z.number().min(0).nullable().meta({ description: 'null if there was none' }),
    attribution: z
      .string()
      .nullable()
      .meta({ description: 'Who must be named where the data are shown, and under which terms' }),
  })
  .meta({ id: 'CollectedSource' });

/** The sources of the collector, in the order in which it asks them; none without a collector. */
export async function collectedSources({
  query,
  now,
}: Pick<Sources, 'query' | 'now'>): Promise<z.infer<typeof collectedSource>[]> {
  const states = await collectedStates({ query });
  return states.map(({ attribution = null, last_success_at, ...rest }) => ({
    ...rest,
    last_success_at,
    // The clocks of the collector and of this process may differ.
    minutes_since_success:
      last_success_at === null
        ? null
        : rounded(Math.max(0, now.getTime() - Date.parse(last_success_at)) / 60_000),
    attribution,
  }));
}
