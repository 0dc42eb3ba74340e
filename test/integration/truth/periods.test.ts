import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { readCsv } from '../../support/contract/cases.js';
import { Contract } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { forecastOf, linesOf, observationOf, type StationRow } from '../../support/plain/oracle.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { describeInCi } from '../../support/runner/range.js';

// Guards what periods begin with and end with, and how many stations a call may name. In random-worlds.test.ts, a
// period is the summary of its days, and by-city of some stations is theirs of all.

const API = '/api/v1/accuracy';
const HOUR = 3_600_000;

interface DateRecord {
  date: string;
  sample_size: number;
  stats: Record<string, number | null>;
}

describeInCi('periods and several stations in one call', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  describe('given a year of one station among 201', () => {
    let contract: Contract;
    const stations = Array.from({ length: 201 }, (_, index): StationRow => {
      const station_id = `K${String(index).padStart(3, '0')}`;
      return { station_id, city_name: `City ${index}`, timezone: 'UTC', iata: '' };
    });
    const [station] = stations as [StationRow];
    /** Errors in °F: 13 months, a Sunday and the Monday after it, and the first day that there can be, a Thursday. */
    const ERRORS: [date: string, error: number][] = [
      ['1970-01-01', 1],
      ['2025-03-01', 2],
      ['2025-03-19', -4],
      ['2025-03-31', 3],
      ['2025-12-28', 5],
      ['2025-12-29', 7],
      ['2026-01-01', 8],
      ['2026-03-01', 1],
      ['2026-03-19', -2],
    ];

    before(async () => {
      const { rejections } = await loadLines(store, {
        ...linesOf({
          stations,
          forecasts: ERRORS.map(([date, error]) =>
            forecastOf(station, date, date === '1970-01-01' ? 0 : HOUR, 5000 + 100 * error),
          ),
          observations: ERRORS.map(([date]) => observationOf(station, date, 5000)),
        }),
      });
      expect(rejections).to.deep.equal([]);
      contract = await Contract.of(await startTestService(store, { now: '2026-03-20T12:00:00Z' }));
    });

    for (const [what, query, expected] of [
      [
        'by month a year back, then one call has this month beside the same month last year',
        'station_id=K000&date_from=2025-03-01&date_to=2026-03-20&group_by=month',
        [
          ['2025-03-01', 3, 3],
          ['2025-12-01', 2, 6],
          ['2026-01-01', 1, 8],
          ['2026-03-01', 2, 1.5],
        ],
      ],
      [
        'by week, then it begins on Monday, also over the end of a year',
        'date_from=2025-12-28&date_to=2026-01-10&group_by=week',
        [
          ['2025-12-22', 1, 5],
          ['2025-12-29', 2, 7.5],
        ],
      ],
      [
        'by week, then the first of all begins on its Thursday',
        'date_from=1970-01-01&days=9&group_by=week',
        [['1970-01-01', 1, 1]],
      ],
      [
        'by season, then each begins with December, March, June or September',
        'date_from=2025-03-19&date_to=2026-03-20&group_by=season',
        [
          ['2025-03-01', 2, 3.5],
          ['2025-12-01', 3, 6.67],
          ['2026-03-01', 2, 1.5],
        ],
      ],
      [
        'by season, then the first of all begins with 1970',
        'date_from=1970-01-01&days=9&group_by=season',
        [['1970-01-01', 1, 1]],
      ],
      [
        'by year in a window that cuts periods at its edges, then they hold its days alone',
        'date_from=2025-03-19&date_to=2026-03-01&group_by=year',
        [
          ['2025-01-01', 4, 4.75],
          ['2026-01-01', 2, 4.5],
        ],
      ],
    ] as const) {
      it(`when asked ${what}`, async () => {
        const { data } = await contract.ok<DateRecord[]>(`${API}/by-date?${query}`);
        expect(data.map(({ date, stats }) => [date, stats.unique_days, stats.mae])).to.deep.equal(expected);
      });
    }

    const ids = stations.map(({ station_id }) => station_id);

    it('when 201 stations are named, then it is a fault; 200 with some twice are not', async () => {
      for (const endpoint of ['by-city', 'hit-rate', 'revision-stats']) {
        const path = `${API}/${endpoint}?date_from=2026-03-01&days=30&stations=`;
        expect(await contract.faults(path + ids.join(',')), endpoint).to.deep.equal([
          {
            parameter: 'stations',
            message: 'names 201 stations; at most 200 are allowed, so ask for them in parts',
          },
        ]);
        const some = path + [...ids.slice(0, 200), ...ids.slice(0, 9), 'city%201'].join(',');
        const { data, metadata } = await contract.ok<{ station_id: string }[]>(some);
        expect(data.map(({ station_id }) => station_id)).to.deep.equal(['K000']);
        expect(metadata.station_id).to.equal(ids.slice(0, 200).join(','));
        const { fileName } = await readCsv(contract, some);
        expect(fileName).to.equal(`accuracy-${endpoint}-200-stations-high-2026-03-01-2026-03-30.csv`);
      }
    });

    it('when what was known of 200 stations is asked over more than 310 days, then it is a fault', async () => {
      const path = `${API}/by-city?known_at=2026-03-20&stations=${ids.slice(0, 200).join(',')}`;
      expect((await contract.ok<unknown[]>(`${path}&days=310`)).data).to.have.length(1);
      const [fault] = await contract.faults(`${path}&days=311`);
      expect(fault?.parameter).to.equal('known_at');
      expect(fault?.message).to.match(/name fewer stations, or ask for at most 310 days instead of 311/);
    });
  });
});
