import { defineEndpoint } from '../api/endpoint.js';
import { format } from '../api/parameters.js';
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

  question: (_values, { stations }) => ({ identity: {}, records: stations.all }),

  answer({ records }) {
    return Promise.resolve({ data: records, verified: false, csv: { constants: {}, fileNameParts: [] } });
  },
});
