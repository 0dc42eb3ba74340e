import { UserError } from '../lib/user-error.js';

// `apiCode` is the code by which clients of the API hear of an error (api/errors/api-error.ts).

/** The engine gave up a query at its time limit, or a server did not answer much longer. */
export class QueryTimeout extends UserError {
  readonly apiCode = 'QUERY_TIMEOUT';
}

/** A query needs more memory, rows or temporary data than one query may use. */
export class QueryTooLarge extends Error {
  readonly apiCode = 'QUERY_TOO_LARGE';
}

/** More statements wait than the engine could answer in good time, or it has no room for another. */
export class StoreOverloaded extends Error {
  readonly apiCode = 'OVERLOADED';
}

/** Nobody waits for the rows any more. */
export class QueryAbandoned extends Error {}

/** The engine cannot be reached, answers nonsense, or has been closed. */
export class StoreUnavailable extends UserError {
  readonly apiCode = 'STORE_UNAVAILABLE';
}

/** The engine can write nothing, also no temporary data of a query: its disk is full, or may only be read. */
export class StoreNotWritable extends UserError {
  readonly apiCode = 'STORE_UNAVAILABLE'; // a query that sorts or groups on disk writes, too
}

/** A part of the data cannot be read, or is lost. */
export class StoreDamaged extends UserError {
  readonly apiCode = 'STORE_UNAVAILABLE';
  readonly clientMessage = 'Some of the data cannot be read; the operator has to restore them';
}

/** The store cannot be opened; the message names the setting to look at. */
export class StoreNotOpened extends UserError {}

const NAMED = [QueryTimeout, QueryTooLarge, QueryAbandoned, StoreOverloaded, UserError];

// ClickHouse's error codes, compared as text: the embedded engine's errors are not instances of the client's class.
const TIMED_OUT = new Set([
  '159', // TIMEOUT_EXCEEDED
  '160', // TOO_SLOW
]);
const MEMORY_LIMIT_EXCEEDED = '241';
const TOO_LARGE = new Set([
  '158', // TOO_MANY_ROWS
  '191', // SET_SIZE_LIMIT_EXCEEDED
  '307', // TOO_MANY_BYTES
  '396', // TOO_MANY_ROWS_OR_BYTES, also of temporary data on disk
]);
const OVERLOADED = new Set([
  '201', // QUOTA_EXCEEDED
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '745', // SERVER_OVERLOADED
]);
const UNAVAILABLE = new Set([
  '192', // UNKNOWN_USER
  '194', // REQUIRED_PASSWORD
  '209', // SOCKET_TIMEOUT, of a shard
  '236', // ABORTED, as it shuts down
  '285', // TOO_FEW_LIVE_REPLICAS
  '319', // UNKNOWN_STATUS_OF_INSERT, as a replica went before it had the rows
  '394', // QUERY_WAS_CANCELLED, by an operator or as it shuts down
  '516', // AUTHENTICATION_FAILED
  '999', // KEEPER_EXCEPTION
]);
const NOT_WRITABLE = new Set([
  '242', // TABLE_IS_READ_ONLY
  '243', // NOT_ENOUGH_SPACE
]);
/** Codes for a part, or its metadata, whose bytes are missing or do not match their checksum. */
const DAMAGED = new Set(['40', '226', '228', '231', '246', '273']);
/** Codes of parsing: of a statement or its data, or of a file of the store, which the message then names. */
const NOT_PARSED = new Set(['27', '32', '33', '117']);
const STORE_FILE = /\bparts?\b|checksum|metadata file|\.(bin|c?mrk\d?|idx|sql|txt)\b/i;
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ETIMEDOUT',
  'ENOENT',
  '210', // NETWORK_ERROR, of a shard
  '279', // ALL_CONNECTION_TRIES_FAILED, of a shard
]);
/** Messages about a broken connection, whatever the code: by Node, or by a server about its own one to a shard. */
const BROKEN = /socket hang up|while receiving packet/i;

/** The code of an error, ClickHouse's number or Node's name, as text; empty without one. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Whether ClickHouse itself told the error: its codes are numbers. */
export function isFromClickHouse(error: unknown): boolean {
  return /^\d+$/.test(errorCode(error));
}

/**
 * Whether a connection could not be made, or broke, also one from server to server of a cluster: what was asked may be
 * asked again on another.
 */
export function isConnectionLost(error: unknown): boolean {
  return UNREACHABLE.has(errorCode(error)) || BROKEN.test(getMessage(error));
}

/** Names what went wrong in the words a caller can act on; an error of any other kind comes back as it is. */
export function storeError(error: unknown): unknown {
  if (NAMED.some((kind) => error instanceof kind)) return error;
  const code = errorCode(error);
  const message = getMessage(error);
  const cause = { cause: error };
  if (TIMED_OUT.has(code)) return new QueryTimeout(message, cause);
  if (code === MEMORY_LIMIT_EXCEEDED) {
    // The message of a limit of the whole server, or of its user.
    return /\(total\)|\(for user\)|user memory limit/i.test(message)
      ? new StoreOverloaded(message, cause)
      : new QueryTooLarge(message, cause);
  }
  if (TOO_LARGE.has(code)) return new QueryTooLarge(message, cause);
  if (OVERLOADED.has(code)) return new StoreOverloaded(message, cause);
  if (NOT_WRITABLE.has(code) || /No space left on device|Read-only file system/i.test(message)) {
    return new StoreNotWritable(
      `the store cannot be written: ${firstLine(error)}; make room or let it be written, then run it again`,
      cause,
    );
  }
  if (/^Timeout error\.?$/i.test(message)) return new QueryTimeout(message, cause);
  const isLost = UNAVAILABLE.has(code) || isConnectionLost(error) || /is closed/i.test(message);
  if (isLost) return unavailable(error);
  // The bytes of a block may look like anything, such as an unknown codec.
  const isDamaged = DAMAGED.has(code) || (NOT_PARSED.has(code) && STORE_FILE.test(message));
  if (!isDamaged && !/\(while reading from part /.test(message)) return error;
  return new StoreDamaged(
    `DATA_DIR is damaged: ${firstLine(error)}; restore a backup, or load all feeds into a new folder`,
    cause,
  );
}

/** Names an error of a server: one that ClickHouse did not tell is one of the connection to it. */
export function serverError(error: unknown): unknown {
  const named = storeError(error);
  const isNamed = NAMED.some((kind) => named instanceof kind);
  return isNamed || isFromClickHouse(error) ? named : unavailable(error);
}

function unavailable(error: unknown): StoreUnavailable {
  return new StoreUnavailable(
    `the connection to ClickHouse was lost (${firstLine(error)}); run it again when it is back`,
    { cause: error },
  );
}

/** The message of an error. */
export function getMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The first line of what an error says, short enough to repeat. */
export function firstLine(error: unknown): string {
  return (getMessage(error).split('\n', 1)[0] ?? '').slice(0, 300).replace(/(?<![\s.])[\s.]+$/, '');
}
