import { expect } from 'chai';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import { recordCollected, SOURCE } from '../../../support/collect/collected.js';
import { loadLines } from '../../../support/ingest/feeds.js';
import { startTestService } from '../../../support/service.js';
import { withMethod } from '../../../support/store.js';
import type { Store } from '../../../../src/store/store.js';
import { itInCi } from '../../../support/runner/range.js';

const PATH = '/api/v1/accuracy/freshness';
const HOUR = 3_600_000;

interface Freshness {
  records_last_24h: number;
  stations_updated: number;
  earliest_recent: string | null;
  latest_recent: string | null;
  minutes_since_latest: number | null;
  latest_issued_at: string | null;
  latest_target_date: string | null;
  latest_verified_date: string | null;
  last_load_id: number;
  sources: (typeof SOURCE & { minutes_since_success: number | null; attribution: string | null })[];
}

describe('GET /api/v1/accuracy/freshness', () => {
  let store: Store;
  let contract: Contract;
  let ahead = 0;
  const fresh = async (): Promise<Freshness> => (await contract.ok<Freshness>(PATH)).data;

  before(async () => {
    ({ store, contract } = await contractOn([], { now: () => new Date(Date.now() + ahead) }));
  });
  after(() => store.close());

  it('given no load, then counts are 0 and the rest is null', async () => {
    expect(await fresh()).to.deep.equal({
      data_type: 'weather_forecasts',
      records_last_24h: 0,
      stations_updated: 0,
      earliest_recent: null,
      latest_recent: null,
      minutes_since_latest: null,
      latest_issued_at: null,
      latest_target_date: null,
      latest_verified_date: null,
      last_load_id: 0,
      sources: [],
    });
  });

  it('given loads, then it says what they brought, and how far the data reach', async () => {
    const before = Date.now();
    await loadLines(store, {
      stations: [
        'KORD,Chicago,US,41,-87,UTC,Dfa,true,,ORD',
        'EGLL,London,GB,51,0,UTC,Cfb,true,,LHR',
        'KSEA,Seattle,US,47,-122,UTC,Csb,true,,SEA',
      ],
      forecasts: ['KORD,2026-03-04T12:00:00Z,2026-03-05,50,40', 'EGLL,2026-03-04T18:00:00Z,2026-03-06,50,'],
      observations: [
        'KORD,2026-03-05,50,,verified,2026-03-06T00:00:00Z',
        'EGLL,2026-03-06,51,,preliminary,2026-03-07T00:00:00Z',
      ],
    });
    await loadLines(store, { forecasts: ['KORD,2026-03-05T09:30:00.250Z,2026-03-07,50,'] });
    await loadLines(store, { observations: ['KSEA,2026-03-05,50,,verified,2026-03-06T00:00:00Z'] });
    const found = await fresh();
    expect(found).to.include({
      records_last_24h: 4, // two, one, and one
      stations_updated: 2,
      latest_issued_at: '2026-03-05T09:30:00.250Z',
      latest_target_date: '2026-03-06',
      latest_verified_date: '2026-03-05',
      last_load_id: 3,
    });
    const [earliest, latest] = [found.earliest_recent, found.latest_recent].map((text) =>
      Date.parse(text ?? ''),
    );
    expect(earliest).to.be.within(before - 1, latest ?? 0);
    expect(latest).to.be.within(earliest ?? 0, Date.now() + 1);
    expect(found.minutes_since_latest).to.be.within(0, 1);
  });

  it('given the time that passes, then it is in the next answer, though no load was in between', async () => {
    ahead = 23 * HOUR;
    const later = await fresh();
    expect(later.records_last_24h).to.equal(4);
    expect(later.minutes_since_latest).to.be.closeTo(23 * 60, 1);
    ahead = 25 * HOUR;
    const last = await fresh();
    expect(last).to.include({
      records_last_24h: 0,
      stations_updated: 0,
      earliest_recent: null,
      latest_recent: null,
    });
    expect(last).to.include({ latest_issued_at: '2026-03-05T09:30:00.250Z', last_load_id: 3 });
    expect(last.minutes_since_latest).to.be.closeTo(25 * 60, 1);
    ahead = 0;
  });

  itInCi(
    'given minutes that pass, then facts are not read again; given a day or a load, what may change',
    async () => {
      const began = Date.now();
      let later = 0;
      const now = () => new Date(began + later);
      const asked: string[] = [];
      const watched = withMethod(store, 'query', (...given) => {
        asked.push(given[0].statement.text);
        return store.query(...given);
      });
      const service = await startTestService(watched, { now });
      /** How many statements read facts, days or the reports of loads; the answer is that of a service that has kept nothing. */
      const statements = async (): Promise<number> => {
        asked.length = 0;
        const { data } = (await service.get(PATH)).body as { data: Freshness };
        const count = asked.filter((sql) =>
          /forecasts|station_day_counts|report|recorded_ms/.test(sql),
        ).length;
        const other = await startTestService(store, { now });
        expect(data).to.deep.equal(((await other.get(PATH)).body as { data: Freshness }).data);
        return count;
      };
      expect(await statements()).to.be.above(3);
      for (const hours of [0, 1, 23]) {
        later = hours * HOUR;
        expect(await statements(), `after ${hours} h`).to.equal(0);
      }
      later = 25 * HOUR;
      expect(await statements(), 'the forecasts of no load are recent').to.equal(1);
      expect(await statements()).to.equal(0);
      await loadLines(store, { observations: ['KSEA,2026-03-05,50,,verified,2026-03-06T01:00:00Z'] });
      expect(await statements(), 'after a load').to.be.above(3);
    },
  );

  itInCi('given values that are taken back, then they are no records', async () => {
    await loadLines(store, {
      columns: 'all',
      forecasts: ['KORD,2026-03-05T09:30:00.250Z,2026-03-07,,,,true'],
    });
    const found = await fresh();
    // The value itself arrived, and was there for a while.
    expect(found).to.include({ records_last_24h: 4, last_load_id: 5 });
  });

  itInCi(
    'given issuances of far target dates, then the latest counts, whatever its target date',
    async () => {
      const other = await contractOn([
        { stations: ['KORD,Chicago,US,41,-87,America/Chicago,Dfa,true,,ORD'] },
        {
          columns: 'all',
          forecasts: [
            'KORD,2026-03-08T12:00:00Z,2026-03-09,50,40,nws,',
            'KORD,2026-03-01T00:00:00Z,2026-05-10,41,25,seasonal,',
          ],
        },
      ]);
      const latest = async (): Promise<unknown> =>
        (await other.contract.ok<Freshness>(PATH)).data.latest_issued_at;
      expect(await latest()).to.equal('2026-03-08T12:00:00Z');
      // And one of a day that is long over.
      await loadLines(other.store, {
        columns: 'all',
        forecasts: ['KORD,2026-03-09T00:00:00Z,2025-01-10,41,25,nws,'],
      });
      expect(await latest()).to.equal('2026-03-09T00:00:00Z');
      await other.store.close();
    },
  );

  itInCi(
    'given a collector, then it says how each source fares, also when other loads come after',
    async () => {
      const now = Date.now() + ahead;
      const last_success_at = new Date(now - 90 * 60_000).toISOString();
      await recordCollected(store, 6, [{ ...SOURCE, source: 'of-a-load-before' }]);
      const attribution = 'Data: somebody, CC BY 4.0';
      const cli = {
        ...SOURCE,
        source: 'iem-cli',
        feed: 'observations',
        provider: null,
        last_success_at: null,
      };
      const unrequested = { ...SOURCE, source: 'iem-daily', stations: 0 };
      await recordCollected(store, 7, [{ ...SOURCE, last_success_at, attribution }, cli, unrequested]);
      await loadLines(store, { observations: ['KSEA,2026-03-06,50,,verified,2026-03-07T00:00:00Z'] });
      const { last_load_id, sources } = await fresh();
      expect(last_load_id).to.equal(8);
      const minutes_since_success = sources[0]?.minutes_since_success;
      expect(minutes_since_success).to.be.within(90, 91);
      expect(sources).to.deep.equal([
        { ...SOURCE, last_success_at, minutes_since_success, attribution },
        { ...cli, minutes_since_success: null, attribution: null },
      ]);
      // A row of CSV is still the answer whole.
      const { text } = await contract.get(`${PATH}?format=csv`);
      expect(text.trim().split('\r\n')).to.have.lengthOf(2);
    },
  );
});
