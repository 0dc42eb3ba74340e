import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import request, { type Test } from 'supertest';
import type { QueryOptions, Store } from '../../../src/store/store.js';
import { NOW, WINDOW } from '../../support/contract/data.js';
import { type ErrorAnswer, sent, sharedStore } from '../../support/contract/contract.js';
import { Listening } from '../../support/listen.js';
import { Assistant, ERAS } from '../../support/mcp/assistant.js';
import { until } from '../../support/process.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import { withMethod } from '../../support/store.js';

const GOLDEN = new URL('tools.json', import.meta.url);

/** The budget of a host: what it reads before the first question. A token is about four characters. */
const MAX_TOKENS = 3500;
const MAX_NAME = 32;

const DATES = { date_from: '2024-03-16', date_to: '2024-03-19' };

/** A call of every tool, and the paths of the HTTP API that it asks. */
const CALLS: [tool: string, given: Record<string, unknown>, paths: string[]][] = [
  ['find_stations', { query: 'chi' }, ['/stations/metadata']],
  ['forecast_accuracy', { place: 'ORD', ...DATES }, ['/accuracy/summary']],
  ['compare', { of: 'windows', ...DATES, other_date_from: '2024-03-12', other_date_to: '2024-03-15' }, ['/accuracy/summary', '/accuracy/summary']], // prettier-ignore
  [
    'odds',
    { place: 'KORD', forecast: 50, target_date: '2024-03-21', thresholds: [50] },
    ['/probability', '/probability/reliability'],
  ],
  [
    'forecasts_for_day',
    { place: 'KORD', target_date: '2024-03-18' },
    ['/data/forecasts', '/data/observations', '/accuracy/bias-correction'],
  ],
  ['forecast_pairs', { ...DATES, limit: 3 }, ['/data/forecast-actual']],
  [
    'data_status',
    {},
    ['/accuracy/freshness', '/providers', '/loads', '/stations/metadata', '/data/suspects', '/seals'],
  ],
];

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ACCEPT = 'application/json, text/event-stream';

describe('POST /mcp', () => {
  let store: Store;
  let service: TestService;
  let listening: Listening;

  const start = (options: TestServiceOptions = {}) => startTestService(store, { now: NOW, ...options });

  before(async () => {
    store = await sharedStore();
    service = await start();
    listening = await Listening.start(service);
  });
  after(async () => {
    await listening.stop();
  });

  const posted = (to: TestService, body: string | object = LIST): Test =>
    request(to.app)
      .post('/mcp')
      .set({ Authorization: `Bearer ${to.key}`, Accept: ACCEPT, 'Content-Type': 'application/json' })
      .send(body);

  // In `make test` the relay speaks the older one.
  for (const era of range({ test: 1, ci: Infinity }, ERAS)) {
    it(`given the official client of ${era}, then each tool's answer has its schema and its HTTP questions`, async () => {
      const assistant = await Assistant.connect(listening.url, service.key, era);
      expect(assistant.client.getInstructions()).to.match(/never instructions/);
      const { tools } = await assistant.client.listTools();
      expect(tools.map(({ name }) => name)).to.deep.equal(CALLS.map(([name]) => name));
      for (const [name, given, paths] of CALLS) {
        const { http } = await assistant.ask(name, given);
        expect(http.map((url) => url.split('?')[0])).to.deep.equal(paths.map((path) => `/api/v1${path}`));
      }
      await assistant.close();
    });
  }

  // npm run mcp-tools renews the golden one.
  it('given tools/list, then it is the golden one, within the budget of hosts, and every tool only reads', async () => {
    const assistant = await Assistant.connect(listening.url, service.key);
    const { tools } = await assistant.client.listTools();
    await assistant.close();
    const tokens = Math.ceil(JSON.stringify(tools).length / 4);
    expect({ tokens, tools }).to.deep.equal(JSON.parse(readFileSync(GOLDEN, 'utf8')));
    expect(tokens).to.be.at.most(MAX_TOKENS);
    expect(tools.length).to.be.at.most(7);
    for (const { name, annotations } of tools) {
      expect(name).to.match(new RegExp(`^[a-z_]{1,${MAX_NAME}}$`));
      expect(annotations).to.include({ readOnlyHint: true, openWorldHint: false });
    }
  });

  describe('given who asks', () => {
    it('without a valid key, then it is the 401 of the API, which names no OAuth, and OAuth is nowhere else', async () => {
      for (const key of ['', 'Bearer nonsense']) {
        const { status, headers, body } = await sent(
          request(service.app).post('/mcp').set('Authorization', key).send(LIST),
        );
        expect([status, (body as ErrorAnswer).error.code]).to.deep.equal([401, 'UNAUTHORIZED']);
        expect(headers['www-authenticate']).to.equal('Bearer');
      }
      const ofResource = ['oauth-protected-resource', 'oauth-protected-resource/mcp'];
      for (const name of [...ofResource, 'oauth-authorization-server', 'openid-configuration']) {
        const { status, body } = await sent(request(service.app).get(`/.well-known/${name}`));
        expect([status, (body as ErrorAnswer).error.code], name).to.deep.equal([404, 'NOT_FOUND']);
      }
    });

    const ORIGINS = [
      [undefined, 'any.example', [], 200],
      // The name of a page that a name server has led here.
      ['https://accuracy.example', 'accuracy.example', [], 403],
      ['http://127.example.org:8080', '127.example.org:8080', [], 403],
      ['http://127.0.0.1:8080', '127.0.0.1:8080', [], 200],
      ['http://[::1]:8080', '[::1]:8080', [], 200],
      ['http://localhost:8080', 'localhost:8080', [], 200],
      ['http://localhost:8081', 'localhost:8080', [], 403],
      ['https://app.example', 'accuracy.example', ['https://app.example'], 200],
      ['https://any.example', 'accuracy.example', ['*'], 200],
      ['https://evil.example', 'accuracy.example', [], 403],
      ['https://evil.example', 'accuracy.example', ['https://app.example'], 403],
      ['https://accuracy.example:444', 'accuracy.example', [], 403],
      ['https://accuracy.example.evil', 'accuracy.example', [], 403],
      ['null', 'accuracy.example', [], 403],
      ['accuracy.example', 'accuracy.example', [], 403],
    ] as const;
    for (const [origin, host, corsOrigins, status] of range({ test: 6, ci: Infinity }, ORIGINS)) {
      it(`from Origin ${origin} at ${host} with CORS_ORIGINS=${corsOrigins.join(',')}, then it is ${status}`, async () => {
        const of = await start({ corsOrigins });
        const test = posted(of).set('Host', host);
        const answer = await (origin === undefined ? test : test.set('Origin', origin));
        expect(answer.status, answer.text).to.equal(status);
        if (status === 403) expect((answer.body as ErrorAnswer).error.code).to.equal('ORIGIN_NOT_ALLOWED');
        // The rest of the service answers any page, as before.
        const test2 = of.get('/api/v1/providers').set('Host', host);
        expect((await (origin === undefined ? test2 : test2.set('Origin', origin))).status).to.equal(200);
      });
    }

    it("from a page of CORS_ORIGINS, then its preflight allows POST and the protocol's headers, here alone", async () => {
      const origin = 'https://app.example';
      const of = await start({ corsOrigins: [origin] });
      const preflight = async (path: string) => {
        const asked = { Origin: origin, 'Access-Control-Request-Method': 'POST' };
        const { headers } = await request(of.app).options(path).set(asked).expect(204);
        return [headers['access-control-allow-methods'], headers['access-control-allow-headers']];
      };
      const [methods, allowed] = await preflight('/mcp');
      expect(methods).to.equal('POST');
      for (const name of ['Authorization', 'Content-Type', 'MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'])
        expect(allowed?.split(',')).to.include(name);
      expect((await preflight('/api/v1/providers'))[0]).to.equal('GET,HEAD');
    });

    it('over the limit of its key, then it is the 429 of the API, in one count with its other requests', async () => {
      const of = await start({ rateLimitPerMinute: 2 });
      expect((await of.get('/api/v1/providers')).status).to.equal(200);
      expect((await posted(of)).status).to.equal(200);
      expect((await posted(of)).status).to.equal(429);
      expect((await of.get('/api/v1/providers')).status).to.equal(429);
    });
  });

  describe('given what is sent', () => {
    const call = (name: string, given: object) => ({
      ...LIST,
      method: 'tools/call',
      params: { name, arguments: given },
    });

    for (const [what, body, status] of [
      ['no JSON', '{"jsonrpc":', 400],
      ['nothing', '', 400],
      ['JSON that is no message', '[1]', 400],
      ['many messages, which would count as one', JSON.stringify([LIST, { ...LIST, id: 2 }]), 400],
      ['more than 64 kB', JSON.stringify(call('data_status', { x: 'x'.repeat(70_000) })), 413],
      [
        'a subscription, which would stay open',
        JSON.stringify({ ...LIST, method: 'subscriptions/listen' }),
        404,
      ],
    ] as const) {
      it(`${what}, then it is a ${status} in the words of JSON-RPC`, async () => {
        const answer = await posted(service, body);
        expect(answer.status, answer.text).to.equal(status);
        expect(answer.body).to.have.nested.property('error.code').that.is.below(0);
      });
    }

    it('a list in a list, thousands deep, then it is a fault of that argument, and of nothing here', async () => {
      const deep = '['.repeat(30_000) + ']'.repeat(30_000);
      const call = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_stations","arguments":{"query":${deep}}}}`;
      const { status, text } = await posted(service, call);
      expect(status).to.equal(200);
      expect(text).to.contain('INVALID_PARAMETER').and.contain('or a list of them');
    });

    it('any Accept, then it is answered, as a stream of events where the client reads one, else as JSON', async () => {
      const types = ['*/*', 'application/json', 'application/*, text/html;q=0.5', 'text/plain'];
      for (const accept of [undefined, ...types, 'text/event-stream', ACCEPT]) {
        const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/json' };
        // Supertest would send an Accept of its own.
        const response = await fetch(`${listening.url}/mcp`, {
          method: 'POST',
          headers: { ...headers, ...(accept !== undefined && { Accept: accept }) },
          body: JSON.stringify(LIST),
        });
        const text = await response.text();
        expect(response.status, `${accept}: ${text}`).to.equal(200);
        const isStream = accept?.includes('event-stream') === true;
        const type = response.headers.get('content-type');
        expect(type, accept).to.match(isStream ? /event-stream/ : /^application\/json/);
        const message = isStream ? /^data: (.*)$/m.exec(text)?.[1] : text;
        const { result } = JSON.parse(message ?? '') as { result: { tools: object[] } };
        expect(result.tools).to.have.length(CALLS.length);
      }
    });

    for (const [what, message, same] of [
      ['arguments null', { params: { name: 'find_stations', arguments: null } }, call('find_stations', {})],
      ['arguments []', { params: { name: 'find_stations', arguments: [] } }, call('find_stations', {})],
      [
        'arguments as JSON text',
        { params: { name: 'find_stations', arguments: '{"query":"chi"}' } },
        call('find_stations', { query: 'chi' }),
      ],
      ['a call without arguments', { params: { name: 'find_stations' } }, call('find_stations', {})],
      ['params null', { method: 'tools/list', params: null }, LIST],
      ['params []', { method: 'tools/list', params: [] }, LIST],
      ['cursor null', { method: 'tools/list', params: { cursor: null } }, LIST],
      ['a cursor', { method: 'tools/list', params: { cursor: 'v1.next' } }, LIST],
      ['a cursor that is a number', { method: 'tools/list', params: { cursor: 0 } }, LIST],
    ] as const) {
      // prettier-ignore
      it(`${what}, then it is as ${JSON.stringify(same).slice(24)}`, async () => {
        const sentAs = { ...call('', {}), ...message };
        const [one, other] = [await posted(service, sentAs), await posted(service, same)];
        expect(one.status, one.text).to.equal(200);
        expect(one.text).to.equal(other.text).and.contain('"result"');
      });
    }

    it('another media type, then it is a 415; another method, then a 405 that allows POST', async () => {
      const { status } = await posted(service, JSON.stringify(LIST)).set('Content-Type', 'text/plain');
      expect(status).to.equal(415);
      for (const method of ['get', 'delete', 'put', 'options'] as const) {
        const other = request(service.app)[method]('/mcp').set('Authorization', `Bearer ${service.key}`);
        const { status, headers } = await sent(other);
        expect([status, headers.allow], method).to.deep.equal([405, 'POST']);
      }
    });

    it('MCP=off, then there is nothing here', async () => {
      const off = await start({ mcp: false });
      expect((await posted(off)).status).to.equal(405);
      expect((await off.get('/mcp')).status).to.equal(404);
    });
  });

  itInCi(
    'given a question that HTTP has answered, then it is the kept one; log and /metrics say how',
    async () => {
      const lines: string[] = [];
      const of = await start({ log: (line) => lines.push(line) });
      const at = await Listening.start(of);
      const assistant = await Assistant.connect(at.url, of.key);
      await of.get(`/api/v1/accuracy/summary?ci=0.95&metric=high&${WINDOW}&station_id=Chicago`);
      const { rows } = await assistant.ask('forecast_accuracy', { ...DATES, place: 'ORD' });
      expect(rows[0]).to.include({ verification_pairs: 10, mean_error: 0.55 });
      await assistant.refused('forecast_accuracy', { days: 0 });
      await assistant.close();
      await at.stop();
      const { text } = await of.get('/metrics');
      for (const series of [
        'responses_total{source="miss"} 1',
        'responses_total{source="hit"} 1',
        'mcp_tool_calls_total{tool="forecast_accuracy",outcome="ok"} 1',
        'mcp_tool_calls_total{tool="forecast_accuracy",outcome="INVALID_PARAMETER"} 1',
      ])
        expect(text.split('\n')).to.include(series);
      expect(text).to.match(
        /http_request_duration_seconds_count\{method="POST",route="\/mcp",status_code="200"\} [1-9]/,
      );
      const tools = lines
        .map((line) => (JSON.parse(line) as { tool?: object }).tool)
        .filter((tool) => tool !== undefined);
      expect(tools).to.deep.equal([
        { name: 'forecast_accuracy', outcome: 'ok' },
        { name: 'forecast_accuracy', outcome: 'INVALID_PARAMETER' },
      ]);
      expect(lines.join()).not.to.include(of.key);
    },
  );

  // In `make test` the relay speaks the older one.
  for (const era of range({ test: 1, ci: Infinity }, ERAS)) {
    itInCi(`given a client of ${era} that leaves, then its query leaves the queue`, async () => {
      let signal: AbortSignal | undefined;
      const slow = withMethod(store, 'query', async (...given) => {
        if (!/_errors/.test(given[0].statement.text)) return store.query(...given);
        ({ signal } = given.at(-1) as QueryOptions);
        await new Promise((resolve) => signal?.addEventListener('abort', resolve));
        throw new Error('ended');
      });
      const of = await startTestService(slow, { now: NOW });
      const at = await Listening.start(of);
      const assistant = await Assistant.connect(at.url, of.key, era);
      const leaving = new AbortController();
      const asked = assistant.ask('forecast_accuracy', DATES, leaving.signal).catch(() => 'left');
      await until(() => signal);
      // A client of before 2026-07-28 says that it leaves in another request, which finds nobody; then it goes.
      if (era === 'legacy') await assistant.close();
      else leaving.abort();
      expect(await asked).to.equal('left');
      expect(await until(() => signal?.aborted || undefined)).to.equal(true);
      await assistant.close();
      await at.stop();
    });
  }
});
