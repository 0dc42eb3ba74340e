import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import request from 'supertest';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const FOLDER = new URL('../../../dist/public/', import.meta.url);

describe('the dashboard at /', () => {
  let service: TestService;
  let page: string;
  /** The path of its files, with their version. */
  let assets: string;

  before(async function () {
    service = await startTestService(await openTestStore());
    page = (await request(service.app).get('/')).text;
    assets = `/${/assets\/dashboard-[\w-]+(?=\/)/.exec(page)?.[0]}`;
  });

  it('is a page of HTML that needs no key, and is asked for anew each time, by its tag', async () => {
    const first = await request(service.app).get('/');
    expect(first.status).to.equal(200);
    expect(first.headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(first.headers['cache-control']).to.equal('no-cache');
    const again = await request(service.app)
      .get('/')
      .set('If-None-Match', first.headers.etag ?? '');
    expect(again.status).to.equal(304);
    expect(again.text).to.equal('');
    expect((await request(service.app).head('/')).headers['content-type']).to.equal(
      'text/html; charset=utf-8',
    );
    expect((await request(service.app).post('/')).status).to.equal(405);
  });

  it('says whether the API answers without a key (D60)', async () => {
    expect(page).to.match(/<html lang="en">/);
    const open = await startTestService(await openTestStore(), {
      publicRead: { rateLimitPerMinute: 0, rowsPerMinute: 0 },
    });
    expect((await request(open.app).get('/')).text).to.match(/<html data-public lang="en">/);
  });

  it('may load its own files and ask its own service, nothing else', async () => {
    const { headers } = await request(service.app).get('/');
    expect(headers['content-security-policy']).to.equal(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    expect(headers['x-content-type-options']).to.equal('nosniff');
    expect(headers['referrer-policy']).to.equal('no-referrer');
    expect(page).not.to.match(/<script(?![^>]* src=)|<style|\bstyle=|\bon[a-z]+=/);
    expect(page).not.to.match(/(?:src|href)="https?:/);
  });

  it('begins with one script and what that shares with the later ones, each named by its own folder', () => {
    const named = [...page.matchAll(/"assets\/[\w-]+\/([\w/-]+\.js)"/g)].map(([, name]) => name);
    expect(named).to.deep.equal(['chunk.js', 'main.js']);
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.js'));
    const scripts = names.map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('');
    const others = [...scripts.matchAll(/(?:import\(|from)"\.\/([\w.]+)"/g)].map(([, name]) => name);
    expect([...new Set(['main.js', ...others])]).to.have.members(names);
    expect(scripts).not.to.match(/\beval\(|new Function\(/);
  });

  it('has files that are there, for a year, without a key', async () => {
    const names = [...page.matchAll(/"(assets\/[^"]+)"/g)].map(([, path]) => `/${path}`);
    expect(names).to.have.lengthOf(4);
    for (const path of [
      ...names,
      ...['later.js', 'geography.js', 'countries.json', 'states.json'].map((name) => `${assets}/${name}`),
    ]) {
      const response = await request(service.app).get(path);
      expect(response.status, path).to.equal(200);
      expect(response.headers['cache-control'], path).to.equal('public, max-age=31536000, immutable');
      expect(response.headers['content-type'], path).to.match(
        /^(text\/(javascript|css)|application\/json|image\/svg\+xml); charset=utf-8$/,
      );
    }
  });

  it('has no file under another version, name or folder', async () => {
    for (const path of [
      '/assets/dashboard-000000000000/main.js',
      `${assets}/index.html`,
      `${assets}/..%2f..%2fpackage.json`,
      `${assets}/constructor`,
      `${assets}/`,
      '/assets/',
    ]) {
      const { status } = await service.get(path);
      expect(status, path).to.equal(404);
    }
  });

  for (const [accepted, encoding, decode] of [
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.1', 'gzip', gunzipSync],
    ['identity', undefined, (content: Buffer) => content],
  ] as const) {
    it(`given a client that accepts ${accepted}, then a file comes as ${encoding ?? 'it is'}`, async () => {
      const { headers, body } = await raw(service, `${assets}/main.js`, accepted);
      expect(headers['content-encoding']).to.equal(encoding);
      expect(headers.vary).to.equal('Accept-Encoding');
      expect(headers['content-length']).to.equal(String(body.length));
      expect(decode(body).equals(readFileSync(new URL('main.js', FOLDER)))).to.be.true;
    });
  }
});

/** An answer as it came over the wire. */
async function raw(
  { app }: TestService,
  path: string,
  accepted: string,
): Promise<{ headers: Record<string, unknown>; body: Buffer }> {
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  try {
    return await new Promise((resolve, reject) => {
      get({ port, path, host: '127.0.0.1', headers: { 'Accept-Encoding': accepted } }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ headers: response.headers, body: Buffer.concat(chunks) }));
      }).on('error', reject);
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
