import { type IssuanceQuery, issuancesSql } from '../queries/issuances.js';
import type { Provider } from '../stations/provider-choice.js';
import type { IssuedHours, Stations } from '../queries/conditions.js';
import type { AsOf } from '../stations/versions.js';
import type { RowOf } from '../queries/sql.js';
import { sum } from '../statistics/statistics.js';
import type { Sources } from './endpoint.js';

/** The parameters of a request about issuances. */
interface Request {
  station?: Stations;
  provider: Provider;
  asOf?: AsOf | undefined;
  issuedHours?: IssuedHours;
}

/** The issuances of each station that a request is about, and how many they are together. */
export async function readIssuances(
  { station, provider, asOf, issuedHours }: Request,
  which: Pick<IssuanceQuery, 'metrics' | 'first_ms' | 'last_ms'>,
  { query }: Pick<Sources, 'query'>,
): Promise<{ rows: RowOf<typeof issuancesSql>[]; total_records: number }> {
  const rows = await query(
    issuancesSql({
      ...which,
      provider: provider.name,
      stations: station,
      version: asOf?.version,
      issuedHours,
    }),
    'long',
  );
  return { rows, total_records: sum(rows.map(({ issuances }) => issuances)) };
}
