import type { Settings } from '../../queries/sql.js';

/** The values of a statement's `{name: Type}` bindings, by name. */
export type QueryParams = Record<
  string,
  string | number | readonly string[] | readonly number[] | WrittenValue
>;

/** A value as a client writes it for ClickHouse's HTTP interface; for the embedded engine, which other processes use so. */
export class WrittenValue {
  constructor(readonly text: string) {}
}

/**
 * The kind of a query, and so how long it waits. `short`: it reads little. `ahead`: a short one that much depends
 * on, which waits for no other. `long`: it may take long, and has few of the places, so that others never wait for such
 * ones alone. `any`: nothing is known of it.
 */
export type Priority = 'ahead' | 'short' | 'long' | 'any';

/** The request that a query is for. A server notes it in its log of queries, so that each key's share can be told. */
export interface QueryOrigin {
  /** The way by which the request came in, such as `api`. */
  transport: string;
  /** The operation that it asks for, as the OpenAPI document names it. */
  operation: string;
  /** The id of its key, never the secret. */
  keyId: string | undefined;
  requestId: string;
  trace: Trace | undefined;
}

/** The place of a request in its client's trace (W3C Trace Context). */
export interface Trace {
  trace_id: string;
  /** The caller's span; the service makes no span. */
  span_id: string;
  /** The header, to be sent on. */
  traceparent: string;
}

export interface ReadOptions {
  settings?: Settings;
  /** How long the engine itself may work on the statement, ms. */
  timeoutMs: number;
  priority: Priority;
  /** Aborted when nobody waits for the response any more: then the statement ends where the engine can end it. */
  signal?: AbortSignal | undefined;
  /** The embedded engine has no log of queries, and does without it. */
  origin?: QueryOrigin | undefined;
}

/**
 * Settings of the HTTP interface, which travel in the URL. A response comes when it is whole, so that an error has a
 * status of its own; a read cannot write, which also tells an engine that relays it that it is one; and it is cancelled when nobody waits for it.
 */
export const READ_SETTINGS = {
  wait_end_of_query: 1,
  readonly: '2',
  cancel_http_readonly_queries_on_client_close: 1,
} as const;

/**
 * The way to one ClickHouse: the engine in this process (embedded.ts), or a server, also the one that another process
 * shares on a socket (server.ts). Errors are thrown as one of the classes in errors.ts, or as ClickHouse reports them.
 */
export interface Transport {
  /** Queries that it can run at the same time, at best. */
  readonly queriesAtOnce: number;
  /** The servers' name of the cluster over which the tables are spread, if they are. */
  readonly cluster?: string | undefined;
  /** How many replicas of a shard have an insert when it returns; 1, unless it is set. */
  insertQuorum?: number;
  /**
   * Runs a SELECT that ends in its FORMAT.
   * @returns the bytes of the response, in the FORMAT that the statement names
   */
  read(sql: string, params: QueryParams, options: ReadOptions): Promise<Buffer>;
  /**
   * Runs any statement, without a time limit and never twice; on a cluster, on every server of it.
   * @param data what an INSERT inserts, in the format that it names
   * @returns the bytes of its response
   */
  write(sql: string, params: QueryParams, data?: string): Promise<Buffer>;
  /** Parts that a full disk had emptied and that went back to their sources; of the embedded engine alone. */
  readonly partsTakenBack?: number;
  /**
   * Looks at the files of all parts that were written since the engine opened, and takes back those that are not whole; of the embedded engine alone.
   * @returns how many it could not take back, and has put aside as damage
   */
  confirmParts?(): Promise<number>;
  close(): Promise<void>;
}

/**
 * A statement with its settings at the end, where nothing but a transport writes them. They travel in the statement: the
 * embedded engine would keep those of a client for every later statement of its connection.
 */
export function withSettings(sql: string, settings: Settings = {}): string {
  const written = Object.entries(settings).map(([name, value]) => {
    return `${name} = ${typeof value === 'number' ? value : quoted(value)}`;
  });
  return written.length === 0 ? sql : `${sql} SETTINGS ${written.join(', ')}`;
}

/** A text as in a statement. */
export function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\0', '\\0')}'`;
}

/** All of a body that comes in pieces. */
export async function collect(stream: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  const [first = Buffer.alloc(0), ...more] = chunks;
  return more.length === 0 ? first : Buffer.concat(chunks); // 21 MB are copied in 2 to 13 ms
}
