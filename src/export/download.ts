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

/** Downloads under way at the same time; each keeps the store busy for as long as its reader takes rows. */
export const MAX_DOWNLOADS = 2;

/** A reader that takes nothing for so long gives its place up. */
const STALLED_MS = 60_000;

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
  /** How long a reader may take nothing, ms; a minute if not given. */
  stalledMs?: number;
}

/** Adds the routes of the downloads, below a prefix. */
export function mountDownloads(
  router: IRouter,
  prefix: string,
  downloads: readonly Download[],
  dependencies: DownloadDependencies,
): void {
  let underWay = 0;
  for (const download of downloads) {
    router.get(prefix + download.path, async (request, response) => {
      const parameters = readRequest(download.groups, request.url, contextOf(request, dependencies.clock()));
      if (underWay >= MAX_DOWNLOADS) {
        throw new ApiError('OVERLOADED', `${underWay} exports are under way; try again when one has ended`);
      }
      underWay += 1;
      try {
        await respond(download, parameters, dependencies, request, response);
      } finally {
        underWay -= 1;
      }
    });
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
  { store, dataVersion, directory, stalledMs = STALLED_MS }: DownloadDependencies,
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
  const rows = await download.rows(question, version, store);
  if (skip > rows.total) {
    throw cursorFault(
      `lies behind the last of ${rows.total} pairs; ask with the parameters that it came with`,
    );
  }
  const fileName = [...download.path.split('/').slice(1), ...download.fileNameParts(question)].join('-');
  const gzip = FILE_FORMATS[format].compressible && acceptedEncoding(request, ['gzip']) === 'gzip';
  response.writeHead(200, {
    ...caching,
    'Content-Type': FILE_FORMATS[format].contentType,
    ...(gzip && { 'Content-Encoding': 'gzip' }),
    'Content-Disposition': `attachment; filename="${fileName}.${format}"`,
    [DOWNLOAD_HEADERS.total]: rows.total,
    [DOWNLOAD_HEADERS.cursor]: `${version}.${skip}`,
    ...(question.provider && { [DOWNLOAD_HEADERS.provider]: question.provider.name }),
    // Only a body in chunks has trailers: one for HTTP/1.0 has none.
    ...(request.method === 'GET' && request.httpVersion !== '1.0' && { Trailer: DOWNLOAD_HEADERS.sent }),
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  response.setTimeout(stalledMs, () => response.destroy());
  await send(download, format, rows.parts(skip), store, response, gzip);
  response.setTimeout(0);
}

/** Sends the parts, each read when the one before has gone out: a slow reader holds one in memory, a gone one none. */
async function send(
  download: Download,
  formatName: FileFormat,
  parts: Iterable<Part>,
  store: Reads,
  response: Response,
  gzip: boolean,
): Promise<void> {
  const format = FILE_FORMATS[formatName];
  const writer = format.writer(Object.keys(download.record.shape));
  const file = gzip ? new GzipFile() : undefined;
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const write = async (content: Buffer): Promise<void> => {
    const bytes = content.length === 0 ? content : ((await file?.add(content)) ?? content);
    // One that went before this began closes no second time.
    if (response.destroyed) throw new Error('the reader has gone');
    if (bytes.length === 0 || response.write(bytes)) return;
    await once(response, 'drain', { signal: gone.signal });
  };
  let sent = 0;
  await write(writer.begin());
  for (const { rows, sql, params } of parts) {
    const part = await store.relay(`${sql(format.values)} ${format.sql}`, params);
    await write(writer.add(part, rows));
    sent += rows;
  }
  await write(writer.end());
  if (file !== undefined) response.write(file.end(Buffer.alloc(0)));
  response.addTrailers({ [DOWNLOAD_HEADERS.sent]: `${sent}` });
  response.end();
}

function cursorFault(message: string): InvalidParameters {
  return new InvalidParameters([{ parameter: 'cursor', message }]);
}
