import { performance } from 'node:perf_hooks';
import type { MessagePort } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol } from 'piscina';
import type { Sources } from '../api/endpoint.js';
import { apiError } from '../api/errors/api-error.js';
import { ENDPOINTS } from '../endpoints.js';
import { DirectoryReader } from '../stations/directory.js';
import { rowsIn } from '../store/rows.js';
import { render } from './render.js';
import type { Task, WorkerResponse, WorkerError, WorkerRows, WorkerStatement } from './workers.js';

// A worker thread (workers.ts) runs one endpoint at a time, which reads through the server's thread.

let query: Sources['query'];
const directories = new DirectoryReader({ query: (rows) => query(rows) });

/** No response that is rendered here depends on the client (EndpointDefinition.estimatedCpuMs). */
const ANYBODY = { caller: undefined as never, basePath: '' };

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
    const requested: WorkerStatement = { id, statement, priority };
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      waiting.set(requested.id, { resolve, reject });
      port.postMessage(requested);
    });
    return rowsIn(bytes).parse(row);
  };
}

/** Renders one response. */
export default async function work({ port, ...task }: Task & { port: MessagePort }): Promise<unknown> {
  const { operationId, params, version, named, now } = task;
  const endpoint = ENDPOINTS.find((each) => each.operationId === operationId)!;
  const before = performance.eventLoopUtilization();
  query = queryThrough(port);
  try {
    const directory = await directories.at(version, named);
    const sources = { query, directory, now, ...ANYBODY };
    const { headers, body, verified } = await render(endpoint, params, sources, version);
    const { active: workMs } = performance.eventLoopUtilization(before);
    return moved({ headers, verified, body: body.buffer as ArrayBuffer, workMs });
  } catch (error) {
    const { code, message, details } = apiError(error);
    if (code === 'INTERNAL') throw error;
    return { error: { code, message, ...(details && { details }) } } satisfies WorkerError;
  } finally {
    port.close();
  }
}

/** A response, its body given away and not copied. */
function moved(response: WorkerResponse): unknown {
  return move({ [transferableSymbol]: [response.body], [valueSymbol]: response });
}
