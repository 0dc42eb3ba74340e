import type { IRouter } from 'express';
import { getDeprecations } from '../api/deprecation.js';
import { parseQuery } from '../api/parameters.js';
import { type Download, type Endpoint, listAllRoutes } from '../api/endpoint.js';

/**
 * Sets Deprecation (RFC 9745) and Sunset (RFC 8594) on every response to a request for a deprecated URL, or with a deprecated
 * parameter; of several, those of the one that goes first. An operation without one gets no layer.
 */
export function mountDeprecations(
  router: IRouter,
  prefix: string,
  operations: readonly (Endpoint | Download)[],
): void {
  for (const operation of operations) {
    const { deprecated, parameters } = operation;
    const ofParameters = getDeprecations(parameters);
    if (deprecated === undefined && ofParameters.size === 0) continue;
    const paths = 'path' in operation ? [operation.path] : listAllRoutes(operation);
    router.get(
      paths.map((path) => prefix + path),
      (request, response, next) => {
        const query = parseQuery(request.originalUrl);
        const given = [...ofParameters].filter(([name]) => query.has(name)).map(([, of]) => of);
        const [first] = [...given, ...(deprecated ? [deprecated] : [])].sort((a, b) =>
          a.sunset.localeCompare(b.sunset),
        );
        if (first !== undefined) {
          response.setHeader('Deprecation', `@${Date.parse(first.since) / 1000}`);
          response.setHeader('Sunset', new Date(first.sunset).toUTCString());
        }
        next();
      },
    );
  }
}
