import { ServerResponse, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { pino } from 'pino';
import { watchResponses } from '../../../src/observe/request-log.js';

describe('the line of a request', () => {
  const SECRET = 'Ab-_'.repeat(11).slice(0, 43);

  /** The URL in the line of a request. */
  const loggedUrl = (url: string): string => {
    let line = '';
    const logger = pino({}, { write: (text) => (line = text) });
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage);
    const record = { id: '1', method: 'GET', url, client: undefined, trace: undefined };
    watchResponses(logger, { measure: () => {} }, new Set())(response, () => record);
    response.emit('close');
    return (JSON.parse(line) as { req: { url: string } }).req.url;
  };

  for (const key of ['fas_abcd1234_', 'FAS_ABCD1234_', 'fas%5Fabcd1234%5f'])
    it(`given a URL with the key ${key}…, then its secret is left out`, () => {
      const id = key.replace(/(?:_|%5f)$/, '');
      expect(loggedUrl(`/x?key=${key}${SECRET}&b=1`)).to.equal(`/x?key=${id}_[redacted]&b=1`);
    });

  it('given a URL without a key, then it is there as it came', () => {
    expect(loggedUrl('/x?city=Alfas%20_')).to.equal('/x?city=Alfas%20_');
  });
});
