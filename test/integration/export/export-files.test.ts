import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import express from 'express';
import { parquetMetadataAsync } from 'hyparquet';
import { pino } from 'pino';
import request from 'supertest';
import { makeData, pairCount } from '../../../scripts/bench/data.js';
import { revokeKey } from '../../../src/auth/keys.js';
import { exportPairs } from '../../../src/data/export-pairs.js';
import { mountDownloads } from '../../../src/export/download.js';
import { ExportFiles } from '../../../src/export/files.js';
import { handleErrors } from '../../../src/http/error-handler.js';
import { DirectoryReader } from '../../../src/stations/directory.js';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { DataVersion } from '../../../src/store/data-version.js';
import type { Store } from '../../../src/store/store.js';
import { callerNamed } from '../../support/caller.js';
import { type ErrorAnswer, sent } from '../../support/contract/contract.js';
import { until } from '../../support/process.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { askDuckDb } from '../../support/duckdb.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { type Downloaded, Listening } from '../../support/listen.js';
import { startTestService, type TestService, type TestServiceOptions } from '../../support/service.js';
import { openTestStore, temporaryFolder, withMethod } from '../../support/store.js';

const YEAR = { stations: range({ test: 20, ci: 60 }), days: 365, grain: 0.01 } as const;

/** Months of that year; in the first a part of the file begins no other month. */
const MONTHS = range({ test: 1, ci: 4, stress: 12 }, [
  ...['2026-03', '2025-11', '2025-12', '2026-01', '2026-02', '2026-04'],
  ...['2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'],
]);
const MB = 1024 * 1024;

const lastDayOf = (month: string): string => addDays(`${addDays(`${month}-01`, 31).slice(0, 7)}-01`, -1);

describeInCi('exports as files (D61)', function () {
  let store: Store;
  /** A day, and the whole year, of a version that is named with its timeline. */
  let day: string;
  let year: string;
  /** Parts that were read, and what holds each up. */
  let parts = 0;
  let gate: Promise<void>;
  const servers: Listening[] = [];

  before(async () => {
    store = await openTestStore();
    await makeData(store, YEAR);
  });
  after(() => store.close());
  beforeEach(() => {
    parts = 0;
    gate = Promise.resolve();
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await server.stop();
  });

  const watched = (): Store =>
    withMethod(store, 'queryBytes', async (...given) => {
      parts += 1;
      await gate;
      return store.queryBytes(...given);
    });

  const start = async ({
    folder = join(temporaryFolder(), 'exports'),
    maxBytes = 100 * MB,
    ...options
  }: { folder?: string; maxBytes?: number } & TestServiceOptions = {}) => {
    const exportFiles = await ExportFiles.open(folder, maxBytes);
    const service = await startTestService(watched(), { exportFiles, ...options });
    const server = await Listening.start(service);
    servers.push(server);
    const version = JSON.parse((await server.download('/api/v1/loads')).body.toString()) as {
      metadata: { data_version: number; timeline: string };
    };
    const pinned = `as_of=v${version.metadata.data_version}.${version.metadata.timeline}`;
    day = `/api/v1/export/pairs?date_from=2026-10-01&date_to=2026-10-01&${pinned}`;
    year = `/api/v1/export/pairs?date_from=2025-11-01&date_to=2026-10-31&${pinned}`;
    return { service, server, folder };
  };
  const rowsRead = async (service: TestService): Promise<number> => {
    const answer = await service.get('/api/v1/usage');
    return (answer.body as { data: { rows_read: number }[] }).data[0]?.rows_read ?? 0;
  };
  const codeOf = ({ status, body }: Downloaded): unknown => [
    status,
    (JSON.parse(body.toString()) as { error: { code: string } }).error.code,
  ];

  // The parts of a file below stand for it in `make test`.
  itInCi(
    'given a year as Parquet, then a column of a month by ranges takes less than 15 % of the file',
    async () => {
      const { server } = await start();
      // On a busy machine the file takes longer than a request waits: that one ends with 503, whose length is not the file's.
      const head = await until(async () => {
        const asked = await server.download(`${year}&format=parquet`, {}, 'HEAD');
        return asked.status >= 500 ? undefined : asked;
      });
      expect(head.status).to.equal(200);
      const byteLength = Number(head.headers['content-length']);
      // The parts that have been fetched, and nothing in place of the rest.
      const sparse = Buffer.alloc(byteLength);
      let fetched = 0;
      const slice = async (begin: number, end = byteLength): Promise<ArrayBuffer> => {
        const { status, body } = await server.download(`${year}&format=parquet`, {
          range: `bytes=${begin}-${end - 1}`,
        });
        expect([status, body.length]).to.deep.equal([206, end - begin]);
        fetched += body.length;
        body.copy(sparse, begin);
        return new Uint8Array(body).buffer;
      };
      const { num_rows, row_groups } = await parquetMetadataAsync(
        { byteLength, slice },
        { initialFetchSize: 4096 },
      );
      expect(Number(num_rows)).to.equal(pairCount(YEAR));
      const { body } = await server.download(`${year}&format=parquet`);
      const footer = fetched;
      for (const month of MONTHS) {
        const [first, last] = [`${month}-01`, lastDayOf(month)];
        fetched = footer;
        for (const { columns } of row_groups) {
          const column = (name: string) =>
            columns.map(({ meta_data }) => meta_data!).find(({ path_in_schema: [path] }) => path === name)!;
          const { min_value, max_value } = column('target_date').statistics!;
          if (min_value! > new Date(last) || max_value! < new Date(first)) continue;
          for (const name of ['target_date', 'error']) {
            const { dictionary_page_offset, data_page_offset, total_compressed_size } = column(name);
            const begin = Number(dictionary_page_offset ?? data_page_offset);
            await slice(begin, begin + Number(total_compressed_size));
          }
        }
        const share = fetched / byteLength;
        console.log(`      ${month}: ${Math.round(fetched / 1024)} kB, ${(share * 100).toFixed(1)} %`);
        expect(share, month).to.be.below(0.15);
        const sums = `SELECT count(*)::INT AS pairs, round(sum(error), 2) AS errors FROM {file} WHERE target_date BETWEEN '${first}' AND '${last}'`;
        const expected = await askDuckDb(body, 'parquet', sums);
        expect(expected[0]?.pairs).to.be.at.least(28 * YEAR.stations * 48);
        expect(await askDuckDb(sparse, 'parquet', sums)).to.deep.equal(expected);
      }
    },
  );

  for (const format of range({ test: 1, ci: 3 }, ['csv', 'ndjson', 'parquet'])) {
    it(`given ${format}, then HEAD, the whole, parts, conditions and what cannot be served are as HTTP says`, async () => {
      const { server } = await start();
      const ask = (headers: Record<string, string> = {}, method?: string): Promise<Downloaded> =>
        server.download(`${day}&format=${format}`, headers, method);
      const streamed = await ask();
      expect(streamed.headers).to.include({ 'transfer-encoding': 'chunked' });
      const headed = await ask({}, 'HEAD');
      for (const Range of ['bytes=0-9', 'bytes=99999999-', 'bytes=-5']) {
        const { status, headers } = await ask({ Range }, 'HEAD');
        expect([status, headers['content-length'], headers['content-range']], Range).to.deep.equal([
          ...[200, headed.headers['content-length'], undefined],
        ]);
      }
      expect(streamed.headers).not.to.have.any.keys('accept-ranges', 'content-length');
      const total = streamed.headers['x-total-pairs'];
      const head = await ask({}, 'HEAD');
      expect(head.status).to.equal(200);
      const { etag = '', 'content-length': length } = head.headers;
      expect(head.headers).to.include({ 'accept-ranges': 'bytes', 'x-total-pairs': total });
      for (const name of ['content-type', 'content-disposition', 'cache-control', 'vary', 'x-export-cursor'])
        expect(head.headers[name], name).to.equal(streamed.headers[name]);
      expect(etag).to.match(/^"[\w-]{22}"$/);
      const whole = await ask();
      expect(whole.headers).to.include({ etag, 'content-length': length, 'accept-ranges': 'bytes' });
      expect(whole.body.equals(streamed.body)).to.equal(true);
      expect(Number(length)).to.equal(whole.body.length);

      const ranges: [range: string, begin: number, end: number][] = [
        ['bytes=0-0', 0, 1],
        ['bytes=10-99', 10, 100],
        ['bytes=-8', whole.body.length - 8, whole.body.length],
        [`bytes=-${whole.body.length + 1}`, 0, whole.body.length],
        [`bytes=100-`, 100, whole.body.length],
        ['bytes=5-999999999', 5, whole.body.length],
      ];
      for (const [range, begin, end] of ranges) {
        const part = await ask({ range, 'accept-encoding': 'gzip' });
        expect(part.status, range).to.equal(206);
        expect(part.headers['content-range']).to.equal(`bytes ${begin}-${end - 1}/${length}`);
        expect(part.headers).to.include({ etag }).and.not.to.have.property('content-encoding');
        expect(part.body.equals(whole.body.subarray(begin, end)), range).to.equal(true);
      }
      // Several parts, another unit, or nonsense: the whole (RFC 9110, 14.2).
      for (const range of ['bytes=0-1,5-6', 'rows=0-1', 'bytes=nonsense']) {
        const { status, body } = await ask({ range });
        expect([status, body.length], range).to.deep.equal([200, whole.body.length]);
      }
      const behind = await ask({ range: `bytes=${length}-` });
      expect(codeOf(behind)).to.deep.equal([416, 'RANGE_NOT_SATISFIABLE']);
      expect(behind.headers['content-range']).to.equal(`bytes */${length}`);
      expect(behind.headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(behind.headers).not.to.have.any.keys('content-disposition', 'etag');

      const range = 'bytes=0-9';
      expect((await ask({ range, 'if-range': etag })).status).to.equal(206);
      for (const other of ['"another"', `W/${etag}`, 'Sat, 21 Nov 2026 00:00:00 GMT'])
        expect((await ask({ range, 'if-range': other })).status, other).to.equal(200);
      expect((await ask({ 'if-none-match': etag })).status).to.equal(304);
      expect((await ask({ 'if-none-match': String(streamed.headers.etag) })).status).to.equal(304);
      expect((await ask({ range, 'if-match': etag })).status).to.equal(206);
      expect(codeOf(await ask({ range, 'if-match': '"another"' }))).to.deep.equal([
        412,
        'PRECONDITION_FAILED',
      ]);

      const packed = await ask({ 'accept-encoding': 'gzip' });
      if (format === 'parquet') expect(packed.headers).not.to.have.property('content-encoding');
      else {
        expect(packed.headers).to.include({ 'content-encoding': 'gzip', etag: streamed.headers.etag });
        expect(gunzipSync(packed.body).equals(whole.body)).to.equal(true);
      }
      expect(parts, 'statements: one for the stream, one for the file').to.equal(2);
    });
  }

  // The parts of a file above stand for it in `make test`.
  itInCi(
    'given a version without its timeline, an instant or a later place, then HEAD and Range make no file',
    async () => {
      const { server, folder } = await start();
      const [base = '', version = ''] = day.split('&as_of=');
      const others = [
        base,
        `${base}&as_of=${version.split('.')[0]}`,
        `${base}&as_of=${new Date().toISOString()}`,
        `${day}&cursor=${version.slice(1).replace('.', '-')}.5`,
      ];
      for (const path of others) {
        const head = await server.download(path, {}, 'HEAD');
        const part = await server.download(path, { range: 'bytes=0-9' });
        expect([head.status, part.status], path).to.deep.equal([200, 200]);
        expect(part.headers, path).not.to.have.property('accept-ranges');
        expect(part.headers.etag).to.match(/^W\//);
      }
      expect(() => readdirSync(folder)).to.throw('ENOENT');
      // No part of the year, but all of it.
      expect(
        (await server.download(`${day}&cursor=${version.slice(1).replace('.', '-')}.0`, {}, 'HEAD')).headers,
      ).to.have.property('accept-ranges', 'bytes');
    },
  );

  itInCi('given two that ask at once, then one file is made, and the first pays for its rows', async () => {
    const { server, service, folder } = await start();
    const before = await rowsRead(service);
    let open = (): void => {};
    gate = new Promise((resolve) => (open = resolve));
    const asked = [server.download(day, {}, 'HEAD'), server.download(day, { range: 'bytes=0-9' })];
    await until(() => parts > 0 || undefined);
    const third = once(server.server, 'request');
    asked.push(server.download(day, { range: 'bytes=0-9' }));
    await third;
    open();
    expect((await Promise.all(asked)).map(({ status }) => status)).to.deep.equal([200, 206, 206]);
    expect(parts).to.equal(1);
    expect(readdirSync(folder)).to.have.lengthOf(1);
    const paid = await rowsRead(service);
    expect(paid - before).to.be.at.least(YEAR.stations * 48);
    for (const headers of [{}, { range: 'bytes=5-9' }, { 'accept-encoding': 'gzip' }])
      await server.download(day, headers as Record<string, string>);
    expect([await rowsRead(service), parts]).to.deep.equal([paid, 1]);
  });

  itInCi(
    'given a file that is being read, then it stays whole, and goes for another when its reader has ended',
    async () => {
      const since = (stationDays: number, format: string): string => {
        const first = addDays('2026-11-01', -Math.floor(stationDays / YEAR.stations));
        return `${year}&format=${format}`.replace('2025-11-01', first);
      };
      const { server, folder } = await start({ maxBytes: 45 * MB });
      const read = since(3000, 'ndjson'); // more than connections hold
      const other = since(7300, 'csv');
      const length = Number((await server.download(read, {}, 'HEAD')).headers['content-length']);
      expect(length).to.be.above(25 * MB);
      const reader = await server.begin(read);
      const refused = await server.download(other, {}, 'HEAD');
      expect(refused.status).to.equal(503);
      const body = await buffer(reader);
      expect([reader.headers['content-length'], body.length]).to.deep.equal([`${length}`, length]);
      expect((await server.download(other, {}, 'HEAD')).status).to.equal(200);
      expect(readdirSync(folder))
        .to.have.lengthOf(1)
        .and.to.have.nested.property('0')
        .that.matches(/\.csv$/);
      // It is made again when it is asked for again.
      const again = await server.download(read, { range: 'bytes=-100' });
      expect(again.body.equals(body.subarray(-100))).to.equal(true);
    },
  );

  itInCi(
    'given a restart, then files are known; a key revoked or without rows left gets none anew',
    async () => {
      const first = await start();
      const { headers } = await first.server.download(day, {}, 'HEAD');
      writeFileSync(join(first.folder, 'left-by-a-kill.part'), 'half of it');
      const { server, service, folder } = await start({ folder: first.folder, rowsPerMinute: 1 });
      expect(readdirSync(folder)).to.have.lengthOf(1);
      // The question by which this test finds the version has cost more than a minute's rows.
      expect(codeOf(await server.download(year, { range: 'bytes=0-9' }))).to.deep.equal([
        429,
        'RATE_LIMITED',
      ]);
      parts = 0;
      const part = await server.download(day, { range: 'bytes=0-9' });
      expect([part.status, part.headers.etag, parts]).to.deep.equal([206, headers.etag, 0]);
      await revokeKey(service.keysFile, service.key.split('_')[1] ?? '');
      expect(codeOf(await server.download(day, { range: 'bytes=0-9' }))).to.deep.equal([401, 'UNAUTHORIZED']);
    },
  );

  itInCi(
    'given a file that takes longer than a request waits, then it is made all the same, and found later',
    async () => {
      await start();
      const app = express();
      app.use((_request, { locals }, next) => {
        locals.caller = callerNamed('patient');
        locals.logger = pino({ level: 'silent' });
        next();
      });
      mountDownloads(app, '/api/v1', [exportPairs], {
        store: watched(),
        dataVersion: new DataVersion(store),
        directory: new DirectoryReader(store),
        clock: () => new Date(),
        files: await ExportFiles.open(join(temporaryFolder(), 'exports'), 100 * MB),
        fileWaitMs: 20,
      });
      app.use(handleErrors);
      let open = (): void => {};
      gate = new Promise((resolve) => (open = resolve));
      const [first, second, third] = ['csv', 'ndjson', 'parquet'].map((format) => `${day}&format=${format}`);
      for (const path of [first, second, first]) {
        const { status, headers, body } = await sent(request(app).get(path!).set('Range', 'bytes=0-9'));
        expect([status, headers['retry-after']]).to.deep.equal([503, '5']);
        expect((body as ErrorAnswer).error.message).to.include('is not ready yet');
      }
      const refused = await request(app).get(third!).set('Range', 'bytes=0-9');
      expect((refused.body as ErrorAnswer).error.message).to.include('2 exports are under way');
      open();
      await until(async () => ((await request(app).head(first!)).status === 200 ? true : undefined));
      await until(async () => ((await request(app).head(third!)).status === 200 ? true : undefined));
      expect(parts).to.equal(3);
    },
  );

  itInCi(
    'given a folder that cannot be written, then HEAD and Range say so, and the stream goes on',
    async () => {
      const folder = join(temporaryFolder(), 'exports');
      writeFileSync(folder, 'no folder');
      const { server } = await start({ folder });
      const refused = await server.download(day, { range: 'bytes=0-9' });
      expect(codeOf(refused)).to.deep.equal([503, 'STORE_UNAVAILABLE']);
      expect(refused.body.toString())
        .to.match(/cannot be written \(E[A-Z]+\)/)
        .and.not.to.include(folder);
      expect((await server.download(day)).status).to.equal(200);
    },
  );

  itInCi('given a load, then the file of the version before stays what it was', async () => {
    const { server } = await start();
    const before = await server.download(day, { range: 'bytes=0-' });
    parts = 0;
    await loadLines(store, { forecasts: ['K00001,2026-09-30T22:30:00Z,2026-10-01,139,-129'] });
    const after = await server.download(day, { range: 'bytes=0-' });
    expect([after.status, after.headers.etag, parts]).to.deep.equal([206, before.headers.etag, 0]);
    const latest = await server.download(day.replace(/&as_of=.*/, ''), {}, 'HEAD');
    expect(Number(latest.headers['x-total-pairs'])).to.equal(Number(before.headers['x-total-pairs']) + 2);
  });
});
