import { nameAtIem } from '../../../../src/collect/catalogue.js';
import type { StubAnswer, StubPlace, StubSource } from '../world.js';

const json = (status: number, body: unknown): StubAnswer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

/** A station as IEM has it in a network. */
function row(place: StubPlace, network: string): Record<string, unknown> {
  return {
    name: place.city_name.toUpperCase(),
    state: place.country === 'US' ? stateOf(place) : null,
    country: place.country,
    elevation: place.elevation_m ?? null,
    network,
    online: place.data_active,
    tzname: place.timezone,
    wfo: (place.office_at_iem ?? place.wfo) || null,
    archive_begin: '1973-01-01',
    archive_end: null,
    synop: 99999,
  };
}

const STATES: Record<string, string> = { OKX: 'NY', LOT: 'IL', BOU: 'CO' };
const stateOf = ({ state, wfo }: StubPlace): string => state ?? STATES[wfo] ?? 'XX';
const NWSCLI = 'NWSCLI';

function feature(place: StubPlace, network: string): unknown {
  const { name, ...rest } = row(place, network);
  const sid = place.climate_report_id || place.station_id;
  const attributes =
    sid === place.station_id ? {} : { MAPS_TO: `${place.station_id}|${stateOf(place)}_ASOS` };
  return {
    type: 'Feature',
    id: sid,
    properties: { ...rest, sname: name, sid, time_domain: '(2003-Now)', attributes },
    geometry: { type: 'Point', coordinates: [place.longitude, place.latitude] },
  };
}

/** A station among those of all airports: in the lower 48 under three letters. */
const airport = (place: StubPlace): unknown =>
  feature(
    { ...place, climate_report_id: nameAtIem(place.station_id) },
    place.daily_network || `${stateOf(place)}_ASOS`,
  );

/** The network that has a station under its ICAO identifier. */
const networkOf = (place: StubPlace): string =>
  place.daily_network || (place.climate_report_id === place.station_id ? NWSCLI : `${stateOf(place)}_ASOS`);

/** Stations of IEM by network, and single ones: those of the United States are in NWSCLI alone, others in their country's network. */
export const iemStations: StubSource = (url, now_ms, places) => {
  if (url.pathname === '/geojson/network.py') {
    const network = url.searchParams.get('network');
    const features =
      network === 'AZOS'
        ? places.map(airport)
        : places
            .filter((place) => (place.daily_network || NWSCLI) === network)
            .map((place) => feature(place, network ?? ''));
    const generated_at = `${new Date(now_ms).toISOString().slice(0, 19)}Z`;
    return json(200, { type: 'FeatureCollection', features, generated_at, count: features.length });
  }
  const id = /^\/api\/1\/station\/(\w+)\.json$/.exec(url.pathname)?.[1];
  if (id === undefined) return undefined;
  const place = places.find(({ station_id }) => station_id === id);
  if (place === undefined) return json(404, { detail: `No stations found for id: ${id}` });
  const { latitude, longitude } = place;
  return json(200, {
    schema: { fields: [{ name: 'index', type: 'integer' }], primaryKey: ['index'], pandas_version: '1.4.0' },
    data: [{ index: 0, id, ...row(place, networkOf(place)), longitude, latitude }],
  });
};
