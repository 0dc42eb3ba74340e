import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance, StatementType } from '@duckdb/node-api';
import { expect } from 'chai';
import type { TestService } from '../service.js';
import { temporaryFolder } from '../store.js';

// An answer, and what its script makes of the export that the script names, by DuckDB, which knows nothing of this service.

interface Answer {
  data: unknown;
  metadata: Record<string, unknown>;
}

/** The records that the results of a script have. */
export type Results = Record<string, unknown>[][];

const instance = DuckDBInstance.create(':memory:', { threads: '2' });

/** The results of a script beside its pairs. */
export async function runScript(script: string, pairs: Buffer): Promise<Results> {
  // A folder of its own: DuckDB keeps what it knows of a file by its name.
  const folder = mkdtempSync(join(temporaryFolder(), 'recompute-'));
  writeFileSync(join(folder, 'pairs.parquet'), pairs);
  return runScriptIn(folder, script);
}

/** The results of a script whose files are in a folder. */
export async function runScriptIn(folder: string, script: string): Promise<Results> {
  const connection = await (await instance).connect();
  try {
    await connection.run(`SET file_search_path = '${folder}'`);
    const statements = await connection.extractStatements(script);
    const results: Results = [];
    for (let at = 0; at < statements.count; at += 1) {
      const statement = await statements.prepare(at);
      const reader = await statement.runAndReadAll();
      if (statement.statementType === StatementType.SELECT) results.push(reader.getRowObjectsJson());
      statement.destroySync();
    }
    return results;
  } finally {
    connection.closeSync();
  }
}

/** The bytes of a response. @param key blank for a stranger */
export async function download(service: TestService, path: string, key = service.key): Promise<Buffer> {
  const request = service.request('get', path);
  const response = await (key === '' ? request : request.set('Authorization', `Bearer ${key}`))
    .buffer(true)
    .parse((sent, done) => {
      const chunks: Buffer[] = [];
      sent.on('data', (chunk: Buffer) => chunks.push(chunk));
      sent.on('end', () => done(null, Buffer.concat(chunks)));
    });
  const body = response.body as Buffer;
  expect(response.status, `${path}: ${response.status === 200 ? '' : body.toString()}`).to.equal(200);
  return body;
}

/** The export that a script names in its second line. */
export async function downloadPairs(service: TestService, script: string): Promise<Buffer> {
  const [, path = ''] = /^-- 1\. curl .* "\$\{BASE_URL:\?[^}]*\}(\/[^"]*)"$/m.exec(script) ?? [];
  return download(service, path);
}

/** The numbers that were compared. */
export interface Compared {
  numbers: number;
  /** Where a script does not give what the answer says. */
  differing: string[];
  /** Fields of records that a script leaves out. */
  missing: Set<string>;
}

/** Compares the answer to a path below /api/v1 with its script. */
export async function compareWithScript(
  service: TestService,
  path: string,
  compared: Compared,
): Promise<void> {
  const answered = await service.get(`/api/v1/${path}`);
  expect(answered.status, `${path}: ${answered.text}`).to.equal(200);
  const answer = answered.body as Answer;
  const [place = '', query = ''] = path.split('?');
  const script = (await download(service, `/api/v1/${place}/recompute.sql?${query}`)).toString();
  const [data = [], [metadata = {}] = []] = await runScript(
    script,
    await downloadPairs(service, script),
  ).catch((error: Error) => {
    throw new Error(`${path}: ${error.message}\n${script}`);
  });
  compareValues(answer.data, Array.isArray(answer.data) ? data : data[0], `${path} data`, compared);
  for (const [name, value] of Object.entries(metadata))
    compareValues(answer.metadata[name], value, `${path} metadata.${name}`, compared);
}

/** Expects that a script makes the numbers of the answer to a path below /api/v1. */
export async function expectScript(service: TestService, path: string): Promise<void> {
  const compared: Compared = { numbers: 0, differing: [], missing: new Set() };
  await compareWithScript(service, path, compared);
  expect(compared.differing.slice(0, 20)).to.deep.equal([]);
  expect(NOT_RECOMPUTED).to.include.members([...compared.missing]);
}

/** Texts that tell of lead times, and the tests of compare and of distributions. */
export const NOT_RECOMPUTED = [
  ...['label', 'description'],
  ...['dm_statistic', 'dm_p_value', 'dm_p_value_fdr', 'significant', 'hint'],
  'p_value',
];

/** Counts of windows without a pair, too: the export has pairs alone. */
export const NOT_RECOMPUTED_OF_WINDOWS = [
  ...NOT_RECOMPUTED,
  ...['windows_forecast', 'windows_without_report', 'windows_without_amount'],
];

/** DuckDB gives whole numbers beyond 32 bits, and decimals, as text. */
const read = (value: unknown, like: unknown): unknown =>
  typeof value === 'string' && typeof like === 'number' ? Number(value) : (value ?? null);

/** Compares a value of an answer with that of a script. */
export function compareValues(answered: unknown, made: unknown, where: string, compared: Compared): void {
  if (Array.isArray(answered)) {
    const list = Array.isArray(made) ? made : [];
    if (list.length !== answered.length)
      compared.differing.push(`${where}: ${answered.length} records, recomputed ${list.length}`);
    answered.forEach((each, at) => compareValues(each, list[at], `${where}[${at}]`, compared));
    return;
  }
  if (typeof answered === 'object' && answered !== null) {
    const record = (made ?? {}) as Record<string, unknown>;
    for (const [name, value] of Object.entries(answered)) {
      if (name in record) compareValues(value, record[name], `${where}.${name}`, compared);
      else if (made === undefined) compared.differing.push(`${where}.${name}: not recomputed`);
      else compared.missing.add(name);
    }
    return;
  }
  if (typeof answered === 'number' || answered === null) compared.numbers += 1;
  if (!Object.is(answered, read(made, answered)))
    compared.differing.push(`${where}: ${JSON.stringify(answered)}, recomputed ${JSON.stringify(made)}`);
}
