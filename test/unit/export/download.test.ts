import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  type ClientRequest,
  createServer,
  get,
  type IncomingMessage,
  type RequestOptions,
  type Server,
} from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import { z } from 'zod';
import { MAX_DOWNLOADS, mountDownloads } from '../../../src/export/download.js';
import { defineDownload } from '../../../src/api/endpoint.js';
import { StationIndex } from '../../../src/stations/directory.js';
import { Providers } from '../../../src/stations/provider-choice.js';
import { NOTHING } from '../../../src/queries/sql.js';
import type { QueryOptions } from '../../../src/store/store.js';
import { callerNamed } from '../../support/caller.js';
import { until } from '../../support/process.js';
import { itInCi } from '../../support/runner/range.js';

const ROWS = 100_000;
const LINE = `${'7'.repeat(98)}\r\n`;
const STALLED_MS = 500;

/** Endless parts of 10 MB. */
const endless = (counted: () => Promise<void>) =>
  defineDownload({
    path: '/rows',
    operationId: 'rows',
    summary: '',
    description: '',
    groups: {},
    record: z.object({ n: z.number() }),
    version: () => Promise.resolve(1),
    rows: async () => {
      await counted();
      return {
        total: 1e9,
        *parts() {
          for (;;) yield { rows: ROWS, statement: () => NOTHING };
        },
      };
    },
    fileNameParts: () => [],
  });

describe('a download', function () {
  let app: express.Express;
  let server: Server;
  let parts = 0;
  let closed = 0;
  let reading: ((options: QueryOptions) => Promise<Buffer>) | undefined;
  let counting: Promise<void> = Promise.resolve();
  /** How often pairs have been counted. */
  let counts = 0;
  const count = (): Promise<void> => {
    counts += 1;
    return counting;
  };
  let blockTimeoutMs = STALLED_MS;

  const begin = async (options: RequestOptions = {}): Promise<IncomingMessage> => {
    const { port } = server.address() as AddressInfo;
    const request = get({ port, host: '127.0.0.1', path: '/rows', agent: false, ...options });
    const [message] = (await once(request, 'response')) as [IncomingMessage];
    message.on('error', () => {}); // when the server cuts it off
    return message;
  };

  before(async () => {
    const part = Buffer.from(LINE.repeat(ROWS));
    app = express();
    app.use((_request, response, next) => {
      response.once('close', () => (closed += 1));
      next();
    });
    app.use(({ headers }, { locals }, next) => {
      locals.caller = callerNamed(String(headers['x-key'] ?? 'greedy'));
      locals.isPublic = headers['x-key'] === 'stranger';
      next();
    });
    mountDownloads(app, '', [endless(count)], {
      store: {
        query: () => Promise.reject(new Error('not asked')),
        queryBytes: (_statement, _format, options = {}) => {
          parts += 1;
          if (reading !== undefined) return reading(options);
          return Promise.resolve(part);
        },
      },
      dataVersion: {
        current: () => Promise.resolve({ key: '1', timeline: 'k7q2', finishedLoad: 1 }),
      },
      directory: {
        at: () =>
          Promise.resolve({
            ...{ stations: new StationIndex([]), providers: new Providers([]) },
            ...{ asOf: undefined, timeline: 'k7q2' },
          }),
      },
      clock: () => new Date(),
      get blockTimeoutMs() {
        return blockTimeoutMs;
      },
    });
    app.use(((_error, _request, response, _next) =>
      response.destroy()) satisfies express.ErrorRequestHandler);
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    parts = 0;
    closed = 0;
    blockTimeoutMs = STALLED_MS;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('given a reader that takes nothing for too long, then the server cuts it off', async () => {
    await begin();
    while (closed === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(parts).to.be.below(4);
  });

  itInCi(
    "given a reader that is slow but reads, then its file goes on after three times a block's time",
    async () => {
      // Buffers hold a quarter of a second of it, and other processes may take as long: 500 ms are too few.
      blockTimeoutMs = STALLED_MS * 4;
      const events: string[] = [];
      const over = setTimeout(() => events.push('over'), blockTimeoutMs * 3);
      const message = await begin();
      message.once('close', () => events.push('closed'));
      let bytes = 0;
      for await (const chunk of message) {
        bytes += (chunk as Buffer).length;
        // Some 20 MB a second.
        if (bytes % 1_000_000 < 65_536) await new Promise((resolve) => setTimeout(resolve, 50));
        if (events.includes('over')) events.push('read');
        if (events.includes('read')) break;
      }
      clearTimeout(over);
      expect(events.slice(0, 2)).to.deep.equal(['over', 'read']);
      expect(parts).to.be.above(1);
    },
  );

  it('given a reader that takes too little all the time, then it is cut off, and its place is free', async () => {
    // A Unix socket buffers little, so every sip shows at the other end at once.
    const folder = mkdtempSync(join(tmpdir(), 'forecast-accuracy-download-'));
    const path = join(folder, 'http.sock');
    const local = createServer(app);
    await new Promise<void>((resolve) => local.listen(path, resolve));
    try {
      for (let reader = 0; reader < MAX_DOWNLOADS; reader += 1) {
        const socket = connect(path);
        socket.on('error', () => {}).on('readable', () => {});
        socket.write('GET /rows HTTP/1.1\r\nHost: x\r\n\r\n');
        // Some 600 kB a second: a block of 1 MiB takes three times as long as it may.
        const sip = setInterval(() => void socket.read(Math.min(socket.readableLength, 30_000)), 50);
        socket.once('close', () => clearInterval(sip));
      }
      await until(() => (closed === MAX_DOWNLOADS ? true : undefined), 10_000);
      const message = await begin();
      expect(message.statusCode).to.equal(200);
      message.destroy();
    } finally {
      local.closeAllConnections();
      local.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('given all places taken, then HEAD and 304 pass, and one more body is refused', async () => {
    const taken = await Promise.all(Array.from({ length: MAX_DOWNLOADS }, () => begin()));
    const head = await begin({ method: 'HEAD' });
    expect(head.statusCode).to.equal(200);
    const known = await begin({ headers: { 'if-none-match': head.headers.etag } });
    expect(known.statusCode).to.equal(304);
    const isRefused = (options: RequestOptions = {}): Promise<boolean> =>
      begin(options).then(
        () => false,
        () => true,
      );
    expect(await isRefused()).to.be.true;
    // A stranger finds none. Another key finds a place all the same, as long as it has none.
    expect(await isRefused({ headers: { 'x-key': 'stranger' } })).to.be.true;
    const modest = { headers: { 'x-key': 'modest' } };
    taken.push(await begin(modest));
    expect(taken.at(-1)?.statusCode).to.equal(200);
    expect(await isRefused(modest)).to.be.true;
    for (const message of taken) message.destroy();
    while (closed < MAX_DOWNLOADS + 6) await new Promise((resolve) => setTimeout(resolve, 20));
  });

  it('given a reader that leaves while a part is read, then the statement is aborted', async () => {
    let aborted = false;
    reading = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          aborted = true;
          reject(new Error('abandoned'));
        });
      });
    const message = await begin();
    message.destroy();
    while (!aborted) await new Promise((resolve) => setTimeout(resolve, 20));
    reading = undefined;
  });

  it('given readers that leave while their pairs are counted, then their places are free', async () => {
    let counted = (): void => {};
    counting = new Promise((resolve) => (counted = resolve));
    counts = 0;
    const { port } = server.address() as AddressInfo;
    const requests: ClientRequest[] = [];
    for (let reader = 0; reader < MAX_DOWNLOADS; reader += 1) {
      const request = get({ port, host: '127.0.0.1', path: '/rows', agent: false });
      request.on('error', () => {}); // the hang-up
      requests.push(request);
    }
    await until(() => counts === MAX_DOWNLOADS || undefined, 10_000);
    for (const request of requests) request.destroy();
    while (closed < MAX_DOWNLOADS) await new Promise((resolve) => setTimeout(resolve, 20));
    counted();
    const message = await until(() => begin().catch(() => undefined), 10_000);
    expect(message.statusCode).to.equal(200);
    message.destroy();
  });
});
