import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { Endpoint } from './endpoint.js';
import { ERROR_STATUS, errorBody } from './errors.js';
import { healthBody } from './health.js';

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>;

/** What each error status means, for a reader of the document. */
const ERROR_TEXT: Partial<Record<number, string>> = {
  400: 'A parameter is unknown, repeated or bad, or a city means more than one station',
  401: 'The API key is missing or not valid',
  404: 'No station answers to the name',
  405: 'Only GET and HEAD are allowed',
  429: 'More requests in a minute than the key may make, or too many without a valid one; see Retry-After',
  500: 'An error of the service',
  503: 'Too many queries are waiting, or the data cannot be reached; see Retry-After',
  504: 'The query takes longer, or more memory, than it may; see Retry-After',
};

/** The OpenAPI 3.1 document of the endpoints, from the schemas that read requests and describe answers. */
export function openApiDocument(endpoints: readonly Endpoint[], version: string): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  const security = registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, fas_<id>_<secret>',
  });
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) registry.registerPath(route(endpoint, path, security.name));
  }
  registry.registerPath({
    method: 'get',
    path: '/api/v1/health',
    operationId: 'getHealth',
    summary: 'Health of the service',
    description: 'Needs no key.',
    tags: ['Service'],
    security: [],
    responses: {
      200: { description: 'All is well', content: { 'application/json': { schema: healthBody } } },
      503: {
        description: 'The data cannot be reached',
        content: { 'application/json': { schema: healthBody } },
      },
    },
  });
  return new OpenApiGeneratorV31(registry.definitions, { sortComponents: 'alphabetically' }).generateDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Forecast Accuracy Service',
        version,
        description:
          'How accurate temperature forecasts are against observed values: per station, city, date and lead time. ' +
          'Temperatures and errors are in °F; an error is forecast minus actual.',
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [
        { name: 'Accuracy', description: 'Error statistics over verification pairs' },
        { name: 'Stations', description: 'The stations' },
        { name: 'Service', description: 'The service itself' },
      ],
    },
  );
}

function route(endpoint: Endpoint, path: string, security: string): RouteConfig {
  const ofStation = path.endsWith('/:station_id');
  const other = ofStation && endpoint.paths.length > 1;
  const query = z.object(endpoint.parameters);
  const errors = [...new Set<number>(Object.values(ERROR_STATUS))].filter(
    (status) => status !== 404 || 'days' in endpoint.parameters,
  );
  return {
    method: 'get',
    path: `/api/v1${path.replace(':station_id', '{station_id}')}`,
    operationId: other ? `${endpoint.operationId}OfStation` : endpoint.operationId,
    summary: other ? `${endpoint.summary}, of one station` : endpoint.summary,
    description: endpoint.description,
    tags: [path.startsWith('/accuracy') ? 'Accuracy' : 'Stations'],
    security: [{ [security]: [] }],
    request: {
      query,
      ...(ofStation && {
        params: z.object({
          station_id: z
            .string()
            .meta({ description: 'ICAO identifier, IATA code, city name or alias', example: 'KORD' }),
        }),
      }),
    },
    responses: {
      200: {
        description: endpoint.summary,
        content: {
          'application/json': { schema: responseBody(endpoint) },
          'text/csv': {
            schema: z.string().meta({ description: 'With format=csv: the records as RFC 4180' }),
          },
        },
      },
      304: { description: 'The client has this answer: its ETag is in If-None-Match' },
      ...Object.fromEntries(
        errors.map((status) => [
          status,
          {
            description: ERROR_TEXT[status] ?? 'Error',
            content: { 'application/json': { schema: errorBody } },
          },
        ]),
      ),
    },
  };
}

/** The schema of a successful JSON answer. */
export function responseBody(endpoint: Endpoint): z.ZodObject {
  return z.object({
    success: z.literal(true),
    data: endpoint.many ? z.array(endpoint.record) : endpoint.record,
    ...(endpoint.metadata && { metadata: endpoint.metadata }),
  });
}
