import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Response } from 'express';
import { EventFeed } from '../../../src/events/feed.js';
import type { Store } from '../../../src/store/store.js';
import { callerNamed } from '../../support/caller.js';
import { until } from '../../support/process.js';

describe('a reader that does not read', () => {
  it('given events that it does not take, then it is cut off before they fill the memory; others hear all', async () => {
    let finishedLoad = 0;
    const alarm = {
      kind: 'frozen',
      provider: 'nws',
      station_id: null,
      metric: null,
      since: '2026-01-04',
    };
    const raised = [{ ...alarm, message: 'x'.repeat(1_000_000) }];
    const report = JSON.stringify({ outcome: 'complete', watch: { raised, cleared: [] } });
    const query = () =>
      Promise.resolve([
        { load_id: finishedLoad, finished_ms: 0, providers: [], report, before: finishedLoad - 1 },
      ]);
    const feed = new EventFeed({
      store: { query } as unknown as Pick<Store, 'query'>,
      dataVersion: { current: () => Promise.resolve({ key: '', lineage: 'k7q2', finishedLoad }) },
      lookMs: 5,
    });
    const responses: Response[] = [];
    const server = createServer((_, response) => {
      responses.push(response as Response);
      const asked = {
        response: response as Response,
        caller: callerNamed('key'),
        wishes: {},
        isAdmitted: () => true,
      };
      void feed.open(asked);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const open = (): Promise<IncomingMessage> =>
      new Promise((resolve) => get({ port, agent: false }, resolve));
    const idle = await open();
    idle.pause().on('error', () => {});
    const reader = await open();
    let bytes = 0;
    reader.on('data', (data: Buffer) => (bytes += data.length)).on('error', () => {});
    let most = 0;
    for (finishedLoad = 1; finishedLoad < 30; finishedLoad += 1) {
      await until(() => (bytes >= finishedLoad * 1_000_000 ? true : undefined));
      most = Math.max(most, responses[0]?.writableLength ?? 0);
    }
    expect(responses.map(({ destroyed }) => destroyed)).to.deep.equal([true, false]);
    expect(most).to.be.below(2_100_000);
    feed.close();
    server.closeAllConnections();
    server.close();
  });
});
