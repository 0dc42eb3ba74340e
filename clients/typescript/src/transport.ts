import { errorOf, ForecastAccuracyError } from './errors.js';
import { Watch } from './watch.js';

export interface ForecastAccuracyOptions {
  /** Where the service is, such as http://127.0.0.1:8080; may have a path. */
  url: string;
  /** An API key, fas_<id>_<secret>. */
  key: string;
  /** The function that sends requests; the global fetch if none is given. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Ends every request of this client. */
  signal?: AbortSignal | undefined;
  /** Tries after the first one: 2 by default, and so many for each break of an export. */
  maxRetries?: number | undefined;
  /** The longest silence of the service, ms: 30,000 by default. */
  timeoutMs?: number | undefined;
  /** Characters of responses that are kept, to ask whether they still hold: 8 million by default; 0 keeps none. */
  memory?: number | undefined;
}

/** Options that one call may have different. */
export type Call = Pick<ForecastAccuracyOptions, 'signal' | 'maxRetries' | 'timeoutMs'>;

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A longer Retry-After is no pause but a refusal: the error tells it. */
const MAX_WAIT_MS = 60_000;

/** Sends requests: again where that may help, and with the tag of the response that is known. */
export class Transport {
  readonly #options: ForecastAccuracyOptions;
  readonly #known = new Map<string, { tag: string; text: string }>();
  #knownLength = 0;

  constructor(options: ForecastAccuracyOptions) {
    this.#options = options;
  }

  /** The most tries after the first one. */
  retries({ maxRetries = this.#options.maxRetries ?? 2 }: Call): number {
    return maxRetries;
  }

  /** The JSON of a response. @throws ForecastAccuracyError, or the reason of an abort */
  async json(path: string, parameters: Parameters, call: Call): Promise<unknown> {
    const url = this.#url(path, parameters);
    return this.#tried(call, async (watch) => {
      const known = this.#known.get(url);
      const headers = { accept: 'application/json', ...(known && { 'if-none-match': known.tag }) };
      const response = await this.#sent(url, headers, watch);
      const text =
        response.status === 304 && known !== undefined ? known.text : await watch.during(response.text());
      const content = parsed(response, text);
      const tag = response.headers.get('etag');
      if (tag !== null) this.#keep(url, { tag, text });
      return content;
    });
  }

  /** A response whose body nobody has read yet. @throws ForecastAccuracyError, or the reason of an abort */
  async open(
    path: string,
    parameters: Parameters,
    call: Call,
    headers: Record<string, string> = {},
  ): Promise<{ response: Response; watch: Watch }> {
    const url = this.#url(path, parameters);
    return this.#tried(call, async (watch) => ({
      response: await this.#sent(url, headers, watch),
      watch: watch.kept(),
    }));
  }

  /** Waits before the next try. @throws the error when there is no use in one, or the reason of an abort */
  async pause(error: unknown, attempt: number, call: Call): Promise<void> {
    if (!(error instanceof ForecastAccuracyError) || !error.isTransient || attempt >= this.retries(call))
      throw error;
    const asked = (error.retryAfter ?? 0) * 1000;
    if (asked > MAX_WAIT_MS) throw error;
    // Full jitter: clients that were refused together do not come back together.
    await this.rest(asked + Math.random() * Math.min(8000, 500 * 2 ** attempt), call);
  }

  /** @throws the reason of an abort */
  async rest(ms: number, call: Call): Promise<void> {
    const watch = this.#watch(call);
    try {
      await watch.sleep(ms);
    } finally {
      watch.end();
    }
  }

  async #tried<Result>(call: Call, run: (watch: Watch) => Promise<Result>): Promise<Result> {
    for (let attempt = 0; ; attempt += 1) {
      const watch = this.#watch(call);
      try {
        return await run(watch);
      } catch (error) {
        await this.pause(error, attempt, call);
      } finally {
        watch.end();
      }
    }
  }

  #watch({ signal, timeoutMs = this.#options.timeoutMs ?? 30_000 }: Call): Watch {
    return new Watch(timeoutMs, [this.#options.signal, signal]);
  }

  async #sent(url: string, headers: Record<string, string>, watch: Watch): Promise<Response> {
    const { fetch = globalThis.fetch, key } = this.#options;
    const authorization = `Bearer ${key}`;
    const response = await watch.during(
      fetch(url, { headers: { authorization, ...headers }, signal: watch.signal }),
    );
    if (response.ok || response.status === 304) return response;
    throw errorOf(response, await watch.during(response.text()));
  }

  #url(path: string, parameters: Parameters): string {
    const query = new URLSearchParams();
    let filled = path;
    for (const [name, value] of Object.entries(parameters)) {
      if (value === undefined) continue;
      if (path.includes(`{${name}}`)) filled = filled.replace(`{${name}}`, encodeURIComponent(value));
      else query.set(name, String(value));
    }
    return `${this.#options.url.replace(/(?<!\/)\/+$/, '')}${filled}${query.size > 0 ? `?${query}` : ''}`;
  }

  /** The responses that were requested last stay. */
  #keep(url: string, known: { tag: string; text: string }): void {
    const { memory = 8_000_000 } = this.#options;
    this.#forget(url);
    if (known.text.length > memory) return;
    this.#known.set(url, known);
    this.#knownLength += known.text.length;
    for (const oldest of this.#known.keys()) {
      if (this.#knownLength <= memory) break;
      this.#forget(oldest);
    }
  }

  #forget(url: string): void {
    this.#knownLength -= this.#known.get(url)?.text.length ?? 0;
    this.#known.delete(url);
  }
}

function parsed(response: Response, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw errorOf(response, text);
  }
}
