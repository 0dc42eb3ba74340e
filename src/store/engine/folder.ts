import { existsSync } from 'node:fs';
import {
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  stat,
  statfs,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { errorCode, StoreDamaged, StoreNotOpened, StoreNotWritable } from '../store-errors.js';

/** The lock of a process that was killed expires after this time. */
const LOCK_EXPIRY_MS = 5000;

const LOCK_LOOK_EVERY_MS = 100;

/** The device and inode of a folder, whatever its name and wherever it is mounted. A copy has others. */
export async function readFolderId(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}-${ino}`;
}

/**
 * One process at a time has the lock of a data directory. It holds from looking for a shared engine until sharing
 * one, and from the end of the sharing until the engine is closed. The engine's own lock keeps them apart, but a process that
 * meets it gets a page on stderr. The name of this lock's file is of this very folder, so that one that was copied along
 * holds nobody up.
 * @returns what releases it; undefined without the lock, and then there is only the engine's
 */
export async function lockFolder(
  dataDir: string,
  waitMs: number,
): Promise<(() => Promise<void>) | undefined> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    try {
      const release = await lockfile.lock(dataDir, {
        lockfilePath: join(dataDir, `engine-${await readFolderId(dataDir)}.lock`),
        realpath: false,
        stale: LOCK_EXPIRY_MS,
        update: LOCK_EXPIRY_MS / 5,
        onCompromised: () => {},
      });
      return async () => release().catch(() => {});
    } catch (error) {
      if (errorCode(error) !== 'ELOCKED' || performance.now() > deadline) return undefined;
    }
    await setTimeout(LOCK_LOOK_EVERY_MS);
  }
}

/** Room that a statement leaves on the disk of a folder: another program would have to take it while a part is written. */
export const MIN_ROOM_BYTES = 64 * 1024 * 1024;

/** The engine does not open with an empty definition. It skips files of this name. */
const ASIDE = '.bak';

/** Definitions of tables as they were before statements of migrations changed them. The folder is there during these alone. */
const KEPT_FOLDER = 'kept-definitions';

/**
 * The definition of a database or a table that is an empty file. On a full disk a CREATE or an ALTER leaves one and reports
 * success, and power that fails may leave one.
 */
export async function emptyDefinition(
  engineFolder: string,
  database: string,
  suffix = '.sql',
): Promise<string | undefined> {
  const metadata = join(engineFolder, 'metadata');
  for (const folder of [metadata, join(metadata, database)]) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.endsWith(suffix) && (await stat(join(folder, name))).size === 0) return join(folder, name);
    }
  }
  return undefined;
}

/** @throws StoreNotOpened for a copy that has folders in place of the engine's links: it would not open, and not say why */
export async function rejectFollowedLinks(engineFolder: string, database: string): Promise<void> {
  const link = join(engineFolder, 'metadata', database);
  const found = await lstat(link).catch(() => undefined);
  if (found?.isDirectory() !== true) return;
  throw new StoreNotOpened(
    `DATA_DIR: ${link} is a folder in place of a link, as cp -rL copies one; copy the data folder again with cp -a`,
  );
}

/**
 * Mends the empty definitions of a full disk, for the engine to open. The database gets its own again, and locks of loads are
 * removed. A table that a migration was changing gets the definition of before. Any other is put aside if its table has no rows.
 * Then migrate() changes or makes these tables.
 * @param log receives a line for each
 */
export async function mendDefinitions(
  engineFolder: string,
  database: string,
  log: (line: string) => void,
): Promise<void> {
  const metadata = join(engineFolder, 'metadata');
  if (existsSync(join(engineFolder, KEPT_FOLDER)))
    await removeEmptyMutations(join(engineFolder, 'data', database));
  for (;;) {
    const file = await emptyDefinition(engineFolder, database);
    if (file === undefined) return;
    const table = basename(file, '.sql');
    const kept = join(engineFolder, KEPT_FOLDER, basename(file));
    if (existsSync(kept)) await rename(kept, file);
    else if (dirname(file) === metadata) {
      const link = await readlink(join(metadata, database)).catch(() => undefined);
      if (link === undefined)
        await rm(file); // nothing was made in it
      else await writeFile(file, `ATTACH DATABASE _ UUID '${basename(link)}'\nENGINE = Atomic\n`);
    } else if (table.startsWith('load_lock_')) await rm(file);
    else if (await hasParts(join(engineFolder, 'data', database, table))) return;
    else await rename(file, file + ASIDE);
    log(`DATA_DIR: ${file} was empty, as a full disk leaves it; mended, nothing is lost`);
  }
}

/** Removes the mutations of a migration that a full disk left empty: the engine does not open with one. Reads convert its rows. */
async function removeEmptyMutations(tables: string): Promise<void> {
  for (const table of await readdir(tables).catch(() => []))
    for (const name of await readdir(join(tables, table)).catch(() => [])) {
      const file = join(tables, table, name);
      if (/^mutation_\d+\.txt$/.test(name) && (await stat(file)).size === 0) await rm(file);
    }
}

async function hasParts(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.some((name) => name !== 'format_version.txt' && name !== 'detached');
}

/** Removes what migrations kept, and the marks of definitions that are there again. @throws StoreDamaged when one is not */
export async function confirmMended(engineFolder: string, database: string): Promise<void> {
  await rm(join(engineFolder, KEPT_FOLDER), { recursive: true, force: true });
  for (;;) {
    const aside = await emptyDefinition(engineFolder, database, ASIDE);
    if (aside === undefined) return;
    const file = aside.slice(0, -ASIDE.length);
    if (existsSync(file)) await rm(aside);
    else {
      await rename(aside, file); // for the next start to tell it, too
      throw new StoreDamaged(`${file} is empty`);
    }
  }
}

/** Refuses to go on making tables on a full disk. @throws StoreNotWritable */
export async function confirmRoom(engineFolder: string, database: string): Promise<void> {
  if ((await hasRoom(engineFolder)) && (await emptyDefinition(engineFolder, database)) === undefined) return;
  throw new StoreNotWritable(noRoomText(engineFolder));
}

/** Keeps the definitions of the tables that are made, for mendDefinitions(). */
export async function keepDefinitions(engineFolder: string, database: string): Promise<void> {
  const made = join(engineFolder, 'metadata', database);
  const folder = join(engineFolder, KEPT_FOLDER);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(made).catch(() => [])) {
    if (!name.endsWith('.sql')) continue;
    const unfinished = join(folder, `${name}.unfinished`);
    await copyFile(join(made, name), unfinished);
    await rename(unfinished, join(folder, name));
  }
}

/** Whether the disk of a folder has room: for tables, if no bytes are given. */
export async function hasRoom(folder: string, bytes = MIN_ROOM_BYTES): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize >= bytes;
}

export const noRoomText = (folder: string): string =>
  `the disk of ${folder} is full; make room, ${MIN_ROOM_BYTES / 1024 / 1024} MiB or more, then run it again`;
