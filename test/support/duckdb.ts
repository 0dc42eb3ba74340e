import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { temporaryFolder } from './store.js';

/** The rows of a SELECT that has a file as `{file}`, by DuckDB, which knows nothing of this service. */
export async function askDuckDb(
  file: Buffer,
  extension: string,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const path = join(temporaryFolder(), `export.${extension}`);
  writeFileSync(path, file);
  const instance = await DuckDBInstance.create();
  const connection = await instance.connect();
  try {
    await connection.run(`SET TimeZone = 'UTC'`);
    const reader = await connection.runAndReadAll(sql.replace('{file}', `'${path}'`));
    return reader.getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
