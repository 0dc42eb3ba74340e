import { copyFile, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../lib/user-error.js';
import { VERSION } from '../lib/version.js';
import { NOTHING, raw, sql } from '../queries/sql.js';
import { errorCode, firstLine } from '../store/store-errors.js';
import { beginTimeline } from '../store/timeline.js';
import { type LoadLockOptions, withLoadLock } from '../store/lock/lock.js';
import { isRestoreUnfinished, markRestore, unmarkRestore } from '../store/restore-mark.js';
import { DROPPED_TABLES, findOrigin, migrateRows, recordedMigrations } from '../store/schema/migrate.js';
import type { Store } from '../store/store.js';
import type { StateFiles } from './backup.js';
import { type Backup, type Manifest, readBackup } from './manifest.js';
import { baseBackup, type DataTable, dataTables, definitions, engineFolder, rowCounts } from './tables.js';

export interface RestoreOptions extends LoadLockOptions {
  /** Where the files beside the tables go, if the backup has them; what is there is replaced. */
  stateFiles?: StateFiles;
}

/**
 * Restores a backup into an empty store, all or nothing. Until the last row the store answers and loads
 * nothing (restore-mark.ts). It first empties tables that a killed restore has filled.
 * @param from an absolute path, the same for the engine's process and for this one.
 * @throws UserError when the backup is not whole, its tables are of a later version, or the store has data.
 * @throws what withLoadLock() throws
 */
export async function restore(
  store: Store,
  from: string,
  { stateFiles = {}, ...options }: RestoreOptions = {},
): Promise<Manifest> {
  const backup = await readBackup('--from', from);
  await withLoadLock(
    store,
    async (locked) => {
      const later = await laterMigrations(locked, backup.manifest);
      const tables = await dataTables(locked);
      if (!(await isRestoreUnfinished(locked))) await rejectData(locked, tables);
      await markRestore(locked);
      try {
        await empty(locked, tables); // what a killed one left
        await readTables(locked, backup, tables);
        await migrateRows(locked, later);
        await restoreFiles(backup, stateFiles);
        await beginTimeline(locked); // its next load may have a number that clients know from another history
      } catch (error) {
        await empty(locked, tables);
        await unmarkRestore(locked);
        throw error;
      }
      await unmarkRestore(locked);
    },
    { ...options, isRestore: true },
  );
  return backup.manifest;
}

/**
 * The migrations of this version that the backup's tables have not had.
 * @throws UserError when an earlier build made them, or when they have had others, or other statements
 */
async function laterMigrations(store: Store, { migrations, service }: Manifest): Promise<string[]> {
  const here = await recordedMigrations(store);
  const origin = findOrigin(new Map(Object.entries(migrations)));
  if (origin === 'before 1.0') return [...here.keys()];
  if (origin === 'earlier')
    throw new UserError('--from: the backup was made by an earlier build; load the feeds again');
  const name = Object.keys(migrations).find((file) => here.get(file) !== migrations[file]);
  if (name === undefined) return [...here.keys()].filter((file) => migrations[file] === undefined);
  // Two builds of one version may have different schemas, so the file tells which one can read the backup.
  const build = service === VERSION ? `the build of version ${service}` : `version ${service}`;
  const [theirs, ours] = [Object.keys(migrations), [...here.keys()]].map((names) =>
    names
      .filter((file) => file.endsWith('.sql'))
      .sort()
      .at(-1),
  );
  throw new UserError(
    here.has(name)
      ? `--from: ${name} in the schema of the backup differs from ${name} of this program; restore it with ${build} that wrote it`
      : `--from: the schema of the backup ends with ${theirs}, the schema of this program with ${ours}; restore it with ${build} that has ${name}`,
  );
}

async function rejectData(store: Store, tables: readonly DataTable[]): Promise<void> {
  const filled = Object.entries(await rowCounts(store, tables)).find(([, rows]) => (rows ?? 0) > 0);
  if (filled === undefined) return;
  const [name, rows] = filled;
  throw new UserError(
    `DATA_DIR, CLICKHOUSE_DATABASE: has data already (${name}: ${rows} rows); restore into a new folder or database`,
  );
}

async function empty(store: Store, tables: readonly DataTable[]): Promise<void> {
  for (const { name } of tables) await store.command(sql`TRUNCATE TABLE ${raw(name)}`);
}

async function readTables(
  store: Store,
  { folder, base, manifest }: Backup,
  tables: readonly DataTable[],
): Promise<void> {
  const { database, tables: expected } = manifest;
  const isOwn = (name: string): boolean => tables.some((own) => own.name === name);
  const names = Object.keys(expected).filter((name) => !DROPPED_TABLES.includes(name));
  const foreign = names.find((name) => !isOwn(name));
  if (foreign !== undefined)
    throw new UserError(
      `--from: the backup has a table ${foreign}, which does not belong to this service; take another backup`,
    );
  const before = await definitions(store);
  // Names are the backup's and this database's. Its tables are the same, or lack what later migrations add.
  const list = names.map((name) => `TABLE \`${database}\`.\`${name}\` AS \`${name}\``).join(', ');
  const incremental = base === undefined ? NOTHING : sql`, ${baseBackup(base)}`;
  try {
    await store.command(
      sql`RESTORE ${raw(list)} FROM ${engineFolder('folder', folder)}
      SETTINGS allow_different_table_def = 1${incremental}`,
    );
  } catch (error) {
    throw new UserError(
      `--from: ClickHouse cannot restore ${folder}: ${firstLine(error)}; docs/operating.md lists what it needs`,
      { cause: error },
    );
  }
  if ((await definitions(store)) !== before) {
    throw new UserError(
      '--from: the backup has changed the definition of a table; drop this database or folder, and take another backup',
    );
  }
  for (const name of names) await rejectDamaged(store, name, folder);
  const rows = await rowCounts(store, tables);
  const wrong = names.find((name) => rows[name] !== expected[name]);
  if (wrong !== undefined) {
    throw new UserError(`--from: ${wrong}: ${rows[wrong]} rows arrived of ${expected[wrong]}`);
  }
}

async function rejectDamaged(store: Store, table: string, folder: string): Promise<void> {
  const row = z.object({ part_path: z.string(), is_passed: z.coerce.boolean(), message: z.string() });
  const perPart = sql`CHECK TABLE ${raw(table)}`.with({ check_query_single_value_result: 0 });
  const parts = await store.query(sql.rows(row)`${perPart}`);
  const part = parts.find(({ is_passed }) => !is_passed);
  if (part === undefined) return;
  throw new UserError(
    `--from: ${folder} is damaged: ${table}, part ${part.part_path}: ${part.message}; take another backup`,
  );
}

async function restoreFiles({ folder, manifest }: Backup, stateFiles: StateFiles): Promise<void> {
  for (const [name, file] of Object.entries(stateFiles)) {
    if (manifest.files[name] === undefined) continue;
    try {
      await mkdir(dirname(file), { recursive: true });
      await copyFile(join(folder, name), `${file}.new`);
      await rename(`${file}.new`, file);
    } catch (error) {
      throw new UserError(`--from: cannot write ${file} (${errorCode(error)})`, { cause: error });
    }
  }
}
