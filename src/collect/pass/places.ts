import { DAY_MS } from '../../statistics/time/calendar.js';
import { UserError } from '../../lib/user-error.js';
import { catalogueRequests, readCatalogue } from '../catalogue.js';
import type { Collector } from '../collector.js';
import { GapError } from '../source.js';
import type { Catalogue, State } from '../state.js';
import { forgetMoved } from './outcome.js';

/** Stations open, close and move seldom. */
const CATALOGUE_LASTS_MS = 7 * DAY_MS;

/**
 * The stations that are wanted, now in the state: as they are known, or asked for where a week has passed or others are
 * wanted.
 * @throws UserError when they cannot be asked for and are not known either, or none is found
 */
export async function findPlaces(
  collector: Collector,
  state: State,
  now_ms: number,
  signal: AbortSignal,
): Promise<Catalogue> {
  const { catalogue: known } = state;
  const found = await findCatalogue(collector, known, now_ms, signal);
  forgetMoved(state, known?.places ?? [], found.places);
  return (state.catalogue = found);
}

async function findCatalogue(
  collector: Collector,
  known: Catalogue | undefined,
  now_ms: number,
  signal: AbortSignal,
): Promise<Catalogue> {
  const { wanted, log } = collector;
  const isSame = known?.wanted === JSON.stringify(wanted);
  if (isSame && now_ms - known.read_ms < CATALOGUE_LASTS_MS) return known;
  try {
    const found = await askForPlaces(collector, signal);
    if (found.places.length === 0) throw new UserError(`no station found: ${found.missing.join('; ')}`);
    const is_loaded =
      known?.is_loaded === true && JSON.stringify(known.places) === JSON.stringify(found.places);
    return { ...found, wanted: JSON.stringify(wanted), read_ms: now_ms, is_loaded };
  } catch (error) {
    if (!(error instanceof GapError)) throw error;
    if (!isSame) throw new UserError(`the stations cannot be requested: ${error.message}`, { cause: error });
    log(`iem-stations: ${error.message}; the known stations are used`);
    return known;
  }
}

/** @throws GapError */
export async function askForPlaces(
  { wanted, hosts, log }: Pick<Collector, 'wanted' | 'hosts' | 'log'>,
  signal: AbortSignal,
): Promise<Pick<Catalogue, 'places' | 'missing'>> {
  const places = new Map(wanted.places?.map((place) => [place.station_id, place]));
  const missing = new Set<string>();
  const requests = catalogueRequests(wanted);
  if (requests.length > 0) log('iem-stations: requesting the stations');
  for (const request of requests) {
    const response = await hosts.iem.get(request.path, signal, (line) => log(`iem: ${line}`));
    const isResponse =
      response.outcome === 'ok' || (response.outcome === 'refused' && response.status === 404);
    if (!isResponse) throw new GapError(response.reason);
    const reading = readCatalogue(response.body, request);
    for (const place of reading.places)
      if (!places.has(place.station_id)) places.set(place.station_id, place);
    for (const line of reading.missing) missing.add(line);
    requests.push(...reading.next);
    log(`iem-stations: ${reading.places.length} stations of ${request.path}`);
  }
  return { places: [...places.values()], missing: [...missing] };
}
