import type { IRouter, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Window } from '../accuracy/time/window.js';
import type { Endpoint, Sources } from '../api/endpoint.js';
import { type AnswerForm, CSV_CONTENT_TYPE } from '../api/formats.js';
import { type Question, readRequest, type RequestParameters } from '../api/groups.js';
import { cacheControl, entityTag, isClosed, isKnown, isPinned } from '../http/conditional.js';
import { answerKey, attachment, cachingHeaders, contextOf, goneSignal, originOf } from '../http/exchange.js';
import type { Metrics } from '../observe/metrics.js';
import type { Directory, DirectoryReader } from '../stations/directory.js';
import type { AsOf } from '../stations/versions.js';
import type { DataVersion, Version } from '../store/data-version.js';
import type { QueryOptions, Store } from '../store/store.js';
import { type Body, csvBody, jsonBody } from './body.js';
import type { AnswerCache } from './cache.js';
import { encodedAnswer, encodedKey } from './encoding.js';
import { answerOfPast } from './past.js';

/** An answer of an endpoint in one format, as it is kept. */
export interface KeptAnswer {
  headers: Record<string, string>;
  body: Pick<Body, 'at' | 'bytes'>;
  verified: boolean;
  bytes: number;
  /** Time of the queries, with their time in the queue. */
  storeMs: number;
}

/** A question at a version of the data, with the key and the tag of its answer. */
interface ResolvedQuestion {
  version: Version;
  question: Question;
  key: string;
  tag: string;
  /** Its window ended at least a day ago. */
  closed: boolean;
}

/** The meaning of a request text. It holds no station index: 500 indexes of 2,000 stations would take a gigabyte. */
interface KeptQuestion {
  parameters: RequestParameters;
  resolved: ResolvedQuestion;
}

// Per endpoint: together some hundred kB.
const MAX_KEPT_QUESTIONS = 500;
const MAX_KEPT_TEXT_LENGTH = 500;

const DAY_MS = 86_400_000;

export interface MountDependencies {
  store: Pick<Store, 'query'>;
  dataVersion: Pick<DataVersion, 'current' | 'read'>;
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
  // Clients repeat their requests; the same text means the same while the data and the date are the same.
  const text = `${Math.floor(now.getTime() / DAY_MS)} ${request.headers.accept ?? ''} ${request.url}`;
  const known = kept.get(text);
  // Before the version of the data: bad parameters are a 400 even when the store is out of reach.
  const parameters = known?.parameters ?? readRequest(endpoint.groups, request.url, contextOf(request, now));
  const version = await dataVersion.current();
  let resolved = known?.resolved;
  if (resolved?.version.key !== version.key) {
    const question = parameters.resolve(await directory.at(version.key, parameters.asOf));
    resolved = resolvedQuestion(endpoint, question, version, now);
    if (text.length <= MAX_KEPT_TEXT_LENGTH) kept.set(text, { parameters, resolved });
  }

  const { question, key, tag, closed } = resolved;
  const answerNow = async (signal: AbortSignal): Promise<KeptAnswer> => {
    const found = await directory.at(version.key, parameters.asOf);
    const origin = originOf(request, response, endpoint.operationId);
    const dependencies = { store, metrics, dataVersion, now };
    return make(endpoint, question, found, version, dependencies, { signal, origin });
  };
  // Its moment is no part of the key: neither the key nor the tag could tell one answer from the next.
  if (endpoint.isMomentary === true) {
    const made = await answerNow(goneSignal(response));
    const body = made.body.at(now, Math.round(performance.now() - started));
    metrics.countAnswer('store');
    const headers = { ...made.headers, 'Cache-Control': 'no-store', 'Content-Length': body.length };
    response.writeHead(200, headers).end(body, 'latin1');
    return;
  }
  const encoded = encodedKey(key, request);
  const ready = encoded === undefined ? undefined : answers.find(encoded);
  let answer = ready ?? answers.find(key);
  if (isKnown(request.headers['if-none-match'], tag)) {
    metrics.countAnswer('not_modified');
    // Only a kept answer says whether it is final.
    const isFinal = closed && answer?.verified === true;
    response
      .writeHead(304, cachingHeaders(response, tag, cacheControl(isFinal, isPinned(parameters.asOf, now))))
      .end();
    return;
  }
  let serverTiming = 'cache;desc=hit';
  if (answer !== undefined) metrics.countAnswer('cache');
  else {
    if (response.destroyed) return; // the client left while the version was read
    const made = await answers.ask(key, answerNow, goneSignal(response));
    answer = made.answer;
    serverTiming = `store;dur=${answer.storeMs.toFixed(2)}`;
    metrics.countAnswer(made.shared ? 'shared' : 'store');
  }
  if (encoded !== undefined && ready === undefined) answer = await encodedAnswer(answers, encoded, answer);
  const body = answer.body.at(now, Math.round(performance.now() - started));
  response.writeHead(200, {
    ...answer.headers,
    ...cachingHeaders(response, tag, cacheControl(closed && answer.verified, isPinned(parameters.asOf, now))),
    'Content-Length': body.length,
    'Server-Timing': serverTiming,
  });
  // Node sends no body to a HEAD.
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

function resolvedQuestion(
  endpoint: Endpoint,
  question: Question,
  version: Version,
  now: Date,
): ResolvedQuestion {
  // The version comes from before the query, so the answer under this key is as new as the version, or newer.
  const key = answerKey(endpoint, version.key, question);
  const { window } = question as { window?: Window };
  const closed = window !== undefined && isClosed(window.period_end, now.toISOString().slice(0, 10));
  return { version, question, key, tag: entityTag(key), closed };
}

async function make(
  endpoint: Endpoint,
  question: Question,
  directory: Directory,
  version: Version,
  {
    store,
    metrics,
    dataVersion,
    now,
  }: Pick<MountDependencies, 'store' | 'metrics' | 'dataVersion'> & Pick<Sources, 'now'>,
  options: Pick<QueryOptions, 'signal' | 'origin'>,
): Promise<KeptAnswer> {
  const { asOf } = question as { asOf?: AsOf };
  let storeMs = 0;
  const sources: Sources = {
    directory,
    now,
    // The ledger, which a past version is read from, takes longer than a histogram.
    async query(sql, params, row, turn = asOf === undefined ? 'short' : 'long') {
      const started = performance.now();
      try {
        return await store.query(sql, params, row, { turn, ...options });
      } finally {
        const elapsedMs = performance.now() - started;
        storeMs += elapsedMs;
        metrics.measureQuery(endpoint.operationId, elapsedMs / 1000);
      }
    },
  };
  const answer =
    asOf === undefined
      ? await endpoint.answer(question, sources)
      : await answerOfPast(
          (source) => endpoint.answer({ ...question, asOf: { ...asOf, source } }, sources),
          version,
          dataVersion,
        );
  const { format, bom } = (question as { format: AnswerForm }).format;
  const body =
    format === 'csv'
      ? await csvBody(endpoint, question, answer, bom)
      : jsonBody(answer, asOf?.version ?? version.finishedLoad);
  const { verified = false, fileNameParts = [], headers: own } = answer;
  const headers: Record<string, string> =
    format === 'csv'
      ? {
          'Content-Type': CSV_CONTENT_TYPE,
          ...attachment(endpoint.paths[0] ?? '', fileNameParts, 'csv'),
        }
      : { 'Content-Type': 'application/json; charset=utf-8' };
  Object.assign(headers, own);
  return { headers, body, verified, bytes: body.bytes, storeMs };
}
