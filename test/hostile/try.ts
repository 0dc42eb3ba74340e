import { TestCluster } from '../support/clickhouse-server/cluster.js';
import { ZooKeeper } from '../support/clickhouse-server/zookeeper.js';
import { loadLines } from '../support/ingest/feeds.js';
import { feedsOf } from '../support/torture/feeds.js';
import { Random } from '../support/random.js';
import { CLUSTER_SETTINGS } from '../../src/store/engine/cluster.js';
const zoo = await ZooKeeper.start();
const cluster = await TestCluster.start({ rows: 'by station', replicas: 2, zookeeper: zoo.port });
const opened = await cluster.open('accuracy');
await loadLines(opened.store, feedsOf({ stations: [0, 12], days: [0, 5], issuances: 10, status: 'verified' }, new Random(1)));
console.log(cluster.servers.map((s) => `${s.ports.http}/${s.ports.tcp}`), 'zoo', zoo.port);
const settings = Object.entries(CLUSTER_SETTINGS).map(([k, v]) => `${k} = '${v}'`).join(', ');
const show = async (what: string) => {
  console.log('--', what);
  for (const [i, server] of cluster.servers.entries()) for (const sql of ['SELECT count() FROM accuracy.station_days', `SELECT count() FROM cluster('two-shards', system.tables)`, 'SELECT uniq(target_date) FROM accuracy.station_days WHERE station_id IN (SELECT station_id FROM accuracy.stations)']) {
    const answer = !server.isRunning ? 'away' : await server.run(`${sql} SETTINGS ${settings}`).catch((e: Error) => e.message.slice(0, 400));
    console.log(i, answer.trim());
  }
};
await show('all');
for (const k of [0, 1, 0, 1, 2, 3, 0, 1, 2]) {
  await cluster.servers[k]!.kill();
  await cluster.servers[k]!.restart();
  await show(`${k} back`);
  for (let i = 0; i < 8 && cluster.servers[k]!.isRunning; i++) { await new Promise((r) => setTimeout(r, 250));  }
  console.log(k, cluster.servers[k]!.isRunning);
}
await opened.close(); await cluster.stop(); await zoo.stop(); process.exit();
