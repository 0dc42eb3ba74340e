import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './process.js';
import { temporaryFolder } from './store.js';

/** A disk of 128 MiB in memory, which tests fill. */
export class SmallDisk {
  readonly #filler: string;
  #filling: NodeJS.Timeout | undefined;

  private constructor(readonly folder: string) {
    this.#filler = join(folder, 'filler');
  }

  /** @returns undefined where this user may not mount one */
  static mount(): SmallDisk | undefined {
    const folder = temporaryFolder();
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder], { stdio: 'pipe' });
    } catch {
      return undefined;
    }
    return new SmallDisk(folder);
  }

  /** Fills it until so many bytes are left. */
  fill(room = 0): void {
    const megabyte = Buffer.alloc(1024 * 1024, 1);
    writeFileSync(this.#filler, '', { flag: 'a' });
    for (let size = megabyte.length; size >= 4096; size /= 2) {
      try {
        for (;;) appendFileSync(this.#filler, megabyte.subarray(0, size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      }
    }
    truncateSync(this.#filler, Math.max(0, statSync(this.#filler).size - room));
  }

  /** Fills it, and fills what becomes free again. */
  keepFull(): void {
    this.fill();
    this.#filling = setInterval(() => this.fill(), 20);
  }

  setReadOnly(isReadOnly: boolean): void {
    execFileSync('mount', ['-o', `remount,${isReadOnly ? 'ro' : 'rw'}`, this.folder], { stdio: 'pipe' });
  }

  makeRoom(): void {
    clearInterval(this.#filling);
    rmSync(this.#filler, { force: true });
  }

  /** Waits until the last program has let go of it. */
  async unmount(): Promise<void> {
    this.makeRoom();
    await until(() => {
      try {
        execFileSync('umount', [this.folder], { stdio: 'pipe' });
        return true;
      } catch {
        return undefined;
      }
    }, 30_000);
  }
}
