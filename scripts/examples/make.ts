import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { pino } from 'pino';
import { createApp } from '../../src/app.js';
import { createKey, Keyring } from '../../src/auth/keys.js';
import { operationIdAt } from '../../src/api/endpoint.js';
import { ENDPOINTS } from '../../src/endpoints.js';
import { ExportFiles } from '../../src/export/files.js';
import { UserError } from '../../src/lib/user-error.js';
import type { Example, Examples } from '../openapi/examples.js';
import { load } from '../../src/ingest/load.js';
import {
  QueryTimeout,
  QueryTooLarge,
  StoreOverloaded,
  StoreUnavailable,
} from '../../src/store/store-errors.js';
import type { Store } from '../../src/store/store.js';
import { writeSample } from '../../src/sample/generate.js';
import { makeSealExamples } from './seal-examples.js';

// The examples of the OpenAPI document: what the service answers over the sample data, so a reader of the docs can have
// them from the demo.

/** The instant that the service takes for the present. */
export const NOW = '2026-10-05T12:00:00.000Z';
const WINDOW = 'date_from=2026-09-01&date_to=2026-09-30';
/** A day of the sample does not depend on how many come before it: all 400 take 8 s longer to write. */
const DAYS_SINCE_SEPTEMBER = 36;

// Values that differ from one time to the next.
const REQUEST_ID = 'c0ffee00-5a3e-4d1b-9c58-2f6f0e1d7a42';
const TIMELINE = 'k7q2';
const MOMENTS: Record<string, unknown> = {
  generated_at: NOW,
  started_at: NOW,
  finished_at: NOW,
  timestamp: NOW,
  timeline: TIMELINE,
  next_cursor: `1-${TIMELINE}.2`, // which has the timeline in it
  query_time_ms: 7,
  version: '1.0.0',
  key_id: 'k7m2x9qa',
  earliest_recent: '2026-10-05T06:10:12.345Z',
  latest_recent: '2026-10-05T11:40:06.789Z',
  minutes_since_latest: 19.89,
};

/** Times with milliseconds; the sample has no such times. */
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

/**
 * Makes them on an empty store; `folder` is for files on the way.
 * @throws UserError where an endpoint rejects its example request
 */
export async function makeExamples(store: Store, folder: string): Promise<Examples> {
  await loadSample(store, folder);
  const { key } = await createKey(join(folder, 'api-keys.json'), 'examples');
  const keyring = new Keyring(join(folder, 'api-keys.json'));
  keyring.open();

  const exportFiles = await ExportFiles.open(join(folder, 'exports'), 1_000_000);

  /** Asks a service on a store for the bodies of some requests, one after another. */
  const ask = async (
    from: Store,
    requests: (Asking & { path: string })[],
    rateLimitPerMinute = 0,
  ): Promise<string[]> => {
    const app = createApp({
      store: from,
      keyring,
      logger: pino({ level: 'silent' }),
      readiness: { ready: true },
      rateLimitPerMinute,
      rowsPerMinute: 5_000_000,
      authFailuresPerMinute: 0,
      cacheBytes: 0,
      exportFiles,
      clock: () => new Date(NOW),
    });
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const bodies: string[] = [];
      for (const { path, method = 'GET', withoutKey = false, headers: own } of requests) {
        const headers = {
          ...own,
          'X-Request-Id': REQUEST_ID,
          ...(!withoutKey && { Authorization: `Bearer ${key}` }),
        };
        bodies.push(await (await fetch(`${url}${path}`, { method, headers })).text());
      }
      return bodies;
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  const responses: Examples['responses'] = {};
  for (const endpoint of ENDPOINTS) {
    const { station = '', query, keep } = endpoint.example;
    for (const each of endpoint.paths) {
      const operation = operationIdAt(each, endpoint);
      const path = `/api/v1${each.replace(':station_id', station)}${query === undefined ? '' : `?${query}`}`;
      const csvPath = `${path}${query === undefined ? '?' : '&'}format=csv`;
      const [json = '', csv = ''] = await ask(store, [{ path }, { path: csvPath }]);
      if ('error' in (JSON.parse(json) as object)) {
        throw new UserError(`${operation}: its example ${path} is refused: ${json}`);
      }
      responses[operation] = excerpt(`GET ${path}`, parse(json), csv.replaceAll(INSTANT, NOW), keep);
    }
  }
  const exported = `/api/v1/export/pairs?station_id=KORD&metric=high&date_from=2026-09-30&date_to=2026-09-30`;
  const [csv = '', ndjson = ''] = await ask(store, [
    { path: exported },
    { path: `${exported}&format=ndjson` },
  ]);
  // Its moments are those of this run; its header is not.
  if (responses.getFreshness?.csv) responses.getFreshness.csv = firstLines(responses.getFreshness.csv, 1);
  responses.exportPairs = {
    request: `GET ${exported}`,
    excerpt: 'its beginning',
    json: JSON.parse(ndjson.split('\n')[0] ?? ''),
    csv: firstLines(csv, 3),
  };
  const facts = '/api/v1/export/facts';
  const [factsCsv = '', factsNdjson = ''] = await ask(store, [
    { path: facts },
    { path: `${facts}?format=ndjson` },
  ]);
  responses.exportFacts = {
    request: `GET ${facts}`,
    excerpt: 'its beginning',
    json: JSON.parse(factsNdjson.split('\n')[0] ?? ''),
    csv: firstLines(factsCsv, 3),
  };
  Object.assign(responses, makeSealExamples(TIMELINE, NOW));
  const [health = ''] = await ask(store, [{ path: '/api/v1/health' }]);
  const [degraded = ''] = await ask(failing(store, new StoreUnavailable()), [{ path: '/api/v1/health' }]);
  responses.getHealth = { request: 'GET /api/v1/health', json: parse(health) };
  responses.getHealthDegraded = { request: 'GET /api/v1/health', json: parse(degraded) };

  // Two cities of one name, which the sample does not have.
  const twins = join(folder, 'twins.csv');
  await pipeline(TWINS, createWriteStream(twins));
  await load(store, { stations: [twins], forecasts: [], observations: [] });
  const summary = `/api/v1/accuracy/summary?${WINDOW}`;
  const [latest = ''] = await ask(store, [{ path: summary }]);
  const { data_version, timeline } = (JSON.parse(latest) as Latest).metadata;
  const pinned = `${exported}&as_of=v${data_version}.${timeline}`;
  const errors: Examples['errors'] = {};
  const add = async (code: string, path: string, from = store, options: Asking = {}) => {
    const [body = ''] = await ask(from, [{ path, ...options }]);
    const request = `${options.method ?? 'GET'} ${path}`.replace(timeline, TIMELINE);
    errors[code] = { request, body: parse(body) };
  };
  await add('INVALID_PARAMETER', '/api/v1/accuracy/by-date?date_form=2026-09-01&days=400');
  await add('AMBIGUOUS_CITY', '/api/v1/accuracy/summary?city=Springfield');
  await add('UNAUTHORIZED', '/api/v1/accuracy/summary', store, { withoutKey: true });
  await add('STATION_NOT_FOUND', '/api/v1/accuracy/by-station/KXYZ');
  await add('PROVIDER_NOT_FOUND', '/api/v1/accuracy/summary?provider=nws');
  await add('NOT_FOUND', '/api/v1/accuracy/by-day');
  await add('METHOD_NOT_ALLOWED', '/api/v1/accuracy/summary', store, { method: 'POST' });
  const limited = await ask(store, [{ path: summary }, { path: summary }, { path: summary }], 2);
  errors.RATE_LIMITED = { request: `GET ${summary}`, body: parse(limited.at(-1) ?? '') };
  await add('RANGE_NOT_SATISFIABLE', pinned, store, { headers: { Range: 'bytes=1000000-' } });
  await add('PRECONDITION_FAILED', pinned, store, {
    headers: { Range: 'bytes=0-99', 'If-Match': '"of before"' },
  });
  await add('QUERY_TOO_LARGE', summary, failing(store, new QueryTooLarge()));
  await add('INTERNAL', summary, failing(store, new Error('an example')));
  await add('OVERLOADED', summary, failing(store, new StoreOverloaded()));
  await add('STORE_UNAVAILABLE', summary, failing(store, new StoreUnavailable()));
  await add('QUERY_TIMEOUT', summary, failing(store, new QueryTimeout()));
  return { responses, errors };
}

/** How a request is sent, where not as most are. */
interface Asking {
  method?: string;
  withoutKey?: boolean;
  headers?: Record<string, string>;
}

interface Latest {
  metadata: { data_version: number; timeline: string };
}

const TWINS = [
  'station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,iata\n',
  'KSGF,Springfield,US,37.2457,-93.3886,America/Chicago,Cfa,true,,SGF\n',
  'KSPI,Springfield,US,39.8441,-89.6779,America/Chicago,Dfa,true,,SPI\n',
];

/** A store that answers everything with an error. */
function failing(store: Store, error: Error): Store {
  const fail = () => Promise.reject(error);
  return new Proxy(store, {
    get(target, name) {
      if (name === 'query' || name === 'ping') return fail;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Loads the part of the sample that the examples ask for: the whole would take five times as long. */
async function loadSample(store: Store, folder: string): Promise<void> {
  const { stations, forecasts, observations, hours, hourly_forecasts } = await writeSample(
    folder,
    NOW.slice(0, 10),
    DAYS_SINCE_SEPTEMBER,
  );
  const cut = async (file: string, dateColumn: number): Promise<string> => {
    const lines = createInterface({ input: createReadStream(file).pipe(createGunzip()) });
    const kept = `${file}.cut.csv`;
    await pipeline(async function* () {
      let isHeader = true;
      for await (const line of lines) {
        if (isHeader || line.split(',')[dateColumn]?.startsWith('2026-09')) yield `${line}\n`;
        isHeader = false;
      }
    }, createWriteStream(kept));
    return kept;
  };
  await load(store, {
    stations: [stations],
    forecasts: [await cut(forecasts, 2)],
    observations: [await cut(observations, 1)],
    hours: [await cut(hours, 1)],
    hourly_forecasts: [await cut(hourly_forecasts, 2)],
  });
}

/** A body whose moments are always the same. The version of a load is a number, and none of them. */
function parse(body: string): unknown {
  return JSON.parse(body, (name, value: unknown) =>
    Object.hasOwn(MOMENTS, name) && typeof value === typeof MOMENTS[name] ? MOMENTS[name] : value,
  );
}

/** A response with its list, or that of its record, cut. */
function excerpt(request: string, json: unknown, csv: string, keep?: number): Example {
  if (keep === undefined) return { request, json, csv };
  const { data } = json as { data: unknown[] | { sample_records: unknown[] } };
  const list = Array.isArray(data) ? data : data.sample_records;
  const of = list.length;
  list.splice(keep);
  return { request, excerpt: `the first ${keep} of ${of}`, json, csv: firstLines(csv, keep + 1) };
}

function firstLines(text: string, count: number): string {
  return text.split('\n').slice(0, count).join('\n') + '\n';
}
