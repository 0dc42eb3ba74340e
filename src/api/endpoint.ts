import { z } from 'zod';
import type { Directory } from '../stations/directory.js';
import type { QueryParams, Store } from '../store/store.js';
import { answerFormat, cursor, fileFormat } from './formats.js';
import { type ParameterGroups, parametersOf, type Question } from './groups.js';

/** Where an answer comes from. */
export interface Sources extends Pick<Store, 'query'> {
  /** The stations and providers at the version of the data that the question was resolved with. */
  directory: Directory;
}

/** What an endpoint answers. */
export interface Answer {
  data: unknown;
  /**
   * Absent where the endpoint shows no metadata; generated_at and query_time_ms are added. A function stands for what
   * depends on the moment of answering: the rest is kept.
   */
  metadata?: Record<string, unknown>;
  /** There are pairs, and all of them rest on verified observations (D6). */
  verified: boolean;
  /** For `format=csv`: the columns in front of every row, and the words of the file name. */
  csv: { constants: Record<string, string>; fileNameParts: string[] };
}

/** What the author of an endpoint writes. */
export interface EndpointDefinition<Groups extends ParameterGroups> {
  /** Express paths below /api/v1; more than one where a station may stand in the path as `:station_id`. */
  paths: readonly string[];
  operationId: string;
  summary: string;
  description: string;
  /** The parameter groups whose values make up a question, beside `format`. */
  groups: Groups;
  /** The shape of `data`, or of each of its members. */
  record: z.ZodObject;
  /** Whether `data` is one record or an array of them. */
  many: boolean;
  /** The shape of `metadata`, where there is one; generated_at and query_time_ms are added. */
  metadata?: z.ZodRawShape;
  /** The record as `format=csv` shows it, where the question decides. */
  csvRecord?(question: Question<Groups>): z.ZodObject;
  /** @throws InvalidParameters, and what the store throws */
  answer(question: Question<Groups>, sources: Sources): Promise<Answer>;
}

/** One URL of the API: what it takes, what it answers and how. */
export interface Endpoint extends EndpointDefinition<ParameterGroups> {
  /** All query parameters. */
  parameters: z.ZodRawShape;
  /** The whole JSON body of a 200. */
  body: z.ZodObject;
}

const MOMENTS = {
  generated_at: z.iso.datetime().meta({ description: 'When the answer was made, UTC' }),
  query_time_ms: z.int().min(0).meta({ description: 'Time of the query in milliseconds' }),
};

/** Completes an endpoint with what all of them have: `format`, and the envelope of section 1 of the interface. */
export function defineEndpoint<Groups extends ParameterGroups>(
  definition: EndpointDefinition<Groups>,
): Endpoint {
  const groups = { ...definition.groups, format: answerFormat };
  const name = definition.operationId.replace(/^get/, '');
  const { record, metadata } = definition;
  const body = z
    .object({
      // As `enum`, which the schema would become by itself, generated clients type it as any boolean.
      success: z.literal(true).meta({ type: 'boolean', const: true }),
      data: definition.many ? z.array(record) : record,
      ...(metadata && {
        metadata: z
          .object({
            generated_at: MOMENTS.generated_at,
            ...metadata,
            query_time_ms: MOMENTS.query_time_ms,
          })
          .meta({ id: `${name}Metadata` }),
      }),
    })
    .meta({ id: `${name}Response` });
  return { ...definition, groups, parameters: parametersOf(groups), body };
}

/**
 * The query parameters that are documented for one path of an endpoint. A query may name the station of its path again,
 * but a generated client takes each name once.
 */
export function parametersAt(path: string, { parameters }: Pick<Endpoint, 'parameters'>): z.ZodRawShape {
  if (!path.includes(':station_id')) return parameters;
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => name !== 'station_id'));
}

/** Rows of a download that one statement reads, few enough to be held. */
export interface Part {
  rows: number;
  /** A SELECT without FORMAT: `text` has the values as they are written, `typed` as a format with types of its own has them. */
  sql: (values: 'text' | 'typed') => string;
  params: QueryParams;
}

/** Where the rows of a download come from. */
export type Reads = Pick<Store, 'query' | 'queryBytes'>;

/** What the author of a download writes. */
export interface DownloadDefinition<Groups extends ParameterGroups> {
  /** Express path below /api/v1. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** The parameter groups whose values make up a question, beside `format` and `cursor`. */
  groups: Groups;
  /** A row; its fields are the columns of every format, in this order. */
  record: z.ZodObject;
  /** The latest version of the rows that nothing will change any more, a whole number. */
  version(store: Reads): Promise<number>;
  /**
   * How many rows there are at a version, and, after so many of them, the parts of the rest, in order: at least one, as
   * an answer tells the columns.
   */
  rows(
    question: Question<Groups>,
    version: number,
    store: Reads,
  ): Promise<{ total: number; parts(skip: number): Iterable<Part> }>;
  /** Words that name the file. */
  fileNameParts(question: Question<Groups>): string[];
}

/** One URL that answers with rows as a file, read from the store part by part. */
export interface Download extends DownloadDefinition<ParameterGroups> {
  /** All query parameters. */
  parameters: z.ZodRawShape;
}

/** Completes a download with what all of them take: `format` and `cursor`. */
export function defineDownload<Groups extends ParameterGroups>(
  definition: DownloadDefinition<Groups>,
): Download {
  const groups = { ...definition.groups, format: fileFormat, cursor };
  return { ...definition, groups, parameters: parametersOf(groups) };
}
