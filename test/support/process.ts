import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAIN = join(ROOT, 'dist/src/main.cjs');
const COMPILED = join(ROOT, 'test/support/runner/compiled.cjs');

/** Variables of the environment, over those that a program needs to run at all. */
export type Environment = Record<string, string>;

/** How a program ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Leaves out how far a load is: a line every 5 s, so how many depends on the machine. */
export const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^.+: ([\d,]+ rows, [\d,]+ rows\/s, )?\d+%, [\d,]+ s\n/gm, '');

const running = new Set<ChildProcess>();

// Also when the test run itself is stopped: no child outlives it.
process.on('exit', killPrograms);

/** Kills what the tests have started and not ended, each by its process id. */
export function killPrograms(): void {
  for (const child of running) child.kill('SIGKILL');
  running.clear();
}

let isBuilt = false;

/**
 * The arguments of node that start a command, from what `npm run build` made: it starts in a third of the time that a
 * transpiler takes.
 * @throws Error when a source is newer than the build
 */
function started(command: string): string[] {
  expectBuilt();
  if (['bench', 'sql'].includes(command)) return [join(ROOT, `dist/scripts/${command}.js`)];
  return [MAIN, ...(command === 'forecast-accuracy' ? [] : [command])];
}

/** The arguments of node that start a script of the tests, or a text that `--eval` brings. */
function startedScript(script: string): string[] | undefined {
  if (script.endsWith('.ts')) return [COMPILED, script];
  return script.startsWith('--') ? [script] : undefined;
}

/** Refuses to test a program or a page that is older than its source. */
export function expectBuilt(): void {
  isBuilt ||= ['src', 'scripts', 'public'].every((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(c?ts|tsx|css|html|sql)$/.test(name))
      .every((name) => mtime(join(folder, name)) <= mtime('dist/built')),
  );
  if (!isBuilt) throw new Error('dist/ is older than the sources: make build');
}

function mtime(path: string): number {
  return statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * A command of this repository as an operator starts it, or all of them as `forecast-accuracy`; a script of the tests,
 * straight from its source.
 */
export class Program {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  #stdout = '';
  #stderr = '';

  constructor(script: string, args: readonly string[], env: Environment, cwd = ROOT) {
    const { PATH = '', HOME = '', TMPDIR } = process.env;
    const program = startedScript(script) ?? started(script);
    // As in a shell's loop over a list: a program that reads what is not its own shows it.
    const input = program[0] === MAIN ? openSync(join(ROOT, 'package.json'), 'r') : undefined;
    const child = spawn(process.execPath, [...program, ...args], {
      cwd,
      env: { PATH, HOME, ...(TMPDIR !== undefined && { TMPDIR }), ...env },
      stdio: [input ?? 'ignore', 'pipe', 'pipe'],
    });
    if (input !== undefined) closeSync(input);
    running.add(child);
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.ended = new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code, signal) => {
        running.delete(child);
        resolve({ code, signal, stdout: this.#stdout, stderr: withoutProgress(this.#stderr) });
      });
    });
  }

  get stdout(): string {
    return this.#stdout;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get hasEnded(): boolean {
    return !running.has(this.#child);
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** How it ended; one that does not end in time is killed, and that is an error. */
  async end(withinMs = 300_000): Promise<Ended> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.kill('SIGKILL');
    }, withinMs);
    const ended = await this.ended;
    clearTimeout(timer);
    if (late) throw new Error(`it did not end within ${withinMs} ms: ${ended.stdout}${ended.stderr}`);
    return ended;
  }
}

/** Runs a program to its end. */
export async function run(script: string, args: readonly string[], env: Environment): Promise<Ended> {
  return new Program(script, args, env).end();
}

/** A line of the log. */
export type LogLine = Record<string, unknown> & { msg?: string };

/** A server in a process of its own, on a free port of this machine unless the environment names one. */
export class ServerProgram extends Program {
  url = '';

  /** Starts it and waits until it listens. */
  static async start(env: Environment, withinMs?: number): Promise<ServerProgram> {
    const server = new ServerProgram('serve', [], { PORT: '0', ...env });
    const listening = await until(async () => {
      if (server.hasEnded) throw new Error(`the server ended: ${(await server.ended).stderr}`);
      return server.log().find(({ msg }) => msg === 'listening');
    }, withinMs);
    server.url = String(listening.url);
    return server;
  }

  /** The lines of its log so far, each of which must be JSON. */
  log(): LogLine[] {
    const whole = this.stdout.slice(0, this.stdout.lastIndexOf('\n') + 1);
    return whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as LogLine);
  }

  /** A GET; with a key if one is given. */
  async get(path: string, key?: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      headers: { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...headers },
    });
  }
}

/** Asks again and again until there is an answer. */
export async function until<Answer>(
  ask: () => Promise<Answer | undefined> | Answer | undefined,
  withinMs = 300_000,
): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline) throw new Error(`nothing within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
