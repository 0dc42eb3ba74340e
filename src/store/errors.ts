import { OperatorFault } from '../operator-fault.js';

/** The engine gave up a statement at its time limit. */
export class QueryTimeout extends Error {}

/** More statements wait than the engine could answer in good time. */
export class StoreOverloaded extends Error {}

/** The engine cannot be reached, or has been closed. */
export class StoreUnavailable extends OperatorFault {}

/** The store cannot be opened; the message names the setting to look at. */
export class StoreNotOpened extends OperatorFault {}

// ClickHouse error codes. Compared as text: the embedded engine's errors are no instances of the client's class.
const TIMEOUT_EXCEEDED = '159';
const TIMEOUT_BEFORE_CHECKING_EXECUTION_SPEED = '160';
const TOO_MANY_SIMULTANEOUS_QUERIES = '202';
const MEMORY_LIMIT_EXCEEDED = '241';
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENOENT',
]);

export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Names what went wrong in the words a caller can act on; an error of any other kind comes back as it is. */
export function storeError(error: unknown): unknown {
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === TIMEOUT_EXCEEDED || code === TIMEOUT_BEFORE_CHECKING_EXECUTION_SPEED) {
    return new QueryTimeout(message, { cause: error });
  }
  if (code === TOO_MANY_SIMULTANEOUS_QUERIES || code === MEMORY_LIMIT_EXCEEDED) {
    return new StoreOverloaded(message, { cause: error });
  }
  if (UNREACHABLE.has(code) || /is closed|socket hang up/i.test(message)) {
    return new StoreUnavailable(
      `the connection to ClickHouse was lost (${message}); run it again when it is back`,
      {
        cause: error,
      },
    );
  }
  if (/^Timeout error\.?$/i.test(message)) return new QueryTimeout(message, { cause: error });
  return error;
}
