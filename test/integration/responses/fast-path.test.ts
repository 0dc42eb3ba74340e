import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import request from 'supertest';
import { createKey, revokeKey } from '../../../src/auth/keys.js';
import { Resolver } from '../../../src/responses/resolver.js';
import type { Store } from '../../../src/store/store.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { type Downloaded, Listening } from '../../support/listen.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import { openWorld } from '../../support/worlds.js';

const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;

/** Questions that Express has resolved: one on the fast path is not. */
let resolved = 0;
type Resolve = (this: unknown, ...given: unknown[]) => unknown;
const resolve = Reflect.get(Resolver.prototype, 'resolve') as Resolve;

interface Sent {
  status: number;
  headers: Record<string, string>;
  text: string;
}

// Each test asks twice: Express sends the first answer, and the second one comes by the fast path, or is not to.
describe('the fast path', () => {
  let store: Store;
  let service: TestService;
  let now = NOW;
  let lines: Record<string, unknown>[] = [];
  let server: Listening | undefined;

  const start = (options: TestServiceOptions = {}): Promise<TestService> =>
    startTestService(store, {
      now: () => new Date(now),
      log: (line) => lines.push(JSON.parse(line) as Record<string, unknown>),
      ...options,
    });
  const ask = async (
    path: string,
    headers: Record<string, string> = {},
    at = service,
    method: 'get' | 'head' = 'get',
  ): Promise<Sent> => {
    const {
      status,
      headers: got,
      text = '',
    } = await at
      .request(method, path)
      .set({ Authorization: `Bearer ${at.key}`, 'Accept-Encoding': 'identity', ...headers });
    return { status, headers: got, text };
  };
  /** How many of the requests of some work went through Express. */
  const byExpress = async (work: () => Promise<unknown>): Promise<number> => {
    const before = resolved;
    await work();
    return resolved - before;
  };
  /** All of a response but what is its own. */
  const shared = ({ headers, body, status }: Downloaded): object => {
    const own = { date: '', 'x-request-id': '', 'server-timing': '' };
    // An error is made for each request.
    return { status, headers: { ...headers, ...own }, body: status < 400 ? body.toString('base64') : '' };
  };

  before(async () => {
    store = await openWorld([FEEDS]);
    const counted: Resolve = function (...given) {
      resolved += 1;
      return resolve.apply(this, given);
    };
    Reflect.set(Resolver.prototype, 'resolve', counted);
  });
  beforeEach(async () => {
    now = NOW;
    lines = [];
    service = await start();
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  after(async () => {
    Reflect.set(Resolver.prototype, 'resolve', resolve);
    await store.close();
  });

  it('given any request, then status, headers, Age and bytes are those of Express from the cache', async function () {
    this.timeout(range({ test: 60_000, ci: 60_000, stress: 3_600_000 }));
    const listening = (server = await Listening.start(service));
    const { body } = await listening.download(SUMMARY);
    const pinned = `v1.${(JSON.parse(String(body)) as { metadata: { timeline: string } }).metadata.timeline}`;
    const anyPath = fc.oneof(
      fc.constantFrom('/stations/metadata', '/stations/metadata?format=csv', '/providers', '/nothing'),
      fc
        .tuple(
          fc.constantFrom('summary', 'by-date', 'by-date/chart.svg', 'summary/badge.json', 'by-city'),
          fc.shuffledSubarray(['metric=low', 'temp_unit=celsius', 'station_id=KORD', 'days=0', 'format=csv']),
          fc.constantFrom('', '', '&as_of=v1', `&as_of=${pinned}`, '&date_to=2024-03-18'),
        )
        .map(([name, query, more]) => `/accuracy/${name}?${[WINDOW, ...query].join('&')}${more}`),
    );
    const anyHeaders = fc.record(
      {
        accept: fc.constantFrom('*/*', 'application/json', 'text/csv', 'text/csv;q=0.1, */*', 'image/png'),
        'accept-encoding': fc.constantFrom('gzip', 'br, gzip;q=0.5', 'identity', 'gzip;q=0', '*'),
      },
      { requiredKeys: [] },
    );
    const anyCondition = fc.constantFrom('', '', 'its tag', 'its tag in a list', '*', '"another"');
    let fast = 0;
    const numRuns = range({ test: 40, ci: 150, stress: 20_000 });
    await fc.assert(
      fc.asyncProperty(
        ...[anyPath, anyHeaders, anyCondition, fc.constantFrom('GET', 'HEAD'), fc.nat(90)],
        async (path, headers, condition, method, seconds) => {
          const url = `/api/v1${path}`;
          const { headers: first } = await listening.download(url, headers);
          const tag = first.etag ?? '"none"';
          const known = condition.replace('its tag in a list', `"a", ${tag}`).replace('its tag', tag);
          const asked = { ...headers, ...(known !== '' && { 'if-none-match': known }) };
          now = new Date(Date.parse(now) + (seconds % 60 < 5 ? seconds * 1000 : 0)).toISOString();
          await listening.download(url, headers);
          // Requests of pages of other origins go through Express.
          const slow = await listening.download(url, { ...asked, origin: 'https://page.example' }, method);
          fast +=
            1 -
            Math.min(
              1,
              await byExpress(async () => {
                const reordered = url.split('?').map((each) => each.split('&').reverse().join('&'));
                expect(shared(await listening.download(reordered.join('?'), asked, method))).to.deep.equal(
                  shared(slow),
                );
              }),
            );
        },
      ),
      { numRuns },
    );
    expect(fast).to.be.above(numRuns / 3);
  });

  it('given a client that asks whether an answer has changed, then the fast path has it from the second on', async () => {
    const { headers } = await ask(SUMMARY, {}, await start());
    const tag = { 'If-None-Match': headers.etag ?? '' };
    await ask(SUMMARY);
    now = '2024-03-20T15:31:00Z';
    expect(await byExpress(() => ask(SUMMARY, tag))).to.equal(1);
    expect(await byExpress(() => ask(SUMMARY, tag))).to.equal(0);
  });

  it('given the parameters in another order, then they are the same request', async () => {
    const [path = '', query = ''] = SUMMARY.split('?');
    const other = `${path}?${query.split('&').reverse().join('&')}`;
    const { text } = await ask(SUMMARY);
    expect(await byExpress(async () => expect((await ask(other)).text).to.equal(text))).to.equal(0);
  });

  it('given a query that begins with a second ?, then it is refused, and so is another order of it', async () => {
    const [path = '', query = ''] = SUMMARY.split('?');
    const urls = [`${path}??metric=low&${query}`, `${path}?${query}&?metric=low`];
    // The second request of each is the one that the fast path could take.
    for (const url of [...urls, ...urls]) expect((await ask(url)).status, url).to.equal(400);
  });

  it('given later requests, then Age is of each; in another minute the request is resolved again', async () => {
    const path = '/api/v1/accuracy/summary?days=7';
    const first = await ask(path);
    expect(first.headers).not.to.have.property('age');
    const tag = { 'If-None-Match': first.headers.etag ?? '' };
    for (const [later, age, resolutions] of [
      ['2024-03-20T15:30:59.999Z', '59', 0],
      ['2024-03-20T15:31:00.000Z', '59', 1],
      ['2024-03-20T17:30:00.123Z', '7200', 1],
    ] as const) {
      now = later;
      const sent: Sent[] = [];
      expect(
        await byExpress(async () => {
          sent.push(await ask(path), await ask(path, tag), await ask(path, {}, service, 'head'));
        }),
      ).to.equal(resolutions);
      expect(sent.map(({ status, headers }) => [status, headers.age])).to.deep.equal([
        [200, age],
        [304, age],
        [200, age],
      ]);
      expect(sent[0]?.text).to.equal(first.text);
    }
  });

  it('given a key that is revoked, or unknown, or none, then it is a 401 at once', async () => {
    const { key, record } = await createKey(service.keysFile, 'second');
    const own = { Authorization: `Bearer ${key}` };
    await ask(SUMMARY, own);
    expect(await byExpress(async () => expect((await ask(SUMMARY, own)).status).to.equal(200))).to.equal(0);
    await revokeKey(service.keysFile, record.id);
    expect((await ask(SUMMARY, own)).status).to.equal(401);
    expect((await ask(SUMMARY, { Authorization: `Bearer ${key}x` })).status).to.equal(401);
    expect((await service.request('get', SUMMARY)).status).to.equal(401);
  });

  it('given a limit of requests, then each counts, the headers say so, and the one beyond it is a 429', async () => {
    service = await start({ rateLimitPerMinute: 4 });
    const seen: unknown[] = [];
    const asked = await byExpress(async () => {
      for (let time = 0; time < 5; time += 1) {
        const { status, headers } = await ask(SUMMARY);
        seen.push([
          status,
          /r=(\d+)/.exec(headers.ratelimit ?? '')?.[1],
          headers['ratelimit-policy']?.slice(0, 17),
        ]);
      }
    });
    const policy = '"4-in-1min"; q=4;';
    expect(seen).to.deep.equal(
      [3, 2, 1, 0].map((left) => [200, `${left}`, policy]).concat([[429, '0', policy]]),
    );
    expect(asked).to.equal(1);
  });

  it('given a limit that gets tighter, then it holds for the next request', async () => {
    service = await start({ rateLimitPerMinute: 100 });
    await ask(SUMMARY);
    await ask(SUMMARY);
    const { keys } = JSON.parse(readFileSync(service.keysFile, 'utf8')) as { keys: object[] };
    const tighter = keys.map((each) => ({ ...each, rate_limit_per_minute: 3 }));
    writeFileSync(service.keysFile, JSON.stringify({ keys: tighter }));
    const [third, fourth] = [await ask(SUMMARY), await ask(SUMMARY)];
    expect([third.status, fourth.status]).to.deep.equal([200, 429]);
    expect(third.headers['ratelimit-policy']).to.contain('q=3;');
  });

  it('given a request of its own id and trace, then the answer and the log line have them, and the key', async () => {
    await ask(SUMMARY);
    lines = [];
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    const { headers } = await ask(SUMMARY, { 'X-Request-Id': 'mine', traceparent });
    expect(headers['x-request-id']).to.equal('mine');
    const { headers: other } = await ask(SUMMARY, { 'X-Request-Id': 'not sane' });
    expect(other['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    expect(lines[0]).to.deep.include({
      key_id: service.key.slice(4, 12),
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      res: { status: 200 },
      msg: 'request completed',
    });
    expect(lines[0]?.req).to.deep.include({ id: 'mine', method: 'GET', url: SUMMARY, client: '127.0.0.1' });
    expect(JSON.stringify(lines)).not.to.contain(service.key.slice(13));
  });

  it('given requests in it, then usage and metrics count them, by route', async () => {
    for (let time = 0; time < 3; time += 1) await ask(SUMMARY);
    await ask(SUMMARY, { 'If-None-Match': (await ask(SUMMARY)).headers.etag ?? '' });
    const { text } = await ask('/metrics');
    const route = 'method="GET",route="/api/v1/accuracy/summary"';
    expect(text).to.contain(`http_request_duration_seconds_count{${route},status_code="200"} 4`);
    expect(text).to.contain(`http_request_duration_seconds_count{${route},status_code="304"} 1`);
    expect(text)
      .to.contain('responses_total{source="hit"} 3')
      .and.to.contain('responses_total{source="not_modified"} 1');
    expect(text).to.contain('http_requests_in_flight 1');
    const { data } = JSON.parse((await ask('/api/v1/usage')).text) as { data: object[] };
    expect(data[0]).to.include({ responses: 5, responses_cached: 4 });
    expect(data[0]).to.have.property('requests').that.is.at.least(6);
  });

  it('given pages that may read answers, then Express answers them, and answers vary by Origin', async () => {
    const Origin = 'https://page.example';
    service = await start({ corsOrigins: [Origin] });
    for (let time = 0; time < 2; time += 1) {
      expect((await ask(SUMMARY)).headers).to.include({
        vary: 'Authorization, Accept, Accept-Encoding, Origin',
      });
      expect((await ask(SUMMARY, { Origin })).headers).to.include({ 'access-control-allow-origin': Origin });
      expect((await ask(SUMMARY, { Origin: 'https://other.example' })).headers).not.to.have.property(
        'access-control-allow-origin',
      );
    }
    expect(await byExpress(() => ask(SUMMARY))).to.equal(0);
  });

  it('given the same URL with another key, format, encoding, method or Host, then each has what is its own', async () => {
    const path = '/api/v1/stations/metadata';
    const { key } = await createKey(service.keysFile, 'second', { rate_limit_per_minute: 7 });
    await ask(path);
    for (let time = 0; time < 2; time += 1) {
      expect((await ask(path)).headers).not.to.have.any.keys('ratelimit', 'content-encoding');
      expect((await ask(path, { Authorization: `Bearer ${key}` })).headers.ratelimit).to.contain(
        `r=${6 - time};`,
      );
      expect((await ask(path, { Accept: 'text/csv' })).headers['content-type']).to.contain('text/csv');
      expect((await ask(path, { 'Accept-Encoding': 'gzip' })).headers['content-encoding']).to.equal('gzip');
    }
    const own = { Authorization: `Bearer ${service.key}`, 'Accept-Encoding': 'identity' };
    expect((await service.request('post', path).set(own)).status).to.equal(405);
    const host = ['Host', '127.0.0.1'];
    const { port } = new URL(service.request('get', path).url);
    const status = await new Promise((resolve, reject) => {
      const headers = [...Object.entries(own).flat(), ...host, ...host];
      get({ port, path, headers }, (answer) => resolve(answer.resume().statusCode)).on('error', reject);
    });
    expect(status).to.equal(400);
  });

  // In `make test`: the tag of cache.test.ts after a load.
  itInCi('given a load, then the next answer has its data', async () => {
    const own = await openWorld([FEEDS]);
    const loading = await startTestService(own, { now: NOW });
    const pairs = async (): Promise<unknown> =>
      (JSON.parse((await ask(SUMMARY, {}, loading)).text) as { data: { verification_pairs: number } }).data
        .verification_pairs;
    const before = Number(await pairs());
    expect(await byExpress(async () => expect(await pairs()).to.equal(before))).to.equal(0);
    await loadLines(own, { forecasts: ['KORD,2024-03-17T01:00:00Z,2024-03-18,51.00,'] });
    expect(await pairs()).to.equal(before + 1);
    await own.close();
  });

  it('given a base path, then the fast path knows both of its forms, and nothing else', async () => {
    service = await start({ publicUrl: 'https://weather.example/accuracy' });
    for (const path of [SUMMARY, `/accuracy${SUMMARY}`]) {
      await ask(path);
      expect(await byExpress(async () => expect((await ask(path)).status).to.equal(200))).to.equal(0);
    }
    const asked = await byExpress(async () => {
      for (const path of ['/api/v1/usage', '/api/v1/usage']) await ask(path);
      await request(service.app).post(SUMMARY).set('Authorization', `Bearer ${service.key}`).expect(405);
    });
    expect(asked).to.equal(2);
  });

  it('given addresses that ask without a key, then each answer is public, before and after one with a key', async () => {
    service = await start({ publicRead: { rateLimitPerMinute: 0, rowsPerMinute: 0 } });
    for (let time = 0; time < 2; time += 1) {
      await ask(SUMMARY);
      const { headers } = await service.request('get', SUMMARY);
      expect(headers['cache-control']).to.match(/^public/);
      expect(headers).not.to.have.any.keys('x-request-id', 'server-timing');
    }
  });

  it('given no place for answers, then nothing takes the fast path', async () => {
    service = await start({ cacheBytes: 0 });
    await ask(SUMMARY);
    expect(await byExpress(() => ask(SUMMARY))).to.equal(1);
  });
});
