import { LRUCache } from 'lru-cache';
import { QUARTER_HOUR_MS } from '../statistics/time/calendar.js';
import type { Window } from '../statistics/time/window.js';
import type { Caller } from '../api/caller.js';
import type { Endpoint, Sources } from '../api/endpoint.js';
import { type AnswerForm, CSV_CONTENT_TYPE } from '../api/formats.js';
import { InvalidParameters } from '../api/parameters.js';
import { type Question, readRequest, type RequestContext, type RequestParameters } from '../api/groups.js';
import { entityTag, isClosed } from '../http/conditional.js';
import { answerKey, type Asker, attachment } from '../http/exchange.js';
import type { AnswerSource, Metrics } from '../observe/metrics.js';
import type { Directory, DirectoryReader } from '../stations/directory.js';
import type { AsOf } from '../stations/versions.js';
import type { DataVersion, Version } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { type Body, csvBody, jsonBody } from './body.js';
import type { AnswerCache } from './cache.js';
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

// Of a momentary answer: those of this version of the data and of the one before.
const MAX_KEPT_STATEMENTS = 10;

export interface AnsweringDependencies {
  store: Pick<Store, 'query'>;
  dataVersion: Pick<DataVersion, 'current' | 'read'>;
  directory: Pick<DirectoryReader, 'at'>;
  answers: AnswerCache<KeptAnswer>;
  metrics: Pick<Metrics, 'countAnswer' | 'measureQuery'>;
  clock: () => Date;
  /** The path under which clients know the service; blank at the root. */
  basePath?: string;
}

/** What a surface knows of a question before it is read. */
export interface Asked {
  /** Path and query. */
  url: string;
  /** The media types that the client accepts, blank for any. */
  accept: string;
  context: () => RequestContext;
}

/**
 * The answers of one endpoint, the same behind any surface: what a question means, the answers that are kept, and the
 * one query that equal questions share.
 */
export class Answering {
  readonly #kept = new LRUCache<string, KeptQuestion>({ max: MAX_KEPT_QUESTIONS });
  readonly #rows: KeptRows = new LRUCache({ max: MAX_KEPT_STATEMENTS });

  constructor(
    readonly endpoint: Endpoint,
    readonly dependencies: AnsweringDependencies,
  ) {}

  /** @throws InvalidParameters, before any data is read; UnknownStation and the like; what the store throws */
  async resolve({ url, accept, context }: Asked, now: Date): Promise<KeptQuestion> {
    const { dataVersion, directory } = this.dependencies;
    // Clients repeat their requests; the same text means the same while the data and the quarter of an hour are the same.
    const text = `${Math.floor(now.getTime() / QUARTER_HOUR_MS)} ${accept} ${url}`;
    const known = this.#kept.get(text);
    // Before the version of the data: bad parameters are a 400 even when the store is out of reach.
    const parameters = known?.parameters ?? readRequest(this.endpoint.groups, url, context());
    const version = await dataVersion.current();
    if (known?.resolved.version.key === version.key) return known;
    const names = await directory.at(version, parameters.asOf);
    const question = parameters.resolve(names);
    const fault = this.endpoint.refuse?.(question, names);
    if (fault !== undefined) throw new InvalidParameters([fault]);
    const found = { parameters, resolved: this.#resolved(question, version, now) };
    if (text.length <= MAX_KEPT_TEXT_LENGTH) this.#kept.set(text, found);
    return found;
  }

  /**
   * An answer that is not kept; equal questions that arrive meanwhile wait for the same work, for which the first one pays.
   * @throws ApiError when the caller has no rows left
   */
  async ask(asked: KeptQuestion, now: Date, asker: Asker): Promise<KeptAnswer> {
    const { answers } = this.dependencies;
    const { caller, gone } = asker;
    const { isMomentary = false } = this.endpoint;
    let answer: KeptAnswer;
    let source: AnswerSource = 'store';
    // Its moment is no part of the key: neither the key nor the tag could tell one answer from the next.
    if (isMomentary) answer = await this.#make(asked, now, asker);
    else {
      caller.mayRead();
      const { key } = asked.resolved;
      const made = await answers.ask(
        key,
        (signal) => caller.reading(() => this.#make(asked, now, { ...asker, gone: signal })),
        gone,
      );
      answer = made.answer;
      if (made.shared) source = 'shared';
    }
    this.count(source, caller);
    return answer;
  }

  /** Notes where an answer came from; one that the store did not give costs its caller nothing. */
  count(source: AnswerSource, caller: Caller): void {
    this.dependencies.metrics.countAnswer(source);
    caller.answered(source !== 'store');
  }

  async #make({ parameters, resolved }: KeptQuestion, now: Date, asker: Asker): Promise<KeptAnswer> {
    const { version, question } = resolved;
    const found = await this.dependencies.directory.at(version, parameters.asOf);
    const given = { ...this.dependencies, now, rows: this.#rows };
    return make(this.endpoint, question, found, version, given, asker);
  }

  #resolved(question: Question, version: Version, now: Date): ResolvedQuestion {
    // The version comes from before the query, so the answer under this key is as new as the version, or newer.
    const key = answerKey(this.endpoint, version, question);
    const { window } = question as { window?: Window };
    const closed = window !== undefined && isClosed(window.period_end, now.toISOString().slice(0, 10));
    return { version, question, key, tag: entityTag(key), closed };
  }
}

/** What statements read, by version, text and values. */
type KeptRows = LRUCache<string, Promise<unknown[]>>;

/**
 * The same rows as long as the version is: only what a momentary answer makes of them depends on the moment. They are for
 * others as well, so no reader that leaves ends their statement.
 */
function keeping(query: Sources['query'], kept: KeptRows, { key }: Version): Sources['query'] {
  return (statement, row, turn) => {
    const name = JSON.stringify([key, statement.text, statement.params]);
    const rows = kept.get(name) ?? query(statement, row, turn);
    kept.set(name, rows);
    rows.catch(() => kept.delete(name));
    return rows as Promise<never[]>; // those of this statement, which has read them by its schema
  };
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
    rows,
    basePath = '',
  }: Omit<AnsweringDependencies, 'directory' | 'answers' | 'clock'> & { now: Date; rows: KeptRows },
  { caller, gone, originOf }: Asker,
): Promise<KeptAnswer> {
  const { asOf } = question as { asOf?: AsOf };
  const isMomentary = endpoint.isMomentary === true;
  const reading = {
    reader: caller,
    origin: originOf(endpoint.operationId),
    ...(!isMomentary && { signal: gone }),
  };
  let storeMs = 0;
  // The ledger, which a past version is read from, takes longer than a histogram.
  const query: Sources['query'] = async (statement, row, turn = asOf === undefined ? 'short' : 'long') => {
    if (isMomentary) caller.mayRead(); // what is kept has asked before, also for those who share it
    const started = performance.now();
    try {
      return await store.query(statement, row, { turn, ...reading });
    } finally {
      const elapsedMs = performance.now() - started;
      storeMs += elapsedMs;
      metrics.measureQuery(endpoint.operationId, elapsedMs / 1000);
    }
  };
  const kept = isMomentary ? keeping(query, rows, version) : query;
  const sources: Sources = { directory, now, caller, basePath, query: kept };
  const answer =
    asOf === undefined || endpoint.rewinds?.(question) !== true
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
      : jsonBody(answer, asOf?.version ?? version.finishedLoad, version.lineage);
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
