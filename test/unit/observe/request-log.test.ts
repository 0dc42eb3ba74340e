import { ServerResponse, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { pino } from 'pino';
import { type RequestRecord, watchResponses } from '../../../src/observe/request-log.js';

describe('the lines of requests', () => {
  const RECORD: RequestRecord = {
    id: 'mine',
    method: 'GET',
    url: '/x?city=Zürich&name="\u2028',
    client: '127.0.0.1',
    trace: undefined,
    keyId: 'abcd1234',
  };
  const TRACE = { trace_id: 'a', span_id: 'b', traceparent: 'c' };

  /** The lines that the logger and the access log get of a response. */
  const end = (status: number, more: Partial<RequestRecord>, level = 'info'): Record<string, string[]> => {
    const written: Record<string, string[]> = { logger: [], access: [] };
    const write = (name: string) => ({ write: (line: string) => void written[name]?.push(line) });
    const logger = pino({ level, base: { service: 'name', version: '1' } }, write('logger'));
    const watch = watchResponses({ logger, accessLog: write('access') }, { measure: () => {} }, new Set());
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage);
    response.statusCode = status;
    watch(response, () => ({ ...RECORD, ...more }));
    response.emit('close');
    return written;
  };

  /** A line without its time. */
  const timeless = (line = ''): string => line.replace(/"time":\d+/, '"time":0');

  const CASES: [name: string, more: Partial<RequestRecord>, fields: object][] = [
    ['a key', {}, { key_id: 'abcd1234' }],
    ['no key, and a trace', { keyId: undefined, trace: TRACE }, { trace_id: 'a', span_id: 'b' }],
    [
      'a tool',
      { keyId: undefined, tool: { name: 't', outcome: 'ok' } },
      { tool: { name: 't', outcome: 'ok' } },
    ],
  ];
  for (const [name, more, fields] of CASES)
    it(`given a request with ${name}, then its line is what pino writes, byte by byte`, () => {
      let expected = '';
      const logger = pino(
        { base: { service: 'name', version: '1' } },
        { write: (line) => (expected = line) },
      );
      const { id, method, url, client } = RECORD;
      const line = { req: { id, method, url, client }, ...fields, res: { status: 200 }, responseTime: 0 };
      logger.info(line, 'request aborted');
      const { access, logger: logged } = end(200, more);
      expect(timeless(access?.[0])).to.equal(timeless(expected));
      expect(logged).to.deep.equal([]);
    });

  it('given a failure, then the logger writes it as an error, at any level, and the access log nothing', () => {
    const { access, logger } = end(500, {}, 'error');
    expect(access).to.deep.equal([]);
    expect(JSON.parse(logger?.[0] ?? '')).to.include({ level: 50, msg: 'request errored' });
  });

  it('given a 503 of a server that stops, then it is no error', () => {
    const { access, logger } = end(503, { isDraining: true });
    expect(logger).to.deep.equal([]);
    expect(access?.[0]).to.contain('request aborted');
  });
});
