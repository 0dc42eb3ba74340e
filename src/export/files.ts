import { createHash, type Hash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '../api/errors/api-error.js';

/** A download as a file that is whole. */
export interface ExportFile {
  /** In the folder. */
  path: string;
  bytes: number;
  /** A strong entity tag, of the bytes: made again, they might be compressed in another way. */
  tag: string;
  /** Rows. */
  total: number;
  /** How many read it at the moment. */
  readers: number;
  /** The state of its file when its content was last known to be whole. */
  checked?: string;
  checking?: Promise<boolean>;
}

/** Writes a file of so many rows. @throws ApiError where there is no room, and what its content throws */
export type Write = (total: number, content: AsyncIterable<Buffer>) => Promise<ExportFile>;

/** The extension of a file that is being written. After a kill, the next start removes it. */
const UNFINISHED = '.part';

/** Name, rows, bytes and digest of a file: by these another start knows it, and whether it is whole. */
const FORM = /^([\w-]{22})\.(\d+)\.(\d+)\.([\w-]{22})\.\w+$/;

const formatDigest = (hash: Hash): string => hash.digest('base64url').slice(0, 22);

/** Bytes that are hashed and written in one piece: 2 ms of the event loop. */
const BLOCK_BYTES = 1024 * 1024;

/**
 * The files of downloads that never change, each made once (D61). Together they have a bound, beyond which the one that
 * nobody has asked for the longest is removed, unless it is being read.
 */
export class ExportFiles {
  /** By name, the least recently used first. */
  readonly #files = new Map<string, ExportFile>();
  readonly #making = new Map<string, Promise<ExportFile>>();
  /** The bytes of all files, with those that are being written. */
  #bytes = 0;

  private constructor(
    readonly folder: string,
    private readonly maxBytes: number,
  ) {}

  /** The files of a folder, which is made with the first file. Removes files that a kill has left unfinished. */
  static async open(folder: string, maxBytes: number): Promise<ExportFiles> {
    const files = new ExportFiles(folder, maxBytes);
    for (const path of await readdir(folder).catch(() => [])) {
      if (path.endsWith(UNFINISHED)) await remove(join(folder, path));
      const [, name, rows, length, digest] = FORM.exec(path) ?? [];
      if (name === undefined) continue;
      const bytes = Number(length);
      files.#files.set(name, { path, bytes, tag: `"${digest}"`, total: Number(rows), readers: 0 });
      files.#bytes += bytes;
    }
    await files.#takeRoom(0);
    return files;
  }

  /** A file that is whole. One that was removed, cut off or damaged is forgotten, to be made again. */
  async find(name: string): Promise<ExportFile | undefined> {
    const file = this.#files.get(name);
    if (file === undefined) return undefined;
    const isWhole = await (file.checking ??= this.#isWhole(file).finally(() => delete file.checking));
    if (this.#files.get(name) !== file) return undefined; // it had to go meanwhile
    this.#files.delete(name);
    if (isWhole) this.#files.set(name, file);
    else {
      this.#bytes -= file.bytes;
      await remove(join(this.folder, file.path));
    }
    return isWhole ? file : undefined;
  }

  /** Whether a file has its length, and the digest in its name; that is read again when the disk says that it has changed. */
  async #isWhole(file: ExportFile): Promise<boolean> {
    const path = join(this.folder, file.path);
    try {
      const state = await readState(path);
      if (state.bytes !== file.bytes) return false;
      if (state.text === file.checked) return true;
      const hash = createHash('sha256');
      for await (const block of createReadStream(path, { highWaterMark: BLOCK_BYTES }))
        hash.update(block as Buffer);
      if (`"${formatDigest(hash)}"` !== file.tag) return false;
      file.checked = state.text;
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Makes a file. Requests for it meanwhile wait for the same work. It goes on when they leave, because it may take
   * longer than its first reader waits.
   * @throws what `work` throws
   */
  make(name: string, extension: string, work: (write: Write) => Promise<ExportFile>): Promise<ExportFile> {
    const known = this.#making.get(name);
    if (known !== undefined) return known;
    const making = work((total, content) => this.#write(name, extension, total, content)).finally(() =>
      this.#making.delete(name),
    );
    this.#making.set(name, making);
    making.catch(() => {}); // told to those who wait
    return making;
  }

  /** Reads a file, which stays meanwhile. */
  async read(file: ExportFile, work: () => Promise<void>): Promise<void> {
    file.readers += 1;
    try {
      await work();
    } finally {
      file.readers -= 1;
    }
  }

  async #write(
    name: string,
    extension: string,
    total: number,
    content: AsyncIterable<Buffer>,
  ): Promise<ExportFile> {
    const unfinished = join(this.folder, `${randomUUID()}${UNFINISHED}`);
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      const written = await onDisk(async () => {
        await mkdir(this.folder, { recursive: true, mode: 0o700 });
        return open(unfinished, 'wx', 0o600);
      });
      try {
        for await (const chunk of content) {
          for (let start = 0; start < chunk.length; start += BLOCK_BYTES) {
            const block = chunk.subarray(start, start + BLOCK_BYTES);
            await this.#takeRoom(block.length);
            bytes += block.length;
            hash.update(block);
            await onDisk(() => written.appendFile(block));
          }
        }
        await onDisk(() => written.sync());
      } finally {
        await written.close();
      }
      const digest = formatDigest(hash);
      const path = `${name}.${total}.${bytes}.${digest}.${extension}`;
      await onDisk(() => rename(unfinished, join(this.folder, path)));
      const { text: checked } = await onDisk(() => readState(join(this.folder, path)));
      const file = { path, bytes, tag: `"${digest}"`, total, readers: 0, checked };
      this.#files.set(name, file);
      return file;
    } catch (error) {
      this.#bytes -= bytes;
      await remove(unfinished);
      throw error;
    }
  }

  /** Takes room for more bytes, for which files may have to go. @throws ApiError without room */
  async #takeRoom(bytes: number): Promise<void> {
    while (this.#bytes + bytes > this.maxBytes) {
      const [oldest] = [...this.#files].filter(([, { readers }]) => readers === 0);
      if (oldest === undefined) throw noFile('does not fit into EXPORT_FILES_MB');
      const [name, file] = oldest;
      this.#files.delete(name);
      this.#bytes -= file.bytes;
      await remove(join(this.folder, file.path));
    }
    this.#bytes += bytes;
  }
}

/** The length of a file, and a text that changes when the file does. */
async function readState(path: string): Promise<{ bytes: number; text: string }> {
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  return { bytes: Number(size), text: `${mtimeNs} ${ino}` };
}

/** One that stays costs room, and harms nobody. */
const remove = (path: string): Promise<void> => rm(path, { force: true }).catch(() => {});

/** @throws ApiError in place of what the disk says, with its code alone: a path is for nobody */
async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw noFile(`cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

const noFile = (why: string): ApiError =>
  new ApiError(
    'STORE_UNAVAILABLE',
    `The file of this export ${why}; a GET without Range streams it, and a shorter window makes it smaller`,
  );
