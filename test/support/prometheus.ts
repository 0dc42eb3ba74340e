import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `make ci-tools` unpacks Debian's package; it is not installed, so no service of it ever runs. */
const UNPACKED = fileURLToPath(new URL('../../build/prometheus/usr/bin', import.meta.url));

/** Paths of the two programs. */
export interface Prometheus {
  prometheus: string;
  promtool: string;
}

/** Prometheus of this machine. @throws Error without one */
export function findPrometheus(): Prometheus {
  const found = inFolders([...(process.env.PATH ?? '').split(':'), UNPACKED]);
  if (found === undefined) throw new Error('it is not in PATH; `make ci-tools` brings it');
  return found;
}

function inFolders(folders: string[]): Prometheus | undefined {
  for (const folder of folders) {
    const [prometheus, promtool] = [join(folder, 'prometheus'), join(folder, 'promtool')];
    if (isProgram(prometheus) && isProgram(promtool)) return { prometheus, promtool };
  }
  return undefined;
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
