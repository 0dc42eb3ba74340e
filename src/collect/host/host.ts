import type { IncomingHttpHeaders } from 'node:http';
import { DAY_MS } from '../../statistics/time/calendar.js';
import { Budget, type Budgets, BUDGET_UNITS } from './budget.js';
import type { Clock } from '../clock.js';
import { exchange, TOO_LARGE } from './http-exchange.js';
import { minuteText, plainText } from '../plain-text.js';
import { PrivateAddressError } from './public-address.js';
import { KEY_PLACEHOLDER } from '../files/placeholders.js';
import type { Sieve } from '../source.js';

// One public host: one request at a time, a gap between their starts, retry with exponential backoff and jitter, and a
// cooldown where it refuses requests.

export interface HostSettings {
  /** Scheme, host and port. */
  url: string;
  /** Least time between the starts of two requests. */
  gap_ms: number;
  /** The operator, and how to reach them. */
  user_agent: string;
  /** Factor on the waits before retries: 1 on the public host, less where requests may follow one another faster. */
  pace: number;
  /** Keys by their names in placeholders. No log, error or response text has them. */
  keys?: Readonly<Record<string, string>>;
  /** Whether addresses of private networks are refused. */
  isPublic?: boolean;
  /** The limits of a minute, an hour and a day of UTC, in the units of callWeight(). */
  budgets?: Budgets;
  timeout_ms?: number;
}

/** The outcome of a request at its host. */
export type HostResponse =
  | { outcome: 'ok'; body: string; headers: IncomingHttpHeaders }
  /** It is as it was, by the headers of the request. */
  | { outcome: 'unchanged'; reason: string }
  /** A response that cannot be used, such as one in another encoding. */
  | { outcome: 'no_answer'; reason: string }
  /** Larger than the collector takes, or than the host makes in its time; a smaller request may succeed. */
  | { outcome: 'too_large'; reason: string }
  /** A status below 500: it does not answer this request, or not this client. */
  | { outcome: 'refused'; status: number; reason: string; body: string }
  /** A status of 500 or above, an error of the network, or no response in time. */
  | { outcome: 'failed'; reason: string }
  /** The host is in its cooldown. */
  | { outcome: 'not_requested'; reason: string };

const TRIES = 5;
const FIRST_WAIT_MS = 4000;
/** A host that wants a longer wait than this has a cooldown, and the pass goes on with the others. */
const LONGEST_WAIT_MS = 300_000;
const LONGEST_REST_MS = DAY_MS;
const REFUSALS_BEFORE_REST = 3;
const REST_MS = 900_000;
const TIMEOUT_MS = 120_000;

const PASSING = new Set([429, 500, 502, 503, 504]);
const ABOUT_REQUEST = new Set([400, 404, 422]);

/** Whether a response is about the request itself, and not about the client or the time. */
export const isAboutRequest = (response: HostResponse): boolean =>
  response.outcome === 'refused'
    ? ABOUT_REQUEST.has(response.status)
    : !['failed', 'not_requested'].includes(response.outcome);

/** A response that came, or why none did. */
type Try = { response: HostResponse; isWorthRetry?: boolean; wait_ms?: number | undefined };

interface Ask {
  path: string;
  log: (line: string) => void;
  /** A sieve of the lines of the response, a new one for each try. */
  sieve?: (() => Sieve) | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  /** JSON that the request is a POST of. */
  body?: string | undefined;
}

export class Host {
  #next_start_ms = 0;
  #cooldown_until_ms = 0;
  #cooldown_reason = '';
  #refusals = 0;
  readonly budget: Budget;
  readonly #quotes: readonly RegExp[];

  constructor(
    readonly settings: HostSettings,
    private readonly clock: Clock,
  ) {
    this.budget = new Budget(settings.budgets);
    this.#quotes = Object.values(settings.keys ?? {}).map(quoteOf);
  }

  /**
   * Asks for a path; not before the last request has ended.
   * @param path with placeholders for keys, as the headers
   * @param log receives a line for each wait that is not the usual distance.
   * @throws the reason of the signal
   */
  async get(
    path: string,
    signal: AbortSignal,
    log: (line: string) => void = () => {},
    rest: Pick<Ask, 'sieve' | 'headers' | 'body'> = {},
  ): Promise<HostResponse> {
    const response = await this.#ask({ path, log, ...rest }, signal);
    if (response.outcome === 'not_requested') return response;
    this.#refusals = isAboutRequest(response) ? 0 : this.#refusals + 1;
    if (this.#refusals >= REFUSALS_BEFORE_REST)
      this.#coolDown(
        this.clock.now() + REST_MS,
        `no requests to ${new URL(this.settings.url).host} after ${this.#refusals} refusals in a row`,
        log,
      );
    return response;
  }

  #coolDown(until_ms: number, reason: string, log: (line: string) => void): void {
    this.#cooldown_until_ms = until_ms;
    this.#cooldown_reason = reason;
    log(`${reason}; no more requests until ${minuteText(until_ms)}`);
  }

  async #ask(ask: Ask, signal: AbortSignal): Promise<HostResponse> {
    const { path, log } = ask;
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      await this.#awaitBudget(path, signal, log);
      if (this.clock.now() < this.#cooldown_until_ms)
        return { outcome: 'not_requested', reason: this.#cooldown_reason };
      await this.#keepDistance(signal);
      const { response, isWorthRetry = false, wait_ms = 0 } = await this.#try(ask, signal);
      if (!isWorthRetry) return response;
      const reason = 'reason' in response ? response.reason : '';
      if (wait_ms > LONGEST_WAIT_MS) {
        this.#coolDown(this.clock.now() + Math.min(wait_ms, LONGEST_REST_MS), reason, log);
        return response;
      }
      if (tries === TRIES) return response;
      const longest_ms = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * this.settings.pace;
      const pause_ms = Math.max(wait_ms, Math.random() * longest_ms);
      log(`${reason}, next try in ${Math.ceil(pause_ms / 1000)} s (${tries + 1} of ${TRIES})`);
      await this.clock.sleep(pause_ms, signal);
    }
  }

  /** Until the budgets have room for a request: a minute's is waited for, else the cooldown begins. */
  async #awaitBudget(path: string, signal: AbortSignal, log: (line: string) => void): Promise<void> {
    for (;;) {
      const now = this.clock.now();
      const full = now < this.#cooldown_until_ms ? undefined : this.budget.spend(path, now);
      if (full === undefined) return;
      const wait_ms = full.until_ms - now;
      if (wait_ms > LONGEST_WAIT_MS) return this.#coolDown(full.until_ms, full.reason, log);
      log(`${full.reason}, next try in ${Math.ceil(wait_ms / 1000)} s`);
      await this.clock.sleep(wait_ms, signal);
    }
  }

  async #keepDistance(signal: AbortSignal): Promise<void> {
    const wait_ms = this.#next_start_ms - this.clock.now();
    if (wait_ms > 0) await this.clock.sleep(wait_ms, signal);
    this.#next_start_ms = this.clock.now() + this.settings.gap_ms;
  }

  async #try({ path, sieve, headers: given = {}, body }: Ask, signal: AbortSignal): Promise<Try> {
    const { url, user_agent, keys = {}, isPublic = false, timeout_ms = TIMEOUT_MS } = this.settings;
    const target = new URL(
      url.replace(/\/$/, '') + withKeys(path, (name) => encodeURIComponent(keys[name] ?? '')),
    );
    const headers: Record<string, string> = { 'user-agent': user_agent };
    for (const [name, value] of Object.entries(given))
      headers[name.toLowerCase()] = withKeys(value, (key) => keys[key] ?? '');
    const late = new AbortController();
    // The timer of AbortSignal.timeout() would not hold the process, which then ends in the middle of a request.
    const timer = setTimeout(() => late.abort(), timeout_ms);
    try {
      const any = AbortSignal.any([signal, late.signal]);
      const response = await exchange(target, { headers, body, signal: any, sieve: sieve?.(), isPublic });
      if (response.status === 304 && ('if-none-match' in headers || 'if-modified-since' in headers))
        return { response: { outcome: 'unchanged', reason: 'it is as it was' } };
      return this.#judge(response.status, response.headers, response.body);
    } catch (error) {
      signal.throwIfAborted();
      const reason = late.signal.aborted
        ? `no response from ${target.host} within ${timeout_ms / 1000} s`
        : toNetworkError(error, target.host);
      if (error instanceof PrivateAddressError) return { response: { outcome: 'no_answer', reason } };
      return { response: { outcome: 'failed', reason }, isWorthRetry: true };
    } finally {
      clearTimeout(timer);
    }
  }

  #judge(status: number, headers: IncomingHttpHeaders, bytes: Buffer | string): Try {
    if (status !== 200) {
      const body = Buffer.isBuffer(bytes) ? this.#withoutKeys(bytes.toString('utf8')) : '';
      const text = plainText(body, 120);
      const reason = `status ${status}${text === '' ? '' : `: ${text}`}`;
      if (status === 503 && /\btook too long\b/i.test(body))
        return { response: { outcome: 'too_large', reason } };
      const isWorthRetry = PASSING.has(status);
      if (status >= 500)
        return { response: { outcome: 'failed', reason }, isWorthRetry, wait_ms: this.#retryAfter(headers) };
      const wait_ms = status === 429 ? (this.#retryAfter(headers) ?? this.#limitWait(body)) : undefined;
      return { response: { outcome: 'refused', status, reason, body }, isWorthRetry, wait_ms };
    }
    if (bytes === TOO_LARGE) return { response: { outcome: 'too_large', reason: bytes } };
    if (typeof bytes === 'string')
      return { response: { outcome: 'failed', reason: bytes }, isWorthRetry: true };
    try {
      const body = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      for (const [name, value] of Object.entries(headers))
        if (typeof value === 'string') headers[name] = this.#withoutKeys(value);
      return { response: { outcome: 'ok', body: this.#withoutKeys(body), headers } };
    } catch {
      return { response: { outcome: 'no_answer', reason: 'the response is not UTF-8' } };
    }
  }

  /** A response may quote the request. */
  #withoutKeys(text: string): string {
    return this.#quotes.reduce((clean, quote) => clean.replaceAll(quote, '***'), text);
  }

  /** How long the host asks us to wait: seconds, or until a date. */
  #retryAfter(headers: IncomingHttpHeaders): number | undefined {
    const text = headers['retry-after']?.trim() ?? '';
    const wait_ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - this.clock.now();
    return Number.isNaN(wait_ms) ? undefined : Math.max(0, wait_ms);
  }

  /** Open-Meteo says in words which of its limits is reached: it ends with the minute, hour or day. */
  #limitWait(body: string): number | undefined {
    const limit = BUDGET_UNITS.find(({ pattern }) => pattern.test(body));
    return limit && limit.unit_ms - (this.clock.now() % limit.unit_ms);
  }
}

/** A key as a text has it: each character as it is, or as JSON, a URL or XML may write it. */
const quoteOf = (key: string): RegExp =>
  new RegExp(
    [...key]
      .map((character) => {
        const code = character.charCodeAt(0);
        const hex = code.toString(16);
        return String.raw`(?:\\?\x${hex}|\\u00${hex}|%${hex}|&#(?:0*${code}|x0*${hex});)`;
      })
      .join(''),
    'gi',
  );

const withKeys = (text: string, getKey: (name: string) => string): string =>
  text.replaceAll(KEY_PLACEHOLDER, (_, name: string) => getKey(name));

function toNetworkError(error: unknown, host: string): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `network: ${plainText(code ?? message)} at ${host}`;
}
