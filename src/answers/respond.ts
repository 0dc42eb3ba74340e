import type { IRouter, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Directory, Stations } from '../stations/directory.js';
import type { DataVersion } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { VERSION } from '../version.js';
import type { Answers } from './cache.js';
import { type Body, csvBody, jsonBody } from './body.js';
import { encodedAnswer, encodedKey } from './encoding.js';
import { cacheControl, entityTag, isClosed, isKnown } from '../http/conditional.js';
import { type Endpoint, InvalidParameters, type Queries, type Understood } from '../api/endpoint.js';
import type { Metrics } from '../observe/metrics.js';
import { readParameters } from '../api/parameters.js';

/** An answer of an endpoint in one format, as it is kept. */
export interface KeptAnswer {
  headers: Record<string, string>;
  body: Pick<Body, 'at' | 'bytes'>;
  verified: boolean;
  bytes: number;
  /** Time in the store, waiting included. */
  storeMs: number;
}

/** What a request asks, as it says it. */
interface Asked {
  values: Record<string, unknown>;
  format: 'json' | 'csv';
  pathStation: string | undefined;
  /** UTC date, YYYY-MM-DD. */
  today: string;
}

/** What it means at a version of the data, and by which key and tag the answer is known. */
interface Reading extends Asked {
  version: string;
  question: Understood;
  key: string;
  tag: string;
  /** Its window has been over for a day. */
  closed: boolean;
}

// Per endpoint; with the length, some hundred kB.
const MAX_READINGS = 500;
const MAX_READING_LENGTH = 500;

const DAY_MS = 86_400_000;

const VARY = 'Authorization, Accept, Accept-Encoding';

/** The format may depend on Accept (D22), and what a page may read on its Origin (CORS). */
export function varyOf(response: Response): string {
  return response.hasHeader('Vary') ? `${VARY}, Origin` : VARY;
}

export interface MountDependencies {
  store: Store;
  dataVersion: DataVersion;
  directory: Directory;
  answers: Answers<KeptAnswer>;
  metrics: Metrics;
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
    const readings = new LRUCache<string, Reading>({ max: MAX_READINGS });
    router.get(paths, (request, response) => respond(endpoint, readings, dependencies, request, response));
  }
}

async function respond(
  endpoint: Endpoint,
  readings: LRUCache<string, Reading>,
  { store, dataVersion, directory, answers, metrics, clock }: MountDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const now = clock();
  const started = performance.now();
  // Clients ask the same again and again: what was understood holds while the data and the date are the same.
  const text = `${Math.floor(now.getTime() / DAY_MS)} ${request.headers.accept ?? ''} ${request.url}`;
  const known = readings.get(text);
  // Bad parameters are told even when the data cannot be reached.
  const asked = known ?? read(endpoint, request, now);
  const version = dataVersion.fresh ?? (await dataVersion.current());
  let reading = known;
  if (reading?.version !== version) {
    reading = understand(endpoint, asked, version, await directory.at(version));
    if (text.length <= MAX_READING_LENGTH) readings.set(text, reading);
  }

  const { key, tag, closed } = reading;
  const encoded = encodedKey(key, request);
  const kept = encoded === undefined ? undefined : answers.find(encoded);
  let answer = kept ?? answers.find(key);
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
    if (response.destroyed) return; // it has gone while the version was read
    const gone = new AbortController();
    response.once('close', () => {
      gone.abort();
    });
    const made = await answers.ask(
      key,
      (signal) => make(endpoint, reading, { store, metrics, signal }),
      gone.signal,
    );
    answer = made.answer;
    serverTiming = `store;dur=${answer.storeMs.toFixed(2)}`;
    metrics.countAnswer(made.shared ? 'shared' : 'store');
  }
  if (encoded !== undefined && kept === undefined) answer = await encodedAnswer(answers, encoded, answer);
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

/** Reads a request, without the data. @throws InvalidParameters with every fault (D18) */
function read(endpoint: Endpoint, request: Request, now: Date): Asked {
  const today = now.toISOString().slice(0, 10);
  const values = readValues(endpoint, request.url, today);
  return {
    values,
    today,
    format: wantsCsv(request, values.format) ? 'csv' : 'json',
    pathStation: request.params.station_id as string | undefined,
  };
}

/** Understands what was asked. @throws InvalidParameters, UnknownStation, AmbiguousCity */
function understand(endpoint: Endpoint, asked: Asked, version: string, stations: Stations): Reading {
  const question = endpoint.question(asked.values, { ...asked, stations });
  // The version of the data before the store is asked: what is kept under it is as new, or newer.
  const key = `${VERSION} ${endpoint.operationId} ${asked.format} ${version} ${JSON.stringify(question.identity)}`;
  const closed = question.window !== undefined && isClosed(question.window.period_end, asked.today);
  return { ...asked, version, question, key, tag: entityTag(key), closed };
}

/** The values of a request's parameters. @throws InvalidParameters with every fault (D18) */
export function readValues(
  endpoint: Pick<Endpoint, 'parameters' | 'check'>,
  url: string,
  today: string,
): Record<string, unknown> {
  const search = url.indexOf('?');
  const query = new URLSearchParams(search === -1 ? '' : url.slice(search + 1));
  const { values, faults } = readParameters(endpoint.parameters, query);
  faults.push(...(endpoint.check?.(values, today) ?? []));
  if (faults.length > 0) throw new InvalidParameters(faults);
  return values;
}

/** `format` decides; without it a client that prefers CSV gets it, and any other JSON (D22). */
function wantsCsv(request: Request, format: unknown): boolean {
  if (format !== undefined) return format === 'csv';
  return request.accepts(['application/json', 'text/csv']) === 'text/csv';
}

async function make(
  endpoint: Endpoint,
  { question, values, format }: Reading,
  { store, metrics, signal }: { store: Store; metrics: Metrics; signal: AbortSignal },
): Promise<KeptAnswer> {
  let storeMs = 0;
  const timed: Queries = {
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
  const found = await endpoint.answer(question, values, timed);
  const body = format === 'csv' ? await csvBody(endpoint, values, found) : jsonBody(found);
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
