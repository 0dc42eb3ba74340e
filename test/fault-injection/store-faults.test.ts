import { once } from 'node:events';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { z } from 'zod';
import { readConfig } from '../../src/config.js';
import { createListener } from '../../src/http/listener.js';
import { QueryTimeout, StoreNotOpened, StoreUnavailable } from '../../src/store/store-errors.js';
import { type OpenedStore, openStore, SERVING } from '../../src/store/engine/open.js';
import { raw, sql } from '../../src/queries/sql.js';
import type { StoreLimits } from '../../src/store/store.js';
import { failureOf } from '../support/failure.js';
import { type Fault, FaultyProxy } from '../support/clickhouse-server/faulty-proxy.js';
import { ClickHouseServer, SERVICE } from '../support/clickhouse-server/server.js';
import { FEEDS, NOW, WINDOW } from '../support/contract/data.js';
import { type ErrorAnswer, sent } from '../support/contract/contract.js';
import { loadLines } from '../support/ingest/feeds.js';
import { until } from '../support/process.js';
import { range } from '../support/runner/range.js';
import { startTestService, type TestService } from '../support/service.js';

const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;
/** How long a server fails. */
const FAILS_MS = Number(process.env.FAULT_SECONDS ?? range({ test: 7, ci: 8 })) * 1000;
const FAULTS = range<[what: string, fault: Fault | 'killed']>({ test: 2, ci: Infinity }, [
  ['is killed', 'killed'],
  ['hangs', { mode: 'hung' }],
  ['takes 20 s for each answer', { mode: 'slow', delayMs: 20_000 }],
  ['answers nonsense', { mode: 'garbled' }],
  ['resets every connection', { mode: 'reset' }],
  ['breaks off every answer', { mode: 'dropped' }],
]);
const anything = z.unknown();

interface Told {
  path: string;
  /** ms after the fault began, when it was asked. */
  askedAt: number;
  tookMs: number;
  status: number;
  data: unknown;
  code?: string;
  retryAfter?: string | undefined;
}

/** A service with a store behind a proxy. */
interface Connected {
  proxy: FaultyProxy;
  opened: OpenedStore;
  service: TestService;
}

describe('given a ClickHouse server that fails', function () {
  let server: ClickHouseServer;
  let connected: Connected;
  let proxy: FaultyProxy;
  let opened: OpenedStore;
  let service: TestService;
  let whole: unknown;
  let asking = 0;

  const open = async (
    limits: StoreLimits = SERVING,
    password = SERVICE.password,
    { url } = proxy,
  ): Promise<OpenedStore> =>
    openStore(
      readConfig({
        CLICKHOUSE_URL: url,
        CLICKHOUSE_USER: SERVICE.name,
        CLICKHOUSE_PASSWORD: password,
      }),
      'server',
      limits,
    );
  /** A service whose way to a server can fail. */
  const connect = async (to: ClickHouseServer): Promise<Connected> => {
    const proxy = await FaultyProxy.start(to.url);
    const opened = await open(SERVING, SERVICE.password, proxy);
    return { proxy, opened, service: await startTestService(opened.store, { now: NOW }) };
  };
  const disconnect = async ({ proxy, opened }: Connected): Promise<void> => {
    await opened.close();
    await proxy.refuse();
  };
  const ask = async (path: string, since = performance.now(), of = service): Promise<Told> => {
    const asked = performance.now();
    const { status, headers, body } = await sent(of.get(path));
    const { data, error } = body as { data?: unknown; error?: ErrorAnswer['error'] };
    const retryAfter = headers['retry-after'];
    const tookMs = performance.now() - asked;
    return {
      path,
      askedAt: asked - since,
      tookMs,
      status,
      data,
      ...(error && { code: error.code }),
      retryAfter,
    };
  };
  /** A question that was never asked before, so that its answer is not kept. */
  const newQuestion = (): string => {
    asking += 1;
    const day = String(1 + (Math.floor(asking / 365) % 28)).padStart(2, '0');
    return `/api/v1/accuracy/by-date?days=${1 + (asking % 365)}&date_to=2024-02-${day}`;
  };

  /** Side by side with all else, each with a service of its own: most of their time is waiting. */
  const courses = new Map<string, Promise<void>>();

  const failing = async (fault: Fault): Promise<void> => {
    const other = await connect(server);
    await goThrough(
      other,
      () => other.proxy.fault(fault),
      () => other.proxy.fault({ mode: 'none' }),
    );
    await disconnect(other);
  };
  const killed = async (): Promise<void> => {
    const mortal = await ClickHouseServer.start();
    const other = await connect(mortal);
    await loadLines(other.opened.store, FEEDS);
    await goThrough(
      other,
      () => Promise.all([mortal.kill(), other.proxy.refuse()]),
      () => Promise.all([mortal.restart(), other.proxy.listen()]),
    );
    await disconnect(other);
    await mortal.kill();
  };

  const goThrough = async (
    { proxy, service }: Connected,
    begin: () => unknown,
    end: () => unknown,
  ): Promise<void> => {
    expect((await ask(SUMMARY, 0, service)).data).to.deep.equal(whole);
    await begin();
    const since = performance.now();
    const told: Promise<Told>[] = [];
    while (performance.now() - since < FAILS_MS) {
      told.push(ask(SUMMARY, since, service), ask(newQuestion(), since, service));
      await delay(250);
    }
    expect((await service.get('/healthz')).status).to.equal(200);
    expect((await service.get('/readyz')).status).to.equal(503);
    await end();
    const returned = performance.now();
    await until(async () => (await ask(newQuestion(), 0, service)).status === 200 || undefined, 30_000);
    expect((await service.get('/readyz')).status).to.equal(200);
    expect((await ask(SUMMARY, 0, service)).data).to.deep.equal(whole);

    const all = await Promise.all(told);
    for (const { path, askedAt, status, data, code, retryAfter, tookMs } of all) {
      const about = `${path} after ${askedAt.toFixed()} ms: ${status} ${code} in ${tookMs.toFixed()} ms`;
      if (since + askedAt + tookMs > returned) continue; // answered by a server that was well again
      if (path === SUMMARY && askedAt + tookMs < 3000) expect(status, about).to.equal(200);
      if (status === 200) {
        expect(path, about).to.equal(SUMMARY);
        expect(data, about).to.deep.equal(whole);
      } else {
        expect(`${status} ${code}`, about).to.be.oneOf([
          '503 STORE_UNAVAILABLE',
          '504 QUERY_TIMEOUT',
          '503 OVERLOADED',
        ]);
        expect(retryAfter, about).to.match(/^\d+$/);
      }
      if (askedAt > 6000) expect(status, about).not.to.equal(200);
    }
    await until(() => proxy.statistics.underWay === 0 || undefined); // none hangs for ever
  };

  before(async () => {
    server = await ClickHouseServer.start();
    connected = await connect(server);
    ({ proxy, opened, service } = connected);
    await loadLines(opened.store, FEEDS);
    whole = (await ask(SUMMARY)).data;
    expect(whole).to.have.property('verification_pairs').that.is.above(0);
    for (const [what, fault] of FAULTS) {
      const course = fault === 'killed' ? killed() : failing(fault);
      course.catch(() => {}); // its test tells
      courses.set(what, course);
    }
  });
  after(async () => {
    await disconnect(connected);
    await server.kill();
  });

  describe('when it is asked', () => {
    it('with a wrong password, then the settings to look at are named', async () => {
      const error = await failureOf(open(SERVING, 'wrong'));
      expect(error).to.be.instanceOf(StoreNotOpened);
      expect(error.message).to.equal('CLICKHOUSE_USER, CLICKHOUSE_PASSWORD: refused by the server');
    });

    it('then a read can write nothing', async () => {
      const error = await failureOf(opened.store.query(sql.rows(anything)`DROP TABLE pairs`));
      expect(error).to.have.property('code', '164');
      expect(
        await opened.store.query(sql.rows(anything)`SELECT count() > 0 AS any FROM pairs`),
      ).to.deep.equal([{ any: 1 }]);
    });
  });

  describe('when a connection breaks', () => {
    const breaks: Fault['mode'][] = ['reset', 'dropped'];
    const statementsOf = async (fault: Fault, work: () => Promise<unknown>): Promise<number> => {
      const { statements } = proxy.fault(fault);
      await work();
      return proxy.fault({ mode: 'none' }).statements - statements;
    };
    for (const mode of breaks) {
      it(`(${mode}) twice, then a read is asked again, and its answer is whole`, async () => {
        const text = 'SELECT number AS n FROM numbers(20000)';
        const asked = await statementsOf({ mode, times: 2 }, async () => {
          expect(await opened.store.query(sql.rows(anything)`${raw(text)}`)).to.have.lengthOf(20_000);
        });
        expect(asked).to.equal(3);
      });

      it(`(${mode}) three times, then the read is StoreUnavailable, and not asked a fourth time`, async () => {
        const asked = await statementsOf({ mode, times: 3 }, async () => {
          expect(await failureOf(opened.store.query(sql.rows(anything)`SELECT 1 AS n`))).to.be.instanceOf(
            StoreUnavailable,
          );
        });
        expect(asked).to.equal(3);
      });
    }

    it('once, then a write is StoreUnavailable, and never sent again', async () => {
      await opened.store.command(
        sql`CREATE TABLE IF NOT EXISTS written (n UInt8) ENGINE = MergeTree ORDER BY n`,
      );
      const writes: (() => Promise<unknown>)[] = [
        () => opened.store.command(sql`INSERT INTO written VALUES (1)`),
        () => opened.store.insert('written', ['n'], [[2]]),
        () => opened.store.insertText(sql`INSERT INTO written`, 'CSV', '3\n'),
      ];
      for (const write of writes) {
        const asked = await statementsOf({ mode: 'reset', times: 1 }, async () => {
          expect(await failureOf(write())).to.be.instanceOf(StoreUnavailable);
        });
        expect(asked).to.equal(1);
      }
      expect(await opened.store.query(sql.rows(anything)`SELECT n FROM written`)).to.deep.equal([]);
    });

    it('and what answers is not ClickHouse, then nothing counts as written or read', async () => {
      for (let kind = 0; kind < 8; kind += 1) {
        proxy.fault({ mode: 'garbled', times: 1 });
        const written = await failureOf(opened.store.command(sql`SELECT 1 FORMAT Null`));
        expect(written, `kind ${kind}`).to.be.instanceOf(StoreUnavailable);
      }
      for (let kind = 0; kind < 8; kind += 1) {
        proxy.fault({ mode: 'garbled', times: 3 });
        const read = await failureOf(opened.store.query(sql.rows(anything)`SELECT 1 AS n`));
        expect(read, `kind ${kind}`).to.be.instanceOf(StoreUnavailable);
        proxy.fault({ mode: 'none' });
      }
    });
  });

  describe('when one query has no answer', () => {
    it('then it is a QueryTimeout a little after its limit, and others are answered meanwhile', async () => {
      const impatient = await open({ ...SERVING, queryTimeoutSeconds: 0.5 });
      try {
        proxy.fault({ mode: 'hung', times: 1 });
        const hanging = failureOf(impatient.store.query(sql.rows(anything)`SELECT 1 AS n`));
        await until(() => proxy.statistics.underWay > 0 || undefined);
        expect(await impatient.store.query(sql.rows(anything)`SELECT 2 AS n`)).to.deep.equal([{ n: 2 }]);
        expect(await hanging).to.be.instanceOf(QueryTimeout);
      } finally {
        await impatient.close();
      }
    });
  });

  describe('when a client hangs up', () => {
    let listener: Server;
    let port: number;

    before(async () => {
      listener = createListener(service.app, pino({ level: 'silent' }));
      listener.listen(0, '127.0.0.1');
      await once(listener, 'listening');
      ({ port } = listener.address() as AddressInfo);
    });
    after(() => {
      listener.close();
      listener.closeAllConnections();
    });
    afterEach(() => {
      proxy.fault({ mode: 'none' });
    });

    /** A request under way; its status when it has been answered. */
    const send = (path: string): { hangUp: () => void; status: Promise<number> } => {
      const sent = httpRequest({
        port,
        path,
        agent: false,
        headers: { authorization: `Bearer ${service.key}` },
      });
      const status = new Promise<number>((resolve, reject) => {
        sent.once('error', reject).once('response', (response) => {
          response.resume();
          resolve(response.statusCode ?? 0);
        });
      });
      status.catch(() => {});
      sent.end();
      return { hangUp: () => sent.destroy(), status };
    };

    it('then its query is cancelled', async () => {
      await ask(SUMMARY); // the version is known
      const before = proxy.fault({ mode: 'hung' });
      const { hangUp } = send(newQuestion());
      await until(() => proxy.statistics.underWay > 0 || undefined);
      hangUp();
      const after = await until(() => {
        const now = proxy.statistics;
        return now.underWay === 0 ? now : undefined;
      });
      expect(after.cancelled).to.be.above(before.cancelled);
    });

    it('and another client asks the same, then the query goes on for that one', async () => {
      await ask(SUMMARY);
      const before = proxy.fault({ mode: 'slow', delayMs: 1000 });
      const path = newQuestion();
      const [first, second] = [send(path), send(path)];
      await until(() => proxy.statistics.underWay > 0 || undefined);
      await delay(200);
      first.hangUp();
      expect(await second.status).to.equal(200);
      const { statements, abandoned } = proxy.fault({ mode: 'none' });
      expect(abandoned - before.abandoned).to.equal(0);
      expect(statements - before.statements).to.be.at.most(2); // it, and perhaps the version
    });
  });

  it('when it takes 1 s for each answer, then all is answered, later', async () => {
    proxy.fault({ mode: 'slow', delayMs: 1000 });
    try {
      for (let time = 0; time < 2; time += 1) {
        const [kept, asked] = await Promise.all([ask(SUMMARY), ask(newQuestion())]);
        expect([kept.status, asked.status]).to.deep.equal([200, 200]);
      }
    } finally {
      proxy.fault({ mode: 'none' });
    }
  });

  for (const [what] of FAULTS) {
    it(`when it ${what}, then kept answers go on for 5 s, others are 503 or 504, and all returns with it`, () =>
      courses.get(what));
  }
});
