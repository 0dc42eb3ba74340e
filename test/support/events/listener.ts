import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import type { VersionEvent } from '../../../src/events/records.js';
import { until } from '../process.js';

/** A client of a stream of events, as a plain program of HTTP is one. */
export class TestListener {
  readonly events: VersionEvent[] = [];
  text = '';
  hasEnded = false;
  #rest = '';

  private constructor(
    private readonly request: ClientRequest,
    readonly response: IncomingMessage,
  ) {
    response.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      const blocks = (this.#rest + text).split('\n\n');
      this.#rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, id, data] = /^id: (.+)\nevent: version\ndata: (.+)$/.exec(block) ?? [];
        if (id !== undefined)
          this.events.push({ id, event: 'version', data: JSON.parse(data ?? '') as VersionEvent['data'] });
      }
    });
    response.once('close', () => (this.hasEnded = true)).on('error', () => {});
  }

  /** Opens a stream; of any response the headers have come. */
  static async open(url: string, key?: string, headers: Record<string, string> = {}): Promise<TestListener> {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return new Promise((resolve, reject) => {
      const request = get(url, { headers: { ...authorization, ...headers }, agent: false }, (response) =>
        resolve(new TestListener(request, response)),
      );
      request.on('error', reject);
    });
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  /** Waits for so many events. */
  async hears(events: number, withinMs = 10_000): Promise<this> {
    await until(() => (this.events.length >= events ? true : undefined), withinMs).catch(() => {
      throw new Error(`it has not heard ${events} events, but ${this.text}`);
    });
    return this;
  }

  async ends(): Promise<this> {
    await until(() => (this.hasEnded ? true : undefined));
    return this;
  }

  /** The pause before the next try that the stream asked for last, ms. */
  get retryMs(): number {
    return Number(/.*\nretry: (\d+)\n\n$/s.exec(this.text)?.[1]);
  }

  leave(): void {
    this.request.destroy();
  }
}
