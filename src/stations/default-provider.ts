import { z } from 'zod';
import { UNNAMED_PROVIDER } from '../accuracy/provider.js';
import type { Store } from '../store/store.js';

/**
 * The provider that answers where a request names none (D27): that of the first finished load that brought forecasts,
 * so it does not change as others are added. Of several that one load brought, `default` comes first, then the first
 * by name. The setting DEFAULT_PROVIDER comes before this.
 * @throws what the store throws
 */
export async function defaultProvider(store: Pick<Store, 'query'>): Promise<string> {
  const [found] = await store.query(
    `SELECT if(has(forecast_providers, '${UNNAMED_PROVIDER}'), '${UNNAMED_PROVIDER}', forecast_providers[1]) AS provider
    FROM loads
    WHERE event = 'finished' AND notEmpty(forecast_providers)
    ORDER BY load_id
    LIMIT 1`,
    {},
    z.object({ provider: z.string() }),
  );
  return found?.provider ?? UNNAMED_PROVIDER;
}
