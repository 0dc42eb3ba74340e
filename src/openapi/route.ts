import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { IRouter } from 'express';
import { entityTag } from '../http/conditional.js';
import { llmsText, type Described } from './llms.js';

/** `npm run openapi` writes this file from the endpoints. It is read in 14 ms of processor, and made in 100 to 190. */
const FILE = createRequire(import.meta.url).resolve('#openapi.json');

/**
 * Adds GET /openapi.json, and GET /llms.txt made from it. Neither needs a key. Express answers 304 to a client that has
 * this ETag. The document is read when it is first asked for, so that no start waits for it.
 * @param publicUrl where clients find the service; where the document is, if not given
 * @param base the path under which clients know the service; blank at the root
 */
export function mountOpenApi(router: IRouter, publicUrl: string | undefined, base: string): void {
  const read = (): Described => {
    const document = JSON.parse(readFileSync(FILE, 'utf8')) as Described;
    if (publicUrl !== undefined) for (const server of document.servers) server.url = publicUrl;
    return document;
  };
  const serve = (path: string, type: string, makeText: (document: Described) => string): void => {
    let made: { text: string; tag: string } | undefined;
    router.get(path, (_request, response) => {
      if (made === undefined) {
        const text = makeText(read());
        made = { text, tag: entityTag(text) };
      }
      response.set({ ETag: made.tag, 'Cache-Control': 'no-cache' }).type(type).send(made.text);
    });
  };
  serve('/openapi.json', 'json', (found) => JSON.stringify(found));
  serve('/llms.txt', 'text/plain; charset=utf-8', (found) => llmsText(found, base));
}
