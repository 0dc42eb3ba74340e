import { defineEndpoint } from '../api/endpoint.js';
import { distanceField, isByDistance, stationsByConditions } from '../api/params/station-params.js';
import type { ChosenStation } from '../stations/choice.js';
import { type Station, stationRecord } from '../stations/directory.js';

const toRecord = ({ day_boundary: _boundary, ...record }: Station) => record;

/** GET /api/v1/stations/metadata (section 4.6 of the interface). */
export const stationsMetadata = defineEndpoint({
  paths: ['/stations/metadata'],
  operationId: 'getStationsMetadata',
  summary: 'Station metadata',
  description: 'All stations, or those chosen, ordered by station_id, or with near by their distance.',
  example: { keep: 2 },
  groups: { station: stationsByConditions },
  record: stationRecord.extend({ distance_km: distanceField }).meta({ id: 'Station' }),
  requested: ({ station }) => ({ distance_km: isByDistance(station) }),

  handle({ station }, { directory }) {
    const { stations } = directory;
    const chosen: readonly ChosenStation[] = station ?? stations.all;
    const data = chosen
      .toSorted((a, b) => (a.distance_km ?? 0) - (b.distance_km ?? 0))
      .map(({ station_id, distance_km }) => ({
        ...toRecord(stations.byStation(station_id)),
        ...(distance_km !== undefined && { distance_km }),
      }));
    return Promise.resolve({ data });
  },
});
