import type { IRouter, Request, Response } from 'express';
import { listRoutes } from '../api/endpoint.js';
import {
  ageSeconds,
  cacheControl,
  matchesIfNoneMatch,
  sendNotModified,
  withoutContent,
} from '../http/conditional.js';
import { acceptedEncoding } from '../http/encoding.js';
import { cachingHeaders, getCaller, requestScope, requestText } from '../http/request-scope.js';
import type { CachedResponse, EndpointHandler } from './endpoint-handler.js';
import type { FastPath } from './fast-path.js';
import { type ResponseCost, getFormatHeaders } from './render.js';

/** Adds the routes of the endpoints, below a prefix. */
export function mount(
  router: IRouter,
  prefix: string,
  handlers: readonly EndpointHandler[],
  fastPath: Pick<FastPath, 'remember'>,
): void {
  for (const handler of handlers) {
    // Each path by itself, as its metrics have its name: a figure's first, since chart.svg is no station.
    for (const path of listRoutes(handler.endpoint))
      router.get(prefix + path, (request, response) => respond(handler, fastPath, request, response));
  }
}

async function respond(
  handler: EndpointHandler,
  fastPath: Pick<FastPath, 'remember'>,
  request: Request,
  response: Response,
): Promise<void> {
  const now = handler.clock();
  const resolved = await handler.resolver.resolve(requestText(request, now));
  if (handler.endpoint.isUncacheable === true) {
    const computed = await handler.getOrCompute(resolved, now, requestScope(request, response));
    const { headers, body } = computed.response;
    send(response, { ...headers, 'Cache-Control': 'no-store' }, body);
    return;
  }
  const { isPublic = false } = response.locals;
  const { tag, isWindowClosed, version } = resolved;
  const { asOf } = resolved.parameters;
  const isGzip = acceptedEncoding(request, ['gzip']) === 'gzip';
  /** @param found undefined where a 304 does not know its 200; only a response itself says whether it is final */
  const makeHeaders = (found: CachedResponse | undefined, age?: string): Record<string, string> => ({
    ...(found?.headers ?? getFormatHeaders(resolved.params)),
    ...cachingHeaders(
      response,
      tag,
      cacheControl(isWindowClosed && found?.verified === true, asOf, isPublic),
      age,
    ),
  });
  if (matchesIfNoneMatch(request.headers['if-none-match'], tag)) {
    const cached = handler.get(resolved, isGzip);
    const known = cached ?? handler.get(resolved); // one that is still to be compressed has the same headers
    handler.countSource('not_modified', getCaller(response));
    sendNotModified(
      response,
      withoutContent(makeHeaders(known, known && ageSeconds(now, known.generatedMs))),
    );
    if (cached !== undefined)
      fastPath.remember(request, response, now, { tag, version: version.key, cached });
    return;
  }
  const {
    response: cached,
    source,
    cost,
  } = await handler.getOrCompute(resolved, now, requestScope(request, response), isGzip);
  const isHit = source === 'hit';
  const headers = makeHeaders(cached, isHit ? ageSeconds(now, cached.generatedMs) : undefined);
  const timing = isHit ? 'cache;desc=hit' : serverTiming(cost);
  send(response, { ...headers, ...(!isPublic && { 'Server-Timing': timing }) }, cached.body);
  fastPath.remember(request, response, now, { tag, version: version.key, cached });
}

function send(response: Response, headers: Record<string, string>, body: Buffer): void {
  response.writeHead(200, { ...headers, 'Content-Length': body.length }).end(body);
}

function serverTiming({ storeMs, rows, workMs }: ResponseCost): string {
  const work = workMs === undefined ? '' : `, work;dur=${workMs.toFixed(2)}`;
  return `store;dur=${storeMs.toFixed(2)}, rows;desc=${rows}${work}`;
}
