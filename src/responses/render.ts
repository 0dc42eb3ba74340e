import type { EndpointResponse, Endpoint, EndpointParams, Sources } from '../api/endpoint.js';
import { CSV_CONTENT_TYPE, CHART_MEDIA_TYPES, isChart } from '../api/formats.js';
import { getWriting } from '../api/params/temperature-unit.js';
import { attachment } from '../http/request-scope.js';
import type { Version } from '../store/data-version.js';
import { forEachCooperatively, Yielder } from '../lib/yield-to-event-loop.js';
import { convertResponse } from './convert.js';
import { csvText, makeLayout } from './csv.js';

// Rendering: the result of an endpoint becomes the bytes of a response, in the format of its request.

// New memory comes page by page, on some machines in 13 µs each: 12 MB in one piece then hold the event loop for 37 ms.
const PIECE_BYTES = 262_144;

/** A long text that becomes bytes piece by piece. */
class BodyText {
  readonly #pieces: Buffer[] = [];
  #tail = '';

  add(text: string): void {
    this.#tail += text;
    if (this.#tail.length > PIECE_BYTES) this.#endPiece();
  }

  /** The whole text as UTF-8. */
  async toBuffer(): Promise<Buffer> {
    this.#endPiece();
    const [first] = this.#pieces;
    if (first !== undefined && this.#pieces.length === 1) return first;
    const whole = Buffer.allocUnsafeSlow(this.#pieces.reduce((sum, { length }) => sum + length, 0));
    let start = 0;
    await forEachCooperatively(this.#pieces, (piece) => {
      start += piece.copy(whole, start);
    });
    return whole;
  }

  #endPiece(): void {
    this.#pieces.push(toBytes(this.#tail));
    this.#tail = '';
  }
}

/** A text as bytes in memory of their own: a short Buffer of Node's shares 8 kB with others, and cannot be transferred. */
const toBytes = (text: string): Buffer => Buffer.from(new TextEncoder().encode(text).buffer);

/** The work that a response took: its client reads it in Server-Timing. */
export interface ResponseCost {
  /** Time of its statements, with their time in the queue. */
  storeMs: number;
  /** Rows that they have read. */
  rows: number;
  /** Time in a worker; undefined for a response that was rendered without one. */
  workMs?: number | undefined;
}

/** A response of an endpoint in one format, with the headers that describe it. */
export interface RenderedResponse {
  headers: Record<string, string>;
  body: Buffer;
  /** All its pairs rest on verified observations. */
  verified: boolean;
}

const JSON_HEADERS = { 'Content-Type': 'application/json; charset=utf-8' }; // all responses share it: a short one is small

/** A figure stands in pages of others, and an SVG has its style in it. */
const FIGURE_HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

/** The headers that a format sets, whatever the data: a 304 has them where the response itself is not at hand. */
export function getFormatHeaders({ format: { format } }: EndpointParams): Record<string, string> {
  if (format === 'json') return JSON_HEADERS;
  if (isChart(format)) return { ...FIGURE_HEADERS, 'Content-Type': CHART_MEDIA_TYPES[format] };
  return { 'Content-Type': CSV_CONTENT_TYPE };
}

/** Renders a response, here or in a worker. @throws as Endpoint.handle() does */
export async function render(
  endpoint: Endpoint,
  params: EndpointParams,
  sources: Sources,
  version: Version,
): Promise<RenderedResponse> {
  const started = performance.now();
  const { format } = params.format;
  const response = await convertResponse(endpoint, params, await endpoint.handle(params, sources));
  const headers = response.headers
    ? { ...getFormatHeaders(params), ...response.headers }
    : getFormatHeaders(params);
  const verified = response.verified === true;
  if (format === 'json') {
    const body = await renderJson(response, (metadata) => ({
      generated_at: sources.now,
      ...metadata,
      data_version: params.asOf?.version ?? version.finishedLoad,
      timeline: version.timeline,
      query_time_ms: Math.round(performance.now() - started),
    }));
    return { headers, body, verified };
  }
  if (isChart(format)) {
    const figure = endpoint.charts?.[format]?.([response.data].flat(), params) ?? '';
    return { headers, body: toBytes(figure), verified };
  }
  const file = attachment(endpoint.paths[0] ?? '', response.fileNameParts ?? [], 'csv');
  return { headers: { ...headers, ...file }, body: await renderCsv(endpoint, params, response), verified };
}

/** The JSON.stringify() of a response's data, in pieces because a list in it may have 50,000 members. */
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

/** The JSON envelope of section 1 of the interface. @param complete adds the metadata that all endpoints have */
async function renderJson(
  { data, metadata }: EndpointResponse,
  complete: (metadata: object) => object,
): Promise<Buffer> {
  const text = new BodyText();
  text.add('{"success":true,"data":');
  await forEachCooperatively(jsonTexts(data), (part) => text.add(part));
  if (metadata !== undefined) text.add(`,"metadata":${JSON.stringify(complete(metadata))}`);
  text.add('}');
  return text.toBuffer();
}

async function renderCsv(
  endpoint: Endpoint,
  params: EndpointParams,
  { data, csvConstants }: EndpointResponse,
): Promise<Buffer> {
  const requested = endpoint.requested?.(params) ?? {};
  const { fields = [] } = endpoint.plan;
  const layout = makeLayout(fields, getWriting(params), requested);
  const text = new BodyText();
  const values = endpoint.isSingle ? [data] : (data as unknown[]);
  const yielder = new Yielder();
  await yielder.yieldNow();
  for await (const chunk of csvText(layout, values, csvConstants, params.format.bom).setEncoding('utf8')) {
    text.add(chunk as string);
    if (yielder.isOver) await yielder.yieldNow();
  }
  return text.toBuffer();
}
