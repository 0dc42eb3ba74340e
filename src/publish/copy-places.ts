import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { UserError } from '../lib/user-error.js';

// Looks at and changes places below a folder. A link is never followed: what it names is outside of the folder.

/**
 * Whether a file is at a place.
 * @param name relative to the folder, with slashes.
 * @throws UserError for a link, a folder in place of a file, a file in place of a folder, and another disk
 */
export function inspectPlace(root: string, name: string): 'nothing' | 'file' {
  const dev = lstatSync(root, { throwIfNoEntry: false })?.dev;
  for (const folder of listFoldersOf(name)) {
    const stat = lstatSync(join(root, folder), { throwIfNoEntry: false });
    if (stat === undefined) return 'nothing';
    if (!stat.isDirectory()) throw inTheWay(root, folder, describeEntry(stat), 'a folder');
    if (stat.dev !== dev) throw inTheWay(root, folder, 'on another disk', 'a folder of its own disk');
  }
  const stat = lstatSync(join(root, name), { throwIfNoEntry: false });
  if (stat === undefined) return 'nothing';
  if (!stat.isFile()) throw inTheWay(root, name, describeEntry(stat), 'a file');
  return 'file';
}

type Entry = NonNullable<ReturnType<typeof lstatSync>>;

const describeEntry = (entry: Entry): string =>
  entry.isSymbolicLink()
    ? 'a link'
    : entry.isDirectory()
      ? 'a folder'
      : entry.isFile()
        ? 'a file'
        : 'a device, pipe or socket';

const inTheWay = (root: string, name: string, is: string, needed: string): UserError =>
  new UserError(
    `DIR: ${join(root, name)} is ${is}, and the copy needs ${needed} there; move it away, or name another folder`,
  );

/** The folders above a file, from the outermost one on. */
function listFoldersOf(name: string): string[] {
  const parts = name.split('/').slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}

/** The folders above files, the inner ones after those that they are in. */
const listAllFolders = (names: Iterable<string>): string[] => [
  ...new Set([...names].flatMap(listFoldersOf).sort()),
];

/** Whether a place is there, whatever it is. */
export const isTaken = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** The text of a file; undefined if it is missing. @throws UserError as inspectPlace */
export const readPlace = (root: string, name: string): string | undefined =>
  inspectPlace(root, name) === 'file' ? readFileSync(join(root, name), 'utf8') : undefined;

export const hashContent = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('hex');

export function hashFile(file: string): { sha256: string; bytes: number } {
  const content = readFileSync(file);
  return { sha256: hashContent(content), bytes: content.length };
}

/** The first file, or anything else than a folder, below a folder; names with a dot, such as `.git`, do not count. */
export function findForeignFile(root: string, folder = ''): string | undefined {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (folder === '' && entry.name.startsWith('.')) continue;
    const name = join(folder, entry.name);
    const found = entry.isDirectory() ? findForeignFile(root, name) : name;
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Makes the folders of files, and looks whether those that are there can be written.
 * @param made gets each new folder, the outer ones first, also before an error
 */
export function makeFolders(root: string, names: Iterable<string>, made: string[]): void {
  for (const folder of listAllFolders(names)) {
    const path = join(root, folder);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) accessSync(path, constants.W_OK);
    else {
      mkdirSync(path);
      made.push(path);
    }
  }
}

/** Removes files, and then folders of them that are empty. A link, and what is behind one, stays. */
export function removeFiles(root: string, names: Iterable<string>): void {
  const listed = [...names].filter((name) => isReachable(root, name));
  for (const name of listed) if (inspectPlace(root, name) === 'file') unlinkSync(join(root, name));
  removeEmptyFolders(root, listed);
}

/** Removes the folders of files that are empty. */
export function removeEmptyFolders(root: string, names: Iterable<string>): void {
  const listed = [...names].filter((name) => isReachable(root, name));
  for (const folder of listAllFolders(listed).reverse()) removeIfEmpty(join(root, folder));
}

function isReachable(root: string, name: string): boolean {
  try {
    inspectPlace(root, name);
    return true;
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

export function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR', 'EBUSY'].includes(code)) throw error;
  }
}

/**
 * Rejects a folder that holds the data folder or is within it: hosts would serve the store, and loads would write among
 * the files of the copy.
 * @throws UserError
 */
export function rejectDataFolder(path: string, dataDir: string): void {
  const [copy, data] = [resolveLinks(path), resolveLinks(dataDir)].map((each) => each.replace(/\/?$/, sep));
  if (copy!.startsWith(data!) || data!.startsWith(copy!))
    throw new UserError(
      `DIR: ${path} and the data folder ${dataDir} (DATA_DIR) are one within the other; name a folder beside it`,
    );
}

/** A path without links, whether or not all of it is there. */
function resolveLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(resolveLinks(parent), path.slice(parent.length));
  }
}
