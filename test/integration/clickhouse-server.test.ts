import { expect } from 'chai';
import { GenericContainer, getContainerRuntimeClient, type StartedTestContainer, Wait } from 'testcontainers';
import { readConfig } from '../../src/config.js';
import { audit } from '../../src/ingest/audit.js';
import { type OpenedStore, openStore } from '../../src/store/engine/open.js';
import { type FeedLines, loadLines } from '../support/feeds.js';
import { startTestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

const IMAGE = 'clickhouse/clickhouse-server:26.3';

const FEEDS: FeedLines = {
  stations: ['KORD,Chicago,US,41.97,-87.91,America/Chicago,Dfa,true,Windy City,ORD'],
  forecasts: [
    'KORD,2026-03-07T12:00:00Z,2026-03-08,40.5,30',
    'KORD,2026-03-08T00:00:00Z,2026-03-08,42,31.25',
  ],
  observations: [
    'KORD,2026-03-08,41,30,preliminary,2026-03-09T06:00:00Z',
    'KORD,2026-03-08,41.5,30,verified,2026-03-09T18:00:00Z',
  ],
};

const QUESTIONS = [
  'summary?',
  'by-date?',
  'by-lead-time?',
  'by-city?',
  'by-station/KORD?include_raw=true&',
].map((question) => `/api/v1/accuracy/${question}date_from=2026-03-01&date_to=2026-03-31`);

describe('given a ClickHouse server in a container', function () {
  this.timeout(300_000);
  let container: StartedTestContainer | undefined;
  let opened: OpenedStore | undefined;

  before(async function () {
    try {
      await getContainerRuntimeClient();
    } catch {
      console.log('      skipped: no container engine runs here');
      this.skip();
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

  for (const question of QUESTIONS) {
    it(`when ${question} is asked, then the answer is that of the embedded engine`, async () => {
      const embedded = await openTestStore();
      await loadLines(embedded, FEEDS);
      const there = await (await startTestService(opened!.store)).get(question);
      const here = await (await startTestService(embedded)).get(question);
      expect(there.status).to.equal(200);
      expect((there.body as { data: unknown }).data).to.deep.equal((here.body as { data: unknown }).data);
      await embedded.close();
    });
  }

  it('when the tables are verified, then they are sound', async () => {
    expect(await audit(opened!.store)).to.deep.equal([]);
  });
});
