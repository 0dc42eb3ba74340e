import { Agent, createServer, get, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { contract } from '../../support/contract/shared.js';
import { KORD_STATS, WINDOW } from '../../support/contract/data.js';
import { type Answer } from '../../support/contract/contract.js';
import { type Kind, PARAMETERS, PATHS, urlOf } from '../../support/contract/interface.js';
import { range } from '../../support/runner/range.js';

/** Each kind of parameter, at the first path that has it. */
const KINDS = [
  ...new Map(
    PATHS.flatMap((path) =>
      Object.entries(PARAMETERS[path]!).map(([name, kind]): [string, [string, string, Kind]] => [
        JSON.stringify([name, kind.bad]),
        [path, name, kind],
      ]),
    ).reverse(),
  ).values(),
];

/** Values that no parameter can mean, as they stand in a URL. */
const VALUES: Record<string, string> = {
  'a quote': `'`,
  'a quote, encoded': '%27',
  'double quotes': '%22%22',
  'a raw double quote': '"',
  'a semicolon': ';',
  'a semicolon, encoded': '%3B',
  'a backtick': '%60',
  'a backslash and a quote': '%5C%27',
  'a condition that is always true': `'%20OR%201=1%20--`,
  'a second statement': `KORD';%20DROP%20TABLE%20pairs;%20--`,
  'a comment': 'KORD/**/--',
  'the place of a bound value': '{metric:String}',
  'a format string': '%25s%25n%25d',
  'a template': '$%7B7*7%7D%7B%7B7*7%7D%7D',
  NUL: '%00',
  'a station and NUL': 'KORD%00',
  'a newline': '%0A',
  'a station and a header': 'KORD%0D%0AX-Injected:%20yes',
  'a tab': '%09',
  'an escape sequence': '%1B[31m',
  'a space': '%20',
  'a plus': '+',
  'an emoji': '%F0%9F%98%80',
  'a joined emoji': '%F0%9F%91%A9%E2%80%8D%F0%9F%92%BB',
  'right-to-left': '%E2%80%AE',
  'digits beyond ASCII': '%D9%A7',
  'bytes that are not UTF-8': '%ff',
  'a byte order mark': '%FE%FF',
  'a lone surrogate': '%ED%A0%80',
  'an overlong NUL': '%C0%80',
  'a cut sequence': '%E2%82',
  'an invalid encoding': '%zz',
  'a lone percent': '%',
  'half an encoding': '%2',
  'another kind of encoding': '%u0041',
  'a path upwards': '..%2F..%2F..%2Fetc%2Fpasswd',
  markup: '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  __proto__of: '__proto__',
  constructor: 'constructor',
  hasOwnProperty: 'hasOwnProperty',
  toString: 'toString',
  null: 'null',
  undefined: 'undefined',
  NaN: 'NaN',
  infinity: '1e999',
  'an object': '%7B%22$gt%22:%22%22%7D',
  'an array': '%5B1,2%5D',
  '10 kB': 'a'.repeat(10_000),
  '10 kB of digits': '9'.repeat(10_000),
  '10 kB of quotes, encoded': '%27'.repeat(10_000),
  '10 kB of NUL, encoded': '%00'.repeat(10_000),
  '10 kB of emoji, encoded': '%F0%9F%98%80'.repeat(2_500),
  '10 kB of bytes that are not UTF-8': '%ff'.repeat(10_000),
};

/** Names that no parameter has, as they stand in a URL. */
const NAMES: Record<string, string> = {
  'an empty list': 'days[]',
  'an empty list, encoded': 'days%5B%5D',
  'a place in a list': 'station_id[0]',
  'a field of an object': 'city[a]',
  'an operator': 'city[$ne]',
  'a field by a dot': 'city.a',
  __proto__of: '__proto__',
  constructor: 'constructor',
  prototype: 'prototype',
  hasOwnProperty: 'hasOwnProperty',
  toString: 'toString',
  valueOf: 'valueOf',
  'a field of __proto__': '__proto__[hostile]',
  'a field of a constructor': 'constructor[prototype][hostile]',
  'a parameter in another case': 'DAYS',
  'a parameter and NUL': 'days%00',
  'a parameter and a space': 'days%20',
  nothing: '',
  'a quote': `'`,
  'a condition': `'%20OR%201=1%20--`,
  NUL: '%00',
  'a newline': '%0A',
  'an emoji': '%F0%9F%98%80',
  'bytes that are not UTF-8': '%ff',
  'an invalid encoding': '%zz',
  '10 kB': 'a'.repeat(10_000),
  '10 kB of quotes, encoded': '%27'.repeat(10_000),
};

/** The values that each place gets: all of them in `make ci`. */
const hostileValues = range({ test: 2, ci: Infinity }, Object.entries(VALUES));
const hostileNames = range({ test: 2, ci: Infinity }, Object.entries(NAMES));

describe('Hostile requests', () => {
  let server: Server;
  const agent = new Agent({ keepAlive: true });

  /** A GET of exactly these bytes, over a real port. */
  const send = (path: string, headers: Record<string, string> = {}): Promise<Omit<Answer, 'body'>> =>
    new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      const authorization = `Bearer ${contract.service.key}`;
      get({ host: '127.0.0.1', port, path, agent, headers: { authorization, ...headers } }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Answer['headers'],
            text,
          });
        });
      }).on('error', reject);
    });

  /** Sends what cannot be answered; the refusal is a valid one, and tells nothing of the inside. */
  const refused = async (path: string, statuses: number[], about: string): Promise<string> => {
    const { status, headers, text } = await send(path);
    expect(status, `${about}: GET ${path.slice(0, 200)} -> ${text.slice(0, 300)}`).to.be.oneOf(statuses);
    contract.check(path, { status, headers, text });
    expect(headers, about).not.to.have.property('x-injected');
    // An answer cuts what it repeats of a request, so it cannot be blown up.
    expect(text.length - (path.split('?', 1)[0] ?? '').length * 2, `${about}: length`).to.be.below(3_000);
    return text;
  };

  before(async () => {
    server = createServer({ maxHeaderSize: 65_536 }, contract.service.app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  after(async () => {
    agent.destroy();
    await new Promise((resolve) => server.close(resolve));
  });

  for (const [path, name, { unknown }] of KINDS) {
    it(`given ${hostileValues.length} hostile values of ${name}, then each is a 400 or a 404`, async () => {
      for (const [about, value] of hostileValues) {
        // A value that names something may be a name that nothing has.
        await refused(urlOf(path, `${name}=${value}`), unknown === undefined ? [400] : [400, 404], about);
      }
    });
  }

  for (const template of range({ test: 2, ci: 2, stress: Infinity }, PATHS)) {
    it(`given ${template} and ${hostileNames.length} hostile names of parameters, then each is a 400`, async () => {
      for (const [about, name] of hostileNames) {
        const text = await refused(urlOf(template, `${name}=1`), [400], about);
        expect(text, about).to.include('INVALID_PARAMETER');
      }
    });

    it(`given ${template} and a parameter 500 times, or 2,000 of them, then it is a 400, which names one once`, async () => {
      const same = Array.from({ length: 500 }, (_, index) => `format=${index}`).join('&');
      const path = template.replace('{station_id}', 'KORD');
      await refused(`${path}?${same}`, [400], 'repeated');
      const { status, headers, text } = await send(
        `${path}?${Array.from({ length: 2_000 }, (_, index) => `p${index}=1`).join('&')}`,
      );
      expect(status).to.equal(400);
      contract.check(path, { status, headers, text });
    });
  }

  for (const template of PATHS.filter((path) => path.endsWith('/{station_id}'))) {
    it(`given ${template} and ${hostileValues.length} hostile stations, then each is a 400 or a 404, in JSON`, async () => {
      for (const [about, value] of hostileValues) {
        for (const query of ['', '?format=csv'])
          await refused(`${template.replace('{station_id}', value)}${query}`, [400, 404], about);
      }
    });
  }

  for (const path of [
    '/%00',
    '/%ff',
    '/%zz',
    '/api/v1/%ff',
    '/api/v1/accuracy/%zz',
    '/api/v1/accuracy/summary%00',
    '/api/v1/accuracy/summary;id=1',
    '/api/v1//accuracy/summary',
    '//evil.example/api/v1/accuracy/summary',
    '/api/v1/accuracy/../../../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/api/v1/__proto__',
    '/__proto__/constructor',
    '/openapi.json/..%2f..%2fpackage.json',
    `/${'a'.repeat(10_000)}`,
    `/${'%27'.repeat(10_000)}`,
  ]) {
    it(`given the path ${path.slice(0, 60)}, then it is a 400 or a 404`, async () => {
      await refused(path, [400, 404], 'path');
    });
  }

  it('given a byte that no URL may hold as it is, then it is a 400', async () => {
    expect((await send('/api/v1/accuracy/summary?city=\u00ff')).status).to.equal(400);
  });

  it('given headers that are hostile, then the answer is the same', async () => {
    for (const headers of [
      { Accept: `${'a/b,'.repeat(4_000)}text/x` },
      { Accept: `text/csv;q=${'9'.repeat(500)}, */*;q=__proto__` },
      { Accept: '%00' },
      { Cookie: `__proto__=1; a=${'b'.repeat(10_000)}` },
      { Range: 'bytes=0-10' },
      { 'If-None-Match': '"a", W/"b"' },
      { 'If-Modified-Since': 'Wed, 01 Jan 2100 00:00:00 GMT' },
      { 'X-Forwarded-For': `'%20OR%201=1` },
      { 'X-HTTP-Method-Override': 'DELETE' },
      { 'Content-Type': 'application/json; charset=__proto__' },
      { Expect: 'nothing' },
    ] as Record<string, string>[]) {
      const { status, text } = await send('/api/v1/accuracy/summary?days=1', headers);
      expect(status, `${JSON.stringify(headers).slice(0, 100)}: ${text.slice(0, 200)}`).to.be.oneOf([
        200, 417,
      ]);
    }
  });

  it('given a Host that is no host, then it is a 400', async () => {
    const { status } = await send('/api/v1/accuracy/summary?days=1', { Host: `'; DROP TABLE pairs; --` });
    expect(status).to.equal(400);
  });

  it('given two Host headers, also of one name, then it is a 400', async () => {
    for (const second of ['b.example', 'a.example']) {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
      socket.write(
        `GET /healthz HTTP/1.1\r\nHost: a.example\r\nhost: ${second}\r\nConnection: close\r\n\r\n`,
      );
      const answer = await text(socket);
      expect(answer).to.match(/^HTTP\/1\.1 400 .+INVALID_PARAMETER.+exactly one header Host/s);
    }
  });

  it('then nothing has come of it: no prototype has a new field, and the numbers are what they were', async () => {
    expect('hostile' in {}).to.equal(false);
    const { data } = await contract.ok(`/api/v1/accuracy/summary?${WINDOW}&station_id=KORD`);
    expect(data).to.deep.equal(KORD_STATS);
  });
});
