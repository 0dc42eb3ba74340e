import { z } from 'zod';
import { defineEndpoint, type Download, type Endpoint, parametersAt } from '../api/endpoint.js';

/**
 * GET /api/v1: every URL below it. A client that tests its base URL, as Grafana does, gets a 200.
 * @param others the URLs that do not answer with records
 */
export function apiIndex(
  endpoints: readonly Endpoint[],
  others: readonly Pick<Download, 'path' | 'summary' | 'parameters'>[],
): Endpoint {
  const entry = (path: string, summary: string, parameters: object) => ({
    path: `/api/v1${path.replace(/:(\w+)/, '{$1}')}`,
    summary,
    parameters: Object.keys(parameters),
  });
  const listed = [
    ...endpoints.flatMap((endpoint) =>
      endpoint.paths.map((path) => entry(path, endpoint.summary, parametersAt(path, endpoint))),
    ),
    ...others.map(({ path, summary, parameters }) => entry(path, summary, parameters)),
  ];
  return defineEndpoint({
    paths: [''],
    operationId: 'getIndex',
    summary: 'Index of the endpoints',
    description: 'Every URL of the API with its query parameters. /docs and /openapi.json describe the rest.',
    example: {},
    groups: {},
    record: z
      .object({
        path: z.string().meta({ example: '/api/v1/accuracy/summary' }),
        summary: z.string(),
        parameters: z.array(z.string()).meta({ description: 'Query parameters, all optional' }),
      })
      .meta({ id: 'IndexEntry' }),
    metadata: {
      documentation: z.string().meta({ example: '/docs' }),
      openapi: z.string().meta({ example: '/openapi.json' }),
    },

    handle(_params, { basePath }) {
      return Promise.resolve({
        data: listed.map((entry) => ({ ...entry, path: basePath + entry.path })),
        metadata: { documentation: `${basePath}/docs`, openapi: `${basePath}/openapi.json` },
        fileNameParts: ['endpoints'],
      });
    },
  });
}
