import { expect } from 'chai';
import { readConfig } from '../../src/config.js';
import { audit } from '../../src/ingest/audit.js';
import { type OpenedStore, openStore } from '../../src/store/engine/open.js';
import type { Store } from '../../src/store/store.js';
import { ClickHouseServer } from '../support/clickhouse-server/server.js';
import { FEEDS, NOW } from '../support/contract/data.js';
import { answers, CONTRACT_QUESTIONS } from '../support/clickhouse-server/compare.js';
import { loadLines } from '../support/ingest/feeds.js';
import { Program, ServerProgram, until } from '../support/process.js';
import { feedArguments } from '../support/programs.js';
import { skip } from '../support/runner/skip.js';
import { openTestStore, temporaryFolder } from '../support/store.js';

const IMAGE = 'clickhouse/clickhouse-server:26.3';

describe('given a ClickHouse server', function () {
  let server: ClickHouseServer;

  before(async () => {
    server = await ClickHouseServer.start();
  });
  after(() => server.kill());

  const environment = (database: string): Record<string, string> => ({
    CLICKHOUSE_URL: server.url,
    CLICKHOUSE_USER: server.user,
    CLICKHOUSE_PASSWORD: server.password,
    CLICKHOUSE_DATABASE: database,
  });
  const open = (database: string): Promise<OpenedStore> =>
    openStore(readConfig(environment(database)), 'command');

  const expectAnswersOfEmbedded = async (store: Store, questions = CONTRACT_QUESTIONS): Promise<void> => {
    await loadLines(store, FEEDS);
    const embedded = await openTestStore();
    await loadLines(embedded, FEEDS);
    expect(await answers(store, questions, NOW)).to.deep.equal(await answers(embedded, questions, NOW));
    expect(await audit(store)).to.deep.equal([]);
    await embedded.close();
  };

  it('when feeds are loaded, then every answer is that of the embedded engine, and the tables are sound', async () => {
    const { store, close } = await open('answers');
    await expectAnswersOfEmbedded(store);
    await close();
  });

  // The server above is the one that the engine's package holds. A release as others install it is another version, with
  // its own defaults.
  it('when it is a release in a container, then the same holds', async function () {
    const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
    try {
      await getContainerRuntimeClient();
    } catch {
      skip(this, 'no container engine runs here');
    }
    const container = await new GenericContainer(IMAGE)
      .withEnvironment({ CLICKHOUSE_USER: 'service', CLICKHOUSE_PASSWORD: 'secret' })
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp('/ping', 8123))
      .start();
    const { store, close } = await openStore(
      readConfig({
        CLICKHOUSE_URL: `http://${container.getHost()}:${container.getMappedPort(8123)}`,
        CLICKHOUSE_USER: 'service',
        CLICKHOUSE_PASSWORD: 'secret',
      }),
      'server',
    );
    await expectAnswersOfEmbedded(store);
    await close();
    await container.stop();
  });

  it('when two servers and a load start at once on an empty database, then all come up whole', async () => {
    const env = { ...environment('programs'), DATA_DIR: temporaryFolder() };
    const load = new Program('load', ['--json', ...feedArguments(FEEDS)], env);
    const servers = await Promise.all([ServerProgram.start(env), ServerProgram.start(env)]);
    const { code, stdout, stderr } = await load.end();
    expect(code, stdout + stderr).to.be.oneOf([0, 3]);
    for (const each of servers) {
      await until(async () => ((await each.get('/readyz')).status === 200 ? true : undefined));
      each.kill('SIGTERM');
      expect(await each.end()).to.include({ code: 0 });
    }
    const { store, migrated, close } = await open('programs');
    expect(migrated).to.deep.equal([]);
    expect(await loadLines(store, FEEDS)).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    expect(await audit(store)).to.deep.equal([]);
    await close();
  });

  it('when it is killed in the middle of a load, then the next load after its return completes it', async () => {
    const first = await open('killed');
    const loading = loadLines(first.store, FEEDS).then(
      () => 'loaded',
      () => 'broken off',
    );
    await until(async () => {
      const running = await server.run(`SELECT count() FROM killed.loads WHERE event = 'started'`);
      return Number(running) > 0 || undefined;
    });
    await server.kill();
    expect(await loading).to.equal('broken off');
    await first.close().catch(() => {});
    await server.restart();
    const { store, close } = await open('killed');
    await expectAnswersOfEmbedded(store, CONTRACT_QUESTIONS.slice(0, 1));
    await close();
  });
});
