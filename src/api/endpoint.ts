import type { z } from 'zod';
import type { Stations } from '../stations/directory.js';
import type { QueryParams, Store } from '../store/store.js';

/** A fault of one request parameter. */
export interface ParameterFault {
  parameter: string;
  message: string;
}

/** Parameters that cannot be answered; lists every fault found (D18). */
export class InvalidParameters extends Error {
  constructor(readonly faults: ParameterFault[]) {
    super(faults.map(({ parameter, message }) => `${parameter} ${message}`).join('; '));
  }
}

/** What an endpoint has at hand to understand a question with. */
export interface Context {
  stations: Stations;
  /** The UTC date of the request, YYYY-MM-DD: all that a question may make of the time. */
  today: string;
  /** The station named in the path, decoded. */
  pathStation?: string | undefined;
}

/** A question, understood: one and the same for every way to ask it. */
export interface Understood {
  /** Whatever the answer depends on beside the data; questions with equal ones have equal answers. */
  identity: Readonly<Record<string, unknown>>;
  /** The days asked for, where there are any. */
  window?: { period_end: string };
}

/** Where an answer comes from. */
export type Queries = Pick<Store, 'query'>;

/** What an endpoint answers. */
export interface Answer {
  data: unknown;
  /**
   * Beside what every answer says (generated_at, query_time_ms); absent where the endpoint shows no metadata. A function
   * stands for what depends on the moment of answering: the rest is kept.
   */
  metadata?: Record<string, unknown>;
  /** There are pairs, and all of them rest on verified observations (D6). */
  verified: boolean;
  /** For `format=csv`: what stands in front of every row, and which words name the file. */
  csv: { constants: Record<string, string>; fileNameParts: string[] };
}

/** One URL of the API: what it takes, what it answers and how. The OpenAPI document is made from the same schemas. */
export interface Endpoint<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Question extends Understood = Understood,
> {
  /** Express paths below /api/v1; more than one where a station may stand in the path as `:station_id`. */
  paths: readonly string[];
  operationId: string;
  summary: string;
  description: string;
  /** Query parameters by name, each a schema that reads the parameter's text. */
  parameters: Shape;
  /** Faults of parameters taken together; those that have a fault of their own are absent. */
  check?: (values: Partial<z.output<z.ZodObject<Shape>>>, today: string) => ParameterFault[];
  /** The shape of `data`, or of each of its members. */
  record: z.ZodObject;
  /** Whether `data` is one record or an array of them. */
  many: boolean;
  /** The shape of `metadata`, where there is one. */
  metadata?: z.ZodObject;
  /** The record as `format=csv` shows it, where the parameters decide. */
  csvRecord?: (values: z.output<z.ZodObject<Shape>>) => z.ZodObject;
  /**
   * Understands a question whose parameters have been checked, without asking the store.
   * @throws InvalidParameters, UnknownStation, AmbiguousCity
   */
  question(values: z.output<z.ZodObject<Shape>>, context: Context): Question;
  /** @throws InvalidParameters, and what the store throws */
  answer(question: Question, values: z.output<z.ZodObject<Shape>>, store: Queries): Promise<Answer>;
}

/** Checks an endpoint's parts against each other; the list of endpoints then holds them all alike. */
export function defineEndpoint<Shape extends z.ZodRawShape, Question extends Understood>(
  endpoint: Endpoint<Shape, Question>,
): Endpoint {
  return endpoint as unknown as Endpoint;
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

/** One URL that answers with rows as a file, read from the store part by part. */
export interface Download<
  Shape extends z.ZodRawShape = z.ZodRawShape,
  Question extends Understood = Understood,
> {
  /** Express path below /api/v1. */
  path: string;
  operationId: string;
  summary: string;
  description: string;
  /** As those of an Endpoint; `format` and `cursor` are added to them. */
  parameters: Shape;
  check?: (values: Partial<z.output<z.ZodObject<Shape>>>, today: string) => ParameterFault[];
  /** A row; its fields are the columns of every format, in this order. */
  record: z.ZodObject;
  /** @throws InvalidParameters, UnknownStation, AmbiguousCity */
  question(values: z.output<z.ZodObject<Shape>>, context: Context): Question;
  /** The latest version of the rows that nothing will change any more, a whole number. */
  version(store: Reads): Promise<number>;
  /**
   * How many rows there are at a version, and, after so many of them, the parts of the rest, in order: at least one, as
   * an answer tells the columns.
   */
  rows(
    question: Question,
    version: number,
    store: Reads,
  ): Promise<{ total: number; parts(skip: number): Iterable<Part> }>;
  /** Words that name the file. */
  fileNameParts(question: Question): string[];
}

/** The same for a download as defineEndpoint(). */
export function defineDownload<Shape extends z.ZodRawShape, Question extends Understood>(
  download: Download<Shape, Question>,
): Download {
  return download as unknown as Download;
}
