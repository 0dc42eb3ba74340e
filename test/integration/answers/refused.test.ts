import { expect } from 'chai';
import type { QueryOptions, Store } from '../../../src/store/store.js';
import { Contract } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS } from '../../support/ingest/loads.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, withMethod } from '../../support/store.js';

// Guards that what an answer cannot give is told before anything is read for it, as any other fault is.

const API = '/api/v1/accuracy';

describe('a question that asks for too much', function () {
  this.timeout(60_000);
  let store: Store;
  let contract: Contract;
  let asked: string[] = [];

  before(async () => {
    store = await openTestStore();
    // Skill reads 200,000 station days of a climatology at most.
    const stations = Array.from(
      { length: 100 },
      (_, nth) => `K${100 + nth},Town ${nth},US,41,-87,America/Chicago,Dfa,true,,`,
    );
    await loadLines(store, { ...FEEDS, stations: [...FEEDS.stations, ...stations] });
    const counting = withMethod(store, 'query', (...given) => {
      const options = given.at(-1) as QueryOptions | undefined;
      if (options?.priority !== 'ahead') asked.push(String(given[0]));
      return store.query(...given);
    });
    contract = await Contract.of(await startTestService(counting));
    await contract.ok(`${API}/summary?days=1`); // reads which stations there are
  });
  beforeEach(() => {
    asked = [];
  });
  after(() => store.close());

  for (const [what, path, parameter] of [
    ['known_at of all stations and 32 days', 'by-date?known_at=2026-02-01&days=32', 'known_at'],
    ['steps of all stations', 'revision-stats?include_steps=true', 'include_steps'],
    ['steps of two stations', 'revision-stats?include_steps=true&stations=EGLL,KORD', 'include_steps'],
    [
      'a climatology of 102 stations over nine years',
      'skill?reference=climatology&date_from=2017-01-01&date_to=2026-01-01',
      'days',
    ],
  ] as const) {
    it(`given ${what}, then the fault is told, and the store is asked nothing`, async () => {
      const faults = await contract.faults(`${API}/${path}`);
      expect(faults.map((fault) => fault.parameter)).to.deep.equal([parameter]);
      expect(asked).to.deep.equal([]);
    });
  }

  it('given another question, then the store is asked', async () => {
    await contract.ok(`${API}/by-date?known_at=2026-02-01&days=31`);
    expect(asked).not.to.be.empty;
  });
});
