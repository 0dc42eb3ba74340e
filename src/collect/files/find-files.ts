import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../lib/user-error.js';
import { listKeys } from './placeholders.js';
import { parseSourceFile, type SourceFile } from './source-file.js';

// The source files of an operator and of this program, and the keys that they name.

const getShippedFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve('#sources/openmeteo-ecmwf.yaml'));

/** @throws UserError */
function tryTo<Result>(what: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new UserError(`${what}: cannot be read (${code})`);
  }
}

/** @throws UserError */
export const readSourceFile = (path: string): SourceFile =>
  parseSourceFile(
    tryTo(path, () => readFileSync(path, 'utf8')),
    path,
  );

/** The files that a path names: one, those of a folder, or those that * in its last part stands for. */
function listFiles(path: string): string[] {
  const [folder, pattern] = path.includes('*') ? [dirname(path), basename(path)] : [path, '*.yaml'];
  if (!path.includes('*') && !tryTo(path, () => statSync(path)).isDirectory()) return [path];
  const [start = '', end = ''] = pattern.split('*');
  const found = tryTo(folder, () => readdirSync(folder))
    .filter((name) => /\.ya?ml$/.test(name) && name.startsWith(start) && name.endsWith(end))
    .sort();
  if (path.includes('*') && found.length === 0) throw new UserError(`--sources: no file is ${path}`);
  return found.map((name) => join(folder, name));
}

/** Whether an operator names a file with it, and not a source. */
export const isPath = (word: string): boolean => /[/*\\]|\.ya?ml$/.test(word);

/**
 * The files of this program, of the data folder's `sources` and of these paths: of two with one name the later one holds.
 * @returns with the names of those of the paths
 * @throws UserError
 */
export function findSourceFiles(
  dataDir: string,
  paths: readonly string[] = [],
): { files: SourceFile[]; named: string[] } {
  const own = join(dataDir, 'sources');
  const hasOwn = statSync(own, { throwIfNoEntry: false })?.isDirectory() === true;
  const files = new Map<string, SourceFile>();
  const named: string[] = [];
  for (const path of [getShippedFolder(), ...(hasOwn ? [own] : []), ...paths])
    for (const each of listFiles(path)) {
      const file = readSourceFile(each);
      files.set(file.name, file);
      if (paths.includes(path)) named.push(file.name);
    }
  return { files: [...files.values()], named };
}

/** A key is not so short that other texts have it. */
const KEY = /^[\x21-\x7e]{8,1000}$/;

/**
 * The keys that files name, from the environment, or the data folder's `source-keys`, a line NAME=value each.
 * @param settings names that no file may use
 * @throws UserError that never has a value
 */
export function readSourceKeys(
  files: readonly SourceFile[],
  dataDir: string,
  env: NodeJS.ProcessEnv,
  settings: readonly string[],
): Record<string, string> {
  const names = listKeys(
    files.flatMap(({ url, first, headers }) => [url, first?.url ?? '', ...Object.values(headers)]),
  );
  const path = join(dataDir, 'source-keys');
  const stat = names.length > 0 ? tryTo(path, () => statSync(path, { throwIfNoEntry: false })) : undefined;
  if (stat !== undefined && (stat.mode & 0o077) !== 0)
    throw new UserError(`${path}: others may read it; chmod 600 ${path}`);
  const lines = stat === undefined ? [] : tryTo(path, () => readFileSync(path, 'utf8')).split('\n');
  const kept = new Map(
    lines.map((line) => [line.split('=')[0]?.trim() ?? '', line.slice(line.indexOf('=') + 1).trim()]),
  );
  return Object.fromEntries(
    names.map((name) => {
      // A file of somebody else must not send this service's own secrets away.
      if (settings.includes(name))
        throw new UserError(`{key:${name}}: is a setting of this service; choose another name`);
      const key = (env[name] ?? '') || kept.get(name);
      if (key === undefined) throw new UserError(`{key:${name}}: is not in the environment, nor in ${path}`);
      if (!KEY.test(key)) throw new UserError(`{key:${name}}: must be 8 to 1000 visible ASCII characters`);
      return [name, key];
    }),
  );
}
