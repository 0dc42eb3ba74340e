import type { IRouter, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Window } from '../accuracy/window.js';
import type { Endpoint, Sources } from '../api/endpoint.js';
import type { AnswerForm } from '../api/formats.js';
import {
  identityOf,
  type Question,
  readRequest,
  type RequestContext,
  type RequestParameters,
} from '../api/groups.js';
import { cacheControl, entityTag, isClosed, isKnown } from '../http/conditional.js';
import type { Metrics } from '../observe/metrics.js';
import type { Directory, DirectoryReader } from '../stations/directory.js';
import type { DataVersion } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { VERSION } from '../version.js';
import { type Body, csvBody, jsonBody } from './body.js';
import type { AnswerCache } from './cache.js';
import { encodedAnswer, encodedKey } from './encoding.js';

/** An answer of an endpoint in one format, as it is kept. */
export interface KeptAnswer {
  headers: Record<string, string>;
  body: Pick<Body, 'at' | 'bytes'>;
  verified: boolean;
  bytes: number;
  /** Time in the store, waiting included. */
  storeMs: number;
}

/** A question at a version of the data, and the key and tag of its answer. */
interface ResolvedQuestion {
  version: string;
  question: Question;
  key: string;
  tag: string;
  /** Its window has been over for a day. */
  closed: boolean;
}

/** What a request text was found to mean. It holds no stations: 500 indexes of 2,000 would take a gigabyte. */
interface KeptQuestion {
  parameters: RequestParameters;
  resolved: ResolvedQuestion;
}

// Per endpoint; with the length, some hundred kB.
const MAX_KEPT_QUESTIONS = 500;
const MAX_KEPT_TEXT_LENGTH = 500;

const DAY_MS = 86_400_000;

const VARY = 'Authorization, Accept, Accept-Encoding';

/** The format may depend on Accept (D22), and what a page may read on its Origin (CORS). */
export function varyOf(response: Response): string {
  return response.hasHeader('Vary') ? `${VARY}, Origin` : VARY;
}

export interface MountDependencies {
  store: Pick<Store, 'query'>;
  dataVersion: Pick<DataVersion, 'fresh' | 'current'>;
  directory: Pick<DirectoryReader, 'at'>;
  answers: AnswerCache<KeptAnswer>;
  metrics: Pick<Metrics, 'countAnswer' | 'measureQuery'>;
  clock: () => Date;
}

/** Adds the routes of the endpoints, below a prefix. */
export function mount(
  router: IRouter,
  prefix: string,
  endpoints: readonly Endpoint[],
  dependencies: MountDependencies,
): void {
  for (const endpoint of endpoints) {
    const paths = endpoint.paths.map((path) => prefix + path);
    const kept = new LRUCache<string, KeptQuestion>({ max: MAX_KEPT_QUESTIONS });
    router.get(paths, (request, response) => respond(endpoint, kept, dependencies, request, response));
  }
}

async function respond(
  endpoint: Endpoint,
  kept: LRUCache<string, KeptQuestion>,
  { store, dataVersion, directory, answers, metrics, clock }: MountDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const now = clock();
  const started = performance.now();
  // Clients repeat their requests: what one means holds while the data and the date are the same.
  const text = `${Math.floor(now.getTime() / DAY_MS)} ${request.headers.accept ?? ''} ${request.url}`;
  const known = kept.get(text);
  // Bad parameters are told even when the data cannot be reached.
  const parameters = known?.parameters ?? readRequest(endpoint.groups, request.url, contextOf(request, now));
  const version = dataVersion.fresh ?? (await dataVersion.current());
  let resolved = known?.resolved;
  if (resolved?.version !== version) {
    const question = parameters.resolve(await directory.at(version));
    resolved = resolvedQuestion(endpoint, question, version, now);
    if (text.length <= MAX_KEPT_TEXT_LENGTH) kept.set(text, { parameters, resolved });
  }

  const { question, key, tag, closed } = resolved;
  const encoded = encodedKey(key, request);
  const ready = encoded === undefined ? undefined : answers.find(encoded);
  let answer = ready ?? answers.find(key);
  if (isKnown(request.headers['if-none-match'], tag)) {
    metrics.countAnswer('not_modified');
    // Of an answer that is not kept any more it is not known whether it is final.
    const final = closed && answer?.verified === true;
    response
      .writeHead(304, { ETag: tag, 'Cache-Control': cacheControl(final), Vary: varyOf(response) })
      .end();
    return;
  }
  let serverTiming = 'cache;desc=hit';
  if (answer !== undefined) metrics.countAnswer('cache');
  else {
    if (response.destroyed) return; // the client has gone while the version was read
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    const made = await answers.ask(
      key,
      async (signal) =>
        make(endpoint, question, { store, metrics, signal, directory: await directory.at(version) }),
      gone.signal,
    );
    answer = made.answer;
    serverTiming = `store;dur=${answer.storeMs.toFixed(2)}`;
    metrics.countAnswer(made.shared ? 'shared' : 'store');
  }
  if (encoded !== undefined && ready === undefined) answer = await encodedAnswer(answers, encoded, answer);
  const body = answer.body.at(now, Math.round(performance.now() - started));
  response.writeHead(200, {
    ...answer.headers,
    'Content-Length': body.length,
    ETag: tag,
    'Cache-Control': cacheControl(closed && answer.verified),
    Vary: varyOf(response),
    'Server-Timing': serverTiming,
  });
  // Node leaves the body of a HEAD out.
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

/** What a request says beside its query. */
export function contextOf(request: Request, now: Date): RequestContext {
  return {
    today: now.toISOString().slice(0, 10),
    pathStation: request.params.station_id as string | undefined,
    preferred: (mediaTypes) => request.accepts([...mediaTypes]) || undefined,
  };
}

function resolvedQuestion(
  endpoint: Endpoint,
  question: Question,
  version: string,
  now: Date,
): ResolvedQuestion {
  // The version of the data before the store is asked: what is kept under it is as new, or newer.
  const key = `${VERSION} ${endpoint.operationId} ${version} ${identityOf(endpoint.groups, question)}`;
  const { window } = question as { window?: Window };
  const closed = window !== undefined && isClosed(window.period_end, now.toISOString().slice(0, 10));
  return { version, question, key, tag: entityTag(key), closed };
}

async function make(
  endpoint: Endpoint,
  question: Question,
  {
    store,
    metrics,
    signal,
    directory,
  }: Pick<MountDependencies, 'store' | 'metrics'> & { signal: AbortSignal; directory: Directory },
): Promise<KeptAnswer> {
  let storeMs = 0;
  const sources: Sources = {
    directory,
    async query(sql, params, row) {
      const asked = performance.now();
      try {
        return await store.query(sql, params, row, { signal });
      } finally {
        const elapsedMs = performance.now() - asked;
        storeMs += elapsedMs;
        metrics.measureQuery(endpoint.operationId, elapsedMs / 1000);
      }
    },
  };
  const found = await endpoint.answer(question, sources);
  const { format, bom } = (question as { format: AnswerForm }).format;
  const body = format === 'csv' ? await csvBody(endpoint, question, found, bom) : jsonBody(found);
  const path = endpoint.paths[0]?.split('/') ?? [];
  const fileName = [...path.slice(1, 3), ...found.csv.fileNameParts].join('-');
  const headers: Record<string, string> =
    format === 'csv'
      ? {
          'Content-Type': 'text/csv; charset=utf-8; header=present',
          'Content-Disposition': `attachment; filename="${fileName}.csv"`,
        }
      : { 'Content-Type': 'application/json; charset=utf-8' };
  return { headers, body, verified: found.verified, bytes: body.bytes, storeMs };
}
