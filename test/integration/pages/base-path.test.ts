import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get as getPlain, type IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import request from 'supertest';
import type { Store } from '../../../src/store/store.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { Listening } from '../../support/listen.js';
import { Assistant } from '../../support/mcp/assistant.js';
import { findNginx, freePort, Nginx, nginxSample } from '../../support/nginx.js';
import { describeInCi, itInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { temporaryFolder } from '../../support/store.js';
import { skip } from '../../support/runner/skip.js';
import { openWorld } from '../../support/worlds.js';

const PATH = '/weather/accuracy';

/** The URLs of a page, as a browser at its address takes them. */
const urlsOf = (page: string, address: string): URL[] =>
  [...page.matchAll(/(?:src|href)="([^"#]+)"/g)]
    .map(([, url = '']) => new URL(url, address))
    .filter(({ host }) => host !== 'github.com');

/** Paths of a certificate of 127.0.0.1 and its key, and the certificate. */
interface Certificate {
  certificate: string;
  key: string;
  text: string;
}

async function selfSigned(): Promise<Certificate> {
  const folder = temporaryFolder();
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key],
    ...['-out', certificate],
  ]);
  return { certificate, key, text: readFileSync(certificate, 'utf8') };
}

/** The sample of docs/operating.md, with ports, certificate and servers of this machine. */
const sampleFor = (
  servers: readonly Listening[],
  port: number,
  { certificate, key }: Certificate,
  plainPort: number,
): string =>
  nginxSample('operating.md', [
    ['server 127.0.0.1:8080;', servers.map(({ url }) => `server ${new URL(url).host};`).join(' ')],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['/etc/letsencrypt/live/example.org/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/example.org/privkey.pem', key],
  ]);

describe('a service below a path', () => {
  let store: Store;

  before(async () => {
    store = await openWorld([FEEDS]);
  });
  after(() => store.close());

  describeInCi('behind nginx, as docs/operating.md configures it', function () {
    let program: string;
    let certificate: Certificate;

    before(async function () {
      const found = findNginx();
      if (found === undefined) skip(this, 'no nginx; `make ci-tools` brings it');
      program = found;
      try {
        certificate = await selfSigned();
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ENOENT') throw error;
        skip(this, 'no openssl, for a certificate');
      }
      // fetch takes no certificate of a test; the requests by get() below do, and check it.
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    });
    after(() => {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    });

    itInCi(
      'given one server, then pages, answers, exports, assistants, CORS and limits are as without',
      async () => {
        for (const takenOff of ['/', '']) {
          const port = await freePort();
          const publicUrl = `https://127.0.0.1:${port}/accuracy`;
          const service = await startTestService(store, {
            now: NOW,
            publicUrl,
            trustProxy: ['127.0.0.1'],
            authFailuresPerMinute: 3,
            corsOrigins: ['https://charts.example'],
          });
          const listening = await Listening.start(service);
          const sample = sampleFor([listening], port, certificate, await freePort());
          const nginx = await Nginx.start(
            program,
            port,
            sample.replace('http://forecast_accuracy/;', `http://forecast_accuracy${takenOff};`),
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
                get(
                  `${publicUrl}/api/v1`,
                  { localAddress, agent: false, ca: certificate.text },
                  (response) => {
                    response.resume();
                    resolve(response.statusCode);
                  },
                ).once('error', reject);
              }),
            );
          }
          expect(statuses).to.deep.equal([401, 401, 401, 429, 401]);
          await nginx.stop();
          await listening.stop();
        }
      },
    );

    itInCi('given two servers, when one stops, then every request is answered by the other', async () => {
      const port = await freePort();
      const service = await startTestService(store, { now: NOW });
      const [one, other] = [await Listening.start(service), await Listening.start(service)];
      const plain = await freePort();
      const sample = sampleFor([one, other], port, certificate, plain);
      const nginx = await Nginx.start(program, port, sample);
      const unsafe = await fetch(`http://127.0.0.1:${plain}/accuracy/docs?a=b`, { redirect: 'manual' });
      expect(unsafe.headers.get('location')).to.equal('https://127.0.0.1/accuracy/docs?a=b');
      const statuses = async (): Promise<number[]> => {
        const answers: number[] = [];
        for (let sent = 0; sent < 20; sent += 1) {
          const { status } = await fetch(`https://127.0.0.1:${port}/accuracy/api/v1/health`);
          answers.push(status);
        }
        return answers;
      };
      const all = Array<number>(20).fill(200);
      expect(await statuses(), 'both').to.deep.equal(all);
      await one.stop();
      expect(await statuses(), 'the other alone').to.deep.equal(all);
      await other.stop();
      expect(await statuses(), 'neither').to.deep.equal(Array<number>(20).fill(502));
      await nginx.stop();
    });
  });

  it('given PUBLIC_URL, then what names a URL names it below the path, which requests may have or not', async () => {
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
    for (const query of ['', '?utm_source=x']) {
      const bare = await request(service.app).get(PATH + query);
      expect([bare.status, bare.headers.location]).to.deep.equal([308, `${PATH}/${query}`]);
    }
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
    for (const query of ['', '?a=b']) {
      const { status, headers } = await request(app).get(`/docs/${query}`);
      expect([status, headers.location]).to.deep.equal([308, `../docs${query}`]);
    }
  });

  it('given a request line with the whole URL, then the response is that to its path', async () => {
    const service = await startTestService(store, { now: NOW, publicUrl: `https://example.org${PATH}` });
    const listening = await Listening.start(service);
    try {
      for (const path of [`${PATH}/api/v1/loads?limit=1`, '/api/v1/loads?limit=1']) {
        const headers = { Authorization: `Bearer ${service.key}` };
        const [whole, plain] = await Promise.all(
          [`http://elsewhere.example${path}`, path].map(
            (line) =>
              new Promise<IncomingMessage>((resolve, reject) => {
                getPlain(listening.url, { path: line, headers }, (response) => resolve(response.resume())).on(
                  'error',
                  reject,
                );
              }),
          ),
        );
        expect(whole?.statusCode).to.equal(200);
        expect(whole?.headers.etag).to.equal(plain?.headers.etag);
        expect(whole?.headers['content-security-policy']).to.equal(plain?.headers['content-security-policy']);
      }
    } finally {
      await listening.stop();
    }
  });
});
