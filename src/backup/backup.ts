import { access, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasPending } from '../ingest/stage/staging-tables.js';
import { UserError } from '../lib/user-error.js';
import { NOTHING, raw, sql } from '../queries/sql.js';
import { errorCode, firstLine } from '../store/store-errors.js';
import { hasRoom } from '../store/engine/folder.js';
import { type LoadLockOptions, withLoadLock } from '../store/lock/lock.js';
import { recordedMigrations } from '../store/schema/migrate.js';
import type { Store } from '../store/store.js';
import { VERSION } from '../lib/version.js';
import { type Backup, ENGINE_FOLDER, type Manifest, readBackup, writeManifest } from './manifest.js';
import { baseBackup, dataTables, engineFolder, rowCounts } from './tables.js';

/** A file that is backed up beside the tables, by its name in the backup. */
export type StateFiles = Readonly<Record<string, string>>;

export interface BackupOptions extends LoadLockOptions {
  /** A full backup: what it has, the new one leaves out. */
  base?: string;
  /** Copied if they are there. */
  stateFiles?: StateFiles;
}

/** With less on the disk, a backup that failed has failed for want of room. */
const MIN_BACKUP_ROOM_BYTES = 1024 * 1024;

const stateRow = z.object({ database: z.string(), data_version: z.number() });

/**
 * Backs a store up into a new or empty folder, which the engine's process writes. No load runs meanwhile, so all tables are
 * of one version of the data; reading goes on. Nothing in the store changes.
 * @param to an absolute path, the same for the engine's process and for this one.
 * @throws UserError when a load is pending, or the folder or the base cannot be used.
 * @throws what withLoadLock() throws
 */
export async function backup(
  store: Store,
  to: string,
  { base: baseFolder, stateFiles = {}, ...options }: BackupOptions = {},
): Promise<Manifest> {
  const base = baseFolder === undefined ? undefined : await readBackup('--base', baseFolder);
  if (base?.base !== undefined) {
    throw new UserError(`--base: ${base.folder} is incremental itself; name its base, ${base.base.folder}`);
  }
  await takeEmptyFolder(to);
  let hasStarted = false;
  const onBegin = async (): Promise<void> => {
    await takeEmptyFolder(to); // another backup may have taken it, while this one waited for the lock
    hasStarted = true;
  };
  try {
    return await writeBackup(store, to, base, stateFiles, { ...options, onBegin });
  } catch (error) {
    if (!hasStarted) throw error;
    // The engine takes its own lock that it could not write for that of another backup.
    const isFull = !(await hasRoom(to, MIN_BACKUP_ROOM_BYTES));
    for (const name of await readdir(to))
      await rm(join(to, name), { recursive: true, force: true }).catch(() => {}); // files of a server may be of another user
    throw isFull ? new UserError(`--to: the disk of ${to} is full; make room`, { cause: error }) : error;
  }
}

async function writeBackup(
  store: Store,
  to: string,
  base: Backup | undefined,
  stateFiles: StateFiles,
  { onBegin, ...options }: LoadLockOptions & { onBegin: () => Promise<void> },
): Promise<Manifest> {
  const content = await withLoadLock(
    store,
    async (locked) => {
      if (await hasPending(locked)) {
        throw new UserError('a load was cut short; run it again, or verify --repair, and back up then');
      }
      const state = await locked.queryOne(
        sql.rows(
          stateRow,
        )`SELECT currentDatabase() AS database, maxIf(load_id, event = 'finished') AS data_version FROM loads`,
      );
      const found = await dataTables(locked);
      const migrations = Object.fromEntries(await recordedMigrations(locked));
      const tables = await rowCounts(locked, found);
      await onBegin();
      await writeTables(locked, Object.keys(tables), to, base);
      for (const [name, file] of Object.entries(stateFiles)) await copyIfThere(file, join(to, name));
      return { ...state, migrations, tables };
    },
    options,
  );
  return writeManifest(to, { service: VERSION, created_at: new Date().toISOString(), ...content }, base);
}

async function writeTables(store: Store, names: readonly string[], to: string, base?: Backup): Promise<void> {
  const folder = join(to, ENGINE_FOLDER);
  const list = raw(names.map((name) => `TABLE ${name}`).join(', '));
  const incremental = base === undefined ? NOTHING : sql`SETTINGS ${baseBackup(base)}`;
  try {
    await store.command(sql`BACKUP ${list} TO ${engineFolder('folder', to)} ${incremental}`);
  } catch (error) {
    throw new UserError(
      `--to: ClickHouse cannot write ${folder}: ${firstLine(error)}; docs/operating.md lists what it needs`,
      { cause: error },
    );
  }
  await access(join(folder, '.backup')).catch((error: unknown) => {
    throw new UserError(
      `--to: ClickHouse has written ${folder} where this command cannot read it; name a folder that is the same for both`,
      { cause: error },
    );
  });
}

async function takeEmptyFolder(folder: string): Promise<void> {
  let names: string[];
  try {
    await mkdir(folder, { recursive: true, mode: 0o770 });
    names = await readdir(folder);
  } catch (error) {
    throw new UserError(`--to: cannot write ${folder} (${errorCode(error)})`, { cause: error });
  }
  if (names.length > 0) throw new UserError(`--to: ${folder} is not empty; name a new folder`);
}

async function copyIfThere(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    const code = errorCode(error);
    if (code !== 'ENOENT') throw new UserError(`--to: cannot copy ${from} (${code})`, { cause: error });
  }
}
