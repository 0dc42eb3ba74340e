import { join } from 'node:path';
import { expect } from 'chai';
import { backup } from '../../../src/backup/backup.js';
import { restore } from '../../../src/backup/restore.js';
import { move } from '../../../src/ingest/move.js';
import type { Store } from '../../../src/store/store.js';
import { Contract, type SuccessAnswer } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS } from '../../support/ingest/loads.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { describeInCi } from '../../support/runner/range.js';

// Guards the timeline of a store (D49): after a restore the number of a load may come again with other data, and no
// cache, tag or cursor of before takes the one for the other.

const API = '/api/v1';
const WINDOW = 'date_from=2026-01-05&days=1';
const SUMMARY = `${API}/accuracy/summary?${WINDOW}`;
const EXPORT = `${API}/export/pairs?${WINDOW}`;
const PAGES = [
  `${API}/data/forecast-actual?${WINDOW}`,
  `${API}/data/observations?${WINDOW}`,
  `${API}/data/forecasts?forecast_for_date=2026-01-05`,
];
const FOR_EVER = 'private, max-age=31536000, immutable';
const REVALIDATED = 'private, max-age=0, must-revalidate';
const NOW = '2031-07-01T12:00:00Z';
/** Two second loads, which different histories may have. */
const [ONE, OTHER] = [33, 28].map((high) => ({
  observations: [`KORD,2026-01-05,${high},17,verified,2026-01-07T06:00:00Z`],
})) as [object, object];

// A restore over each transport begins another one: test/integration/backup/backup.test.ts.
describeInCi('the timeline of a store (D49)', () => {
  const stores: Store[] = [];
  let first: Contract;
  let restored: Contract;
  let timeline: string;
  let other: string;

  const opened = async (): Promise<Store> => {
    const store = await openTestStore();
    stores.push(store);
    return store;
  };
  const served = async (store: Store): Promise<Contract> =>
    Contract.of(await startTestService(store, { now: NOW }));
  const timelineOf = async (contract: Contract): Promise<string> =>
    String((await contract.ok(SUMMARY)).metadata.timeline);

  before(async function () {
    const store = await opened();
    await loadLines(store, FEEDS);
    const folder = join(temporaryFolder(), 'full');
    await backup(store, folder);
    await loadLines(store, ONE);
    const again = await opened();
    await restore(again, folder);
    await loadLines(again, OTHER);
    [first, restored] = [await served(store), await served(again)];
    [timeline, other] = [await timelineOf(first), await timelineOf(restored)];
  });
  after(() => Promise.all(stores.map((store) => store.close())));

  it('given a store, then its answers name it beside the number of the load; a restored one is another', async () => {
    for (const path of [SUMMARY, `${API}/providers`, `${API}/loads`, API]) {
      expect((await first.ok(path)).metadata, path).to.include({ data_version: 2, timeline });
      expect((await restored.ok(path)).metadata, path).to.include({ data_version: 2, timeline: other });
    }
    for (const each of [timeline, other]) expect(each).to.match(/^[a-z0-9]{4}$/);
    expect(other).not.to.equal(timeline);
  });

  it('given the same number in two lineages, then tags differ, of the latest version and of past ones', async () => {
    for (const path of [
      SUMMARY,
      `${SUMMARY}&as_of=v1`,
      `${SUMMARY}&as_of=v2`,
      EXPORT,
      `${EXPORT}&as_of=v1`,
    ]) {
      const [{ headers: here }, { headers: there }] = [await first.get(path), await restored.get(path)];
      expect(here.etag, path).to.match(/^W\//).and.not.to.equal(there.etag);
      const { status } = await restored.service.get(path).set('If-None-Match', here.etag ?? '');
      expect(status, path).to.equal(200);
    }
  });

  it('given as_of with the timeline, then it is that version, and a client may keep the answer for ever', async () => {
    for (const path of [SUMMARY, EXPORT]) {
      const { text, headers } = await first.get(`${path}&as_of=v2.${timeline}`);
      expect(headers['cache-control'], path).to.equal(FOR_EVER);
      const known = await first.service
        .get(`${path}&as_of=v2.${timeline}`)
        .set('If-None-Match', headers.etag ?? '');
      expect([known.status, known.headers['cache-control']], path).to.deep.equal([304, FOR_EVER]);
      if (path === EXPORT) expect(text).to.contain(',33,').and.not.to.contain(',30,');
    }
    const { data, metadata } = await first.ok(`${SUMMARY}&as_of=v1.${timeline}`);
    expect(data).to.deep.equal((await first.ok(`${SUMMARY}&as_of=v1`)).data);
    expect(metadata).to.include({ data_version: 1, timeline });
    expect(metadata.as_of).to.include({ requested: `v1.${timeline}`, version: 1 });
  });

  it('given as_of without it, then a client asks again, of final numbers as well', async () => {
    expect((await first.get(SUMMARY)).headers['cache-control']).to.equal('private, max-age=3600');
    for (const asOf of ['v1', 'v2', '2031-01-01']) {
      const { headers } = await first.get(`${SUMMARY}&as_of=${asOf}`);
      expect(headers['cache-control'], asOf).to.equal(REVALIDATED);
      const export_ = await first.get(`${EXPORT}&as_of=${asOf}`);
      expect(export_.headers['cache-control'], asOf).to.equal('private, no-cache');
    }
  });

  it('given as_of of another timeline, then it is refused, with the timeline of the data and the way out', async () => {
    for (const path of [SUMMARY, EXPORT, ...PAGES]) {
      for (const version of ['v2', 'v9']) {
        const faults = await restored.faults(`${path}&as_of=${version}.${timeline}`);
        expect(faults, path).to.deep.equal([
          {
            parameter: 'as_of',
            message:
              `names timeline ${timeline}, but the data have timeline ${other}, in which numbers of loads mean other data; ` +
              `give ${version} without a timeline for theirs, GET /api/v1/loads lists all`,
          },
        ]);
      }
    }
  });

  it('given a page or an export, then its cursor names the timeline; in another one it is refused', async () => {
    for (const path of PAGES) {
      const { body, headers } = await first.get(`${path}&limit=1`);
      const { next_cursor } = (body as SuccessAnswer<unknown>).metadata;
      expect([next_cursor, headers['x-next-cursor']], path).to.deep.equal(Array(2).fill(`2-${timeline}.1`));
    }
    expect((await first.get(EXPORT)).headers['x-export-cursor']).to.equal(`2-${timeline}.0`);
    for (const path of [...PAGES, EXPORT]) {
      const cursor = `2-${timeline}.1`;
      const rest = await first.get(`${path}&cursor=${cursor}`);
      expect(rest.status, path).to.equal(200);
      expect((await first.get(`${path}&cursor=2.1`)).status, path).to.equal(200);
      const faults = await restored.faults(`${path}&cursor=${cursor}`);
      expect(faults, path).to.deep.equal([
        {
          parameter: 'cursor',
          message: `names timeline ${timeline}, but the data have timeline ${other}; leave it out to start again`,
        },
      ]);
    }
  });

  it('given a move, then the history is the same, and so are its timeline and its tags', async function () {
    const [from] = stores as [Store];
    const to = await opened();
    await move(from, to, () => {});
    const moved = await served(to);
    expect(await timelineOf(moved)).to.equal(timeline);
    const path = `${SUMMARY}&as_of=v1.${timeline}`;
    expect((await moved.get(path)).headers.etag).to.equal((await first.get(path)).headers.etag);
  });
});
