import type { IRouter } from 'express';
import { entityTag } from '../http/conditional.js';
import type { OpenApiDocument } from './components.js';

/**
 * Adds GET /openapi.json, which needs no key. Express answers 304 to a client that has this ETag.
 * @param make the document; it is made when it is first asked for, so that no start waits for it
 */
export function mountOpenApi(router: IRouter, make: () => OpenApiDocument): void {
  let made: { text: string; tag: string } | undefined;
  router.get('/openapi.json', (_request, response) => {
    if (made === undefined) {
      const text = JSON.stringify(make());
      made = { text, tag: entityTag(text) };
    }
    const { text, tag } = made;
    response.set({ ETag: tag, 'Cache-Control': 'no-cache' }).type('json').send(text);
  });
}
