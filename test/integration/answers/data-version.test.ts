import { expect } from 'chai';
import { beginLoad } from '../../../src/ingest/load.js';
import type { Store } from '../../../src/store/store.js';
import { Contract } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS, FORECASTS, PRELIMINARY } from '../../support/ingest/loads.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Guards that metadata.data_version is the last finished load, in new answers and in kept ones.

const WINDOW = 'date_from=2026-01-05&days=1';
const PATHS = [`/api/v1/accuracy/summary?${WINDOW}`, '/api/v1/providers', '/api/v1'];

describe('metadata.data_version (D31)', function () {
  this.timeout(60_000);
  let store: Store;
  let contract: Contract;

  before(async () => {
    store = await openTestStore();
    contract = await Contract.of(await startTestService(store));
  });
  after(() => store.close());
  const versions = async (): Promise<unknown[]> =>
    Promise.all(PATHS.map(async (path) => (await contract.ok(path)).metadata.data_version));

  it('given no load yet, then it is 0', async () => {
    expect(await versions()).to.deep.equal([0, 0, 0]);
  });

  it('given a load, and the same once more, then it is the last one that finished', async () => {
    await loadLines(store, FEEDS);
    expect(await versions()).to.deep.equal([1, 1, 1]);
    await loadLines(store, FEEDS);
    expect(await versions()).to.deep.equal([2, 2, 2]);
  });

  it('given a load that failed and one that is under way, then they do not count', async () => {
    const unknown = FORECASTS.map((line) => line.replace('KORD', 'KXXX'));
    const report = await loadLines(
      store,
      { forecasts: unknown, observations: [PRELIMINARY] },
      { strict: true },
    );
    expect(report).to.include({ outcome: 'failed', load_id: 3 });
    expect(await beginLoad(store)).to.equal(4);
    expect(await versions()).to.deep.equal([2, 2, 2]);
  });
});
