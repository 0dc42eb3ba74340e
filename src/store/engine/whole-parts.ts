import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { storeError } from '../store-errors.js';
import { hasRoom } from './folder.js';
import { quoted } from './transport.js';

// A full disk. The embedded engine (26.7) ignores every error of write(2): with ENOSPC, an INSERT, a merge or a CREATE writes files
// that are empty or cut off, renames the part, and reports success; fsync settings change nothing, as no byte is left to sync.
// So nothing begins without room (MIN_ROOM_BYTES), and where another program takes that, the files of parts are looked at.

/** With less room than that before or after a statement, the files of its parts are looked at, in 2 ms. */
const TIGHT_ROOM_BYTES = 1024 ** 3;

/**
 * Files of a part that are not in its `bytes_on_disk`. The largest has some 1,300 bytes; a file of one block is whole or empty.
 */
const NOT_COUNTED = new Set([
  'checksums.txt',
  'columns.txt',
  'columns_substreams.txt',
  'default_compression_codec.txt',
  'metadata_version.txt',
]);

const partRow = z.object({
  table: z.string(),
  name: z.string(),
  path: z.string(),
  bytes_on_disk: z.number(),
  modified_s: z.number(),
});

type Part = z.infer<typeof partRow>;

const ACTIVE_PARTS = `SELECT table, name, path, bytes_on_disk, toUnixTimestamp(modification_time) AS modified_s
    FROM system.parts
    WHERE active AND database = currentDatabase()`;

/** Parts that the engine could not read as it opened their table, and put aside; part is the name that each had. */
const DETACHED_PARTS = `SELECT
      table, name, partition_id, min_block_number, max_block_number, modification_time,
      replaceRegexpAll(name, '^broken(-on-start)?_|_try[0-9]+$', '') AS part
    FROM system.detached_parts
    WHERE database = currentDatabase() AND startsWith(ifNull(reason, ''), 'broken')`;

/**
 * The detached parts with their sources: other parts, not younger, that begin and end with the same blocks. The engine removes all sources of a
 * part at once. It gives the blocks of a part that it put aside to later ones, so these do not count.
 */
const REPLACED_PARTS = `SELECT detached.table AS table, detached.name AS name, any(detached.part) AS part
    FROM (${DETACHED_PARTS}) AS detached
    INNER JOIN (
      SELECT table, name, partition_id, min_block_number, max_block_number, modification_time
      FROM system.parts
      WHERE database = currentDatabase()
    ) AS source
    ON source.table = detached.table AND source.partition_id = detached.partition_id
    WHERE source.name != detached.part AND source.modification_time <= detached.modification_time
      AND source.min_block_number >= detached.min_block_number AND source.max_block_number <= detached.max_block_number
    GROUP BY table, name
    HAVING min(source.min_block_number) = any(detached.min_block_number)
      AND max(source.max_block_number) = any(detached.max_block_number)`;

const detachedRow = z.object({ table: z.string(), name: z.string(), part: z.string() });

/** An error with the code by which the engine, and another process on it, tell a full disk. */
const notEnoughSpace = (message: string): Error =>
  Object.assign(new Error(message), { code: '243', type: 'NOT_ENOUGH_SPACE' });

/**
 * Looks at the files of parts, and mends what a full disk has emptied. A merged part is taken back from its sources, which the
 * engine keeps for 8 minutes. A part of the statement that has just ended is removed, and the statement fails.
 */
export class WholeParts {
  /** Parts that went back to their sources, since the start. */
  takenBack = 0;
  /** Settles when the tables that are read anew are there again; other statements wait for it. */
  mending: Promise<void> | undefined;
  /** Paths of active parts that were whole. */
  #whole = new Set<string>();
  #looking: Promise<unknown> = Promise.resolve();

  /**
   * @param folder of the engine.
   * @param run runs a statement on the engine.
   * @param log receives a line for each part.
   * @param openedAt when it began to open, Unix ms. The engine compares the sizes of all files then, so older parts are whole.
   */
  constructor(
    private readonly folder: string,
    private readonly run: (sql: string) => Promise<Buffer>,
    private readonly log: (line: string) => void,
    private readonly openedAt: number,
  ) {}

  /** Whether the disk has so little room that a statement may have written less than it reports. */
  async isTight(): Promise<boolean> {
    return !(await hasRoom(this.folder, TIGHT_ROOM_BYTES));
  }

  /**
   * Looks at the parts that a statement may have written.
   * @param since when it began, Unix ms
   * @throws StoreNotWritable if the statement has written a part that is not whole
   */
  async confirmStatement(since: number): Promise<void> {
    await this.#lookInTurn(async () => this.#mend(await this.#findBroken(), since));
  }

  /**
   * Looks at all parts that were written since the engine opened.
   * @returns how many are not whole and have no sources: they are put aside, as damage
   */
  async confirmAll(): Promise<number> {
    return this.#lookInTurn(async () => this.#mend(await this.#findBroken()));
  }

  /** Drops the parts that the engine put aside as it opened, if it has all that they were made of. */
  async confirmOpened(): Promise<void> {
    if ((await this.#rows(detachedRow, DETACHED_PARTS)).length > 0) await this.#dropReplaced();
  }

  /** Drops the parts that the engine put aside while it opened a table, if it has all that they were made of. */
  async #dropReplaced(): Promise<void> {
    for (const { table, name, part } of await this.#rows(detachedRow, REPLACED_PARTS)) {
      await this.#dropDetached(table, name);
      this.takenBack += 1;
      this.log(
        `DATA_DIR: part ${part} of ${table} was not written whole, as on a full disk; taken back from its sources, nothing is lost; make room`,
      );
    }
  }

  async #lookInTurn<Result>(look: () => Promise<Result>): Promise<Result> {
    const looking = this.#looking.then(look);
    this.#looking = looking.catch(() => {});
    return looking;
  }

  async #findBroken(): Promise<Part[]> {
    const active = await this.#rows(partRow, ACTIVE_PARTS);
    const isOld = ({ modified_s, path }: Part): boolean =>
      (modified_s + 1) * 1000 <= this.openedAt || this.#whole.has(path);
    const broken: Part[] = [];
    for (const part of active) {
      if (!isOld(part) && !isWhole(part)) broken.push(part);
    }
    const paths = new Set(broken.map(({ path }) => path));
    this.#whole = new Set(active.map(({ path }) => path).filter((path) => !paths.has(path)));
    if (broken.length === 0) return [];
    // A part that was merged or truncated meanwhile has lost its files rightly.
    const still = new Set((await this.#rows(partRow, ACTIVE_PARTS)).map(({ path }) => path));
    return broken.filter(({ path }) => still.has(path));
  }

  /**
   * The engine reads the parts of their tables anew, puts aside those that are not whole, and takes their sources.
   * @param since when the statement began that may have written them, Unix ms; if not given, its parts count as damage
   * @returns how many parts have no sources
   */
  async #mend(broken: readonly Part[], since = Infinity): Promise<number> {
    if (broken.length === 0) return 0;
    this.mending = this.#readAnew(new Set(broken.map(({ table }) => table))).finally(() => {
      this.mending = undefined;
    });
    await this.mending;
    await this.#dropReplaced();
    const unwritten: Part[] = [];
    let damaged = 0;
    for (const { table, name, part } of await this.#rows(detachedRow, DETACHED_PARTS)) {
      const found = broken.find((each) => each.table === table && each.name === part);
      if (found === undefined) continue;
      if ((found.modified_s + 1) * 1000 <= since) damaged += 1;
      else {
        await this.#dropDetached(table, name);
        unwritten.push(found);
      }
    }
    if (unwritten.length === 0) return damaged;
    const named = unwritten.map(({ table, name }) => `${name} of ${table}`).join(', ');
    throw storeError(notEnoughSpace(`Cannot write ${named}: the disk is full`));
  }

  async #readAnew(tables: ReadonlySet<string>): Promise<void> {
    for (const table of tables) {
      await this.run(`DETACH TABLE ${table} SYNC`);
      await this.run(`ATTACH TABLE ${table}`);
    }
  }

  async #dropDetached(table: string, name: string): Promise<void> {
    await this.run(
      `ALTER TABLE ${table} DROP DETACHED PART ${quoted(name)} SETTINGS allow_drop_detached = 1`,
    );
  }

  async #rows<Row>(row: z.ZodType<Row>, sql: string): Promise<Row[]> {
    const json = await this.run(`${sql}\nFORMAT JSON`);
    return z.object({ data: z.array(row) }).parse(JSON.parse(json.toString())).data;
  }
}

/** Whether the files of a part have the bytes that the engine has in mind, and no other file is empty. */
function isWhole({ path, bytes_on_disk }: Part): boolean {
  try {
    let bytes = 0;
    for (const name of readdirSync(path)) {
      const { size } = statSync(join(path, name));
      if (size === 0) return false;
      if (!NOT_COUNTED.has(name)) bytes += size;
    }
    return bytes === bytes_on_disk;
  } catch {
    return false;
  }
}
