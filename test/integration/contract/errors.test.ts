import { expect } from 'chai';
import { z } from 'zod';
import { createKey, revokeKey } from '../../../src/auth/keys.js';
import type { Store } from '../../../src/store/store.js';
import { SERVING } from '../../../src/store/engine/open.js';
import { QueryAbandoned } from '../../../src/store/store-errors.js';
import { VERSION } from '../../../src/lib/version.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { contract } from '../../support/contract/shared.js';
import { FEEDS, NOW } from '../../support/contract/data.js';
import { type Answer, Contract, type ErrorAnswer, sent } from '../../support/contract/contract.js';
import { PATHS, urlOf } from '../../support/contract/interface.js';
import { failureOf } from '../../support/failure.js';
import { itInCi, range } from '../../support/runner/range.js';
import { type Method, startTestService, type TestServiceOptions } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

const ENDPOINT_PATHS = PATHS.map((path) => urlOf(path).split('?', 1)[0]!);
const STATIONS = { stations: FEEDS.stations ?? [] };
/** Paths that read histograms. */
const HISTOGRAM_PATHS = [
  ...['by-date', 'by-date/KORD', 'by-station/KORD', 'summary', 'by-lead-time', 'by-city'],
].map((path) => `/api/v1/accuracy/${path}`);
const OPEN_PATHS = ['/', '/docs', '/api/v1/health', '/healthz', '/readyz', '/openapi.json'];
const MISSING_PATHS = [
  ...['/api', '/api/v1/accuracy', '/api/v2/accuracy/summary', '/accuracy/summary', '/favicon.ico', '/.env'],
  ...['/api/v1/accuracy/by-station', '/api/v1/accuracy/by-station/', '/api/v1/accuracy/summary/KORD'],
  ...['/api/v1/accuracy/by-city/KORD', '/api/v1/accuracy/by-lead-time/KORD', '/api/v1/stations'],
  ...['/api/v1/accuracy/by-date/KORD/2024-03-18', '/api/v1/stations/metadata/KORD', '/api/v1/health/db'],
];

/** A request with the headers given and no others. */
function send(
  { service }: Contract,
  method: Method,
  path: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return sent(service.request(method, path).set(headers));
}

/** Sends a GET that is to be refused, and holds the error to the document. */
async function refusal(
  contract: Contract,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; code: string; message: string; headers: Answer['headers'] }> {
  const answer = await send(contract, 'get', path, headers);
  contract.check(path, answer);
  const { code, message } = (answer.body as ErrorAnswer).error;
  return { status: answer.status, code, message, headers: answer.headers };
}

describe('Keys', () => {
  let key: string;

  before(() => {
    ({ key } = contract.service);
  });

  const withKey = (authorization: string) =>
    send(contract, 'get', '/api/v1/stations/metadata', { Authorization: authorization });

  it('given no key, then every path but the open ones is UNAUTHORIZED and asks for Bearer', async () => {
    for (const path of [
      ...[...ENDPOINT_PATHS, '/metrics', '/metrics/', '/nothing', '/api/v1/nothing'],
      ...['/api/v1/accuracy/summary?days=0', '/api/v1/accuracy/by-station/KXYZ'],
      ...['api_key', 'key', 'access_token', 'token'].map((name) => `/api/v1/accuracy/summary?${name}=${key}`),
    ]) {
      const { status, code, headers } = await refusal(contract, path);
      expect([status, code], path).to.deep.equal([401, 'UNAUTHORIZED']);
      expect(headers['www-authenticate'], path).to.match(/^Bearer\b/);
    }
    const head = await send(contract, 'head', '/api/v1/accuracy/summary');
    expect([head.status, head.text]).to.deep.equal([401, '']);
    expect(head.headers['www-authenticate']).to.match(/^Bearer\b/);
  });

  it('given what is no valid key, then it is UNAUTHORIZED, and the answer does not repeat it', async () => {
    for (const [given, authorization] of [
      ['a blank header', ''],
      ['the scheme alone', 'Bearer'],
      ['the scheme and a space', 'Bearer '],
      ['the key without the scheme', key],
      ['another scheme', `Token ${key}`],
      ['Basic', `Basic ${Buffer.from(`user:${key}`).toString('base64')}`],
      ['no space between', `Bearer${key}`],
      ['the key in quotes', `Bearer "${key}"`],
      ['two keys', `Bearer ${key} ${key}`],
      ['two keys with a comma', `Bearer ${key},${key}`],
      ['a key of another kind', 'Bearer sk-1234567890'],
      ['a key of the right form that nobody made', `Bearer fas_aaaaaaaa_${'a'.repeat(43)}`],
      ['the id of a key with another secret', `Bearer ${key.slice(0, 13)}${'a'.repeat(43)}`],
      ['a key without its last character', `Bearer ${key.slice(0, -1)}`],
      ['a key with a character more', `Bearer ${key}a`],
      ['a key in capitals', `Bearer ${key.toUpperCase()}`],
      ['the name of a prototype', 'Bearer __proto__'],
      ['10,000 characters', `Bearer ${'a'.repeat(10_000)}`],
    ] as const) {
      const path = '/api/v1/accuracy/summary';
      const { status, code, message, headers } = await refusal(contract, path, {
        Authorization: authorization,
      });
      expect([status, code], given).to.deep.equal([401, 'UNAUTHORIZED']);
      expect(headers['www-authenticate'], given).to.match(/^Bearer\b/);
      expect(message, given).not.to.include(key.slice(13));
    }
  });

  it('given the scheme in any case, then the key is taken', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      expect((await withKey(`${scheme} ${key}`)).status, scheme).to.equal(200);
    }
  });

  it('when a key is created while the server runs, then it works; when it is revoked, then no more', async () => {
    const created = await createKey(contract.service.keysFile, 'second');
    expect((await withKey(`Bearer ${created.key}`)).status).to.equal(200);
    expect(await revokeKey(contract.service.keysFile, created.record.id)).to.equal(true);
    expect((await withKey(`Bearer ${created.key}`)).status).to.equal(401);
    expect((await withKey(`Bearer ${key}`)).status, 'the other key').to.equal(200);
  });
});

describe('The routes without a key', () => {
  it('given no key or a wrong one, then they answer', async () => {
    for (const path of OPEN_PATHS) {
      for (const headers of [{}, { Authorization: 'Bearer wrong' }] as Record<string, string>[]) {
        const response = await send(contract, 'get', path, headers);
        expect(response.status, path).to.equal(200);
        expect(response.headers['content-type'], path).to.match(
          path === '/' || path === '/docs' ? /^text\/html/ : /^application\/json/,
        );
        expect(response.headers['x-request-id'], path).to.be.a('string').that.is.not.empty;
      }
      const head = await send(contract, 'head', path);
      expect([head.status, head.text], path).to.deep.equal([200, '']);
    }
  });

  it('given a store that answers, then health is ok, with these four fields', async () => {
    const answer = await send(contract, 'get', '/api/v1/health');
    contract.check('/api/v1/health', answer);
    const { timestamp, ...rest } = answer.body as Record<string, string>;
    expect(rest).to.deep.equal({ status: 'ok', database: 'ok', version: VERSION });
    expect(timestamp).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
  });

  it('given a key, then /metrics answers in the text format of Prometheus, a route not a label a station', async () => {
    await contract.get('/api/v1/accuracy/by-station/KORD');
    const response = await contract.service.get('/metrics');
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.match(/^text\/plain/);
    expect(response.text)
      .to.match(/^# HELP /m)
      .and.include('/accuracy/by-station/:station_id');
    expect(response.text).not.to.include('KORD');
  });
});

describe('Other methods and paths (D18)', () => {
  for (const method of ['post', 'put', 'patch', 'delete', 'options'] as const) {
    it(`given ${method.toUpperCase()}, then it is METHOD_NOT_ALLOWED with Allow everywhere, with a key or without`, async () => {
      const paths = [...ENDPOINT_PATHS, ...OPEN_PATHS, '/metrics', '/nothing', '/api/v1/nothing'];
      for (const path of range({ test: 4, ci: Infinity }, paths)) {
        for (const authorization of [`Bearer ${contract.service.key}`, '']) {
          const response = await send(contract, method, path, { Authorization: authorization });
          const { error, metadata } = response.body as ErrorAnswer;
          expect([response.status, error.code], path).to.deep.equal([405, 'METHOD_NOT_ALLOWED']);
          expect(response.headers.allow, path).to.equal('GET, HEAD');
          expect(metadata.endpoint, path).to.equal(path);
        }
      }
    });
  }

  it('given POST with a body that is no JSON, then it is METHOD_NOT_ALLOWED all the same', async () => {
    const response = await contract.service
      .request('post', '/api/v1/accuracy/summary')
      .set({ Authorization: `Bearer ${contract.service.key}`, 'Content-Type': 'application/json' })
      .send('{"days":');
    expect(response.status).to.equal(405);
  });

  it('given a path that is near one, then it is NOT_FOUND, whatever it asks', async () => {
    for (const path of MISSING_PATHS) {
      await contract.refused(path, 404, 'NOT_FOUND');
      await contract.refused(`${path}?days=0`, 404, 'NOT_FOUND');
    }
    const { message } = await contract.refused('/api/v1/accuracy/sumary', 404, 'NOT_FOUND');
    expect(message).to.contain('; did you mean /api/v1/accuracy/summary? GET /openapi.json lists all paths');
  });

  it('given a path without its station, its prefix or a letter, then a response is meant, not its script', async () => {
    for (const [path, meant] of [
      ['/api/v1/accuracy/by-station', '/api/v1/accuracy/by-station/:station_id'],
      ['/api/v1/accuracy/by-statoin/KORD', '/api/v1/accuracy/by-station/KORD'],
      ['/accuracy/summary', '/api/v1/accuracy/summary'],
      ['/v1/accuracy/sumary/', '/api/v1/accuracy/summary'],
      ['/api/v2/export/pairs', '/api/v1/export/pairs'],
      ['/api/v1/accuracy/by-hour/KORD', '/api/v1/accuracy/by-hour?station_id=KORD'],
      ['/api/v1/accuracy/suspects', '/api/v1/data/suspects'],
      ['/api/v1/accuracy/summary/recompute.sq', '/api/v1/accuracy/summary/recompute.sql'],
    ] as const) {
      const { message } = await contract.refused(path, 404, 'NOT_FOUND');
      expect(message, path).to.contain(`; did you mean ${meant}?`);
    }
  });
});

describe('Request ids', () => {
  const SANE = [
    'a',
    '1',
    '5f0c6d2e-8f0b-4b1e-9d5e-2f6b8f0c6d2e',
    'trace-1_2.3',
    '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    'a'.repeat(128),
  ];
  const INSANE = [
    ...['', ' ', 'with a space', 'a"b', `a'b`, '<script>', 'a;b', 'a,b', 'a{b}', 'a\\b', 'a%0d%0ab'],
    ...['${jndi:ldap://x}', 'é', 'a\tb', 'a'.repeat(129), 'a'.repeat(5000)],
  ];
  for (const path of ['/api/v1/accuracy/summary', '/api/v1/accuracy/summary?days=0', '/nothing']) {
    it(`given an id and ${path}, then it comes back if it is sane, and is another if not`, async () => {
      for (const id of SANE)
        expect((await contract.get(path, { 'X-Request-Id': id })).headers['x-request-id']).to.equal(id);
      for (const id of INSANE) {
        const { headers } = await contract.get(path, { 'X-Request-Id': id });
        expect(headers['x-request-id'], id)
          .to.match(/^[\w-]{8,64}$/)
          .and.not.to.equal(id);
      }
    });
  }

  it('given none, then every answer has one of its own', async () => {
    const ids = new Set<string>();
    const paths = [
      ...ENDPOINT_PATHS,
      ...OPEN_PATHS,
      '/metrics',
      '/nothing',
      '/api/v1/accuracy/by-city?format=csv',
    ];
    for (const path of paths) {
      // Nothing is read for an answer that the client has.
      const answer = await sent(contract.service.get(path).set('If-None-Match', '*'));
      ids.add(answer.headers['x-request-id'] ?? '');
    }
    for (const method of ['get', 'post'] as const)
      ids.add((await send(contract, method, '/metrics')).headers['x-request-id'] ?? '');
    expect(ids.size).to.equal(paths.length + 2);
    expect(ids.has('')).to.equal(false);
  });
});

describe('A store in trouble', () => {
  const serve = async (store: Store, options: TestServiceOptions = {}): Promise<Contract> =>
    Contract.of(await startTestService(store, { now: NOW, ...options }));
  /** Counts a pair of KORD: without a day there would be no need to ask for errors. */
  const addDay = (store: Store): Promise<void> => {
    const columns = [
      'metric',
      'provider',
      'target_date',
      'station_id',
      'pair_count',
      'preliminary_pair_count',
    ];
    return store.insert('station_day_counts', columns, [['high', 'default', '2024-03-18', 'KORD', 1, 0]]);
  };

  it('given a store that is busy, when three ask, then one is answered, and two are OVERLOADED', async () => {
    const store = await openTestStore({ concurrency: 1, maxWaiting: 1, queryTimeoutSeconds: 100 });
    const contract = await serve(store);
    const path = '/api/v1/accuracy/summary';
    await contract.get(path); // it knows the stations and the version of the data
    const isRefused = new AbortController();
    const slow = sql`SELECT sleepEachRow(1) AS n FROM numbers(90)`.with({ max_block_size: 1 });
    const busy = failureOf(store.query(sql.rows(z.unknown())`${slow}`, { signal: isRefused.signal }));
    let refused = 0;
    const responses = await Promise.all(
      [7, 8, 9].map(async (days) => {
        const response = await contract.get(`${path}?days=${days}`);
        if (response.status === 503) refused += 1;
        if (refused === 2) isRefused.abort();
        return response;
      }),
    );
    expect(await busy).to.be.instanceOf(QueryAbandoned);
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 503, 503]);
    for (const { status, body, headers } of responses) {
      if (status === 200) continue;
      expect((body as ErrorAnswer).error.code).to.equal('OVERLOADED');
      expect(headers['retry-after']).to.match(/^\d+$/);
    }
    expect((await contract.get(path)).status, 'afterwards').to.equal(200);
    await store.close();
  });

  itInCi(
    'given a query that needs more memory than it may have, then it is QUERY_TOO_LARGE, for good',
    async () => {
      const store = await openWorld([STATIONS], { ...SERVING, queryMemoryBytes: 32 * 1024 * 1024 });
      for (const kind of ['_mv', '']) await store.command(raw(`DROP TABLE network_day_errors${kind}`));
      await store.command(
        raw(`
      CREATE VIEW network_day_errors AS
      SELECT 'high' AS metric, 'default' AS provider, toDate('2024-03-18') AS target_date, '0-6h' AS lead_time_bucket,
        toInt16(number % 2) AS error_hundredths, toInt64(1) AS pair_count, toInt64(0) AS preliminary_pair_count
      FROM (SELECT number FROM numbers(3000000) GROUP BY number)`),
      );
      await addDay(store);
      const contract = await serve(store);
      const { status, headers, body } = await contract.get('/api/v1/accuracy/summary');
      expect([status, headers['retry-after']]).to.deep.equal([422, undefined]);
      expect((body as ErrorAnswer).error).to.deep.equal({
        code: 'QUERY_TOO_LARGE',
        message: 'The query needs more memory than it may use; narrow the window, or name a station',
      });
      await store.close();
    },
  );

  itInCi(
    'given queries that take too long, then what reads histograms is QUERY_TIMEOUT, the rest answered',
    async () => {
      const store = await openWorld([STATIONS], { concurrency: 8, maxWaiting: 64, queryTimeoutSeconds: 0.5 });
      for (const [histogram, columns] of [
        ['network_day_errors', "toDate('2024-03-18') AS target_date, '0-6h' AS lead_time_bucket"],
        [
          'station_day_errors',
          "toLowCardinality('KORD') AS station_id, toDate('2024-03-18') AS target_date, '0-6h' AS lead_time_bucket",
        ],
        ['station_week_errors', "toLowCardinality('KORD') AS station_id, toDate('2024-03-11') AS week_start"],
      ]) {
        await store.command(raw(`DROP TABLE ${histogram}_mv`));
        await store.command(raw(`DROP TABLE ${histogram}`));
        await store.command(
          raw(`
        CREATE VIEW ${histogram} AS
        SELECT 'high' AS metric, 'default' AS provider, ${columns},
          toInt16(100) AS error_hundredths, toInt64(1) AS pair_count, toInt64(0) AS preliminary_pair_count
        FROM numbers(20) WHERE sleepEachRow(0.1) = 0 SETTINGS max_block_size = 1`),
        );
      }
      await addDay(store);
      const contract = await serve(store);
      for (const path of range({ test: 2, ci: Infinity }, HISTOGRAM_PATHS))
        await contract.refused(path, 504, 'QUERY_TIMEOUT');
      await contract.ok('/api/v1/stations/metadata');
      expect((await send(contract, 'get', '/api/v1/health')).status).to.equal(200);
      await store.close();
    },
  );

  describe('given a fault that nobody thought of, tables that are gone, and then a store that is closed', () => {
    const lines: string[] = [];
    let store: Store;
    let contract: Contract;

    before(async () => {
      store = await openWorld([STATIONS]);
      for (const table of ['network_day_errors', 'station_day_errors', 'station_week_errors']) {
        await store.command(raw(`DROP TABLE ${table}`));
      }
      contract = await serve(store, { log: (line) => lines.push(line) });
    });

    it('then what reads it is INTERNAL, and tells neither SQL nor stack nor path', async () => {
      for (const path of range({ test: 2, ci: Infinity }, HISTOGRAM_PATHS)) {
        const { message } = await contract.refused(path, 500, 'INTERNAL');
        expect(message, path).not.to.match(/table|unknown|error|exception|metric|test_\d/i);
      }
    });

    it('then requests that succeed and fail have their id in each line of the log, and none has a key', async () => {
      const { service } = contract;
      lines.length = 0;
      await contract.ok('/api/v1/stations/metadata', { 'X-Request-Id': 'log-1' });
      await contract.get('/api/v1/accuracy/by-city', { 'X-Request-Id': 'log-2' });
      await contract.get(`/api/v1/accuracy/summary?api_key=${service.key}`, { 'X-Request-Id': 'log-3' });
      await send(contract, 'get', '/metrics', { 'X-Request-Id': 'log-4' });
      for (const line of lines) {
        expect(line).to.match(/"log-[1-4]"/);
        expect(line).not.to.include(service.key.slice(13));
      }
      for (const id of ['log-1', 'log-2', 'log-3', 'log-4'])
        expect(lines.join('\n'), id).to.include(`"${id}"`);
    });

    it('when it is closed, then every endpoint is STORE_UNAVAILABLE with Retry-After, in JSON', async () => {
      await store.close();
      contract = await serve(store);
      for (const path of PATHS) {
        const response = await contract.get(urlOf(path, 'format=csv'));
        const { error } = response.body as ErrorAnswer;
        expect([response.status, error.code], path).to.deep.equal([503, 'STORE_UNAVAILABLE']);
        expect(response.headers['retry-after'], path).to.match(/^\d+$/);
      }
      await contract.faults('/api/v1/accuracy/summary?days=0');
    });

    it('when it is closed, then health is degraded and not ready, and the process is alive', async () => {
      const answer = await send(contract, 'get', '/api/v1/health');
      contract.check('/api/v1/health', answer);
      expect(answer.status).to.equal(503);
      expect(answer.body).to.include({ status: 'degraded', database: 'unavailable' });
      expect((await send(contract, 'get', '/readyz')).status).to.equal(503);
      expect((await send(contract, 'get', '/healthz')).status).to.equal(200);
    });
  });
});
