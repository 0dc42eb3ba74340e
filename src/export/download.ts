import { once } from 'node:events';
import type { IRouter, Request, Response } from 'express';
import { answerKey, Resolver, type ResolverDependencies } from '../answers/resolver.js';
import { behindLast, cursorText, versionAt } from '../api/cursor.js';
import type { Download, DownloadQuestion, DownloadSources, Part } from '../api/endpoint.js';
import { cacheControl, entityTag, isKnown } from '../http/conditional.js';
import { acceptedEncoding, GzipFile } from '../http/encoding.js';
import { ApiError } from '../api/errors/errors.js';
import { attachment, cachingHeaders, requestScope, requestText } from '../http/exchange.js';
import type { QueryOptions, Store } from '../store/store.js';
import { FILE_FORMATS } from './file-formats.js';

/** Bodies sent at the same time; each keeps the store busy for as long as its reader takes rows. */
export const MAX_DOWNLOADS = 2;

/** Beyond those, a key that has none under way may begin one as long as fewer are. */
const MAX_DOWNLOADS_OF_ALL = 4;

/**
 * The time that a reader has for each slice of a body, which is 17 kB a second; the service cuts a slower one off. (A
 * limit on the whole time would either cut off large exports over honest lines or leave an idle reader its place for
 * hours; with a limit on silence, a reader of one byte a minute holds its place for ever.)
 */
const SLICE_TIMEOUT_MS = 60_000;

const SLICE_BYTES = 1024 * 1024;

/** The headers that describe a download. */
export const DOWNLOAD_HEADERS = {
  total: 'X-Total-Pairs',
  cursor: 'X-Export-Cursor',
  provider: 'X-Provider',
  sent: 'X-Pairs-Sent',
} as const;

export interface DownloadDependencies extends ResolverDependencies {
  store: Pick<Store, 'query' | 'queryBytes'>;
  clock: () => Date;
  /** The time that a reader has for a slice of the body, ms; SLICE_TIMEOUT_MS by default. */
  sliceTimeoutMs?: number;
}

/** Adds the routes of the downloads, below a prefix. */
export function mountDownloads(
  router: IRouter,
  prefix: string,
  downloads: readonly Download[],
  dependencies: DownloadDependencies,
): void {
  const places = new Places();
  for (const download of downloads) {
    const downloader = new Downloader(download, dependencies, places);
    router.get(prefix + download.path, (request, response) => downloader.respond(request, response));
  }
}

/**
 * The places for bodies. An answer without a body (HEAD, 304) takes none. A name that has none finds one beside those that
 * another name has taken.
 */
class Places {
  readonly #taken: string[] = [];

  /** @returns a function that gives the place back @throws ApiError when all places are taken */
  take(name: string): () => void {
    const places = this.#taken.includes(name) ? MAX_DOWNLOADS : MAX_DOWNLOADS_OF_ALL;
    if (this.#taken.length >= places) {
      throw new ApiError(
        'OVERLOADED',
        `${this.#taken.length} exports are under way; try again when one has ended`,
      );
    }
    this.#taken.push(name);
    return () => {
      this.#taken.splice(this.#taken.indexOf(name), 1);
    };
  }
}

/** One download, whose bodies are read from the store as fast as they go out. */
class Downloader {
  readonly #resolver: Resolver<DownloadQuestion>;

  constructor(
    private readonly download: Download,
    private readonly dependencies: DownloadDependencies,
    private readonly places: Places,
  ) {
    this.#resolver = new Resolver(download, dependencies);
  }

  async respond(request: Request, response: Response): Promise<void> {
    const { download } = this;
    const { clock, sliceTimeoutMs = SLICE_TIMEOUT_MS } = this.dependencies;
    const resolved = await this.#resolver.resolve(requestText(request, clock()));
    const { question, version: current } = resolved;
    const { format, cursor, asOf, provider } = question;
    const { caller, signal, originOf } = requestScope(request, response);
    const origin = originOf(download.operationId);
    const version = await versionAt(cursor, asOf, () => download.version(this.#sources({ origin })));
    const text = cursorText(version, current, cursor.skip);
    const tag = entityTag(`${answerKey(download, { ...current, key: text }, question)} ${cursor.skip}`);
    const named = resolved.parameters.asOf;
    const caching = cachingHeaders(
      response,
      tag,
      named?.lineage === undefined ? 'private, no-cache' : cacheControl(true, named),
    );
    if (isKnown(request.headers['if-none-match'], tag)) {
      response.writeHead(304, caching).end();
      return;
    }
    caller.requireRows();
    const sources = this.#sources({ origin, priority: 'long', signal, reader: caller });
    const leave = request.method === 'HEAD' ? () => {} : this.places.take(caller.name);
    try {
      const rows = await download.rows(question, version, sources);
      if (cursor.skip > rows.total) throw behindLast(`of ${rows.total} pairs`);
      const { compressible, contentType } = FILE_FORMATS[format];
      const isGzip = compressible && acceptedEncoding(request, ['gzip']) === 'gzip';
      response.writeHead(200, {
        ...caching,
        'Content-Type': contentType,
        ...(isGzip && { 'Content-Encoding': 'gzip' }),
        ...attachment(download.path, download.fileNameParts(question), format),
        [DOWNLOAD_HEADERS.total]: rows.total,
        [DOWNLOAD_HEADERS.cursor]: text,
        ...(provider && { [DOWNLOAD_HEADERS.provider]: provider.name }),
        // Only a body in chunks has trailers, and HTTP/1.0 has no chunks.
        ...(request.method === 'GET' && request.httpVersion !== '1.0' && { Trailer: DOWNLOAD_HEADERS.sent }),
      });
      let sent = 0;
      if (request.method !== 'HEAD') {
        const content = this.#content(question, rows.parts(cursor.skip), sources, (rows) => {
          sent += rows;
          caller.chargeRows(rows); // files do not say what the engine has read for them
        });
        await send(isGzip ? gzipped(content) : content, response, signal, sliceTimeoutMs);
        response.addTrailers({ [DOWNLOAD_HEADERS.sent]: `${sent}` });
      }
      response.end();
    } finally {
      leave();
    }
  }

  #sources(options: QueryOptions): DownloadSources {
    const { store } = this.dependencies;
    return {
      query: (statement, row) => store.query(statement, row, options),
      queryBytes: (statement, format) => store.queryBytes(statement, format, options),
    };
  }

  /**
   * The content of a file. It reads each part when the one before has gone out, so a slow reader holds one in memory.
   * @param onSent told of the rows of each part that has
   */
  async *#content(
    question: DownloadQuestion,
    parts: Iterable<Part>,
    sources: DownloadSources,
    onSent: (rows: number) => void,
  ): AsyncGenerator<Buffer> {
    const asked = this.download.asked?.(question) ?? {};
    const columns = Object.keys(this.download.record.shape).filter((name) => asked[name] !== false);
    const { format, settings, values, ...form } = FILE_FORMATS[question.format];
    const writer = form.writer(columns);
    yield writer.begin();
    for (const { rows, statement } of parts) {
      const part = await sources.queryBytes(statement(values).with(settings), format);
      yield writer.add(part, rows);
      onSent(rows);
    }
    yield writer.end();
  }
}

async function* gzipped(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const file = new GzipFile();
  for await (const bytes of content) if (bytes.length > 0) yield await file.add(bytes);
  yield file.end(Buffer.alloc(0));
}

/**
 * Sends content as fast as its reader takes it.
 * @throws Error when the reader has left, or is cut off because it takes a slice too slowly
 */
async function send(
  content: AsyncIterable<Buffer>,
  response: Response,
  signal: AbortSignal,
  sliceTimeoutMs: number,
): Promise<void> {
  for await (const bytes of content) {
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      if (response.destroyed) throw new Error('the reader has left');
      if (response.write(bytes.subarray(start, start + SLICE_BYTES))) continue;
      const tooSlow = setTimeout(() => response.destroy(), sliceTimeoutMs);
      try {
        await once(response, 'drain', { signal });
      } finally {
        clearTimeout(tooSlow);
      }
    }
  }
}
