import { OperatorFault } from './operator-fault.js';

/** Is aborted by the first SIGINT or SIGTERM, so that a command can end in good order; a second one kills it. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      controller.abort(
        new OperatorFault(`stopped by ${signal}; what was begun is completed when it is run again`),
      );
    });
  }
  return controller.signal;
}
