import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { killPrograms, type ServerProgram } from '../support/process.js';
import { temporaryFolder } from '../support/store.js';
import { Random } from '../support/random.js';
import { scaled, SEED, tell } from '../support/stress/stress.js';
import { type Bed, newBed, onFolder, stop, startServer } from '../support/stress/programs.js';

/** Statuses that a refusal on a broken connection may have; 0: the connection is closed. */
const REFUSALS = [0, 200, 400, 401, 404, 405, 408, 411, 413, 414, 417, 426, 429, 431, 501, 505];

const GET = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

/** Bytes that are no requests, or hardly: each is sent on a connection of its own, in pieces. */
const KINDS: Record<string, (random: Random) => string | Buffer> = {
  'random bytes': (random) =>
    Buffer.from(Array.from({ length: 1 + random.below(3000) }, () => random.below(256))),
  'a TLS greeting': () => Buffer.from('16030100f8010000f40303', 'hex'),
  'a broken request line': (random) =>
    `${random.of(['GET', 'GET /', 'GET  HTTP/1.1', 'GET / HTTP/9.9', 'get / http/1.1', ' GET / HTTP/1.1', 'G\0T / HTTP/1.1', 'GET /\0 HTTP/1.1', 'GET /\u00e9 HTTP/1.1', `${'A'.repeat(5000)} / HTTP/1.1`, 'GET http://[::1 HTTP/1.1', 'GET \\\\ HTTP/1.1', 'GET // HTTP/1.1', 'PRI * HTTP/2.0', 'CONNECT x:1 HTTP/1.1', 'OPTIONS * HTTP/1.1', 'GET ?a HTTP/1.1', 'GET http://evil.example/healthz HTTP/1.1'])}\r\nHost: x\r\n\r\n`,
  'a broken header': (random) =>
    GET(
      '/healthz',
      `${random.of(['no colon', ': no name', 'a b: c', 'X: \0', 'X: a\r Y: folded', 'X: a\n\tfolded', 'Content-Length: -1', 'Content-Length: 1\r\nContent-Length: 2', 'Content-Length: 99999999999999999999', 'Transfer-Encoding: chunked\r\nContent-Length: 5', 'Transfer-Encoding: x', 'Host: y', 'Connection: \u0001', 'Expect: 200-ok', 'Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings', 'Upgrade: websocket\r\nConnection: upgrade'])}\r\n`,
    ),
  'no host': () => 'GET /healthz HTTP/1.1\r\n\r\n',
  'HTTP/1.0': () => 'GET /healthz HTTP/1.0\r\n\r\n',
  'a flood of headers': (random) =>
    GET('/healthz', Array.from({ length: 200 + random.below(6000) }, (_, at) => `X-${at}: y\r\n`).join('')),
  'a huge header': (random) => GET('/healthz', `X: ${'y'.repeat(60_000 + random.below(200_000))}\r\n`),
  'a huge path': (random) => GET(`/${'%27'.repeat(10_000 + random.below(40_000))}`),
  'a body': (random) =>
    `${random.of(['GET', 'POST', 'PUT'])} /api/v1/accuracy/summary HTTP/1.1\r\nHost: x\r\nContent-Length: ${random.below(3000)}\r\n\r\n${'b'.repeat(random.below(3000))}`,
  'broken chunks': (random) =>
    `POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${random.of(['zz\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '5\r\nab', '5;ext="\r\nabcde\r\n'])}`,
  'requests, then garbage': (random) =>
    `${GET('/healthz').repeat(1 + random.below(20))}${random.of(['\0\0\0', 'garbage\r\n\r\n', '\r\n\r\nPOST', '{"a":1}'])}`,
  'many requests at once': (random) => GET('/api/v1/accuracy/summary').repeat(50 + random.below(300)),
  'half a request': (random) => GET('/healthz', `X: ${'y'.repeat(100)}\r\n`).slice(0, 1 + random.below(100)),
};

/** Whatever is sent to the port, the server answers as HTTP or hangs up, and goes on. */
export function rawSockets(): void {
  const connections = scaled({ few: 60, full: 5000 });
  describe(`given ${connections} connections with broken requests (seed ${SEED})`, function () {
    this.timeout(60_000 + connections * 500);
    const random = new Random(SEED);
    const statuses = new Map<number, number>();
    let bed: Bed;
    let server: ServerProgram;

    before(async () => {
      bed = onFolder(await newBed(), join(temporaryFolder(), 'data'));
      server = await startServer(bed);
    });
    after(killPrograms);
    after(() => {
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`);
      tell('raw sockets', { connections, statuses: counts.join(' ') });
    });

    it('then each is refused as HTTP is, or hung up on, and no answer is a fault of the service', async () => {
      const kinds = Object.keys(KINDS);
      let next = 0;
      const one = async (): Promise<void> => {
        while (next < connections) {
          const kind = kinds[(next += 1) % kinds.length] ?? '';
          const bytes = KINDS[kind]?.(random) ?? '';
          const text = await exchangeBytes(server.url, Buffer.from(bytes as string, 'latin1'), random);
          for (const { status, body } of answersIn(text)) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            expect(status, `${kind}: ${text.slice(0, 400)}`).to.be.oneOf(REFUSALS);
            if (body.endsWith('}') && status >= 400) {
              const { success, error } = JSON.parse(body) as { success: boolean; error: { code: string } };
              expect(success, `${kind}: ${body}`).to.equal(false);
              expect(error.code, `${kind}: ${body}`)
                .to.match(/^[A-Z_]+$/)
                .and.not.to.equal('INTERNAL');
            }
          }
        }
      };
      await Promise.all(Array.from({ length: 16 }, one));
    });

    it('then the server is well, no request was an unexpected error to it, and it has no connection left', async () => {
      const health = await server.get('/api/v1/health');
      expect(await health.json()).to.include({ status: 'ok' });
      expect(server.log().filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
      const startedAt = performance.now();
      await stop(server);
      expect(performance.now() - startedAt, 'ms to end').to.be.below(10_000);
    });
  });
}

/** Sends bytes in a few pieces; all that comes back until the server hangs up or says nothing more for a while. */
async function exchangeBytes(url: string, bytes: Buffer, random: Random): Promise<string> {
  const { hostname, port } = new URL(url);
  const cuts = [random.below(bytes.length + 1), random.below(bytes.length + 1)].sort((a, b) => a - b);
  const hangsUp = random.below(10) === 0;
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(Number(port), hostname);
    const end = (): void => {
      clearTimeout(quiet);
      socket.destroy();
      resolve(text);
    };
    let quiet = setTimeout(end, 2000);
    socket.setEncoding('latin1');
    socket.on('data', (chunk: string) => {
      text += chunk;
      clearTimeout(quiet);
      quiet = setTimeout(end, 500);
    });
    socket.once('close', end);
    socket.once('error', (error: NodeJS.ErrnoException) => {
      // It may hang up on what it has refused while more is being sent.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') end();
      else reject(error);
    });
    socket.write(bytes.subarray(0, cuts[0]));
    setImmediate(() => {
      if (socket.destroyed) return;
      socket.write(bytes.subarray(cuts[0], cuts[1]));
      if (hangsUp) socket.resetAndDestroy();
      else socket.write(bytes.subarray(cuts[1]));
    });
  });
}

/** The answers on a connection, in order; none is a status of 0. Anything else than HTTP is an error. */
function answersIn(text: string): { status: number; body: string }[] {
  if (text === '') return [{ status: 0, body: '' }];
  const answers: { status: number; body: string }[] = [];
  for (let rest = text; rest !== '';) {
    const [head = '', status] = /^HTTP\/1\.1 (\d{3}) [^\r\n]*\r\n(?:[^\r\n]+\r\n)*\r\n/.exec(rest) ?? [];
    // The last one may be cut: the connection was broken off by what followed.
    if (head === '') {
      expect(rest, 'what is no HTTP').to.match(/^HTTP\/1\.1 /);
      break;
    }
    const body = bodyOf(head, rest.slice(head.length));
    rest = rest.slice(head.length + body.length);
    if (status === '100') continue;
    answers.push({ status: Number(status), body: body === '0\r\n\r\n' ? '' : body });
  }
  return answers;
}

/** The body that an answer says it has; what of it has come, when the rest is cut. */
function bodyOf(head: string, rest: string): string {
  if (/^transfer-encoding: chunked\r$/im.test(head)) {
    const end = rest.indexOf('0\r\n\r\n');
    return end === -1 ? rest : rest.slice(0, end + 5);
  }
  const [, length = '0'] = /^content-length: (\d+)\r$/im.exec(head) ?? [];
  return rest.slice(0, Number(length));
}
