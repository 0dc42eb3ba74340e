import { defineEndpoint } from '../http/endpoint.js';
import { format } from '../http/parameters.js';
import { station } from '../stations/directory.js';

const parameters = { format };

/** GET /api/v1/stations/metadata (section 4.6 of the interface). */
export const stationsMetadata = defineEndpoint({
  paths: ['/stations/metadata'],
  operationId: 'getStationsMetadata',
  summary: 'Station metadata',
  description: 'All stations, ordered by station_id.',
  parameters,
  record: station,
  many: true,

  async answer(_values, { directory }) {
    return { data: await directory.all(), csv: { constants: {}, fileNameParts: [] } };
  },
});
