import { foldedName } from '../../lib/text.js';
import type { StationFact } from '../../feeds/stations.js';
import type { Reason } from '../../feeds/values.js';

/** The stations of each alias, by the alias as requests compare it. */
export function findHolders(stations: Iterable<StationFact>): ReadonlyMap<string, readonly string[]> {
  const holders = new Map<string, string[]>();
  for (const { station_id, aliases, withdrawn } of stations) {
    if (withdrawn) continue;
    for (const alias of new Set(aliases.map(foldedName))) {
      const ids = holders.get(alias);
      if (ids === undefined) holders.set(alias, [station_id]);
      else ids.push(station_id);
    }
  }
  return holders;
}

/** A note where another station has an alias of this one: a request by it finds neither. */
export function aliasNote(
  { station_id, aliases, withdrawn }: StationFact,
  holders: ReturnType<typeof findHolders>,
): Reason | undefined {
  if (withdrawn) return undefined;
  for (const alias of aliases) {
    const others = (holders.get(foldedName(alias)) ?? []).filter((id) => id !== station_id);
    const [other] = others;
    if (other === undefined) continue;
    const more = others.length > 1 ? ` and ${others.length - 1} more` : '';
    return {
      reason: 'alias that another station has: requests must name the station otherwise',
      detail: `"${alias}" of ${station_id}, and of ${other}${more}`,
    };
  }
  return undefined;
}
