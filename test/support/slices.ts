import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

// How long the event loop is held in one slice, on the clock of the processor: other work of the machine, other threads and
// the engine do not count.

const SCHEDSTAT = `/proc/${process.pid}/task/${process.pid}/schedstat`;

/** Why slices cannot be measured here; undefined where they can. */
export const unmeasurable = existsSync(SCHEDSTAT)
  ? undefined
  : 'the kernel does not tell the processor time of a thread (schedstat)';

/** The longest slice of the event loop while something is under way, ms on the processor. */
export async function longestSlice(work: () => Promise<unknown>): Promise<number> {
  const file = openSync(SCHEDSTAT, 'r');
  const text = Buffer.alloc(100);
  // Its first number, ns; the kernel brings it up to date at each of its ticks, 4 ms at most.
  const processorMs = (): number =>
    Number.parseInt(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)), 10) / 1e6;
  let longest = 0;
  let before = processorMs();
  let isOver = false;
  const look = (): void => {
    if (isOver) return;
    const now = processorMs();
    longest = Math.max(longest, now - before);
    before = now;
    setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    isOver = true;
    closeSync(file);
  }
  return longest;
}

/** A request of a client; one with a body is a POST. */
export interface Asked {
  url: string;
  headers: Record<string, string>;
  body?: string;
}

/** A client in a thread of its own, which leaves this one to the service. */
export class ClientThread {
  readonly #worker = new Worker(
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', async ({ url, ...asked }) => {
      try {
        const response = await fetch(url, { method: asked.body === undefined ? 'GET' : 'POST', ...asked });
        for await (const chunk of response.body) chunk.length;
        parentPort.postMessage(response.status);
      } catch (error) {
        parentPort.postMessage(String(error.cause ?? error));
      }
    });`,
    { eval: true },
  );

  /** The status of an answer that has been read to its end, or what broke it. */
  ask(asked: Asked): Promise<number | string> {
    return new Promise((resolve, reject) => {
      this.#worker.removeAllListeners();
      this.#worker.once('message', resolve).once('error', reject).postMessage(asked);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}
