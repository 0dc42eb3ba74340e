import type { Station } from '../../clients/typescript/src/generated.js';
import { getDistanceKm } from './address.js';

// The place of the visitor: the last chosen station stays on the device; where the device is, is asked for on a click alone.

const NAME = 'forecast-accuracy-place';

/** The station that was chosen last; blank for none, or where the browser gives no storage. */
export function recallPlace(): string {
  try {
    return localStorage.getItem(NAME) ?? '';
  } catch {
    return '';
  }
}

/** Remembers a station; a blank one forgets. */
export function rememberPlace(station_id: string): void {
  try {
    if (station_id === '') localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, station_id);
  } catch {
    // Then the next visit begins with all stations.
  }
}

/** The station nearest to the device that still reports, and how far it is, km. @throws Error that says why it is not known */
export async function findNearest(all: readonly Station[]): Promise<{ station: Station; km: number }> {
  const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(resolve, reject, { timeout: 10_000, maximumAge: 600_000 }),
  ).catch(() => {
    throw new Error('The browser did not say where you are.');
  });
  const measured = all
    .filter(({ data_active }) => data_active)
    .map((station) => ({
      station,
      km: getDistanceKm([coords.longitude, coords.latitude], [station.longitude, station.latitude]),
    }));
  const [nearest] = measured.sort((a, b) => a.km - b.km);
  if (nearest === undefined) throw new Error('No station reports.');
  return nearest;
}
