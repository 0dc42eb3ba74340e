import { randomUUID } from 'node:crypto';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { ENDPOINTS } from './endpoints/index.js';
import { Answers } from './http/answers.js';
import { limitRate, requireKey } from './http/auth.js';
import { handleErrors, notFound, onlyReads } from './http/errors.js';
import { healthRoutes, type Readiness } from './http/health.js';
import type { Keyring } from './http/keys.js';
import { Metrics } from './http/metrics.js';
import { type KeptAnswer, mount } from './http/mount.js';
import { openApiDocument } from './http/openapi.js';
import { Directory } from './stations/directory.js';
import { DataVersion } from './store/data-version.js';
import type { Store } from './store/store.js';
import { VERSION } from './version.js';

export interface AppDependencies {
  store: Store;
  keyring: Keyring;
  logger: Logger;
  readiness: Readiness;
  rateLimitPerMinute: number;
  /** Bytes of answers to keep; 0 keeps none. */
  cacheBytes: number;
  clock?: () => Date;
}

/** The service as an Express application; it does not listen. */
export function createApp(dependencies: AppDependencies): Express {
  const { store, keyring, logger, readiness, rateLimitPerMinute, clock = () => new Date() } = dependencies;
  const answers = new Answers<KeptAnswer>(dependencies.cacheBytes);
  const metrics = new Metrics(store, answers);
  const document = openApiDocument(ENDPOINTS, VERSION);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // it would be of the bytes, which differ in generated_at: the endpoints make their own
  app.set('query parser', false); // the query is read once, by readParameters

  app.use(
    pinoHttp({
      logger,
      // D23: the caller's id when it is sane: what it may hold ends up in logs and headers.
      genReqId: (request, response) => {
        const given = request.headers['x-request-id'];
        const id = typeof given === 'string' && /^[\w.:/+=@-]{1,128}$/.test(given) ? given : randomUUID();
        response.setHeader('X-Request-Id', id);
        return id;
      },
      customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
      // All that a line needs; headers, and with them the key, stay out.
      serializers: {
        req: (request: { id: string; method: string; url: string }) => ({
          id: request.id,
          method: request.method,
          url: withoutKeys(request.url),
        }),
        res: (response: { statusCode: number }) => ({ status: response.statusCode }),
      },
    }),
  );
  app.use(metrics.measure, helmet(), onlyReads);

  app.use(healthRoutes(store, readiness, VERSION));
  app.get('/openapi.json', (_request, response) => {
    response.json(document);
  });

  app.use(requireKey(keyring));
  app.get('/metrics', metrics.show);
  app.use(
    '/api/v1',
    limitRate(rateLimitPerMinute),
    mount(ENDPOINTS, {
      store,
      dataVersion: new DataVersion(store),
      directory: new Directory(store),
      answers,
      metrics,
      clock,
    }),
  );
  app.use(notFound, handleErrors);
  return app;
}

/** A key that somebody put into a URL is not to stay in the log. */
function withoutKeys(url: string): string {
  return url.replace(/(fas(?:_|%5f)[a-z0-9]{8})(?:_|%5f)[\w%-]+/gi, '$1_[redacted]');
}
