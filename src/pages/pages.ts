import { createHash } from 'node:crypto';
import type { IRouter, Request, Response } from 'express';
import { entityTag, matchesIfNoneMatch, sendNotModified } from '../http/conditional.js';
import { acceptedEncoding, encode, type Encoding } from '../http/encoding.js';
import { withoutClient } from '../http/request-scope.js';

/** A page and the static files that it loads. They hold no data, so they need no key. */
export interface StaticPage {
  path: string;
  /** Begins the version of its files, so that the log tells whose they are. */
  name: string;
  /** HTML; `{{assets}}` stands for the path of its files. Its URLs are relative, so that it works below any path. */
  html: string;
  /** By name, as they are served. */
  files: ReadonlyMap<string, Buffer>;
  /** Content-Security-Policy. */
  policy: string;
}

const TYPES: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
  svg: 'image/svg+xml; charset=utf-8',
};

/** A file of a page; it is compressed when it is first asked for, and kept so. */
class Asset {
  readonly #type: string;
  readonly #encoded = new Map<Encoding, Promise<Buffer>>();

  constructor(
    name: string,
    private readonly content: Buffer,
  ) {
    this.#type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  }

  /** Answers with it, in an encoding that the client accepts. */
  async send(request: Request, response: Response): Promise<void> {
    // A picture is compressed already.
    const encoding = acceptedEncoding(request, this.#type === TYPES.png ? [] : ['br', 'gzip']);
    let encoded = this.#encoded.get(encoding);
    if (encoded === undefined) {
      encoded = encode(this.content, encoding);
      this.#encoded.set(encoding, encoded);
    }
    const body = await encoded;
    response.setHeader('Content-Type', this.#type);
    response.setHeader('Content-Length', body.length);
    response.vary('Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('Content-Encoding', encoding);
    response.end(body);
  }
}

/**
 * Adds pages, and their files at /assets/<version>/<name>, which a client never has to request again. Files that one
 * file imports by a relative path have its version. A path of another version is not found, because its content would
 * be kept as that version's, for a year.
 */
export function mountPages(router: IRouter, pages: readonly StaticPage[]): void {
  const assets = new Map<string, Asset>();
  for (const { path, name, html, files, policy } of pages) {
    const folder = `/assets/${name}-${hashFiles(files)}`;
    for (const [file, content] of files) assets.set(`${folder}/${file}`, new Asset(file, content));
    const content = html.replaceAll('{{assets}}', folder.slice(1));
    const page = new Asset('index.html', Buffer.from(content));
    const tag = entityTag(content); // weak: one for all encodings
    router.get(path, async (request, response) => {
      // Its relative URLs would lead nowhere from below it.
      if (path !== '/' && request.path.endsWith('/')) {
        withoutClient(response);
        response.redirect(308, `..${path}${request.url.slice(request.path.length)}`);
        return;
      }
      response.setHeader('Content-Security-Policy', policy);
      response.setHeader('Cache-Control', 'no-cache');
      response.setHeader('ETag', tag);
      response.vary('Accept-Encoding');
      if (matchesIfNoneMatch(request.headers['if-none-match'], tag)) sendNotModified(response);
      else await page.send(request, response);
    });
  }
  // The version is a parameter, so that the route, a label of the metrics, is the same for all.
  router.get('/assets/:version/*name', async (request, response, next) => {
    const { version, name } = request.params;
    const asset = assets.get(`/assets/${version}/${name.join('/')}`);
    if (asset === undefined) {
      next();
      return;
    }
    withoutClient(response);
    response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
    await asset.send(request, response);
  });
}

/** The version of files: another one as soon as a byte of them differs. */
export function hashFiles(files: StaticPage['files']): string {
  const hash = createHash('sha256');
  for (const [name, content] of files) hash.update(`${name}\0${content.length}\0`).update(content);
  return hash.digest('base64url').slice(0, 12);
}
