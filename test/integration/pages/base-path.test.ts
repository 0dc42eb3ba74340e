import { get } from 'node:http';
import { expect } from 'chai';
import request from 'supertest';
import type { Store } from '../../../src/store/store.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { Assistant } from '../../support/mcp/assistant.js';
import { findNginx, freePort, Nginx } from '../../support/nginx.js';
import { itInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { skip } from '../../support/runner/skip.js';

const PATH = '/weather/accuracy';

/** The URLs of a page, as a browser at its address takes them. */
const urlsOf = (page: string, address: string): URL[] =>
  [...page.matchAll(/(?:src|href)="([^"#]+)"/g)]
    .map(([, url = '']) => new URL(url, address))
    .filter(({ host }) => host !== 'github.com');

describe('a service below a path (D47)', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, FEEDS);
  });
  after(() => store.close());

  it('given PUBLIC_URL, then what names a URL names it below the path, and the path may stand in requests or not', async () => {
    const publicUrl = `https://example.org${PATH}`;
    const service = await startTestService(store, { now: NOW, publicUrl });
    for (const path of ['/api/v1', `${PATH}/api/v1`]) {
      const { data, metadata } = (await service.get(path)).body as {
        data: { path: string }[];
        metadata: object;
      };
      expect(data.map((entry) => entry.path)).to.include(`${PATH}/api/v1/accuracy/summary`);
      expect(metadata).to.include({ documentation: `${PATH}/docs`, openapi: `${PATH}/openapi.json` });
    }
    const { servers } = (await request(service.app).get('/openapi.json')).body as { servers: unknown[] };
    expect(servers).to.deep.equal([{ url: publicUrl, description: 'This server' }]);
    const bare = await request(service.app).get(PATH);
    expect([bare.status, bare.headers.location]).to.deep.equal([308, `${PATH}/`]);
    expect((await service.get(`${PATH}else/api/v1`)).status).to.equal(404);
    // A page of its own may ask at /mcp, whatever the proxy makes of Host.
    const post = (origin: string) =>
      request(service.app)
        .post('/mcp')
        .set({ Authorization: `Bearer ${service.key}`, Origin: origin });
    expect((await post('https://example.org')).status).not.to.equal(403);
    expect((await post('https://example.com')).status).to.equal(403);
  });

  it('given a page at any path, then its URLs stay below it, and one with a slash at its end is led back', async () => {
    const { app } = await startTestService(store, { now: NOW });
    for (const [page, address] of [
      ['/', `http://x${PATH}/`],
      ['/docs', `http://x${PATH}/docs`],
    ] as const) {
      const urls = urlsOf((await request(app).get(page)).text, address);
      expect(urls.length).to.be.above(3);
      for (const { href } of urls) expect(href).to.match(/^http:\/\/x\/weather\/accuracy\//);
    }
    const { status, headers } = await request(app).get('/docs/');
    expect([status, headers.location]).to.deep.equal([308, '../docs']);
  });

  itInCi(
    'given nginx before it, then pages, answers, exports, assistants, CORS and limits of addresses are as without',
    async function () {
      const program = findNginx();
      if (program === undefined) skip(this, 'no nginx; `make ci-tools` brings it');
      this.timeout(60_000);
      for (const takenOff of ['/', '']) {
        const port = await freePort();
        const publicUrl = `http://127.0.0.1:${port}${PATH}`;
        const service = await startTestService(store, {
          now: NOW,
          publicUrl,
          trustProxy: ['127.0.0.1'],
          authFailuresPerMinute: 3,
          corsOrigins: ['https://charts.example'],
        });
        const listening = await Listening.start(service);
        const nginx = await Nginx.start(
          program,
          port,
          `location ${PATH}/ {
            proxy_pass ${listening.url}${takenOff};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
          }`,
        );
        const authorization = `Bearer ${service.key}`;
        const ask = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
          fetch(url, { headers: { authorization, ...headers } });
        for (const page of [`${publicUrl}/`, `${publicUrl}/docs`, `${publicUrl}/docs/`, publicUrl]) {
          const answer = await fetch(page);
          expect(answer.status, page).to.equal(200);
          for (const url of urlsOf(await answer.text(), answer.url)) {
            const { status } = await fetch(url);
            expect([url.href.startsWith(`${publicUrl}/`), status], url.href).to.deep.equal([true, 200]);
          }
        }
        // The URLs of the index, as links of an answer.
        const { data } = (await (await ask(`${publicUrl}/api/v1`)).json()) as { data: { path: string }[] };
        const [first] = data;
        expect((await ask(new URL(first?.path ?? '', publicUrl).href)).status).to.equal(200);

        const direct = await listening.download(`/api/v1/export/pairs?${WINDOW}`);
        const { headers, body } = await (async () => {
          const answer = await ask(`${publicUrl}/api/v1/export/pairs?${WINDOW}`);
          return { headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) };
        })();
        expect(body.equals(direct.body)).to.be.true;
        expect(headers.get('x-total-pairs')).to.equal(direct.headers['x-total-pairs']);

        const assistant = await Assistant.connect(publicUrl, service.key);
        const { http, file } = await assistant.ask('forecast_pairs', { date_from: '2024-03-01', days: 30 });
        await assistant.close();
        for (const path of [...http, file ?? '']) {
          expect((await ask(new URL(path, publicUrl).href)).status, path).to.equal(200);
        }

        const cors = await ask(`${publicUrl}/api/v1`, { origin: 'https://charts.example' });
        expect(cors.headers.get('access-control-allow-origin')).to.equal('https://charts.example');

        const statuses: (number | undefined)[] = [];
        for (const localAddress of ['127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.2', '127.0.0.3']) {
          statuses.push(
            await new Promise((resolve, reject) => {
              get(`${publicUrl}/api/v1`, { localAddress, agent: false }, (response) => {
                response.resume();
                resolve(response.statusCode);
              }).once('error', reject);
            }),
          );
        }
        expect(statuses).to.deep.equal([401, 401, 401, 429, 401]);
        await nginx.stop();
        await listening.stop();
      }
    },
  );
});
