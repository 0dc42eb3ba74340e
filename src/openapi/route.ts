import type { IRouter } from 'express';
import { entityTag } from '../http/conditional.js';
import type { OpenApiDocument } from './document.js';

/** Adds GET /openapi.json, which needs no key (D21). Express answers 304 to a client that has this ETag. */
export function mountOpenApi(router: IRouter, document: OpenApiDocument): void {
  const text = JSON.stringify(document);
  const tag = entityTag(text);
  router.get('/openapi.json', (_request, response) => {
    response.set({ ETag: tag, 'Cache-Control': 'no-cache' }).type('json').send(text);
  });
}
