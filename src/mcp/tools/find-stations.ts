import type { ApiResponse } from '../../responses/local-client.js';
import { integer } from '../../api/parameters.js';
import { nearest } from '../../lib/nearest.js';
import { foldedName } from '../../lib/text.js';
import { limit, own, REGION } from '../tool-parameters.js';
import { makeRequest, same, type Tool } from '../tool.js';
import { z } from 'zod';

const MAX_ALIASES = 5;
const MAX_NAMES = 3;

interface ListedStation {
  station_id: string;
  city_name: string;
  country: string;
  climate_zone: string;
  timezone: string;
  data_active: boolean;
  aliases: string[];
  external_ids: { iata: string };
  reported_in: string;
  /** With near. */
  distance_km?: number;
}

const namesOfStation = ({ station_id, city_name, aliases, external_ids }: ListedStation): string[] =>
  [station_id, external_ids.iata, city_name, ...aliases].filter((name) => name !== '');

/** How well a station fits: 0 a whole name, 1 the beginning of one, 2 a part; undefined for none. */
function scoreMatch(station: ListedStation, wanted: string): number | undefined {
  const names = namesOfStation(station).map(foldedName);
  if (names.includes(wanted)) return 0;
  if (names.some((name) => name.startsWith(wanted))) return 1;
  return names.some((name) => name.includes(wanted)) ? 2 : undefined;
}

export const findStations: Tool = {
  name: 'find_stations',
  title: 'Find stations',
  description:
    'Finds stations by a part of their id, IATA code, city or alias; with near, the nearest first. Ask this first where a place is unknown or ambiguous.',
  parameters: {
    query: own(z.string().optional(), 'Part of a name. Without it, all stations.', 'names'),
    ...REGION,
    limit: limit(200, 20),
    offset: own(integer(0, 100_000, 0, '')),
  },
  row: 'One for each station.',

  plan: (values) => [makeRequest('/stations/metadata', values, same(...Object.keys(REGION)))],

  handle(values, [response]) {
    const all = (response as ApiResponse).data as ListedStation[];
    const query = values.query as string | undefined;
    const wanted = foldedName(query ?? '');
    const found = all
      .map((station) => ({ station, fit: wanted === '' ? 0 : scoreMatch(station, wanted) }))
      .filter((each) => each.fit !== undefined)
      .sort((a, b) => (a.fit ?? 0) - (b.fit ?? 0))
      .map(({ station }) => station);
    const first = values.offset as number;
    const shown = found.slice(first, first + (values.limit as number));
    const hints: string[] = [];
    if (found.length === 0) {
      // A station once, by the nearest of its names.
      const names = all.map((station) => nearest(wanted, namesOfStation(station), 1));
      const near = nearest(wanted, new Set(names.flat()), MAX_NAMES);
      hints.push(
        `No name has this in it${near.length > 0 ? `; did you mean ${near.map((name) => JSON.stringify(name)).join(' or ')}?` : '; try a shorter part'}`,
      );
    }
    const end = first + shown.length;
    if (shown.length > 0 && end < found.length)
      hints.push(`Stations ${first + 1} to ${end} of ${found.length}: the next have offset=${end}`);
    return {
      rows: shown.map((station) => ({
        station_id: station.station_id,
        iata: station.external_ids.iata,
        city_name: station.city_name,
        country: station.country,
        climate_zone: station.climate_zone,
        timezone: station.timezone,
        data_active: station.data_active,
        aliases: station.aliases.slice(0, MAX_ALIASES),
        ...(station.reported_in !== '' && { reported_in: station.reported_in }),
        ...(station.distance_km !== undefined && { distance_km: station.distance_km }),
      })),
      total_rows: found.length,
      hints,
    };
  },
};
