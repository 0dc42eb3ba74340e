import { createHash } from 'node:crypto';
import { existsSync, renameSync, statSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UserError } from '../lib/user-error.js';

/** A file of a copy. */
interface FileRecord {
  sha256: string;
  bytes: number;
  /** The ETag of the response that it is. */
  etag?: string;
}

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
  offers: Record<'metric' | 'days' | 'provider' | 'temp_unit' | 'station_id', string[]>;
  providers: unknown[];
  attribution: string[];
  full_service?: string;
}

/** The content of `manifest.json`; the folder is that of the responses. */
interface Manifest {
  folder: string;
  files: Record<string, FileRecord>;
}

const FACTS = 'publish.json';
const MANIFEST = 'manifest.json';
const INDEX = 'index.html';
const RESPONSES = 'responses/';

/**
 * The folder of a copy. All is written beside it, in a folder `.part`; finish() then moves it to its place, and
 * `index.html`, which names the responses, comes last: wherever a publish is killed, the page has a whole copy.
 */
export class CopyFolder {
  readonly #files = new Map<string, FileRecord>();
  /** The files that differ from those of the earlier copy. */
  readonly #changed = new Set<string>();
  #made: string | undefined;

  private constructor(
    readonly path: string,
    private readonly before: Manifest | undefined,
    private readonly stamp: string,
    private readonly part: string,
  ) {}

  /** @throws UserError for a folder with anything else than a copy */
  static async open(path: string, now: Date): Promise<CopyFolder> {
    const names = await readdir(path).catch((error: NodeJS.ErrnoException): string[] => {
      if (error.code === 'ENOENT') return [];
      throw new UserError(`DIR: cannot read ${path} (${error.code ?? ''}); name a folder`, { cause: error });
    });
    const stamp = now.toISOString().slice(0, 16).replace(/[-:]/g, '');
    const part = join(path, 'data', `${stamp}.${process.pid}.part`);
    await rm(part, { recursive: true, force: true }); // in a container each process has the same id
    // A first publish that was killed has left nothing but parts.
    const parts = names.join() === 'data' ? await readdir(join(path, 'data')) : names;
    if (parts.every((name) => name.endsWith('.part'))) return new CopyFolder(path, undefined, stamp, part);
    if (!names.includes(FACTS))
      throw new UserError(
        `${path} is not empty and has no ${FACTS}; name a new folder, or one of an earlier copy`,
      );
    const { format, folder } = (await readJson(join(path, FACTS))) as CopyFacts;
    if (format !== 1) throw new UserError(`${path}: ${FACTS} has a format other than 1; name a new folder`);
    const before = await readJson(join(path, MANIFEST)).catch(() => ({ folder, files: {} }));
    return new CopyFolder(path, before as Manifest, stamp, part);
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
    const old = name.replace(/^responses/, this.before?.folder ?? '');
    return { file: join(this.path, old), record: this.before?.files[old] };
  }

  /** The ETag of a file of the earlier copy that is there as it was. @param name responses begin with `responses/` */
  etagOf(name: string): string | undefined {
    const { file, record } = this.#getOld(name);
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    return size === record?.bytes ? record?.etag : undefined;
  }

  /** Adds a file, as the earlier copy has it if that is the same. */
  async write(name: string, content: string | Buffer, etag?: string): Promise<void> {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const { file: oldFile, record } = this.#getOld(name);
    const isResponse = name.startsWith(RESPONSES);
    if (record !== undefined && existsSync(oldFile)) {
      const isSame =
        record.sha256 === sha256 ||
        (isResponse && withoutTimes(await readFile(oldFile, 'utf8')) === withoutTimes(content.toString()));
      if (isSame) return this.keep(name, etag);
    }
    const file = join(this.part, name);
    this.#made ??= await mkdir(this.path, { recursive: true });
    await mkdir(dirname(file), { recursive: true });
    if (this.#files.has(name)) await rm(file, { force: true }); // a link would be written through
    await writeFile(file, content);
    this.#changed.add(name);
    this.#files.set(name, { sha256, bytes: Buffer.byteLength(content), ...(etag && { etag }) });
  }

  /** Adds a file as the earlier copy has it. */
  async keep(name: string, newEtag?: string): Promise<void> {
    const { file: old, record } = this.#getOld(name);
    const file = join(this.part, name);
    if (this.#files.has(name)) await rm(file, { force: true });
    if (name.startsWith(RESPONSES)) {
      await mkdir(dirname(file), { recursive: true });
      await link(old, file);
    }
    this.#changed.delete(name);
    this.#files.set(name, { ...record!, ...(newEtag && { etag: newEtag }) });
  }

  /** A response that has been added. */
  read(name: string): Promise<string> {
    return readFile(join(this.part, name), 'utf8');
  }

  /**
   * Puts the copy in the place of the earlier one, whose responses stay for pages that are open; older ones go.
   * @param complete adds the last files, which name the folder of the responses
   */
  async finish(version: number, complete: (folder: string) => Promise<CopyFacts>): Promise<CopyFacts> {
    let folder = `data/v${version}-${this.stamp}`;
    for (let next = 2; existsSync(join(this.path, folder)); next += 1)
      folder = `data/v${version}-${this.stamp}-${next}`;
    const facts = await complete(folder);
    await this.write(FACTS, `${JSON.stringify(facts, undefined, 1)}\n`);
    const named = [...this.#files].map(([name, file]) => [name.replace(/^responses/, folder), file]);
    const files = Object.fromEntries(named) as Manifest['files'];
    await this.write(
      MANIFEST,
      `${JSON.stringify({ format: 1, folder, files }).replaceAll('},"', '},\n"')}\n`,
    );
    const last = [MANIFEST, FACTS, INDEX];
    const others = [...this.#changed].filter((name) => !name.startsWith(RESPONSES) && !last.includes(name));
    // A folder with facts is one of a copy, which the next publish takes even if this one is killed here.
    if (this.before === undefined) this.#move(FACTS);
    for (const parent of new Set(others.map(dirname)))
      await mkdir(join(this.path, parent), { recursive: true });
    // From here on nothing needs room, and nothing waits.
    renameSync(join(this.part, RESPONSES), join(this.path, folder));
    for (const name of [...others, ...last]) this.#move(name);
    await this.#removeOld(folder, files);
    return facts;
  }

  #move(name: string): void {
    const file = join(this.part, name);
    if (existsSync(file)) renameSync(file, join(this.path, name));
  }

  async #removeOld(folder: string, files: Manifest['files']): Promise<void> {
    const { folder: oldFolder = '', files: oldFiles = {} } = this.before ?? {};
    const known = [folder, oldFolder, ...[...Object.keys(files), ...Object.keys(oldFiles)].map(dirname)];
    for (const parent of ['data', 'assets'])
      for (const name of await readdir(join(this.path, parent)))
        if (!known.includes(`${parent}/${name}`))
          await rm(join(this.path, parent, name), { recursive: true, force: true });
    for (const name of Object.keys(oldFiles))
      if (!(name in files) && !/^(data|assets)\/|\.\./.test(name))
        await rm(join(this.path, name), { force: true });
  }

  /** Removes what was written, so that the folder is as it was. */
  async discard(): Promise<void> {
    await rm(this.part, { recursive: true, force: true });
    await rmdir(join(this.path, 'data')).catch(() => {}); // it has an earlier copy
    if (this.#made !== undefined) await rmdir(this.path).catch(() => {});
  }
}

/** A response without its times: one that a clock makes anew, such as the departures of today, is often as it was. */
const withoutTimes = (content: string): string =>
  content.replace(/"(generated_at|query_time_ms)":("[^"]*"|\d+)/g, '');

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(file, 'utf8')) as unknown;
