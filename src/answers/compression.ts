import { GzipFile } from '../http/encoding.js';
import { Body, type CachedAnswer, lengthOf, wholeOf } from './body.js';

// Compresses cached answers: once per answer, not once per request.

// A shorter body fits one packet anyway.
const MIN_BYTES = 1400;

/** Makes an answer as gzip; undefined where it is short, or compressed already. */
export function compressed(answer: CachedAnswer): (() => Promise<CachedAnswer>) | undefined {
  const whole = answer.body;
  if (whole.bytes < MIN_BYTES || !(whole instanceof Body)) return undefined;
  return async () => {
    const body = await GzipBody.of(whole);
    return { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body, bytes: body.bytes };
  };
}

/**
 * A body as gzip. The bytes before the first moment are compressed once; the rest, some hundred bytes of metadata,
 * follows uncompressed, written for each response.
 */
class GzipBody {
  private constructor(
    private readonly file: GzipFile,
    private readonly ready: readonly Buffer[],
    private readonly rest: Body,
  ) {}

  static async of(body: Body): Promise<GzipBody> {
    const { ready, rest } = body.split();
    const file = new GzipFile();
    const pieces: Buffer[] = [];
    for (const piece of ready) pieces.push(await file.add(piece));
    return new GzipBody(file, pieces, rest);
  }

  /** The bytes in memory. */
  get bytes(): number {
    return lengthOf(this.ready) + this.rest.bytes;
  }

  at(now: Date, queryTimeMs: number): Buffer[] {
    return [...this.ready, this.file.end(wholeOf(this.rest.at(now, queryTimeMs)))];
  }
}
