import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import {
  answersAsAccuracyEndpoint,
  COMMON_METADATA,
  expectCsvLikeJson,
  QUESTION_PARAMETERS,
  readCsv,
  takesStationInPath,
} from '../../../support/contract/cases.js';
import {
  EGLL_STATS,
  EMPTY_STATS,
  FEEDS,
  KMDW_STATS,
  KORD_18_STATS,
  KORD_LOW_STATS,
  KORD_STATS,
  KPDX_STATS,
  KPWM_STATS,
  NOW,
  STATS_FIELDS,
  VIDP_STATS,
  WINDOW,
} from '../../../support/contract/data.js';
import { Contract, sharedContract } from '../../../support/contract/contract.js';
import { loadLines } from '../../../support/ingest/feeds.js';
import { startTestService } from '../../../support/service.js';
import { openTestStore } from '../../../support/store.js';
import type { Store } from '../../../../src/store/store.js';
import { raw } from '../../../../src/sql.js';
import { itInCi } from '../../../support/runner/range.js';

const PATH = '/api/v1/accuracy/by-station';
const METADATA = [...COMMON_METADATA, 'local_generated_at', 'station_timezone'];
const COLUMNS = ['station_id', 'city_name', ...STATS_FIELDS, 'sample_size'];
const SAMPLE_FIELDS = [
  'target_date',
  'issued_at',
  'lead_time_hours',
  'lead_time_bucket',
  'forecast',
  'actual',
  'error',
  'observation_status',
];

interface StationRecord {
  station_id: string;
  city_name: string;
  stats: Record<string, number | null>;
  sample_size: number;
  sample_records?: { target_date: string; issued_at: string; error: number }[];
}

const sample = (
  target_date: string,
  issued_at: string,
  lead_time_hours: number,
  lead_time_bucket: string,
  [forecast, actual, error]: [number, number, number],
  observation_status: string,
) => ({
  target_date,
  issued_at,
  lead_time_hours,
  lead_time_bucket,
  forecast,
  actual,
  error,
  observation_status,
});

describe('GET /api/v1/accuracy/by-station/:station_id', () => {
  let contract: Contract;
  const answer = (query: string) => contract.ok<StationRecord>(`${PATH}/${query}`);

  before(async () => {
    contract = await sharedContract();
  });

  answersAsAccuracyEndpoint({
    path: `${PATH}/KORD`,
    parameters: { ...QUESTION_PARAMETERS, include_raw: 'true' },
    metadata: METADATA,
    misspelt: { includeRaw: 'include_raw', include_row: 'include_raw' },
  });
  takesStationInPath(PATH, ({ data }) => (data as StationRecord).station_id);

  it('given station_id or city in the query, then it is refused: the path names the station', async () => {
    for (const name of ['station_id', 'city']) {
      const faults = await contract.faults(`${PATH}/KORD?${name}=KORD`);
      expect(faults.map(({ parameter }) => parameter)).to.deep.equal([name]);
    }
  });

  it('given no station in the path, then there is no such route', async () => {
    await contract.refused(PATH, 404, 'NOT_FOUND');
    await contract.refused(`${PATH}/`, 404, 'NOT_FOUND');
  });

  describe('the record', () => {
    for (const [station, city, stats] of [
      ['KORD', 'Chicago', KORD_STATS],
      ['KPWM', 'Portland', KPWM_STATS],
      ['KPDX', 'Portland', KPDX_STATS],
      ['EGLL', 'London, "Heathrow"', EGLL_STATS],
      ['VIDP', '=Delhi', VIDP_STATS],
      ['KMDW', 'chicago midway', KMDW_STATS],
    ] as const) {
      it(`given ${station}, then it is of its pairs, and has no sample_records`, async () => {
        const { data } = await answer(`${station}?${WINDOW}`);
        expect(data).to.deep.equal({
          station_id: station,
          city_name: city,
          stats,
          sample_size: stats.verification_pairs,
        });
      });
    }

    it('given metric=low, then it is of the lows', async () => {
      const { data } = await answer(`KORD?${WINDOW}&metric=low`);
      expect(data.stats).to.deep.equal(KORD_LOW_STATS);
      expect(data.sample_size).to.equal(2);
    });

    for (const [given, query] of [
      ['a window without a pair', 'KORD?date_from=2024-03-01&date_to=2024-03-10'],
      ['a station without a pair', `KSEA?${WINDOW}`],
      ['a station without lows', `KPWM?${WINDOW}&metric=low`],
    ] as const) {
      it(`given ${given}, then the counts are 0, the rest null, and all keys are there (D10)`, async () => {
        const { data, metadata } = await answer(`${query}&include_raw=true`);
        expect(data).to.have.all.keys('station_id', 'city_name', 'stats', 'sample_size', 'sample_records');
        expect(data.stats).to.deep.equal(EMPTY_STATS);
        expect(data.sample_size).to.equal(0);
        expect(data.sample_records).to.deep.equal([]);
        expect(metadata).to.have.all.keys(...METADATA);
      });
    }
  });

  describe('the metadata', () => {
    for (const [name, station, zone, local] of [
      ['chicago', 'KORD', 'America/Chicago', '2024-03-20T10:30:00.123-05:00'],
      ['KPDX', 'KPDX', 'America/Los_Angeles', '2024-03-20T08:30:00.123-07:00'],
      ['del', 'VIDP', 'Asia/Kolkata', '2024-03-20T21:00:00.123+05:30'],
      ['heathrow', 'EGLL', 'Europe/London', '2024-03-20T15:30:00.123+00:00'],
    ] as const) {
      it(`given ${name}, then it names ${station}, its zone, its time and the error convention`, async () => {
        expect((await answer(name)).metadata).to.include({
          generated_at: NOW,
          local_generated_at: local,
          station_id: station,
          station_timezone: zone,
          error_convention: 'forecast_minus_actual',
        });
      });
    }
  });

  describe('include_raw (D13)', () => {
    it('given true, then the pairs are in sample_records by target_date and issued_at', async () => {
      const { data } = await answer(`KORD?${WINDOW}&include_raw=true`);
      expect(data.stats).to.deep.equal(KORD_STATS);
      expect(data.sample_records).to.deep.equal([
        sample('2024-03-17', '2024-03-17T00:00:00Z', 5, '0-6h', [42, 40, 2], 'verified'),
        sample('2024-03-18', '2024-03-15T05:00:00Z', 72, '72h+', [55, 50, 5], 'verified'),
        sample('2024-03-18', '2024-03-16T05:00:00Z', 48, '48-72h', [46, 50, -4], 'verified'),
        sample('2024-03-18', '2024-03-17T05:00:00Z', 24, '24-48h', [53, 50, 3], 'verified'),
        sample('2024-03-18', '2024-03-17T17:00:00Z', 12, '12-24h', [48.5, 50, -1.5], 'verified'),
        sample('2024-03-18', '2024-03-17T23:00:00Z', 6, '6-12h', [52, 50, 2], 'verified'),
        sample('2024-03-18', '2024-03-18T00:00:00Z', 5, '0-6h', [49, 50, -1], 'verified'),
        sample('2024-03-18', '2024-03-18T05:00:00Z', 0, '0-6h', [51, 50, 1], 'verified'),
        sample('2024-03-19', '2024-03-18T00:00:00Z', 29, '24-48h', [62, 60, 2], 'preliminary'),
        sample('2024-03-19', '2024-03-19T00:00:00Z', 5, '0-6h', [57, 60, -3], 'preliminary'),
      ]);
    });

    it('given a zone half an hour off, then the lead time has its half hour', async () => {
      const { data } = await answer(`VIDP?${WINDOW}&include_raw=true`);
      expect(data.sample_records).to.deep.equal([
        sample('2024-03-18', '2024-03-17T12:00:00Z', 6.5, '6-12h', [90.75, 90, 0.75], 'verified'),
      ]);
    });

    it('given metric=low, then they are the lows', async () => {
      const { data } = await answer(`KORD?${WINDOW}&include_raw=true&metric=low`);
      expect(data.sample_records).to.deep.equal([
        sample('2024-03-18', '2024-03-17T23:00:00Z', 6, '6-12h', [31.5, 30, 1.5], 'verified'),
        sample('2024-03-18', '2024-03-18T00:00:00Z', 5, '0-6h', [28.25, 30, -1.75], 'verified'),
      ]);
    });

    it('given a narrower window, then they are those within it', async () => {
      const { data } = await answer('KORD?date_from=2024-03-18&date_to=2024-03-18&include_raw=true');
      expect(data.stats).to.deep.equal(KORD_18_STATS);
      expect(data.sample_records).to.have.length(7);
    });

    it('given false or blank, then there is no sample_records', async () => {
      for (const query of ['include_raw=false', 'include_raw=', 'include_raw']) {
        expect((await answer(`KORD?${query}`)).data, query).not.to.have.property('sample_records');
      }
    });

    for (const value of ['TRUE', 'yes', '1', '0', 'on', 'true ', 'null']) {
      it(`given ${JSON.stringify(value)}, then it is a fault that names true and false`, async () => {
        const faults = await contract.faults(`${PATH}/KORD?include_raw=${encodeURIComponent(value)}`);
        expect(faults.map(({ parameter }) => parameter)).to.deep.equal(['include_raw']);
        expect(faults[0]?.message).to.match(/true.*false/);
      });
    }
  });

  describe('the CSV (D17)', () => {
    for (const [of, query] of [
      ['KORD', `KORD?${WINDOW}`],
      ['a name with quotes and a comma', `EGLL?${WINDOW}`],
      ['the lows', `KORD?${WINDOW}&metric=low`],
    ] as const) {
      it(`has the columns and the values of the JSON, for ${of}`, async () => {
        const { rows } = await expectCsvLikeJson(contract, `${PATH}/${query}`, COLUMNS);
        expect(rows).to.have.length(1);
      });
    }

    it('is this text: a name like a formula guarded, numbers with their sign', async () => {
      const lines = async (station: string) =>
        (await readCsv(contract, `${PATH}/${station}?${WINDOW}`)).text.split('\r\n');
      expect(await lines('VIDP')).to.deep.equal([
        'metric,period_start,period_end,station_id,city_name,verification_pairs,unique_days,mean_error,std_dev,mae,rmse,abs_error_p50,abs_error_p90,abs_error_p95,sample_size',
        `high,2024-03-16,2024-03-19,VIDP,'=Delhi,1,1,0.75,0,0.75,0.75,0.75,0.75,0.75,1`,
        '',
      ]);
      expect((await lines('KPWM'))[1]).to.equal(
        'high,2024-03-16,2024-03-19,KPWM,Portland,2,1,-0.75,0.75,0.75,1.06,0.75,1.35,1.43,2',
      );
    });

    it('given no pair, then the counts are 0 and the other cells empty', async () => {
      const { rows } = await expectCsvLikeJson(contract, `${PATH}/KSEA?${WINDOW}`, COLUMNS);
      expect(rows).to.deep.equal([
        ['high', '2024-03-16', '2024-03-19', 'KSEA', `'@Seattle`, '0', '0', '', '', '', '', '', '', '', '0'],
      ]);
    });

    it('given include_raw=true, then it has a row a pair, in order, behind the columns of the station', async () => {
      const { header, rows } = await readCsv(contract, `${PATH}/KORD?${WINDOW}&include_raw=true`);
      expect(header).to.deep.equal(['metric', 'period_start', 'period_end', ...COLUMNS, ...SAMPLE_FIELDS]);
      const { data } = await answer(`KORD?${WINDOW}&include_raw=true`);
      expect(rows.map((row) => row.slice(3 + COLUMNS.length))).to.deep.equal(
        data.sample_records?.map((each) => Object.values(each).map(String)),
      );
      const [[, ...aggregate] = []] = (await readCsv(contract, `${PATH}/KORD?${WINDOW}`)).rows;
      for (const row of rows) expect(row.slice(1, 3 + COLUMNS.length)).to.deep.equal(aggregate);
      expect(rows.at(-1)?.slice(-4)).to.deep.equal(['57', '60', '-3', 'preliminary']);
    });

    it('given include_raw=true and no pair, then it is the header', async () => {
      const { text } = await readCsv(contract, `${PATH}/KSEA?${WINDOW}&include_raw=true`);
      expect(text).to.equal(
        `metric,period_start,period_end,${COLUMNS.join(',')},${SAMPLE_FIELDS.join(',')}\r\n`,
      );
    });

    it('has a file name that tells the endpoint, the station, the metric and the window', async () => {
      const { fileName } = await readCsv(contract, `${PATH}/windy%20city?${WINDOW}&metric=low`);
      for (const word of ['by-station', 'KORD', 'low', '2024-03-16', '2024-03-19']) {
        expect(fileName).to.include(word);
      }
    });
  });

  describe('given a station with very many pairs', function () {
    this.timeout(60_000);
    const DAY = 'date_from=2024-03-18&date_to=2024-03-18';
    let store: Store;
    let crowded: Contract;

    before(async () => {
      store = await openTestStore();
      await loadLines(store, { stations: FEEDS.stations ?? [] });
      crowded = await Contract.of(await startTestService(store, { now: NOW }));
      await addPairs(store, 0, 50_000);
    });

    // Fewer would fit into the buffers between, and be sent before the client goes.
    itInCi('when a client goes away in the middle of the CSV, then no stack is printed', async () => {
      const printed: unknown[][] = [];
      const print = console.error;
      console.error = (...words) => printed.push(words);
      const server = createServer(crowded.service.app);
      try {
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        await new Promise<void>((resolve, reject) => {
          const going = get({
            port: (server.address() as AddressInfo).port,
            path: `${PATH}/KORD?${DAY}&include_raw=true&format=csv`,
            headers: { Authorization: `Bearer ${crowded.service.key}` },
          });
          going.on('error', reject);
          going.on('response', (response) => {
            response.on('error', () => {}); // it is cut off, as it should be
            response.once('data', () => {
              response.destroy();
              resolve();
            });
          });
        });
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeIdleConnections();
        await closed;
        await new Promise((resolve) => setTimeout(resolve, 50));
      } finally {
        console.error = print;
      }
      expect(printed).to.deep.equal([]);
    });

    itInCi('when there are 50,000, then include_raw has all of them', async () => {
      const { data } = await crowded.ok<StationRecord>(`${PATH}/KORD?${DAY}&include_raw=true`);
      expect(data.sample_size).to.equal(50_000);
      expect(data.sample_records).to.have.length(50_000);
      expect(new Set(data.sample_records?.map(({ issued_at }) => issued_at)).size).to.equal(50_000);
    });

    itInCi('when there are 50,000, then the CSV has all of them, too', async () => {
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
    });

    it('then the aggregate alone is answered still', async () => {
      const { data } = await crowded.ok<StationRecord>(`${PATH}/KORD?${DAY}`);
      expect(data.sample_size).to.equal(50_001);
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
