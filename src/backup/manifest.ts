import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { UserError } from '../lib/user-error.js';
import { replaceFile } from '../lib/replace-file.js';
import { errorCode } from '../store/store-errors.js';

// A backup is a folder:
//
//   clickhouse/    what ClickHouse's BACKUP wrote
//   *.json         state that lies beside the engine's folder in DATA_DIR
//   backup.json    what all that is, with a checksum of itself, and of what the engine does not check
//
// backup.json is written last. So a backup without it was cut off.

/** The folder of what BACKUP wrote, in a backup. */
export const ENGINE_FOLDER = 'clickhouse';

/** The engine's list of its files. */
const LIST = join(ENGINE_FOLDER, '.backup');

const MANIFEST = 'backup.json';

/** A change that makes earlier versions read a backup wrongly is another format. */
const FORMAT = 1;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const name = z.string().regex(/^[A-Za-z_]\w*$/);

const pathWithin = z.string().refine((path) => !isAbsolute(path) && !path.split(/[/\\]/).includes('..'));

const manifest = z.object({
  format: z.literal(FORMAT),
  /** The version of the service that made it. */
  service: z.string(),
  created_at: z.iso.datetime(),
  /** The database that was backed up. Who made a backup may have written anything: what is not of these forms is no name. */
  database: name,
  /** The load that had last finished; 0 before the first. */
  data_version: z.int().min(0),
  /** The SHA-256 of each file of clickhouse/schema that its tables are made of. */
  migrations: z.record(z.string(), sha256),
  /** Rows of each table; null of a histogram, whose rows with equal keys are merged at any time. */
  tables: z.record(name, z.int().min(0).nullable()),
  /** The engine's list of its files, and the files beside the engine's folder, by their paths in the backup. */
  files: z.record(pathWithin, z.object({ sha256 })),
  /** An incremental backup's full one, which has the rest: its path from this folder, the SHA-256 of its backup.json. */
  base: z.object({ folder: z.string(), sha256 }).optional(),
});

export type Manifest = z.infer<typeof manifest>;

/** A whole backup. */
export interface Backup {
  folder: string;
  manifest: Manifest;
  /** The SHA-256 of its backup.json. */
  sha256: string;
  base?: Backup;
}

/** Writes backup.json, with the checksums of what CHECK TABLE does not cover: the list of the engine's files, and files beside them. */
export async function writeManifest(
  folder: string,
  content: Omit<Manifest, 'format' | 'files' | 'base'>,
  base?: Backup,
): Promise<Manifest> {
  const beside = (await readdir(folder)).filter((name) => name !== ENGINE_FOLDER && name !== MANIFEST);
  const files: Manifest['files'] = {};
  for (const name of [LIST, ...beside]) files[name] = { sha256: await checksum(join(folder, name)) };
  const whole: Manifest = {
    format: FORMAT,
    ...content,
    files,
    ...(base && { base: { folder: relative(folder, base.folder), sha256: base.sha256 } }),
  };
  await replaceFile(join(folder, MANIFEST), withChecksum(whole), 0o640);
  return whole;
}

/**
 * The backup in a folder. RESTORE and CHECK TABLE find what is damaged in the engine's files (restore.ts).
 * @param flag the flag that named the folder.
 * @throws UserError that names the file of it, or of its base, that is not as it was, or leads out of the folder
 */
export async function readBackup(flag: string, folder: string): Promise<Backup> {
  const backup = await readManifest(flag, folder);
  const { base } = backup.manifest;
  if (base === undefined) return backup;
  const baseFolder = resolve(folder, base.folder);
  const found = await readManifest(`${flag}: the base of ${folder}`, baseFolder);
  if (found.sha256 !== base.sha256 || found.manifest.base !== undefined) {
    throw new UserError(`${flag}: ${baseFolder} is not the base of ${folder}; put that backup there`);
  }
  return { ...backup, base: found };
}

async function readManifest(flag: string, folder: string): Promise<Backup> {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
      if (!entry.isFile() && !entry.isDirectory())
        throw new UserError(
          `${flag}: ${join(entry.parentPath, entry.name)} is a link, not a file; take another backup`,
        );
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UserError(
      code === 'ENOENT'
        ? `${flag}: ${folder} has no ${MANIFEST}, so it is not a complete backup; name another folder`
        : `${flag}: cannot read ${path} (${code})`,
      { cause: error },
    );
  }
  const parsed = manifest.safeParse(parseContent(text, path, flag));
  if (!parsed.success) {
    throw new UserError(
      `${flag}: ${path} is of a format that this version does not read; use the version that wrote it`,
    );
  }
  const { files, base } = parsed.data;
  // The last build before 1.0 listed every file of the engine.
  const listed = Object.entries(files).filter(
    ([name]) => name === LIST || !name.startsWith(`${ENGINE_FOLDER}/`),
  );
  for (const [name, expected] of listed) {
    const file = join(folder, name);
    const found = await checksum(file).catch((error: unknown) => errorCode(error));
    if (found === 'ENOENT') throw new UserError(`${flag}: ${file} is missing; take another backup`);
    if (found !== expected.sha256)
      throw new UserError(`${flag}: ${file} has changed since it was backed up; take another backup`);
  }
  await rejectForeign(flag, join(folder, LIST), base !== undefined);
  return { folder, manifest: parsed.data, sha256: sha256Of(text) };
}

/** The engine's mention of an incremental backup's base. The statement names the base, so the path in here counts for nothing. */
const BASE =
  /<base_backup>File\('(?:[^'<\\]|\\.)*'\)<\/base_backup><base_backup_uuid>[\w-]*<\/base_backup_uuid>/;

/** Any lead to another backup, a host, or a file outside: also as a reference, a declaration or another encoding of XML. */
const FOREIGN = /base_backup|original_|:\/\/|\.\.|<[!?]|&#|<(name|data_file)\b[^>]*>\s*\//;

/** RESTORE asks for whatever the list of files names. @throws UserError unless that lies in the folder, or in the base */
async function rejectForeign(flag: string, list: string, isIncremental: boolean): Promise<void> {
  const text = await readFile(list, 'utf8');
  if (text.startsWith('<config>') && !FOREIGN.test(isIncremental ? text.replace(BASE, '') : text)) return;
  throw new UserError(
    `${flag}: ${list} names files of another place, which no backup of this service does; take another backup`,
  );
}

/** The text of a manifest: its content, and last the checksum of that. */
function withChecksum(content: object): string {
  const sha256 = sha256Of(JSON.stringify(content));
  return `${JSON.stringify({ ...content, sha256 }, null, 1)}\n`;
}

/** @throws UserError when the text is not, byte for byte, what withChecksum() makes */
function parseContent(text: string, path: string, flag: string): object {
  try {
    const content = JSON.parse(text) as Record<string, unknown>;
    delete content.sha256;
    if (withChecksum(content) === text) return content;
  } catch {
    // The text is no JSON.
  }
  throw new UserError(`${flag}: ${path} is cut off or has changed since it was written`);
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function checksum(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
