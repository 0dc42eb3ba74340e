import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The files of Git below these paths, from the root. */
export const listFiles = (...paths: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--', ...paths], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
