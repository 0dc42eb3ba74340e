import { defineEndpoint } from '../api/endpoint.js';
import { stationRecord } from '../stations/directory.js';

/** GET /api/v1/stations/metadata (section 4.6 of the interface). */
export const stationsMetadata = defineEndpoint({
  paths: ['/stations/metadata'],
  operationId: 'getStationsMetadata',
  summary: 'Station metadata',
  description: 'All stations, ordered by station_id.',
  example: { keep: 2 },
  groups: {},
  record: stationRecord,
  many: true,

  answer(_question, { directory }) {
    return Promise.resolve({ data: directory.stations.all });
  },
});
