import { once } from 'node:events';
import { expect } from 'chai';
import { readCsv } from '../../../support/contract/cases.js';
import { FEEDS, NOW } from '../../../support/contract/data.js';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import type { Store } from '../../../../src/store/store.js';
import { raw } from '../../../../src/queries/sql.js';
import { Listening } from '../../../support/listen.js';
import { describeInCi } from '../../../support/runner/range.js';

const PATH = '/api/v1/accuracy/by-station';
interface StationRecord {
  sample_size: number;
  sample_records?: { issued_at: string }[];
}

// Guards an answer of very many pairs. In `make test` answers.txt has what the endpoint answers, and 50,000 pairs are no part of it.
describe('GET /api/v1/accuracy/by-station/:station_id', () => {
  describeInCi('given a station with very many pairs', function () {
    const DAY = 'date_from=2024-03-18&date_to=2024-03-18';
    let store: Store;
    let crowded: Contract;

    before(async () => {
      ({ store, contract: crowded } = await contractOn([{ stations: FEEDS.stations ?? [] }], { now: NOW }));
      await addPairs(store, 0, 50_000);
    });

    // Fewer would fit into the buffers between, and be sent before the client goes.
    it('when a client goes away in the middle of the CSV, then no stack is printed', async () => {
      const printed: unknown[][] = [];
      const print = console.error;
      console.error = (...words) => printed.push(words);
      const server = await Listening.start(crowded.service);
      try {
        const going = await server.begin(`${PATH}/KORD?${DAY}&include_raw=true&format=csv`);
        going.on('error', () => {}); // it is cut off, as it should be
        await once(going, 'data');
        going.destroy();
        await new Promise((resolve) => server.server.close(resolve));
        await new Promise(setImmediate);
      } finally {
        console.error = print;
      }
      expect(printed).to.deep.equal([]);
    });

    it('when there are 50,000, then include_raw has all of them, and so has the CSV', async () => {
      const { data } = await crowded.ok<StationRecord>(`${PATH}/KORD?${DAY}&include_raw=true`);
      expect(data.sample_size).to.equal(50_000);
      expect(data.sample_records).to.have.length(50_000);
      expect(new Set(data.sample_records?.map(({ issued_at }) => issued_at)).size).to.equal(50_000);
      const { rows } = await readCsv(crowded, `${PATH}/KORD?${DAY}&include_raw=true`);
      expect(rows).to.have.length(50_000);
    });

    it('when there are 50,001, then include_raw is refused and says to narrow the window', async () => {
      await addPairs(store, 50_000, 1);
      for (const format of ['json', 'csv']) {
        const faults = await crowded.faults(`${PATH}/KORD?${DAY}&include_raw=true&format=${format}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['include_raw']);
        expect(faults[0]?.message)
          .to.match(/50,?000/)
          .and.match(/narrow/);
      }
      const { data } = await crowded.ok<StationRecord>(`${PATH}/KORD?${DAY}`);
      expect(data.sample_size, 'without them').to.equal(50_001);
    });
  });
});

/** Puts a row of pairs straight into the ledger, one a second, all of them three days ahead and more; and says so. */
async function addPairs(store: Store, from: number, count: number): Promise<void> {
  await store.command(
    raw(
      `INSERT INTO station_days (metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms,
      forecasts, sign, load_id)
    SELECT 'high', 'default', 'KORD', '2024-03-18', toDateTime64('2024-03-18 05:00:00', 3, 'UTC'), 50, 'verified',
      groupArray(((4 * 24 + 5) * 3600 + number) * 1000), groupArray(51), 1, 1
    FROM numbers({from: UInt64}, {count: UInt64})`,
      { from, count },
    ),
  );
  await store.insert('loads', ['load_id', 'event'], [[1, 'finished']]);
}
