import { pino } from 'pino';

/** Lines that are written together, bytes. */
const BATCH_BYTES = 32 * 1024;

/** How long a line waits for others, ms. */
const MAX_WAIT_MS = 100;

/**
 * Where lines of the log go. A line waits neither for the disk nor for others beyond a moment; what is left goes out as the
 * process ends. A write of its own for each line is a tenth of the work on a cached response.
 * @param fd a file descriptor; standard output if not given
 */
export function logDestination(fd = 1): { write: (line: string) => void } {
  const destination = pino.destination({
    dest: fd,
    sync: false,
    minLength: BATCH_BYTES,
    maxWrite: 2 * BATCH_BYTES,
  });
  let flushing: NodeJS.Timeout | undefined;
  const flush = (): void => {
    flushing = undefined;
    destination.flush();
  };
  return {
    write: (line) => {
      destination.write(line);
      flushing ??= setTimeout(flush, MAX_WAIT_MS).unref();
    },
  };
}
