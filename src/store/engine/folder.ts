import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { errorCode } from '../errors.js';

/** The lock of a process that was killed expires after this time. */
const LOCK_EXPIRY_MS = 5000;

const LOCK_LOOK_EVERY_MS = 100;

/** The device and inode of a folder, whatever its name and wherever it is mounted. A copy has others. */
export async function folderIdentity(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true });
  return `${dev}-${ino}`;
}

/**
 * From looking for a shared engine until sharing one, and from the end of the sharing until the engine is closed,
 * one process at a time has the lock of a data directory. The engine's own lock keeps them apart, but a process that
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
        lockfilePath: join(dataDir, `engine-${await folderIdentity(dataDir)}.lock`),
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

/**
 * The definition of a database or a table that is an empty file, as power that fails may leave one: then the engine does not
 * open, and says no more than that.
 */
export async function emptyDefinition(engineFolder: string, database: string): Promise<string | undefined> {
  const metadata = join(engineFolder, 'metadata');
  for (const folder of [metadata, join(metadata, database)]) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (name.endsWith('.sql') && (await stat(join(folder, name))).size === 0) return join(folder, name);
    }
  }
  return undefined;
}
