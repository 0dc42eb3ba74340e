import { expect } from 'chai';
import { z } from 'zod';
import { readConfig } from '../../src/config.js';
import { audit } from '../../src/ingest/audit.js';
import { load } from '../../src/ingest/load.js';
import { type OpenedStore, openStore } from '../../src/store/engine/open.js';
import { withLoadLock } from '../../src/store/lock/lock.js';
import { sql } from '../../src/sql.js';
import { ClickHouseServer } from '../support/clickhouse-server/server.js';
import { FEEDS, NOW } from '../support/contract/data.js';
import { answers, CONTRACT_QUESTIONS } from '../support/clickhouse-server/compare.js';
import { loadLines, writeFeeds } from '../support/ingest/feeds.js';
import { Program, ServerProgram, until } from '../support/process.js';
import { range } from '../support/runner/range.js';
import { openTestStore, temporaryFolder } from '../support/store.js';

describe('given a ClickHouse server', function () {
  this.timeout(120_000);
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

  it('when feeds are loaded, then every answer is that of the embedded engine, and the tables are sound', async () => {
    const { store, close } = await open('answers');
    const embedded = await openTestStore();
    await loadLines(store, FEEDS);
    await loadLines(embedded, FEEDS);
    expect(await answers(store, CONTRACT_QUESTIONS, NOW)).to.deep.equal(
      await answers(embedded, CONTRACT_QUESTIONS, NOW),
    );
    expect(await audit(store)).to.deep.equal([]);
    await embedded.close();
    await close();
  });

  it('when two open an empty database at once, then one of them makes the tables, and both find them whole', async () => {
    for (let round = 0; round < range({ test: 1, ci: 3, torture: 10 }); round += 1) {
      const opened = await Promise.all([open(`both_${round}`), open(`both_${round}`)]);
      const made = opened.filter(({ migrated }) => migrated.length > 0);
      expect(made, `round ${round}`).to.have.lengthOf(1);
      const [one, other] = opened;
      expect(await loadLines(one.store, FEEDS))
        .to.have.property('pairs_added')
        .that.is.above(0);
      expect(await loadLines(other.store, FEEDS)).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
      expect(await audit(other.store)).to.deep.equal([]);
      const [applied] = await one.store.query(
        sql`SELECT count() AS files, uniqExact(name) AS names FROM migrations`,
        z.object({ files: z.number(), names: z.number() }),
      );
      expect(applied?.files).to.equal(applied?.names);
      for (const { close } of opened) await close();
    }
  });

  it('when two servers and a load are started at once on an empty database, then all come up, and nothing is lost', async () => {
    const env = { ...environment('programs'), DATA_DIR: temporaryFolder() };
    const files = Object.entries(writeFeeds(FEEDS)).flatMap(([name, given]) =>
      given.flatMap((file) => [`--${name}`, file]),
    );
    const load = new Program('load', ['--json', ...files], env);
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

  it('when several load the same at once, then they take turns, and no pair is counted twice', async () => {
    const opened = await Promise.all([open('turns'), open('turns'), open('turns')]);
    const feeds = writeFeeds(FEEDS);
    const reports = await Promise.all(
      opened.map(({ store }) => withLoadLock(store, (locked) => load(locked, feeds))),
    );
    expect(reports.filter(({ pairs_added }) => pairs_added > 0)).to.have.lengthOf(1);
    expect(await audit(opened[0].store)).to.deep.equal([]);
    for (const { close } of opened) await close();
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
    await loadLines(store, FEEDS);
    const embedded = await openTestStore();
    await loadLines(embedded, FEEDS);
    const question = CONTRACT_QUESTIONS.slice(0, 1);
    expect(await answers(store, question, NOW)).to.deep.equal(await answers(embedded, question, NOW));
    expect(await audit(store)).to.deep.equal([]);
    await embedded.close();
    await close();
  });
});
