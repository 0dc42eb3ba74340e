import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { readConfig } from '../../../src/config.js';
import { StoreNotOpened } from '../../../src/store/store-errors.js';
import { openStore } from '../../../src/store/engine/open.js';

/** The answer at CLICKHOUSE_URL, from whatever is there. */
interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string;
}

const clickHouse = (code: number, type: string, message: string): Answer => ({
  status: 500,
  headers: { 'X-ClickHouse-Exception-Code': `${code}` },
  body: `Code: ${code}. DB::Exception: ${message}. (${type}) (version 26.7.2.1)\n`,
});

describe('opening a store at CLICKHOUSE_URL', () => {
  let server: Server;
  let answer: Answer;

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const address = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const faultOf = async (url: string): Promise<Error> => {
    const config = readConfig({ CLICKHOUSE_URL: url, CLICKHOUSE_PASSWORD: 'hunter2' });
    const error: unknown = await openStore(config, 'server').catch((reason: unknown) => reason);
    if (error instanceof Error) return error;
    throw new Error('it was opened');
  };

  const NO_CLICKHOUSE = /^CLICKHOUSE_URL: no ClickHouse answers at http:\/\/127\.0\.0\.1:\d+ \(/;
  const FAULTS: [what: string, answer: Answer, said: RegExp][] = [
    [
      'refuses a setting',
      clickHouse(452, 'SETTING_CONSTRAINT_VIOLATION', 'Setting max_memory_usage should not be less than 1'),
      /^CLICKHOUSE_URL: ClickHouse at http:\/\/127\.0\.0\.1:\d+ refused a statement \(code 452\): .*max_memory_usage/,
    ],
    [
      'has too many queries under way',
      clickHouse(202, 'TOO_MANY_SIMULTANEOUS_QUERIES', 'Too many simultaneous queries'),
      /^CLICKHOUSE_URL: ClickHouse at .* refused a statement \(code 202\): .*Too many/,
    ],
    [
      'refuses the password',
      clickHouse(516, 'AUTHENTICATION_FAILED', 'reader: Authentication failed'),
      /^CLICKHOUSE_USER, CLICKHOUSE_PASSWORD: refused by the server$/,
    ],
    [
      'refuses the right to look',
      clickHouse(497, 'ACCESS_DENIED', 'No'),
      /^CLICKHOUSE_USER: has too few rights/,
    ],
    [
      'is a proxy without a ClickHouse behind it',
      { status: 502, body: '<html>Bad Gateway</html>' },
      NO_CLICKHOUSE,
    ],
    ['is another web server', { status: 200, body: '<html>Welcome</html>' }, NO_CLICKHOUSE],
  ];
  for (const [what, given, said] of FAULTS) {
    it(`when it ${what}, then that is told in one line, without secrets`, async () => {
      answer = given;
      const error = await faultOf(address());
      expect(error).to.be.instanceOf(StoreNotOpened);
      expect(error.message).to.match(said);
      expect(error.message).not.to.match(/hunter|\n/);
    });
  }

  it('when nobody listens there, then that is told, without secrets', async () => {
    const error = await faultOf('http://127.0.0.1:1');
    expect(error.message).to.equal(
      'CLICKHOUSE_URL: no ClickHouse answers at http://127.0.0.1:1 (ECONNREFUSED)',
    );
  });
});
