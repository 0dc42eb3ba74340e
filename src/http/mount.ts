import type { IRouter, Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { Directory } from '../stations/directory.js';
import type { DataVersion } from '../store/data-version.js';
import type { Store } from '../store/store.js';
import { VERSION } from '../version.js';
import type { Answers } from './answers.js';
import { type Body, csvBody, jsonBody } from './body.js';
import { cacheControl, entityTag, isKnown } from './conditional.js';
import { type Endpoint, InvalidParameters, type Queries, type Understood } from './endpoint.js';
import type { Metrics } from './metrics.js';
import { readParameters } from './parameters.js';

/** An answer of an endpoint in one format, as it is kept. */
export interface KeptAnswer {
  headers: Record<string, string>;
  body: Body;
  verified: boolean;
  bytes: number;
  /** Time in the store, waiting included. */
  storeMs: number;
}

/** A request, read: what it asks, and by which key and tag the answer is known. */
interface Reading {
  version: string;
  values: Record<string, unknown>;
  question: Understood;
  format: 'json' | 'csv';
  key: string;
  tag: string;
}

// Per endpoint; with the length, some hundred kB.
const MAX_READINGS = 500;
const MAX_READING_LENGTH = 500;

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
  dependencies: MountDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const { store, answers, metrics, clock } = dependencies;
  const now = clock();
  const started = performance.now();
  const { question, values, format, key, tag } = await read(endpoint, readings, dependencies, request, now);
  const readMs = performance.now() - started;
  const kept = answers.find(key);
  if (isKnown(request.headers['if-none-match'], tag)) {
    metrics.countAnswer('not_modified');
    // Of an answer that is not kept any more it is not known whether it is final.
    response.writeHead(304, validators(tag, kept?.verified ?? false, question, now)).end();
    return;
  }
  let answer = kept;
  let serverTiming = 'cache;desc=hit';
  if (answer === undefined) {
    const made = await answers.ask(key, () => make(endpoint, question, values, format, store));
    answer = made.answer;
    serverTiming = `store;dur=${(readMs + answer.storeMs).toFixed(2)}`;
    metrics.countAnswer(made.shared ? 'shared' : 'store');
  } else metrics.countAnswer('cache');
  const body = answer.body.at(now, Math.round(performance.now() - started));
  response.writeHead(200, {
    ...answer.headers,
    'Content-Length': body.length,
    ...validators(tag, answer.verified, question, now),
    'Server-Timing': serverTiming,
  });
  // Node leaves the body of a HEAD out.
  if (typeof body === 'string') response.end(body, 'latin1');
  else response.end(body);
}

/**
 * Reads a request and understands its question. Clients ask the same again and again, so what was understood is
 * remembered by the request's text while the data and the date are the same.
 * @throws InvalidParameters with every fault (D18), UnknownStation, AmbiguousCity, and what the store throws
 */
async function read(
  endpoint: Endpoint,
  readings: LRUCache<string, Reading>,
  { dataVersion, directory }: MountDependencies,
  request: Request,
  now: Date,
): Promise<Reading> {
  const { url } = request;
  const accept = request.headers.accept ?? '';
  const today = now.toISOString().slice(0, 10);
  const text = `${today} ${accept} ${url}`;
  const known = readings.get(text);
  // Bad parameters are told even when the data cannot be reached.
  const values = known?.values ?? readValues(endpoint, url, today);
  const version = await dataVersion.current();
  if (known?.version === version) return known;

  const stations = await directory.at(version);
  const pathStation = request.params.station_id as string | undefined;
  const question = endpoint.question(values, { stations, today, pathStation });
  const format = wantsCsv(request, values.format) ? 'csv' : 'json';
  // The version of the data before the store is asked: what is kept under it is as new, or newer.
  const key = `${VERSION} ${endpoint.operationId} ${format} ${version} ${JSON.stringify(question.identity)}`;
  const reading = { version, values, question, format, key, tag: entityTag(key) } as const;
  if (text.length <= MAX_READING_LENGTH) readings.set(text, reading);
  return reading;
}

/** What a client needs to keep an answer and to ask for it again. */
function validators(
  tag: string,
  verified: boolean,
  { window }: Understood,
  now: Date,
): Record<string, string> {
  return {
    ETag: tag,
    'Cache-Control': cacheControl(verified, window?.period_end, now),
    Vary: 'Authorization, Accept',
  };
}

/** @throws InvalidParameters with every fault (D18) */
function readValues(endpoint: Endpoint, url: string, today: string): Record<string, unknown> {
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
  question: Understood,
  values: Record<string, unknown>,
  format: 'json' | 'csv',
  store: Store,
): Promise<KeptAnswer> {
  let storeMs = 0;
  const timed: Queries = {
    async query(sql, params, row) {
      const asked = performance.now();
      const rows = await store.query(sql, params, row);
      storeMs += performance.now() - asked;
      return rows;
    },
  };
  const found = await endpoint.answer(question, values, timed);
  const body = format === 'csv' ? await csvBody(endpoint, values, found) : jsonBody(found);
  const path = endpoint.paths[0]?.split('/') ?? [];
  const fileName = [path[1], path[2], ...found.csv.fileNameParts].join('-');
  const headers: Record<string, string> =
    format === 'csv'
      ? {
          'Content-Type': 'text/csv; charset=utf-8; header=present',
          'Content-Disposition': `attachment; filename="${fileName}.csv"`,
        }
      : { 'Content-Type': 'application/json; charset=utf-8' };
  return { headers, body, verified: found.verified, bytes: body.bytes, storeMs };
}
