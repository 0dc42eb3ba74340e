import { execFileSync } from 'node:child_process';

/** Why this process cannot be kept from writing; undefined if it can. */
export function whyNoWriteLimit(): string | undefined {
  try {
    execFileSync('prlimit', ['--version'], { stdio: 'pipe' });
    return undefined;
  } catch {
    return 'prlimit, of util-linux, is not installed';
  }
}

/**
 * Lets every write of this process to a file fail while the disk has room: what a full disk does when another program takes
 * the room and gives it back meanwhile. The limit also sends a signal, which the engine leaves to end the process.
 * @param bytes how much of each file can be written all the same
 */
export async function withoutWrites<Result>(work: () => Promise<Result>, bytes = 0): Promise<Result> {
  const limit = (size: string): Buffer =>
    execFileSync('prlimit', ['--pid', `${process.pid}`, `--fsize=${size}:`], { stdio: 'pipe' });
  const ignore = (): void => {};
  process.on('SIGXFSZ', ignore);
  limit(`${bytes}`);
  try {
    return await work();
  } finally {
    limit('unlimited');
    process.off('SIGXFSZ', ignore);
  }
}
