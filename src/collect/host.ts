import { DAY_MS, HOUR_MS } from '../accuracy/time/calendar.js';
import type { Clock } from './clock.js';
import { plainText } from './plain-text.js';

// One public host, asked politely: one request at a time, with a distance between their starts, retries that wait longer
// each time, and a rest where it does not want us.

export interface HostSettings {
  /** Scheme, host and port. */
  url: string;
  /** Least time between the starts of two requests. */
  gap_ms: number;
  /** Who asks, and how to reach them. */
  user_agent: string;
  /** Retries wait so many times as long as on the public host: the share of its usual distance between starts. */
  pace: number;
  /** Query parameters of each request that are nobody else's business, such as a key. */
  secrets?: Readonly<Record<string, string>>;
  /** What one may ask in a day of UTC, in the units of callWeight(). */
  budget?: number;
  timeout_ms?: number;
  most_bytes?: number;
}

/** What a host made of a request. */
export type Answer =
  | { outcome: 'ok'; body: string }
  /** An answer that nothing can be made of, such as one in another encoding. */
  | { outcome: 'no_answer'; reason: string }
  /** It does not want to answer this, or not to us: a status below 500. */
  | { outcome: 'refused'; status: number; reason: string; body: string }
  /** It cannot answer now: a status of 500 and above, the network, time. */
  | { outcome: 'failed'; reason: string }
  /** It rests, so it was not asked. */
  | { outcome: 'not_asked'; reason: string };

/** What was asked of a host's budget on a day of UTC. */
export interface Spent {
  date: string;
  weight: number;
}

const TRIES = 5;
const FIRST_WAIT_MS = 4000;
const LONGEST_WAIT_MS = 300_000;
const LONGEST_RETRY_AFTER_MS = HOUR_MS;
const REFUSALS_BEFORE_REST = 3;
const REST_MS = 900_000;
const TIMEOUT_MS = 120_000;
const MOST_BYTES = 64 * 1024 ** 2;

const PASSING = new Set([429, 500, 502, 503, 504]);
/** Those are about what is asked, and not about who asks. */
const ABOUT_REQUEST = new Set([400, 404, 422]);

/** An answer that came, or why none did. */
type Try = Answer & { wait_ms?: number | undefined; isWorthRetry: boolean };

export class Host {
  #next_start_ms = 0;
  #rests_until_ms = 0;
  #rest_reason = '';
  #refusals = 0;
  #spent: Spent = { date: '', weight: 0 };

  constructor(
    readonly settings: HostSettings,
    private readonly clock: Clock,
  ) {}

  get spent(): Spent {
    return this.#spent;
  }

  /** Goes on with what an earlier process has spent. */
  remember(spent: Spent): void {
    if (spent.date === this.#spent.date)
      spent = { ...spent, weight: Math.max(spent.weight, this.#spent.weight) };
    if (spent.date >= this.#spent.date) this.#spent = spent;
  }

  /**
   * Asks for a path; not before the last request has ended.
   * @throws the reason of the signal
   */
  async get(path: string, signal: AbortSignal): Promise<Answer> {
    const answer = await this.#ask(path, signal);
    if (answer.outcome === 'ok' || answer.outcome === 'no_answer') this.#refusals = 0;
    else if (answer.outcome === 'refused' && ABOUT_REQUEST.has(answer.status)) this.#refusals = 0;
    else if (answer.outcome !== 'not_asked' && (this.#refusals += 1) >= REFUSALS_BEFORE_REST) {
      this.#rest(
        this.clock.now() + REST_MS,
        `the host rests after ${REFUSALS_BEFORE_REST} refusals in a row`,
      );
    }
    return answer;
  }

  #rest(until_ms: number, reason: string): void {
    this.#rests_until_ms = until_ms;
    this.#rest_reason = reason;
    this.#refusals = 0;
  }

  async #ask(path: string, signal: AbortSignal): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      signal.throwIfAborted();
      if (this.clock.now() < this.#rests_until_ms) return { outcome: 'not_asked', reason: this.#rest_reason };
      if (!this.#spend(path)) continue; // it rests now
      await this.#takeTurn(signal);
      const { wait_ms = 0, isWorthRetry, ...answer } = await this.#try(path, signal);
      if (!isWorthRetry) return answer;
      if (wait_ms > LONGEST_RETRY_AFTER_MS) {
        this.#rest(this.clock.now() + wait_ms, 'reason' in answer ? answer.reason : '');
        return answer;
      }
      if (tries === TRIES) return answer;
      const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1)) * this.settings.pace;
      await this.clock.sleep(Math.max(wait_ms, Math.random() * longest), signal);
    }
  }

  /** @returns whether the budget of the day has room; where it has none, the host rests until the next */
  #spend(path: string): boolean {
    const { budget } = this.settings;
    if (budget === undefined) return true;
    const now = this.clock.now();
    const date = new Date(now).toISOString().slice(0, 10);
    const weight = callWeight(path) + (this.#spent.date === date ? this.#spent.weight : 0);
    if (weight <= budget) this.#spent = { date, weight };
    else this.#rest(nextMultiple(now, DAY_MS), `the budget of ${budget} a day is spent`);
    return weight <= budget;
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    const wait_ms = this.#next_start_ms - this.clock.now();
    if (wait_ms > 0) await this.clock.sleep(wait_ms, signal);
    this.#next_start_ms = this.clock.now() + this.settings.gap_ms;
  }

  async #try(path: string, signal: AbortSignal): Promise<Try> {
    const { url, user_agent, secrets = {}, timeout_ms = TIMEOUT_MS } = this.settings;
    const target = new URL(url.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(secrets)) target.searchParams.set(name, value);
    const timeout = AbortSignal.timeout(timeout_ms);
    try {
      const response = await fetch(target, {
        redirect: 'manual',
        headers: { 'user-agent': user_agent, 'accept-encoding': 'gzip' },
        signal: AbortSignal.any([signal, timeout]),
      });
      const bytes = await this.#bodyOf(response);
      return bytes === undefined
        ? { outcome: 'failed', reason: 'the answer is too large', isWorthRetry: false }
        : this.#judge(response, bytes);
    } catch (error) {
      signal.throwIfAborted();
      const reason = timeout.aborted ? `no answer within ${timeout_ms / 1000} s` : networkFault(error);
      return { outcome: 'failed', reason, isWorthRetry: true };
    }
  }

  /** Undefined for one that is too large, of which the rest is not read. */
  async #bodyOf(response: Response): Promise<Buffer | undefined> {
    const { most_bytes = MOST_BYTES } = this.settings;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > most_bytes) return undefined; // leaving the loop cancels the stream
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #judge({ status, headers }: Response, bytes: Buffer): Try {
    if (status !== 200) {
      const body = bytes.toString('utf8');
      const said = plainText(body, 120);
      const reason = `status ${status}${said === '' ? '' : `: ${said}`}`;
      const isWorthRetry = PASSING.has(status);
      if (status >= 500)
        return { outcome: 'failed', reason, isWorthRetry, wait_ms: this.#retryAfter(headers) };
      const wait_ms = status === 429 ? (this.#retryAfter(headers) ?? this.#limitWait(body)) : undefined;
      return { outcome: 'refused', status, reason, body, isWorthRetry, wait_ms };
    }
    try {
      const body = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      return { outcome: 'ok', body, isWorthRetry: false };
    } catch {
      return { outcome: 'no_answer', reason: 'the answer is not UTF-8', isWorthRetry: false };
    }
  }

  /** How long the host asks us to wait: seconds, or until a date. */
  #retryAfter(headers: Headers): number | undefined {
    const text = headers.get('retry-after')?.trim() ?? '';
    const wait_ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - this.clock.now();
    return Number.isNaN(wait_ms) ? undefined : Math.min(Math.max(0, wait_ms), LONGEST_RETRY_AFTER_MS);
  }

  /** Open-Meteo says in words which of its limits is reached; the limit of a day is worth no waiting. */
  #limitWait(body: string): number | undefined {
    const unit_ms = /\bminutely\b/i.test(body)
      ? 60_000
      : /\bhourly\b/i.test(body)
        ? HOUR_MS
        : /\bdaily\b/i.test(body)
          ? DAY_MS
          : undefined;
    if (unit_ms === undefined) return undefined;
    const wait_ms = nextMultiple(this.clock.now(), unit_ms) - this.clock.now();
    // Near midnight the limit of a day would otherwise be waited for.
    return unit_ms === DAY_MS ? Math.max(wait_ms, LONGEST_RETRY_AFTER_MS + 1) : wait_ms;
  }
}

/**
 * What a request counts at Open-Meteo, by its page of prices: a tenth for each variable and model and for each 14 days, at
 * least 1, for each location.
 */
export function callWeight(path: string): number {
  const query = new URL(path, 'http://host').searchParams;
  const count = (name: string): number =>
    (query.get(name) ?? '').split(',').filter((item) => item !== '').length;
  const days = Number(query.get('forecast_days') ?? 7);
  const values = (count('hourly') + count('daily')) * Math.max(1, count('models'));
  return Math.max(1, (values / 10) * Math.max(1, days / 14)) * Math.max(1, count('latitude'));
}

const nextMultiple = (ms: number, unit_ms: number): number => (Math.floor(ms / unit_ms) + 1) * unit_ms;

/** Why there is no answer: fetch puts the reason of the network behind one of its own. */
function networkFault(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return `network: ${plainText(code ?? inner ?? message)}`;
}
