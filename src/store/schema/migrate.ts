import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { StoreNotOpened } from '../errors.js';
import type { Store } from '../store.js';

// The folder is not compiled: it is found from the package, whether this runs as source or as built.
const QUERIES = dirname(createRequire(import.meta.url).resolve('#clickhouse/queries/pairs_difference.sql'));
const SQL_FOLDER = dirname(QUERIES);

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
    .replace(/--(?! shard: \w+\s*$).*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/**
 * Brings the tables up to date: runs, in order, the files of `clickhouse/schema/` that are not recorded yet. Each
 * is idempotent, so one that was cut short is run again as a whole. The files are written for one engine; the store
 * of a cluster carries their statements over (cluster.ts), so text and checksum are the same everywhere. Where nothing
 * is to be done nothing is written: a user who may only read can open the store.
 * @param cluster the cluster over which the tables are spread, if they are
 * @returns the names of the files applied now
 * @throws StoreNotOpened when a file that has been applied is not the same any more, or is gone, or when the tables
 * are a cluster's and none is named, or the other way round
 */
export async function migrate(store: Store, cluster?: string): Promise<string[]> {
  const [table] = await store.query(
    `SELECT engine FROM system.tables WHERE database = currentDatabase() AND name = 'migrations'`,
    {},
    z.object({ engine: z.string() }),
  );
  if (table === undefined) {
    await store.command(`
      -- shard: none
      CREATE TABLE IF NOT EXISTS migrations (
          name String,
          checksum FixedString(64),
          applied_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
      ) ENGINE = MergeTree ORDER BY name`);
  } else if ((table.engine === 'Distributed') !== (cluster !== undefined)) {
    throw new StoreNotOpened(
      cluster === undefined
        ? 'CLICKHOUSE_CLUSTER: the tables of this database are spread over a cluster; name it'
        : 'CLICKHOUSE_CLUSTER: the tables of this database are those of a single server; choose another CLICKHOUSE_DATABASE, and move the data as docs/operating.md says',
    );
  }
  const recorded = await store.query('SELECT name, checksum FROM migrations', {}, appliedRow);
  const applied = new Map(recorded.map(({ name, checksum }) => [name, checksum]));

  const files = (await readdir(join(SQL_FOLDER, 'schema')))
    .filter((name) => /^\d{3}_\w+\.sql$/.test(name))
    .sort();
  const unknown = [...applied.keys()].find((name) => !files.includes(name));
  if (unknown !== undefined) {
    throw new StoreNotOpened(
      `CLICKHOUSE_DATABASE: migration ${unknown} has been applied, but this version does not have it; use the version that wrote the data`,
    );
  }
  const appliedNow: string[] = [];
  for (const file of files) {
    const sql = await sqlFile(`schema/${file}`);
    const checksum = createHash('sha256').update(sql).digest('hex');
    const before = applied.get(file);
    if (before === checksum) continue;
    if (before !== undefined) {
      throw new StoreNotOpened(
        `clickhouse/schema/${file}: changed after it was applied to this database; restore it and put the change into a new numbered file`,
      );
    }
    for (const statement of statements(sql)) await store.command(statement);
    await store.insert('migrations', ['name', 'checksum'], [[file, checksum]]);
    appliedNow.push(file);
  }
  return appliedNow;
}
