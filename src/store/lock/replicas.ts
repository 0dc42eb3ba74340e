import { z } from 'zod';
import { UserError } from '../../lib/user-error.js';
import { bind, sql, type Statement } from '../../queries/sql.js';
import type { Store } from '../store.js';

// ClickHouse acknowledges an insert when one replica has it, and the others fetch it later. A load reads what it has
// written, and whichever replica answers has to have it. So this is the rule, on a cluster:
//
// - A load begins when no replica that is up has anything left to fetch.
// - Its inserts return when all replicas of their shard have the rows (insert_quorum). ClickHouse takes rows back on all
//   of them where one died before it acknowledged. It does so once Keeper has given that one up, after a minute at most.
// - Where a server is away as the load begins, no insert waits for it. One that comes back lacks what was written
//   meanwhile, and is asked again as soon as it is a second behind at most. So such a load ends at the next write after any
//   server comes or goes.

/** For a look at all servers of which some may be away: that takes no longer than for one that is slow. */
const WHO_IS_UP = {
  skip_unavailable_shards: 1,
  connect_timeout_with_failover_ms: 500,
  connections_with_failover_max_tries: 1,
};

/** The servers of a cluster that can be reached, each with the table; on one engine the table alone. */
export const everyServer = (store: Store, table: Statement): Statement =>
  store.cluster === undefined
    ? table
    : sql`clusterAllReplicas(${bind({ cluster: store.cluster }, 'String')}, ${table})`.with(WHO_IS_UP);

export class Replicas {
  #up = '';
  #areAllUp = true;
  #notedAt = 0;

  constructor(private readonly store: Store) {}

  /**
   * Notes which servers are up, and has inserts reach all of them.
   * @returns whether one of them has something left to fetch
   */
  async areBehind(): Promise<boolean> {
    const { store } = this;
    if (store.cluster === undefined) return false;
    const { servers, shards } = await store.queryOne(
      sql.rows(
        z.object({ servers: z.number(), shards: z.number() }),
      )`SELECT count() AS servers, uniqExact(shard_num) AS shards
      FROM system.clusters
      WHERE cluster = ${bind({ cluster: store.cluster }, 'String')}`,
    );
    if (servers === shards) return false; // without replicas, all are up or nothing is
    this.#notedAt = performance.now();
    const { names, fewest } = await this.#whoIsUp();
    this.#up = names;
    this.#areAllUp = names.split(' ').length === servers;
    store.insertQuorum = fewest;
    const { unfetched } = await store.queryOne(
      sql.rows(z.object({ unfetched: z.number() }))`SELECT
        (
          SELECT count() FROM ${everyServer(store, sql`system.replicas`)}
          WHERE database = currentDatabase() AND (is_readonly OR log_pointer <= log_max_index AND log_max_index > 0)
        ) + (
          SELECT count() FROM ${everyServer(store, sql`system.replication_queue`)}
          WHERE database = currentDatabase() AND type IN ('GET_PART', 'ATTACH_PART')
        ) AS unfetched`,
    );
    return unfetched > 0;
  }

  /** @throws UserError when a server was away, and one has come or gone since */
  async confirm(): Promise<void> {
    if (this.#areAllUp) return;
    const { names, uptime_s } = await this.#whoIsUp();
    const hasRestarted = uptime_s + 1 < (performance.now() - this.#notedAt) / 1000;
    if (hasRestarted || names !== this.#up)
      throw new UserError('a server of the cluster came or went during this load; run it again');
  }

  /** All that are up, the fewest of a shard, and for how long the youngest has run. */
  #whoIsUp(): Promise<{ names: string; fewest: number; uptime_s: number }> {
    return this.store.queryOne(
      sql.rows(z.object({ names: z.string(), fewest: z.number(), uptime_s: z.number() }))`SELECT
        arrayStringConcat(arraySort(arrayFlatten(groupArray(of_shard))), ' ') AS names,
        min(length(of_shard)) AS fewest, min(up_s) AS uptime_s
      FROM (
        SELECT
          getMacro('shard') AS shard, groupArray(concat(hostName(), ':', toString(tcpPort()))) AS of_shard, min(uptime()) AS up_s
        FROM ${everyServer(this.store, sql`system.one`)}
        GROUP BY shard
      )`,
    );
  }
}
