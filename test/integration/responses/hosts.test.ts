import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { listAllRoutes } from '../../../src/api/endpoint.js';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';
import { UNAVAILABLE } from '../../../src/meta/unavailable.js';
import { type Answer, NEEDED, sent } from '../../support/contract/contract.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { store } from '../../support/contract/shared.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';

/** Headers of a stranger; no response may have any of them. */
const HOSTILE: Record<string, string> = {
  Host: 'host.evil.example:61667',
  'X-Forwarded-Host': 'forwarded.evil.example:61667',
  'X-Forwarded-Proto': 'gopher',
  'X-Forwarded-Port': '61667',
  'X-Forwarded-Prefix': '/prefix.evil.example',
  'X-Forwarded-Server': 'server.evil.example',
  'X-Forwarded-For': '203.0.113.66',
  Forwarded: 'for=203.0.113.66;host=rfc.evil.example;proto=gopher',
  'X-Host': 'x.evil.example',
  'X-Original-Host': 'original.evil.example',
  'X-Original-URL': '/url.evil.example',
  'X-Rewrite-URL': '/rewrite.evil.example',
  Referer: 'http://referer.evil.example/',
};
const TRACES = /evil|gopher|61667|203\.0\.113/;

/** An id that the client chose: its own response may repeat it, as those that no cache keeps. */
const OWN_ID = 'http://id.example/';

/** A call with a link in its result. */
const CALL = {
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name: 'forecast_pairs', arguments: { place: 'KORD', date_from: '2024-03-16', days: 3 } },
};

const SERVICES: [name: string, trustProxy: number | undefined, publicUrl: string | undefined][] = [
  ['TRUST_PROXY', 1, undefined],
  ['neither', undefined, undefined],
  ['PUBLIC_URL', undefined, 'https://accuracy.example.org/fas'],
  ['both', 1, 'https://accuracy.example.org/fas'],
];

/** All paths of the service that end: pages, documents, endpoints with their figures and scripts, files, and what is refused. */
const listPaths = (pinned: string, assets: readonly string[]): string[] => [
  ...['/', '/docs', '/docs/', '/docs/?a=1', '/openapi.json', '/llms.txt', '/fas', '/fas/docs/', ...assets],
  ...['/healthz', '/readyz', '/api/v1/health', '/metrics', '/mcp', '/.well-known/oauth-authorization-server'],
  ...['/nothing', '/api/v1/nothing', '/api/v1/nothing/recompute.sql', '//nothing', '/%zz'],
  ...[...ENDPOINTS.flatMap(listAllRoutes), ...DOWNLOADS.map(({ path }) => path)].flatMap((template) => {
    const path = `/api/v1${template.replace(':station_id', 'KORD')}`;
    const query = NEEDED[path.replace(/\/recompute\.sql$/, '')] ?? (template === '' ? '' : WINDOW);
    return [`${path}?${query}`, `${path}?${query}&as_of=${pinned}`];
  }),
  ...UNAVAILABLE.map(({ path }) => `/api/v1${path}`),
];

const partsOf = ({ headers, text }: Answer): string => `${JSON.stringify(headers)}\n${text}`;
/** Whether a shared cache may keep a response (RFC 9111, 3): with a key only where it says so. */
const isShared = ({ status, headers }: Answer, hasKey: boolean): boolean => {
  const { 'cache-control': control = '' } = headers;
  return status < 400 && (hasKey ? control.includes('public') : !/no-store|no-cache|private/.test(control));
};

describe('the headers of one client in the responses of others', () => {
  for (const [name, trustProxy, publicUrl] of range({ test: 1, ci: 2, stress: Infinity }, SERVICES)) {
    it(`given ${name}, when every path is asked with hostile headers, then nobody gets any of them`, async () => {
      const service = await startTestService(store, {
        now: NOW,
        publicRead: { rateLimitPerMinute: 0, rowsPerMinute: 0 },
        ...(trustProxy !== undefined && { trustProxy }),
        ...(publicUrl !== undefined && { publicUrl }),
      });
      const ask = (path: string, headers: Record<string, string>): Promise<Answer> =>
        sent(service.request('get', path).set(headers).redirects(0).buffer(true));
      const key = { Authorization: `Bearer ${service.key}` };
      const { metadata } = (await ask('/api/v1/loads', {})).body as { metadata: Record<string, unknown> };
      const pinned = `v${String(metadata.data_version)}.${String(metadata.timeline)}`;
      const page = (await ask('/', {})).text;
      const assets = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => `/${path}`);
      expect(assets).to.have.length.above(1);
      let shared = 0;
      for (const path of range({ test: 24, ci: 60, stress: Infinity }, listPaths(pinned, assets))) {
        for (const own of [{}, key]) {
          // The second request takes the fast path, and the third one is somebody else's.
          for (const headers of [{ ...HOSTILE, 'X-Request-Id': OWN_ID }, HOSTILE, {}]) {
            const answer = await ask(path, { ...headers, ...own });
            expect(partsOf(answer), path).not.to.match(TRACES);
            if (!isShared(answer, 'Authorization' in own)) continue;
            shared += 1;
            expect(partsOf(answer), path).not.to.include(OWN_ID);
          }
        }
      }
      expect(shared).to.be.above(range({ test: 20, ci: 40, stress: 50 }));
    });
  }

  it('given a script without PUBLIC_URL, then its command stops where nobody sets the URL', async () => {
    const service = await startTestService(store, { now: NOW, trustProxy: 1 });
    const { text } = await sent(
      service.get(`/api/v1/accuracy/summary/recompute.sql?${WINDOW}`).set(HOSTILE).buffer(true),
    );
    expect(text.split('\n')[1]).to.match(
      /^-- 1\. curl [^']* "\$\{BASE_URL:\?set it to the URL of the service\}\/api\/v1\/export\/pairs\?[-\w.&=%+]+"$/,
    );
  });
});

describe('the link of an assistant', () => {
  for (const [name, publicUrl, origin] of [
    ['no PUBLIC_URL', undefined, `http://${HOSTILE.Host}`],
    ['PUBLIC_URL', 'https://accuracy.example.org/fas', 'https://accuracy.example.org/fas'],
  ] as const) {
    it(`given ${name}, then it has no forwarded host or scheme, and no cache may keep it`, async () => {
      const service = await startTestService(store, {
        now: NOW,
        trustProxy: 1,
        ...(publicUrl && { publicUrl }),
      });
      const { headers, text } = await sent(
        service
          .request('post', '/mcp')
          .set({ Authorization: `Bearer ${service.key}`, Accept: 'application/json', ...HOSTILE })
          .send(CALL),
      );
      const [, uri = ''] = /"uri":"([^"?]+)/.exec(text) ?? [];
      expect([uri, headers['cache-control']]).to.deep.equal([`${origin}/api/v1/export/pairs`, 'no-store']);
      expect(text.replaceAll(HOSTILE.Host!, '')).not.to.match(TRACES);
    });
  }
});

describe('the host of a request', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService(store, { now: NOW, trustProxy: 1 });
  });

  /** The response to a request written as it is. */
  const write = async (head: string): Promise<string> => {
    const socket = connect(Number(new URL(service.request('get', '/').url).port), '127.0.0.1');
    socket.write(`${head}\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`);
    return text(socket);
  };

  it('given a Host that is empty or no host, then every path is a 400, also one just answered', async () => {
    const path = `/api/v1/accuracy/summary?${WINDOW}`;
    for (let time = 0; time < 2; time += 1)
      expect(await write(`GET ${path} HTTP/1.1\r\nHost: a.example:8080`)).to.match(/^HTTP\/1\.1 200 /);
    const bad = [
      '',
      'a b',
      "a';touch me'",
      'a/b',
      'a@b',
      'http://a',
      'a:b',
      'a:99999',
      '[::1',
      '999.1.1.1',
      'a,b',
    ];
    for (const host of [...bad, 'a'.repeat(300)]) {
      for (const asked of [path, '/healthz', '/', '/nothing']) {
        const answer = await write(`GET ${asked} HTTP/1.1\r\nHost: ${host}`);
        expect(answer, `${asked} of ${host}`).to.match(/^HTTP\/1\.1 400 .*"INVALID_PARAMETER".*Host/s);
        expect(answer).not.to.include("touch me'");
      }
    }
    for (const host of ['a', 'a_b.example.', '127.0.0.1:1', '[::1]:8080', 'xn--bcher-kva.example'])
      expect(await write(`GET /healthz HTTP/1.1\r\nHost: ${host}`), host).to.match(/^HTTP\/1\.1 200 /);
  });

  it('given a request line with a whole URL of any scheme, then nothing shows its host', async () => {
    const path = `/api/v1/accuracy/summary/recompute.sql?${WINDOW}`;
    for (const scheme of ['http', 'HTTPS', 'gopher']) {
      const answer = await write(`GET ${scheme}://host.evil.example${path} HTTP/1.1\r\nHost: a.example`);
      expect(answer)
        .to.match(/^HTTP\/1\.1 200 /)
        .and.to.include(`-- Recomputes GET /api/v1/accuracy/summary?`);
      expect(answer).not.to.match(TRACES);
    }
  });
});
