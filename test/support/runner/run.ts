import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { cpus, freemem } from 'node:os';
import { join, relative, resolve } from 'node:path';

// node test/support/runner/compiled.cjs test/support/runner/run.ts PATH...: the tests of these files and folders in several
// processes of mocha, the slowest files first. Prints the files that take most of the processors.

/** One more than processors: a test waits for something a tenth of its time. */
const JOBS = Number(process.env.TEST_JOBS ?? cpus().length + 1);
/** Bytes that a folder in memory has to have free: a run takes up to 2 GB. */
const ROOM = 8 * 1024 ** 3;
/** How long each file took when it last ran. */
const TIMES = 'build/test-times.json';
const COSTS = `build/test-costs-${process.pid}.jsonl`;
/** So many files are named as the dearest. */
const NAMED = Number(process.env.TEST_NAMED ?? 10);

interface Cost {
  file: string;
  ms: number;
  /** Processor time, with that of its programs. */
  seconds: number;
  /** Statements of the engine in the process of the file. */
  statements: number;
}

const known = new Map(Object.entries(timesOf(TIMES)));
const files = [...new Set(process.argv.slice(2).flatMap(testsIn))].sort(
  (a, b) => expected(b) - expected(a) || a.localeCompare(b),
);
if (files.length === 0) throw new Error('no such test files');

mkdirSync('build', { recursive: true });
const began = performance.now();
const before = processorTime();
const parallel = JOBS > 1 && files.length > 1 ? ['--parallel', '--jobs', `${JOBS}`] : [];
const mocha = spawn(process.execPath, ['node_modules/mocha/bin/mocha.js', ...parallel, ...files], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, ...temporary(), TEST_COSTS_FILE: resolve(COSTS) },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => mocha.kill(signal));
process.exitCode = await exitCode(mocha);
const seconds = (performance.now() - began) / 1000;
const othersShare = before === undefined ? 0 : shareOfOthers(before, seconds);

const costs = newCosts();
rmSync(COSTS, { force: true });
writeFileSync(
  TIMES,
  JSON.stringify({
    ...Object.fromEntries(known),
    ...Object.fromEntries(costs.map(({ file, ms }) => [file, ms])),
  }),
);
if (files.length > 1) {
  const statements = costs.reduce((sum, cost) => sum + cost.statements, 0);
  const processor = costs.reduce((sum, cost) => sum + cost.seconds, 0);
  console.log(
    `  ${seconds.toFixed()} s, ${processor.toFixed()} s of processor, ${statements} statements; other programs took ` +
      `${(othersShare * 100).toFixed()}% of the processors. Most processor:`,
  );
  for (const { file, seconds, statements } of costs.toSorted((a, b) => b.seconds - a.seconds).slice(0, NAMED))
    console.log(`    ${seconds.toFixed(1).padStart(6)} s ${`${statements}`.padStart(6)}  ${file}`);
}

/** A folder in memory for all that tests write, where there is one: loads write hundreds of small files, a fifth of the time. */
function temporary(): { TMPDIR?: string } {
  if (process.env.TMPDIR !== undefined || !existsSync('/dev/shm')) return {};
  const { bavail, bsize } = statfsSync('/dev/shm');
  return Math.min(bavail * bsize, freemem()) > ROOM ? { TMPDIR: '/dev/shm' } : {};
}

function testsIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [relative('.', path)];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts')).map((name) => join(path, name));
}

async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

/** Seconds that a file is expected to take; by its size where it never ran here. */
function expected(file: string): number {
  return (known.get(file) ?? statSync(file).size / 2) / 1000;
}

function timesOf(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

function newCosts(): Cost[] {
  let text = '';
  try {
    text = readFileSync(COSTS, 'utf8');
  } catch {
    // None was begun.
  }
  const byFile = new Map<string, Cost>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { file, ms, seconds, statements } = JSON.parse(line) as Cost;
    const {
      ms: msBefore = 0,
      seconds: secondsBefore = 0,
      statements: statementsBefore = 0,
    } = byFile.get(file) ?? {};
    byFile.set(file, {
      file: relative('.', file),
      ms: msBefore + ms,
      seconds: secondsBefore + seconds,
      statements: statementsBefore + statements,
    });
  }
  return [...byFile.values()];
}

/** Ticks (10 ms) of all processors in use, and of this process with the children that have ended; on Linux alone. */
function processorTime(): { all: number; own: number } | undefined {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
    const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = line
      .trim()
      .split(/ +/)
      .slice(1)
      .map(Number);
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number);
    const own = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0);
    return { all: user + nice + system + irq + softirq, own };
  } catch {
    return undefined;
  }
}

function shareOfOthers(start: { all: number; own: number }, elapsedSeconds: number): number {
  const now = processorTime() ?? start;
  const others = now.all - start.all - (now.own - start.own);
  return Math.max(0, others / (elapsedSeconds * 100 * cpus().length));
}
