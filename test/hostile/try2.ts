import { TestCluster } from '../support/clickhouse-server/cluster.js';
import { ZooKeeper } from '../support/clickhouse-server/zookeeper.js';
import { CLUSTER_SETTINGS } from '../../src/store/engine/cluster.js';
const zoo = await ZooKeeper.start();
const cluster = await TestCluster.start({ rows: 'by station', replicas: 2, zookeeper: zoo.port });
const base = Object.entries(CLUSTER_SETTINGS).map(([k, v]) => `${k} = '${v}'`).join(', ');
const on = ' ON CLUSTER `two-shards`';
await cluster.post(`CREATE DATABASE a${on}`);
await cluster.post(`CREATE TABLE a.t_local${on} (x UInt32) ENGINE = ReplicatedMergeTree ORDER BY x SETTINGS replicated_deduplication_window = 0`);
await cluster.post(`CREATE TABLE a.t${on} AS a.t_local ENGINE = Distributed('two-shards', a, t_local, x)`);
const [r1, r2, other] = [cluster.servers[0]!, cluster.servers[1]!, cluster.servers[2]!];
const insert = (n: number) => other.run(`INSERT INTO a.t SELECT number FROM numbers(${n}) SETTINGS ${base}`);
await insert(100);
const t0 = performance.now();
const look = async (extra = '') => {
  const t = Math.round(performance.now() - t0);
  const settings = extra ? `${base}, ${extra}` : base;
  const answers = [];
  for (const s of [r1, other]) answers.push(!s.isRunning ? 'away' : (await s.run(`SELECT count() FROM a.t SETTINGS ${settings}`).catch((e: Error) => e.message.slice(0, 160))).trim());
  const delay = r1.isRunning ? (await r1.run(`SELECT absolute_delay, queue_size, is_readonly, log_pointer, log_max_index FROM system.replicas WHERE table='t_local'`)).trim() : '';
  console.log(t, extra, '|', answers.join(' | '), '|', delay);
};
await look();
await r1.kill();
await look();
await insert(100); await look();
cluster.areFellowsApart = true;
await r1.restart();
for (let i = 0; i < 12; i++) {
  for (const extra of ['', 'max_replica_delay_for_distributed_queries = 1, fallback_to_stale_replicas_for_distributed_queries = 0', 'max_replica_delay_for_distributed_queries = 2, fallback_to_stale_replicas_for_distributed_queries = 0']) await look(extra);
  await new Promise((r) => setTimeout(r, 200));
}
console.log('insert now');
await insert(100);
for (let i = 0; i < 6; i++) { await look('max_replica_delay_for_distributed_queries = 1, fallback_to_stale_replicas_for_distributed_queries = 0'); await new Promise((r) => setTimeout(r, 300)); }
cluster.areFellowsApart = false;
for (let i = 0; i < 30; i++) { await look('max_replica_delay_for_distributed_queries = 1, fallback_to_stale_replicas_for_distributed_queries = 0'); await new Promise((r) => setTimeout(r, 300)); }
// fresh lag while both up: r2 has fetches stopped, insert in r1
await r2.run('SYSTEM STOP FETCHES a.t_local');
await insert(100);
for (let i = 0; i < 10; i++) { console.log('r2', (await r2.run(`SELECT absolute_delay, queue_size, log_pointer, log_max_index FROM system.replicas WHERE table='t_local'`)).trim()); await new Promise((r) => setTimeout(r, 300)); }
await cluster.stop(); await zoo.stop(); process.exit();
