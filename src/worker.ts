import { performance } from 'node:perf_hooks';
import type { MessagePort } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Sources } from './api/endpoint.js';
import { apiError } from './api/errors/errors.js';
import { ENDPOINTS } from './endpoints.js';
import { DirectoryReader } from './stations/directory.js';
import { rowsIn } from './store/rows.js';
import { make } from './answers/body.js';
import type { Task, WorkerAnswer, WorkerError, WorkerRows, WorkerStatement } from './workers.js';

// A worker thread (workers.ts) runs one endpoint at a time, which reads through the server's thread.

let query: Sources['query'];
const directories = new DirectoryReader({ query: (rows) => query(rows) });

/** No answer that is made here depends on who asks, when or where (EndpointDefinition.workMs). */
const ANYBODY = { caller: undefined as never, now: undefined as never, basePath: '' };

/** Reads through the server's thread. */
function queryThrough(port: MessagePort): Sources['query'] {
  const waiting = new Map<number, { resolve: (bytes: Buffer) => void; reject: (error: Error) => void }>();
  let id = 0;
  port.on('message', ({ id, bytes }: WorkerRows) => {
    const { resolve, reject } = waiting.get(id)!;
    waiting.delete(id);
    if (bytes === undefined) reject(new Error('the statement failed'));
    else resolve(Buffer.from(bytes));
  });
  return async ({ statement, row }, priority) => {
    id += 1;
    const asked: WorkerStatement = { id, statement, priority };
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      waiting.set(asked.id, { resolve, reject });
      port.postMessage(asked);
    });
    return rowsIn(bytes).parse(row);
  };
}

/** Makes one answer. */
export default async function work({ port, ...task }: Task & { port: MessagePort }): Promise<unknown> {
  const { operationId, question, version, named } = task;
  const endpoint = ENDPOINTS.find((each) => each.operationId === operationId)!;
  const before = performance.eventLoopUtilization();
  query = queryThrough(port);
  try {
    const directory = await directories.at(version, named);
    const made = await make(endpoint, question, { query, directory, ...ANYBODY }, version);
    const workMs = performance.eventLoopUtilization(before).active;
    return moved({ headers: made.headers, verified: made.verified, parts: [...made.body.parts], workMs });
  } catch (error) {
    const { code, message, details } = apiError(error);
    if (code === 'INTERNAL') throw error;
    return { error: { code, message, ...(details && { details }) } } satisfies WorkerError;
  } finally {
    port.close();
  }
}

/** An answer whose long parts are given away, not copied. */
function moved(answer: WorkerAnswer): unknown {
  const long = answer.parts.flatMap((part) =>
    part instanceof Uint8Array ? [part.buffer as ArrayBuffer] : [],
  );
  return move({ [transferableSymbol]: long, [valueSymbol]: answer });
}
