import { expect } from 'chai';
import type { StartedTestContainer } from 'testcontainers';
import { readConfig } from '../../../src/config.js';
import { audit } from '../../../src/ingest/audit.js';
import { type OpenedStore, openStore } from '../../../src/store/engine/open.js';
import { FEEDS, NOW } from '../../support/contract/data.js';
import { answers, CONTRACT_QUESTIONS } from '../../support/clickhouse-server/compare.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { openTestStore } from '../../support/store.js';
import { range } from '../../support/runner/range.js';
import { skip } from '../../support/runner/skip.js';

// clickhouse-server.test.ts runs on the server that the engine's package holds. A release as others install it is another
// version, with its own defaults.
const IMAGE = 'clickhouse/clickhouse-server:26.3';

describe('given a ClickHouse server in a container', function () {
  this.timeout(300_000);
  let container: StartedTestContainer | undefined;
  let opened: OpenedStore | undefined;

  before(async function () {
    if (range({ test: 0, ci: 1 }) === 0)
      skip(this, 'testcontainers takes a second to load; `make ci` tries it');
    const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
    try {
      await getContainerRuntimeClient();
    } catch {
      skip(this, 'no container engine runs here');
    }
    container = await new GenericContainer(IMAGE)
      .withEnvironment({ CLICKHOUSE_USER: 'service', CLICKHOUSE_PASSWORD: 'secret' })
      .withExposedPorts(8123)
      .withWaitStrategy(Wait.forHttp('/ping', 8123))
      .start();
    opened = await openStore(
      readConfig({
        CLICKHOUSE_URL: `http://${container.getHost()}:${container.getMappedPort(8123)}`,
        CLICKHOUSE_USER: 'service',
        CLICKHOUSE_PASSWORD: 'secret',
      }),
      'server',
    );
    await loadLines(opened.store, FEEDS);
  });

  after(async () => {
    await opened?.close();
    await container?.stop();
  });

  it('when questions are asked, then the answers are those of the embedded engine', async () => {
    const embedded = await openTestStore();
    await loadLines(embedded, FEEDS);
    expect(await answers(opened!.store, CONTRACT_QUESTIONS, NOW)).to.deep.equal(
      await answers(embedded, CONTRACT_QUESTIONS, NOW),
    );
    await embedded.close();
  });

  it('when the tables are audited, then they are sound', async () => {
    expect(await audit(opened!.store)).to.deep.equal([]);
  });
});
