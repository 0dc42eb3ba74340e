import { z } from 'zod';
import type { Directory } from '../stations/directory.js';
import type { Provider } from '../stations/provider-choice.js';
import type { Rows, Statement } from '../queries/sql.js';
import type { Priority } from '../store/store.js';
import type { Caller } from './caller.js';
import type { CoreParams } from './params/core.js';
import { makePlan, type Plan } from './record-plan.js';
import { cursor, type RowPlace } from './cursor.js';
import { count } from './fields.js';
import { type ResponseForm, negotiateFormat, SCRIPT_NAME, type FileFormat, fileFormat } from './formats.js';
import { type GroupsOf, type ParameterGroups, getParameters, type Params } from './groups.js';
import type { ParamIssue } from './parameters.js';

/** The sources of an endpoint. */
export interface Sources {
  /** The rows of a SELECT, as Store.query() has them; `short` unless it says otherwise, `long` for a past version. */
  query: <Row>(rows: Rows<Row>, priority?: Priority) => Promise<Row[]>;
  /** The stations and providers by which the request was resolved. */
  directory: Directory;
  /** The time of the request, generated_at. Only the data of an uncacheable response may depend on it. */
  now: Date;
  /** The client; only an uncacheable response may depend on it. */
  caller: Caller;
  /** The path under which clients know the service; blank at the root. */
  basePath: string;
}

/** How long the arithmetic of a response may take a processor, ms; on a busy machine it takes twice as long. */
export const MAX_CPU_MS = 10_000;

/** The response of an endpoint. @typeParam Schema that of a record @typeParam Metadata the shape of its own metadata */
export interface EndpointResponse<
  Schema extends z.ZodObject = z.ZodObject,
  Metadata extends z.ZodRawShape = z.ZodRawShape,
> {
  /** The record, or all of them. */
  data: z.input<Schema> | readonly z.input<Schema>[];
  /** Absent where the endpoint shows none. */
  metadata?: z.input<z.ZodObject<Metadata>>;
  /** There are pairs, and all of them rest on verified observations. */
  verified?: boolean;
  /** Columns of `format=csv` before those of the record, the same in every row. */
  csvConstants?: Record<string, string>;
  /** Words of the file name of `format=csv`. */
  fileNameParts?: readonly string[];
  /** Headers of the response in every format. */
  headers?: Record<string, string>;
}

/** How figures are made, of the records of a response as it leaves: in its unit, rounded. */
interface Charts<OwnParams extends Params, Schema extends z.ZodObject> {
  'chart.svg'?(records: readonly z.output<Schema>[], params: OwnParams): string;
  'badge.json'?(records: readonly z.output<Schema>[], params: OwnParams): string;
}

/** A value in a script of SQL; a list of lists is rows. */
export type ScriptValue = string | number | boolean | null | undefined | readonly ScriptValue[];

/** How a stranger computes the numbers of a response anew, from the pairs that they rest on. */
export interface Recomputation<OwnParams extends Params> {
  /** The SQL beside the endpoint's file: a template (src/recompute/template.ts). */
  sql: URL;
  /** The values of its names, beside those that every script has. */
  values?(params: OwnParams, directory: Directory): Readonly<Record<string, ScriptValue>>;
  /** Whether the script needs the stations of the request with their names. */
  needsStations?: true;
  /** Whether the script needs what providers state beside their forecasts. */
  needsDistributions?: true;
  /** The version of the data that the request names beside as_of. */
  version?(params: OwnParams): number | undefined;
  /** The error of a request that the SQL does not cover. */
  validate?(params: OwnParams): ParamIssue | undefined;
}

/** A request of the sample: its days are in the sample of every later day for more than a year, with the same numbers. */
interface ExampleParams {
  /** In place of :station_id. */
  station?: string;
  query?: string;
  /** The document shows the first members of a long response. */
  keep?: number;
}

/** The definition that the author of an endpoint writes. */
export interface EndpointDefinition<
  OwnParams extends Params = Params,
  Schema extends z.ZodObject = z.ZodObject,
  Metadata extends z.ZodRawShape = z.ZodRawShape,
> {
  /** Express paths below /api/v1; more than one where a station may stand in the path as `:station_id`. */
  paths: readonly string[];
  operationId: string;
  summary: string;
  description: string;
  /** The request that the document shows with its response over the sample. */
  example: ExampleParams;
  /** The parameter groups of a request, beside `format`. */
  groups: ParameterGroups & GroupsOf<OwnParams>;
  /**
   * The shape of `data`, or of each of its members. Its numbers have the schemas of kinds.ts, and
   * `handle` gives them in °F, at full precision.
   */
  record: Schema;
  /** Set where `data` is one record, and no array of them. */
  isSingle?: true;
  /** The shape of `metadata`, where there is one; generated_at, data_version, timeline and query_time_ms are added. */
  metadata?: Metadata;
  /** The optional fields of the record, and whether the request asks for them: CSV has the columns of those that it does. */
  requested?(params: EndpointParams & OwnParams): Record<string, boolean>;
  /** Whether the response depends on the time of the request: it has no tag, and is rendered each time, from rows cached by version. */
  isUncacheable?: boolean;
  /** Whether the response depends on the client, so a key is required even with public reading. */
  isPerClient?: boolean;
  /** Rejects a valid request that would cost too much, before any query runs. */
  validate?(params: EndpointParams & OwnParams, directory: Directory): ParamIssue | undefined;
  /**
   * About how long the arithmetic of a response takes a processor, ms. Where that is long, it runs in a worker, so the response
   * may not be uncacheable; beyond MAX_CPU_MS the request is refused.
   */
  estimatedCpuMs?(params: EndpointParams & OwnParams, directory: Directory): number;
  /** The figures of a response, each at a path of its own below those of the endpoint. */
  charts?: Charts<EndpointParams & OwnParams, Schema>;
  /** Given when the numbers of a response rest on pairs alone. */
  recompute?: Recomputation<EndpointParams & OwnParams>;
  /** @throws InvalidParamsError, and what the store throws */
  handle(params: EndpointParams & OwnParams, sources: Sources): Promise<EndpointResponse<Schema, Metadata>>;
}

/** A request to an endpoint, as the service reads it. */
export type EndpointParams = CoreParams<ResponseForm>;

/** One URL of the API. */
export interface Endpoint extends EndpointFunctions {
  groups: GroupsOf<EndpointParams>;
  /** The plan of a record, made once. */
  plan: Plan<z.ZodObject>;
  /** The plan of the metadata, made once. */
  metadataPlan: Plan<z.ZodObject>;
  /** All query parameters. */
  parameters: z.ZodRawShape;
  /** The whole JSON body of a 200. */
  body: z.ZodObject;
}

const MOMENTS = {
  generated_at: z.iso.datetime().meta({
    description:
      'When the response was generated, UTC; `Age` is the seconds since, where it comes from the cache',
  }),
  query_time_ms: count('Milliseconds that generating the response took'),
};

const DATA_VERSION = z
  .int()
  .min(0)
  .meta({
    description:
      'The last load that had finished before the response was made; 0 before the first. The response includes all data ' +
      'up to that load. While another load is running, it may include part of that one too',
    example: 412,
  });

const TIMELINE = z.string().meta({
  description:
    'The history that data_version counts in; a restored backup begins a new one. `as_of` takes both (v412.k7q2), ' +
    'and caches may keep that response for ever',
  example: 'k7q2',
});

/** The functions of an endpoint, whatever groups their request has beside the core. */
export type EndpointFunctions = Omit<EndpointDefinition<EndpointParams>, 'groups'>;

/** An endpoint, with its types inferred. */
export function defineEndpoint<
  OwnParams extends Params,
  Schema extends z.ZodObject,
  Metadata extends z.ZodRawShape,
>(definition: EndpointDefinition<OwnParams, Schema, Metadata>): Endpoint {
  return defineEndpointWith(definition.groups, definition);
}

/** Completes an endpoint with what all endpoints have: `format`, and the envelope of section 1 of the interface. */
export function defineEndpointWith(own: ParameterGroups, endpoint: EndpointFunctions): Endpoint {
  const { record, isSingle, metadata } = endpoint;
  const groups: GroupsOf<EndpointParams> = { ...own, format: negotiateFormat };
  const plan = makePlan(record);
  const metadataPlan = makePlan(z.object(metadata ?? {}));
  const name = endpoint.operationId.replace(/^get/, '');
  const shown = 'unit' in groups ? plan.shown : record;
  const body = z
    .object({
      // Without this the schema becomes an `enum`, which generated clients type as any boolean.
      success: z.literal(true).meta({ type: 'boolean', const: true }),
      data: isSingle ? shown : z.array(shown),
      ...(metadata && {
        metadata: z
          .object({
            generated_at: MOMENTS.generated_at,
            ...('unit' in groups ? metadataPlan.shown.shape : metadata),
            data_version: DATA_VERSION,
            timeline: TIMELINE,
            query_time_ms: MOMENTS.query_time_ms,
          })
          .meta({ id: `${name}Metadata` }),
      }),
    })
    .meta({ id: `${name}Response` });
  return {
    ...endpoint,
    groups,
    plan,
    metadataPlan,
    parameters: getParameters(groups),
    body,
    validate: (params, directory) =>
      endpoint.validate?.(params, directory) ?? tooMuchWork(endpoint.estimatedCpuMs?.(params, directory)),
  };
}

function tooMuchWork(estimatedCpuMs = 0): ParamIssue | undefined {
  if (estimatedCpuMs <= MAX_CPU_MS) return undefined;
  const seconds = (ms: number): number => Math.ceil(ms / 1000);
  const message = `would take about ${seconds(estimatedCpuMs)} s of processor time, but a response may take ${seconds(MAX_CPU_MS)} s; ask month by month, for fewer stations or for a shorter window`;
  return { parameter: 'days', message };
}

/** The paths of an endpoint, and those of its figures before them: a name such as chart.svg is no station. */
export const listRoutes = ({ paths, charts = {} }: Pick<Endpoint, 'paths' | 'charts'>): string[] => [
  ...Object.keys(charts).flatMap((name) => paths.map((path) => `${path}/${name}`)),
  ...paths,
];

/** The paths of the scripts of an endpoint. */
export const listScripts = ({ paths, recompute }: Pick<Endpoint, 'paths' | 'recompute'>): string[] =>
  recompute === undefined ? [] : paths.map((path) => `${path}/${SCRIPT_NAME}`);

/** All paths of an endpoint. */
export const listAllRoutes = (endpoint: Pick<Endpoint, 'paths' | 'charts' | 'recompute'>): string[] => [
  ...listScripts(endpoint),
  ...listRoutes(endpoint),
];

/** The name of the operation at one path: that of a station has its own, where the endpoint answers without one as well. */
export const operationIdAt = (
  path: string,
  { paths, operationId }: Pick<Endpoint, 'paths' | 'operationId'>,
): string => (path.includes(':station_id') && paths.length > 1 ? `${operationId}OfStation` : operationId);

/**
 * The query parameters that the document lists for one path. A query may repeat the station of its path, but a
 * generated client takes each name once.
 */
export function parametersAt(path: string, { parameters }: Pick<Endpoint, 'parameters'>): z.ZodRawShape {
  if (!path.includes(':station_id')) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'station_id'));
}

/** Rows of a download that one statement reads, few enough for memory. */
export interface Part {
  rows: number;
  /** A SELECT without FORMAT; its values are `text` for formats of text, `typed` for formats that have types. */
  statement: (values: 'text' | 'typed') => Statement;
}

/** The sources of a download, as Store has them. */
export interface DownloadSources {
  query: <Row>(rows: Rows<Row>) => Promise<Row[]>;
  queryBytes: (statement: Statement, format: string) => Promise<Buffer>;
}

/** Rows that are read in parts. */
export interface DownloadRows {
  total: number;
  /** Rows after the first `skip`, in order, at most so many a part. One part at least, because it brings the columns. */
  parts(skip: number, max: number): Iterable<Part>;
}

/** The definition that the author of a download writes. */
export interface DownloadDefinition<OwnParams extends Params = Params> {
  /** Express path below /api/v1. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The parameter groups of a request, beside `format` and `cursor`. */
  groups: ParameterGroups & GroupsOf<OwnParams>;
  /** A row; its fields are the columns of every format, in this order. */
  record: z.ZodObject;
  /** The optional columns, and whether the request asks for them. */
  requested?(params: DownloadParams & NoInfer<OwnParams>): Record<string, boolean>;
  /** The latest version of the rows that is final, a whole number. */
  version(sources: DownloadSources): Promise<number>;
  /** The rows of a request at a version. */
  rows(
    params: DownloadParams & NoInfer<OwnParams>,
    version: number,
    sources: DownloadSources,
  ): Promise<DownloadRows>;
  /** Words of the file name. */
  fileNameParts(params: DownloadParams & NoInfer<OwnParams>): string[];
}

/** A request to a download, as the service reads it. */
export interface DownloadParams extends CoreParams<FileFormat> {
  readonly cursor: RowPlace;
  readonly provider?: Provider;
}

/** One URL that answers with a file of rows, read from the store part by part. */
export interface Download extends Omit<DownloadDefinition<DownloadParams>, 'groups'> {
  groups: GroupsOf<DownloadParams>;
  /** All query parameters. */
  parameters: z.ZodRawShape;
}

/** Completes a download with the parameters of all downloads: `format` and `cursor`. */
export function defineDownload<OwnParams extends Params>(
  definition: DownloadDefinition<OwnParams>,
): Download {
  const download: Omit<DownloadDefinition<DownloadParams>, 'groups'> = definition;
  const own: ParameterGroups = definition.groups;
  const groups = { ...own, format: fileFormat, cursor };
  return { ...download, groups, parameters: getParameters(groups) };
}
