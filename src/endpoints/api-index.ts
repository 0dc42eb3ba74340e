import { z } from 'zod';
// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- the parameters that every download has belong to api
import { DOWNLOAD_PARAMETERS } from '../export/download.js';
import { defineEndpoint, type Download, type Endpoint } from '../api/endpoint.js';
import { format } from '../api/parameters.js';

/** GET /api/v1: what there is below it. Clients that test their base URL (Grafana's do) get a 200 from here. */
export function apiIndex(endpoints: readonly Endpoint[], downloads: readonly Download[]): Endpoint {
  const entry = (path: string, summary: string, parameters: object) => ({
    path: `/api/v1${path.replace(':station_id', '{station_id}')}`,
    summary,
    parameters: Object.keys(parameters),
  });
  const listed = [
    ...endpoints.flatMap(({ paths, summary, parameters }) =>
      paths.map((path) => entry(path, summary, parameters)),
    ),
    ...downloads.map(({ path, summary, parameters }) =>
      entry(path, summary, { ...parameters, ...DOWNLOAD_PARAMETERS }),
    ),
  ];
  return defineEndpoint({
    paths: [''],
    operationId: 'getIndex',
    summary: 'Index of the endpoints',
    description: 'Every URL of the API with its query parameters. /docs and /openapi.json tell the rest.',
    parameters: { format },
    record: z
      .object({
        path: z.string().meta({ example: '/api/v1/accuracy/summary' }),
        summary: z.string(),
        parameters: z.array(z.string()).meta({ description: 'Query parameters; all may be left out' }),
      })
      .meta({ id: 'IndexEntry' }),
    many: true,
    metadata: z.object({
      generated_at: z.iso.datetime().meta({ description: 'When the answer was made, UTC' }),
      documentation: z.literal('/docs'),
      openapi: z.literal('/openapi.json'),
      query_time_ms: z.int().min(0).meta({ description: 'Time of the query in milliseconds' }),
    }),

    question: () => ({ identity: {} }),

    answer() {
      return Promise.resolve({
        data: listed,
        metadata: { documentation: '/docs', openapi: '/openapi.json' },
        verified: false,
        csv: { constants: {}, fileNameParts: ['endpoints'] },
      });
    },
  });
}
