import type { z } from 'zod';
import { issuancesRow, issuancesSql } from '../accuracy/issuances.js';
import type { Bindings } from '../accuracy/histograms.js';
import type { Provider } from '../stations/providers.js';
import type { Station } from '../stations/directory.js';
import { eachOf } from './accuracy.js';
import type { Sources } from './endpoint.js';
import type { Metric } from './questions/common.js';

/**
 * The issuances of each station that a question is about, and how many they are together.
 * @param between what issuedBetween() gives
 */
export async function issuancesOf(
  { station, provider }: { station?: readonly Station[] | undefined; provider: Provider },
  metrics: readonly Metric[],
  between: Bindings,
  { query }: Pick<Sources, 'query'>,
): Promise<{ rows: z.infer<typeof issuancesRow>[]; total_records: number }> {
  const rows = await query(
    issuancesSql(eachOf({ station })),
    {
      ...between,
      metrics,
      provider: provider.name,
      station_ids: (station ?? []).map(({ station_id }) => station_id),
    },
    issuancesRow,
    'long',
  );
  return { rows, total_records: rows.reduce((total, { issuances }) => total + issuances, 0) };
}
