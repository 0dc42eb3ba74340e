import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { errorCode, getMessage } from '../store-errors.js';
import type { QueryParams, Store } from '../store.js';
import { READ_SETTINGS, WrittenValue } from './transport.js';

/** The statements that other processes run on this engine. */
export class RelayedStatements {
  /**
   * Statements whose client has gone: of a load that was killed. The engine runs them to their end, and does not list
   * them; no other statement begins before, so that the next load finds what they leave and not what they are about to
   * write.
   */
  readonly #orphans = new Set<Promise<unknown>>();
  readonly #onQuiet: () => void;
  readonly #quietMs: number;
  #running = 0;
  #quiet: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(onQuiet: () => void, quietMs: number) {
    this.#onQuiet = onQuiet;
    this.#quietMs = quietMs;
  }

  /**
   * Runs a statement after those that have lost their client.
   * @param gone aborted when its own client goes
   */
  async run(statement: () => Promise<Buffer>, gone: AbortSignal): Promise<Buffer> {
    this.#running += 1;
    clearTimeout(this.#quiet);
    try {
      while (this.#orphans.size > 0) await Promise.allSettled(this.#orphans);
      const running = statement();
      const orphan = (): void => {
        this.#orphans.add(running);
      };
      gone.addEventListener('abort', orphan, { once: true });
      return await running.finally(() => {
        gone.removeEventListener('abort', orphan);
        this.#orphans.delete(running);
      });
    } finally {
      this.#running -= 1;
      if (this.#running === 0 && !this.#isStopped) {
        this.#quiet = setTimeout(this.#onQuiet, this.#quietMs).unref();
      }
    }
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#quiet);
  }
}

/** Answers a request of another process as ClickHouse's HTTP interface does: a ping, or a statement. */
export async function relay(
  store: Store,
  { database, password, statements }: { database: string; password: string; statements: RelayedStatements },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    if (!sameText(request.headers.authorization ?? '', basicAuthorization(password))) {
      response.writeHead(401).end();
      return;
    }
    const url = new URL(request.url ?? '/', 'http://engine');
    if (url.pathname === '/ping') {
      await store.ping();
      response.end(`${process.pid}`);
      return;
    }
    const requested = url.searchParams.get('database');
    if (requested !== null && requested !== database) {
      throw Object.assign(new Error(`only database ${database} is open here`), {
        code: '81',
        type: 'UNKNOWN_DATABASE',
      });
    }
    response.setHeader('X-ClickHouse-Query-Id', url.searchParams.get('query_id') ?? ''); // says that ClickHouse answers
    const params: QueryParams = {};
    for (const [name, value] of url.searchParams) {
      if (name.startsWith('param_')) params[name.slice('param_'.length)] = new WrittenValue(value);
    }
    const body = await text(request);
    const named = url.searchParams.get('query');
    const sql = named ?? body;
    const data = named === null ? undefined : body;
    const isRead = url.searchParams.get('readonly') === READ_SETTINGS.readonly;
    const run = (): Promise<Buffer> => store.relay(sql, params, data, { signal: gone.signal, isRead });
    response.end(await statements.run(run, gone.signal));
  } catch (error) {
    // The client reads the code and the kind of an error from this line, as it does from a server's.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const message = getMessage(cause);
    const type = cause instanceof Error && 'type' in cause ? String(cause.type) : 'UNKNOWN_EXCEPTION';
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`Code: ${errorCode(cause) || '1002'}. DB::Exception: ${message} (${type})`);
  }
}

/** The header by which another process shows the password. */
export function basicAuthorization(password: string): string {
  return `Basic ${Buffer.from(`default:${password}`).toString('base64')}`;
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
