import { get as getPlain, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { plainText } from './plain-text.js';

// One request over HTTP and its answer, in bytes.

interface Exchange {
  status: number;
  headers: IncomingHttpHeaders;
  /** As they came; undefined for more than are taken, of which the rest is not read. */
  bytes: Buffer | undefined;
}

/**
 * One request and its answer, which goes nowhere else and is not unpacked: in Node 20 fetch() never settles where a body
 * says gzip and is none.
 */
export async function exchange(
  target: URL,
  user_agent: string,
  { signal, most_bytes }: { signal: AbortSignal; most_bytes: number },
): Promise<Exchange> {
  const headers = { 'user-agent': user_agent, accept: '*/*', 'accept-encoding': 'gzip' };
  const get = target.protocol === 'https:' ? getSecure : getPlain;
  return new Promise((resolve, reject) => {
    const request = get(target, { headers, signal }, (response) => {
      const { statusCode: status = 0, headers } = response;
      bytesOf(response, most_bytes).then((bytes) => resolve({ status, headers, bytes }), reject);
    });
    // Also after the answer has begun.
    request.on('error', reject);
  });
}

async function bytesOf(response: IncomingMessage, most_bytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > most_bytes) return undefined; // leaving the loop ends the connection
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const unpacked = promisify(gunzip);

/** @returns undefined for what is too large; a text that says why it cannot be unpacked */
export async function unpack(
  packed: Buffer,
  encoding = 'identity',
  most_bytes = Infinity,
): Promise<Buffer | string | undefined> {
  if (encoding === 'identity') return packed;
  if (encoding !== 'gzip') return `the answer is packed as ${plainText(encoding, 20)}`;
  try {
    return await unpacked(packed, { maxOutputLength: most_bytes });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? undefined : `the answer is no whole gzip (${code})`;
  }
}
