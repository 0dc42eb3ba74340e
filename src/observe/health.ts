import type { IRouter } from 'express';
import { z } from 'zod';
import type { Store } from '../store/store.js';

/** Whether the service should be sent requests: false while it drains. */
export interface Readiness {
  ready: boolean;
}

export const healthBody = z
  .object({
    status: z.enum(['ok', 'degraded']),
    timestamp: z.iso.datetime(),
    database: z.enum(['ok', 'unavailable']),
    version: z.string(),
  })
  .meta({ id: 'Health' });

/** Adds the health routes (D21), which need no key and tell nothing about the engine. */
export function mountHealth(router: IRouter, store: Store, readiness: Readiness, version: string): void {
  const answers = async (): Promise<boolean> =>
    store.ping().then(
      () => true,
      () => false,
    );
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    response.locals.isDraining = !readiness.ready;
    const ready = readiness.ready && (await answers());
    response.status(ready ? 200 : 503).json({ status: ready ? 'ready' : 'not ready' });
  });
  router.get('/api/v1/health', async (_request, response) => {
    const database = await answers();
    response.status(database ? 200 : 503).json({
      status: database ? 'ok' : 'degraded',
      timestamp: new Date().toISOString(),
      database: database ? 'ok' : 'unavailable',
      version,
    } satisfies z.input<typeof healthBody>);
  });
}
