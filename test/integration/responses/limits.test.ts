import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { pino } from 'pino';
import { createKey } from '../../../src/auth/keys.js';
import { createListener, type Timeouts } from '../../../src/http/listener.js';
import { SERVING } from '../../../src/store/engine/open.js';
import { store } from '../../support/contract/shared.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { type ErrorAnswer, sent } from '../../support/contract/contract.js';
import { PATHS, urlOf } from '../../support/contract/interface.js';
import { Listening } from '../../support/listen.js';
import { until } from '../../support/process.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import { openWorld } from '../../support/worlds.js';

const STATIONS = '/api/v1/stations/metadata';
const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;

/** More than run and wait. */
const QUESTIONS = range({ test: 400, ci: 400, stress: 1000 });

interface Answer {
  status: number;
  headers: Partial<Record<string, string>>;
  body: ErrorAnswer;
}

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));

describe('limits', () => {
  /** A GET of a service that does not listen, with any key. */
  const asked = async (service: TestService, key: string, path = STATIONS): Promise<Answer> => {
    const { status, headers, body } = await sent(service.get(path).set('Authorization', `Bearer ${key}`));
    return { status, headers, body: body as ErrorAnswer };
  };

  describe('given keys with limits of their own', () => {
    const start = (options: TestServiceOptions) => startTestService(store, { now: NOW, ...options });

    it('when each asks four times, then each has its own limit, and those without one that of the server', async () => {
      const service = await start({ rateLimitPerMinute: 2 });
      const { key: generous } = await createKey(service.keysFile, 'generous', { rate_limit_per_minute: 3 });
      const { key: free } = await createKey(service.keysFile, 'free', { rate_limit_per_minute: 0 });
      const statuses = async (key: string): Promise<number[]> => {
        const seen = [];
        for (let time = 0; time < 4; time += 1) seen.push((await asked(service, key)).status);
        return seen;
      };
      expect(await statuses(service.key)).to.deep.equal([200, 200, 429, 429]);
      expect(await statuses(generous)).to.deep.equal([200, 200, 200, 429]);
      expect(await statuses(free)).to.deep.equal([200, 200, 200, 200]);
    });

    it('when the server has no limit, then such a key has its own', async () => {
      const service = await start({ rateLimitPerMinute: 0 });
      const { key } = await createKey(service.keysFile, 'strict', { rate_limit_per_minute: 1 });
      expect((await asked(service, key)).status).to.equal(200);
      expect((await asked(service, key)).status).to.equal(429);
      expect((await asked(service, service.key)).headers).not.to.have.property('ratelimit');
    });

    it('when a limited key asks, then RateLimit and RateLimit-Policy say what is left, without its secret', async () => {
      const service = await start({ rateLimitPerMinute: 2 });
      for (const [left, status] of [
        [1, 200],
        [0, 200],
        [0, 429],
      ]) {
        const { headers, ...answer } = await asked(service, service.key);
        expect(answer.status).to.equal(status);
        expect(headers.ratelimit).to.match(new RegExp(`^"2-in-1min"; r=${left}; t=\\d+$`));
        expect(headers['ratelimit-policy']).to.match(/^"2-in-1min"; q=2; w=60; pk=:[\w+/=]+:$/);
        expect(JSON.stringify(headers)).not.to.contain(service.key.slice(4, 20));
        if (status === 429) expect(Number(headers['retry-after'])).to.be.within(1, 60);
        else expect(headers).not.to.have.property('retry-after');
      }
    });

    it('when it is over, then nothing of the request is read, and every route that needs a key is limited', async () => {
      const service = await start({ rateLimitPerMinute: 1 });
      await asked(service, service.key);
      const paths = PATHS.map((path) => urlOf(path));
      for (const path of [...paths, `${SUMMARY}&nonsense=1`, '/metrics', '/nothing']) {
        const { status, body } = await asked(service, service.key, path);
        expect([status, body.error.code], path).to.deep.equal([429, 'RATE_LIMITED']);
      }
      for (const path of ['/', '/docs', '/api/v1/health', '/healthz', '/readyz', '/openapi.json'])
        expect((await asked(service, service.key, path)).status, path).to.equal(200);
      expect((await asked(service, 'nonsense')).status).to.equal(401);
    });
  });

  describe('given an address from which too many come without a valid key', () => {
    it('then they are RATE_LIMITED, and whoever has a key is never locked out', async () => {
      const service = await startTestService(store, { now: NOW, authFailuresPerMinute: 3 });
      const wrong = `fas_aaaaaaaa_${'x'.repeat(43)}`;
      const good = async (): Promise<void> => {
        const { status, headers } = await asked(service, service.key);
        expect(status).to.equal(200);
        expect(headers).not.to.have.property('ratelimit');
      };
      for (let time = 0; time < 10; time += 1) await good(); // they do not count
      for (const key of [wrong, 'nonsense', wrong]) {
        const { status, headers } = await asked(service, key);
        expect(status).to.equal(401);
        expect(headers['www-authenticate']).to.equal('Bearer');
      }
      for (const key of [wrong, 'nonsense']) {
        const { status, headers, body } = await asked(service, key);
        expect([status, body.error.code]).to.deep.equal([429, 'RATE_LIMITED']);
        expect(Number(headers['retry-after'])).to.be.within(1, 60);
        await good();
      }
      for (const path of ['/healthz', '/openapi.json'])
        expect((await asked(service, '', path)).status, path).to.equal(200);
    });
  });

  describe('given a server that listens', () => {
    const QUICK: Timeouts = {
      headersTimeout: 400,
      requestTimeout: 800,
      keepAliveTimeout: 2000,
      idleTimeout: 3000,
      connectionsCheckingInterval: 50,
    };
    let service: TestService;
    let server: Server;
    let port: number;
    const sockets: Socket[] = [];

    beforeEach(async () => {
      service = await startTestService(store, { now: NOW });
      server = createListener(service.app, pino({ level: 'silent' }), QUICK);
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    });
    afterEach(async () => {
      for (const socket of sockets.splice(0)) socket.destroy();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    });

    const open = async (): Promise<Socket> => {
      const socket = connect(port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => {});
      await once(socket, 'connect');
      return socket;
    };
    /** All that comes until the connection is closed. */
    const received = async (socket: Socket): Promise<string> => {
      let all = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => (all += chunk));
      if (!socket.closed) await once(socket, 'close');
      return all;
    };
    /** Holds raw bytes to the form of an error. */
    const expectError = (bytes: string, status: number, code: string): void => {
      const [head = '', body = ''] = bytes.split('\r\n\r\n');
      expect(head.split('\r\n')[0]).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
      const requestId = /^X-Request-Id: (.+)$/im.exec(head)?.[1];
      const { success, error, metadata } = JSON.parse(body) as ErrorAnswer;
      expect([success, error.code]).to.deep.equal([false, code]);
      expect(error.message).to.match(/^[A-Z]/);
      expect(metadata.request_id).to.equal(requestId);
      expect(Number(/^Content-Length: (\d+)$/im.exec(head)?.[1])).to.equal(Buffer.byteLength(body));
    };
    const whole = `GET ${STATIONS} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`;

    const BROKEN: [what: string, bytes: string, status: number, code: string][] = [
      ['no HTTP', '\u0016\u0003\u0001\u0002\u0000 hello\r\n\r\n', 400, 'INVALID_PARAMETER'],
      ['a line without a colon', `${whole}no header\r\n\r\n`, 400, 'INVALID_PARAMETER'],
      ['two lengths', `${whole}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400, 'INVALID_PARAMETER'],
      ['no Host', `GET ${STATIONS} HTTP/1.1\r\n\r\n`, 400, 'INVALID_PARAMETER'],
      ['a URL of 70 kB', `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 400, 'INVALID_PARAMETER'],
      ['headers of 70 kB', `${whole}X-Long: ${'x'.repeat(70_000)}\r\n\r\n`, 400, 'INVALID_PARAMETER'],
      ['CONNECT', 'CONNECT example.org:80 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 'METHOD_NOT_ALLOWED'],
      ['Expect', `${whole}Expect: miracles\r\n\r\n`, 401, 'UNAUTHORIZED'],
      ['Upgrade', `${whole}Connection: upgrade\r\nUpgrade: websocket\r\n\r\n`, 401, 'UNAUTHORIZED'],
    ];
    for (const [what, bytes, status, code] of range({ test: 5, ci: Infinity }, BROKEN)) {
      it(`when ${what} comes, then it is ${status} in the form of every error, and the connection is closed`, async () => {
        const socket = await open();
        socket.write(bytes);
        expectError(await received(socket), status, code);
      });
    }

    // The test of a client that says nothing stands for it in `make test`.
    itInCi(
      'when a client sends its headers byte by byte, then it has 408 in time, and its connection ends',
      async () => {
        const socket = await open();
        const drip = setInterval(() => socket.write('x'), 30);
        socket.write(`${whole}X-Slow: `);
        const answer = await received(socket); // its headers never end
        clearInterval(drip);
        expectError(answer, 408, 'INVALID_PARAMETER');
      },
    );

    itInCi(
      'when 200 clients do so at once, then others are answered meanwhile, and nothing is left of them',
      async () => {
        const slow = await Promise.all(Array.from({ length: 200 }, open));
        const drips = slow.map((socket) => {
          socket.write(whole);
          return setInterval(() => socket.write('X-Slow: x\r\n'), 50);
        });
        const headers = { authorization: `Bearer ${service.key}` };
        expect((await fetch(`http://127.0.0.1:${port}${STATIONS}`, { headers })).status).to.equal(200);
        await until(async () => (await connectionsOf(server)) === 0 || undefined);
        for (const drip of drips) clearInterval(drip);
      },
    );

    it('when a client connects and says nothing, then it is let go', async () => {
      const socket = await open();
      expectError(await received(socket), 408, 'INVALID_PARAMETER');
    });

    // The test of a client that says nothing stands for it in `make test`.
    itInCi(
      'when a client promises a body that does not come, then its GET is answered, and it is let go',
      async () => {
        const socket = await open();
        socket.write(
          `GET ${STATIONS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: 100\r\n\r\n`,
        );
        expect(await received(socket)).to.match(/^HTTP\/1\.1 200 /);
      },
    );
  });

  describe('given a store for 8 queries at once and 256 waiting', () => {
    itInCi(
      `when ${QUESTIONS} questions come at once, then each is answered or OVERLOADED, and none is left`,
      async function () {
        const narrow = await openWorld([FEEDS], SERVING);
        const service = await startTestService(narrow, { now: NOW });
        let waiting = 0;
        const watch = setInterval(() => (waiting = Math.max(waiting, narrow.waiting)), 1);
        const listening = await Listening.start(service);
        const ask = async (path: string) => {
          const { status, headers, body } = await listening.download(path);
          const { error } = JSON.parse(body.toString()) as Partial<ErrorAnswer>;
          return { status, code: error?.code, retryAfter: headers['retry-after'] };
        };
        try {
          expect((await ask(SUMMARY)).status).to.equal(200);
          const answers = await Promise.all(
            Array.from({ length: QUESTIONS }, (_, index) => {
              const metric = index % 2 === 0 ? 'high' : 'low';
              const to = `2024-03-${String(10 + (Math.floor(index / 2) % 20)).padStart(2, '0')}`;
              return ask(`/api/v1/accuracy/by-date?metric=${metric}&days=${1 + (index % 365)}&date_to=${to}`);
            }),
          );
          const counts = { answered: 0, overloaded: 0 };
          for (const { status, code, retryAfter } of answers) {
            if (status === 200) counts.answered += 1;
            else {
              expect([status, code]).to.deep.equal([503, 'OVERLOADED']);
              expect(retryAfter).to.match(/^\d+$/);
              counts.overloaded += 1;
            }
          }
          console.log(
            `      ${counts.answered} answered, ${counts.overloaded} refused, ${waiting} waited at most`,
          );
          expect(waiting).to.be.at.most(SERVING.maxWaiting);
          expect(counts.answered).to.be.at.least(SERVING.maxWaiting);
          expect(narrow.waiting).to.equal(0);
          expect((await ask(`${SUMMARY}&metric=low`)).status).to.equal(200);
          await until(async () => (await connectionsOf(listening.server)) === 0 || undefined);
        } finally {
          clearInterval(watch);
          await listening.stop();
          await narrow.close();
        }
      },
    );
  });
});
