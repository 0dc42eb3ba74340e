import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { readConfig } from '../../src/config.js';
import { verify } from '../../src/ingest/verify.js';
import { QueryTimeout, StoreNotOpened, StoreUnavailable } from '../../src/store/errors.js';
import { openStore, type OpenedStore } from '../../src/store/open.js';
import { findSharedEngine, type SharedEngine, shareEngine } from '../../src/store/share.js';
import type { Store } from '../../src/store/store.js';
import { loadLines } from '../support/feeds.js';
import { startTestService } from '../support/service.js';
import { openTestStore, temporaryFolder } from '../support/store.js';

const HOSTILE = [
  '',
  "'",
  '"',
  '`',
  '\\',
  "\\'",
  "'; DROP TABLE pairs; --",
  '{metric: String}',
  '\t\n\r',
  '\\t\\n\\N',
  '\\N',
  'NULL',
  '%41%27%00',
  'a+b&param_v=d#e?f',
  '-- comment',
  ';',
  '\b\f\v\u0001',
  'São Paulo 北京 🌡',
  "['a','b']",
];

const anything = z.unknown();
const texts = z.object({ v: z.string() });

async function failureOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error('it did not fail');
}

describe('an engine that is shared', () => {
  let folder: string;
  let engine: Store;
  let database: string;
  let stopSharing: () => Promise<void>;
  let shared: SharedEngine;
  let opened: OpenedStore;
  let client: Store;

  before(async () => {
    folder = temporaryFolder();
    engine = await openTestStore();
    const [row] = await engine.query('SELECT currentDatabase() AS v', {}, texts);
    database = row?.v ?? '';
    stopSharing = await shareEngine(engine, folder, { database, holder: 'server' });
    const found = await findSharedEngine(folder);
    if (found === undefined) throw new Error('the engine is not found');
    shared = found;
    opened = await openAs();
    client = opened.store;
  });
  after(async () => {
    await opened.close();
    await stopSharing();
    await engine.close();
  });

  /** A client of the shared engine, by the way that leads to a ClickHouse server. */
  const openAs = async (env: NodeJS.ProcessEnv = {}): Promise<OpenedStore> =>
    openStore(
      readConfig({
        CLICKHOUSE_URL: shared.url,
        CLICKHOUSE_PASSWORD: shared.password,
        CLICKHOUSE_DATABASE: database,
        ...env,
      }),
      'command',
    );
  const post = async (authorization: string | undefined, body: string): Promise<Response> =>
    fetch(shared.url, {
      method: 'POST',
      body,
      ...(authorization !== undefined && { headers: { authorization } }),
    });
  const basic = (user: string, password: string): string =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  describe('when it is looked for', () => {
    it('then its address is found, with who holds it and a password that nobody guesses', () => {
      expect(shared).to.include({ pid: process.pid, holder: 'server' });
      expect(shared.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect(shared.password).to.match(/^[\w-]{32}$/);
    });

    it('then the file that tells of it is for its user alone', () => {
      expect(statSync(join(folder, 'engine.json')).mode & 0o777).to.equal(0o600);
    });

    it('in another folder, then there is none', async () => {
      expect(await findSharedEngine(temporaryFolder())).to.equal(undefined);
      expect(await findSharedEngine(join(folder, 'nowhere'))).to.equal(undefined);
    });
  });

  describe('when the file that tells of it is of no use', () => {
    const servers: Server[] = [];
    const withFile = (content: unknown): string => {
      const other = temporaryFolder();
      writeFileSync(
        join(other, 'engine.json'),
        typeof content === 'string' ? content : JSON.stringify(content),
      );
      return other;
    };
    const program = async (listener: RequestListener): Promise<string> => {
      const server = createServer(listener);
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    after(() => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    });

    for (const content of [
      '',
      '{"pid": 1',
      'null',
      '[]',
      '{"pid":"1"}',
      '{"pid":1,"holder":"server","url":"no","password":""}',
    ]) {
      it(`because it holds ${JSON.stringify(content)}, then there is no engine`, async () => {
        expect(await findSharedEngine(withFile(content))).to.equal(undefined);
      });
    }

    it('because its process has gone, then there is no engine', async () => {
      expect(await findSharedEngine(withFile({ ...shared, url: 'http://127.0.0.1:1' }))).to.equal(undefined);
    });

    it('because another program has the port, then there is no engine', async () => {
      const hello = await program((_request, response) => response.end('hello'));
      expect(await findSharedEngine(withFile({ ...shared, url: hello }))).to.equal(undefined);
    });

    it('because another engine has the port, which does not take the password, then there is no engine', async () => {
      expect(await findSharedEngine(withFile({ ...shared, password: 'of another' }))).to.equal(undefined);
    });

    it('because another process of the same number has the folder, then there is no engine', async () => {
      expect(await findSharedEngine(withFile({ ...shared, pid: shared.pid + 1 }))).to.equal(undefined);
    });

    it('because another program has the port and never answers, then there is no engine, after a while', async () => {
      const silent = await program(() => {});
      const started = performance.now();
      expect(await findSharedEngine(withFile({ ...shared, url: silent }))).to.equal(undefined);
      expect(performance.now() - started).to.be.below(4000);
    });

    it('then the next one to share replaces it', async () => {
      const other = withFile({ ...shared, url: 'http://127.0.0.1:1' });
      const stop = await shareEngine(engine, other, { database, holder: 'command' });
      expect(await findSharedEngine(other)).to.include({ holder: 'command', pid: process.pid });
      await stop();
      expect(existsSync(join(other, 'engine.json'))).to.be.false;
    });
  });

  describe('when somebody asks who does not know the password', () => {
    const strangers: [who: string, authorization: string | undefined][] = [
      ['nobody', undefined],
      ['a wrong password', 'wrong'],
      ['no password', ''],
    ];
    for (const [who, password] of strangers) {
      it(`as ${who}, then it is refused with 401 and nothing runs`, async () => {
        const authorization = password === undefined ? undefined : basic('default', password);
        const answer = await post(authorization, 'CREATE TABLE intruder (n UInt8) ENGINE = Memory');
        expect(answer.status).to.equal(401);
        expect(await answer.text()).to.equal('');
        const ping = await fetch(
          `${shared.url}/ping`,
          authorization === undefined ? {} : { headers: { authorization } },
        );
        expect(ping.status).to.equal(401);
        expect(
          await engine.query(`SELECT name FROM system.tables WHERE name = 'intruder'`, {}, anything),
        ).to.deep.equal([]);
      });
    }

    it('with the password in the URL or in another scheme, then it is refused, too', async () => {
      const inUrl = await fetch(`${shared.url}/?user=default&password=${shared.password}&query=SELECT%201`);
      expect(inUrl.status).to.equal(401);
      expect((await post(`Bearer ${shared.password}`, 'SELECT 1')).status).to.equal(401);
      expect((await post(basic('other', shared.password), 'SELECT 1')).status).to.equal(401);
    });

    it('through the client, then the store is not opened, in one line without the password', async () => {
      const error = await failureOf(openAs({ CLICKHOUSE_PASSWORD: 'wr0ng' }));
      expect(error).to.be.instanceOf(StoreNotOpened);
      expect(error.message)
        .to.match(/^CLICKHOUSE_[A-Z]+[^\n]+$/)
        .and.not.to.contain('wr0ng');
    });
  });

  describe('when another process works on it through HTTP', () => {
    for (const text of HOSTILE) {
      it(`and binds ${JSON.stringify(text)}, then it comes back as it is`, async () => {
        expect(await client.query('SELECT {v: String} AS v', { v: text }, texts)).to.deep.equal([
          { v: text },
        ]);
      });
    }

    it('and binds any text, then it comes back as it is', async () => {
      const unit = fc.oneof(
        fc.constantFrom(...'\'"\\`{}:\t\n\r%&+=;tnr0'),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.string({ unit }), async (text) => {
          expect(await client.query('SELECT {v: String} AS v', { v: text }, texts)).to.deep.equal([
            { v: text },
          ]);
        }),
        { numRuns: 60 },
      );
    });

    it('and binds a text of 100,000 characters, then it comes back as it is', async () => {
      const text = 'x'.repeat(100_000);
      const rows = await client.query('SELECT {v: String} AS v', { v: text }, texts);
      expect(rows[0]?.v === text).to.be.true;
    });

    it('and binds a hostile value into an INSERT, then it is kept as it is', async () => {
      for (const [index, text] of HOSTILE.entries()) {
        await client.command(
          `INSERT INTO loads (load_id, event, report) SELECT {id: UInt32}, 'started', {report: String}`,
          { id: 1000 + index, report: text },
        );
      }
      const rows = await engine.query(
        'SELECT report AS v FROM loads WHERE load_id >= 1000 ORDER BY load_id',
        {},
        texts,
      );
      expect(rows.map(({ v }) => v)).to.deep.equal(HOSTILE);
      await engine.command('TRUNCATE TABLE loads');
    });

    it('and inserts rows, then their texts are kept as they are', async () => {
      await client.insert(
        'loads',
        ['load_id', 'event', 'report'],
        HOSTILE.map((text, index) => [index, 'started', text]),
      );
      const rows = await engine.query('SELECT report AS v FROM loads ORDER BY load_id', {}, texts);
      expect(rows.map(({ v }) => v)).to.deep.equal(HOSTILE);
      await engine.command('TRUNCATE TABLE loads');
    });

    it('and its SQL is wrong, then it gets the code of the engine', async () => {
      const error = await failureOf(client.query('SELECT nothing', {}, anything));
      expect(error).to.have.property('code', '47');
      expect(error.message).to.contain('nothing');
    });

    it('and a query takes longer than it may, then it is a QueryTimeout', async () => {
      const hasty = await openStore(
        readConfig({
          CLICKHOUSE_URL: shared.url,
          CLICKHOUSE_PASSWORD: shared.password,
          CLICKHOUSE_DATABASE: database,
        }),
        'command',
        { concurrency: 1, maxWaiting: 1, queryTimeoutSeconds: 0.5 },
      );
      const error = await failureOf(
        hasty.store.query('SELECT sum(sipHash64(number)) AS n FROM numbers(1000000000000)', {}, anything),
      );
      expect(error).to.be.instanceOf(QueryTimeout);
      await hasty.close();
    });

    it('and pings it, then it answers', async () => {
      await client.ping();
    });

    it('and names another database, then it works there, or is told that it cannot: never on this one', async () => {
      const [outcome] = await Promise.allSettled([openAs({ CLICKHOUSE_DATABASE: 'another_database' })]);
      if (outcome.status === 'rejected') {
        expect(outcome.reason).to.be.instanceOf(StoreNotOpened);
        return;
      }
      const [row] = await outcome.value.store.query('SELECT currentDatabase() AS v', {}, texts);
      await outcome.value.close();
      expect(row?.v).to.equal('another_database');
    });

    it('and loads a feed, then what is asked through it has the numbers', async () => {
      const report = await loadLines(client, {
        stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD'],
        forecasts: [
          'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18',
          'KORD,2026-01-05T00:00:00Z,2026-01-05,33,19',
        ],
        observations: ['KORD,2026-01-05,30,17,verified,2026-01-06T06:00:00Z'],
      });
      expect(report).to.include({ outcome: 'complete', pairs_added: 4 });
      expect(Object.values(await verify(client)).every((differences) => differences === 0)).to.be.true;
      for (const store of [client, engine]) {
        const { get } = await startTestService(store, { now: '2026-01-10T12:00:00Z' });
        const answer = await get('/api/v1/accuracy/by-station/windy%20city?days=30&include_raw=true');
        expect(answer.status).to.equal(200);
        expect(answer.body).to.have.nested.property('data.stats.mean_error', 2);
        expect(answer.body).to.have.nested.property('data.sample_records').with.lengthOf(2);
        const hostile = await get(
          `/api/v1/accuracy/summary?city=${encodeURIComponent("'; DROP TABLE pairs; --")}`,
        );
        expect(hostile.status).to.equal(404);
      }
    });

    it('and moves 2,000 stations to another zone in one load, then that goes in', async function () {
      this.timeout(30_000);
      const stations = (zone: string): string[] =>
        Array.from(
          { length: 2000 },
          (_, index) => `K${String(index).padStart(7, '0')},City ${index},US,0,0,${zone},,true,,`,
        );
      expect((await loadLines(client, { stations: stations('UTC') })).feeds.stations.rows_new).to.equal(2000);
      const report = await loadLines(client, { stations: stations('Asia/Tokyo') });
      expect(report.feeds.stations.rows_corrected).to.equal(2000);
    });
  });

  it('when it is not shared any more, then its file is gone and its clients are told that it is unavailable', async () => {
    const other = temporaryFolder();
    const stop = await shareEngine(engine, other, { database, holder: 'server' });
    const { url, password } = JSON.parse(readFileSync(join(other, 'engine.json'), 'utf8')) as SharedEngine;
    const late = await openAs({ CLICKHOUSE_URL: url, CLICKHOUSE_PASSWORD: password });
    await stop();
    expect(existsSync(join(other, 'engine.json'))).to.be.false;
    expect(await findSharedEngine(other)).to.equal(undefined);
    expect(await failureOf(late.store.query('SELECT 1', {}, anything))).to.be.instanceOf(StoreUnavailable);
    expect(await failureOf(late.store.ping())).to.be.instanceOf(StoreUnavailable);
    await late.close();
  });
});
