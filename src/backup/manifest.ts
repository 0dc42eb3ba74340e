import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { OperatorFault } from '../operator-fault.js';
import { replaceFile } from '../replace-file.js';

// A backup is a folder:
//
//   clickhouse/    what ClickHouse's BACKUP wrote
//   *.json         state that lies beside the engine's folder in DATA_DIR
//   backup.json    what all that is, with a checksum of every file and of itself
//
// backup.json is written last. So a backup without it was cut off, and one whose files are as it says is whole.

/** The folder of what BACKUP wrote, in a backup. */
export const ENGINE_FOLDER = 'clickhouse';

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
  /** Every other file, by its path in the backup. */
  files: z.record(pathWithin, z.object({ bytes: z.int().min(0), sha256 })),
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

/** Writes backup.json, with the checksums of all files that are there. */
export async function writeManifest(
  folder: string,
  content: Omit<Manifest, 'format' | 'files' | 'base'>,
  base?: Backup,
): Promise<Manifest> {
  const files: Manifest['files'] = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    files[relative(folder, path)] = { bytes: (await lstat(path)).size, sha256: await checksum(path) };
  }
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
 * The backup in a folder, after every file of it, and of its base, was found to be as it was.
 * @param flag the flag that named the folder
 * @throws OperatorFault that names the file that is not
 */
export async function readBackup(flag: string, folder: string): Promise<Backup> {
  const backup = await readManifest(flag, folder);
  const { base } = backup.manifest;
  if (base === undefined) return backup;
  const baseFolder = resolve(folder, base.folder);
  const found = await readManifest(`${flag}: the base of ${folder}`, baseFolder);
  if (found.sha256 !== base.sha256) {
    throw new OperatorFault(`${flag}: ${baseFolder} is not the base of ${folder}; put that backup there`);
  }
  return { ...backup, base: found };
}

async function readManifest(flag: string, folder: string): Promise<Backup> {
  const path = join(folder, MANIFEST);
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorFault(
      code === 'ENOENT'
        ? `${flag}: ${folder} has no ${MANIFEST}, so it is not a complete backup; name another folder`
        : `${flag}: cannot read ${path} (${code})`,
      { cause: error },
    );
  }
  const parsed = manifest.safeParse(contentOf(text, path, flag));
  if (!parsed.success) {
    throw new OperatorFault(
      `${flag}: ${path} is of a format that this version does not read; use the version that wrote it`,
    );
  }
  for (const [name, expected] of Object.entries(parsed.data.files)) {
    const fault = await faultOf(join(folder, name), expected);
    if (fault !== undefined) throw new OperatorFault(`${flag}: ${join(folder, name)} ${fault}`);
  }
  return { folder, manifest: parsed.data, sha256: sha256Of(text) };
}

/** The fault of a file; undefined without one. */
async function faultOf(
  path: string,
  expected: { bytes: number; sha256: string },
): Promise<string | undefined> {
  try {
    const found = await lstat(path);
    if (!found.isFile()) return 'is a link or a folder, not a file';
    const { size } = found;
    if (size !== expected.bytes) return `has ${size} bytes, but had ${expected.bytes}`;
    return (await checksum(path)) === expected.sha256 ? undefined : 'has changed since it was backed up';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? 'is missing' : `cannot be read (${code})`;
  }
}

/** The text of a manifest: its content, and last the checksum of that. */
function withChecksum(content: object): string {
  const sha256 = sha256Of(JSON.stringify(content));
  return `${JSON.stringify({ ...content, sha256 }, null, 1)}\n`;
}

/** @throws OperatorFault when the text is not, byte for byte, what withChecksum() makes */
function contentOf(text: string, path: string, flag: string): object {
  try {
    const content = JSON.parse(text) as Record<string, unknown>;
    delete content.sha256;
    if (withChecksum(content) === text) return content;
  } catch {
    // It is no JSON.
  }
  throw new OperatorFault(`${flag}: ${path} is cut off or has changed since it was written`);
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function checksum(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash);
  return hash.digest('hex');
}
