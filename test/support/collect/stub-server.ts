import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { iemAsos } from './stub/iem-asos.js';
import { iemCli } from './stub/iem-cli.js';
import { iemDaily } from './stub/iem-daily.js';
import { iemNbm } from './stub/iem-nbm.js';
import { iemPfm } from './stub/iem-pfm.js';
import { iemStations } from './stub/iem-stations.js';
import { noaaNbp } from './stub/noaa-nbp.js';
import { openMeteo } from './stub/openmeteo.js';
import { type Lateness, PLACES, type StubAnswer, type StubPlace, type StubSource, USUAL } from './world.js';

const SOURCES: readonly StubSource[] = [
  iemStations,
  iemNbm,
  iemPfm,
  iemCli,
  iemDaily,
  iemAsos,
  openMeteo,
  noaaNbp,
];

/** Faults with which a public host may meet a request instead of answering it. */
export type Fault =
  | { answer: StubAnswer }
  /** The answer to another path. */
  | { path: string }
  /** The body breaks off in the middle. */
  | 'cut'
  /** The body comes, byte by byte, for ever. */
  | 'slow'
  /** The connection breaks before there is an answer. */
  | 'broken'
  /** More bytes than anybody wants, of little on the wire. */
  | 'large'
  /** A body that is said to be packed and is not, or only in part, whole as it is. */
  | 'no gzip'
  | 'half a gzip'
  /** Bytes that are no answer of the protocol. */
  | 'no HTTP';

const TEXT = { 'content-type': 'text/plain' };

/** Answers of the hosts in trouble, word for word. */
export const SAYS = {
  tooMany: { status: 429, body: 'Too many requests from your IP address, slow down.', headers: TEXT },
  overCapacity: { status: 503, body: 'ERROR: server over capacity, please try later', headers: TEXT },
  tookTooLong: { status: 503, body: 'ERROR: Query took too long to complete', headers: TEXT },
  oops: { status: 500, body: 'Oopsy, something failed on our end', headers: TEXT },
  notFound: { status: 200, body: 'ERROR: station: X not found in network: Y', headers: TEXT },
  redirect: { status: 302, body: '', headers: { location: 'http://169.254.169.254/' } },
} as const satisfies Record<string, StubAnswer>;

let large: Buffer | undefined;
const largeAnswer = (): Buffer => (large ??= gzipSync(Buffer.alloc(65 * 1024 ** 2, 'a'), { level: 1 }));

export interface Logged {
  method: string;
  /** Path and query. */
  path: string;
  /** When the request came, as performance.now(). */
  at_ms: number;
  /** How many requests were in progress, this one included. */
  at_once: number;
  userAgent: string;
  encodings: string;
  /** If-None-Match and If-Modified-Since. */
  validators: string;
  /** The size of the answer, unpacked. */
  bytes: number;
}

export interface StubOptions {
  /** The clock of the world; real time, if not given. */
  now?: () => number;
  places?: readonly StubPlace[];
  lateness?: Lateness;
}

/** The public hosts as one server on loopback, which tells of a world (world.ts) in the formats of the sources. */
export class StubServer {
  readonly log: Logged[] = [];
  /** Receives each request that is about to be answered: a fault to have instead, or nothing. */
  fault: (path: string, which: number) => Fault | undefined = () => undefined;
  #inProgress = 0;

  private constructor(
    private readonly server: Server,
    private readonly now: () => number,
    private readonly places: readonly StubPlace[],
    private readonly lateness: Lateness,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#serve(request, response);
    });
  }

  static async start({
    now = Date.now,
    places = PLACES,
    lateness = USUAL,
  }: StubOptions = {}): Promise<StubServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StubServer(server, now, places, lateness);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '/';
    this.#inProgress += 1;
    response.once('close', () => (this.#inProgress -= 1));
    const headers = request.headers;
    const logged = {
      method: request.method ?? '',
      path,
      at_ms: performance.now(),
      at_once: this.#inProgress,
      userAgent: headers['user-agent'] ?? '',
      encodings: String(headers['accept-encoding']),
      validators: [headers['if-none-match'], headers['if-modified-since']].join(),
      bytes: 0,
    };
    this.log.push(logged);
    const fault = this.fault(path, this.log.length);
    const answer =
      typeof fault === 'object' && 'answer' in fault
        ? fault.answer
        : this.#answer(typeof fault === 'object' ? fault.path : path);
    logged.bytes = fault === 'broken' ? 0 : Buffer.byteLength(answer.body);
    if (fault === 'broken') response.destroy();
    else if (fault === 'no HTTP') response.socket?.end('\u0000\u0001\u0002 garbage\r\n\r\n');
    else if (fault === 'no gzip' || fault === 'half a gzip') {
      const packed = fault === 'no gzip' ? Buffer.from('plain') : gzipSync(answer.body).subarray(0, 15);
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
    } else if (fault === 'large') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(largeAnswer());
    } else if (fault === 'slow') {
      response.writeHead(200, TEXT).write(answer.body.slice(0, 1));
    } else if (fault === 'cut') {
      response.writeHead(200, { 'content-length': Buffer.byteLength(answer.body) });
      response.write(answer.body.slice(0, answer.body.length / 2), () => response.destroy());
    } else {
      // Bodies of latin1 are a test of encodings; others are packed, as by the real hosts.
      const isLatin1 = answer.headers?.['content-type']?.includes('iso-8859-1') === true;
      const body = gzipSync(Buffer.from(answer.body, isLatin1 ? 'latin1' : 'utf8'), { level: 1 });
      response.writeHead(answer.status, { ...answer.headers, 'content-encoding': 'gzip' }).end(body);
    }
  }

  #answer(path: string): StubAnswer {
    const url = new URL(path, this.url);
    for (const source of SOURCES) {
      const answer = source(url, this.now(), this.places, this.lateness);
      if (answer !== undefined) return answer;
    }
    return { status: 404, body: 'no such path in the stub' };
  }
}
