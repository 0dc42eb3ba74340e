import type { IRouter, Request, Response } from 'express';
import { cacheControl, isKnown } from '../http/conditional.js';
import { askerOf, cachingHeaders, callerOf, contextOf } from '../http/exchange.js';
import type { Answering } from './answering.js';
import { encodedAnswer, encodedKey } from './encoding.js';

/** Adds the routes of the endpoints, below a prefix. */
export function mount(router: IRouter, prefix: string, answerings: readonly Answering[]): void {
  for (const answering of answerings) {
    const paths = answering.endpoint.paths.map((path) => prefix + path);
    router.get(paths, (request, response) => respond(answering, request, response));
  }
}

async function respond(answering: Answering, request: Request, response: Response): Promise<void> {
  const { answers, clock } = answering.dependencies;
  const caller = callerOf(response);
  const now = clock();
  const started = performance.now();
  const asked = await answering.resolve(
    { url: request.url, accept: request.headers.accept ?? '', context: () => contextOf(request, now) },
    now,
  );
  const { key, tag, closed } = asked.resolved;
  const { asOf } = asked.parameters;
  if (answering.endpoint.isMomentary === true) {
    const answer = await answering.ask(asked, now, askerOf(request, response));
    const body = answer.body.at(now, Math.round(performance.now() - started));
    const headers = { ...answer.headers, 'Cache-Control': 'no-store', 'Content-Length': body.length };
    response.writeHead(200, headers).end(body, 'latin1');
    return;
  }
  const encoded = encodedKey(key, request);
  const ready = encoded === undefined ? undefined : answers.find(encoded);
  let answer = ready ?? answers.find(key);
  if (isKnown(request.headers['if-none-match'], tag)) {
    answering.count('not_modified', caller);
    // Only a kept answer says whether it is final.
    const isFinal = closed && answer?.verified === true;
    response.writeHead(304, cachingHeaders(response, tag, cacheControl(isFinal, asOf))).end();
    return;
  }
  let serverTiming = 'cache;desc=hit';
  if (answer !== undefined) answering.count('cache', caller);
  else {
    if (response.destroyed) return; // the client left while the version was read
    answer = await answering.ask(asked, now, askerOf(request, response));
    serverTiming = `store;dur=${answer.storeMs.toFixed(2)}`;
  }
  if (encoded !== undefined && ready === undefined) answer = await encodedAnswer(answers, encoded, answer);
  const body = answer.body.at(now, Math.round(performance.now() - started));
  response.writeHead(200, {
    ...answer.headers,
    ...cachingHeaders(response, tag, cacheControl(closed && answer.verified, asOf)),
    'Content-Length': body.length,
    'Server-Timing': serverTiming,
  });
  // Node sends no body to a HEAD.
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}
