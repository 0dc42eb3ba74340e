import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const BUILD = fileURLToPath(new URL('../../build/', import.meta.url));
const UNPACKED = join(BUILD, 'prometheus');

/** Paths of the two programs. */
export interface Prometheus {
  prometheus: string;
  promtool: string;
}

/**
 * Prometheus of this machine, or else of Debian's package: unpacked into build/, where it stays, and not installed, so
 * that no service of it ever runs.
 * @throws why it cannot be had
 */
export async function findPrometheus(): Promise<Prometheus> {
  const found = inFolders([...(process.env.PATH ?? '').split(':'), join(UNPACKED, 'usr/bin')]);
  if (found !== undefined) return found;
  mkdirSync(BUILD, { recursive: true });
  const folder = mkdtempSync(join(BUILD, 'prometheus-'));
  try {
    const download = () => run('apt-get', ['download', 'prometheus'], { cwd: folder, timeout: 300_000 });
    await download().catch(async () => {
      await run('apt-get', ['update'], { timeout: 300_000 });
      await download();
    });
    const file = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
    const whole = join(folder, 'whole');
    await run('dpkg-deb', ['-x', join(folder, file), whole], { timeout: 300_000 });
    if (!existsSync(UNPACKED)) renameSync(whole, UNPACKED);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const unpacked = inFolders([join(UNPACKED, 'usr/bin')]);
  if (unpacked === undefined) throw new Error('the package has no prometheus and promtool');
  return unpacked;
}

function inFolders(folders: string[]): Prometheus | undefined {
  for (const folder of folders) {
    const [prometheus, promtool] = [join(folder, 'prometheus'), join(folder, 'promtool')];
    if (isProgram(prometheus) && isProgram(promtool)) return { prometheus, promtool };
  }
  return undefined;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
