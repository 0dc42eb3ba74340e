import { existsSync, statSync } from 'node:fs';
import { link, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../lib/user-error.js';
import {
  FACTS_FILE,
  type FileRecord,
  findOwnedFiles,
  isCopyName,
  listNames,
  type CopyManifest,
  MANIFEST,
  readManifest,
  SERVICE,
} from './copy-manifest.js';
import { CopyPart, MOVING, RESPONSES } from './copy-part.js';
import {
  findForeignFile,
  hashContent,
  inspectPlace,
  isTaken,
  makeFolders,
  readPlace,
  removeFiles,
  removeIfEmpty,
} from './copy-places.js';

/** The content of `publish.json`. */
export interface CopyFacts {
  format: 1;
  service: string;
  data_version: number;
  timeline: string;
  /** RFC 3339, UTC. */
  generated_at: string;
  /** The folder of the responses, relative to the copy's. */
  folder: string;
  offers: Record<'metric' | 'days' | 'provider' | 'units' | 'station_id', string[]>;
  providers: unknown[];
  attribution: string[];
  full_service?: string;
}

const INDEX = 'index.html';

/** Files that each copy has, and one of each folder: publish looks at their places before it begins. */
const USUAL_NAMES = [
  INDEX,
  '404.html',
  'README.txt',
  FACTS_FILE,
  'data/-',
  'assets/-',
  'badges/-',
  'charts/-',
  'seals/-',
];

/** The manifest as a file, and as it was read. */
type Before = ReturnType<typeof readManifest>;

/**
 * The folder of a copy. Only files of its last manifest are ever replaced or removed, and no link is followed. All is
 * written to a part first. finish() moves it to its place: a manifest with the files of both copies comes first, and
 * `index.html`, which names the responses, comes last. So wherever a publish is killed, the page has a whole copy, and the
 * next publish knows what is its own.
 */
export class CopyFolder {
  readonly #files = new Map<string, FileRecord>();
  /** The files that differ from those of the earlier copy. */
  readonly #changed = new Set<string>();
  readonly #madeFolders: string[] = [];
  readonly #part: CopyPart;

  /**
   * @param owned the files of the earlier copies
   * @param shown the folder of the responses that the page names
   */
  private constructor(
    readonly path: string,
    private readonly before: Before,
    private readonly owned: ReadonlyMap<string, FileRecord>,
    private readonly shown: string | undefined,
    private readonly stamp: string,
  ) {
    this.#part = new CopyPart(path);
  }

  /** @throws UserError for a folder with other files and no copy, and for a copy with files that are not as they were */
  static async open(given: string, now: Date): Promise<CopyFolder> {
    try {
      const path = isTaken(given) ? await realpath(given) : given;
      const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '');
      const before = readManifest(path);
      const foreign = before === undefined && isTaken(path) ? findForeignFile(path) : undefined;
      if (foreign !== undefined)
        throw new UserError(
          `DIR: ${path} has ${foreign} and no copy; name a new or empty folder, or that of an earlier copy`,
        );
      const owned = before === undefined ? new Map<string, never>() : findOwnedFiles(path, before.manifest);
      const folder = new CopyFolder(path, before, owned, findShown(before, owned), stamp);
      for (const name of USUAL_NAMES) folder.#checkPlace(name);
      return folder;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new UserError(`DIR: cannot read ${given} (${code}); name a folder`, { cause: error });
    }
  }

  get size(): number {
    return this.#files.size;
  }

  getTotals(): { files: number; bytes: number; kept: number } {
    const all = [...this.#files.values()];
    return {
      files: all.length,
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      kept: all.length - this.#changed.size,
    };
  }

  /** The place of a file of the earlier copy. */
  #getOld(name: string): { file: string; record: FileRecord | undefined } {
    const old = name.replace(/^responses/, this.shown ?? '');
    return { file: join(this.path, old), record: this.owned.get(old) };
  }

  /** @throws UserError where something is in the way of a file */
  #checkPlace(name: string): void {
    if (inspectPlace(this.path, name) === 'nothing' || this.owned.has(name)) return;
    throw new UserError(
      `DIR: ${join(this.path, name)} is in the way and not of the last copy; move it away, or name another folder`,
    );
  }

  /** The ETag of a file of the earlier copy that is there as it was. @param name responses begin with `responses/` */
  etagOf(name: string): string | undefined {
    const { file, record } = this.#getOld(name);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    return size === record?.bytes ? record?.etag : undefined;
  }

  /**
   * Adds a file, as the earlier copy has it if that is the same.
   * @throws UserError where something is in its way
   */
  async write(name: string, content: string | Buffer, etag?: string): Promise<void> {
    const sha256 = hashContent(content);
    const { file: oldFile, record } = this.#getOld(name);
    const isResponse = name.startsWith(RESPONSES);
    if (!isResponse) {
      if (!isCopyName(name)) throw new Error(`${name}: a manifest takes no such name`);
      this.#checkPlace(name);
    }
    if (record !== undefined && existsSync(oldFile)) {
      const isSame =
        record.sha256 === sha256 ||
        (isResponse && withoutTimes(await readFile(oldFile, 'utf8')) === withoutTimes(content.toString()));
      if (isSame) return this.keep(name, etag);
    }
    await writeFile(await this.#part.prepare(name), content);
    this.#changed.add(name);
    this.#files.set(name, { sha256, bytes: Buffer.byteLength(content), ...(etag && { etag }) });
  }

  /** The files of the earlier copies with names that begin so. */
  listOwned(start: string): string[] {
    return [...this.owned.keys()].filter((name) => name.startsWith(start));
  }

  /** Adds a file as the earlier copy has it. */
  async keep(name: string, newEtag?: string): Promise<void> {
    const { file: old, record } = this.#getOld(name);
    if (name.startsWith(RESPONSES)) await link(old, await this.#part.prepare(name));
    else if (this.#changed.has(name)) await rm(this.#part.pathOf(name));
    this.#changed.delete(name);
    this.#files.set(name, { ...record!, ...(newEtag && { etag: newEtag }) });
  }

  /** A response that has been added. */
  read(name: string): Promise<string> {
    return readFile(this.#part.pathOf(name), 'utf8');
  }

  /**
   * Puts the copy in the place of the earlier one, whose responses stay for pages that are open; older ones go.
   * @param complete adds the last files, which name the folder of the responses
   * @throws UserError if somebody has changed the folder meanwhile
   */
  async finish(version: number, complete: (folder: string) => Promise<CopyFacts>): Promise<CopyFacts> {
    let folder = `data/v${version}-${this.stamp}`;
    for (let next = 2; isTaken(join(this.path, folder)); next += 1)
      folder = `data/v${version}-${this.stamp}-${next}`;
    const facts = await complete(folder);
    await this.write(FACTS_FILE, `${JSON.stringify(facts, undefined, 1)}\n`);
    const named = [...this.#files].map(([name, file]) => [name.replace(/^responses/, folder), file]);
    const files = Object.fromEntries(named) as CopyManifest['files'];
    const old = [...this.owned.keys()].filter((name) => !(name in files));
    const stays = (name: string) => this.shown !== undefined && name.startsWith(`${this.shown}/`);
    await this.#stageManifest(MOVING, folder, files, [...this.owned.keys()]);
    const manifest = await this.#stageManifest(MANIFEST, folder, files, old.filter(stays));
    const removed = old.filter((name) => !stays(name));
    // A kill may have left folders of files that are gone.
    const gone = this.before ? listNames(this.before.manifest).filter((name) => !this.owned.has(name)) : [];
    const moved = [...this.#changed].filter((name) => !name.startsWith(RESPONSES) && name !== INDEX);
    if (this.#changed.has(INDEX)) moved.push(INDEX);
    this.#checkUnchanged();
    makeFolders(this.path, [folder, ...moved, ...removed], this.#madeFolders);
    this.#move(folder, moved, [...removed, ...gone.filter((name) => !(name in files))]);
    this.#changed.add(MANIFEST);
    this.#files.set(MANIFEST, { sha256: hashContent(manifest), bytes: Buffer.byteLength(manifest) });
    this.#part.remove();
    return facts;
  }

  /** Writes a manifest into the part. @param earlier names of files beside these, or in their places */
  async #stageManifest(
    name: string,
    folder: string,
    files: CopyManifest['files'],
    earlier: string[],
  ): Promise<string> {
    const hashes = earlier
      .map((each) => [each, this.owned.get(each)!.sha256] as const)
      .filter(([each, sha256]) => files[each]?.sha256 !== sha256);
    const manifest: CopyManifest = {
      ...{ format: 2, service: SERVICE, folder, files },
      earlier: Object.fromEntries(hashes),
    };
    const text = `${JSON.stringify(manifest).replaceAll('},"', '},\n"')}\n`;
    await writeFile(await this.#part.prepare(name), text);
    return text;
  }

  /** @throws UserError if the folder is not as it was when it was opened, or something is in the way of a file */
  #checkUnchanged(): void {
    if (readPlace(this.path, MANIFEST) !== this.before?.text)
      throw new UserError(`DIR: ${join(this.path, MANIFEST)} has changed meanwhile; publish again`);
    const owned = this.before && findOwnedFiles(this.path, this.before.manifest);
    for (const name of [...this.#files.keys()].filter((each) => !each.startsWith(RESPONSES)))
      if (this.#changed.has(name)) this.#checkPlace(name);
      else if (!owned?.has(name))
        throw new UserError(`DIR: ${join(this.path, name)} has been removed meanwhile; publish again`);
  }

  /** Nothing of it needs room, and nothing waits. */
  #move(folder: string, moved: string[], removed: string[]): void {
    try {
      this.#part.move(MOVING, MANIFEST);
      this.#part.move(RESPONSES, folder);
      for (const name of moved) this.#part.move(name, name);
      removeFiles(this.path, removed);
      this.#part.move(MANIFEST, MANIFEST);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      const state = 'the page has a whole copy, and the next publish goes on';
      throw new UserError(`DIR: cannot write all of ${this.path} (${code}); ${state}`, { cause: error });
    }
  }

  /** Removes what was written, so that the folder is as it was. */
  discard(): void {
    for (const folder of this.#madeFolders.reverse()) removeIfEmpty(folder);
    this.#part.remove();
  }
}

/** The folder of the responses that the page names: after a kill it may be the one before that of the manifest. */
function findShown(before: Before, owned: ReadonlyMap<string, FileRecord>): string | undefined {
  const folders = [...owned.keys()].filter((name) => name.startsWith('data/')).map(folderOfResponse);
  return folders.find((folder) => folder === before?.manifest.folder) ?? folders[0];
}

const folderOfResponse = (name: string): string => name.split('/').slice(0, 2).join('/');

/** A response without its times: one that a clock makes anew, such as the departures of today, is often as it was. */
const withoutTimes = (content: string): string =>
  content.replace(/"(generated_at|query_time_ms)":("[^"]*"|\d+)/g, '');
