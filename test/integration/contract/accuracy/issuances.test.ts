import { expect } from 'chai';
import { type Contract, contractOn } from '../../../support/contract/contract.js';
import type { Store } from '../../../../src/store/store.js';
import { describeInCi } from '../../../support/runner/range.js';

const FREQUENCY = '/api/v1/accuracy/update-frequency';
const RUNS = '/api/v1/data/run-stats';
const WINDOW = 'date_from=2026-03-04&date_to=2026-03-05';

describeInCi('update-frequency and run-stats', () => {
  let store: Store;
  let contract: Contract;

  before(async () => {
    const seattle = 'KSEA,Seattle,US,47,-122,America/Los_Angeles,Csb,true,,SEA';
    const first = {
      stations: [
        'KORD,Chicago,US,41,-87,America/Chicago,Dfa,true,,ORD',
        'EGLL,London,GB,51,0,Europe/London,Cfb,true,,LHR',
        seattle,
      ],
      forecasts: [
        'KORD,2026-03-03T23:59:59Z,2026-03-04,50,40', // the second before the window
        'KORD,2026-03-04T00:00:00Z,2026-03-04,50,40',
        'KORD,2026-03-04T00:00:00Z,2026-03-05,51,41', // the same issuance
        'KORD,2026-03-04T06:00:00Z,2026-03-05,51,', // of the high alone
        'KORD,2026-03-04T07:30:00Z,2026-03-05,,41', // of the low alone
        'KORD,2026-03-05T12:00:00Z,2026-04-06,60,50', // 32 days ahead, never observed
        'KORD,2026-03-05T23:59:59.999Z,2026-03-05,60,', // its day has begun
        'KORD,2026-03-06T00:00:00Z,2026-03-07,60,50', // after the window
        'EGLL,2026-03-04T12:00:00Z,2026-03-05,50,40',
        'EGLL,2026-03-04T18:00:00Z,2026-03-05,50,40',
        'KSEA,2026-03-04T12:00:00Z,2026-03-05,50,40',
      ],
    };
    // One is corrected, which is no issuance of its own; one is of another provider; one is taken back, and a station with
    // all that was forecast for it.
    const later = {
      columns: 'all' as const,
      stations: [`${seattle},,true`],
      forecasts: [
        'KORD,2026-03-04T06:00:00Z,2026-03-05,52,,,',
        'EGLL,2026-03-04T13:00:00Z,2026-03-05,50,40,nws,',
        'EGLL,2026-03-04T18:00:00Z,2026-03-05,,,,true',
      ],
    };
    ({ store, contract } = await contractOn([first, later], { now: '2026-03-10T12:00:00Z' }));
  });
  after(() => store.close());

  it('given a window, then different instants of UTC days count, of one metric', async () => {
    const { data, metadata } = await contract.ok(`${FREQUENCY}?${WINDOW}`);
    // 0 h, 6 h, 36 h and a millisecond before 48 h after the window begins: gaps of 6, 30 and 12 h.
    expect(data).to.deep.equal([
      {
        station_id: 'EGLL',
        city_name: 'London',
        issuances: 1,
        issuances_per_day: 0.5,
        median_gap_hours: null,
        max_gap_hours: null,
        avg_gap_hours: null,
        last_issued_at: '2026-03-04T12:00:00Z',
      },
      {
        station_id: 'KORD',
        city_name: 'Chicago',
        issuances: 4,
        issuances_per_day: 2,
        median_gap_hours: 12,
        max_gap_hours: 30,
        avg_gap_hours: 16,
        last_issued_at: '2026-03-05T23:59:59.999Z',
      },
    ]);
    expect(metadata.total_records).to.equal(5);
  });

  it('given the lows, a station, or a provider, then those count', async () => {
    const found = async (query: string) => {
      const { data } = await contract.ok<{ station_id: string; issuances: number }[]>(
        `${FREQUENCY}?${WINDOW}&${query}`,
      );
      return data.map(({ station_id, issuances }) => [station_id, issuances]);
    };
    expect(await found('metric=low&station_id=KORD')).to.deep.equal([['KORD', 3]]);
    expect(await found('provider=nws')).to.deep.equal([['EGLL', 1]]);
  });

  it('given gaps of even number, then the median is between the two in the middle', async () => {
    const { data } = await contract.ok<{ median_gap_hours: number }[]>(
      `${FREQUENCY}?${WINDOW}&metric=low&station_id=KORD`,
    );
    // 0 h, 7.5 h, 36 h: 7.5 and 28.5 h.
    expect(data[0]?.median_gap_hours).to.equal(18);
  });

  it('given two instants, then run-stats counts both metrics, both ends included', async () => {
    const { data, metadata } = await contract.ok(
      `${RUNS}?start_time=2026-03-04T00:00:00Z&end_time=2026-03-04T02:30:00-05:00&station_id=KORD`,
    );
    expect(data).to.deep.equal([
      {
        city: 'Chicago',
        station_id: 'KORD',
        forecast_count: 3,
        oldest_forecast: '2026-03-04T00:00:00Z',
        max_hours: 6,
        avg_hours: 3.75,
        median_hours: 3.75,
      },
    ]);
    expect(metadata).to.include({
      start_time: '2026-03-04T00:00:00Z',
      end_time: '2026-03-04T07:30:00Z',
      total_records: 3,
      station_id: 'KORD',
      provider: 'default',
    });
  });

  it('given no instants, then it is the 90 days up to the end of today', async () => {
    const { metadata } = await contract.ok(RUNS);
    expect(metadata).to.include({
      start_time: '2025-12-10T23:59:59.999Z',
      end_time: '2026-03-10T23:59:59.999Z',
      total_records: 8,
    });
    const { metadata: dates } = await contract.ok(`${RUNS}?start_time=2026-03-04&end_time=2026-03-05`);
    expect(dates).to.include({ start_time: '2026-03-04T00:00:00Z', end_time: '2026-03-05T00:00:00Z' });
  });

  it('given the ends of time, then they are taken', async () => {
    for (const query of [
      'start_time=1970-01-01&end_time=1970-01-02',
      'end_time=1970-01-01',
      'start_time=2149-06-06&end_time=2149-06-06T23:59:59Z',
    ]) {
      expect((await contract.ok(`${RUNS}?${query}`)).data, query).to.deep.equal([]);
    }
    expect((await contract.ok(`${FREQUENCY}?date_from=1970-01-01&days=1`)).data).to.deep.equal([]);
    expect((await contract.ok(`${FREQUENCY}?date_to=2149-06-06&days=1`)).data).to.deep.equal([]);
  });

  it('given instants in the wrong order, or too far apart, then it is a fault of the first', async () => {
    for (const start of ['2026-03-05', '2000-01-01']) {
      const faults = await contract.faults(`${RUNS}?start_time=${start}&end_time=2026-03-04`);
      expect(faults.map((fault) => fault.parameter)).to.deep.equal(['start_time']);
    }
  });
});
