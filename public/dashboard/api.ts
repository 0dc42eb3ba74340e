import type { ErrorResponse, OPERATIONS, Operations } from '../../clients/typescript/src/generated.js';
import type { Parameters } from './address.js';
import { currentKey, isPublic } from './key.js';
import { fileOf, published } from './published.js';

type Below<Path> = Path extends `/api/v1/${infer Rest}` ? Rest : never;
type Named<Path> = Path extends `${infer Before}{${string}}` ? `${Before}${string}` : Path;

/** The responses of the API by their path below /api/v1, with the types of the client. */
export type Responses = {
  [Name in keyof Operations<unknown> as Named<Below<(typeof OPERATIONS)[Name]['path']>> & string]: Awaited<
    ReturnType<Operations<unknown>[Name]>
  >;
};

/** A failed request. Its code is one of the API, UNREACHABLE, or OUTDATED: a file of the page has gone. */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message?: string,
    readonly retryAfterSeconds?: number,
    readonly requestId?: string,
  ) {
    super(message);
  }
}

/** The code of what a copy does not have. */
export const NOT_PUBLISHED = 'NOT_PUBLISHED';

/** A request to the public API, as anybody can send it; blank parameters are left out. @throws ApiError */
async function ask(path: string, given: Parameters, signal?: AbortSignal): Promise<Response> {
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
  const key = currentKey();
  const needsNone = key === '' && isPublic();
  // A text that no header can carry is no key.
  if (!needsNone && !/^[\x21-\x7e]+$/.test(key))
    throw new ApiError('UNAUTHORIZED', 'The API key is not valid');
  const url = published
    ? `${published.folder}/${fileOf(path, given)}`
    : `api/v1/${path}${query.size === 0 ? '' : `?${query}`}`;
  const response = await fetch(url, {
    headers: needsNone ? {} : { Authorization: `Bearer ${key}` },
    signal: signal ?? null,
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new ApiError('UNREACHABLE', 'The service did not answer. Is it running, and are you online?');
  });
  // Some hosts answer with a page where a copy has no file.
  const isPage = published && response.headers.get('Content-Type')?.includes('html');
  if (response.ok && !isPage) return response;
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorResponse> | undefined;
  const retryAfter = Number(response.headers.get('Retry-After'));
  throw new ApiError(
    body?.error?.code ?? (published ? NOT_PUBLISHED : 'INTERNAL'),
    body?.error?.message ?? `The service answered with status ${response.status}`,
    retryAfter > 0 ? retryAfter : undefined,
    response.headers.get('X-Request-Id') ?? undefined,
  );
}

/** A file of a copy may be an error of the service, such as that of a variable without probabilities. @throws ApiError */
async function readBody(response: Response): Promise<unknown> {
  const body = (await response.json()) as Partial<ErrorResponse>;
  if (body.error) throw new ApiError(body.error.code, body.error.message);
  return body;
}

/** The responses that one view needs: each is requested once, and all are given up together. */
export class Load {
  static #count = 0;
  readonly number = (Load.#count += 1);
  readonly #abort = new AbortController();
  readonly signal = this.#abort.signal;
  readonly #responses = new Map<string, Promise<unknown>>();

  stop(): void {
    this.#abort.abort();
  }

  get<Path extends keyof Responses>(path: Path, given: Parameters = {}): Promise<Responses[Path]> {
    const name = `${path} ${JSON.stringify(given)}`;
    const response = this.#responses.get(name) ?? ask(path, given, this.signal).then(readBody);
    this.#responses.set(name, response);
    response.catch(() => this.#responses.delete(name)); // the next try requests it again
    return response as Promise<Responses[Path]>;
  }
}

/** The providers with their variables: everywhere one request, so that a view asks once. */
export const getProviders = (load: Pick<Load, 'get'>): Promise<Responses['providers']> =>
  load.get('providers', { variables: 'true' });

/** A file of the page that is loaded when it is needed; the browser keeps it. @throws ApiError */
export const late = <File>(file: Promise<File>): Promise<File> =>
  file.catch(() => {
    throw new ApiError('OUTDATED');
  });

/** Whether the API refuses the key. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'UNAUTHORIZED';

/** Takes something else in place of a response where the API refuses the parameters; other errors stay. */
export const ifInvalid =
  <Other>(other: (message: string) => Other) =>
  (error: unknown): Other => {
    if (error instanceof ApiError && error.code === 'INVALID_PARAMETER') return other(error.message);
    throw error;
  };

/** Saves a response as a CSV file, under the name that the API gives it. A link could not carry the key. */
export async function saveCsv(path: string, given: Parameters): Promise<string> {
  const response = await ask(path, { ...given, format: 'csv' });
  const disposition = response.headers.get('Content-Disposition') ?? '';
  const [, name = 'forecast-accuracy.csv'] = /filename="([^"]+)"/.exec(disposition) ?? [];
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // A browser begins to read when it gets round to it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return name;
}
