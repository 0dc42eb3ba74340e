import type { IRouter, Request, Response } from 'express';
import { listScripts, type Endpoint } from '../api/endpoint.js';
import { ApiError } from '../api/errors/api-error.js';
import { SCRIPT_NAME } from '../api/formats.js';
import { InvalidParamsError, parseQuery } from '../api/parameters.js';
import { cacheControl, entityTag, matchesIfNoneMatch, sendNotModified } from '../http/conditional.js';
import { cachingHeaders, getCaller, requestText } from '../http/request-scope.js';
import type { EndpointHandler } from '../responses/endpoint-handler.js';
import type { ResolverDependencies } from '../responses/resolver.js';
import { exportQuery, makeScript, type ScriptParams } from './script.js';

export interface ScriptDependencies {
  directory: ResolverDependencies['directory'];
  /** Where clients find the service, without a slash at the end; if not given, scripts leave it to the reader. */
  publicUrl?: string | undefined;
}

/** Adds the routes of scripts before those of endpoints, because `recompute.sql` is no station. */
export function mountScripts(
  router: IRouter,
  prefix: string,
  handlers: readonly EndpointHandler[],
  dependencies: ScriptDependencies,
): void {
  for (const handler of handlers) {
    for (const path of listScripts(handler.endpoint))
      router.get(prefix + path, (request, response) => respond(handler, dependencies, request, response));
  }
  const covered = handlers.flatMap(({ endpoint }) => listScripts(endpoint).slice(0, 1));
  router.get(`${prefix}/*path/${SCRIPT_NAME}`, () => {
    throw new ApiError('NOT_FOUND', `there is no ${SCRIPT_NAME} here; there is one at ${covered.join(', ')}`);
  });
}

async function respond(
  handler: EndpointHandler,
  { directory, publicUrl }: ScriptDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const recompute = handler.endpoint.recompute as NonNullable<Endpoint['recompute']>;
  const now = handler.clock();
  const { parameters, version, params, key } = await handler.resolver.resolve(requestText(request, now));
  const refused =
    params.knownAt === undefined
      ? recompute.validate?.(params)
      : {
          parameter: 'known_at',
          message: `is not covered by ${SCRIPT_NAME}: an export has all that its version knows; ask with as_of`,
        };
  if (refused !== undefined) throw new InvalidParamsError([refused]);
  const { isPublic = false } = response.locals;
  const tag = entityTag(`${key} ${publicUrl ?? ''}${request.originalUrl}`);
  const headers = cachingHeaders(response, tag, cacheControl(false, parameters.asOf, isPublic));
  if (matchesIfNoneMatch(request.headers['if-none-match'], tag)) {
    sendNotModified(response, headers);
    return;
  }
  getCaller(response).requireRows(); // as a response that is not cached
  const named = params.asOf?.version ?? recompute.version?.(params) ?? version.finishedLoad;
  // Before the first load there is no version with a number, and no pair.
  const pinned = named === 0 ? '1970-01-01' : `v${named}.${version.timeline}`;
  const subject = params as typeof params & ScriptParams;
  const script = makeScript(recompute, subject, await directory.at(version, parameters.asOf), {
    path: request.originalUrl.replace(`/${SCRIPT_NAME}`, ''),
    publicUrl,
    pairs: exportQuery(subject, pinned, parseQuery(request.originalUrl), recompute.needsDistributions),
    version: pinned,
  });
  response.set({ ...headers, 'Content-Type': 'application/sql; charset=utf-8' }).send(script);
}
