import { once } from 'node:events';
import type { IRouter, Request, Response } from 'express';
import type { DirectoryReader } from '../stations/directory.js';
import type { Provider } from '../stations/providers.js';
import type { DataVersion } from '../store/data-version.js';
import { VERSION } from '../version.js';
import { entityTag, isKnown } from '../http/conditional.js';
import type { Download, Part, Reads } from '../api/endpoint.js';
import type { FileFormat } from '../api/formats.js';
import { identityOf, type Question, readRequest, type RequestParameters } from '../api/groups.js';
import { InvalidParameters } from '../api/parameters.js';
import { acceptedEncoding, GzipFile } from '../http/encoding.js';
import { ApiError } from '../http/errors.js';
import { FILE_FORMATS } from './file-formats.js';
import { contextOf, varyOf } from '../answers/respond.js';

/** Bodies under way at the same time; each keeps the store busy for as long as its reader takes rows. */
export const MAX_DOWNLOADS = 2;

/**
 * A reader has this long for each slice of a body, which is 17 kB a second; a slower one is cut off, and its place is
 * free. (A limit on the whole time would either cut off large exports over honest lines or leave an idle reader its
 * place for hours, and one on silence lets a reader hold it that takes a byte a minute.)
 */
const SLICE_TIMEOUT_MS = 60_000;

const SLICE_BYTES = 1024 * 1024;

/** Names of the headers that a download is told by. */
export const DOWNLOAD_HEADERS = {
  total: 'X-Total-Pairs',
  cursor: 'X-Export-Cursor',
  provider: 'X-Provider',
  sent: 'X-Pairs-Sent',
} as const;

export interface DownloadDependencies {
  store: Reads;
  dataVersion: Pick<DataVersion, 'fresh' | 'current'>;
  directory: Pick<DirectoryReader, 'at'>;
  clock: () => Date;
  /** How long a reader may take for a slice of the body, ms; a minute if not given. */
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

/** The places for bodies; an answer without one (HEAD, 304) takes none. */
class Places {
  #taken = 0;

  /** @returns what gives the place back @throws ApiError when all are taken */
  take(): () => void {
    if (this.#taken >= MAX_DOWNLOADS) {
      throw new ApiError('OVERLOADED', `${this.#taken} exports are under way; try again when one has ended`);
    }
    this.#taken += 1;
    return () => {
      this.#taken -= 1;
    };
  }
}

/** What every download is asked for beside its own question. */
interface DownloadQuestion extends Question {
  format: FileFormat;
  cursor: { version: number; skip: number } | undefined;
  provider?: Provider;
}

async function respond(
  download: Download,
  parameters: RequestParameters,
  { store, dataVersion, directory, places, sliceTimeoutMs = SLICE_TIMEOUT_MS }: Dependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const question = parameters.resolve(
    await directory.at(dataVersion.fresh ?? (await dataVersion.current())),
  ) as DownloadQuestion;
  const { format, cursor } = question;
  const latest = await download.version(store);
  const { version, skip } = cursor ?? { version: latest, skip: 0 };
  if (version > latest) {
    throw cursorFault(`names version ${version}, and the latest is ${latest}; leave it out to begin anew`);
  }
  const identity = identityOf(download.groups, question);
  const tag = entityTag(`${VERSION} ${download.operationId} ${version}.${skip} ${identity}`);
  const caching = { ETag: tag, 'Cache-Control': 'private, no-cache', Vary: varyOf(response) };
  if (isKnown(request.headers['if-none-match'], tag)) {
    response.writeHead(304, caching).end();
    return;
  }
  const gone = new AbortController();
  if (response.destroyed) gone.abort();
  response.once('close', () => gone.abort());
  const { signal } = gone;
  // Nobody waits for the statements of a reader that has gone.
  const reads: Reads = {
    query: (sql, params, row) => store.query(sql, params, row, { signal }),
    queryBytes: (sql, params) => store.queryBytes(sql, params, { signal }),
  };
  const leave = request.method === 'HEAD' ? () => {} : places.take();
  try {
    const rows = await download.rows(question, version, reads);
    if (skip > rows.total) {
      throw cursorFault(
        `lies behind the last of ${rows.total} pairs; ask with the parameters that it came with`,
      );
    }
    const fileName = [...download.path.split('/').slice(1), ...download.fileNameParts(question)].join('-');
    const isGzip = FILE_FORMATS[format].compressible && acceptedEncoding(request, ['gzip']) === 'gzip';
    response.writeHead(200, {
      ...caching,
      'Content-Type': FILE_FORMATS[format].contentType,
      ...(isGzip && { 'Content-Encoding': 'gzip' }),
      'Content-Disposition': `attachment; filename="${fileName}.${format}"`,
      [DOWNLOAD_HEADERS.total]: rows.total,
      [DOWNLOAD_HEADERS.cursor]: `${version}.${skip}`,
      ...(question.provider && { [DOWNLOAD_HEADERS.provider]: question.provider.name }),
      // Only a body in chunks has trailers: one for HTTP/1.0 has none.
      ...(request.method === 'GET' && request.httpVersion !== '1.0' && { Trailer: DOWNLOAD_HEADERS.sent }),
    });
    if (request.method === 'HEAD') response.end();
    else {
      const body = new Body(response, signal, sliceTimeoutMs);
      await send(download, format, rows.parts(skip), reads, body, isGzip ? new GzipFile() : undefined);
    }
  } finally {
    leave();
  }
}

/** Sends the parts, each read when the one before has gone out: a slow reader holds one in memory, a gone one none. */
async function send(
  download: Download,
  formatName: FileFormat,
  parts: Iterable<Part>,
  store: Reads,
  body: Body,
  gzip: GzipFile | undefined,
): Promise<void> {
  const format = FILE_FORMATS[formatName];
  const writer = format.writer(Object.keys(download.record.shape));
  const write = async (content: Buffer): Promise<void> =>
    body.write(gzip === undefined || content.length === 0 ? content : await gzip.add(content));
  let sent = 0;
  await write(writer.begin());
  for (const { rows, sql, params } of parts) {
    const part = await store.queryBytes(`${sql(format.values)} ${format.sql}`, params);
    await write(writer.add(part, rows));
    sent += rows;
  }
  await write(writer.end());
  if (gzip !== undefined) await body.write(gzip.end(Buffer.alloc(0)));
  body.end({ [DOWNLOAD_HEADERS.sent]: `${sent}` });
}

/** The body of a response, as fast as its reader takes it. */
class Body {
  constructor(
    private readonly response: Response,
    private readonly gone: AbortSignal,
    private readonly sliceTimeoutMs: number,
  ) {}

  /** @throws Error when the reader has gone, or takes a slice too slowly: then it is cut off */
  async write(bytes: Buffer): Promise<void> {
    for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
      if (this.response.destroyed) throw new Error('the reader has gone');
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

function cursorFault(message: string): InvalidParameters {
  return new InvalidParameters([{ parameter: 'cursor', message }]);
}
