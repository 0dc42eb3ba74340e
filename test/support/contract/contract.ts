import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import request, { type Test } from 'supertest';
import { FEEDS, NOW } from './data.js';
import { type FeedLines, loadLines } from '../ingest/feeds.js';
import { startTestService, type TestService, type TestServiceOptions } from '../service.js';
import type { Store } from '../../../src/store/store.js';
import { openTestStore } from '../store.js';
import { sharedWorld } from '../worlds.js';
import { withoutComponents, type OpenApiDocument } from '../../../scripts/openapi/components.js';

export interface ParameterFault {
  parameter: string;
  message: string;
}

export interface ErrorAnswer {
  success: false;
  error: { code: string; message: string; details?: ParameterFault[] };
  metadata: { generated_at: string; endpoint: string; request_id: string };
}

export interface SuccessAnswer<Data> {
  success: true;
  data: Data;
  metadata: Record<string, unknown>;
}

/** An answer as it came. */
export interface Answer {
  status: number;
  headers: Partial<Record<string, string>>;
  /** Blank for a HEAD. */
  text: string;
  body: unknown;
}

export interface DocumentedExample {
  summary?: string;
  value?: unknown;
  $ref?: string;
}

interface Operation {
  parameters?: { name: string; in: string; required?: boolean; schema: Record<string, unknown> }[];
  responses: Record<
    string,
    { content?: Record<string, { schema: object; examples?: Record<string, DocumentedExample> }> }
  >;
}

/** As much of an OpenAPI document as the tests read. */
export interface Document {
  openapi: string;
  paths: Record<string, Partial<Record<string, Operation>>>;
  components: { schemas: Record<string, object>; examples: Record<string, DocumentedExample> };
}

/** Words of the inside: in no answer may a caller see any of them. Statements are in capitals; `select` is a parameter. */
const STATEMENT = /\bSELECT\b/;
const INSIDES =
  /\bFROM \(|DB::|Code: \d|ClickHouse|chdb|_errors\b|current_stations|node_modules|\.[jt]s:\d|\bat \S+ \(|\/tmp\/|\/src\//i;

/**
 * A service, held to the OpenAPI document that it serves: every answer that passes through `check` has a status that
 * the document knows, and a body that its schema describes to the last field.
 */
export class Contract {
  private constructor(
    readonly service: TestService,
    private readonly described: Described,
  ) {}

  static async of(service: TestService): Promise<Contract> {
    described ??= describedBy(service);
    return new Contract(service, await described);
  }

  get document(): Document {
    return this.described.document;
  }

  /** A GET with a valid key, checked. */
  async get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    const answer = await sent(this.service.get(path).set(headers));
    this.check(path, answer);
    return answer;
  }

  /** A GET that succeeds with JSON. */
  async ok<Data>(path: string, headers?: Record<string, string>): Promise<SuccessAnswer<Data>> {
    const { status, headers: given, text, body } = await this.get(path, headers);
    expect(status, `GET ${path}: ${text}`).to.equal(200);
    expect(given['content-type']).to.equal('application/json; charset=utf-8');
    return body as SuccessAnswer<Data>;
  }

  /** A GET that is refused with this error. */
  async refused(path: string, status: number, code: string): Promise<ErrorAnswer['error']> {
    const answer = await this.get(path);
    const { error } = answer.body as ErrorAnswer;
    expect(
      { status: answer.status, code: (error as ErrorAnswer['error'] | undefined)?.code },
      `GET ${path}: ${answer.text.slice(0, 500)}`,
    ).to.deep.equal({ status, code });
    return error;
  }

  /** The faults that a GET is refused for, all of them. */
  async faults(path: string): Promise<ParameterFault[]> {
    const { details } = await this.refused(path, 400, 'INVALID_PARAMETER');
    expect(details, `GET ${path}: details`).to.be.an('array').that.is.not.empty;
    return details ?? [];
  }

  /**
   * The tag of the answer to a question that is taken. It is of what the question means, its format and the version of the
   * data, and nothing is read for it: two questions of one tag have one answer.
   */
  async tag(path: string): Promise<string> {
    const { status, headers, text } = await this.get(path, { 'If-None-Match': '*' });
    expect(status, `GET ${path}: ${text}`).to.equal(304);
    return headers.etag ?? '';
  }

  /** Holds an answer to the document, and an error to its one shape. */
  check(path: string, { status, headers, text }: Omit<Answer, 'body'>): void {
    const about = `GET ${path.slice(0, 200)} -> ${status} ${text.slice(0, 500)}`;
    expect(headers['x-request-id'], `${about}: X-Request-Id`).to.match(/^[\w.:/+=@-]{1,128}$/);
    if (status === 304) {
      expect([text, headers.etag], about).to.deep.equal(['', headers.etag ?? 'a tag']);
      return;
    }
    if (status === 200 && !headers['content-type']?.startsWith('application/json')) return;
    expect(headers['content-type'], about).to.equal('application/json; charset=utf-8');
    const body = JSON.parse(text) as unknown;
    const validate = this.#validator(path, status);
    expect(validate(body), `${about}: ${this.described.schemas.faults(validate)}`).to.equal(true);
    // The health route tells of a fault in its own words.
    if (status < 400 || this.template(path) === '/api/v1/health') return;
    const { error, metadata } = body as ErrorAnswer;
    expect(metadata.request_id, about).to.equal(headers['x-request-id']);
    expect(metadata.endpoint, about).to.equal(path.split('?', 1)[0]);
    expect(error.message + JSON.stringify(error.details), about)
      .not.to.match(INSIDES)
      .and.not.to.match(STATEMENT);
  }

  /** The path template of the document that a path falls under. */
  template(path: string): string | undefined {
    const segments = segmentsOf(path);
    return Object.keys(this.document.paths).find((template) => {
      const parts = segmentsOf(template);
      return (
        parts.length === segments.length &&
        parts.every((part, index) => part.startsWith('{') || part === segments[index])
      );
    });
  }

  #validator(path: string, status: number): ValidateFunction {
    const template = this.template(path);
    // The document knows no path that is not there, nor those beside the API; all errors have one form.
    const documented = template === undefined ? undefined : this.document.paths[template]?.get?.responses;
    if (documented !== undefined) expect(documented, `statuses of ${template}`).to.have.property(`${status}`);
    const isOwn = documented?.[status]?.content?.['application/json'] !== undefined;
    const key = isOwn ? `${template} ${status}` : 'error';
    const { schemas, validators } = this.described;
    const validate =
      validators.get(key) ??
      (isOwn
        ? schemas.validator('paths', template ?? '', 'get', ...ofResponse(`${status}`, 'application/json'))
        : schemas.validator('components', 'schemas', 'ErrorResponse'));
    validators.set(key, validate);
    return validate;
  }
}

/** A document, and what holds answers to it. */
interface Described {
  document: Document;
  schemas: Schemas;
  /** By path template and status. */
  validators: Map<string, ValidateFunction>;
}

/** The document of the first service that is asked: it is the same for each of a process, and a second's work to compile. */
let described: Promise<Described> | undefined;

async function describedBy(service: TestService): Promise<Described> {
  const { body } = await sent(request(service.app).get('/openapi.json').expect(200));
  const document = withoutComponents(body as OpenApiDocument) as unknown as Document;
  return { document, schemas: schemasOf(document), validators: new Map() };
}

/** Waits for a request, whatever its status. */
export async function sent(test: Test): Promise<Answer> {
  const { status, headers, text, body } = (await test) as Answer;
  return { status, headers, text: text ?? '', body };
}

/** The query that a request needs, by path; any other path answers without one. */
export const NEEDED: Partial<Record<string, string>> = {
  '/api/v1/probability': 'forecast=50&lead_time_bucket=12-24h',
};

/** A service on a store of its own, which was told these feeds, one load each; whoever asks for it closes the store. */
export async function contractOn(
  loads: readonly FeedLines[],
  options: TestServiceOptions = {},
): Promise<{ store: Store; contract: Contract }> {
  const store = await openTestStore();
  for (const feeds of loads) {
    const { rejections } = await loadLines(store, feeds);
    expect(rejections, 'rejected rows of the test data').to.deep.equal([]);
  }
  return { store, contract: await Contract.of(await startTestService(store, options)) };
}

let contract: Promise<Contract> | undefined;

/** The store that has the data of data.ts, for tests that only read. */
export const sharedStore = (): Promise<Store> => sharedWorld([FEEDS]);

/** The service on it. One for all tests. */
export const sharedContract = (): Promise<Contract> => (contract ??= serveShared());

async function serveShared(): Promise<Contract> {
  return Contract.of(await startTestService(await sharedStore(), { now: NOW }));
}

/** The schemas of a document. */
export interface Schemas {
  /** A check of a value against the schema at a place of the document: to the last field, and strictly. */
  validator(...place: string[]): ValidateFunction;
  /** The faults that it found. */
  faults(validate: ValidateFunction): string;
}

const EXTENSIONS = ['x-orientation', 'x-perfect-score', 'x-reference'];

/** One schema of the whole document: each that is compiled alone takes a copy of all that it refers to. */
export function schemasOf(document: Document): Schemas {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(['example', ...EXTENSIONS, ...Object.keys(document)]);
  ajv.addSchema(closed(document) as object, 'document', true);
  return {
    validator: (...place) => ajv.compile({ $ref: `document#/${place.map(asPointer).join('/')}` }),
    faults: ({ errors }) => ajv.errorsText(errors),
  };
}

/** The place of the schema of a response in its operation. */
export const ofResponse = (status: string, type: string): string[] => [
  'responses',
  status,
  'content',
  type,
  'schema',
];

/** A name as a part of a JSON pointer in a URI (RFC 6901). */
const asPointer = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** A copy of a document whose objects have no other fields than those it names. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  return copy.type === 'object' && 'properties' in copy ? { additionalProperties: false, ...copy } : copy;
}

function segmentsOf(path: string): string[] {
  return (path.split('?', 1)[0] ?? '').replace(/\/$/, '').split('/');
}
