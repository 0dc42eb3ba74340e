import { lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync } from 'node:fs';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../lib/user-error.js';
import { isCopyName, MANIFEST } from './copy-manifest.js';
import { readPlace, removeEmptyFolders, removeFiles, removeIfEmpty } from './copy-places.js';

/** The folder of a part; git and most hosts leave out, or do not list, what begins with a dot. */
const PREFIX = '.publish.part-';
const IS_PART = /^\.publish\.part-\w{6}$/;

/** The list of all files that a part may have: it is written before them. */
const LIST = 'names';

/** The folder of the responses within a part. */
export const RESPONSES = 'responses/';

/** The manifest while files move: it has those of the earlier copy as well. */
export const MOVING = 'moving.json';

/** The files of a copy before it is whole, in a folder of the copy's own: a move within a disk needs no room. */
export class CopyPart {
  #path: string | undefined;
  #madeRoot = false;

  constructor(private readonly root: string) {}

  pathOf(name: string): string {
    return join(this.#make(), name);
  }

  /** A place with nothing there, and with its folder. */
  async prepare(name: string): Promise<string> {
    const file = this.pathOf(name);
    await appendFile(this.pathOf(LIST), `${name}\n`);
    await mkdir(dirname(file), { recursive: true });
    await rm(file, { force: true }); // a link would be written through
    return file;
  }

  /** @param to relative to the folder of the copy */
  move(name: string, to: string): void {
    renameSync(this.pathOf(name), join(this.root, to));
  }

  #make(): string {
    if (this.#path === undefined) {
      this.#madeRoot = mkdirSync(this.root, { recursive: true }) !== undefined;
      removeOldParts(this.root);
      this.#path = mkdtempSync(join(this.root, PREFIX));
    }
    return this.#path;
  }

  /** Removes what has not been moved, and the folder of the copy if it is new and empty. */
  remove(): void {
    if (this.#path !== undefined) removeListed(this.#path);
    if (this.#madeRoot) removeIfEmpty(this.root);
    this.#path = undefined;
  }
}

/** Removes what kills have left: the files of the lists of parts, and empty folders that were made for them. */
function removeOldParts(root: string): void {
  for (const name of readdirSync(root)) {
    const path = join(root, name);
    if (!IS_PART.test(name) || !lstatSync(path).isDirectory()) continue;
    removeEmptyFolders(root, readList(path));
    removeListed(path);
  }
}

function removeListed(path: string): void {
  removeFiles(path, readList(path));
  removeFiles(path, [LIST]);
  removeIfEmpty(path);
}

/** The names of the list; none if it is not a file. */
function readList(path: string): string[] {
  try {
    return (readPlace(path, LIST) ?? '').split('\n').filter(isPartName);
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

const isPartName = (name: string): boolean =>
  [MANIFEST, MOVING].includes(name) || isCopyName(name.replace(/^responses(?=\/)/, 'data/v0-20000101T0000'));
