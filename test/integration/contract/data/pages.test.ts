import { expect } from 'chai';
import { readCsv } from '../../../support/contract/cases.js';
import { WINDOW } from '../../../support/contract/data.js';
import { Contract, sharedContract } from '../../../support/contract/contract.js';
import { loadLines } from '../../../support/ingest/feeds.js';
import { startTestService } from '../../../support/service.js';
import { openTestStore } from '../../../support/store.js';
import { MONTHS_WINDOW, twoMonths } from '../../../support/contract/months.js';
import type { Store } from '../../../../src/store/store.js';
import { itInCi, range } from '../../../support/runner/range.js';

const PAIRS = '/api/v1/data/forecast-actual';
const FORECASTS = '/api/v1/data/forecasts';
const OBSERVATIONS = '/api/v1/data/observations';

type Row = Record<string, unknown>;

/** All rows of a question, page by page. */
async function paged(contract: Contract, path: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor = '';
  for (;;) {
    const query = `${path}&limit=${limit}${cursor}`;
    const { data, metadata } = await contract.ok<Row[]>(query);
    const { headers } = await contract.get(`${query}&format=csv`);
    rows.push(...data);
    expect(headers['x-next-cursor'] ?? null).to.equal(metadata.next_cursor);
    expect(metadata.truncated).to.equal(metadata.next_cursor !== null);
    if (metadata.next_cursor === null) return rows;
    expect(data).to.have.length(limit);
    cursor = `&cursor=${metadata.next_cursor as string}`;
  }
}

describe('GET /api/v1/data/forecast-actual', () => {
  it('given a window, then it has the pairs of every station by date, station and issuance', async () => {
    const contract = await sharedContract();
    const { data, metadata } = await contract.ok<Row[]>(`${PAIRS}?${WINDOW}`);
    expect(data).to.have.length(17);
    expect(metadata).to.include({ total_records: 17, truncated: false, next_cursor: null });
  });

  itInCi(
    'given a limit, then the pages together are the pairs of by-station, whatever their size',
    async () => {
      const months = await twoMonths();
      const expected = [...months.pairs].sort((a, b) =>
        [a.target_date, a.station_id, a.issued_at].join() < [b.target_date, b.station_id, b.issued_at].join()
          ? -1
          : 1,
      );
      // A sort keeps the order of equals: pairs with errors of one size stand by date.
      const worst = expected.toSorted((a, b) => Math.abs(b.error) - Math.abs(a.error));
      for (const [limit, order, pairs] of range({ test: 3, ci: 3, stress: 6 }, [
        [100, '', expected],
        [100, '&sort_by=abs_error', worst],
        [7, '', expected],
        [7, '&sort_by=abs_error', worst],
        [months.pairs.length, '&sort_by=target_date', expected],
        [50_000, '', expected],
      ] as const)) {
        const rows = await paged(months.contract, `${PAIRS}?${MONTHS_WINDOW}${order}`, limit);
        expect(
          rows.map((row) => [row.station_id, row.issued_at, Math.round(Number(row.error) * 100)]),
        ).to.deep.equal(pairs.map((pair) => [pair.station_id, pair.issued_at, pair.error]));
      }
    },
  );
});

describe('what the feeds said, as it was loaded', () => {
  let store: Store;
  let contract: Contract;

  const load = (lines: { stations?: string[]; forecasts?: string[]; observations?: string[] }) =>
    loadLines(store, { columns: 'all', ...lines });

  before(async () => {
    store = await openTestStore();
    // Two stations: one whose day begins at 06:00Z, one that is taken back in the end.
    await load({
      stations: [
        'KORD,Chicago,US,41,-87,America/Chicago,Dfa,true,,ORD,,',
        'EGLL,London,GB,51,0,Europe/London,Cfb,true,,LHR,,',
      ],
      forecasts: [
        'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18,,',
        'KORD,2026-01-05T06:00:00Z,2026-01-05,32,,,',
        'KORD,2026-01-05T06:00:00.001Z,2026-01-05,33,,,',
        'KORD,2026-01-06T06:00:00Z,2026-01-05,34,,,',
        'KORD,2026-01-05T00:00:00Z,2026-01-05,35,,nws,',
        'EGLL,2026-01-04T18:00:00Z,2026-01-05,50,40,,',
      ],
      observations: [
        'KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z,',
        'KORD,2026-01-06,28,,preliminary,2026-01-07T06:00:00Z,',
        'EGLL,2026-01-05,51,41,verified,2026-01-06T06:00:00Z,',
      ],
    });
    await load({
      forecasts: [
        'KORD,2026-01-04T18:00:00Z,2026-01-05,31.5,18,,',
        'KORD,2026-01-05T06:00:00Z,2026-01-05,,,,true',
      ],
      observations: [
        'KORD,2026-01-05,29,17,verified,2026-01-06T09:00:00Z,',
        'KORD,2026-01-05,30.5,,preliminary,2026-01-06T12:00:00Z,',
      ],
    });
    await load({ stations: ['EGLL,London,GB,51,0,Europe/London,Cfb,true,,LHR,,true'] });
    contract = await Contract.of(await startTestService(store, { now: '2026-01-05T12:00:00Z' }));
  });
  after(() => store.close());

  describe('GET /api/v1/data/forecasts', () => {
    const shown = async (query: string) => {
      const { data } = await contract.ok<Row[]>(`${FORECASTS}?${query}`);
      return data.map((row) => [
        row.metric,
        row.issued_at,
        row.lead_time_bucket,
        row.forecast_f,
        row.load_id,
        row.superseded,
      ]);
    };

    it('given no date, then it is today; the values that hold, of the default provider', async () => {
      const { data, metadata } = await contract.ok<Row[]>(`${FORECASTS}`);
      expect(data[0]).to.deep.equal({
        station_id: 'KORD',
        city_name: 'Chicago',
        metric: 'high',
        target_date: '2026-01-05',
        issued_at: '2026-01-04T18:00:00Z',
        lead_time_hours: 12,
        lead_time_bucket: '12-24h',
        forecast_f: 31.5,
        load_id: 2,
        superseded: false,
      });
      expect(metadata).to.include({
        forecast_for_date: '2026-01-05',
        station_id: 'ALL',
        provider: 'default',
      });
      expect(await shown('')).to.deep.equal([
        ['high', '2026-01-04T18:00:00Z', '12-24h', 31.5, 2, false],
        ['high', '2026-01-05T06:00:00.001Z', 'same-day', 33, 1, false],
        ['high', '2026-01-06T06:00:00Z', null, 34, 1, false],
        ['low', '2026-01-04T18:00:00Z', '12-24h', 18, 1, false],
      ]);
    });

    it('given versions=all, then also those that were corrected or taken back, and the taking back itself', async () => {
      expect(await shown('versions=all&metric=high&forecast_for_date=2026-01-05&city=Chicago')).to.deep.equal(
        [
          ['high', '2026-01-04T18:00:00Z', '12-24h', 31, 1, true],
          ['high', '2026-01-04T18:00:00Z', '12-24h', 31.5, 2, false],
          ['high', '2026-01-05T06:00:00Z', '0-6h', 32, 1, true],
          ['high', '2026-01-05T06:00:00Z', '0-6h', null, 2, false],
          ['high', '2026-01-05T06:00:00.001Z', 'same-day', 33, 1, false],
          ['high', '2026-01-06T06:00:00Z', null, 34, 1, false],
        ],
      );
    });

    it('given a provider, a metric, or another date, then those alone', async () => {
      expect(await shown('provider=nws')).to.deep.equal([
        ['high', '2026-01-05T00:00:00Z', '6-12h', 35, 1, false],
      ]);
      expect(await shown('metric=low')).to.deep.equal([
        ['low', '2026-01-04T18:00:00Z', '12-24h', 18, 1, false],
      ]);
      expect(await shown('forecast_for_date=2026-01-06')).to.deep.equal([]);
    });
  });

  describe('GET /api/v1/data/observations', () => {
    const shown = async (query: string) => {
      const { data } = await contract.ok<Row[]>(
        `${OBSERVATIONS}?date_from=2026-01-05&date_to=2026-01-06${query}`,
      );
      return data.map((row) => [row.date, row.metric, row.actual_f, row.status, row.load_id, row.current]);
    };

    it('given a window, then it has the value of each day that forecasts are compared with', async () => {
      expect(await shown('')).to.deep.equal([
        ['2026-01-05', 'high', 29, 'verified', 2, true],
        ['2026-01-05', 'low', 17, 'verified', 2, true],
        ['2026-01-06', 'high', 28, 'preliminary', 1, true],
      ]);
      const { data, metadata } = await contract.ok<Row[]>(
        `${OBSERVATIONS}?date_to=2026-01-05&days=1&metric=low`,
      );
      expect(data).to.deep.equal([
        {
          station_id: 'KORD',
          city_name: 'Chicago',
          date: '2026-01-05',
          metric: 'low',
          actual_f: 17,
          status: 'verified',
          observed_at: '2026-01-06T09:00:00Z',
          load_id: 2,
          current: true,
        },
      ]);
      expect(metadata).to.include({ period_start: '2026-01-05', period_end: '2026-01-05', days_analyzed: 1 });
    });

    it('given versions=all, then every value, and which of them is current', async () => {
      expect(await shown('&versions=all&metric=high')).to.deep.equal([
        ['2026-01-05', 'high', 30, 'preliminary', 1, false],
        ['2026-01-05', 'high', 29, 'verified', 2, true],
        ['2026-01-05', 'high', 30.5, 'preliminary', 2, false],
        ['2026-01-06', 'high', 28, 'preliminary', 1, true],
      ]);
    });
  });

  it('given a cursor of no version, or behind the end, then it is a fault of cursor', async () => {
    for (const path of [PAIRS, FORECASTS, OBSERVATIONS]) {
      for (const cursor of ['999.0', '2.100000']) {
        const faults = await contract.faults(`${path}?cursor=${cursor}`);
        expect(
          faults.map(({ parameter }) => parameter),
          `${path} ${cursor}`,
        ).to.deep.equal(['cursor']);
      }
    }
  });

  it('given CSV, then it has blanks for what was taken back', async () => {
    const { rows } = await readCsv(contract, `${FORECASTS}?versions=all&metric=high&limit=4`);
    expect(rows.map((cells) => cells[7])).to.include('');
  });

  // Last, as it loads more.
  describe('the pages', () => {
    // export-stream.test.ts, with a load in the middle, stands for it in `make test`.
    itInCi(
      'given pages, then a load in between changes nothing of them, and a new question has what it brought',
      async () => {
        const observed = `${OBSERVATIONS}?date_from=2026-01-05&date_to=2026-01-06&versions=all`;
        const forecast = `${FORECASTS}?forecast_for_date=2026-01-05&versions=all`;
        const pairs = `${PAIRS}?date_from=2026-01-05&date_to=2026-01-06&lead_time_bucket=same-day,12-24h`;
        const before = await Promise.all(
          [observed, forecast, pairs].map(async (path) => ({
            path,
            whole: (await contract.ok<Row[]>(path)).data,
            first: await contract.ok<Row[]>(`${path}&limit=1`),
          })),
        );
        await load({
          observations: ['KORD,2026-01-05,27,,verified,2026-01-06T23:00:00Z,'],
          forecasts: ['KORD,2026-01-05T03:00:00Z,2026-01-05,40,,,'],
        });
        for (const { path, whole, first } of before) {
          const rest = await contract.ok<Row[]>(`${path}&cursor=${first.metadata.next_cursor as string}`);
          expect([...first.data, ...rest.data], path).to.deep.equal(whole);
          expect((await contract.ok<Row[]>(path)).data, path).not.to.deep.equal(whole);
        }
      },
    );
  });
});
