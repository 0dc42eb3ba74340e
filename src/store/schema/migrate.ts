import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import {
  CODED_VARIABLES,
  type CodedVariable,
  enumElements,
  namesOfPeriod,
  ofPeriod,
  quoteNames,
} from '../../variables/codes.js';
import { bind, raw, sql } from '../../queries/sql.js';
import { StoreNotOpened } from '../store-errors.js';
import { openLocks } from '../lock/locks.js';
import { withLoadLock } from '../lock/lock.js';
import type { Store } from '../store.js';

// Migrations: applies the files of clickhouse/schema that a store has not seen, each once. A new store of the embedded engine
// is made of clickhouse/schema.sql, their outcome.

// The package, not the path of this file, leads to the folder: it is not compiled, and this file runs as source or built.
const SQL_FOLDER = join(createRequire(import.meta.url).resolve('#clickhouse/schema/001_loads.sql'), '../..');

const SCHEMA = join(SQL_FOLDER, 'schema');

const appliedRow = z.object({ name: z.string(), checksum: z.string() });

/** The text of a file in `clickhouse/`. */
export async function sqlFile(name: string): Promise<string> {
  return readFile(join(SQL_FOLDER, name), 'utf8');
}

/**
 * The statements of an .sql file, one each: a server takes one at a time. Comments are dropped, but for the line
 * `-- shard: ...` that tells cluster.ts how to spread the table after it.
 */
export function statements(sql: string): string[] {
  return sql
    .replace(/--(?! shard: \w+\s*$).*/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

interface Migration {
  file: string;
  text: string;
  checksum: string;
}

const getChecksum = (text: string): string => createHash('sha256').update(text).digest('hex');

/** How a variable is recorded beside the files, once the tables and views have taken it. */
const recordOf = ({ name, code, period }: CodedVariable): { name: string; checksum: string } => ({
  name: `variable ${name}`,
  checksum: getChecksum(`${code} ${period}`),
});

/** The statements by which tables and views take these variables. */
async function statementsOfVariables(variables: readonly CodedVariable[]): Promise<string[]> {
  const text = (await sqlFile('variables.sql'))
    .replaceAll('{METRICS}', enumElements(variables))
    .replaceAll('{METRICS_OF_HOURS}', enumElements(ofPeriod(variables, 'hour')))
    .replaceAll('{HOURS}', quoteNames(namesOfPeriod(variables, 'hour')));
  return statements(text);
}

/** The files of the last build before 1.0, whose tables are those of 1.0 and `network_days`; the first, and the last with its text. */
const BEFORE_1_0 = {
  count: 14,
  first: '001_facts.sql',
  last: '014_distributions.sql',
  checksum: '55a07dd1dee08f746ea41496648370ef5e5f48585a861c4e709bb12248ee0558',
};

/** The tables that the last build before 1.0 had and 1.0 has not. */
const DROPPED_BY_1_0 = ['network_days', 'touched_day_hours'];

/** The tables that an earlier build had and this one has not. */
export const DROPPED_TABLES = [...DROPPED_BY_1_0, 'feed_blocks', 'staged_lines'];

/** Which build made tables with these migrations: 1.0 or a later one, the last before it, or an earlier one. */
export function findOrigin(migrations: ReadonlyMap<string, string>): '1.0' | 'before 1.0' | 'earlier' {
  const { count, first, last, checksum } = BEFORE_1_0;
  if (!migrations.has(first)) return '1.0';
  return migrations.size === count && migrations.get(last) === checksum ? 'before 1.0' : 'earlier';
}

/** The disk of an embedded engine, on which a CREATE or an ALTER may leave an empty definition, and report success. */
export interface MigrationDisk {
  /** Runs before the first statement, and before a file is recorded. @throws StoreNotWritable for a full disk */
  confirmRoom(): Promise<void>;
  /** Runs before the statements of a file, which may change tables that are there. */
  keepDefinitions(): Promise<void>;
}

/**
 * Brings the tables up to date: runs, in order, the files of `clickhouse/schema/` that are not recorded yet. Each
 * is idempotent, so one that was cut short runs again as a whole. The files are written for one engine; the store of
 * a cluster translates their statements (cluster.ts), so text and checksum are the same everywhere.
 *
 * The tables of the last build before 1.0 are taken over: its records go, and the files run on tables that are there.
 *
 * Then tables and views take the variables of the registry that they do not have yet (`clickhouse/variables.sql`).
 *
 * A new store of the embedded engine is made of `clickhouse/schema.sql`, in less than half as many statements. A server runs
 * the files: its version may not be that of the engine that wrote this one.
 *
 * The files run under the load lock, and what is recorded is read again inside it: of two servers that start at once, one makes
 * the tables and the other finds them made. With nothing outstanding they take no lock and write nothing: a user with
 * no right but to read can open the store.
 * @param cluster the cluster over which the tables are spread, if they are.
 * @param options.folder where the files are that run, also for a new store.
 * @param options.variables the coded variables of the registry, or others for a test.
 * @param options.isAlone no other process can reach this database, as an embedded engine knows of its own: no lock.
 * @returns the names of the files applied now, and `variable NAME` of each variable taken.
 * @throws StoreNotOpened when a file or a variable has changed or gone since it was applied; when an earlier build made the
 * tables; when they are a cluster's and none is named, or the other way round.
 * @throws UserError when the lock is not free in time
 */
export async function migrate(
  store: Store,
  cluster?: string,
  { isAlone = false, folder, variables = CODED_VARIABLES, disk }: MigrateOptions = {},
): Promise<string[]> {
  const outstanding = await findOutstanding(store, cluster, variables, folder);
  if (outstanding.migrations.length === 0 && outstanding.newVariables.length === 0) return [];
  if (isAlone) {
    const left = outstanding.isUnrecorded && folder === undefined ? await findLeftTables(store) : undefined;
    if (left !== undefined) return makeTables(store, outstanding, left, disk);
    return apply(store, outstanding, disk);
  }
  await openLocks(store).prepare?.();
  return withLoadLock(
    store,
    async (locked) => apply(locked, await findOutstanding(locked, cluster, variables, folder)),
    {
      onWait: (line) => console.error(line),
    },
  );
}

export interface MigrateOptions {
  isAlone?: boolean;
  folder?: string;
  variables?: readonly CodedVariable[];
  disk?: MigrationDisk;
}

interface Outstanding {
  /** Files that are not recorded yet. */
  migrations: Migration[];
  variables: readonly CodedVariable[];
  /** The ones that are not recorded yet. */
  newVariables: readonly CodedVariable[];
  /** Whether the last build before 1.0 made the tables. */
  isTakeOver: boolean;
  /** Whether nothing is recorded: a new store, or a first start that was cut short. */
  isUnrecorded: boolean;
}

/** The files to run; changes nothing. */
async function findOutstanding(
  store: Store,
  cluster: string | undefined,
  variables: readonly CodedVariable[],
  folder = SCHEMA,
): Promise<Outstanding> {
  const recorded = await appliedMigrations(store, cluster);
  const origin = findOrigin(recorded);
  if (origin === 'earlier') {
    throw new StoreNotOpened(
      'DATA_DIR, CLICKHOUSE_DATABASE: the tables were made by an earlier build; load the feeds again, into a new folder or database',
    );
  }
  const isTakeOver = origin === 'before 1.0';
  const applied = isTakeOver ? new Map<string, string>() : recorded;
  const files = (await readdir(folder)).filter((name) => /^\d{3}_\w+\.sql$/.test(name)).sort();
  const declared = new Map(variables.map(recordOf).map(({ name, checksum }) => [name, checksum]));
  const unknown = [...applied.keys()].find((name) => !files.includes(name) && !declared.has(name));
  if (unknown !== undefined) {
    throw new StoreNotOpened(
      `CLICKHOUSE_DATABASE: migration ${unknown} has been applied, but this version does not have it; use the version that wrote the data`,
    );
  }
  const changed = [...declared].find(([name, checksum]) => (applied.get(name) ?? checksum) !== checksum);
  if (changed !== undefined) {
    throw new StoreNotOpened(
      `src/variables: the code or the period of ${changed[0]} has changed after this database took it; restore both, and declare another variable`,
    );
  }
  const migrations: Migration[] = [];
  for (const file of files) {
    const text = await readFile(join(folder, file), 'utf8');
    const checksum = getChecksum(text);
    const before = applied.get(file);
    if (before === undefined) migrations.push({ file, text, checksum });
    else if (before !== checksum) {
      throw new StoreNotOpened(
        `clickhouse/schema/${file}: changed after it was applied to this database; restore it and put the change into a new numbered file`,
      );
    }
  }
  const newVariables = variables.filter((variable) => !applied.has(recordOf(variable).name));
  return { migrations, variables, newVariables, isTakeOver, isUnrecorded: recorded.size === 0 };
}

/** The engine of a table, if there is one of this name. */
async function getEngine(store: Store, name: string): Promise<string | undefined> {
  const [table] = await store.query(
    sql.rows(
      z.object({ engine: z.string() }),
    )`SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = ${bind({ name }, 'String')}`,
  );
  return table?.engine;
}

/** The checksum of each file that is recorded as applied. */
async function appliedMigrations(
  store: Store,
  cluster: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  const engine = await getEngine(store, 'migrations');
  if (engine === undefined) return new Map();
  if ((engine === 'Distributed') !== (cluster !== undefined)) {
    throw new StoreNotOpened(
      cluster === undefined
        ? 'CLICKHOUSE_CLUSTER: the tables of this database are spread over a cluster; name it'
        : 'CLICKHOUSE_CLUSTER: the tables of this database are those of a single server; choose another CLICKHOUSE_DATABASE, and move the data as docs/operating.md says',
    );
  }
  return recordedMigrations(store);
}

/** The SHA-256 of each file of clickhouse/schema that the tables are made of. */
export async function recordedMigrations(store: Store): Promise<ReadonlyMap<string, string>> {
  const recorded = await store.query(
    sql.rows(appliedRow)`SELECT name, checksum FROM migrations ORDER BY name`,
  );
  return new Map(recorded.map(({ name, checksum }) => [name, checksum]));
}

/** The tables and views of a first start that was cut short, views first. Undefined if a table has rows, or had some that the disk has lost. */
async function findLeftTables(store: Store): Promise<string[] | undefined> {
  const tables = await store.query(
    sql.rows(z.object({ name: z.string(), has_rows: z.coerce.boolean() }))`
      SELECT name, name != 'lineages' AND ifNull(total_rows > 0, false)
        OR name IN (SELECT table FROM system.detached_parts WHERE database = currentDatabase()) AS has_rows
      FROM system.tables
      WHERE database = currentDatabase()
      ORDER BY NOT endsWith(engine, 'View')`,
  );
  return tables.some(({ has_rows }) => has_rows) ? undefined : tables.map(({ name }) => name);
}

/**
 * Makes all tables of a new store. Nothing is recorded before the end, so after a kill the next start makes them anew: another
 * version may have made what is left.
 */
async function makeTables(
  store: Store,
  { migrations, newVariables }: Outstanding,
  left: readonly string[],
  disk?: MigrationDisk,
): Promise<string[]> {
  await disk?.confirmRoom();
  if (left.length > 0) await store.command(sql`DROP TABLE ${raw(left.join(', '))} SYNC`);
  await run(store, statements(await sqlFile('schema.sql')));
  await disk?.confirmRoom();
  for (const { text } of migrations) await run(store, rowStatements(text));
  return record(store, [
    ...migrations.map(({ file, checksum }) => ({ name: file, checksum })),
    ...newVariables.map(recordOf),
  ]);
}

/** @returns their names */
async function record(
  store: Store,
  applied: readonly { name: string; checksum: string }[],
): Promise<string[]> {
  await store.insert(
    'migrations',
    ['name', 'checksum'],
    applied.map(({ name, checksum }) => [name, checksum]),
  );
  return applied.map(({ name }) => name);
}

const CHANGES_ROWS = /^(INSERT INTO|DELETE FROM|ALTER TABLE \w+ (UPDATE|DELETE|MATERIALIZE))\b/;

/**
 * Runs the statements about rows in files of `clickhouse/schema/`, on older rows that a restore has put into the tables of this
 * version. Their definitions are there already: made again, a table that a later file drops would stay.
 */
export async function migrateRows(store: Store, files: readonly string[]): Promise<void> {
  for (const file of files.filter((name) => name.endsWith('.sql')))
    await run(store, rowStatements(await sqlFile(`schema/${file}`)));
  await run(store, rowStatements(await sqlFile('variables.sql')));
}

const rowStatements = (text: string): string[] =>
  statements(text).filter((statement) => CHANGES_ROWS.test(statement));

/**
 * The statements of a file, with all variables where it has those of its time. A file may run on tables that have more, because
 * its record is lost. It would take some back, and an Enum of a key refuses that.
 */
export const statementsOf = (text: string, variables: readonly CodedVariable[] = CODED_VARIABLES): string[] =>
  statements(text).map((statement) =>
    statement.replace(/(?<=MODIFY COLUMN metric )Enum8\([^)]*\)$/, `Enum8(${enumElements(variables)})`),
  );

async function run(store: Store, all: readonly string[]): Promise<void> {
  for (const statement of all) await store.command(raw(statement));
}

async function apply(
  store: Store,
  { migrations, variables, newVariables, isTakeOver }: Outstanding,
  disk?: MigrationDisk,
): Promise<string[]> {
  await disk?.confirmRoom();
  if (isTakeOver) {
    // A killed load may have left some.
    if ((await getEngine(store, 'touched_day_hours')) !== undefined)
      await store.command(sql`INSERT INTO touched_days SELECT * FROM touched_day_hours`);
    await store.command(sql`DROP VIEW IF EXISTS unsettled_hours`);
    for (const name of DROPPED_BY_1_0) await store.command(sql`DROP TABLE IF EXISTS ${raw(name)} SYNC`);
    await store.command(sql`TRUNCATE TABLE migrations`); // cut short after this, all files run on the tables that are there
  } else if (migrations.length > 0) await store.command(MIGRATIONS_TABLE);
  const applied: string[] = [];
  const applyStep = async (step: readonly string[], records: Parameters<typeof record>[1]): Promise<void> => {
    await disk?.keepDefinitions();
    await run(store, step);
    await disk?.confirmRoom();
    applied.push(...(await record(store, records)));
  };
  for (const { file, text, checksum } of migrations)
    await applyStep(statementsOf(text, variables), [{ name: file, checksum }]);
  if (newVariables.length > 0)
    await applyStep(await statementsOfVariables(variables), newVariables.map(recordOf));
  return applied;
}

const MIGRATIONS_TABLE = sql`
  -- shard: none
  CREATE TABLE IF NOT EXISTS migrations (
      name String,
      checksum FixedString(64),
      applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
  ) ENGINE = MergeTree ORDER BY name`;
