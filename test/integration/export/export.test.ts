import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { raw } from '../../../src/queries/sql.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { Contract } from '../../support/contract/contract.js';
import { askDuckDb } from '../../support/duckdb.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { type Downloaded, Listening } from '../../support/listen.js';
import { itInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { words } from '../../support/words.js';
import { openWorld } from '../../support/worlds.js';

const EXPORT = '/api/v1/export/pairs';

/** The columns of the ledger that a withdrawal repeats. */
const ROW =
  'metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts';

const COLUMNS =
  words(`metric station_id target_date issued_at lead_time_hours lead_time_bucket forecast actual error
  observation_status`);

/** Every pair of WINDOW, by hand from contract-data.ts, in order. */
const PAIRS = [
  'high,KMDW,2024-03-16,2024-03-16T00:00:00Z,5,0-6h,36,38,-2,verified',
  'high,KORD,2024-03-17,2024-03-17T00:00:00Z,5,0-6h,42,40,2,verified',
  'high,EGLL,2024-03-18,2024-03-17T00:00:00Z,24,24-48h,54,52,2,verified',
  'high,EGLL,2024-03-18,2024-03-18T00:00:00Z,0,0-6h,51.5,52,-0.5,verified',
  'high,KORD,2024-03-18,2024-03-15T05:00:00Z,72,72h+,55,50,5,verified',
  'high,KORD,2024-03-18,2024-03-16T05:00:00Z,48,48-72h,46,50,-4,verified',
  'high,KORD,2024-03-18,2024-03-17T05:00:00Z,24,24-48h,53,50,3,verified',
  'high,KORD,2024-03-18,2024-03-17T17:00:00Z,12,12-24h,48.5,50,-1.5,verified',
  'high,KORD,2024-03-18,2024-03-17T23:00:00Z,6,6-12h,52,50,2,verified',
  'high,KORD,2024-03-18,2024-03-18T00:00:00Z,5,0-6h,49,50,-1,verified',
  'high,KORD,2024-03-18,2024-03-18T05:00:00Z,0,0-6h,51,50,1,verified',
  'high,KPDX,2024-03-18,2024-03-18T00:00:00Z,7,6-12h,57,55,2,preliminary',
  'high,KPWM,2024-03-18,2024-03-17T00:00:00Z,28,24-48h,43.5,45,-1.5,verified',
  'high,KPWM,2024-03-18,2024-03-18T00:00:00Z,4,0-6h,45,45,0,verified',
  'high,VIDP,2024-03-18,2024-03-17T12:00:00Z,6.5,6-12h,90.75,90,0.75,verified',
  'low,KORD,2024-03-18,2024-03-17T23:00:00Z,6,6-12h,31.5,30,1.5,verified',
  'low,KORD,2024-03-18,2024-03-18T00:00:00Z,5,0-6h,28.25,30,-1.75,verified',
  'high,KORD,2024-03-19,2024-03-18T00:00:00Z,29,24-48h,62,60,2,preliminary',
  'high,KORD,2024-03-19,2024-03-19T00:00:00Z,5,0-6h,57,60,-3,preliminary',
];

/** How many of them a cursor skips. */
const SKIPS = [...PAIRS.keys(), PAIRS.length];

const records = PAIRS.map((line) => {
  const cells = line.split(',');
  return Object.fromEntries(
    COLUMNS.map((column, index) => {
      const cell = cells[index] ?? '';
      return [column, /hours|^forecast$|actual|error/.test(column) ? Number(cell) : cell];
    }),
  );
});

describe('GET /api/v1/export/pairs', () => {
  let store: Store;
  let service: TestService;
  let contract: Contract;
  let server: Listening;

  const get = (query = WINDOW, headers?: Record<string, string>, method?: string): Promise<Downloaded> =>
    server.download(`${EXPORT}?${query}`, headers, method);
  const jsonLines = ({ body }: Downloaded): object[] =>
    body
      .toString()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as object);
  const linesOf = ({ body }: Downloaded): string[] => body.toString().split('\r\n').slice(1, -1);
  const faultsOf = async (query: string) => contract.faults(`${EXPORT}?${query}`);

  before(async () => {
    store = await openWorld([FEEDS]);
    service = await startTestService(store, { now: NOW });
    contract = await Contract.of(service);
    server = await Listening.start(service);
  });
  after(async () => {
    await server.stop();
    await store.close();
  });

  it('given no format, then it is CSV with every pair once, high and low, in order', async () => {
    const { status, headers, body } = await get();
    expect(status).to.equal(200);
    expect(headers['content-type']).to.equal('text/csv; charset=utf-8; header=present');
    expect(headers['content-disposition']).to.equal(
      'attachment; filename="export-pairs-2024-03-16-2024-03-19.csv"',
    );
    expect(body.toString()).to.equal(`${[COLUMNS.join(','), ...PAIRS].join('\r\n')}\r\n`);
  });

  it('given ndjson, then each line is a record of the document with the same values', async () => {
    const told = await get(`${WINDOW}&format=ndjson`);
    expect(told.headers['content-type']).to.equal('application/x-ndjson; charset=utf-8');
    const found = jsonLines(told);
    expect(found).to.deep.equal(records);
    expect(Object.keys(found[0] ?? {})).to.deep.equal(COLUMNS);
    const schema = contract.document.components.schemas.ExportedPair as { required: string[] };
    expect(schema.required).to.have.members(COLUMNS);
  });

  it('given parquet, then another program reads the same rows, with types of their own', async () => {
    const { headers, body } = await get(`${WINDOW}&format=parquet`);
    expect(headers['content-type']).to.equal('application/vnd.apache.parquet');
    const found = await askDuckDb(body, 'parquet', 'SELECT * FROM {file}');
    const utc = (text: unknown): string => new Date(`${String(text).replace(/\+00$/, '')}Z`).toISOString();
    expect(
      found.map((row) => ({ ...row, issued_at: utc(row.issued_at).replace('.000Z', 'Z') })),
    ).to.deep.equal(records);
    const types = await askDuckDb(
      body,
      'parquet',
      'SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {file})',
    );
    expect(Object.fromEntries(types.map((row) => [row.column_name, row.column_type]))).to.deep.equal({
      metric: 'VARCHAR',
      station_id: 'VARCHAR',
      target_date: 'DATE',
      issued_at: 'TIMESTAMP WITH TIME ZONE',
      lead_time_hours: 'DOUBLE',
      lead_time_bucket: 'VARCHAR',
      forecast: 'DOUBLE',
      actual: 'DOUBLE',
      error: 'DOUBLE',
      observation_status: 'VARCHAR',
    });
  });

  it('then it has the values of sample_records, to the last digit', async () => {
    const { data } = await contract.ok<{ sample_records: Record<string, unknown>[] }>(
      `/api/v1/accuracy/by-station/KORD?${WINDOW}&include_raw=true`,
    );
    expect(jsonLines(await get(`${WINDOW}&station_id=KORD&metric=high&format=ndjson`))).to.deep.equal(
      data.sample_records.map((sample) => ({ metric: 'high', station_id: 'KORD', ...sample })),
    );
  });

  for (const [query, expected] of range({ test: 3, ci: Infinity }, [
    ['metric=low', (line: string) => line.startsWith('low')],
    ['metric=high', (line: string) => line.startsWith('high')],
    ['station_id=ord', (line: string) => line.includes('KORD')],
    ['city=Windy%20City&metric=low', (line: string) => line.startsWith('low,KORD')],
    ['station_id=KSEA', () => false],
  ] as const)) {
    it(`given ${query}, then it has the pairs of it alone`, async () => {
      const found = await get(`${WINDOW}&${query}`);
      expect(linesOf(found)).to.deep.equal(PAIRS.filter(expected));
      expect(found.headers['x-total-pairs']).to.equal(`${PAIRS.filter(expected).length}`);
    });
  }

  it('given a window, then it is that of every endpoint: one bound anchors days, none ends today', async () => {
    expect(linesOf(await get('date_from=2024-03-17&days=1'))).to.deep.equal(PAIRS.slice(1, 2));
    const { headers, body } = await get('');
    expect(headers['content-disposition']).to.include('2023-12-22-2024-03-20');
    expect(linesOf({ body } as Downloaded)).to.deep.equal(PAIRS);
    expect(linesOf(await get('date_from=2023-12-21&date_to=2024-03-20'))).to.have.lengthOf(PAIRS.length + 1);
  });

  for (const format of range({ test: 2, ci: 3 }, ['csv', 'ndjson', 'parquet'])) {
    it(`given ${format} of a window without pairs, then it is a whole file without rows`, async () => {
      const { status, headers, trailers, body } = await get(
        `date_from=2020-01-01&date_to=2020-01-31&format=${format}`,
      );
      expect(status).to.equal(200);
      expect(headers['x-total-pairs']).to.equal('0');
      expect(trailers['x-pairs-sent']).to.equal('0');
      if (format === 'csv') expect(body.toString()).to.equal(`${COLUMNS.join(',')}\r\n`);
      else if (format === 'ndjson') expect(body.toString()).to.equal('');
      else {
        const columns = await askDuckDb(
          body,
          'parquet',
          'SELECT column_name FROM (DESCRIBE SELECT * FROM {file})',
        );
        expect(columns.map((row) => row.column_name)).to.deep.equal(COLUMNS);
        expect(await askDuckDb(body, 'parquet', 'SELECT * FROM {file}')).to.deep.equal([]);
      }
    });
  }

  it('says beforehand how many pairs there are, and afterwards how many were sent', async () => {
    const { headers, trailers } = await get();
    expect(headers['x-total-pairs']).to.equal(`${PAIRS.length}`);
    expect(headers.trailer).to.equal('X-Pairs-Sent');
    expect(trailers['x-pairs-sent']).to.equal(`${PAIRS.length}`);
    expect(headers['x-export-cursor']).to.match(/^1-[a-z0-9]{4}\.0$/);
  });

  it('given HTTP/1.0, which knows no trailers, then it has the same body up to the end of the connection', async () => {
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(`GET ${EXPORT}?${WINDOW} HTTP/1.0\r\nAuthorization: Bearer ${service.key}\r\n\r\n`);
    const [head = '', body] = (await text(socket)).split('\r\n\r\n');
    expect(head)
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.match(/^X-Total-Pairs: 19\r$/m);
    expect(head).not.to.match(/^Trailer:/m);
    expect(body).to.equal(`${[COLUMNS.join(','), ...PAIRS].join('\r\n')}\r\n`);
  });

  for (const format of range({ test: 1, ci: Infinity }, ['csv', 'ndjson', 'parquet'])) {
    it(`given ${format} and a cursor with any number of rows, then the rest follows`, async () => {
      for (const skip of range({ test: 3, ci: Infinity }, SKIPS)) {
        const { status, headers, trailers, body } = await get(`${WINDOW}&format=${format}&cursor=1.${skip}`);
        expect(status).to.equal(200);
        expect(headers['x-total-pairs']).to.equal(`${PAIRS.length}`);
        expect(headers['x-export-cursor']).to.match(new RegExp(`^1-[a-z0-9]{4}\\.${skip}$`));
        expect(trailers['x-pairs-sent']).to.equal(`${PAIRS.length - skip}`);
        if (format === 'csv') expect(linesOf({ body } as Downloaded)).to.deep.equal(PAIRS.slice(skip));
        else {
          const source = format === 'parquet' ? '{file}' : `read_json({file}, format = 'newline_delimited')`;
          if (format === 'ndjson' && skip === PAIRS.length) continue; // no lines: nothing to tell columns by
          const errors = await askDuckDb(body, format, `SELECT error FROM ${source}`);
          expect(errors.map(({ error }) => Number(error))).to.deep.equal(
            records.slice(skip).map(({ error }) => error),
          );
        }
      }
    });
  }

  it('given Accept, then it decides where format does not', async () => {
    const typeOf = async (accept: string, query = WINDOW) =>
      (await get(query, { accept })).headers['content-type']?.split(';')[0];
    expect(await typeOf('application/x-ndjson')).to.equal('application/x-ndjson');
    expect(await typeOf('application/vnd.apache.parquet, text/csv;q=0.5')).to.equal(
      'application/vnd.apache.parquet',
    );
    expect(await typeOf('application/json')).to.equal('text/csv');
    expect(await typeOf('application/x-ndjson', `${WINDOW}&format=csv`)).to.equal('text/csv');
  });

  it('given what cannot be used, then every fault is told, as JSON', async () => {
    const names = async (query: string) => (await faultsOf(query)).map(({ parameter }) => parameter);
    expect(await names('date_form=2024-01-01&metric=pressure&format=json&cursor=x&days=0')).to.have.members([
      'date_form',
      'metric',
      'format',
      'cursor',
      'days',
    ]);
    expect(await names('date_from=2024-01-02&date_to=2024-01-01')).to.deep.equal(['date_from']);
    expect(await names('date_from=2010-01-01&date_to=2024-01-01')).to.deep.equal(['date_from']);
    expect(await names(`${WINDOW}&station_id=KORD&city=Heathrow`)).to.deep.equal(['city']);
    await contract.refused(`${EXPORT}?station_id=KXYZ`, 404, 'STATION_NOT_FOUND');
    await contract.refused(`${EXPORT}?city=Portland`, 400, 'AMBIGUOUS_CITY');
  });

  it('given a cursor of a version that is not yet, or behind the last pair, then that is told', async () => {
    const [version] = await faultsOf(`${WINDOW}&cursor=2.0`);
    expect(version?.message).to.include('names version 2, but the latest is 1');
    const [behind] = await faultsOf(`${WINDOW}&cursor=1.${PAIRS.length + 1}`);
    expect(behind?.message).to.include(`past the last of ${PAIRS.length} pairs`);
    for (const cursor of [
      '1',
      '1.',
      '.1',
      '-1.0',
      '1.0.0',
      '1e3.0',
      ' 1.0',
      '1.9999999999999',
      '0x1.0',
      '1-abc.0',
    ]) {
      expect(await faultsOf(`${WINDOW}&cursor=${encodeURIComponent(cursor)}`), cursor).to.have.lengthOf(1);
    }
  });

  describe('given loads after the first', () => {
    const corrected = PAIRS.map((line) =>
      line.replace('2024-03-18T00:00:00Z,0,0-6h,51.5,52,-0.5', '2024-03-18T00:00:00Z,0,0-6h,53.5,52,1.5'),
    );

    before(async () => {
      await loadLines(store, {
        stations: ['EGLL,London,GB,51.4775,-0.461389,Europe/London,Cfb,true,Heathrow,LHR'],
        forecasts: ['EGLL,2024-03-18T00:00:00Z,2024-03-18,53.50,'],
      });
    });

    it('when it is asked for anew, then it has what was corrected, once, and nothing that was withdrawn', async () => {
      const found = await get();
      expect(linesOf(found)).to.deep.equal(corrected);
      expect(found.headers['x-total-pairs']).to.equal(`${PAIRS.length}`);
      expect(found.headers['x-export-cursor']).to.match(/^2-[a-z0-9]{4}\.0$/);
    });

    it('when it is asked for with the cursor of before, then it is what it was before', async () => {
      expect(linesOf(await get(`${WINDOW}&cursor=1.0`))).to.deep.equal(PAIRS);
      expect(linesOf(await get(`${WINDOW}&cursor=1.3`))).to.deep.equal(PAIRS.slice(3));
      expect(linesOf(await get(`${WINDOW}&cursor=0.0`))).to.deep.equal([]);
    });

    // test/unit/responses/past.test.ts, with a load under way, stands for it in `make test`.
    itInCi(
      'when one has died half way, then what it settled is in no export until the next load completes it',
      async () => {
        await store.insert('loads', ['load_id', 'event', 'report'], [[3, 'started', '']]);
        await store.command(
          raw(
            `INSERT INTO station_days (${ROW}, sign, load_id) SELECT ${ROW}, -1, 3 FROM station_days WHERE station_id = 'KPWM'`,
          ),
        );
        expect(linesOf(await get())).to.deep.equal(corrected);
        await loadLines(store, { forecasts: ['KPWM,2024-03-18T00:00:00Z,2024-03-18,46.00,'] });
        const found = await get();
        expect(found.headers['x-export-cursor']).to.match(/^4-[a-z0-9]{4}\.0$/);
        const lines = linesOf(found).filter((line) => line.includes('KPWM'));
        expect(lines).to.include('high,KPWM,2024-03-18,2024-03-18T00:00:00Z,4,0-6h,46,45,1,verified');
      },
    );

    // The export above stands for it in `make test`.
    itInCi(
      'when one brings forecasts issued at a split second, then they are told as sample_records tell them',
      async () => {
        await loadLines(store, {
          forecasts: [
            'KORD,2024-03-01T23:59:59.250Z,2024-03-02,50,',
            'KORD,2024-03-01T22:59:59.820Z,2024-03-02,50,',
          ],
          observations: ['KORD,2024-03-02,50.00,,verified,2024-03-03T12:00:00Z'],
        });
        const day = 'date_from=2024-03-02&days=1';
        const { data } = await contract.ok<{ sample_records: { issued_at: string }[] }>(
          `/api/v1/accuracy/by-station/KORD?${day}&include_raw=true`,
        );
        const samples = data.sample_records;
        expect(samples.map(({ issued_at }) => issued_at)).to.deep.equal([
          '2024-03-01T22:59:59.820Z',
          '2024-03-01T23:59:59.250Z',
        ]);
        expect(jsonLines(await get(`${day}&format=ndjson`))).to.deep.equal(
          samples.map((sample) => ({ metric: 'high', station_id: 'KORD', ...sample })),
        );
      },
    );
  });
});
