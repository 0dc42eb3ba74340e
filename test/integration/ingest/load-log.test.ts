import { expect } from 'chai';
import { type Logger, pino } from 'pino';
import { LoadLog } from '../../../src/observe/load-log.js';
import type { Store } from '../../../src/store/store.js';
import { FEEDS } from '../../support/contract/data.js';
import { loadLines, writeFeeds } from '../../support/ingest/feeds.js';
import { run, ServerProgram, until } from '../../support/process.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { itInCi } from '../../support/runner/range.js';

describe('the log of loads', () => {
  let store: Store;
  let lines: Record<string, unknown>[];
  let logger: Logger;
  let log: LoadLog;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());
  beforeEach(() => {
    lines = [];
    logger = pino({ level: 'info' }, { write: (line) => lines.push(JSON.parse(line) as never) });
    log = new LoadLog(store, logger);
  });

  it('given a load that ends, then one line tells its load_id, rows and pairs, once', async () => {
    await log.look();
    const report = await loadLines(store, FEEDS);
    await Promise.all([log.look(), log.look()]);
    await log.look();
    expect(lines).to.have.lengthOf(1);
    const rows = Object.values(report.feeds).reduce((sum, { rows_read }) => sum + rows_read, 0);
    expect(lines[0]).to.include({
      msg: 'load finished',
      load_id: report.load_id,
      outcome: report.outcome,
      rows_read: rows,
      pairs_added: report.pairs_added,
      pairs_withdrawn: report.pairs_withdrawn,
    });
  });

  itInCi(
    'given loads from before it began to look, then it tells none of them, and reads no report',
    async () => {
      const asked: string[] = [];
      const query: Store['query'] = (...given) => {
        asked.push(given[0].statement.text);
        return store.query(...given);
      };
      await new LoadLog({ query }, logger).look();
      expect(lines).to.deep.equal([]);
      expect(asked.join()).to.include('max(load_id)').and.not.to.include('report');
    },
  );

  itInCi('given a report of a form that it does not know, then the load is told all the same', async () => {
    await log.look();
    await store.insert('loads', ['load_id', 'event', 'report'], [[899, 'finished', '{"feeds":[]}']]);
    await log.look();
    expect(lines[0]).to.include({ msg: 'load finished', load_id: 899, rows_read: 0 });
  });

  itInCi('given a load that fails, then the line says why', async () => {
    await log.look();
    await store.insert('loads', ['load_id', 'event', 'report'], [[900, 'failed', '{"error":"no room"}']]);
    await log.look();
    expect(lines[0]).to.include({ level: 40, msg: 'load failed', load_id: 900, error: 'no room' });
  });

  itInCi(
    'given a store that is away for a moment, then what ended meanwhile is told afterwards',
    async () => {
      let isAway = false;
      const query: Store['query'] = (...asked) =>
        isAway ? Promise.reject(new Error('away')) : store.query(...asked);
      const patient = new LoadLog({ query }, logger);
      await patient.look();
      isAway = true;
      await store.insert('loads', ['load_id', 'event', 'report'], [[901, 'finished', '{}']]);
      await patient.look();
      expect(lines).to.deep.equal([]);
      isAway = false;
      await patient.look();
      expect(lines.map(({ load_id }) => load_id)).to.deep.equal([901]);
    },
  );

  itInCi(
    "given a server, when a command loads through its engine, then the line is in the server's log",
    async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const server = await ServerProgram.start(env);
      const { stations } = writeFeeds({ stations: FEEDS.stations });
      const { code } = await run('load', ['--stations', String(stations[0])], env);
      expect(code).to.equal(0);
      const line = await until(() => server.log().find(({ msg }) => msg === 'load finished'), 10_000);
      expect(line).to.include({ load_id: 1, rows_read: FEEDS.stations?.length ?? 0 });
      server.kill('SIGTERM');
      await server.end();
    },
  );
});
