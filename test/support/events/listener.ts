import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { until } from '../process.js';

/** An event as a stream has it, or a block without one. */
export interface Heard {
  id?: string;
  event?: string;
  retry?: string;
  data?: Record<string, unknown>;
}

/** One who listens to a stream of events as a plain client of HTTP does. */
export class TestListener {
  readonly blocks: Heard[] = [];
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
      this.blocks.push(...blocks.map(blockOf));
    });
    response.once('close', () => (this.hasEnded = true)).on('error', () => {});
  }

  /** Opens a stream; of any answer the headers have come. */
  static async open(url: string, key?: string, headers: Record<string, string> = {}): Promise<TestListener> {
    const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
    return new Promise((resolve, reject) => {
      const request = get(url, { headers: { ...authorization, ...headers }, agent: false }, (response) =>
        resolve(new TestListener(request, response)),
      );
      request.on('error', reject);
    });
  }

  /** The events so far. */
  get events(): Required<Omit<Heard, 'retry'>>[] {
    return this.blocks.filter(({ event }) => event !== undefined) as Required<Heard>[];
  }

  get ids(): string[] {
    return this.events.map(({ id }) => id);
  }

  /** The last id that it has been told, with an event or without one. */
  get lastId(): string {
    return this.blocks.findLast(({ id }) => id !== undefined)?.id ?? '';
  }

  /** Waits for so many events. */
  async hears(events: number, withinMs = 10_000): Promise<this> {
    await until(() => (this.events.length >= events ? true : undefined), withinMs).catch(() => {
      throw new Error(`it has not heard ${events} events, but ${this.text}`);
    });
    return this;
  }

  /** Waits until it knows where it is. */
  async hearsPlace(): Promise<string> {
    return until(() => this.lastId || undefined);
  }

  async ends(): Promise<this> {
    await until(() => (this.hasEnded ? true : undefined));
    return this;
  }

  leave(): void {
    this.request.destroy();
  }
}

function blockOf(text: string): Heard {
  const fields = text.split('\n').flatMap((line): [string, unknown][] => {
    const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[name, name === 'data' ? JSON.parse(value) : value]];
  });
  return Object.fromEntries(fields);
}
