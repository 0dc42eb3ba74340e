/** Several servers that share the tables. */
export interface Cluster {
  /** As the servers' `remote_servers` calls it. */
  name: string;
  database: string;
}

/**
 * Settings that make statements written for one engine mean the same in a cluster. The client sends them with each.
 *
 * No response depends on the shard of a row: a subquery reads a table whole, from all shards, once. An insert has arrived
 * when it returns. Reads and writes go to the first replica of a shard that is up, so a load sees its own writes.
 */
export const CLUSTER_SETTINGS = {
  distributed_product_mode: 'global',
  distributed_foreground_insert: 1,
  parallel_distributed_insert_select: '0',
  load_balancing: 'in_order',
  prefer_localhost_replica: 0,
  max_replica_delay_for_distributed_queries: '1', // s; a replica that is farther behind answers only if no other can
  skip_unavailable_shards: 0, // half the pairs would be a wrong number
  distributed_ddl_output_mode: 'none', // waits for every server, and fails if one does
} as const;

/** The expression by which a Distributed table chooses the shard of a row, by the word of the `-- shard:` line. */
const SHARD: Record<string, string> = {
  station_id: 'cityHash64(station_id)',
  none: '0',
  local: '0',
  keeper: '',
};

/**
 * The statements of a cluster for one that is written for a single engine. Each table becomes a replicated one on
 * every shard, `NAME_local`, with its views beside it, and `NAME` itself, which reads and fills all of them. The line
 * `-- shard:` in front of a table says which shard takes a row: `station_id` the one of its hash; `none` the first,
 * for small tables; `local` the one with the view that made it, so readers sum the table up; `keeper` that Keeper has it.
 * INSERT and SELECT stay as they are.
 *
 * The tables take the same rows twice, as one server's do: to add, withdraw and add again a pair are three changes, and
 * a replicated table would drop the last as a repetition of the first.
 * @throws Error for a definition of a kind that is not listed here, and for a table without the line for its shard
 */
export function inCluster(sql: string, { name, database }: Cluster): string[] {
  const text = sql.trim();
  const [shardLine = '', shardedBy] = /^-- shard: (\w+)[^\S\n]*\n/.exec(text) ?? [];
  const statement = text.slice(shardLine.length).trim();
  if (/^(INSERT|SELECT|WITH|(ALTER TABLE|DELETE FROM) load_lock_claims)\b/.test(statement))
    return [statement];
  const on = `ON CLUSTER \`${name}\``;
  if (statement.startsWith('CREATE VIEW IF NOT EXISTS ')) {
    const named = statement.replace(/^(CREATE VIEW IF NOT EXISTS )(\w+)/, `$1${database}.$2 ${on}`);
    return [named.replace(/\bFROM (\w+)/g, `FROM ${database}.$1`)];
  }
  const shard = shardedBy === undefined ? undefined : SHARD[shardedBy];
  const form = formsOf({ name, database }, on, shard).find(([written]) => written.test(statement));
  if (form === undefined)
    throw new Error(`src/store/engine/cluster.ts has no form for a cluster of: ${statement}`);
  if (shard === undefined && /^CREATE TABLE IF NOT EXISTS\b/.test(statement))
    throw new Error(`no line "-- shard: ${Object.keys(SHARD).join(' | ')}" in front of: ${statement}`);
  const [written, ...cluster] = form;
  return cluster.map((one) => statement.replace(written, one));
}

/** Each kind of definition as it is written for one engine, and its statements in a cluster. */
function formsOf({ name, database }: Cluster, on: string, shard = ''): [RegExp, ...string[]][] {
  const distributed = `CREATE TABLE IF NOT EXISTS ${database}.$1 ${on} AS ${database}.$1_local ENGINE = Distributed('${name}', '${database}', '$1_local', ${shard})`;
  return [
    [
      /^CREATE TABLE IF NOT EXISTS (\w+) (\(.+\)) ENGINE = (\w*MergeTree\b.*)\sSETTINGS (.+)$/s,
      `CREATE TABLE IF NOT EXISTS ${database}.$1_local ${on} $2 ENGINE = Replicated$3 SETTINGS $4, replicated_deduplication_window = 0`,
      distributed,
    ],
    [
      /^CREATE TABLE IF NOT EXISTS (\w+) (\(.+\)) ENGINE = (\w*MergeTree\b.*)$/s,
      `CREATE TABLE IF NOT EXISTS ${database}.$1_local ${on} $2 ENGINE = Replicated$3 SETTINGS replicated_deduplication_window = 0`,
      distributed,
    ],
    // The locks of loads (lock/locks.ts): the rows are in Keeper, and every server sees them.
    [
      /^CREATE TABLE IF NOT EXISTS (\w+) (\(.+\)) ENGINE = KeeperMap PRIMARY KEY (\w+)$/s,
      `CREATE TABLE IF NOT EXISTS ${database}.$1 ${on} $2 ENGINE = KeeperMap('/${name}/${database}/$1') PRIMARY KEY $3`,
    ],
    [
      /^CREATE TABLE IF NOT EXISTS (\w+) (\(.+\)) ENGINE = Null$/s,
      `CREATE TABLE IF NOT EXISTS ${database}.$1_local ${on} $2 ENGINE = Null`,
      distributed,
    ],
    [
      /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+) TO (\w+) AS\s(.+)\bFROM (\w+)(\W.*)?$/s,
      `CREATE MATERIALIZED VIEW IF NOT EXISTS ${database}.$1 ${on} TO ${database}.$2_local AS $3FROM ${database}.$4_local$5`,
    ],
    [
      /^ALTER TABLE (\w+) (ADD COLUMN .+), (MODIFY ORDER BY .+)$/s,
      `ALTER TABLE ${database}.$1_local ${on} $2, $3`,
      `ALTER TABLE ${database}.$1 ${on} $2`,
    ],
    [
      /^ALTER TABLE (\w+) ((?:ADD|MODIFY|DROP) COLUMN .+)$/s,
      `ALTER TABLE ${database}.$1_local ${on} $2`,
      `ALTER TABLE ${database}.$1 ${on} $2`,
    ],
    [
      /^ALTER TABLE (\w+) ((?:MODIFY TTL|MODIFY SETTING|ADD INDEX|MATERIALIZE INDEX) .+)$/s,
      `ALTER TABLE ${database}.$1_local ${on} $2`,
    ],
    [
      /^DROP TABLE IF EXISTS (\w+) SYNC$/,
      `DROP TABLE IF EXISTS ${database}.$1_local ${on} SYNC`,
      `DROP TABLE IF EXISTS ${database}.$1 ${on} SYNC`,
    ],
    [/^DROP VIEW IF EXISTS (\w+)$/, `DROP VIEW IF EXISTS ${database}.$1 ${on} SYNC`],
    [/^TRUNCATE TABLE (\w+)$/, `TRUNCATE TABLE ${database}.$1_local ${on} SYNC`],
  ];
}
