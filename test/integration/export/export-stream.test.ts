import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { makeData, pairCount } from '../../../scripts/bench/data.js';
import { MAX_DOWNLOADS } from '../../../src/export/download.js';
import { FILE_FORMATS } from '../../../src/export/file-formats.js';
import type { Store } from '../../../src/store/store.js';
import { askDuckDb } from '../../support/duckdb.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Listening } from '../../support/listen.js';
import { until } from '../../support/process.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, withMethod } from '../../support/store.js';
import { describeInCi, itInCi } from '../../support/runner/range.js';

const SHAPE = { stations: 100, days: 45, grain: 0.01 } as const;
const TOTAL = pairCount(SHAPE);
const EXPORT = '/api/v1/export/pairs?date_from=2026-08-01&date_to=2026-10-31';

/** Statements that read a part; `onPart` may hold one up, fail it, or change what it answers. */
let parts = 0;
let onPart: (part: number, read: () => Promise<Buffer>) => Promise<Buffer> = (_part, read) => read();

const watched = (store: Store): Store =>
  withMethod(store, 'queryBytes', async (...given) => {
    parts += 1;
    return onPart(parts, () => store.queryBytes(...given));
  });

describeInCi('an export of many parts', function () {
  let store: Store;
  let server: Listening;
  /** All of the first version. */
  let whole: Awaited<ReturnType<Listening['download']>>;
  const log: string[] = [];

  before(async () => {
    store = await openTestStore();
    await makeData(store, SHAPE);
    server = await Listening.start(await startTestService(watched(store), { log: (line) => log.push(line) }));
    whole = await server.download(`${EXPORT}&format=ndjson`);
  });
  beforeEach(() => {
    parts = 0;
    onPart = (_part, read) => read();
    log.length = 0;
  });
  after(async () => {
    await server.stop();
    await store.close();
  });

  /** A body that is broken off rejects; what came before it is `lines`. */
  const readUntilBroken = async (message: IncomingMessage): Promise<{ body: string; broken: boolean }> => {
    let body = '';
    message.setEncoding('latin1');
    try {
      for await (const chunk of message) body += chunk as string;
      return { body, broken: false };
    } catch {
      return { body, broken: true };
    }
  };

  it('is read part by part, and has every pair once, in order', async () => {
    const { headers, trailers, body } = await server.download(EXPORT);
    expect(TOTAL).to.be.above(2 * FILE_FORMATS.csv.partRows);
    expect(parts).to.equal(
      Math.ceil(SHAPE.days / Math.floor(FILE_FORMATS.csv.partRows / (TOTAL / SHAPE.days))),
    );
    expect(headers['x-total-pairs']).to.equal(`${TOTAL}`);
    expect(trailers['x-pairs-sent']).to.equal(`${TOTAL}`);
    const lines = body.toString('latin1').split('\r\n').slice(1, -1);
    expect(lines).to.have.lengthOf(TOTAL);
    const keys = lines.map((line) => {
      const [metric, station, date, issued] = line.split(',');
      return `${date} ${metric} ${station} ${issued}`;
    });
    const outOfOrder = keys.findIndex((key, index) => index > 0 && key <= (keys[index - 1] ?? ''));
    expect(outOfOrder).to.equal(-1);
  });

  it('given parquet, then the parts are one file, whose numbers are those of the ledger', async () => {
    const { body } = await server.download(`${EXPORT}&format=parquet`);
    expect(parts).to.be.above(2);
    const sums = `count(*)::INT AS pairs, count(DISTINCT station_id)::INT AS stations, round(sum(error), 2) AS error_sum,
      round(sum(abs(error)), 2) AS abs_error_sum, min(target_date)::VARCHAR AS first, max(target_date)::VARCHAR AS last`;
    const [found] = await askDuckDb(body, 'parquet', `SELECT ${sums} FROM {file}`);
    const [groups] = await askDuckDb(
      body,
      'parquet',
      'SELECT count(DISTINCT row_group_id)::INT AS n FROM parquet_metadata({file})',
    );
    expect(groups?.n).to.equal(parts);
    const bytes = await store.relay(
      `SELECT toUInt32(sum(sign)), toUInt32(uniqExact(station_id)), toFloat64(sum(error * sign)), toFloat64(sum(abs(error) * sign)),
        toString(min(target_date)), toString(max(target_date)) FROM pairs FORMAT JSONCompact`,
      {},
    );
    const [row = []] = (JSON.parse(bytes.toString()) as { data: unknown[][] }).data;
    expect(Object.values(found ?? {})).to.deep.equal(row);
    // Some rows from the middle of it, of a filter that skips row groups by their statistics.
    const [day] = await askDuckDb(
      body,
      'parquet',
      `SELECT count(*)::INT AS n FROM {file} WHERE target_date = '2026-10-01' AND station_id = 'K00042'`,
    );
    expect(day?.n).to.equal(48);
  });

  it('given parquet of one part, then the file is what the engine wrote, to the byte', async () => {
    let written: Buffer = Buffer.alloc(0);
    onPart = async (_part, read) => (written = await read());
    const day = '/api/v1/export/pairs?date_from=2026-10-01&date_to=2026-10-01';
    const { body } = await server.download(`${day}&format=parquet`);
    expect(parts).to.equal(1);
    expect(body.equals(written)).to.equal(true);
  });

  it('given a load in the middle of it, then all of it is of the version before', async () => {
    onPart = async (part, read) => {
      if (part === 2) {
        await loadLines(store, {
          // The last day's forecast of an hour before its midnight, corrected; and a new one, on the same day.
          forecasts: [
            'K00001,2026-10-30T23:00:00Z,2026-10-31,140,-130',
            'K00001,2026-10-30T22:30:00Z,2026-10-31,139,-129',
          ],
        });
      }
      return read();
    };
    const during = await server.download(`${EXPORT}&format=ndjson`);
    expect(during.headers['x-export-cursor']).to.equal(whole.headers['x-export-cursor']);
    expect(during.body.equals(whole.body)).to.equal(true);
    onPart = (_part, read) => read();
    const after = await server.download(`${EXPORT}&format=ndjson`, {}, 'HEAD');
    expect(after.headers['x-total-pairs']).to.equal(`${TOTAL + 2}`);
    expect(after.headers['x-export-cursor']).to.match(/^2-[a-z0-9]{4}\.0$/);
  });

  // A store that fails at the first part stands for it in `make test`.
  itInCi(
    'given a store that fails in the middle, then it is broken off, and goes on from there to the whole',
    async () => {
      onPart = (part, read) => (part === 3 ? Promise.reject(new Error('lost')) : read());
      const message = await server.begin(`${EXPORT}&format=ndjson&cursor=1.0`);
      expect(message.statusCode).to.equal(200);
      const { body, broken } = await readUntilBroken(message);
      expect(broken).to.equal(true);
      expect(message.complete).to.equal(false);
      expect(body.length).to.be.within(1, whole.body.length - 1);
      onPart = (_part, read) => read();
      const kept = body.slice(0, body.lastIndexOf('\n') + 1);
      const rows = kept.split('\n').length - 1;
      const rest = await server.download(`${EXPORT}&format=ndjson&cursor=1.${rows}`);
      expect(kept + rest.body.toString('latin1') === whole.body.toString('latin1')).to.equal(true);
    },
  );

  itInCi(
    'given a part that is short of a row, then it is broken off: never a file that looks whole',
    async () => {
      onPart = async (part, read) => {
        const bytes = await read();
        return part === 2 ? bytes.subarray(0, bytes.lastIndexOf('\n', bytes.length - 2) + 1) : bytes;
      };
      for (const format of ['csv', 'ndjson']) {
        parts = 0;
        const { broken } = await readUntilBroken(await server.begin(`${EXPORT}&format=${format}`));
        expect(broken, format).to.equal(true);
      }
      parts = 0;
      onPart = async (part, read) => (part === 2 ? (await read()).subarray(0, -1) : read());
      const { broken } = await readUntilBroken(await server.begin(`${EXPORT}&format=parquet`));
      expect(broken, 'parquet').to.equal(true);
    },
  );

  it('given a store that fails at the first part, then no file ends, whatever its format', async () => {
    onPart = () => Promise.reject(new Error('lost'));
    for (const format of ['csv', 'ndjson', 'parquet']) {
      const outcome = await server.download(`${EXPORT}&format=${format}`).catch(() => 'broken off');
      expect(outcome, format).to.equal('broken off');
    }
  });

  itInCi('given a reader that does not read, then no further part is read until it does', async () => {
    const message = await server.begin(`${EXPORT}&format=ndjson`);
    await until(() => (parts > 0 ? true : undefined));
    // Meanwhile another reader has all of it.
    const held = parts;
    parts = 0;
    await server.download(`${EXPORT}&format=ndjson`);
    const ofOther = parts;
    parts = 0;
    await server.download(`${EXPORT}&format=ndjson`);
    // The connection holds a few MB by itself; a part has 20.
    expect(held + ofOther - parts).to.be.within(1, 2);
    const { length } = await buffer(message);
    expect(message.complete).to.equal(true);
    expect(length).to.be.above(TOTAL * 100);
  });

  itInCi('given a reader that hangs up, then no further part is read, and its place is free', async () => {
    for (let round = 0; round <= MAX_DOWNLOADS; round += 1) {
      parts = 0;
      log.length = 0;
      const message = await server.begin(`${EXPORT}&format=ndjson`);
      await once(message, 'readable');
      message.destroy();
      await until(() => (log.some((line) => line.includes('request aborted')) ? true : undefined), 60_000);
      expect(parts).to.be.below(4);
    }
    parts = 0;
    await server.download(`${EXPORT}&format=ndjson`);
    const ofOne = parts;
    await server.download(`${EXPORT}&format=ndjson`);
    expect(parts, 'those of two whole files').to.equal(2 * ofOne);
  });

  itInCi(`given ${MAX_DOWNLOADS} exports under way, then one more is a 503 until one has ended`, async () => {
    const messages = await Promise.all(
      Array.from({ length: MAX_DOWNLOADS }, () => server.begin(`${EXPORT}&format=ndjson`)),
    );
    const refused = await server.download(EXPORT);
    expect(refused.status).to.equal(503);
    expect(refused.headers['retry-after']).to.match(/^\d+$/);
    expect(JSON.parse(refused.body.toString())).to.have.nested.property('error.code', 'OVERLOADED');
    for (const message of messages) message.resume();
    await Promise.all(messages.map((message) => once(message, 'end')));
    const { status } = await until(async () => {
      const answer = await server.download(EXPORT, {}, 'HEAD');
      return answer.status === 503 ? undefined : answer;
    }, 60_000);
    expect(status).to.equal(200);
  });
});
