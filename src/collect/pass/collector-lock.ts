import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { UserError } from '../../lib/user-error.js';
import type { Collector } from '../collector.js';
import { stateFile } from '../state.js';

/** The lock of a process that was killed expires after this time. */
const LOCK_EXPIRY_MS = 10_000;

const LOCK_LOOK_EVERY_MS = 200;

/**
 * Runs a pass when no other collector of this folder does, because both would ask for the same things.
 * @param work gets a signal that aborts as well when the lock is lost, such as after a sleep of the machine
 * @throws UserError
 */
export async function withCollectLock<Result>(
  { dataDir, clock, signal, log }: Collector,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  await mkdir(dataDir, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new UserError(`DATA_DIR: cannot make ${dataDir} (${error.code})`);
  });
  const lost = new AbortController();
  for (let isLogged = false; ; isLogged = true) {
    let release: () => Promise<void>;
    try {
      // A process can have only one lock of a path, and the store locks the folder itself.
      release = await lockfile.lock(stateFile(dataDir), {
        lockfilePath: join(dataDir, 'collect.lock'),
        realpath: false,
        stale: LOCK_EXPIRY_MS,
        update: LOCK_EXPIRY_MS / 5,
        onCompromised: () => lost.abort(new UserError('another collector has taken the lock of this one')),
      });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ELOCKED') throw new UserError(`DATA_DIR: cannot write ${dataDir} (${code})`);
      if (!isLogged) log('another collector is at work in this DATA_DIR; waiting for it');
      await clock.sleep(LOCK_LOOK_EVERY_MS, signal);
      continue;
    }
    try {
      return await work(AbortSignal.any([signal, lost.signal]));
    } finally {
      await release().catch(() => {});
    }
  }
}
