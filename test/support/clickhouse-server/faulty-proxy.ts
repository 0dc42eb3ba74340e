import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** A fault between a client and a server: for the next `times` requests, or until it is said otherwise. */
export interface Fault {
  /**
   * hung: requests are taken and never answered; reset: the connection breaks without an answer; dropped: in the middle
   * of the answer; slow: requests reach the server `delayMs` late; garbled: the answer is nonsense, each time of another kind.
   */
  mode: 'none' | 'hung' | 'reset' | 'dropped' | 'slow' | 'garbled';
  delayMs?: number;
  times?: number;
}

export interface ProxyStatistics {
  /** Requests with a statement that came in, answered or not. */
  statements: number;
  underWay: number;
  /** Requests whose client was gone before the answer. */
  abandoned: number;
  /** Abandoned requests that a server cancels: they only read, and ask for it. */
  cancelled: number;
}

/** Stands in front of a ClickHouse server's HTTP port and makes what networks and balancers do wrong. */
export class FaultyProxy {
  #fault: Fault = { mode: 'none' };
  #garbled = 0;
  #statistics: ProxyStatistics = { statements: 0, underWay: 0, abandoned: 0, cancelled: 0 };
  readonly #server: Server;
  #port = 0;

  private constructor(private readonly upstream: URL) {
    this.#server = createServer(
      { keepAliveTimeout: 10_000, maxHeaderSize: 1024 * 1024 },
      (incoming, response) => {
        void this.#serve(incoming, response).catch(() => response.destroy());
      },
    );
    this.#server.requestTimeout = 0;
  }

  /** @param upstream URL of the server */
  static async start(upstream: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(new URL(upstream));
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get statistics(): ProxyStatistics {
    return { ...this.#statistics };
  }

  /** Sets what is wrong from now on. @returns what has been so far */
  fault(fault: Fault): ProxyStatistics {
    this.#fault = fault;
    return this.statistics;
  }

  /** Takes connections, after the first time on the same port. */
  async listen(): Promise<void> {
    await once(this.#server.listen(this.#port, '127.0.0.1'), 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Breaks all connections and refuses new ones, as a machine does whose server is gone. */
  async refuse(): Promise<void> {
    const closed = once(this.#server.close(), 'close');
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.#fault;
    const { mode, delayMs = 0, times = Infinity } = fault;
    if (mode !== 'none') this.#fault = times <= 1 ? { mode: 'none' } : { ...fault, times: times - 1 };
    const { pathname, searchParams } = new URL(incoming.url ?? '/', this.upstream);
    if (pathname === '/') this.#count(searchParams, mode, response);

    if (mode === 'reset') incoming.socket.destroy();
    if (mode === 'garbled') this.#garble(incoming, response);
    if (mode === 'hung' || mode === 'reset' || mode === 'garbled') return;
    if (mode === 'slow') await setTimeout(delayMs);
    if (response.destroyed) return;

    const { method = 'GET', headers, url = '/' } = incoming;
    const { hostname: host, port } = this.upstream;
    const sent = request({ host, port, method, headers, path: url, agent: false });
    response.once('close', () => sent.destroy());
    incoming.pipe(sent);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    if (mode === 'dropped') {
      const [first] = (await Promise.race([once(answer, 'data'), once(answer, 'end')])) as [Buffer?];
      if (first === undefined) {
        response.destroy(); // half of an empty body would be all of it
        return;
      }
      response.write(first.subarray(0, Math.floor(first.length / 2)), () => response.socket?.destroySoon());
      return;
    }
    answer.once('error', () => response.destroy()).pipe(response);
  }

  #count(searchParams: URLSearchParams, mode: Fault['mode'], response: ServerResponse): void {
    const counted = this.#statistics;
    counted.statements += 1;
    counted.underWay += 1;
    response.once('close', () => {
      counted.underWay -= 1;
      if (response.writableFinished || mode === 'reset') return;
      counted.abandoned += 1;
      const readonly = Number(searchParams.get('readonly') ?? 0) > 0;
      if (readonly && searchParams.get('cancel_http_readonly_queries_on_client_close') === '1')
        counted.cancelled += 1;
    });
  }

  /** Bytes that make no sense, each time of another kind. */
  #garble({ socket }: IncomingMessage, response: ServerResponse): void {
    const kinds = [
      () => socket.end(Buffer.from(Array.from({ length: 400 }, (_, index) => (index * 151 + 13) % 256))),
      () => response.writeHead(200).end(Buffer.alloc(300, 0xfe)),
      () =>
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html><body>It works!</body></html>\n'),
      () => response.writeHead(200).end('{"events":3,"latest_ms":17'),
      () => response.writeHead(200).end(),
      () => response.writeHead(502).end('<html>\n<h1>502 Bad Gateway</h1>\n</html>\n'),
      () => response.writeHead(500).end('\u0000\u0001Code: what?'),
      () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"v":1}\n'),
      () => response.writeHead(200).end('null\n[]\n7\n'),
    ];
    kinds[this.#garbled % kinds.length]?.();
    this.#garbled += 1;
  }
}
