import type { Request } from 'express';
import { acceptedEncoding, GzipFile } from '../http/encoding.js';
import { Body } from './body.js';
import type { AnswerCache } from './cache.js';
import type { KeptAnswer } from './answering.js';

// Compresses kept answers: once per answer, not once per request.

// A shorter body fits one packet anyway.
const MIN_BYTES = 1400;

/** The key of the compressed answer, if the request accepts one. */
export function encodedKey(key: string, request: Request): string | undefined {
  return acceptedEncoding(request, ['gzip']) === 'gzip' ? `${key} gzip` : undefined;
}

/** The compressed answer, kept beside the plain one; the plain one itself where it is short. */
export async function encodedAnswer(
  answers: AnswerCache<KeptAnswer>,
  key: string,
  answer: KeptAnswer,
): Promise<KeptAnswer> {
  const { body } = answer;
  if (body.bytes < MIN_BYTES || !(body instanceof Body)) return answer;
  return (await answers.ask(key, () => compressed(answer, body))).answer;
}

async function compressed(answer: KeptAnswer, whole: Body): Promise<KeptAnswer> {
  const body = await GzipBody.of(whole);
  return { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body, bytes: body.bytes };
}

/**
 * A body as gzip. The bytes before the first moment are compressed once; the rest, some hundred bytes of metadata,
 * follows uncompressed, written for each response.
 */
class GzipBody {
  private constructor(
    private readonly file: GzipFile,
    private readonly ready: Buffer,
    private readonly rest: Body,
  ) {}

  static async of(body: Body): Promise<GzipBody> {
    const { ready, rest } = body.split();
    const file = new GzipFile();
    return new GzipBody(file, await file.add(ready), rest);
  }

  /** The bytes in memory. */
  get bytes(): number {
    return this.ready.length + this.rest.bytes;
  }

  at(now: Date, queryTimeMs: number): Buffer {
    const rest = this.rest.at(now, queryTimeMs);
    const end = this.file.end(typeof rest === 'string' ? Buffer.from(rest, 'latin1') : rest);
    return Buffer.concat([this.ready, end]);
  }
}
