import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { parseTrace } from '../../../src/observe/trace.js';
import { ServerTransport } from '../../../src/store/engine/server-engine.js';

// No other test guards which traceparent is taken, and what of a request ClickHouse is told.

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('traceparent', () => {
  const span = `${TRACE}-${SPAN}`;

  for (const given of [
    `00-${span}-01`,
    `00-${span}-00`,
    `cc-${span}-01`,
    `cc-${span}-01-what-the-future-will-be-like`,
  ])
    it(`given ${given}, of version 00 or a later one, then it is taken, and sent on in version 00`, () => {
      const traceparent = `00-${span}-${given.slice(53, 55)}`;
      expect(parseTrace(given)).to.deep.equal({ trace_id: TRACE, span_id: SPAN, traceparent });
    });

  it('given none, several, or one of another form, then the request has no trace', () => {
    const nothing = [`00-${'0'.repeat(32)}-${SPAN}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`];
    const forms = [
      `00-${span}`,
      `00-${span}-01-more`,
      `ff-${span}-01`,
      ` 00-${span}-01`,
      `cc-${span}-01.what`,
    ];
    for (const given of [
      undefined,
      '',
      [`00-${span}-01`],
      `00-${span.toUpperCase()}-01`,
      ...nothing,
      ...forms,
    ])
      expect(parseTrace(given), String(given)).to.equal(undefined);
  });
});

describe('a query on a server', () => {
  const trace = parseTrace(`00-${TRACE}-${SPAN}-01`);
  const origin = { transport: 'api', operation: 'getSummary', keyId: 'a1b2c3d4', requestId: 'r', trace };
  const comment = { v: 1, transport: 'api', operation: 'getSummary', key_id: 'a1b2c3d4', request_id: 'r' };
  const header = { traceparent: `00-${TRACE}-${SPAN}-01` };

  for (const [about, given, log_comment, headers] of [
    ['with a trace', origin, { ...comment, trace_id: TRACE }, header],
    ['without one', { ...origin, trace: undefined }, comment, undefined],
    ['of no request', undefined, undefined, undefined],
  ] as const) {
    it(`given a request ${about}, then its comment and its header tell of that`, async () => {
      let sent: { clickhouse_settings?: { log_comment?: string }; http_headers?: unknown } = {};
      const client = {
        exec: (options: typeof sent) => {
          sent = options;
          return Promise.reject(new Error('enough'));
        },
      };
      const transport = new ServerTransport(client as unknown as ClickHouseClient);
      const read = transport.read('SELECT 1', {}, { timeoutMs: 1, priority: 'any', origin: given });
      expect(await read.catch(() => 'refused')).to.equal('refused');
      const text = sent.clickhouse_settings?.log_comment;
      expect(text === undefined ? undefined : JSON.parse(text)).to.deep.equal(log_comment);
      expect(sent.http_headers).to.deep.equal(headers);
    });
  }
});
