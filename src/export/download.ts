import { once } from 'node:events';
import type { IRouter, Request, Response } from 'express';
import type { DirectoryReader } from '../stations/directory.js';
import type { Provider } from '../stations/providers.js';
import type { AsOf } from '../stations/versions.js';
import type { DataVersion } from '../store/data-version.js';
import type { Caller } from '../api/caller.js';
import type { QueryOptions, Store } from '../store/store.js';
import type { Download, DownloadStore, Part } from '../api/endpoint.js';
import { cursorFault, cursorText, type Place, versionAt } from '../api/cursor.js';
import type { FileFormat } from '../api/formats.js';
import { type Question, readRequest, type RequestParameters } from '../api/groups.js';
import { cacheControl, entityTag, isKnown } from '../http/conditional.js';
import { acceptedEncoding, GzipFile } from '../http/encoding.js';
import { ApiError } from '../http/errors.js';
import {
  answerKey,
  attachment,
  cachingHeaders,
  callerOf,
  contextOf,
  goneSignal,
  originOf,
} from '../http/exchange.js';
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

export interface DownloadDependencies {
  store: Pick<Store, 'query' | 'queryBytes'>;
  dataVersion: Pick<DataVersion, 'current'>;
  directory: Pick<DirectoryReader, 'at'>;
  clock: () => Date;
  /** The time that a reader has for a slice of the body, ms; SLICE_TIMEOUT_MS by default. */
  sliceTimeoutMs?: number;
}

type Dependencies = DownloadDependencies & { places: Places };

/** Adds the routes of the downloads, below a prefix. */
export function mountDownloads(
  router: IRouter,
  prefix: string,
  downloads: readonly Download[],
  dependencies: DownloadDependencies,
): void {
  const places = new Places();
  for (const download of downloads) {
    router.get(prefix + download.path, async (request, response) => {
      const parameters = readRequest(download.groups, request.url, contextOf(request, dependencies.clock()));
      await respond(download, parameters, { ...dependencies, places }, request, response);
    });
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

/** The values that every download has, beside those of its own groups. */
interface DownloadQuestion extends Question {
  format: FileFormat;
  cursor: Place;
  provider?: Provider;
  asOf?: AsOf | undefined;
}

async function respond(
  download: Download,
  parameters: RequestParameters,
  { store, dataVersion, directory, places, sliceTimeoutMs = SLICE_TIMEOUT_MS }: Dependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const current = await dataVersion.current();
  const question = parameters.resolve(await directory.at(current, parameters.asOf)) as DownloadQuestion;
  const { format, cursor, asOf } = question;
  const origin = originOf(request, response, download.operationId);
  const readsWith = (options: QueryOptions): DownloadStore => ({
    query: (statement, row) => store.query(statement, row, { origin, ...options }),
    queryBytes: (statement, format) => store.queryBytes(statement, format, { origin, ...options }),
  });
  const { skip } = cursor;
  const version = await versionAt(cursor, asOf, () => download.version(readsWith({})));
  const text = cursorText(version, current, skip);
  const tag = entityTag(`${answerKey(download, { ...current, key: text }, question)} ${skip}`);
  const named = parameters.asOf;
  const caching = cachingHeaders(
    response,
    tag,
    named?.lineage === undefined ? 'private, no-cache' : cacheControl(true, named),
  );
  if (isKnown(request.headers['if-none-match'], tag)) {
    response.writeHead(304, caching).end();
    return;
  }
  const caller = callerOf(response);
  caller.mayRead();
  const signal = goneSignal(response); // ends the statements of a reader that leaves
  const reads = readsWith({ turn: 'long', signal, reader: caller });
  const leave = request.method === 'HEAD' ? () => {} : places.take(caller.name);
  try {
    const rows = await download.rows(question, version, reads);
    if (skip > rows.total) {
      throw cursorFault(
        `lies behind the last of ${rows.total} pairs; ask with the parameters that it came with`,
      );
    }
    const isGzip = FILE_FORMATS[format].compressible && acceptedEncoding(request, ['gzip']) === 'gzip';
    response.writeHead(200, {
      ...caching,
      'Content-Type': FILE_FORMATS[format].contentType,
      ...(isGzip && { 'Content-Encoding': 'gzip' }),
      ...attachment(download.path, download.fileNameParts(question), format),
      [DOWNLOAD_HEADERS.total]: rows.total,
      [DOWNLOAD_HEADERS.cursor]: text,
      ...(question.provider && { [DOWNLOAD_HEADERS.provider]: question.provider.name }),
      // Only a body in chunks has trailers, and HTTP/1.0 has no chunks.
      ...(request.method === 'GET' && request.httpVersion !== '1.0' && { Trailer: DOWNLOAD_HEADERS.sent }),
    });
    if (request.method === 'HEAD') response.end();
    else {
      const body = new Body(response, signal, sliceTimeoutMs);
      const parts = paidFor(rows.parts(skip), caller);
      const asked = download.asked?.(question) ?? {};
      const columns = Object.keys(download.record.shape).filter((name) => asked[name] !== false);
      await send(columns, format, parts, reads, body, isGzip ? new GzipFile() : undefined);
    }
  } finally {
    leave();
  }
}

/** Files do not say what the engine has read for them: each of their rows counts as one. */
function* paidFor(parts: Iterable<Part>, caller: Caller): Iterable<Part> {
  for (const part of parts) {
    yield part;
    caller.read(part.rows);
  }
}

/** Sends the parts. It reads each when the one before has gone out, so a slow reader holds one in memory. */
async function send(
  columns: readonly string[],
  formatName: FileFormat,
  parts: Iterable<Part>,
  store: DownloadStore,
  body: Body,
  gzip: GzipFile | undefined,
): Promise<void> {
  const { format, settings, values, ...form } = FILE_FORMATS[formatName];
  const writer = form.writer(columns);
  const write = async (content: Buffer): Promise<void> =>
    body.write(gzip === undefined || content.length === 0 ? content : await gzip.add(content));
  let sent = 0;
  await write(writer.begin());
  for (const { rows, statement } of parts) {
    const part = await store.queryBytes(statement(values).with(settings), format);
    await write(writer.add(part, rows));
    sent += rows;
  }
  await write(writer.end());
  if (gzip !== undefined) await body.write(gzip.end(Buffer.alloc(0)));
  body.end({ [DOWNLOAD_HEADERS.sent]: `${sent}` });
}

/** The body of a response, sent as fast as its reader takes it. */
class Body {
  constructor(
    private readonly response: Response,
    private readonly gone: AbortSignal,
    private readonly sliceTimeoutMs: number,
  ) {}

  /** @throws Error when the reader has left, or is cut off because it takes a slice too slowly */
  async write(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      if (this.response.destroyed) throw new Error('the reader has left');
      if (this.response.write(bytes.subarray(start, start + SLICE_BYTES))) continue;
      const tooSlow = setTimeout(() => this.response.destroy(), this.sliceTimeoutMs);
      try {
        await once(this.response, 'drain', { signal: this.gone });
      } finally {
        clearTimeout(tooSlow);
      }
    }
  }

  end(trailers: Record<string, string>): void {
    this.response.addTrailers(trailers);
    this.response.end();
  }
}
