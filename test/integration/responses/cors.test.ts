import { join } from 'node:path';
import { expect } from 'chai';
import request, { type Test } from 'supertest';
import { ExportFiles } from '../../../src/export/files.js';
import { store } from '../../support/contract/shared.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { startTestService, type TestService } from '../../support/service.js';
import { temporaryFolder } from '../../support/store.js';

const PATH = `/api/v1/accuracy/summary?${WINDOW}`;
const LISTED = 'https://app.example';
/** Headers of answers that every page may read (Fetch, "CORS-safelisted response-header name"). */
const SAFELISTED = 'cache-control content-language content-type expires last-modified pragma'.split(' ');
/** Headers for browsers, caches and connections, of no use to a page. */
const OF_TRANSPORT = ['connection', 'keep-alive', 'trailer', 'transfer-encoding', 'vary'];
const OF_SECURITY =
  /^(access-control-|content-security-policy|cross-origin-|origin-agent-cluster|referrer-policy|strict-transport|x-content-type-|x-dns-|x-download-|x-frame-|x-permitted-|x-xss-)/;

describe('answers to pages of other origins (CORS)', () => {
  const start = (corsOrigins: string[] = []): Promise<TestService> =>
    startTestService(store, { now: NOW, corsOrigins });
  const preflight = (service: TestService, origin: string): Test =>
    request(service.app).options(PATH).set({
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization',
    });

  it('given no CORS_ORIGINS, when a page asks, then no header lets it read; a preflight is a 405', async () => {
    const service = await start();
    const { status, headers } = await service.get(PATH).set('Origin', LISTED);
    expect(status).to.equal(200);
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
    expect(headers.vary).to.equal('Authorization, Accept, Accept-Encoding');
    const asked = await preflight(service, LISTED);
    expect([asked.status, asked.headers.allow]).to.deep.equal([405, 'GET, HEAD']);
  });

  describe('given CORS_ORIGINS with two origins', () => {
    let service: TestService;

    before(async () => {
      service = await start(['http://localhost:3000', LISTED]);
    });

    it('when a page of one sends a preflight, then it may GET with a key, without a key of the preflight', async () => {
      const { status, headers, text } = await preflight(service, LISTED);
      expect(status).to.equal(204);
      expect(text).to.equal('');
      expect(headers['access-control-allow-origin']).to.equal(LISTED);
      expect(headers['access-control-allow-methods']).to.equal('GET,HEAD');
      const allowed = headers['access-control-allow-headers']?.toLowerCase().split(',');
      expect(allowed).to.include.members(['authorization', 'cache-control', 'last-event-id']);
      expect(headers).not.to.have.property('access-control-allow-credentials');
      expect(headers.vary).to.match(/\bOrigin\b/);
    });

    it('when it asks, then it may read the answer and the headers that tell about it, a 304, and an error', async () => {
      const { status, headers } = await service.get(PATH).set('Origin', LISTED);
      expect(status).to.equal(200);
      expect(headers['access-control-allow-origin']).to.equal(LISTED);
      const exposed = (headers['access-control-expose-headers'] ?? '').split(',');
      expect(exposed).to.include.members([
        ...['ETag', 'X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After', 'Content-Disposition'],
      ]);
      expect(headers.vary).to.equal('Authorization, Accept, Accept-Encoding, Origin');
      const again = await service.get(PATH).set({ Origin: LISTED, 'If-None-Match': headers.etag ?? '' });
      expect(again.status).to.equal(304);
      expect(again.headers['access-control-allow-origin']).to.equal(LISTED);
      expect(again.headers.vary).to.equal(headers.vary);
      const stranger = await request(service.app).get(PATH).set('Origin', LISTED);
      expect(stranger.status).to.equal(401);
      expect(stranger.headers['access-control-allow-origin']).to.equal(LISTED);
    });

    it('when it reads an export in parts, then it may send what that takes, and see each header of it', async () => {
      const exportFiles = await ExportFiles.open(join(temporaryFolder(), 'exports'), 1024 * 1024);
      const reading = await startTestService(store, { now: NOW, corsOrigins: [LISTED], exportFiles });
      const loads = (await reading.get('/api/v1/loads')).body as {
        metadata: { data_version: number; timeline: string };
      };
      const { data_version, timeline } = loads.metadata;
      const file = `/api/v1/export/pairs?format=parquet&${WINDOW}&as_of=v${data_version}.${timeline}`;

      const { headers: allowed } = await request(reading.app).options(file).set({
        Origin: LISTED,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'authorization,if-range,range',
      });
      expect(allowed['access-control-allow-headers']?.toLowerCase().split(',')).to.include.members([
        ...['authorization', 'range', 'if-range', 'if-match', 'if-none-match'],
        ...['x-request-id', 'traceparent', 'tracestate'],
      ]);

      const own = (path: string, headers: Record<string, string> = {}) =>
        reading.get(path).set({ Origin: LISTED, ...headers });
      const footer = await own(file, { Range: 'bytes=-8' });
      expect(footer.status).to.equal(206);
      expect(footer.headers['content-range']).to.match(/^bytes \d+-\d+\/\d+$/);
      const answers = [
        footer,
        await own(file, { 'If-Range': footer.headers.etag ?? '', Range: 'bytes=0-3' }),
        await own(file, { Range: 'bytes=999999999-' }),
        await own(file, { 'If-Match': '"another"' }),
        await own(file.replace('parquet', 'csv'), { 'Accept-Encoding': 'gzip' }),
        await own(`/api/v1/export/pairs?${WINDOW}`),
        await own(`/api/v1/data/forecast-actual?format=csv&limit=1&${WINDOW}`),
        await own(PATH, { 'Accept-Encoding': 'gzip' }),
        await own('/api/v1/nothing'),
        await request(reading.app).get(PATH).set('Origin', LISTED),
        await request(reading.app).put(PATH).set('Origin', LISTED),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([
        ...[206, 206, 416, 412, 200, 200, 200, 200, 404, 401, 405],
      ]);
      for (const { headers } of answers) {
        const exposed = (headers['access-control-expose-headers'] ?? '').toLowerCase().split(',');
        const hidden = Object.keys(headers).filter(
          (name) => ![...exposed, ...SAFELISTED, ...OF_TRANSPORT].includes(name) && !OF_SECURITY.test(name),
        );
        expect(hidden).to.deep.equal([]);
      }
    });

    for (const origin of ['https://evil.example', 'https://app.example.evil', 'http://app.example', 'null']) {
      it(`when a page of ${origin} asks, then it may read nothing, and caches tell the two apart`, async () => {
        const { status, headers } = await service.get(PATH).set('Origin', origin);
        expect(status).to.equal(200);
        expect(headers).not.to.have.property('access-control-allow-origin');
        expect(headers.vary).to.match(/\bOrigin\b/);
        expect((await preflight(service, origin)).status).to.equal(405);
      });
    }

    it('when OPTIONS comes from no page, or POST from a listed one, then it is a 405', async () => {
      expect((await request(service.app).options(PATH)).status).to.equal(405);
      const posted = await request(service.app).post(PATH).set('Origin', LISTED);
      expect(posted.status).to.equal(405);
      expect(posted.headers['access-control-allow-origin']).to.equal(LISTED);
    });
  });

  it('given CORS_ORIGINS=*, when a page of any origin asks, then it may read the answer', async () => {
    const service = await start(['*']);
    expect((await preflight(service, 'https://any.example')).status).to.equal(204);
    const { headers } = await service.get(PATH).set('Origin', 'https://any.example');
    expect(headers['access-control-allow-origin']).to.equal('https://any.example');
  });
});
