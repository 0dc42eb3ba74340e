import { UserError } from '../lib/user-error.js';

/** The time that running work has after a signal, if a command says nothing else. */
const GRACE_MS = 4000;

/**
 * A signal that the first SIGINT or SIGTERM aborts, so that a command can end in good order. A second one kills it, and so
 * does the end of the grace: a statement may take minutes, and what it leaves is reconciled by the next load.
 */
export function stopSignal(graceMs = GRACE_MS): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort(new UserError(`stopped by ${signal}; run it again to complete what it began`));
      setTimeout(() => {
        console.error(`killed ${graceMs / 1000} s after ${signal}, in the middle of its work; run it again`);
        process.kill(process.pid, 'SIGKILL');
      }, graceMs).unref();
    });
  }
  return controller.signal;
}
