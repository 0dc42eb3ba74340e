import type { IRouter } from 'express';
import { z } from 'zod';
import type { Store } from '../store/store.js';
import type { DamageWatch } from './damage-watch.js';

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

/** Adds the health routes, which need no key and tell nothing about the engine. */
export function mountHealth(
  router: IRouter,
  { store, readiness, damage }: { store: Store; readiness: Readiness; damage: Pick<DamageWatch, 'parts'> },
  version: string,
): void {
  const isReachable = async (): Promise<boolean> =>
    store.ping().then(
      () => true,
      () => false,
    );
  router.get('/healthz', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    response.locals.isDraining = !readiness.ready;
    const ready = readiness.ready && (await isReachable());
    const state = { status: ready ? 'ready' : 'not ready' };
    // Readable data are still answered, so a balancer has to send requests.
    response.status(ready ? 200 : 503).json(damage.parts.length > 0 ? { ...state, data: 'damaged' } : state);
  });
  router.get('/api/v1/health', async (_request, response) => {
    const database = await isReachable();
    response.setHeader('Cache-Control', 'no-store');
    response.status(database ? 200 : 503).json({
      status: database ? 'ok' : 'degraded',
      timestamp: new Date().toISOString(),
      database: database ? 'ok' : 'unavailable',
      version,
    } satisfies z.input<typeof healthBody>);
  });
}
