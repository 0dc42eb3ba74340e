import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Answer, Endpoint, EndpointQuestion, Sources } from '../api/endpoint.js';
import { CSV_CONTENT_TYPE, FIGURES, isFigure } from '../api/formats.js';
import { unitOf, withCelsius } from '../api/questions/temperature-unit.js';
import { attachment } from '../http/exchange.js';
import type { Version } from '../store/data-version.js';
import { inSlices, Slice } from '../slices.js';
import { csvText } from './csv.js';

/** A part of a body that depends on the moment of answering: ASCII text. */
interface Moment {
  is: 'generated_at' | 'query_time_ms' | ((now: Date) => unknown);
}

/** A part of a body: ready bytes, as latin1 if they are short, or a moment. One without functions goes to other threads. */
export type BodyPart = Buffer | string | Moment;

// All answers share these two: a cached one is short of memory.
const GENERATED_AT: Moment = { is: 'generated_at' };
const QUERY_TIME_MS: Moment = { is: 'query_time_ms' };

const momentText = ({ is }: Moment, now: Date, queryTimeMs: number): string =>
  is === 'query_time_ms' ? `${queryTimeMs}` : JSON.stringify(is === 'generated_at' ? now : is(now));

// Node sends a text in one piece with the headers, but copies it once more than bytes: too much for a long one.
const SHORT_BYTES = 65_536;

// New memory comes page by page, on some machines in 13 µs each: 12 MB in one piece then hold the event loop for 37 ms.
const PIECE_BYTES = 262_144;

/** The bytes of a body: a short one is a latin1 text of them, a long one comes in pieces. */
export type BodyBytes = string | readonly Buffer[];

/**
 * The body of an answer as the cache keeps it: ready parts, and moments between them. Ready parts are bytes; a short one
 * is a text whose characters are the bytes (latin1).
 */
export class Body {
  readonly #parts: BodyPart[] = [];
  #bytes = 0;

  constructor(parts: readonly BodyPart[] = []) {
    for (const part of parts) {
      this.#parts.push(part);
      if (!isMoment(part)) this.#bytes += part.length;
    }
  }

  get parts(): readonly BodyPart[] {
    return this.#parts;
  }

  /** The bytes of the ready parts. */
  get bytes(): number {
    return this.#bytes;
  }

  add(...pieces: readonly Buffer[]): this {
    for (const bytes of pieces) {
      this.#bytes += bytes.length;
      // A short Buffer would keep the 8 kB that it shares with others in memory.
      this.#parts.push(bytes.length <= SHORT_BYTES ? bytes.toString('latin1') : bytes);
    }
    return this;
  }

  addMoment(moment: Moment): this {
    this.#parts.push(moment);
    return this;
  }

  /** The parts before the first moment, and the rest. */
  split(): { ready: Buffer[]; rest: Body } {
    const first = this.#parts.findIndex(isMoment);
    const at = first === -1 ? this.#parts.length : first;
    const ready = this.#parts.slice(0, at).map((part) => bytesOf(part as Buffer | string));
    return { ready, rest: new Body(this.#parts.slice(at)) };
  }

  /** The whole body, as of now. */
  at(now: Date, queryTimeMs: number): BodyBytes {
    const parts = this.#parts.map((part) => (isMoment(part) ? momentText(part, now, queryTimeMs) : part));
    return this.#bytes <= SHORT_BYTES ? parts.join('') : parts.map(bytesOf);
  }
}

const isMoment = (part: BodyPart): part is Moment => typeof part === 'object' && 'is' in part;

/** The bytes of a ready part. */
const bytesOf = (part: Buffer | string): Buffer =>
  typeof part === 'string' ? Buffer.from(part, 'latin1') : part;

export const lengthOf = (bytes: BodyBytes): number =>
  typeof bytes === 'string' ? bytes.length : bytes.reduce((sum, piece) => sum + piece.length, 0);

/** Sends a body behind its headers; Node sends none to a HEAD. */
export function sendBody(response: ServerResponse, bytes: BodyBytes): void {
  if (typeof bytes === 'string') response.end(bytes, 'latin1');
  else {
    response.cork(); // the headers go with the first piece
    for (const piece of bytes) response.write(piece);
    response.end();
  }
}

/** The bytes of a body in one piece. */
export const wholeOf = (bytes: BodyBytes): Buffer =>
  typeof bytes === 'string' ? bytesOf(bytes) : Buffer.concat(bytes);

/** A long text in the making: it becomes bytes piece by piece. */
class Text {
  readonly #pieces: Buffer[] = [];

  constructor(private tail = '') {}

  add(text: string): void {
    this.tail += text;
    if (this.tail.length > PIECE_BYTES) this.#end();
  }

  pieces(): Buffer[] {
    this.#end();
    return this.#pieces;
  }

  #end(): void {
    this.#pieces.push(Buffer.from(this.tail));
    this.tail = '';
  }
}

/** The price of an answer to its caller. */
export interface Cost {
  /** Time of its statements, with their time in the queue. */
  storeMs: number;
  /** Rows that they have read. */
  rows: number;
  /** Time in a worker; undefined for an answer that was made without one. */
  workMs?: number | undefined;
}

/** An answer of an endpoint in one format, as it is kept. */
export interface CachedAnswer {
  headers: Record<string, string>;
  body: Pick<Body, 'at' | 'bytes'>;
  verified: boolean;
  bytes: number;
}

/** An answer in the format of its question, with the headers that tell of it. */
export interface Made {
  headers: Record<string, string>;
  body: Body;
  verified: boolean;
}

/** A figure stands in pages of others, and an SVG has its style in it. */
const FIGURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** Makes an answer, here or in a worker. @throws as Endpoint.answer() does */
export async function make(
  endpoint: Endpoint,
  question: EndpointQuestion,
  sources: Sources,
  { finishedLoad, lineage }: Version,
): Promise<Made> {
  const { asOf, format } = question;
  const answer = await endpoint.answer(question, sources);
  const verified = answer.verified === true;
  if (format.format === 'json') {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', ...answer.headers };
    return { headers, body: await jsonBody(answer, asOf?.version ?? finishedLoad, lineage), verified };
  }
  if (isFigure(format.format)) {
    const headers = { ...FIGURE_HEADERS, 'Content-Type': FIGURES[format.format], ...answer.headers };
    const figure = endpoint.figures?.[format.format]?.([answer.data].flat(), question) ?? '';
    return { headers, body: new Body().add(Buffer.from(figure)), verified };
  }
  const headers = {
    'Content-Type': CSV_CONTENT_TYPE,
    ...attachment(endpoint.paths[0] ?? '', answer.fileNameParts ?? [], 'csv'),
    ...answer.headers,
  };
  return { headers, body: await csvBody(endpoint, question, answer), verified };
}

/** The JSON.stringify() of an answer's data, in pieces because a list in it may have 50,000 members. */
function* jsonTexts(data: object): Generator<string> {
  if (Array.isArray(data)) {
    yield* textsOfList(data);
    return;
  }
  let before = '{';
  for (const [name, value] of Object.entries(data) as [string, unknown][]) {
    if (value === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    if (Array.isArray(value)) yield* textsOfList(value);
    else yield JSON.stringify(value);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}

function* textsOfList(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (const member of list) {
    yield before + JSON.stringify(member);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** The beginning of an answer. It has a function of its own, since the moments of the body keep what theirs holds. */
async function dataBytes(data: object): Promise<Buffer[]> {
  const text = new Text('{"success":true,"data":');
  await inSlices(jsonTexts(data), (part) => text.add(part));
  return text.pieces();
}

/**
 * An answer as JSON, in the envelope of section 1 of the interface.
 * @param data_version the last finished load whose data it holds (D31)
 * @param lineage of the data (D49)
 */
async function jsonBody({ data, metadata }: Answer, data_version: number, lineage: string): Promise<Body> {
  const body = new Body();
  body.add(...(await dataBytes(data)));
  let text = '';
  const addMoment = (moment: Moment): void => {
    body.add(Buffer.from(text)).addMoment(moment);
    text = '';
  };
  if (metadata !== undefined) {
    text += ',"metadata":{"generated_at":';
    addMoment(GENERATED_AT);
    for (const [name, value] of Object.entries({ ...metadata, data_version, lineage })) {
      text += `,${JSON.stringify(name)}:`;
      if (typeof value === 'function') addMoment({ is: value });
      else text += JSON.stringify(value);
    }
    text += ',"query_time_ms":';
    addMoment(QUERY_TIME_MS);
    text += '}';
  }
  return body.add(Buffer.from(`${text}}`));
}

/** An answer as CSV. */
async function csvBody(
  endpoint: Endpoint,
  question: EndpointQuestion,
  { data, csvConstants }: Answer,
): Promise<Body> {
  const asked = endpoint.asked?.(question) ?? {};
  const { shape } = unitOf(question) === 'celsius' ? withCelsius(endpoint.record) : endpoint.record;
  const fields = Object.entries(shape).filter(([name]) => asked[name] !== false);
  const record = z.object(Object.fromEntries(fields));
  const text = new Text();
  const values = endpoint.many ? (data as unknown[]) : [data];
  const slice = new Slice();
  for await (const chunk of csvText(record, values, csvConstants, question.format.bom).setEncoding('utf8')) {
    text.add(chunk as string);
    if (slice.isOver) await slice.pass();
  }
  return new Body().add(...text.pieces());
}
