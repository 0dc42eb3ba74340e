import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as after } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { IRouter, Request, Response } from 'express';
import { cacheKey, Resolver, type ResolverDependencies } from '../responses/resolver.js';
import type { RequestScope } from '../api/caller.js';
import { behindLast, cursorText, versionAt } from '../api/cursor.js';
import type { Download, DownloadParams, DownloadRows, DownloadSources } from '../api/endpoint.js';
import { cacheControl, entityTag, matchesIfNoneMatch, sendNotModified } from '../http/conditional.js';
import { acceptedEncoding } from '../http/encoding.js';
import { ApiError } from '../api/errors/api-error.js';
import { attachment, cachingHeaders, requestScope, requestText } from '../http/request-scope.js';
import type { QueryOptions, QueryOrigin, Store } from '../store/store.js';
import { FILE_FORMATS } from './file-formats.js';
import type { ExportFile, ExportFiles } from './files.js';

/** Bodies sent at the same time; each keeps the store busy for as long as its reader takes rows. */
export const MAX_DOWNLOADS = 2;

/** Beyond those, a key without a body under way may begin one as long as fewer are. Addresses without a key may not. */
const MAX_DOWNLOADS_OF_ALL = 4;

/**
 * The time that a reader has for each block of a body, which is 17 kB a second; the service cuts a slower one off. (A
 * limit on the whole time would either cut off large exports over honest lines or leave an idle reader its place for
 * hours; with a limit on silence, a reader of one byte a minute holds its place for ever.)
 */
const BLOCK_TIMEOUT_MS = 60_000;

const BLOCK_BYTES = 1024 * 1024;

/** How long a request waits for a file that is made for it, less than proxies and clients do. */
const FILE_WAIT_MS = 20_000;

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
  /** The time that a reader has for a block of the body, ms; BLOCK_TIMEOUT_MS by default. */
  blockTimeoutMs?: number;
  /** Files for those who want parts of them; if not given, every body is streamed. */
  files?: ExportFiles | undefined;
  /** The time that a request waits for a file, ms; FILE_WAIT_MS by default. */
  fileWaitMs?: number;
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
 * The places for bodies. A response without a body (HEAD, 304) takes none. A name without a place finds one beside those that
 * another name has taken.
 */
class Places {
  readonly #taken: string[] = [];

  /** @returns a function that gives the place back @throws ApiError when all places are taken */
  take({ caller: { name }, isPublic }: Pick<Requested, 'caller' | 'isPublic'>): () => void {
    const places = isPublic || this.#taken.includes(name) ? MAX_DOWNLOADS : MAX_DOWNLOADS_OF_ALL;
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

/** A request to a download, and what every response to it needs. */
interface Requested extends Pick<RequestScope, 'caller' | 'signal'> {
  params: DownloadParams;
  version: number;
  origin: QueryOrigin;
  /** The request came without a key. */
  isPublic: boolean;
  /** The body is compressed. */
  isGzip: boolean;
  headers: Record<string, string>;
}

/** One download, whose bodies are read from the store as fast as they go out. */
class Downloader {
  readonly #resolver: Resolver<DownloadParams>;

  constructor(
    private readonly download: Download,
    private readonly dependencies: DownloadDependencies,
    private readonly places: Places,
  ) {
    this.#resolver = new Resolver(download, dependencies);
  }

  async respond(request: Request, response: Response): Promise<void> {
    const { download } = this;
    const { clock, files } = this.dependencies;
    const resolved = await this.#resolver.resolve(requestText(request, clock()));
    const { params, version: current } = resolved;
    const { format, cursor, asOf, provider } = params;
    const scope = requestScope(request, response);
    const origin = scope.findOrigin(download.operationId);
    const version = await versionAt(cursor, asOf, () => download.version(this.#sources({ origin })));
    const text = cursorText(version, current, cursor.skip);
    const tag = entityTag(`${cacheKey(download, { ...current, key: text }, params)} ${cursor.skip}`);
    const named = resolved.parameters.asOf;
    const { isPublic = false } = response.locals;
    const caching = cachingHeaders(
      response,
      tag,
      named?.timeline === undefined ? 'private, no-cache' : cacheControl(true, named, isPublic),
    );
    if (matchesIfNoneMatch(request.headers['if-none-match'], tag)) {
      sendNotModified(response, caching);
      return;
    }
    const { compressible, contentType } = FILE_FORMATS[format];
    const requested: Requested = {
      ...scope,
      params,
      version,
      origin,
      isPublic,
      isGzip: compressible && acceptedEncoding(request, ['gzip']) === 'gzip',
      headers: {
        ...caching,
        'Content-Type': contentType,
        ...attachment(download.path, download.fileNameParts(params), format),
        [DOWNLOAD_HEADERS.cursor]: text,
        ...(provider && { [DOWNLOAD_HEADERS.provider]: provider.name }),
      },
    };
    // A file is the whole of what never changes.
    if (files === undefined || named?.timeline === undefined || cursor.skip > 0) {
      await this.#stream(requested, request, response);
      return;
    }
    // Ranges are of GET alone (RFC 9110, 14.2): HEAD has the headers of the whole file.
    if (request.method === 'HEAD') for (const each of ['range', 'if-range']) delete request.headers[each];
    const name = tag.slice('W/"'.length, -1);
    const wantsParts = request.method === 'HEAD' || /^bytes=/i.test(request.headers.range ?? '');
    const file =
      (await files.find(name)) ?? (wantsParts ? await this.#made(files, name, requested) : undefined);
    if (file === undefined) await this.#stream(requested, request, response);
    else {
      const isGzip = requested.isGzip && !wantsParts;
      await files.read(file, () =>
        this.#sendFile(files.folder, file, { ...requested, isGzip }, request, response),
      );
    }
  }

  /** Answers with rows as they are read. */
  async #stream(requested: Requested, request: Request, response: Response): Promise<void> {
    const { params, version, caller, signal, origin, isGzip, headers } = requested;
    const { skip } = params.cursor;
    const isHead = request.method === 'HEAD';
    caller.requireRows();
    const sources = this.#sources({ origin, priority: 'long', signal, reader: caller });
    const leave = isHead ? () => {} : this.places.take(requested);
    try {
      const rows = await this.download.rows(params, version, sources);
      if (skip > rows.total) throw behindLast(`of ${rows.total} pairs`);
      response.writeHead(200, {
        ...headers,
        ...(isGzip && { 'Content-Encoding': 'gzip' }),
        [DOWNLOAD_HEADERS.total]: rows.total,
        // Only a body in chunks has trailers, and HTTP/1.0 has no chunks.
        ...(!isHead && request.httpVersion !== '1.0' && { Trailer: DOWNLOAD_HEADERS.sent }),
      });
      let sent = 0;
      if (!isHead) {
        const content = this.#content(params, rows, skip, sources, (rows) => {
          sent += rows;
          caller.chargeRows(rows); // files do not say what the engine has read for them
        });
        await send(content, isGzip, response, signal, this.#blockTimeoutMs);
        response.addTrailers({ [DOWNLOAD_HEADERS.sent]: `${sent}` });
      }
      response.end();
    } finally {
      leave();
    }
  }

  /** Makes the file of a request without one. @throws ApiError where it takes longer than a request waits */
  async #made(files: ExportFiles, name: string, requested: Requested): Promise<ExportFile> {
    const { params, version, caller, origin } = requested;
    const making = files.make(name, params.format, async (write) => {
      caller.requireRows();
      const leave = this.places.take(requested);
      try {
        const sources = this.#sources({ origin, priority: 'long', reader: caller });
        const rows = await this.download.rows(params, version, sources);
        const content = this.#content(params, rows, 0, sources, (rows) => caller.chargeRows(rows));
        return await write(rows.total, content);
      } finally {
        leave();
      }
    });
    const made = new AbortController();
    const late = after(this.dependencies.fileWaitMs ?? FILE_WAIT_MS, undefined, made).catch(() => {});
    const file = await Promise.race([making, late]).finally(() => made.abort());
    if (file !== undefined) return file;
    const message = 'The file of this export is not ready yet; request it again';
    throw new ApiError('OVERLOADED', message);
  }

  /** Answers with a file, or with the part of it that is asked for. */
  async #sendFile(
    folder: string,
    { path, bytes, tag, total }: ExportFile,
    { isGzip, headers, signal }: Requested,
    request: Request,
    response: Response,
  ): Promise<void> {
    response.set({ ...headers, [DOWNLOAD_HEADERS.total]: `${total}` });
    if (isGzip) {
      response.set('Content-Encoding', 'gzip');
      const content = createReadStream(join(folder, path), { highWaterMark: BLOCK_BYTES });
      await send(content, true, response, signal, this.#blockTimeoutMs);
      response.end();
      return;
    }
    response.set('ETag', tag);
    if (isOfMoreThan(bytes, request.headers.range)) request.headers.range = 'bytes=0-';
    // A weak tag is of the rows, whose bytes may differ (RFC 9110, 13.1.5).
    const acceptRanges = !/^\s*W\//.test(String(request.headers['if-range']));
    const tooSlow = setTimeout(() => response.destroy(), this.#blockTimeoutMs * (1 + bytes / BLOCK_BYTES));
    try {
      await new Promise<void>((resolve, reject) => {
        const options = { root: folder, acceptRanges, cacheControl: false, lastModified: false };
        response.sendFile(path, options, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      throw unfit(error, bytes, response) ?? error;
    } finally {
      clearTimeout(tooSlow);
    }
  }

  get #blockTimeoutMs(): number {
    return this.dependencies.blockTimeoutMs ?? BLOCK_TIMEOUT_MS;
  }

  #sources(options: QueryOptions): DownloadSources {
    const { store } = this.dependencies;
    return {
      query: (rows) => store.query(rows, options),
      queryBytes: (statement, format) => store.queryBytes(statement, format, options),
    };
  }

  /**
   * The content of a file. It reads each part when the one before has gone out, so a slow reader holds one in memory.
   * @param onSent receives the rows of each part that has
   */
  async *#content(
    params: DownloadParams,
    rows: DownloadRows,
    skip: number,
    sources: DownloadSources,
    onSent: (rows: number) => void,
  ): AsyncGenerator<Buffer> {
    const requested = this.download.requested?.(params) ?? {};
    const columns = Object.keys(this.download.record.shape).filter((name) => requested[name] !== false);
    const { format, settings, values, partRows, ...form } = FILE_FORMATS[params.format];
    const writer = form.writer(columns);
    yield writer.begin();
    for (const part of rows.parts(skip, partRows)) {
      const bytes = await sources.queryBytes(part.statement(values).with(settings), format);
      yield writer.add(bytes, part.rows);
      onSent(part.rows);
    }
    yield writer.end();
  }
}

/** Whether the last so many bytes are asked for, and a file has fewer: that is all of it (RFC 9110, 14.1.2), which `send` refuses. */
const isOfMoreThan = (bytes: number, range = ''): boolean =>
  Number(/^bytes=-(\d+)$/i.exec(range)?.[1] ?? 0) > bytes;

/** The refusals of express's `send` by these statuses, in the form of every error. */
function unfit(error: unknown, bytes: number, response: Response): ApiError | undefined {
  const { status } = error as { status?: number };
  if (status === 404)
    return new ApiError('OVERLOADED', 'The file of this export has just been removed; request it again');
  if (status !== 416 && status !== 412) return undefined;
  for (const name of ['Content-Type', 'Content-Disposition', 'ETag']) response.removeHeader(name);
  return status === 416
    ? new ApiError('RANGE_NOT_SATISFIABLE', `This Range is outside the file, which has ${bytes} bytes`)
    : new ApiError(
        'PRECONDITION_FAILED',
        'The ETag of the file differs from the one in If-Match; leave out If-Match for the present file',
      );
}

/**
 * Sends content as fast as its reader takes it.
 * @throws Error when the reader has left, or is cut off because it takes a block too slowly
 */
async function send(
  content: AsyncIterable<Buffer>,
  isGzip: boolean,
  response: Response,
  signal: AbortSignal,
  blockTimeoutMs: number,
): Promise<void> {
  if (isGzip) {
    // Level 6: 8 MB of pairs take 0.2 s; at 9 they take 1.4 s, and are 3% shorter.
    await pipeline(content, createGzip({ level: 6 }), (compressed: AsyncIterable<Buffer>) =>
      send(compressed, false, response, signal, blockTimeoutMs),
    );
    return;
  }
  for await (const bytes of content) {
    for (let start = 0; start < bytes.length; start += BLOCK_BYTES) {
      if (response.destroyed) throw new Error('the reader has left');
      if (response.write(bytes.subarray(start, start + BLOCK_BYTES))) continue;
      const tooSlow = setTimeout(() => response.destroy(), blockTimeoutMs);
      try {
        await once(response, 'drain', { signal });
      } finally {
        clearTimeout(tooSlow);
      }
    }
  }
}
