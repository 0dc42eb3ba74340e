import { expect } from 'chai';
import request, { type Test } from 'supertest';
import { store } from '../../support/contract/shared.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { startTestService, type TestService } from '../../support/service.js';

const PATH = `/api/v1/accuracy/summary?${WINDOW}`;
const LISTED = 'https://app.example';

describe('answers to pages of other origins (CORS)', () => {
  const start = (corsOrigins: string[] = []): Promise<TestService> =>
    startTestService(store, { now: NOW, corsOrigins });
  const preflight = (service: TestService, origin: string): Test =>
    request(service.app).options(PATH).set({
      Origin: origin,
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization',
    });

  describe('given no CORS_ORIGINS', () => {
    it('when a page asks, then no header lets it read the answer', async () => {
      const { status, headers } = await (await start()).get(PATH).set('Origin', LISTED);
      expect(status).to.equal(200);
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).to.deep.equal([]);
      expect(headers.vary).to.equal('Authorization, Accept, Accept-Encoding');
    });

    it('when it sends a preflight, then that is a 405, as every OPTIONS', async () => {
      const { status, headers } = await preflight(await start(), LISTED);
      expect(status).to.equal(405);
      expect(headers.allow).to.equal('GET, HEAD');
    });
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
      expect(headers['access-control-allow-headers']?.toLowerCase()).to.include('authorization');
      expect(headers).not.to.have.property('access-control-allow-credentials');
      expect(headers.vary).to.match(/\bOrigin\b/);
    });

    it('when it asks, then it may read the answer and the headers that tell about it', async () => {
      const { status, headers } = await service.get(PATH).set('Origin', LISTED);
      expect(status).to.equal(200);
      expect(headers['access-control-allow-origin']).to.equal(LISTED);
      const exposed = (headers['access-control-expose-headers'] ?? '').split(',');
      expect(exposed).to.include.members([
        'ETag',
        'X-Request-Id',
        'RateLimit',
        'RateLimit-Policy',
        'Retry-After',
        'Content-Disposition',
      ]);
      expect(headers.vary).to.equal('Authorization, Accept, Accept-Encoding, Origin');
    });

    it('when it asks again with the ETag, then it may read the 304', async () => {
      const { headers } = await service.get(PATH).set('Origin', LISTED);
      const again = await service.get(PATH).set({ Origin: LISTED, 'If-None-Match': headers.etag ?? '' });
      expect(again.status).to.equal(304);
      expect(again.headers['access-control-allow-origin']).to.equal(LISTED);
      expect(again.headers.vary).to.equal('Authorization, Accept, Accept-Encoding, Origin');
    });

    it('when it asks without a key, then it may read the error', async () => {
      const { status, headers } = await request(service.app).get(PATH).set('Origin', LISTED);
      expect(status).to.equal(401);
      expect(headers['access-control-allow-origin']).to.equal(LISTED);
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
