import type { z } from 'zod';
import type { Directory } from '../stations/directory.js';
import type { Store } from '../store/store.js';

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

/** What an endpoint has at hand to answer with. */
export interface Context {
  store: Store;
  directory: Directory;
  /** The time of the request. */
  now: Date;
  /** The station named in the path, decoded. */
  pathStation?: string | undefined;
}

/** What an endpoint answers. */
export interface Answer {
  data: unknown;
  /** Beside what every answer says (generated_at, query_time_ms); absent where the endpoint shows no metadata. */
  metadata?: Record<string, unknown>;
  /** For `format=csv`: what stands in front of every row, and which words name the file. */
  csv: { constants: Record<string, string>; fileNameParts: string[] };
}

/** One URL of the API: what it takes, what it answers and how. The OpenAPI document is made from the same schemas. */
export interface Endpoint<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** Express paths below /api/v1; more than one where a station may stand in the path as `:station_id`. */
  paths: readonly string[];
  operationId: string;
  summary: string;
  description: string;
  /** Query parameters by name, each a schema that reads the parameter's text. */
  parameters: Shape;
  /** Faults of parameters taken together; those that have a fault of their own are absent. */
  check?: (values: Partial<z.output<z.ZodObject<Shape>>>, now: Date) => ParameterFault[];
  /** The shape of `data`, or of each of its members. */
  record: z.ZodObject;
  /** Whether `data` is one record or an array of them. */
  many: boolean;
  /** The shape of `metadata`, where there is one. */
  metadata?: z.ZodObject;
  /** The record as `format=csv` shows it, where the parameters decide. */
  csvRecord?: (values: z.output<z.ZodObject<Shape>>) => z.ZodObject;
  /** @throws InvalidParameters, UnknownStation, AmbiguousCity, and what the store throws */
  answer(values: z.output<z.ZodObject<Shape>>, context: Context): Promise<Answer>;
}

/** Checks an endpoint's parts against each other; the list of endpoints then holds them all alike. */
export function defineEndpoint<Shape extends z.ZodRawShape>(endpoint: Endpoint<Shape>): Endpoint {
  return endpoint as unknown as Endpoint;
}
