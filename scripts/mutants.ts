import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { buildSync, transformSync } from 'esbuild';
import { runCommand, UserError } from '../src/lib/user-error.js';
import { drawSample, findMutants, locate } from './mutants/find.js';
import { listFiles, planRuns } from './mutants/tests.js';

// npm run mutants -- src/FOLDER [--sample N] [--seed S] [--lines 10,20] [--unit]
// Mutation testing: changes one constant, comparison or operator of the code or of its SQL at a time, in a scratch copy, and
// runs the tests nearest to the file. A mutant that lives is a line that no such test reads. Stryker was rejected: it empties a
// template of SQL as a whole, where a third of the constants are.

/** A run that takes longer hangs on its mutant, which so is killed. */
const MAX_RUN_MS = 600_000;
/** Processor time of a run without a mutant; longer ones are left out. */
const MAX_PLAIN_CPU_MS = 30_000;

/** Writes the processor time of a process as it ends, ms. A busy machine changes it little. */
const TELL_CPU = `data:text/javascript,import { writeSync } from 'node:fs';process.on('exit',()=>{
  const { user, system } = process.cpuUsage();writeSync(3,String((user+system)/1000))})`;

const MOCHA = [
  ...['--import', TELL_CPU, 'node_modules/mocha/bin/mocha.js', '--no-config', '--bail', '--exit'],
  ...['--reporter', 'dot', '--timeout', `${MAX_RUN_MS / 2}`],
];

const COPIED = ['src', 'test', 'scripts', 'public'];
const isSource = (file: string): boolean => /\.(c?ts|tsx)$/.test(file) && !file.endsWith('.d.ts');
const toScript = (file: string): string => file.replace(/ts$/, 'js');

/** A copy of the tree as JavaScript, in which every other file is a link. It goes when this process ends. */
function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'mutants-'));
  process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const files = COPIED.flatMap(listFiles);
  const entryPoints = files.filter(isSource);
  buildSync({ entryPoints, outdir: scratch, outbase: '.', format: 'esm', logLevel: 'error' });
  const roots = readdirSync('.').filter((name) => ![...COPIED, '.git', 'package.json'].includes(name));
  for (const file of [...files.filter((each) => !isSource(each)), ...roots]) {
    mkdirSync(dirname(join(scratch, file)), { recursive: true });
    symlinkSync(resolve(file), join(scratch, file));
  }
  cpSync('package.json', join(scratch, 'package.json'));
  return scratch;
}

/** Runs tests in the copy. @returns whether all pass, and their processor time */
async function runTests(
  scratch: string,
  tests: readonly string[],
): Promise<{ pass: boolean; cpu_ms: number }> {
  const mocha = spawn(process.execPath, [...MOCHA, ...tests.map(toScript)], {
    ...{ cwd: scratch, timeout: MAX_RUN_MS, killSignal: 'SIGKILL' },
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    env: { ...process.env, UV_THREADPOOL_SIZE: '24', NODE_NO_WARNINGS: '1' },
  });
  let reported = '';
  mocha.stdio[3]?.on('data', (text: Buffer) => (reported += text.toString()));
  const kill = (): boolean => mocha.kill('SIGKILL');
  process.once('exit', kill);
  const [code] = (await once(mocha, 'close')) as [number | null];
  process.off('exit', kill);
  return { pass: code === 0, cpu_ms: Number(reported) };
}

/** Makes a function that leaves out of a run the tests that fail without a mutant, or take long. */
function checkRuns(scratch: string): (tests: string[]) => Promise<string[]> {
  const known = new Map<string, string[]>();
  const check = async (tests: string[]): Promise<string[]> => {
    const { pass, cpu_ms } = await runTests(scratch, tests);
    if (pass && cpu_ms <= MAX_PLAIN_CPU_MS) return tests;
    if (tests.length > 1) {
      const usable: string[] = [];
      for (const test of tests) usable.push(...(await check([test])));
      return usable;
    }
    const why = pass ? `takes ${Math.round(cpu_ms / 1000)} s of processor` : 'fails without a mutant';
    console.log(`left out: ${tests.join()} ${why}`);
    return [];
  };
  return async (tests) => {
    const usable = known.get(tests.join()) ?? (await check(tests));
    known.set(tests.join(), usable);
    return usable;
  };
}

interface Options {
  sample: string;
  seed: string;
  lines?: string;
  unit: boolean;
}

async function tryMutants(folder: string, { sample, seed, lines, unit }: Options): Promise<void> {
  const all = listFiles(relative('.', folder)).filter(isSource).flatMap(findMutants);
  const drawn = drawSample(all, Number(sample), seed);
  const tried = drawn.filter((mutant) => lines?.split(',').includes(`${locate(mutant).line}`) ?? true);
  if (tried.length === 0) throw new UserError(`${folder}: no constant, comparison or operator to change`);
  // Read before anything runs, as somebody may write in the tree meanwhile.
  const planned = tried.map((each) => ({
    ...each,
    ...locate(each),
    source: readFileSync(each.file, 'utf8'),
  }));
  const scratch = makeScratch();
  const getRuns = planRuns(unit);
  const leaveOut = checkRuns(scratch);
  let living = 0;
  for (const { file, start, end, text, source, line, lineText } of planned) {
    const target = join(scratch, toScript(file));
    const plain = readFileSync(target, 'utf8');
    const mutated = transformSync(source.slice(0, start) + text + source.slice(end), { loader: 'ts' }).code;
    let isKilled = false;
    for (const run of getRuns(file)) {
      const tests = await leaveOut(run);
      writeFileSync(target, mutated);
      isKilled = tests.length > 0 && !(await runTests(scratch, tests)).pass;
      writeFileSync(target, plain);
      if (isKilled) break;
    }
    if (!isKilled) living += 1;
    const change = `${source.slice(start, end)} -> ${text}`;
    console.log(`${isKilled ? 'killed' : 'LIVES '} ${file}:${line} ${change} | ${lineText.slice(0, 120)}`);
  }
  const share = Math.round((100 * living) / tried.length);
  console.log(
    `${folder}: ${living} of ${tried.length} live (${share}%); ${all.length} mutants in all, seed ${seed}`,
  );
}

await runCommand(async () => {
  await new Command('mutants')
    .argument('<folder>', 'folder of src')
    .option('--sample <n>', 'mutants to try', '20')
    .option('--seed <s>', 'of the sample', '1')
    .option('--lines <numbers>', 'try those of the sample on these lines alone, separated by commas')
    .option('--unit', 'run unit tests alone', false)
    .action(tryMutants)
    .parseAsync();
});
