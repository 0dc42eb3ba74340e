import type { Store, StoreLimits } from '../../src/store/store.js';
import { createStore, SERVING, throughSocket } from '../../src/store/engine/open.js';
import { findSharedEngine, shareEngine } from '../../src/store/engine/sharing.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { sql } from '../../src/queries/sql.js';
import { z } from 'zod';
import { ClickHouseServer } from './clickhouse-server/server.js';
import { range } from './runner/range.js';
import { openTestStore, temporaryFolder } from './store.js';

export type Transport = 'the embedded engine' | 'the socket of another process' | 'a ClickHouse server';

/** Makes an empty store with all tables. */
export type OpenStore = (limits?: StoreLimits) => Promise<Store>;

/** A suite over each way to the data: what a store promises holds on all of them. */
export function overTransports(title: string, suite: (open: OpenStore, transport: Transport) => void): void {
  describe(`${title} over the embedded engine`, () => suite(openTestStore, 'the embedded engine'));

  // Tests special to the others are in share.test.ts and cluster.test.ts.
  if (range({ test: 0, ci: 1 }) === 0) return;

  describe(`${title} over the socket of another process`, () =>
    suite(openOverSocket, 'the socket of another process'));

  describe(`${title} over a ClickHouse server`, () => {
    let server: ClickHouseServer;
    let made = 0;

    before(async () => {
      server = await ClickHouseServer.start();
    });
    after(() => server.kill());
    suite(async (limits = SERVING) => {
      const { url, user, password } = server;
      const store = await createStore(
        { url, user, password, setting: 'CLICKHOUSE_URL' },
        `transport_${(made += 1)}`,
        limits,
      );
      await migrate(store);
      return store;
    }, 'a ClickHouse server');
  });
}

const databaseRow = z.object({ database: z.string() });

/** As a command opens a server's engine; here both are in one process. */
async function openOverSocket(limits: StoreLimits = SERVING): Promise<Store> {
  const sharing = await openTestStore(); // with the limits of a server
  const folder = temporaryFolder();
  const [named] = await sharing.query(sql.rows(databaseRow)`SELECT currentDatabase() AS database`);
  const database = named?.database ?? '';
  const stopSharing = await shareEngine(sharing, folder, { database, holder: 'server' });
  const shared = await findSharedEngine(folder);
  if (shared === undefined) throw new Error('the engine is not shared');
  const store = await createStore(throughSocket(shared), database, limits);
  const close = store.close.bind(store);
  let isClosed = false;
  store.close = async () => {
    await close();
    if (isClosed) return;
    isClosed = true;
    await stopSharing();
    await sharing.close();
  };
  return store;
}
