import {
  request as requestPlain,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as requestSecure } from 'node:https';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';
import { plainText } from '../plain-text.js';
import { checkPublicHost, lookupPublic } from './public-address.js';
import type { Sieve } from '../source.js';

// One request over HTTP and its response, in bytes.

/** Packed, and unpacked. */
const MAX_BYTES = 64 * 1024 ** 2;

/** The longest line of a response that is read by lines. */
const LONGEST_LINE_BYTES = 64 * 1024;

export const TOO_LARGE = 'the response is too large';

const unpacked = promisify(gunzip);

interface Exchange {
  headers: Readonly<Record<string, string>>;
  /** JSON that the request is a POST of. */
  body?: string | undefined;
  signal: AbortSignal;
  /** A sieve of the lines of the response, which reads it while it comes instead. */
  sieve?: Sieve | undefined;
  /** Whether addresses of private networks are refused. */
  isPublic: boolean;
}

/**
 * One request and its response; it follows no redirect. In Node 20 fetch() never settles where a body claims falsely to be
 * gzip. So the body is unpacked once it has been read.
 * @returns a text instead of the body says why it is missing, such as TOO_LARGE
 */
export async function exchange(
  target: URL,
  { signal, sieve, isPublic, body, headers: given }: Exchange,
): Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer | string }> {
  const headers: OutgoingHttpHeaders = { accept: '*/*', ...given, 'accept-encoding': 'gzip' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const method = body === undefined ? 'GET' : 'POST';
  const begin = target.protocol === 'https:' ? requestSecure : requestPlain;
  if (isPublic) checkPublicHost(target.hostname);
  return new Promise((resolve, reject) => {
    const request = begin(
      target,
      { method, headers, signal, ...(isPublic && { lookup: lookupPublic }) },
      (response) => {
        const { statusCode: status = 0, headers } = response;
        const reading = sieve && status === 200 ? sieved(response, sieve) : readBody(response);
        reading.then((body) => resolve({ status, headers, body }), reject);
      },
    );
    // Also after the response has begun.
    request.on('error', reject).end(body);
  });
}

async function readBody(response: IncomingMessage): Promise<Buffer | string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) return TOO_LARGE; // leaving the loop ends the connection
    chunks.push(chunk);
  }
  const { 'content-encoding': encoding = 'identity' } = response.headers;
  if (encoding === 'identity') return Buffer.concat(chunks);
  if (encoding !== 'gzip') return `the response has an unknown encoding: ${plainText(encoding, 20)}`;
  try {
    return await unpacked(Buffer.concat(chunks), { maxOutputLength: MAX_BYTES });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ERR_BUFFER_TOO_LARGE' ? TOO_LARGE : `the response is not valid gzip (${code})`;
  }
}

/** The lines of a body that a sieve keeps. Once it has enough, the connection ends. */
async function sieved(response: IncomingMessage, sieve: Sieve): Promise<Buffer | string> {
  const { 'content-encoding': encoding = 'identity' } = response.headers;
  if (encoding !== 'identity' && encoding !== 'gzip') return readBody(response);
  // Each ends with the other: where the response breaks off, and where nothing more is read.
  const unpacking = encoding === 'gzip' ? pipeline(response, createGunzip(), () => {}) : response;
  // As buffers of their own, because a part of a text keeps all of it in memory.
  const kept: Buffer[] = [];
  let bytes = 0;
  let started = '';
  try {
    for await (const chunk of unpacking as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      // Latin1 has a character for each byte, so that none is cut into halves.
      const lines = (started + chunk.toString('latin1')).split('\n');
      started = lines.pop() ?? '';
      if (bytes > MAX_BYTES || started.length > LONGEST_LINE_BYTES) return TOO_LARGE;
      for (const line of lines) {
        const verdict = sieve(line);
        if (verdict === 'enough') return Buffer.concat(kept);
        if (verdict === 'keep') kept.push(Buffer.from(`${line}\n`, 'latin1'));
      }
    }
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code.startsWith('Z_')) return `the response is not valid gzip (${code})`;
    throw error;
  }
  return Buffer.concat([...kept, Buffer.from(started, 'latin1')]);
}
