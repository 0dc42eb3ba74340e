import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';

// A service whose streams are all that the standard of server-sent events allows, with a list of loads.

const block = (version: number, text = 'a b', timeline = 'abcd'): string =>
  `id: v${version}.${timeline}\nevent: version\ndata: {"data_version":${version},"text":"${text}"}\n\n`;

/** Bodies of streams. In each a client finds the event of its version, but in the one that is cut off. */
const STREAMS: Record<string, (version: number) => string> = {
  'lines end in LF': (version) => `retry: 1\n\n${block(version)}`,
  'lines end in CR LF': (version) => block(version).replaceAll('\n', '\r\n'),
  'lines end in CR': (version) => block(version).replaceAll('\n', '\r'),
  'no blank after colons': (version) => block(version).replaceAll(': ', ':'),
  'U+2028 and U+0085 in a text': (version) => block(version, 'a\u2028b\u0085c'),
  'a byte order mark': (version) => `\ufeff${block(version)}`,
  'comments, an odd retry, unknown fields, other events': (version) =>
    `: x\n:\nretry: 9x\nretry:-1\nretry\ndata\nodd: 1\n\nevent: odd\ndata: x\n\n${block(version)}`,
  'an id with NUL': (version) => block(version).replace('\nevent', '\nid: v\0x\nevent'),
  'data in two lines': (version) => block(version).replace(',"text"', ',\ndata: "text"'),
  'an id without data, then half an event': (version) =>
    `id: v${version}.abcd\n\n${block(version).slice(0, -1)}`,
  'another timeline': (version) => block(version, 'a b', 'zzzz'),
  'no answer': () => '',
};

/** Answers its streams one after the other, the first half as they are and the other byte by byte; then refuses. */
export class StandIn {
  /** Last-Event-ID of each request for a stream. */
  readonly lastIds: (string | undefined)[] = [];
  readonly #names = Object.keys(STREAMS);
  readonly #server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
    if (pathname === '/api/v1/loads') this.#answerLoads(searchParams, response);
    else {
      this.lastIds.push(request.headers['last-event-id'] as string | undefined);
      void this.#stream(response);
    }
  });

  static async start(): Promise<StandIn> {
    const standIn = new StandIn();
    await new Promise<void>((resolve) => standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get #version(): number {
    return this.lastIds.length;
  }

  get #name(): string {
    return this.#names[(this.#version - 1) % this.#names.length] ?? '';
  }

  async #stream(response: ServerResponse): Promise<void> {
    if (this.#version > 2 * this.#names.length) {
      response.writeHead(404).end();
      return;
    }
    if (this.#name === 'no answer') {
      response.destroy();
      return;
    }
    const body = Buffer.from(STREAMS[this.#name]?.(this.#version) ?? '');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.socket?.setNoDelay(true);
    const isWhole = this.#version <= this.#names.length;
    for (let at = 0; at < body.length; at += isWhole ? body.length : 1) {
      response.write(isWhole ? body : body.subarray(at, at + 1));
      await setImmediate();
    }
    response.end();
  }

  /** A load for each version up to one that no stream has told yet, one a page; each third has failed. */
  #answerLoads(query: URLSearchParams, response: ServerResponse): void {
    const [, after, timeline] = /^v(\d+)\.(\w+)$/.exec(query.get('after') ?? '') ?? [];
    response.setHeader('content-type', 'application/json');
    if ((timeline === 'zzzz') !== (this.#name === 'another timeline')) {
      const error = { code: 'INVALID_PARAMETER', message: 'after names another timeline' };
      response.writeHead(400).end(JSON.stringify({ error, metadata: {} }));
      return;
    }
    const version = Math.min(this.#version + 1, Number(query.get('before') ?? Infinity) - 1);
    const data = version > Number(after) ? [loadOf(version)] : [];
    const next_before = version - 1 > Number(after) ? version : null;
    response.end(JSON.stringify({ data, metadata: { next_before } }));
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

const loadOf = (version: number) => ({ version, outcome: version % 3 === 0 ? 'failed' : 'complete' });

/** The versions that a client reads from them if it understands every stream. */
export function watched(): { id: string; text: string; loads: number[] | null }[] {
  const names = [...Object.keys(STREAMS), ...Object.keys(STREAMS)];
  let before: number | undefined;
  let wasOther = false;
  return names.flatMap((name, at) => {
    const version = at + 1;
    if (name.includes('half an event') || name === 'no answer') return [];
    const isOther = name === 'another timeline';
    const between = Array.from({ length: version - (before ?? version) }, (_, of) => (before ?? 0) + 1 + of);
    const loads = isOther || wasOther ? null : between.filter((load) => load % 3 !== 0);
    before = version;
    wasOther = isOther;
    const id = `v${version}.${isOther ? 'zzzz' : 'abcd'}`;
    return [{ id, text: name.startsWith('U+2028') ? 'a\u2028b\u0085c' : 'a b', loads }];
  });
}
