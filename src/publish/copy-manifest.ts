import { join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../lib/user-error.js';
import { hashFile, inspectPlace, readPlace } from './copy-places.js';

// The manifest of a copy says which files of a folder are the copy's: those of its names with its hashes, and no others.

/** A file of a copy. */
export interface FileRecord {
  sha256: string;
  bytes: number;
  /** The ETag of the response that it is. */
  etag?: string | undefined;
}

/** The content of `manifest.json`. */
export interface CopyManifest {
  format: 2;
  service: typeof SERVICE;
  /** The folder of the responses. */
  folder: string;
  files: Record<string, FileRecord>;
  /**
   * SHA-256 of what earlier copies may have left: the responses before these, for pages that are open, and after a kill
   * files that were to be replaced.
   */
  earlier: Record<string, string>;
}

export const FACTS_FILE = 'publish.json';
export const MANIFEST = 'manifest.json';
export const SERVICE = 'forecast-accuracy-service';

const SEGMENTS = String.raw`(?:/(?!\.{1,2}(?:/|$))[\w.,=&~-]{1,255})+`;
const FOLDER = String.raw`data/v\d{1,10}-\d{8}T\d{4}(?:-\d{1,4})?`;
const NAME = new RegExp(
  String.raw`^(?:(?:index|404)\.html|README\.txt|publish\.json|(?:${FOLDER}|assets|badges|charts|pairs|recompute|seals)${SEGMENTS})$`,
);

/** Whether a copy may have a file of this name: a manifest with any other is not one that `publish` has written. */
export const isCopyName = (name: string): boolean => NAME.test(name);

const name = z.string().regex(NAME);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const folder = z.string().regex(new RegExp(`^${FOLDER}$`));
const files = z.record(
  name,
  z.object({ sha256, bytes: z.number().int().nonnegative(), etag: z.string().optional() }),
);
const manifestSchema = z.object({
  ...{ format: z.literal(2), service: z.literal(SERVICE), folder, files },
  earlier: z.record(name, sha256),
});

/** A manifest of the first format does not name the service: the `publish.json` beside it has to be ours. */
const firstManifest = z.object({ format: z.literal(1), folder, files });
const firstFacts = z.object({
  ...{ format: z.literal(1), service: z.string().regex(/^\d+\.\d+\.\d+/), folder },
  ...{ data_version: z.number().int(), timeline: z.string(), generated_at: z.string() },
});

/**
 * The manifest of the copy in a folder, and its text; undefined if it is missing.
 * @throws UserError for a `manifest.json` that is not that of a copy
 */
export function readManifest(root: string): { text: string; manifest: CopyManifest } | undefined {
  const text = readPlace(root, MANIFEST);
  if (text === undefined) return undefined;
  const content = parseJson(text);
  const found = manifestSchema.safeParse(content).data ?? readFirstManifest(root, content);
  if (found === undefined || hasNamesAlike(found))
    throw new UserError(
      `DIR: ${join(root, MANIFEST)} is not one that publish has written, or has been changed; name another folder`,
    );
  return { text, manifest: found };
}

function readFirstManifest(root: string, content: unknown): CopyManifest | undefined {
  const found = firstManifest.safeParse(content).data;
  if (found === undefined || inspectPlace(root, FACTS_FILE) !== 'file') return undefined;
  const facts = firstFacts.safeParse(parseJson(readPlace(root, FACTS_FILE)!)).data;
  const isOurs =
    facts?.folder === found.folder &&
    found.files[FACTS_FILE]?.sha256 === hashFile(join(root, FACTS_FILE)).sha256;
  return isOurs ? { ...found, format: 2, service: SERVICE, earlier: {} } : undefined;
}

export const listNames = ({ files, earlier }: CopyManifest): string[] => [
  ...new Set([...Object.keys(files), ...Object.keys(earlier)]),
];

/** Whether names differ in case alone: on many disks they are one file. */
function hasNamesAlike(manifest: CopyManifest): boolean {
  const names = listNames(manifest);
  return new Set(names.map((each) => each.toLowerCase())).size < names.length;
}

/**
 * The files of a manifest that are there as it has them.
 * @throws UserError for one with another content, or with something else in its place
 */
export function findOwnedFiles(root: string, manifest: CopyManifest): Map<string, FileRecord> {
  const owned = new Map<string, FileRecord>();
  const { files, earlier } = manifest;
  for (const name of listNames(manifest)) {
    if (inspectPlace(root, name) === 'nothing') continue;
    const { sha256, bytes } = hashFile(join(root, name));
    const record = files[name];
    if (record?.sha256 === sha256) owned.set(name, record);
    else if (earlier[name] === sha256) owned.set(name, { sha256, bytes });
    else
      throw new UserError(
        `DIR: ${join(root, name)} is not as the last publish left it; move it away, or name another folder`,
      );
  }
  return owned;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
