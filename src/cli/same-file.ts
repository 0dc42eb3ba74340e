import type { BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { UserError } from '../lib/user-error.js';

/** An option of a command, and a file that it names. */
export type NamedFile = readonly [option: string, file: string];

/** @throws what the file system throws, but for a file that is not there */
export async function statOrNone(file: string): Promise<BigIntStats | undefined> {
  return stat(file, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/**
 * One text for all names of a file: links, and names in another case where the file system takes them for one. A file to
 * be made has its folder and its name, in lower case for such file systems. Undefined for a pipe or a terminal.
 */
async function getFileIdentity(file: string): Promise<string | undefined> {
  const found = await statOrNone(file).catch(() => undefined);
  if (found !== undefined) return found.isFile() ? `${found.dev}-${found.ino}` : undefined;
  const folder = await statOrNone(dirname(file)).catch(() => undefined);
  return folder && `${folder.dev}-${folder.ino}/${basename(file).toLowerCase()}`;
}

/**
 * Refuses an output that would overwrite an input or another output, before any of them is opened.
 * @throws UserError that names both options
 */
export async function rejectSameFile(
  inputs: readonly NamedFile[],
  outputs: readonly NamedFile[],
): Promise<void> {
  const known = new Map<string, string>();
  for (const [option, file] of inputs) {
    const fileIdentity = await getFileIdentity(file);
    if (fileIdentity !== undefined) known.set(fileIdentity, option);
  }
  for (const [option, file] of outputs) {
    const fileIdentity = await getFileIdentity(file);
    const other = fileIdentity === undefined ? undefined : known.get(fileIdentity);
    if (other !== undefined)
      throw new UserError(`${option}: ${file} is the file of ${other}, too; name another file`);
    if (fileIdentity !== undefined) known.set(fileIdentity, option);
  }
}
