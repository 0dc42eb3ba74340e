import type { z } from 'zod';
import { type IssuancesQuestion, issuancesRow, issuancesSql } from '../relations/issuances.js';
import type { Provider } from '../stations/providers.js';
import type { Station } from '../stations/directory.js';
import type { AsOf } from '../stations/versions.js';
import type { Sources } from './endpoint.js';

/** What the parameters of a request say of issuances. */
interface Request {
  station?: readonly Station[] | undefined;
  provider: Provider;
  asOf?: AsOf | undefined;
}

/** The issuances of each station that a request is about, and how many they are together. */
export async function issuancesOf(
  { station, provider, asOf }: Request,
  which: Pick<IssuancesQuestion, 'metrics' | 'first_ms' | 'last_ms'>,
  { query }: Pick<Sources, 'query'>,
): Promise<{ rows: z.infer<typeof issuancesRow>[]; total_records: number }> {
  const station_ids = station?.map(({ station_id }) => station_id);
  const rows = await query(
    issuancesSql({ ...which, provider: provider.name, station_ids, version: asOf?.version }),
    issuancesRow,
    'long',
  );
  return { rows, total_records: rows.reduce((total, { issuances }) => total + issuances, 0) };
}
