import { type Request, type Response, Router } from 'express';
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
  tag: string;
  headers: Record<string, string>;
  body: Body;
  verified: boolean;
  bytes: number;
  /** Time in the store, waiting included. */
  storeMs: number;
}

export interface MountDependencies {
  store: Store;
  dataVersion: DataVersion;
  directory: Directory;
  answers: Answers<KeptAnswer>;
  metrics: Metrics;
  clock: () => Date;
}

/** The routes of the endpoints, below the prefix where the router is used. */
export function mount(endpoints: readonly Endpoint[], dependencies: MountDependencies): Router {
  const router = Router();
  for (const endpoint of endpoints) {
    router.get([...endpoint.paths], (request, response) =>
      respond(endpoint, dependencies, request, response),
    );
  }
  return router;
}

async function respond(
  endpoint: Endpoint,
  { store, dataVersion, directory, answers, metrics, clock }: MountDependencies,
  request: Request,
  response: Response,
): Promise<void> {
  const now = clock();
  const started = performance.now();
  const values = readValues(endpoint, request, now);
  const version = await dataVersion.current();
  const stations = await directory.at(version);
  const waitedMs = performance.now() - started;
  const pathStation = request.params.station_id as string | undefined;
  const question = endpoint.question(values, { stations, now, pathStation });
  const format = wantsCsv(request, values.format) ? 'csv' : 'json';
  // The version of the data before the store is asked: what is kept under it is as new, or newer.
  const key = `${VERSION} ${endpoint.operationId} ${format} ${version} ${JSON.stringify(question.identity)}`;

  const kept = answers.find(key);
  const tag = kept?.tag ?? entityTag(key);
  if (isKnown(request.headers['if-none-match'], tag)) {
    metrics.countAnswer('not_modified');
    // Of an answer that is not kept any more it is not known whether it is final.
    response.writeHead(304, validators(tag, kept?.verified ?? false, question, now)).end();
    return;
  }
  let answer = kept;
  let serverTiming = 'cache;desc=hit';
  if (answer === undefined) {
    const made = await answers.ask(key, () => make(endpoint, question, values, format, tag, store));
    answer = made.answer;
    serverTiming = `store;dur=${(waitedMs + answer.storeMs).toFixed(2)}`;
    metrics.countAnswer(made.shared ? 'shared' : 'store');
  } else metrics.countAnswer('cache');
  const bytes = answer.body.at(now, Math.round(performance.now() - started));
  response.writeHead(200, {
    ...answer.headers,
    'Content-Length': bytes.length,
    ...validators(tag, answer.verified, question, now),
    'Server-Timing': serverTiming,
  });
  response.end(bytes); // Node leaves the body of a HEAD out
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
function readValues(endpoint: Endpoint, request: Request, now: Date): Record<string, unknown> {
  const search = request.url.indexOf('?');
  const query = new URLSearchParams(search === -1 ? '' : request.url.slice(search + 1));
  const { values, faults } = readParameters(endpoint.parameters, query);
  faults.push(...(endpoint.check?.(values, now) ?? []));
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
  tag: string,
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
  return { tag, headers, body, verified: found.verified, bytes: body.bytes, storeMs };
}
