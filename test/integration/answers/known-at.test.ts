import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { Contract } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { FEEDS } from '../../support/ingest/loads.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Guards what known_at takes and says (D31). That it looks at nothing later, test/integration/truth/known-at.test.ts
// shows over random loads.

const API = '/api/v1/accuracy';
const WINDOW = 'date_from=2026-01-05&days=1';

describe('known_at (D31)', function () {
  this.timeout(60_000);
  let store: Store;
  let contract: Contract;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, FEEDS);
    // verified after 8 days, and a value that nobody reported for 5 months
    await loadLines(store, {
      forecasts: ['KORD,2026-01-05T18:00:00Z,2026-01-06,20,'],
      observations: [
        'KORD,2026-01-05,33,17,verified,2026-01-13T06:00:00Z',
        'KORD,2026-01-06,24,,verified,2026-06-06T06:00:00Z',
      ],
    });
    contract = await Contract.of(await startTestService(store, { now: '2031-07-01T12:00:00Z' }));
  });
  after(() => store.close());

  const errorAt = async (instant: string): Promise<unknown> => {
    const { data } = await contract.ok<{ verification_pairs: number; mean_error: number }>(
      `${API}/summary?${WINDOW}&known_at=${instant}`,
    );
    return [data.verification_pairs, data.mean_error];
  };

  it('given an instant, then only what was issued and reported by then counts, to the second', async () => {
    expect(await errorAt('2026-01-06T05:59:59Z')).to.deep.equal([0, null]); // not observed yet
    expect(await errorAt('2026-01-06T06:00:00Z')).to.deep.equal([2, 1.75]); // against 30, preliminary
    expect(await errorAt('2026-01-13T07:00:00+02:00')).to.deep.equal([2, 1.75]);
    expect(await errorAt('2026-01-13T06:00:00Z')).to.deep.equal([2, -1.25]); // against 33, verified
    expect(await errorAt('2026-01-07')).to.deep.equal([2, 1.75]);
  });

  it('given as_of as well, then only what had been loaded by then counts', async () => {
    const { data, metadata } = await contract.ok<{ mean_error: number }>(
      `${API}/summary?${WINDOW}&known_at=2026-02-01&as_of=v1`,
    );
    expect(data.mean_error).to.equal(1.75);
    expect(metadata).to.include({ known_at: '2026-02-01T00:00:00.000Z', data_version: 1, late_reports: 0 });
  });

  it('given observations that came more than 7 days after their date, then late_reports counts them', async () => {
    const of = async (query: string) => (await contract.ok(`${API}/${query}&known_at=2026-02-01`)).metadata;
    expect(await of(`summary?${WINDOW}`)).to.include({
      known_at: '2026-02-01T00:00:00.000Z',
      late_reports: 1,
    });
    expect(await of('by-date?date_from=2026-01-05&days=2')).to.include({ late_reports: 2 });
    expect(await of('by-city?date_from=2026-01-05&days=2&station_id=EGLL')).to.include({ late_reports: 0 });
    expect((await contract.ok(`${API}/summary?${WINDOW}`)).metadata).not.to.have.any.keys(
      'known_at',
      'late_reports',
    );
  });

  it('given no window, then it ends on the UTC date of the instant', async () => {
    const path = `${API}/summary?days=7&known_at=2026-01-06T23:00:00-05:00`;
    expect((await contract.ok(path)).metadata.period_end).to.equal('2026-01-07');
    expect((await contract.ok(`${path}&as_of=v1`)).metadata.period_end).to.equal('2026-01-07');
  });

  it('given all stations and more than 31 days, then it is a fault; of one station it is not', async () => {
    const known = 'known_at=2026-02-01&days=32';
    const [fault] = await contract.faults(`${API}/summary?${known}`);
    expect(fault?.parameter).to.equal('known_at');
    expect(fault?.message).to.match(/station, or ask for at most 31 days instead of 32/);
    await contract.ok(`${API}/summary?${known}&station_id=KORD`);
    await contract.ok(`${API}/summary?known_at=2026-02-01&days=31`);
  });

  for (const text of ['2031-07-01T12:00:00.001Z', 'v1', '2026-02-30', '2026-01-06T05:59:59']) {
    it(`given ${text}, then it is a fault`, async () => {
      const faults = await contract.faults(`${API}/summary?${WINDOW}&known_at=${text}`);
      expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['known_at']);
    });
  }

  it('given CSV, then its file name has the instant', async () => {
    const { headers } = await contract.get(`${API}/summary?${WINDOW}&known_at=2026-02-01&format=csv`);
    expect(headers['content-disposition']).to.match(/-known-20260201T000000Z\.csv"$/);
  });
});
