import { OperatorFault } from './operator-fault.js';

/** A signal that the first SIGINT or SIGTERM aborts, so that a command can end in good order; a second one kills it. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort(new OperatorFault(`stopped by ${signal}; run it again to complete what it began`));
    });
  }
  return controller.signal;
}
