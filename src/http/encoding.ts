import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request } from 'express';
import { LRUCache } from 'lru-cache';

// Content encodings (RFC 9110, section 8.4): which compression a client accepts, gzip or Brotli.

/** How content can be sent: as it is, or compressed. */
export type Encoding = 'br' | 'gzip' | 'identity';

// Clients send a handful of different headers; to read one takes longer than to look up a cached response.
const accepted = new LRUCache<string, Encoding>({ max: 100 });

/** The first of these encodings that the client accepts (Accept-Encoding), or else identity. */
export function acceptedEncoding(request: Request, offered: readonly Encoding[]): Encoding {
  const header = request.headers['accept-encoding'];
  if (header === undefined) return 'identity';
  const key = `${offered.join()} ${header}`;
  let encoding = accepted.get(key);
  if (encoding === undefined) {
    // One by one, because from a list Express takes the one that the client names first, which is mostly gzip.
    encoding = offered.find((each) => request.acceptsEncodings(each) !== false) ?? 'identity';
    if (header.length < 200) accepted.set(key, encoding);
  }
  return encoding;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Content in an encoding, made off the main thread; for content that is made once. */
export async function encode(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'gzip') return compressGzip(content, { level: 9 });
  // The files of the dashboard take 20 ms, and 0.6 s at 11, the best, which makes them a tenth shorter.
  if (encoding === 'br') return compressBrotli(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  return content;
}
