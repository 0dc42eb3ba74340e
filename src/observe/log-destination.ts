import { pino } from 'pino';

/** Characters that are written together. */
const BATCH_LENGTH = 32 * 1024;

/** How long a line waits for others, ms. */
const MAX_WAIT_MS = 100;

interface LogDestination {
  write: (line: string) => void;
  /** Calls back when all lines are written: a process that exits would pass a write under way, or lose it. */
  flush: (done: () => void) => void;
}

/**
 * Where lines of the log go. A line waits neither for the disk nor for others beyond a moment; what is left goes out as the
 * process ends. Lines become bytes together: each by itself, they would take a tenth of the work on a cached response.
 * @param fd a file descriptor; standard output if not given
 */
export function logDestination(fd = 1): LogDestination {
  let lines = '';
  let flushing: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(flushing);
    flushing = undefined;
    const batch = lines;
    lines = '';
    if (batch !== '') destination.write(batch);
  };
  // The library flushes its own lines then, in a listener that comes after this one.
  process.prependListener('beforeExit', flush).prependListener('exit', flush);
  const destination = pino.destination({ dest: fd, sync: false, minLength: 1 }); // from 1 on, its flush waits
  return {
    write: (line) => {
      lines += line;
      if (lines.length >= BATCH_LENGTH) flush();
      else flushing ??= setTimeout(flush, MAX_WAIT_MS).unref();
    },
    flush: (done) => {
      flush();
      destination.flush(() => done());
    },
  };
}
