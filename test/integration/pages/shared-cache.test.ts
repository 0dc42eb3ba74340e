import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { findNginx, freePort, Nginx, nginxSample } from '../../support/nginx.js';
import { until } from '../../support/process.js';
import { describeInCi, itInCi } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';
import { startTestService, type TestService } from '../../support/service.js';
import { temporaryFolder } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

/** The words of the service about unpinned answers; a test may say another time in their place. */
const SAID = 's-maxage=10, stale-while-revalidate=30';

interface Answer {
  status: number;
  cache: string;
  body: string;
}

/** A request that waits for no other. */
const HEALTH = '/api/v1/health';

describeInCi('public answers behind a shared cache (D60), as docs/caching.md configures nginx', function () {
  let program: string;
  let store: Store;
  let service: TestService;
  let server: Server;
  let nginx: Nginx;
  let port: number;
  let kept: string;
  /** Requests that reached the service, and when it may go on. */
  let reached: string[] = [];
  let gate: Promise<void>;
  let times: string;

  before(async function () {
    const found = findNginx();
    if (found === undefined) skip(this, 'no nginx; `make ci-tools` brings it');
    program = found;
    store = await openWorld([FEEDS]);
  });
  after(() => store?.close());

  beforeEach(async () => {
    reached = [];
    gate = Promise.resolve();
    times = SAID;
    service = await startTestService(store, {
      now: NOW,
      trustProxy: ['127.0.0.1'],
      publicRead: { rateLimitPerMinute: 0, rowsPerMinute: 0 },
    });
    server = createServer((request, response) => {
      reached.push(request.url ?? '');
      const writeHead = response.writeHead.bind(response);
      // No clock of nginx can be moved, so a test says how long an answer is fresh.
      response.writeHead = ((status: number, headers: Record<string, string>) => {
        const control = headers?.['Cache-Control']?.replace(SAID, times);
        return writeHead(status, { ...headers, ...(control && { 'Cache-Control': control }) });
      }) as typeof writeHead;
      void (request.url === HEALTH ? Promise.resolve() : gate).then(
        () => void service.app(request, response),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = await freePort();
    kept = join(temporaryFolder(), 'cache');
    mkdirSync(kept);
    nginx = await Nginx.start(program, port, sample());
  });
  afterEach(async () => {
    await nginx.stop();
    server.closeAllConnections();
    server.close();
  });

  /** The sample of the document, with the ports and the folder of this test. */
  const sample = (): string =>
    nginxSample('caching.md', [
      ['/var/cache/nginx/forecast-accuracy', kept],
      ['server 127.0.0.1:8080;', `server 127.0.0.1:${(server.address() as AddressInfo).port};`],
      ['listen 80;', `listen 127.0.0.1:${port};`],
    ]);

  const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      request({ port, host: '127.0.0.1', path, headers }, (response) => {
        text(response).then((body) => {
          const cache = String(response.headers['x-cache-status']);
          resolve({ status: response.statusCode ?? 0, cache, body });
        }, reject);
      })
        .once('error', reject)
        .end();
    });
  const asKey = (): Record<string, string> => ({ authorization: `Bearer ${service.key}` });
  const pairsIn = ({ body }: Answer): unknown =>
    (JSON.parse(body) as { data: { verification_pairs: number } }).data.verification_pairs;
  const pinned = async (): Promise<string> => {
    const { metadata } = JSON.parse((await ask('/api/v1/loads')).body) as {
      metadata: Record<string, unknown>;
    };
    return `as_of=v${String(metadata.data_version)}.${String(metadata.timeline)}`;
  };

  /** Fifty questions that differ. */
  const kinds = (query: string): string[] =>
    ['summary', 'by-date', 'by-lead-time', 'hit-rate', 'exceedance'].flatMap((name) =>
      ['', '&metric=low', '&station_id=KORD', '&station_id=EGLL', '&format=csv'].flatMap((part) =>
        [WINDOW, WINDOW.replace('16', '17')].map(
          (window) => `/api/v1/accuracy/${name}?${window}${part}${query}`,
        ),
      ),
    );

  for (const isPinned of [true, false]) {
    itInCi(
      `given a warm cache, when ${isPinned ? 'pinned' : 'unpinned'} questions repeat in their time, then at most 1 % reach the service`,
      async () => {
        times = 's-maxage=3600';
        const questions = kinds(isPinned ? `&${await pinned()}` : '');
        expect(new Set(questions)).to.have.property('size', 50);
        const warm = new Map<string, string>();
        for (const question of questions) {
          const { status, body } = await ask(question);
          expect(status, question).to.equal(200);
          warm.set(question, body);
        }
        reached = [];
        const left = Array.from({ length: 1000 }, (_, index) => questions[(index * 7) % 50]!);
        const reader = async (): Promise<void> => {
          for (let question = left.pop(); question !== undefined; question = left.pop()) {
            const { status, body } = await ask(question);
            expect([status, body === warm.get(question)], question).to.deep.equal([200, true]);
          }
        };
        await Promise.all(Array.from({ length: 16 }, reader));
        expect(reached.length).to.be.at.most(10);
      },
    );
  }

  itInCi(
    'given a load, then an answer is old for no longer than its header says, a pinned one for ever',
    async () => {
      times = 's-maxage=1, stale-while-revalidate=1';
      const question = `/api/v1/accuracy/summary?${WINDOW}&station_id=KPWM`;
      const version = await pinned();
      const before = await ask(question);
      // At once: a new answer between them takes a busy machine longer than the second for which this one is fresh.
      expect([before.cache, (await ask(question)).cache]).to.deep.equal(['MISS', 'HIT']);
      const pinnedBefore = await ask(`${question}&${version}`);
      // It is stored now at the latest, so all that the header allows is over after 2 s, and one more, as nginx counts whole ones.
      const over = new Promise((resolve) => setTimeout(resolve, 3100));
      await loadLines(store, { forecasts: ['KPWM,2024-03-16T00:00:00Z,2024-03-18,44.00,'] });
      await over;
      times = 's-maxage=1';
      const after = await ask(question);
      expect([pairsIn(before), pairsIn(after), after.cache]).to.deep.equal([2, 3, 'EXPIRED']);
      const pinnedAfter = await ask(`${question}&${version}`);
      expect([pinnedAfter.cache, pinnedAfter.body]).to.deep.equal(['HIT', pinnedBefore.body]);
      // Without a load, asking again reads nothing.
      const same = await until(async () => {
        const answer = await ask(question);
        return answer.cache === 'HIT' ? undefined : answer;
      });
      expect([same.cache, same.body]).to.deep.equal(['REVALIDATED', after.body]);
    },
  );

  itInCi(
    'given requests with keys, and errors, then nothing of them is kept, or given to others',
    async () => {
      const question = `/api/v1/accuracy/summary?${WINDOW}`;
      const others = ['/api/v1/accuracy/freshness', `${question}&nonsense=1`, `${question}&station_id=NONE`];
      for (const path of [question, '/api/v1/usage', '/metrics', `/api/v1/export/pairs?${WINDOW}`, ...others])
        await ask(path, asKey());
      for (const path of [...others, '/api/v1/usage', '/metrics', `/api/v1/export/pairs?${WINDOW}`])
        await ask(path);
      const files = (): string[] =>
        readdirSync(kept, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
      expect(files()).to.deep.equal([]);
      expect((await ask('/api/v1/usage')).status).to.equal(401);
      expect((await ask(question)).cache).to.equal('MISS');
      expect((await ask(question)).cache).to.equal('HIT');
      // A key is asked for by the service, also where an answer is kept; so is one that is not valid.
      reached = [];
      expect((await ask(question, asKey())).cache).to.equal('BYPASS');
      expect((await ask(question, { authorization: 'Bearer nonsense' })).status).to.equal(401);
      expect(reached).to.deep.equal([question, question]);
      const [stored = '', ...more] = files();
      expect(more).to.deep.equal([]);
      expect(stored)
        .to.include('Cache-Control: public')
        .and.not.to.match(/X-Request-Id|RateLimit|Set-Cookie|private/i);
    },
  );

  it('given a script asked for with forwarded headers first, then nobody gets a host of a stranger', async () => {
    const version = await pinned();
    const path = `/api/v1/accuracy/summary/recompute.sql?${WINDOW}&${version}`;
    const hostile = {
      'X-Forwarded-Host': 'forwarded.evil.example',
      'X-Forwarded-Proto': 'gopher',
      'X-Request-Id': 'id.evil.example',
      Forwarded: 'host=rfc.evil.example;proto=gopher',
    };
    for (const [first, other] of [
      [path, path],
      // nginx hands on the path alone, and another cache may not.
      [`gopher://line.evil.example${path}&ci=0.9`, `${path}&ci=0.9`],
    ] as const) {
      const [stranger, reader] = [await ask(first, hostile), await ask(other)];
      expect([stranger.status, stranger.cache, reader.cache]).to.deep.equal([200, 'MISS', 'HIT']);
      expect(reader.body).not.to.match(/evil|gopher/);
      expect(reader.body)
        .to.equal(stranger.body)
        .and.to.match(/^-- 1\. curl .*"\$\{BASE_URL:\?/m);
    }
    const [asset = ''] = /assets\/[^"]+\.js/.exec((await ask('/')).body) ?? [];
    await ask(`/${asset}`, hostile);
    expect((await ask(`/${asset}`)).cache).to.equal('HIT');
    const files = readdirSync(kept, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files, 'two scripts, a file of the page, and the loads').to.have.length(4);
    for (const { parentPath, name } of files)
      expect(readFileSync(join(parentPath, name), 'latin1')).not.to.match(/evil|gopher/);
  });

  itInCi('given a burst of readers of one question, then the service is asked once', async () => {
    const question = `/api/v1/accuracy/summary?${WINDOW}&${await pinned()}`;
    reached = [];
    let open = (): void => {};
    gate = new Promise((resolve) => (open = resolve));
    const burst = Array.from({ length: 50 }, () => ask(question));
    while (reached.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await ask(HEALTH); // it came after them all
    open();
    expect(new Set((await Promise.all(burst)).map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(reached).to.deep.equal([question, HEALTH]);
  });
});
