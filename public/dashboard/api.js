import { currentKey, isPublic } from './key.js';

/** An answer that is not the one asked for. */
export class ApiFault extends Error {
  /**
   * @param {string} code a code of the API, UNREACHABLE, or OUTDATED: a file of the page is not there any more
   * @param {string} [message]
   * @param {number} [retryAfterSeconds]
   * @param {string} [requestId]
   */
  constructor(code, message, retryAfterSeconds, requestId) {
    super(message);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
    this.requestId = requestId;
  }
}

/**
 * Asks the public API, as anybody can.
 * @param {string} path below /api/v1
 * @param {Record<string, string>} parameters blank ones are left out
 * @param {AbortSignal} [signal]
 * @throws {ApiFault}
 */
async function ask(path, parameters, signal) {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  const key = currentKey();
  const needsNone = key === '' && isPublic();
  // A text that no header can carry is no key.
  if (!needsNone && !/^[\x21-\x7e]+$/.test(key))
    throw new ApiFault('UNAUTHORIZED', 'The API key is not valid');
  const init = {
    ...(!needsNone && { headers: { Authorization: `Bearer ${key}` } }),
    ...(signal && { signal }),
  };
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`api/v1/${path}${query.size === 0 ? '' : `?${query}`}`, init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiFault('UNREACHABLE', 'The service did not answer. Is it running, and are you online?');
  }
  if (response.ok) return response;
  const body = /** @type {any} */ (await response.json().catch(() => undefined));
  const retryAfter = Number(response.headers.get('Retry-After'));
  throw new ApiFault(
    body?.error?.code ?? 'INTERNAL',
    body?.error?.message ?? `The service answered with status ${response.status}`,
    retryAfter > 0 ? retryAfter : undefined,
    response.headers.get('X-Request-Id') ?? undefined,
  );
}

/**
 * @template Answer
 * @param {string} path
 * @param {Record<string, string>} parameters
 * @param {AbortSignal} signal
 * @returns {Promise<Answer>}
 */
export async function getJson(path, parameters, signal) {
  const response = await ask(path, parameters, signal);
  return response.json();
}

/**
 * Saves an answer as a CSV file, under the name that the API gives it. A link could not carry the key.
 * @param {string} path
 * @param {Record<string, string>} parameters
 */
export async function saveCsv(path, parameters) {
  const response = await ask(path, { ...parameters, format: 'csv' });
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
