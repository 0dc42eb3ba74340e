import type { IRouter } from 'express';
import { entityTag } from '../http/conditional.js';
import type { OpenApiDocument } from './components.js';
import { llmsText } from './llms.js';

/**
 * Adds GET /openapi.json, and GET /llms.txt made from it. Neither needs a key. Express answers 304 to a client that has
 * this ETag.
 * @param make the document; it is made when it is first asked for, so that no start waits for it.
 * @param base the path under which clients know the service; blank at the root
 */
export function mountOpenApi(router: IRouter, make: () => OpenApiDocument, base: string): void {
  let document: OpenApiDocument | undefined;
  const serve = (path: string, type: string, textOf: (document: OpenApiDocument) => string): void => {
    let made: { text: string; tag: string } | undefined;
    router.get(path, (_request, response) => {
      if (made === undefined) {
        const text = textOf((document ??= make()));
        made = { text, tag: entityTag(text) };
      }
      response.set({ ETag: made.tag, 'Cache-Control': 'no-cache' }).type(type).send(made.text);
    });
  };
  serve('/openapi.json', 'json', (found) => JSON.stringify(found));
  serve('/llms.txt', 'text/plain; charset=utf-8', (found) => llmsText(found, base));
}
