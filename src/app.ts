import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import express, { type Express, type Request, type RequestHandler, type Response } from 'express';
import type { Logger } from 'pino';
import { listAllRoutes } from './api/endpoint.js';
import { DEFAULT_SEAL_ORIGIN } from './config.js';
import { DOWNLOADS, ENDPOINTS } from './endpoints.js';
import { EVENTS, mountEvents } from './events/mount-events.js';
import type { FeedDependencies } from './events/feed.js';
import { mountSeals, SEALS } from './seals/routes/mount-seals.js';
import { SealLog, type SealSigner } from './seals/seal-log.js';
import { UNAVAILABLE } from './meta/unavailable.js';
import { ResponseCache } from './responses/cache.js';
import { admitPublicly, KeyGate, type RateLimits } from './auth/admission.js';
import { allowOrigins } from './http/cors.js';
import { docsPage } from './pages/docs.js';
import { mountDownloads } from './export/download.js';
import type { ExportFiles } from './export/files.js';
import { handleErrors, mountUnavailable, notFound, requireRead } from './http/error-handler.js';
import { requireHost, withoutOrigin } from './http/host-header.js';
import type { RequestClasses } from './http/listener.js';
import { mountHealth, type Readiness } from './observe/health.js';
import type { Keyring } from './auth/keys.js';
import type { Limits } from './auth/limits.js';
import { guardMcp, isMcp, MCP_CORS, mountMcp } from './mcp/mount-mcp.js';
import { Metrics } from './observe/metrics.js';
import { type CachedResponse, EndpointHandler } from './responses/endpoint-handler.js';
import { FastPath, type FastPathDependencies } from './responses/fast-path.js';
import { LocalClient } from './responses/local-client.js';
import { mount } from './responses/respond.js';
import { mountOpenApi } from './openapi/route.js';
import { mountScripts } from './recompute/mount-scripts.js';
import { withoutClient } from './http/request-scope.js';
import { securityHeaders } from './http/security-headers.js';
import {
  describeRequest,
  nameRoute,
  readId,
  watchResponses,
  type WatchResponse,
} from './observe/request-log.js';
import { parseTrace } from './observe/trace.js';
import { dashboardPage } from './pages/dashboard.js';
import { mountPages } from './pages/pages.js';
import { DirectoryReader } from './stations/directory.js';
import type { DamageWatch } from './observe/damage-watch.js';
import { DataStateReader } from './observe/data-state.js';
import { DataVersion } from './store/data-version.js';
import type { Store } from './store/store.js';
import { VERSION } from './lib/version.js';
import { type WorkerLimits, Workers } from './responses/workers.js';

/** Beside this file, and of its kind: tests run the sources. */
const WORKER = new URL(import.meta.resolve('./responses/worker.js'));

export interface AppDependencies extends RateLimits {
  store: Store;
  keyring: Keyring;
  logger: Logger;
  readiness: Readiness;
  /** The unreadable parts of the tables; none by default. */
  damage?: Pick<DamageWatch, 'parts'>;
  /** Proxies whose X-Forwarded-For tells a client's address: how many, or which; none if not given. */
  trustProxy?: number | string[];
  /** Where clients find the service, without a slash at the end; if not given, no shared response names a host. */
  publicUrl?: string | undefined;
  /** Bytes of responses to cache; 0 caches none. */
  cacheBytes: number;
  /** The provider of requests that name none (D27); the data decide if not given. */
  defaultProvider?: string | undefined;
  /** Whether assistants may ask at POST /mcp; they may if not given. */
  mcp?: boolean;
  /** Origins whose pages may read responses; none if not given. */
  corsOrigins?: readonly string[];
  /** The limits of an address that asks without a key (D60); if not given, every request needs one. */
  publicRead?: Limits | undefined;
  /** Where exports are kept as files; without it every export is streamed. */
  exportFiles?: ExportFiles | undefined;
  /** How often streams of events look for a load and send a heartbeat. */
  eventTimes?: Pick<FeedDependencies, 'lookMs' | 'heartbeatMs'>;
  /** Limits of worker threads other than theirs. */
  workerLimits?: Partial<WorkerLimits>;
  /** Who vouches for the log of versions; nobody if not given. */
  seals?: SealSigner;
  clock?: () => Date;
}

/** The service; `classes` are those of a listener in which it is fastest. Requests that never end, end with endStreams(). */
export type App = RequestListener & {
  /** The responses that have not ended. */
  underWay: ReadonlySet<ServerResponse>;
  classes: RequestClasses;
  /** Reads the stations and providers, which the first request would wait for. @throws what the store throws */
  prepare: () => Promise<void>;
  endStreams: () => void;
  close: () => Promise<void>;
};

/** The prefix of all paths of the API. */
const API = '/api/v1';

/** The service as an Express application, with a fast path beside it; it does not listen. */
export function createApp(dependencies: AppDependencies): App {
  const { store, logger, damage = { parts: [] }, clock = () => new Date() } = dependencies;
  const place = readPlace(dependencies.publicUrl);
  const dataVersion = new DataVersion(store);
  const directory = new DirectoryReader(store, dependencies.defaultProvider);
  const sources = { store, dataVersion, directory, clock };
  const responses = new ResponseCache<CachedResponse>(dependencies.cacheBytes);
  const seals = new SealLog(store, dataVersion, dependencies.seals ?? { origin: DEFAULT_SEAL_ORIGIN });
  const dataState = new DataStateReader(store, dataVersion, directory);
  const underWay = new Set<ServerResponse>();
  const metrics = new Metrics({ store, dataState, damage, responses, underWay, clock });
  const watch = watchResponses(logger, metrics, underWay);
  const gate = new KeyGate(dependencies.keyring, dependencies, clock);
  const onError = (error: unknown): void => logger.error({ err: error }, 'a worker has failed');
  const workers = new Workers(WORKER, onError, dependencies.workerLimits);
  const { basePath } = place;
  const handlers = ENDPOINTS.map(
    (endpoint) => new EndpointHandler(endpoint, { ...sources, workers, responses, metrics, basePath }),
  );

  const app = makeExpress(dependencies.trustProxy);
  const findClient = clientFinder(app);
  const begin = beginCached(findClient, watch);
  const fastPath = new FastPath({ responses, dataVersion, gate, metrics, clock, begin, nameRoute });
  app.use(beginRequest(dependencies, basePath, { findClient, watch }));
  mountHealth(app, { store, readiness: dependencies.readiness, damage }, VERSION);
  mountPublicly(app, dependencies, place, clock);
  app.use(gate.admit);
  mountScripts(app, API, handlers, { directory, publicUrl: dependencies.publicUrl });
  mount(app, API, handlers, fastPath);
  const client = new LocalClient(`${basePath}${API}`, handlers, clock, sources, {
    '/seals': async () => ({ data: (await seals.current()).checkpoint }),
  });
  if (dependencies.mcp !== false) mountMcp(app, client, metrics, place.origin);
  mountDownloads(app, API, DOWNLOADS, { ...sources, files: dependencies.exportFiles });
  const feed = mountEvents(app, API, { ...sources, ...dependencies.eventTimes, isValid: gate.isValid });
  mountSeals(app, API, { store, log: seals });
  mountUnavailable(app, API, UNAVAILABLE);
  app.get('/metrics', metrics.show);
  const responsePaths = [...ENDPOINTS, ...DOWNLOADS, ...SEALS].flatMap(listPaths);
  app.use(notFound([...responsePaths, ...ENDPOINTS.flatMap(listAllRoutes)]), handleErrors);
  const listener: RequestListener = (request, response) => {
    if (!fastPath.respond(request, response)) app(request, response);
  };
  return Object.assign(listener, {
    underWay,
    classes: makeClasses(app),
    prepare: async () => {
      await directory.at(await dataVersion.current());
    },
    endStreams: () => feed.close(),
    close: () => workers.close(),
  });
}

/** Where clients find the service, by its public URL. */
interface Place {
  origin: string | undefined;
  /** The path before all others, without a slash at its end; blank for the root. */
  basePath: string;
}

function readPlace(publicUrl: string | undefined): Place {
  if (publicUrl === undefined) return { origin: undefined, basePath: '' };
  const { origin, pathname } = new URL(publicUrl);
  return { origin, basePath: pathname === '/' ? '' : pathname };
}

const listPaths = (offered: { path: string } | { paths: readonly string[] }): readonly string[] =>
  'paths' in offered ? offered.paths : [offered.path];

function makeExpress(trustProxy: AppDependencies['trustProxy'] = 0): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag'); // a tag of the bytes would need them for a 304: the endpoints have their own
  app.set('trust proxy', trustProxy);
  app.set('query parser', false); // the query is read once, by readParameters
  return app;
}

type FindClient = (request: IncomingMessage) => string | undefined;

/**
 * Finds the address of a client, undefined of a connection that has gone. Express reads it from the forwarded ones even where
 * they are missing: 2 µs of the 50 of a cached response.
 */
function clientFinder(app: Express): FindClient {
  return (request) => {
    if (request.headers['x-forwarded-for'] === undefined) return request.socket.remoteAddress;
    // On the fast path it is no request of Express yet, unless the listener has its classes.
    if (Object.getPrototypeOf(request) !== app.request) Object.setPrototypeOf(request, app.request);
    return (request as Request).ip;
  };
}

/** Begins every request: its log line, its headers, its path, its host and its origin. In one layer, as each has its price. */
function beginRequest(
  { logger, corsOrigins = [], mcp = true }: AppDependencies,
  basePath: string,
  { findClient, watch }: { findClient: FindClient; watch: WatchResponse },
): RequestHandler {
  const secure = securityHeaders();
  const allow = corsOrigins.length > 0 ? allowOrigins(corsOrigins) : undefined;
  const allowMcp = mcp && allow !== undefined ? allowOrigins(corsOrigins, MCP_CORS) : undefined;
  return (request, response, next) => {
    const goOn = (): void => {
      if (!(mcp && isMcp(request))) requireRead(request);
      next();
    };
    request.id = readId(request);
    request.trace = parseTrace(request.headers.traceparent);
    Object.assign(response.locals, { logger, client: findClient(request) });
    watch(response, () => describeRequest(request, response));
    response.setHeader('X-Request-Id', request.id);
    // The rest reads the path, and responses show it.
    request.url = withoutOrigin(request.url);
    request.originalUrl = request.url;
    // A proxy may have taken the base path off, or not.
    const isBase = basePath !== '' && request.path === basePath;
    if (basePath !== '' && request.url.startsWith(`${basePath}/`)) {
      request.url = request.url.slice(basePath.length);
    }
    secure(response, request.url.startsWith('/api/'));
    requireHost(request);
    if (isBase) {
      withoutClient(response);
      response.redirect(308, `${basePath}/${request.url.slice(basePath.length)}`);
      return;
    }
    if (allow === undefined) goOn();
    else (isMcp(request) ? (allowMcp ?? allow) : allow)(request, response, goOn);
  };
}

/** Begins a request of the fast path, which Express never sees. */
const beginCached =
  (findClient: FindClient, watch: WatchResponse): FastPathDependencies['begin'] =>
  (request, response, { keyId, route }) => {
    const { method, url, headers } = request;
    const [id, trace, client] = [readId(request), parseTrace(headers.traceparent), findClient(request)];
    watch(response, () => ({ id, method, url, client, trace, keyId, route }));
    return id;
  };

/** Mounts all that needs no key: the document, the pages, and with public reading the routes that it opens. */
function mountPublicly(
  app: Express,
  { publicUrl, publicRead, corsOrigins = [], mcp = true }: AppDependencies,
  { origin, basePath }: Place,
  clock: () => Date,
): void {
  mountOpenApi(app, publicUrl, basePath);
  mountPages(app, [dashboardPage(publicRead !== undefined), docsPage(publicRead !== undefined)]);
  if (mcp) guardMcp(app, origin === undefined ? corsOrigins : [...corsOrigins, origin]);
  if (publicRead === undefined) return;
  const open = ENDPOINTS.filter(({ isPerClient }) => isPerClient !== true);
  const paths = [...open.flatMap(listAllRoutes), ...[...DOWNLOADS, EVENTS, ...SEALS].map(({ path }) => path)];
  app.get(
    paths.map((path) => `${API}${path}`),
    admitPublicly(publicRead, clock),
  );
}

/**
 * Makes the classes of an application's requests and responses. A prototype that is changed later makes Node's own work on
 * them slow: a cached response takes 185 µs then, and 50 so.
 */
function makeClasses(app: Express): RequestClasses {
  class OfRequest extends IncomingMessage {}
  class OfResponse extends ServerResponse {}
  Object.setPrototypeOf(OfRequest.prototype, app.request);
  Object.setPrototypeOf(OfResponse.prototype, app.response);
  app.request = OfRequest.prototype as Request;
  app.response = OfResponse.prototype as Response;
  return { IncomingMessage: OfRequest, ServerResponse: OfResponse } as unknown as RequestClasses;
}
