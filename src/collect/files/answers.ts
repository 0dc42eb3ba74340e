import { Piscina } from 'piscina';
import { GapError } from '../source.js';
import type { SourceFile } from './source-file.js';

// The rows of responses, computed in a worker thread: the expressions of a source file are the program of somebody else (D86).

/** The longest that the rows of a response may take, and the memory for them. Tests wait less. */
export const LIMITS = { maxMs: 8000, maxHeapMb: 512 };
/** A machine that others keep busy gets longer: there, a response of seven places has taken more than 8 s. */
const MAX_TIMES = 6;
const IDLE_MS = 2000;

export type Cell = string | number | null;
/** The cells of the rows of a place, in the order of the columns. */
export type RowsOfPlace = { cells: Cell[][] } | { failure: string };

export interface RowsTask extends Pick<
  SourceFile,
  'format' | 'delimiter' | 'unended' | 'rows' | 'checks' | 'each'
> {
  body: string;
  /** An expression for each cell of a row. */
  columns: readonly string[];
  /** The variables of each place: $place, $asked, $modified, $run, $from, $to, $headers. */
  variables: readonly Record<string, unknown>[];
}

let pool: Piscina<RowsTask, RowsOfPlace[] | { failure: string }> | undefined;
let turn: Promise<unknown> = Promise.resolve();

/** One response after the other: the time of one begins when it has the thread. @throws GapError where no place of it can be read */
export function computeRows(task: RowsTask): Promise<RowsOfPlace[]> {
  const parts = turn.then(() => compute(task));
  turn = parts.catch(() => {});
  return parts;
}

async function compute(task: RowsTask): Promise<RowsOfPlace[]> {
  pool ??= new Piscina({
    filename: import.meta.resolve('./answer-worker.js'),
    ...{ minThreads: 0, maxThreads: 1, idleTimeout: IDLE_MS },
    resourceLimits: { maxOldGenerationSizeMb: LIMITS.maxHeapMb },
    // No expression has a way to it; nor should one that finds a way.
    env: {},
  }).on('error', () => {});
  const { maxMs } = LIMITS;
  const late = new AbortController();
  const { signal } = late;
  const [began, usage] = [performance.now(), process.cpuUsage()];
  const timer = setInterval(() => {
    const { user, system } = process.cpuUsage(usage);
    const passed = performance.now() - began;
    const isSpent = (user + system) / 1000 >= maxMs;
    if (passed >= (isSpent ? maxMs : MAX_TIMES * maxMs)) late.abort();
  }, maxMs / 20);
  let parts: RowsOfPlace[] | { failure: string };
  try {
    parts = await pool.run(task, { signal });
  } catch (error) {
    if (signal.aborted) throw new GapError(`its expressions take more than ${maxMs / 1000} s`);
    if ((error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw new GapError(`its expressions need more than ${LIMITS.maxHeapMb} MB`);
    throw error;
  } finally {
    clearInterval(timer);
  }
  if ('failure' in parts) throw new GapError(parts.failure);
  return parts;
}
