import { createServer, get, type IncomingHttpHeaders, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestService } from './service.js';

/** A download as it came over a real connection. */
export interface Downloaded {
  status: number;
  headers: IncomingHttpHeaders;
  trailers: NodeJS.Dict<string>;
  body: Buffer;
}

/** A service that listens on a port of this machine. */
export class Listening {
  private constructor(
    private readonly service: TestService,
    readonly server: Server,
  ) {}

  static async start(service: TestService): Promise<Listening> {
    const server = createServer(service.app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Listening(service, server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Asks with a key; the answer has begun, and nobody reads its body yet. */
  async begin(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const authorization = `Bearer ${this.service.key}`;
      const options = { method, headers: { authorization, ...headers }, agent: false as const };
      get(`${this.url}${path}`, options, resolve).on('error', reject);
    });
  }

  /** Asks, and reads the whole body. @throws Error when it is broken off */
  async download(path: string, headers?: Record<string, string>, method?: string): Promise<Downloaded> {
    const message = await this.begin(path, headers, method);
    const body = await buffer(message);
    const { statusCode = 0, trailers } = message;
    return { status: statusCode, headers: message.headers, trailers, body };
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
