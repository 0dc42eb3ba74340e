import { expect } from 'chai';
import { addressAccounts } from '../../../src/auth/accounts.js';
import { ENDPOINTS } from '../../../src/endpoints.js';
import { UNAVAILABLE } from '../../../src/meta/unavailable.js';
import type { QueryOptions } from '../../../src/store/store.js';
import { type Answer, type ErrorAnswer, NEEDED, sent } from '../../support/contract/contract.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { store } from '../../support/contract/shared.js';
import { download } from '../../support/recompute/compare.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import { withMethod } from '../../support/store.js';

const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;
const NO_LIMITS = { rateLimitPerMinute: 0, rowsPerMinute: 0 };
const SHORT = 'public, max-age=0, s-maxage=10, stale-while-revalidate=30';

/** A request without a key. */
const ask = (service: TestService, path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  sent(service.request('get', path).set(headers));
const codeOf = ({ status, body }: Answer): unknown => [status, (body as ErrorAnswer).error.code];

describe('reading without a key (D60)', () => {
  const start = (options: TestServiceOptions = {}): Promise<TestService> =>
    startTestService(store, { now: NOW, publicRead: NO_LIMITS, ...options });

  it('given every path, then questions are answered without a key; a key that is not valid gets nothing', async () => {
    const service = await start();
    const some = range({ test: 8, ci: Infinity }, ENDPOINTS);
    const ofCallers = ENDPOINTS.filter(({ isPerClient }) => isPerClient);
    for (const { paths, isPerClient } of new Set([...some, ...ofCallers])) {
      for (const path of paths.map((each) => `/api/v1${each.replace(':station_id', 'KORD')}`)) {
        const question = `${path}?${NEEDED[path] ?? ''}`;
        const { status } = await ask(service, question);
        if (isPerClient === true) expect(status, path).to.equal(401);
        else
          expect(status, path)
            .to.equal((await sent(service.get(question))).status)
            .and.not.to.equal(401);
        for (const authorization of [`Bearer fas_aaaaaaaa_${'x'.repeat(43)}`, 'Basic eDp5', ''])
          expect(codeOf(await ask(service, question, { authorization }))).to.deep.equal([
            401,
            'UNAUTHORIZED',
          ]);
      }
    }
    const closed = [
      ...UNAVAILABLE.map(({ path }) => `/api/v1${path}`),
      ...['/api/v1/usage/', '/API/V1/Usage', '/api/v1/nothing', '/metrics', '/nothing'],
    ];
    for (const path of closed)
      expect(codeOf(await ask(service, path)), path).to.deep.equal([401, 'UNAUTHORIZED']);
    expect((await service.request('post', '/mcp').send({})).status).to.equal(401);
    expect((await service.request('post', SUMMARY)).status).to.equal(405);
  });

  it('given PUBLIC_READ off, then every question needs a key', async () => {
    const service = await startTestService(store, { now: NOW });
    expect(codeOf(await ask(service, SUMMARY))).to.deep.equal([401, 'UNAUTHORIZED']);
  });

  it('given an answer, then caches may share it: it is that of a key, and has nothing of one caller', async () => {
    const service = await start({
      corsOrigins: ['https://charts.example'],
      publicRead: { rateLimitPerMinute: 100, rowsPerMinute: 0 },
    });
    const origin = { origin: 'https://charts.example', 'x-request-id': 'mine' };
    for (let time = 0; time < 2; time += 1) {
      const { status, headers, body } = await ask(service, SUMMARY, origin);
      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal(SHORT);
      expect(headers.vary).to.equal('Authorization, Accept, Accept-Encoding, Origin');
      expect(headers['access-control-allow-origin']).to.equal('https://charts.example');
      expect(headers).not.to.have.any.keys(
        ...['x-request-id', 'ratelimit', 'ratelimit-policy', 'server-timing', 'set-cookie'],
      );
      const own = await sent(service.get(SUMMARY));
      expect(own.headers['cache-control']).to.match(/^private, /);
      expect(own.headers)
        .to.include.keys('x-request-id', 'server-timing')
        .and.include({ etag: headers.etag });
      expect((own.body as { data: unknown }).data).to.deep.equal((body as { data: unknown }).data);
      const known = await ask(service, SUMMARY, { ...origin, 'if-none-match': headers.etag ?? '' });
      expect(known.status).to.equal(304);
      expect(known.headers).to.include({ 'cache-control': SHORT, etag: headers.etag, vary: headers.vary });
      expect(known.headers).not.to.have.any.keys('x-request-id', 'ratelimit', 'ratelimit-policy');
    }
    expect((await service.request('head', SUMMARY)).headers['cache-control']).to.equal(SHORT);
    expect((await ask(service, `${SUMMARY}&format=csv`)).headers['cache-control']).to.equal(SHORT);
  });

  itInCi(
    'given a version with its timeline, then it is kept for ever; a moment and a fault, never',
    async () => {
      const service = await start();
      const { metadata } = (await ask(service, SUMMARY)).body as { metadata: Record<string, unknown> };
      const version = `v${String(metadata.data_version)}`;
      const expected: [path: string, status: number, control: string][] = [
        [
          `${SUMMARY}&as_of=${version}.${String(metadata.timeline)}`,
          200,
          'public, max-age=31536000, immutable',
        ],
        [`${SUMMARY}&as_of=${version}`, 200, SHORT],
        ['/api/v1/accuracy/freshness', 200, 'no-store'],
        [`${SUMMARY}&nonsense=1`, 400, 'no-store'],
        [`${SUMMARY}&station_id=NONE`, 404, 'no-store'],
      ];
      for (const [path, status, control] of expected) {
        const answer = await ask(service, path);
        expect([answer.status, answer.headers['cache-control']], path).to.deep.equal([status, control]);
      }
    },
  );

  it("given addresses behind a trusted proxy, then each has its own requests a minute, IPv6 a network's", async () => {
    const service = await start({ trustProxy: 1, publicRead: { rateLimitPerMinute: 2, rowsPerMinute: 0 } });
    const from = async (address: string): Promise<Answer> =>
      ask(service, SUMMARY, { 'x-forwarded-for': address });
    const limited = async (address: string, before: number): Promise<void> => {
      for (let time = 0; time < before; time += 1) expect((await from(address)).status).to.equal(200);
      const refused = await from(address);
      expect(codeOf(refused)).to.deep.equal([429, 'RATE_LIMITED']);
      expect((refused.body as ErrorAnswer).error.message).to.include('from this address without an API key');
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
      expect(refused.headers['cache-control']).to.equal('no-store');
    };
    await limited('203.0.113.1', 2);
    await limited('203.0.113.2', 2);
    await limited('2001:db8::1', 2);
    await limited('2001:db8::2', 0);
    for (let time = 0; time < 3; time += 1) expect((await service.get(SUMMARY)).status).to.equal(200);
  });

  itInCi(
    'given rows a minute, then an address beyond them has kept answers alone until time makes up',
    async () => {
      let now = Date.parse(NOW);
      const service = await start({
        now: () => new Date(now),
        publicRead: { rateLimitPerMinute: 0, rowsPerMinute: 1 },
      });
      expect((await ask(service, SUMMARY)).status).to.equal(200);
      const refused = await ask(service, `${SUMMARY}&metric=low`);
      expect(codeOf(refused)).to.deep.equal([429, 'RATE_LIMITED']);
      expect((refused.body as ErrorAnswer).error.message).to.match(/^This address has read \d+ rows/);
      expect((await ask(service, SUMMARY)).status).to.equal(200);
      expect((await service.get(`${SUMMARY}&metric=low`)).status).to.equal(200);
      now += 1000 * Number(refused.headers['retry-after']);
      expect((await ask(service, `${SUMMARY}&lead_time_bucket=0-6h`)).status).to.equal(200);
    },
  );

  it('given a script, then a stranger may fetch the export that it names, and a cache may keep it', async () => {
    const service = await start();
    const script = await download(service, `/api/v1/accuracy/summary/recompute.sql?${WINDOW}`, '');
    const [, path = ''] = /\$\{BASE_URL:[^}]*\}(\/[^"]+)"/.exec(script.toString()) ?? [];
    const { status, headers } = await service.request('get', path);
    expect([status, headers['cache-control']]).to.deep.equal([200, 'public, max-age=31536000, immutable']);
    expect(headers).not.to.have.any.keys('x-request-id', 'ratelimit');
    const latest = await service.request('get', `/api/v1/export/pairs?${WINDOW}`);
    expect([latest.status, latest.headers['cache-control']]).to.deep.equal([200, 'private, no-cache']);
  });

  itInCi('given questions of two addresses and a key, then each has turns of its own', async () => {
    const names: (string | undefined)[] = [];
    const watched = withMethod(store, 'query', (...given) => {
      const options = given.at(-1) as QueryOptions | undefined;
      if (options?.origin !== undefined) names.push(options.reader?.name);
      return store.query(...given);
    });
    const service = await startTestService(watched, {
      now: NOW,
      trustProxy: 1,
      publicRead: NO_LIMITS,
      cacheBytes: 0,
    });
    await ask(service, SUMMARY, { 'x-forwarded-for': '203.0.113.1' });
    await ask(service, SUMMARY, { 'x-forwarded-for': '203.0.113.2' });
    await service.get(SUMMARY);
    expect([...new Set(names)]).to.deep.equal([
      'address 203.0.113.1',
      'address 203.0.113.2',
      service.key.split('_')[1],
    ]);
  });

  it('given more addresses than are remembered, or one that has not asked for an hour, then it begins anew', () => {
    let now = Date.parse(NOW);
    const accounts = addressAccounts(() => new Date(now));
    const of = (id: string) => accounts.of({ id, name: '' }, NO_LIMITS);
    const first = of('first');
    for (let address = 0; address < 9_999; address += 1) of(`${address}`);
    expect(of('first')).to.equal(first);
    now += 50 * 60_000;
    expect(of('first')).to.equal(first);
    now += 50 * 60_000;
    expect(of('first')).to.equal(first);
    now += 61 * 60_000;
    const second = of('first');
    expect(second).not.to.equal(first);
    for (let address = 0; address < 10_000; address += 1) of(`${address}`);
    expect(of('first')).not.to.equal(second);
  });
});
