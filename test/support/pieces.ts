import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

// How long a piece of work holds the event loop, on the clock of the processor: other work of the machine, other threads and
// the engine do not count.

const SCHEDSTAT = `/proc/${process.pid}/task/${process.pid}/schedstat`;

/** Why pieces cannot be measured here; undefined where they can. */
export const unmeasurable = existsSync(SCHEDSTAT)
  ? undefined
  : 'the kernel does not tell the processor time of a thread (schedstat)';

/** A turn of the event loop: nothing else ran on its thread meanwhile. */
interface Turn {
  begin: number;
  end: number;
  processorMs: number;
}

/** Shorter turns are not looked at. */
const MIN_MS = 5;

/** The longest piece of work in the event loop while something is under way, ms on the processor without collections of garbage. */
export async function longestPiece(work: () => Promise<unknown>): Promise<number> {
  const turns: Turn[] = [];
  const collections: PerformanceEntry[] = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const file = openSync(SCHEDSTAT, 'r');
  const text = Buffer.alloc(100);
  // Its first number, ns; the kernel brings it up to date at each of its ticks, 4 ms at most.
  const processorMs = (): number =>
    Number.parseInt(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)), 10) / 1e6;
  let isOver = false;
  let [began, before] = [performance.now(), processorMs()];
  const look = (): void => {
    if (isOver) return;
    const [end, now] = [performance.now(), processorMs()];
    if (now - before > MIN_MS) turns.push({ begin: began, end, processorMs: now - before });
    [began, before] = [end, now];
    setImmediate(look);
  };
  setImmediate(look);
  try {
    await work();
  } finally {
    await nextTurn(); // the last turn ends, and its collections are told
    isOver = true;
    closeSync(file);
    observer.disconnect();
  }
  return Math.max(0, ...turns.map((turn) => turn.processorMs * (1 - shareOf(turn, collections))));
}

/** The share of a turn that garbage was collected in. */
function shareOf({ begin, end }: Turn, collections: readonly PerformanceEntry[]): number {
  const within = collections.map(({ startTime, duration }) =>
    Math.max(0, Math.min(end, startTime + duration) - Math.max(begin, startTime)),
  );
  return within.reduce((sum, ms) => sum + ms, 0) / (end - begin);
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
