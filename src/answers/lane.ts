import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { type KeyGate, keyOf } from '../access/admission.js';
import { isKnown } from '../http/conditional.js';
import { hasHost } from '../http/errors.js';
import type { Metrics } from '../observe/metrics.js';
import { MINUTE_MS } from '../statistics/time/calendar.js';
import type { DataVersion } from '../store/data-version.js';
import { type CachedAnswer, lengthOf, sendBody } from './body.js';
import type { AnswerCache } from './cache.js';

const MAX_ENTRIES = 5000;
const MAX_BYTES = 16 * 1024 ** 2;

/** The headers of an entry and its objects; measured: 1.4 kB. */
const ENTRY_BYTES = 1500;

// The text of a request may be 64 kB: such ones are not what is asked again and again.
const MAX_NAME_LENGTH = 1000;

/** Headers that are of one response. */
const OF_ONE = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'ratelimit',
  'server-timing',
  'x-request-id',
]);

/** The keys and the tag of a cached answer. */
interface Found {
  /** The key of the version of the data. */
  version: string;
  /** The key of the answer among those that are kept. */
  answerKey: string;
  tag: string;
}

/** How an answer was sent: all of it that the next one shares. */
interface Entry extends Found {
  minute: number;
  apiKey: string;
  keyId: string;
  /** Requests a minute; 0 is no limit. */
  limit: number;
  /** The beginning of RateLimit. */
  policy: string;
  route: unknown;
  /** The headers of a 200, names and values in turn. */
  headers: string[];
  /** The headers that its 304 has, too. */
  shared: string[];
}

export interface LaneDependencies {
  answers: AnswerCache<CachedAnswer>;
  dataVersion: Pick<DataVersion, 'atHand'>;
  gate: Pick<KeyGate, 'pass'>;
  metrics: Pick<Metrics, 'countAnswer'>;
  clock: () => Date;
  /** Makes of a request what the log and the metrics read, and tells them that it has begun. */
  begin: (
    request: IncomingMessage,
    response: ServerResponse,
    entry: Pick<Entry, 'keyId' | 'route'>,
  ) => Request;
}

/**
 * The lane of questions that were asked before: it answers them without Express, in a quarter of the time. A request
 * whose every part that an answer depends on is as before gets the headers that Express has sent, and the answer that is
 * kept; all others go on to Express. The lane makes no answer and refuses nothing.
 */
export class Lane {
  readonly #entries = new LRUCache<string, Entry>({
    max: MAX_ENTRIES,
    maxSize: MAX_BYTES,
    sizeCalculation: (_entry, name) => name.length + ENTRY_BYTES,
  });

  constructor(private readonly dependencies: LaneDependencies) {}

  /** Answers a request. @returns false, and nothing has happened, when it is for Express */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const name = nameOf(request, request.url ?? '');
    const entry = name === undefined ? undefined : this.#entries.get(name);
    if (entry === undefined || !hasHost(request)) return false;
    const { answers, dataVersion, gate, metrics, clock, begin } = this.dependencies;
    const now = clock();
    if (entry.minute !== minuteOf(now) || entry.version !== dataVersion.atHand?.key) return false;
    const answer = answers.find(entry.answerKey);
    const passed = answer && gate.pass(entry.apiKey, entry.limit);
    if (answer === undefined || passed === undefined) return false;
    const { id } = begin(request, response, entry);
    const isUnchanged = isKnown(request.headers['if-none-match'], entry.tag);
    metrics.countAnswer(isUnchanged ? 'not_modified' : 'cache');
    passed.account.answered(true);
    const headers = ['X-Request-Id', id];
    if (entry.limit > 0)
      headers.push('RateLimit', `${entry.policy}; r=${passed.requestsLeft}; t=${passed.resetSeconds}`);
    if (isUnchanged) {
      response.writeHead(304, headers.concat(entry.shared)).end();
      return true;
    }
    const bytes = answer.body.at(now, 0);
    headers.push('Content-Length', `${lengthOf(bytes)}`, 'Server-Timing', 'cache;desc=hit');
    response.writeHead(200, headers.concat(entry.headers));
    sendBody(response, bytes);
    return true;
  }

  /**
   * Notes how Express has sent an answer, or its 304.
   * @param own the headers that a 304 lacks
   */
  enter(request: Request, response: Response, now: Date, found: Found, own: CachedAnswer['headers']): void {
    const name = nameOf(request, request.originalUrl);
    const apiKey = keyOf(request.headers.authorization);
    const { keyId, caller } = response.locals;
    if (name === undefined || apiKey === undefined || keyId === undefined || caller === undefined) return;
    const shared = rawNames(response)
      .filter((header) => !OF_ONE.has(header.toLowerCase()) && !(header in own))
      .flatMap((header) => [header, String(response.getHeader(header))]);
    const headers = [...shared, ...Object.entries(own).flat()];
    const [policy = ''] = String(response.getHeader('RateLimit') ?? '').split(';', 1);
    const limit = caller.usage().requests_per_minute ?? 0;
    const route: unknown = request.route;
    this.#entries.set(name, {
      ...found,
      minute: minuteOf(now),
      apiKey,
      keyId,
      limit,
      policy,
      route,
      headers,
      shared,
    });
  }
}

/** All of a request that its answer depends on; undefined of those that the lane does not take. */
function nameOf({ method, headers }: IncomingMessage, url: string): string | undefined {
  const { authorization, origin, accept = '', 'accept-encoding': encoding = '' } = headers;
  // A web page of another origin may need permission; without a key it is the address that counts (D60).
  if (authorization === undefined || origin !== undefined) return undefined;
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const name = `${url}\n${accept}\n${encoding}\n${authorization}`;
  return name.length > MAX_NAME_LENGTH ? undefined : name;
}

/** The names of headers as they are sent; the types of Node lack this. */
const rawNames = (response: ServerResponse): string[] =>
  (response as ServerResponse & { getRawHeaderNames(): string[] }).getRawHeaderNames();

const minuteOf = (now: Date): number => Math.floor(now.getTime() / MINUTE_MS);
