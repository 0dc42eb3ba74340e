import { z } from 'zod';
import { rounded } from '../statistics/statistics.js';
import type { Sources } from '../api/endpoint.js';
import { sourceState } from '../stations/source-state.js';
import { collectedStates } from '../stations/collected.js';

const { attribution, ...state } = sourceState.shape;

/** A public source, as of the last load of the collector. */
export const collectedSource = z
  .object({
    ...state,
    minutes_since_success: z.number().min(0).nullable().meta({ description: 'null if there was none' }),
    attribution,
  })
  .meta({ id: 'CollectedSource' });

/** The sources of the collector, in the order in which it asks them; none without a collector. */
export async function collectedSources({
  query,
  now,
}: Pick<Sources, 'query' | 'now'>): Promise<z.infer<typeof collectedSource>[]> {
  const states = await collectedStates({ query });
  return states.map(({ attribution, last_success_at, ...rest }) => ({
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
