import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createKey } from '../../../src/auth/keys.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import type { FeedFiles } from '../../../src/ingest/stage/stage.js';
import { type Ended, type Environment, Program, ServerProgram } from '../process.js';
import { fileArguments, LOAD, VERIFY } from '../programs.js';
import { temporaryFolder } from '../store.js';
import { dateOf } from './feeds.js';

// The programs as an operator knows them: their options, exit codes and answers over HTTP, and nothing else of them.

// For one that waits for a load before it, on a machine that does other things, too.
const PATIENCE_MS = 180_000;

/** The settings of a folder, and a key for its server. */
export interface Bed {
  env: Environment;
  key: string;
}

/** A folder of its own for the data, no limit on requests, and a new key. */
export async function newBed(): Promise<Bed> {
  const env = {
    DATA_DIR: join(temporaryFolder(), 'data'),
    API_KEYS_FILE: join(temporaryFolder(), 'api-keys.json'),
    RATE_LIMIT_PER_MINUTE: '0',
  };
  return { env, key: (await createKey(env.API_KEYS_FILE, 'stress')).key };
}

/** The same settings and key on another folder. */
export function onFolder({ env, key }: Bed, dataDir: string): Bed {
  return { env: { ...env, DATA_DIR: dataDir }, key };
}

/** A copy of a data folder that no process has open. */
export function copyFolder(from: string, to: string): void {
  // The links of the engine are relative: they have to stay so, or the copy would write into the original.
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}

export function startLoad({ env }: Bed, files: FeedFiles, ...options: string[]): Program {
  return new Program(LOAD, ['--json', ...options, ...fileArguments(files)], env);
}

export async function startServer({ env }: Bed, more: Environment = {}): Promise<ServerProgram> {
  return ServerProgram.start({ ...env, ...more }, PATIENCE_MS);
}

export async function endOf(program: Program): Promise<Ended> {
  return program.end(PATIENCE_MS);
}

/** A load that must end well; returns its report. */
export async function loadAll(bed: Bed, files: FeedFiles): Promise<LoadReport> {
  const ended = await endOf(startLoad(bed, files));
  expect(ended.code, `${ended.stdout}${ended.stderr}`).to.equal(0);
  return reportOf(ended);
}

export function reportOf({ stdout }: Ended): LoadReport {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as LoadReport;
}

/** `npm run verify` finds no difference. */
export async function expectNoDifference({ env }: Bed): Promise<void> {
  const { code, stdout, stderr } = await endOf(new Program(VERIFY, [], env));
  expect(code, `npm run verify: ${stdout}${stderr}`).to.equal(0);
}

/** `npm run verify -- --seals` finds a seal of each version, and the facts that it is of. */
export async function expectSealed({ env }: Bed): Promise<void> {
  const { code, stdout, stderr } = await endOf(new Program(VERIFY, ['--seals'], env));
  expect(code, `npm run verify -- --seals: ${stdout}${stderr}`).to.equal(0);
}

/** Whether `npm run verify` finds a difference, with its exit code for that. */
export async function differs({ env }: Bed): Promise<boolean> {
  const { code, stdout, stderr } = await endOf(new Program(VERIFY, [], env));
  expect(code, `npm run verify: ${stdout}${stderr}`).to.be.oneOf([0, 1]);
  // A server that is back settles what the killed load left while it answers; then verify says that it waits.
  expect(stderr).to.match(/^(another load is running on this database [^\n]*; waiting for it\n)?$/);
  return code === 1;
}

/** Expects that it was refused, or failed: exit code 1, and a few lines on stderr without a stack. */
export function expectClearFailure({ code, stderr }: Ended): void {
  expect(code, stderr).to.equal(1);
  expect(stderr.trim(), 'the reason on stderr').not.to.equal('');
  expect(stderr).not.to.match(/^ +at |node:internal|UnhandledPromise/m);
}

/** Every kind of question about all days of a span. */
export function questionsOf(firstDay: number, lastDay: number): string[] {
  const window = `date_from=${dateOf(firstDay)}&date_to=${dateOf(lastDay)}`;
  return ['high', 'low', 'temperature'].flatMap((metric) =>
    [
      ...['summary', 'by-date', 'by-lead-time', 'by-city', 'by-station/T0001', 'by-date/T0003'],
      ...(metric === 'temperature' ? ['by-hour'] : []),
    ].map((name) => `/api/v1/accuracy/${name}?${window}&metric=${metric}`),
  );
}

/** The `data` of the answers to questions. */
export async function answersOf(
  server: ServerProgram,
  { key }: Bed,
  questions: readonly string[],
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const question of questions) {
    const response = await server.get(question, key);
    const body = (await response.json()) as { data: unknown };
    expect(response.status, `${question}: ${JSON.stringify(body)}`).to.equal(200);
    answers.push(body.data);
  }
  return answers;
}

/** Verification pairs that the server counts. */
export async function pairsIn(server: ServerProgram, bed: Bed, question: string): Promise<number> {
  const [data] = await answersOf(server, bed, [question]);
  return (data as { verification_pairs: number }).verification_pairs;
}

export async function stop(server: ServerProgram): Promise<void> {
  server.kill('SIGTERM');
  const { code, stderr } = await endOf(server);
  expect(code, stderr).to.equal(0);
}
