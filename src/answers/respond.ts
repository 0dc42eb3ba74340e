import type { IRouter, Request, Response } from 'express';
import { routesOf } from '../api/endpoint.js';
import { cacheControl, isKnown } from '../http/conditional.js';
import { acceptedEncoding } from '../http/encoding.js';
import { cachingHeaders, callerOf, requestScope, requestText } from '../http/exchange.js';
import type { Answerer } from './answerer.js';
import { type CachedAnswer, type Cost, lengthOf, sendBody } from './body.js';
import { compressed } from './compression.js';
import type { Lane } from './lane.js';

/** Adds the routes of the endpoints, below a prefix. */
export function mount(
  router: IRouter,
  prefix: string,
  answerers: readonly Answerer[],
  lane: Pick<Lane, 'enter'>,
): void {
  for (const answerer of answerers) {
    // Each path by itself, as its metrics have its name: a figure's first, since chart.svg is no station.
    for (const path of routesOf(answerer.endpoint))
      router.get(prefix + path, (request, response) => respond(answerer, lane, request, response));
  }
}

async function respond(
  answerer: Answerer,
  lane: Pick<Lane, 'enter'>,
  request: Request,
  response: Response,
): Promise<void> {
  const now = answerer.clock();
  const started = performance.now();
  const resolved = await answerer.resolve(requestText(request, now));
  const send = ({ headers, body }: CachedAnswer, more: Record<string, string | string[]>): void => {
    const bytes = body.at(now, Math.round(performance.now() - started));
    response.writeHead(200, { ...headers, ...more, 'Content-Length': lengthOf(bytes) });
    sendBody(response, bytes);
  };
  if (answerer.endpoint.isMomentary === true) {
    send(await answerer.ask(resolved, now, requestScope(request, response)), { 'Cache-Control': 'no-store' });
    return;
  }
  const { isPublic = false } = response.locals;
  const { tag, closed } = resolved;
  const { asOf } = resolved.parameters;
  const isCompressed = acceptedEncoding(request, ['gzip']) === 'gzip';
  const enter = (answer: CachedAnswer): void => {
    const found = { tag, version: resolved.version.key, answerKey: answerer.keptKey(resolved, answer) };
    lane.enter(request, response, now, found, answer.headers);
  };
  let answer = answerer.find(resolved, isCompressed);
  if (isKnown(request.headers['if-none-match'], tag)) {
    answerer.count('not_modified', callerOf(response));
    // Only a cached answer says whether it is final.
    const isFinal = closed && answer?.verified === true;
    response.writeHead(304, cachingHeaders(response, tag, cacheControl(isFinal, asOf, isPublic))).end();
    // One that is still to be compressed is for the next 200.
    if (answer !== undefined && !(isCompressed && compressed(answer))) enter(answer);
    return;
  }
  let serverTiming = 'cache;desc=hit';
  if (answer !== undefined) answerer.count('cache', callerOf(response));
  else {
    if (response.destroyed) return; // the client left while the version was read
    const cost: Cost = { storeMs: 0, rows: 0 };
    answer = await answerer.ask(resolved, now, requestScope(request, response), cost);
    serverTiming = `store;dur=${cost.storeMs.toFixed(2)}, rows;desc=${cost.rows}`;
    if (cost.workMs !== undefined) serverTiming += `, work;dur=${cost.workMs.toFixed(2)}`;
  }
  if (isCompressed) answer = await answerer.compress(resolved, answer);
  send(answer, {
    ...cachingHeaders(response, tag, cacheControl(closed && answer.verified, asOf, isPublic)),
    ...(!isPublic && { 'Server-Timing': serverTiming }),
  });
  enter(answer);
}
