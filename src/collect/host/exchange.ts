import { get as getPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { plainText } from '../plain-text.js';

// One request over HTTP and its answer, in bytes.

/** Packed, and unpacked. */
const MOST_BYTES = 64 * 1024 ** 2;

export const TOO_LARGE = 'the answer is too large';

const unpacked = promisify(gunzip);

/**
 * One request and its answer; it follows no redirect. In Node 20 fetch() never settles where a body claims falsely to be
 * gzip. So the body is unpacked once it has been read.
 * @returns a text instead of the body says why it is missing, such as TOO_LARGE
 */
export async function exchange(
  target: URL,
  user_agent: string,
  signal: AbortSignal,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer | string }> {
  const headers = { 'user-agent': user_agent, accept: '*/*', 'accept-encoding': 'gzip' };
  const get = target.protocol === 'https:' ? getSecure : getPlain;
  return new Promise((resolve, reject) => {
    const request = get(target, { headers, signal }, (response) => {
      const { statusCode: status = 0, headers } = response;
      bodyOf(response).then((body) => resolve({ status, headers, body }), reject);
    });
    // Also after the answer has begun.
    request.on('error', reject);
  });
}

async function bodyOf(response: IncomingMessage): Promise<Buffer | string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) return TOO_LARGE; // leaving the loop ends the connection
    chunks.push(chunk);
  }
  const { 'content-encoding': encoding = 'identity' } = response.headers;
  if (encoding === 'identity') return Buffer.concat(chunks);
  if (encoding !== 'gzip') return `the answer has an unknown encoding: ${plainText(encoding, 20)}`;
  try {
    return await unpacked(Buffer.concat(chunks), { maxOutputLength: MOST_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : `the answer is not valid gzip (${code})`;
  }
}
