import { setTimeout as delay } from 'node:timers/promises';
import { Session, version } from 'chdb';

// The embedded engine behind the stand-in for a ClickHouse server. A connection of it has one current database and keeps
// the settings that were given to it. So each serves one statement at a time, with the database and the settings of that
// statement, and is put back afterwards.

/** One statement, as the HTTP interface takes it. */
export interface Statement {
  sql: string;
  database: string;
  /** Output format, where the statement names none. */
  format: string;
  settings: ReadonlyMap<string, string>;
  /** Bound values, plain. */
  params: Readonly<Record<string, string>>;
}

export interface Result {
  bytes: Uint8Array;
  rowsRead: number;
  bytesRead: number;
  elapsedSeconds: number;
}

/** An error as a server tells it: its number, its name and its whole text. */
export class EngineError extends Error {
  constructor(
    readonly code: number,
    readonly type: string,
    message: string,
  ) {
    super(`Code: ${code}. DB::Exception: ${message} (${type}) (version ${ENGINE_VERSION} (official build))`);
  }
}

export const ENGINE_VERSION = String((version() as { libchdb: string }).libchdb);

const CONNECTIONS = 8;

export class Engine {
  readonly #killer: Session;
  readonly #idle: Connection[];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(folder: string) {
    this.#killer = new Session(folder);
    this.#idle = Array.from({ length: CONNECTIONS }, () => new Connection(folder));
  }

  /** @throws EngineError */
  async run(statement: Statement): Promise<Result> {
    const connection = await this.#take(statement.database);
    try {
      return await connection.run(statement);
    } catch (error) {
      throw engineError(error);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(connection);
      else next(connection);
    }
  }

  /** Cancels what runs with this `log_comment`, or is about to: bound statements wait for each other in the engine. */
  async cancel(comment: string, hasEnded: () => boolean): Promise<void> {
    const name = comment.replace(/[\\']/g, '\\$&');
    while (!hasEnded()) {
      await this.#killer.queryAsync(`KILL QUERY WHERE Settings['log_comment'] = '${name}' ASYNC`);
      await delay(100);
    }
  }

  #take(database: string): Promise<Connection> | Connection {
    const same = this.#idle.findIndex((connection) => connection.database === database);
    const [connection] = this.#idle.splice(Math.max(same, 0), 1);
    return connection ?? new Promise((resolve) => this.#waiting.push(resolve));
  }
}

class Connection {
  database = 'default';
  readonly #session: Session;

  constructor(folder: string) {
    this.#session = new Session(folder);
  }

  async run({ sql, database, format, settings, params }: Statement): Promise<Result> {
    if (database !== this.database) {
      await this.#session.queryAsync(`USE ${quoted(database)}`);
      this.database = database;
    }
    const given: string[] = [];
    try {
      for (const [name, value] of settings) {
        await this.#session.queryAsync(`SET ${quoted(name)} = '${value.replace(/[\\']/g, '\\$&')}'`);
        given.push(name);
      }
      const result =
        Object.keys(params).length === 0
          ? await this.#session.queryAsync(sql, { format })
          : await this.#session.queryBindAsync(sql, params, { format });
      const { rowsRead, bytesRead, elapsed } = result;
      return { bytes: result.bytes(), rowsRead, bytesRead, elapsedSeconds: elapsed };
    } finally {
      for (const name of given) await this.#session.queryAsync(`SET ${quoted(name)} = DEFAULT`);
    }
  }
}

function quoted(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

function engineError(error: unknown): EngineError {
  const text = error instanceof Error ? error.message : String(error);
  const [, code, message, type] = /Code: (\d+)\..*?DB::Exception: (.*)\(([A-Z0-9_]{3,})\)/s.exec(text) ?? [];
  return new EngineError(Number(code ?? 1002), type ?? 'UNKNOWN_EXCEPTION', (message ?? text).trim());
}
