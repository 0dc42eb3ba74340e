import { expect } from 'chai';
import { withEmptyParameters } from '../../../public/docs/empty-parameters.js';
import { type OpenApiDocument, withoutComponents } from '../../../scripts/openapi/components.js';
import request, { type Test } from 'supertest';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

interface Parameter {
  name: string;
  in: string;
  required: boolean;
  description: string;
  schema: { default?: string | number | boolean; example?: string | number };
}

describe('GET /docs', () => {
  let service: TestService;
  const get = (path: string): Test => request(service.app).get(path);

  before(async () => {
    service = await startTestService(await openTestStore());
  });

  it('is a page that needs no key', async () => {
    const { status, headers, text } = await get('/docs');
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/html; charset=utf-8');
    expect(text).to.match(/^<!doctype html>/);
    const again = await get('/docs').set('If-None-Match', headers.etag ?? '');
    expect(again.status).to.equal(304);
  });

  it('has files that come compressed and are asked for once', async () => {
    const { text } = await get('/docs');
    const [script = ''] = /assets\/docs-[\w-]+\/swagger-ui-bundle\.js/.exec(text) ?? [];
    const { headers } = await get(`/${script}`).set('Accept-Encoding', 'gzip, br');
    expect(headers['content-encoding']).to.equal('br');
    expect(headers['cache-control']).to.equal('public, max-age=31536000, immutable');
    expect(headers.vary).to.equal('Accept-Encoding');
  });

  it('asks for nothing but what this server has, and all of that is there', async () => {
    const { text } = await get('/docs');
    const asked = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(asked.map((url) => url.split('/').at(-1))).to.include.members([
      'swagger-ui-bundle.js',
      'swagger-ui.css',
      'openapi.json',
    ]);
    for (const url of asked) {
      expect(url).not.to.match(/^\/|:/); // relative: below any path
      const { status, headers } = await get(`/${url}`);
      expect(status, url).to.equal(200);
      const type = { js: 'text/javascript', css: 'text/css', png: 'image/png', json: 'application/json' };
      expect(headers['content-type'], url).to.include(type[url.split('.').at(-1) as keyof typeof type]);
    }
  });

  it('has no script in itself, and a policy that allows none', async () => {
    const { text, headers } = await get('/docs');
    expect([...text.matchAll(/<script(?![^>]*\ssrc=)/g)]).to.have.lengthOf(0);
    expect(text).not.to.match(/\son\w+=/);
    const policy = new Map(
      (headers['content-security-policy'] ?? '').split(';').map((directive) => {
        const [name = '', ...values] = directive.trim().split(' ');
        return [name, values];
      }),
    );
    expect(policy.get('script-src')).to.deep.equal([`'self'`]);
    expect(policy.get('default-src')).to.deep.equal([`'none'`]);
    expect(policy.get('connect-src')).to.deep.equal([`'self'`]);
    // Where the service is reached over http, the page's files would be asked for over https.
    expect(policy.has('upgrade-insecure-requests')).to.equal(false);
    const other = await get('/openapi.json');
    expect(other.headers['content-security-policy'], 'of other answers').to.include(`default-src 'self'`);
  });

  it('shows the document that this server serves, and keeps no key', async () => {
    const page = await get('/docs');
    const [, start = ''] = /src="([^"]+start\.js)"/.exec(page.text) ?? [];
    const { text } = await get(`/${start}`);
    expect(text).to.include('url:"openapi.json"').and.to.include('persistAuthorization:!1');
  });

  it('given a parameter with a default or an example, then its field is empty, and its text says them', async () => {
    const { text } = await get('/openapi.json');
    const [served, shown] = [text, withEmptyParameters(text)].map((each) =>
      withoutComponents(JSON.parse(each) as OpenApiDocument),
    );
    let told = 0;
    for (const [path, { get: operation }] of Object.entries(served?.paths ?? {}))
      for (const [at, each] of ((operation?.parameters ?? []) as Parameter[]).entries()) {
        const { schema, description, ...parameter } = shown?.paths?.[path]?.get?.parameters?.[
          at
        ] as Parameter;
        const { default: fallback, example, ...others } = each.schema;
        expect(schema).to.deep.equal(others);
        expect(parameter).to.deep.equal({ name: each.name, in: each.in, required: each.required });
        for (const value of [fallback, example].filter((value) => value !== undefined)) {
          told += 1;
          expect(description).to.include(`: \`${value}\``);
        }
      }
    expect(told).to.be.above(100);
  });

  it('has no other file', async () => {
    for (const name of ['index.html', '..%2fpackage.json', 'package.json', 'swagger-ui.js'])
      expect((await service.get(`/docs/${name}`)).status, name).to.be.oneOf([400, 404]);
  });
});
