import { Agent } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { createKey } from '../../src/auth/keys.js';
import { checkSeals } from '../../src/seals/compare-seals.js';
import { parseLeaf, readVersions } from '../../src/seals/log.js';
import type { Store } from '../../src/store/store.js';
import { TestCluster } from '../support/clickhouse-server/cluster.js';
import { answers, faults } from '../support/clickhouse-server/compare.js';
import { whyNoReplicas } from '../support/clickhouse-server/replication.js';
import type { ClickHouseServer } from '../support/clickhouse-server/server.js';
import { ZooKeeper } from '../support/clickhouse-server/zookeeper.js';
import { type FeedLines, loadLines, writeFeeds } from '../support/ingest/feeds.js';
import { killPrograms, type ServerProgram, until } from '../support/process.js';
import { Random } from '../support/random.js';
import { describeInStressTier } from '../support/runner/range.js';
import { skip } from '../support/runner/skip.js';
import { startTestService } from '../support/service.js';
import { openTestStore, temporaryFolder } from '../support/store.js';
import { ask, exchange } from '../support/stress/clients.js';
import { type Cover, dateOf, feedsOf } from '../support/stress/feeds.js';
import {
  answersOf,
  type Bed,
  endOf,
  expectNoDifference,
  loadAll,
  questionsOf,
  startLoad,
  startServer,
} from '../support/stress/programs.js';
import { moments, scaled, SEED, sleep, tell } from '../support/stress/stress.js';

// In `make ci`, load-lock.test.ts has servers that are away and come back, and test/fault-injection/clickhouse-server.test.ts one
// that is killed during a load: four servers beside a ZooKeeper take 200 s of processor here.
// Replication is ClickHouse's own, between four servers and a ZooKeeper; docs/engines.md says what stands in for the rest.

const DATABASE = 'accuracy';
const KILLS = scaled({ few: 0, full: 20 });
const DAYS = 40;
const COVER: Cover = { stations: [0, 12], days: [0, DAYS], issuances: 10, status: 'preliminary' };
const QUESTIONS = questionsOf(0, DAYS);
const WINDOW = `date_from=${dateOf(0)}&date_to=${dateOf(DAYS)}`;
const EXPORT = `/api/v1/export/pairs?${WINDOW}`;

/** When a replica that was killed is started again. */
const RETURNS = ['during the load', 'before the load is run again', 'after the load is run again'] as const;

describeInStressTier(`given two shards of two replicas (seed ${SEED})`, function () {
  const random = new Random(SEED);
  const agent = new Agent({ keepAlive: true });
  let zooKeeper: ZooKeeper;
  let cluster: TestCluster;
  let bed: Bed;
  let server: ServerProgram;
  /** The embedded engine, which loads the same, undisturbed. */
  let embedded: Store;
  let loadMs = 0;
  let reading: Promise<void> | undefined;
  let isOver = false;
  let answered = 0;
  /** Answers other than 200. */
  const disturbed: string[] = [];
  const ended = { complete: 0, refused: 0 };

  before(async function () {
    const why = whyNoReplicas();
    if (why !== undefined) skip(this, why);
    zooKeeper = await ZooKeeper.start();
    cluster = await TestCluster.start({ rows: 'by station', replicas: 2, zookeeper: zooKeeper.port });
    const keysFile = join(temporaryFolder(), 'api-keys.json');
    const env = {
      ...cluster.environment(DATABASE),
      DATA_DIR: join(temporaryFolder(), 'data'),
      API_KEYS_FILE: keysFile,
      RATE_LIMIT_PER_MINUTE: '0',
      CACHE_MB: '0',
    };
    bed = { env, key: (await createKey(keysFile, 'replicas')).key };
    embedded = await openTestStore();
    await (await cluster.open(DATABASE)).close();
    const started = performance.now();
    await load(feedsOf(COVER, random));
    loadMs = performance.now() - started;
    server = await startServer(bed);
    reading = read();
  });
  after(async () => {
    isOver = true;
    await reading;
    killPrograms();
    agent.destroy();
    await embedded?.close();
    await cluster?.stop();
    await zooKeeper?.stop();
    if (reading !== undefined) tell('replicas killed', { kills: KILLS, ...ended, answered });
  });
  // A run takes long: a failure is told at once, not only at its end.
  afterEach(function () {
    const { state, err } = this.currentTest ?? {};
    if (state === 'failed') console.log(`      > ${err?.stack?.slice(0, 3000)}`);
  });

  /** Loads into the cluster by the program, and into the embedded engine. */
  const load = async (lines: FeedLines): Promise<void> => {
    await loadAll(bed, writeFeeds(lines));
    await loadLines(embedded, lines);
  };

  /** Asks one question after the other until the end. A key may run two exports at a time, and the tests run one as well. */
  const read = async (): Promise<void> => {
    const questions = [EXPORT, `/api/v1/accuracy/summary?${WINDOW}&as_of=v1`, ...QUESTIONS];
    await ask(2, Infinity, async (client) => {
      const question = random.of(questions.slice(client));
      const { answer, broken } = await exchange(server.url, question, { agent, key: bed.key });
      if (answer?.status === 200) answered += 1;
      else disturbed.push(`${question}: ${broken ?? `${answer?.status} ${answer?.text.slice(0, 300)}`}`);
      await sleep(10);
      return isOver ? 'stop' : undefined;
    });
  };

  /** Each version as it was when it was the latest. */
  const versions = new Map<number, unknown>();
  const keepVersion = async (): Promise<void> => {
    const { version, data } = await summary();
    versions.set(version, data);
  };

  /** Expects that each version of the cluster is as it was sealed; returns the digests of its facts. */
  const expectSealed = async (): Promise<unknown[]> => {
    const { store, close } = await cluster.open(DATABASE);
    expect(await checkSeals(store)).to.deep.equal([]);
    const versions = await readVersions(store);
    await close();
    return versions.map(({ leaf }) => parseLeaf(leaf).facts);
  };

  const expectUndisturbed = (): void => {
    expect(disturbed.splice(0)).to.deep.equal([]);
  };

  const expectAnswersOfEmbedded = async (): Promise<void> => {
    expect(await answersOf(server, bed, QUESTIONS)).to.deep.equal(await answers(embedded, QUESTIONS));
    const [there, here] = [
      await server.get(EXPORT, bed.key),
      await (await startTestService(embedded)).get(EXPORT),
    ];
    expect(await there.text()).to.equal(here.text);
  };

  /** Expects that the replicas of each shard come to have the same rows in every table. */
  const expectEqualReplicas = async ({ servers, replicas } = cluster): Promise<void> => {
    await until(async () => {
      const behind = servers.map((each) =>
        each.run(`SELECT count() FROM system.replicas
          WHERE is_readonly OR queue_size > 0 OR log_pointer < log_max_index OR active_replicas < 2`),
      );
      return (await Promise.all(behind)).every((count) => count === '0\n') ? true : undefined;
    });
    for (const [one, other] of replicas) {
      expect(await tablesOf(one!)).to.deep.equal(await tablesOf(other!));
    }
  };

  it('when one of each shard is away, then loads succeed, and those that return late are not read', async () => {
    const away = [cluster.replicas[0]![0]!, cluster.replicas[1]![1]!];
    await Promise.all(away.map((replica) => replica.kill()));
    await load(feedsOf({ ...COVER, stations: [6, 16], status: 'verified' }, random)); // new stations, and corrections
    await expectNoDifference(bed);
    await expectAnswersOfEmbedded();
    cluster.areFellowsApart = true;
    try {
      await Promise.all(away.map((replica) => replica.restart()));
      await expectAnswersOfEmbedded();
    } finally {
      cluster.areFellowsApart = false;
    }
    await expectEqualReplicas();
    await expectAnswersOfEmbedded();
    const sealed = (await readVersions(embedded)).map(({ leaf }) => parseLeaf(leaf).facts);
    expect(await expectSealed(), 'by whichever replica').to.deep.equal(sealed);
    await keepVersion();
    expectUndisturbed();
  });

  describe(`when one after the other is killed, ${KILLS} times`, () => {
    const victims = Array.from({ length: KILLS }, (_, kill) => [0, 2, 1, 3][kill % 4]!);

    for (const [kill, share] of moments(KILLS, 1.2, random).entries()) {
      const returns = RETURNS[kill % RETURNS.length];
      it(`then replica ${victims[kill]}, after ${Math.round(share * 100)} % of a load and back ${returns}, costs no answer and no pair`, async () => {
        const victim = cluster.servers[victims[kill]!]!;
        const status = random.of(['preliminary', 'verified'] as const);
        const lines = feedsOf({ ...COVER, stations: [kill % 4, 12 + (kill % 4)], status }, random);
        const files = writeFeeds(lines);

        const running = startLoad(bed, files);
        await sleep(share * loadMs);
        await victim.kill();
        if (returns === 'during the load') await victim.restart();
        const { code, stderr } = await endOf(running);
        if (code === 0) ended.complete += 1;
        else {
          ended.refused += 1;
          expect(stderr, `${code}`).to.match(/^[^\n]+\n$/);
        }
        if (returns === 'before the load is run again') await victim.restart();
        await loadAll(bed, files);
        await loadLines(embedded, lines);
        if (returns === 'after the load is run again') await victim.restart();

        await expectEqualReplicas();
        await expectNoDifference(bed);
        await expectSealed();
        await expectAnswersOfEmbedded();
        await keepVersion();
        expectUndisturbed();
      });
    }

    it('then every version that was the latest is still what it was', async () => {
      expect(versions.size).to.equal(KILLS + 1);
      for (const [version, was] of versions) {
        expect(await summary(`&as_of=v${version}`), `v${version}`).to.deep.equal({ version, data: was });
      }
    });
  });

  // It starts another cluster.
  it('when a replica of each shard is backed up and restored elsewhere, then every answer is the same', async () => {
    const folder = temporaryFolder();
    for (const [shard, replicas] of cluster.replicas.entries()) {
      const without = `${DATABASE}.migrations_local, ${DATABASE}.load_lock_claims`;
      await replicas[1]!.run(
        `BACKUP DATABASE ${DATABASE} EXCEPT TABLES ${without} TO File('${folder}/shard-${shard}')`,
      );
    }
    const otherZooKeeper = await ZooKeeper.start();
    const other = await TestCluster.start({
      rows: 'by station',
      replicas: 2,
      zookeeper: otherZooKeeper.port,
    });
    const { store, close } = await other.open(DATABASE);
    for (const [shard, replicas] of other.replicas.entries()) {
      await replicas[0]!.run(
        `RESTORE DATABASE ${DATABASE} FROM File('${folder}/shard-${shard}') SETTINGS allow_non_empty_tables = 1`,
      );
    }
    await other.post(`INSERT INTO ${DATABASE}.lineages (nth) SELECT max(nth) + 1 FROM ${DATABASE}.lineages`);
    expect(await faults(store)).to.deep.equal([]);
    expect(await checkSeals(store)).to.deep.equal([]);
    expect(await answers(store, QUESTIONS)).to.deep.equal(await answers(embedded, QUESTIONS));
    await close();
    await expectEqualReplicas(other);
    await other.stop();
    await otherZooKeeper.stop();
  });

  const summary = async (asOf = ''): Promise<{ version: number; data: unknown }> => {
    const answer = await server.get(`/api/v1/accuracy/by-date?${WINDOW}${asOf}`, bed.key);
    const { data, metadata } = (await answer.json()) as { data: unknown; metadata: { data_version: number } };
    return { version: metadata.data_version, data };
  };
});

/** How many rows each replicated table of a server has, and the sum of their hashes. */
async function tablesOf(server: ClickHouseServer): Promise<string[]> {
  const names = await server.run(`SELECT table FROM system.replicas WHERE database = '${DATABASE}'`);
  const sums = names
    .trim()
    .split('\n')
    .map((name) => `SELECT '${name}', count(), sum(cityHash64(*)) FROM ${DATABASE}.${name}`);
  return (await server.run(sums.join(' UNION ALL '))).trim().split('\n').sort();
}
