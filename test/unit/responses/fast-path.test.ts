import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import type { Request, Response } from 'express';
import { FastPath, type FastPathDependencies } from '../../../src/responses/fast-path.js';

const NOW = new Date('2026-01-05T12:00:30Z');
const CACHED = { cacheKey: 'key', body: Buffer.from('{}'), generatedMs: NOW.getTime() - 5000, headers: {} };

/** Headers of the response that Express sent, and the ones that the fast path has to make anew. */
const SENT = { 'Content-Type': 'application/json', ETag: 'W/"tag"', 'Cache-Control': 'private' };
const OF_ITS_OWN = {
  Age: '0',
  Connection: 'keep-alive',
  'Content-Length': '99',
  Date: 'Mon, 05 Jan 2026 12:00:00 GMT',
  'Keep-Alive': 'timeout=5',
  RateLimit: '"policy"; r=59; t=60',
  'Server-Timing': 'work;dur=12',
  'X-Request-Id': 'first',
};

describe('the fast path', () => {
  const request = (headers = {}): Request =>
    Object.assign(new IncomingMessage(new Socket()), {
      ...{ method: 'GET', url: '/x', originalUrl: '/x' },
      headers: { host: 'here', authorization: 'Bearer key', ...headers },
    }) as unknown as Request;

  /** The headers of a repeated response, as they are sent. */
  const repeat = (conditions = {}): [status: number, headers: Record<string, string[]>] => {
    const account = { countResponse: () => {}, limits: { rateLimitPerMinute: 60 } };
    const path = new FastPath({
      responses: { get: () => CACHED },
      dataVersion: { atHand: { key: 'v1' } },
      gate: { authenticateNow: () => ({ account, requestsLeft: 42, resetSeconds: 7 }) },
      metrics: { countResponse: () => {} },
      clock: () => NOW,
      begin: () => 'second',
      nameRoute: () => '/x',
    } as unknown as FastPathDependencies);
    const first = new ServerResponse(request()) as unknown as Response;
    // The first request goes on to Express, with its text.
    expect(path.respond(request(), first)).to.equal(false);
    Object.assign(first.locals, { keyId: 'id', caller: account });
    for (const [name, value] of Object.entries({ ...SENT, ...OF_ITS_OWN })) first.setHeader(name, value);
    path.remember(request(), first, NOW, { tag: SENT.ETag, version: 'v1', cached: CACHED } as never);

    const sent: [number, Record<string, string[]>] = [0, {}];
    const second = {
      writeHead: (status: number, headers: string[]) => {
        sent[0] = status;
        for (let at = 0; at < headers.length; at += 2)
          (sent[1][headers[at]!.toLowerCase()] ??= []).push(headers[at + 1]!);
        return { end: () => {} };
      },
    } as unknown as ServerResponse;
    expect(path.respond(request(conditions), second)).to.equal(true);
    return sent;
  };

  it('given a response to repeat, then headers of one response alone are made anew, and none is sent twice', () => {
    const [status, headers] = repeat();
    expect(status).to.equal(200);
    expect(headers).to.deep.equal({
      'x-request-id': ['second'],
      age: ['5'],
      ratelimit: ['"policy"; r=42; t=7'],
      'content-length': ['2'],
      'server-timing': ['cache;desc=hit'],
      'content-type': ['application/json'],
      etag: ['W/"tag"'],
      'cache-control': ['private'],
    });
  });

  it('given that the client has it, then the 304 has neither its content nor a timing', () => {
    const [status, headers] = repeat({ 'if-none-match': SENT.ETag });
    expect(status).to.equal(304);
    expect(headers).to.have.all.keys('x-request-id', 'age', 'ratelimit', 'etag', 'cache-control');
  });
});
