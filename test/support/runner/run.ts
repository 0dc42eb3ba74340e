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

// node --import tsx test/support/runner/run.ts PATH...: the tests of these files and folders in several processes of mocha, the
// slowest files first. Prints the ten slowest, and each that takes more than its budget.

/** One more than processors: a test waits for something a tenth of its time. */
const JOBS = Number(process.env.TEST_JOBS ?? cpus().length + 1);
/** What a file may take, ms: the last one to begin keeps one processor busy, and the others wait. */
const BUDGET = 10_000;
/** Bytes that a folder in memory has to have free: a run takes up to 2 GB. */
const ROOM = 8 * 1024 ** 3;
/** How long each file took when it last ran. */
const TIMES = 'build/test-times.json';
const NEW_TIMES = `build/test-times-${process.pid}.jsonl`;

interface Time {
  file: string;
  ms: number;
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
  env: { ...process.env, ...temporary(), TEST_TIMES_FILE: resolve(NEW_TIMES) },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => mocha.kill(signal));
process.exitCode = await exitCode(mocha);
const seconds = (performance.now() - began) / 1000;
const othersShare = before === undefined ? 0 : shareOfOthers(before, seconds);

const times = newTimes();
rmSync(NEW_TIMES, { force: true });
writeFileSync(
  TIMES,
  JSON.stringify({
    ...Object.fromEntries(known),
    ...Object.fromEntries(times.map(({ file, ms }) => [file, ms])),
  }),
);
if (files.length > 1) {
  console.log(
    `  ${seconds.toFixed()} s, other programs took ${(othersShare * 100).toFixed()}% of the processors; slowest:`,
  );
  for (const { file, ms } of times.filter((time, at) => at < 10 || time.ms > BUDGET)) {
    const over = ms > BUDGET ? `  over the budget of ${BUDGET / 1000} s a file` : '';
    console.log(`    ${(ms / 1000).toFixed(1).padStart(6)} s  ${file}${over}`);
  }
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

/** The slowest first. */
function newTimes(): Time[] {
  let text = '';
  try {
    text = readFileSync(NEW_TIMES, 'utf8');
  } catch {
    // None was begun.
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Time)
    .map(({ file, ms }) => ({ file: relative('.', file), ms }))
    .sort((a, b) => b.ms - a.ms);
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
