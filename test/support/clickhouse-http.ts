import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What is wrong with the stand-in: of the next `times` requests, or of all until it is said otherwise. */
export interface Fault {
  /**
   * hung: takes requests and never answers them; reset: breaks the connection off without an answer; dropped: in the
   * middle of the answer; slow: answers `delayMs` late; garbled: answers with nonsense, each time of another kind.
   */
  mode: 'none' | 'hung' | 'reset' | 'dropped' | 'slow' | 'garbled';
  delayMs?: number;
  times?: number;
}

export interface StandInOptions {
  /** Data directory of the engine; it outlives the process. */
  folder: string;
  /** 0 or none: a free one. */
  port?: number;
  /** readonly: 2 for one who may only read. */
  users: Record<string, { password: string; readonly?: number }>;
}

/** Of one process, since it began. */
export interface StandInStatistics {
  /** Requests with a statement that came in, answered or not. */
  statements: number;
  /** Those that were run and only read. */
  reads: number;
  underWay: number;
  /** Whose client was gone before the answer. */
  abandoned: number;
  /** Those of them that have been cancelled, as only reads are, and only if they ask for it. */
  cancelled: number;
}

const SCRIPT = fileURLToPath(new URL('clickhouse-http-server.ts', import.meta.url));

const running = new Set<ChildProcess>();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** A stand-in for a ClickHouse server, in a process of its own (clickhouse-http-server.ts). */
export class StandIn {
  url = '';
  #child: ChildProcess | undefined;
  readonly #options: StandInOptions;

  private constructor(options: StandInOptions) {
    this.#options = options;
  }

  static async start(
    folder: string,
    users: StandInOptions['users'] = { default: { password: '' } },
  ): Promise<StandIn> {
    const standIn = new StandIn({ folder, users });
    await standIn.restart();
    return standIn;
  }

  /** Starts it on the same data, and after the first time on the same port. */
  async restart(): Promise<void> {
    const port = this.url === '' ? 0 : Number(new URL(this.url).port);
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', SCRIPT, JSON.stringify({ ...this.#options, port })],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    );
    running.add(child);
    child.once('exit', () => running.delete(child));
    this.#child = child;
    const ended = once(child, 'exit').then(() => {
      throw new Error('the stand-in ended before it listened');
    });
    const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
    ended.catch(() => {}); // it will end one day
    this.url = url;
  }

  /** Sets what is wrong from now on, and tells what has been so far. */
  async fault(fault: Fault): Promise<StandInStatistics> {
    return this.#ask({ fault });
  }

  async statistics(): Promise<StandInStatistics> {
    return this.#ask({});
  }

  /** As a power cut would end it. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || !running.has(child)) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async #ask(message: object): Promise<StandInStatistics> {
    const child = this.#child;
    if (child === undefined) throw new Error('the stand-in does not run');
    const answer = once(child, 'message');
    child.send(message);
    const [{ statistics }] = (await answer) as [{ statistics: StandInStatistics }];
    return statistics;
  }
}
