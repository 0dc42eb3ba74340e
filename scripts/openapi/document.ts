import { OpenApiGeneratorV31, OpenAPIRegistry, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import { DOWNLOAD_HEADERS } from '../../src/export/download.js';
import { type Download, type Endpoint, operationIdAt, parametersAt } from '../../src/api/endpoint.js';
import { errorBody, ERRORS } from '../../src/api/errors/api-error.js';
import { EVENTS } from '../../src/events/mount-events.js';
import { versionEvent } from '../../src/events/records.js';
import { SEALS } from '../../src/seals/routes/mount-seals.js';
import { FILE_MEDIA_TYPES } from '../../src/api/formats.js';
import { healthBody } from '../../src/observe/health.js';
import { type OpenApiDocument, withComponents } from './components.js';
import { withOrientation } from './orientations.js';
import type { Examples } from './examples.js';
import { ERROR_TEXT, INTRODUCTION } from './text.js';

type ExamplesObject = Record<string, { summary: string; value: unknown } | { $ref: string }>;

export interface Documented {
  endpoints: readonly Endpoint[];
  downloads: readonly Download[];
  version: string;
  examples: Examples;
}

/** The OpenAPI 3.1 document of the endpoints, from the schemas that read requests and describe responses. */
export function openApiDocument({ endpoints, downloads, version, examples }: Documented): OpenApiDocument {
  const registry = new OpenAPIRegistry();
  const security = registry.registerComponent('securitySchemes', 'apiKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, fas_<id>_<secret>',
  });
  for (const [code, { request, body }] of Object.entries(examples.errors)) {
    registry.registerComponent('examples', code, { summary: request, value: body });
  }
  for (const download of downloads) registry.registerPath(downloadRoute(download, examples, security.name));
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) registry.registerPath(route(endpoint, path, examples, security.name));
  }
  registry.registerPath(eventsRoute(examples, security.name));
  for (const seals of SEALS) registry.registerPath(sealsRoute(seals, examples, security.name));
  registry.registerPath({
    method: 'get',
    path: '/api/v1/health',
    operationId: 'getHealth',
    summary: 'Health of the service',
    description: 'Needs no key.',
    tags: ['Service'],
    security: [],
    responses: {
      200: { description: 'All is well', content: healthContent('getHealth', examples) },
      503: {
        description: 'The data cannot be reached',
        content: healthContent('getHealthDegraded', examples),
      },
    },
  });
  const generator = new OpenApiGeneratorV31(registry.definitions, { sortComponents: 'alphabetically' });
  return withComponents(
    withOrientation(
      generator.generateDocument({
        openapi: '3.1.0',
        info: {
          title: 'Forecast Accuracy Service',
          version,
          description: INTRODUCTION,
        },
        servers: [{ url: '/', description: 'This server' }],
        tags: [
          { name: 'Accuracy', description: 'Error statistics over verification pairs' },
          {
            name: 'Probability',
            description: 'How likely temperatures are, and how good such probabilities were',
          },
          { name: 'Data', description: 'The values of the feeds, and the pairs made from them, in pages' },
          { name: 'Export', description: 'The pairs themselves, for batch jobs' },
          {
            name: 'Directory',
            description: 'The stations, the providers of forecasts, and the loads of data',
          },
          { name: 'Service', description: 'The service itself' },
        ],
      }),
    ),
  );
}

function healthContent(operationId: string, examples: Examples) {
  return {
    'application/json': { schema: healthBody, examples: makeExamples(examples, operationId, 'json') },
  };
}

function route(endpoint: Endpoint, path: string, examples: Examples, security: string): RouteConfig {
  const ofStation = path.endsWith('/:station_id');
  const operationId = operationIdAt(path, endpoint);
  const other = operationId !== endpoint.operationId;
  return {
    method: 'get',
    path: `/api/v1${path.replace(':station_id', '{station_id}')}`,
    operationId,
    summary: other ? `${endpoint.summary}, of one station` : endpoint.summary,
    description: [
      endpoint.description,
      ...Object.keys(endpoint.charts ?? {}).map(figureText),
      ...(endpoint.recompute === undefined ? [] : [SCRIPT_TEXT]),
    ].join(' '),
    tags: [getTag(path)],
    security: [{ [security]: [] }],
    request: {
      query: z.object(parametersAt(path, endpoint)),
      ...(ofStation && {
        params: z.object({
          station_id: z
            .string()
            .meta({ description: 'Station identifier, IATA code, city name or alias', example: 'KORD' }),
        }),
      }),
    },
    responses: {
      200: {
        description: endpoint.summary,
        content: {
          'application/json': {
            schema: endpoint.body,
            examples: makeExamples(examples, operationId, 'json'),
          },
          'text/csv': {
            schema: z.string().meta({ description: 'With format=csv: the records as RFC 4180' }),
            examples: makeExamples(examples, operationId, 'csv'),
          },
        },
      },
      304: { description: 'The client has this response: its ETag is in If-None-Match' },
      ...errorResponses(path, endpoint.parameters, examples),
    },
  };
}

const figureText = (name: string): string =>
  name === 'chart.svg'
    ? 'With `/chart.svg` after the path: the same request as a chart.'
    : 'With `/badge.json` after the path: for the endpoint badges of shields.io.';

const SCRIPT_TEXT =
  'With `/recompute.sql` after the path: SQL for DuckDB that computes the numbers anew from the exported pairs.';

function downloadRoute(download: Download, examples: Examples, security: string): RouteConfig {
  const { path, operationId, summary, description, parameters, record } = download;
  const text = { type: 'string' } as const;
  return {
    method: 'get',
    path: `/api/v1${path}`,
    operationId,
    summary,
    description,
    tags: ['Export'],
    security: [{ [security]: [] }],
    request: { query: z.object(parameters) },
    responses: {
      200: {
        description: summary,
        headers: {
          [DOWNLOAD_HEADERS.total]: {
            description: 'Pairs of the whole request at this version of the data',
            schema: { type: 'integer', minimum: 0 },
          },
          [DOWNLOAD_HEADERS.cursor]: {
            description:
              'Where this file begins: the version of the data, a dot, and the number of pairs before it',
            schema: text,
          },
          [DOWNLOAD_HEADERS.provider]: {
            description: 'The provider that issued the forecasts',
            schema: text,
          },
          Trailer: {
            description: `${DOWNLOAD_HEADERS.sent}: the rows of this file, sent after them`,
            schema: text,
          },
        },
        content: {
          [FILE_MEDIA_TYPES.csv]: {
            schema: z
              .string()
              .meta({ description: 'Lines that end in CRLF, the first one with the columns' }),
            examples: makeExamples(examples, operationId, 'csv'),
          },
          // Each line is one record.
          [FILE_MEDIA_TYPES.ndjson]: {
            schema: record,
            examples: makeExamples(examples, operationId, 'json'),
          },
          [FILE_MEDIA_TYPES.parquet]: {
            schema: { ...text, contentMediaType: FILE_MEDIA_TYPES.parquet },
          },
        },
      },
      206: { description: 'The part that Range asks for, where `as_of` names a version with its timeline' },
      304: { description: 'The client has this file: its ETag is in If-None-Match' },
      ...errorResponses(path, parameters, examples),
    },
  };
}

function eventsRoute(examples: Examples, security: string): RouteConfig {
  const { path, operationId, summary, description, parameters, example } = EVENTS;
  return {
    method: 'get',
    path: `/api/v1${path}`,
    operationId,
    summary,
    description,
    tags: ['Directory'],
    security: [{ [security]: [] }],
    request: { query: z.object(parameters) },
    responses: {
      // `id` and `event` stand in lines of their own, and `data` in one as JSON.
      200: {
        description: summary,
        content: { 'text/event-stream': { schema: versionEvent, examples: { event: { value: example } } } },
      },
      ...errorResponses(path, parameters, examples),
    },
  };
}

function sealsRoute(
  { path, operationId, summary, description, parameters, record }: (typeof SEALS)[number],
  examples: Examples,
  security: string,
): RouteConfig {
  const body =
    record && z.object({ success: z.literal(true).meta({ type: 'boolean', const: true }), data: record });
  const isOfVersion = path.endsWith('/:version');
  const version = z
    .string()
    .meta({ description: 'A version of the data, such as v412 or v412.k7q2', example: 'v412' });
  return {
    method: 'get',
    path: `/api/v1${path.replace(':version', '{version}')}`,
    operationId,
    summary,
    description,
    tags: [getTag(path)],
    security: [{ [security]: [] }],
    request: { query: z.object(parameters), ...(isOfVersion && { params: z.object({ version }) }) },
    responses: {
      200: {
        description: summary,
        content:
          body === undefined
            ? {
                'text/plain': {
                  schema: z.string(),
                  examples: makeExamples(examples, operationId, 'json'),
                },
              }
            : {
                'application/json': {
                  schema: body.meta({ id: `${operationId.replace(/^get/, '')}Response` }),
                  examples: makeExamples(examples, operationId, 'json'),
                },
              },
      },
      304: { description: 'The client has this response: its ETag is in If-None-Match' },
      ...errorResponses(path, parameters, examples),
    },
  };
}

function getTag(path: string): string {
  if (path === '' || path === '/usage') return 'Service';
  if (path.startsWith('/accuracy')) return 'Accuracy';
  if (path.startsWith('/probability')) return 'Probability';
  return path.startsWith('/data') ? 'Data' : 'Directory';
}

const OF_FILES: number[] = [ERRORS.PRECONDITION_FAILED.status, ERRORS.RANGE_NOT_SATISFIABLE.status];

/** The example of an operation in a format. */
function makeExamples(examples: Examples, operationId: string, format: 'json' | 'csv'): ExamplesObject {
  const example = examples.responses[operationId];
  const value = example?.[format];
  if (example === undefined || value === undefined) return {}; // `npm run examples` has not made it yet
  const csv = format === 'csv' ? `${example.request.includes('?') ? '&' : '?'}format=csv` : '';
  const summary = `${example.request}${csv}${example.excerpt === undefined ? '' : ` (${example.excerpt})`}`;
  return { sample: { summary, value } };
}

function errorResponses(
  path: string,
  parameters: z.ZodRawShape,
  examples: Examples,
): RouteConfig['responses'] {
  const codes = Object.entries(ERRORS);
  const statuses = [...new Set(codes.map(([, { status }]): number => status))].filter(
    (status) =>
      status !== ERRORS.ORIGIN_NOT_ALLOWED.status && // of /mcp alone, which is no part of the document
      (!OF_FILES.includes(status) || path.startsWith('/export')) &&
      (status !== 404 ||
        ['provider', 'station_id', 'country', ':version'].some(
          (name) => name in parameters || path.endsWith(name),
        )),
  );
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      {
        description: ERROR_TEXT[status] ?? 'Error',
        content: {
          'application/json': {
            schema: errorBody,
            examples: Object.fromEntries(
              codes
                .filter(([code, of]) => of.status === status && code in examples.errors)
                .map(([code]) => [code, { $ref: `#/components/examples/${code}` }]),
            ),
          },
        },
      },
    ]),
  );
}
