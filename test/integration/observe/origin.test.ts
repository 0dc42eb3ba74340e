import { expect } from 'chai';
import { createStore, SERVING } from '../../../src/store/engine/open.js';
import { migrate } from '../../../src/store/schema/migrate.js';
import type { QueryOptions, Store } from '../../../src/store/store.js';
import { ClickHouseServer } from '../../support/clickhouse-server/server.js';
import { FEEDS, WINDOW } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { itInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { until } from '../../support/process.js';
import { openWorld } from '../../support/worlds.js';

// No other test guards that every query of a request says whose it is, and never the secret.

const trace_id = '0af7651916cd43dd8448eb211c80319c';
const span_id = 'b7ad6b7169203331';
const HEADERS = { 'X-Request-Id': 'mine', traceparent: `00-${trace_id}-${span_id}-01` };

const PATHS = {
  getAccuracySummary: `/accuracy/summary?${WINDOW}`,
  getAccuracyByLeadTime: `/accuracy/by-lead-time?as_of=v1&${WINDOW}`,
  exportPairs: `/export/pairs?format=csv&${WINDOW}`,
};

describe('a request with an id, a key and a trace', () => {
  it('then each of its queries tells of them, and each line of the log of the trace', async () => {
    const store = await openWorld([FEEDS]);
    const asked: QueryOptions[] = [];
    const noting = new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]): unknown => {
          if (name === 'query') asked.push(args[1] ?? {});
          if (name === 'queryBytes') asked.push(args[2] ?? {});
          return Reflect.apply(member, target, args) as unknown;
        };
      },
    });
    const lines: string[] = [];
    const { get, key } = await startTestService(noting, { log: (line) => lines.push(line) });
    const keyId = key.split('_')[1];
    for (const [operation, path] of Object.entries(PATHS)) {
      // The version of the data and the directory are nobody's: they are read once, and kept.
      expect((await get(`/api/v1${path}`)).status, path).to.equal(200);
      asked.length = 0;
      expect((await get(`/api/v1${path}&metric=low`).set(HEADERS)).status, path).to.equal(200);
      const own = asked.filter(({ priority }) => priority !== 'ahead');
      expect(own.length, path).to.be.above(0);
      for (const { origin } of own) {
        expect(origin, path).to.deep.equal({
          transport: 'api',
          operation,
          keyId,
          requestId: 'mine',
          trace: { trace_id, span_id, traceparent: HEADERS.traceparent },
        });
      }
      const line = JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown>;
      expect(line).to.include({ trace_id, span_id, key_id: keyId });
    }
    expect((await get('/api/v1/accuracy/summary?days=0').set('traceparent', 'nonsense')).status).to.equal(
      400,
    );
    expect(JSON.parse(lines.at(-1) ?? '{}')).to.not.have.any.keys('trace_id', 'span_id');
    await store.close();
  });

  itInCi('given a ClickHouse server, then its log of queries has the share of each key', async function () {
    const server = await ClickHouseServer.start();
    const { url, user, password } = server;
    const store: Store = await createStore(
      { url, user, password, setting: 'CLICKHOUSE_URL' },
      'origin',
      SERVING,
    );
    await migrate(store);
    await loadLines(store, FEEDS);
    const { get, key } = await startTestService(store);
    expect((await get(`/api/v1${PATHS.getAccuracySummary}`).set(HEADERS)).status).to.equal(200);
    // A query is noted after its response.
    const found = await until(async () => {
      await server.run('SYSTEM FLUSH LOGS');
      const noted = await server.run(
        `SELECT JSONExtractString(log_comment, 'operation') AS operation,
          JSONExtractString(log_comment, 'key_id') AS key_id, sum(read_rows) > 0 AS has_read
        FROM system.query_log
        WHERE type = 'QueryFinish' AND JSONExtractString(log_comment, 'trace_id') = '${trace_id}'
        GROUP BY ALL FORMAT TabSeparated`,
      );
      return noted === '' ? undefined : noted;
    });
    expect(found).to.equal(`getAccuracySummary\t${key.split('_')[1]}\t1\n`);
    expect(
      await server.run(
        `SELECT count() FROM system.query_log WHERE query NOT LIKE '%FROM system.query_log%' AND log_comment LIKE '%${key}%'`,
      ),
    ).to.equal('0\n');
    await store.close();
    await server.kill();
  });
});
