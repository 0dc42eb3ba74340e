import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import { createKey } from '../../../src/auth/keys.js';
import type { Store } from '../../../src/store/store.js';
import { VERSION } from '../../../src/lib/version.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { recordCollected, SOURCE } from '../../support/collect/collected.js';
import { FEEDS, NOW, WINDOW } from '../../support/contract/data.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { GRAFANA, readDashboards } from '../../support/grafana/dashboards.js';
import { startTestService, type TestService } from '../../support/service.js';
import { until } from '../../support/process.js';
import { itInCi } from '../../support/runner/range.js';
import { openTestStore, withMethod } from '../../support/store.js';
import { openWorld } from '../../support/worlds.js';

const API = '/api/v1';
const SUMMARY = `${API}/accuracy/summary?${WINDOW}`;

/** The series of a scrape: value by name and labels, as they are written. */
async function scrape({ app, key }: { app: RequestListener; key: string }): Promise<Map<string, number>> {
  const { status, text } = await request(app).get('/metrics').set('Authorization', `Bearer ${key}`);
  expect(status, text).to.equal(200);
  return new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const at = line.lastIndexOf(' ');
        return [line.slice(0, at), Number(line.slice(at + 1))];
      }),
  );
}

const count = (method: string, route: string, status: number): string =>
  `http_request_duration_seconds_count{method="${method}",route="${route}",status_code="${status}"}`;

describe('GET /metrics', () => {
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openWorld([FEEDS]);
    await recordCollected(store, 2, [SOURCE]);
  });
  beforeEach(async () => {
    service = await startTestService(store, { now: NOW });
  });
  after(async () => {
    await store.close();
  });

  it('given requests of many stations, cities and faults, then a series is of a route, naming none', async () => {
    const names = ['KORD', 'EGLL', 'Chicago', 'nowhere'];
    for (const name of names) {
      await service.get(`${API}/accuracy/by-station/${name}?${WINDOW}`);
      await service.get(`${API}/accuracy/by-date/${name}?${WINDOW}`);
      await service.get(`${API}/accuracy/summary?city=${name}`);
      await service.get(`/${name}`);
      await request(service.app).get(`${API}/${name}`).set('Authorization', `Bearer ${name}`);
    }
    await request(service.app).post(`${API}/accuracy/summary`);
    await request(service.app).delete(`${API}/accuracy/summary`);
    await request(service.app).head(SUMMARY).set('Authorization', `Bearer ${service.key}`);
    const series = await scrape(service);
    const route = `${API}/accuracy/by-station/:station_id`;
    expect(series.get(count('GET', route, 200))).to.equal(3);
    expect(series.get(count('GET', route, 404))).to.equal(1);
    expect(series.get(count('GET', 'none', 404))).to.equal(4);
    expect(series.get(count('GET', 'none', 401))).to.equal(4);
    expect(series.get(count('other', 'none', 405))).to.equal(2);
    expect(series.get(count('HEAD', `${API}/accuracy/summary`, 200))).to.equal(1);
    const all = [...series.keys()].join('\n');
    for (const name of [...names, service.key, service.key.split('_')[1] ?? ''])
      expect(all).not.to.include(name);
  });

  it('given a question asked twice, then the store is measured once, by its name, also if it fails', async () => {
    await service.get(SUMMARY);
    await service.get(SUMMARY);
    await service.get(`${API}/accuracy/by-station/KORD?include_raw=true&${WINDOW}`);
    const series = await scrape(service);
    const queries = (question: string): number | undefined =>
      series.get(`store_query_duration_seconds_count{operation="${question}"}`);
    expect(queries('getAccuracySummary')).to.equal(1);
    expect(queries('getAccuracyByStation'), 'its statistics and its pairs, together').to.equal(1);
    expect(series.get('responses_total{source="miss"}')).to.equal(2);
    expect(series.get('responses_total{source="hit"}')).to.equal(1);
    const failing = await startTestService(
      withMethod(store, 'query', async (...given) => {
        if (/_errors/.test(given[0].statement.text)) throw new Error('out of order');
        return store.query(...given);
      }),
      { now: NOW },
    );
    expect((await failing.get(SUMMARY)).status).to.equal(500);
    const failed = await scrape(failing);
    expect(failed.get('store_query_duration_seconds_count{operation="getAccuracySummary"}')).to.equal(1);
    expect(failed.get(count('GET', `${API}/accuracy/summary`, 500))).to.equal(1);
  });

  it('given nothing yet, then counters are there with 0, so that their first increase shows', async () => {
    const series = await scrape(service);
    for (const source of ['hit', 'miss', 'coalesced', 'not_modified']) {
      expect(series.get(`responses_total{source="${source}"}`), source).to.equal(0);
    }
    expect(series.get('http_requests_rate_limited_total')).to.equal(0);
    const limited = await startTestService(store, { now: NOW, rateLimitPerMinute: 2 });
    for (let sent = 0; sent < 5; sent += 1) await limited.get(SUMMARY);
    const { key } = await createKey(limited.keysFile, 'prometheus');
    expect((await scrape({ app: limited.app, key })).get('http_requests_rate_limited_total')).to.equal(3);
  });

  itInCi(
    'given requests without an answer yet, then they are in flight, until they end or are given up',
    async () => {
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      let arrived: () => void = () => {};
      const arrival = new Promise<void>((resolve) => (arrived = resolve));
      const slow = await startTestService(
        withMethod(store, 'query', async (...given) => {
          if (/_errors/.test(given[0].statement.text)) {
            arrived();
            await held;
          }
          return store.query(...given);
        }),
        { now: NOW },
      );
      const waiting = slow.get(SUMMARY).then(({ status }) => status);
      const impatient = slow
        .get(`${API}/accuracy/by-date?${WINDOW}`)
        .timeout(500)
        .then(
          () => 'answered',
          () => 'given up',
        );
      await arrival;
      expect((await scrape(slow)).get('http_requests_in_flight'), 'with the scrape').to.be.greaterThan(1);
      expect(await impatient).to.equal('given up');
      expect((await scrape(slow)).get('http_requests_in_flight'), 'one of them, and the scrape').to.equal(2);
      release();
      expect(await waiting).to.equal(200);
      expect((await scrape(slow)).get('http_requests_in_flight'), 'the scrape').to.equal(1);
    },
  );

  it('given data, then it tells how far they reach, and of a load at once', async () => {
    const before = await scrape(service);
    const latest = (metric: string): string =>
      `data_latest_target_date_timestamp_seconds{metric="${metric}"}`;
    const pairs = (metric: string, status: string): string =>
      `verification_pairs{metric="${metric}",observation_status="${status}"}`;
    expect(before.get(latest('high'))).to.equal(Date.parse('2024-03-19T00:00:00Z') / 1000);
    expect(before.get(latest('low'))).to.equal(Date.parse('2024-03-18T00:00:00Z') / 1000);
    // NETWORK_STATS, and one of December; those of KPDX, and of KORD on the 19th, rest on preliminary observations.
    expect(before.get(pairs('high', 'verified'))).to.equal(15);
    expect(before.get(pairs('high', 'preliminary'))).to.equal(3);
    expect(before.get(pairs('low', 'verified'))).to.equal(2);
    const settled = before.get('data_last_reconciled_timestamp_seconds') ?? 0;
    expect(Math.abs(Date.now() / 1000 - settled)).to.be.lessThan(3600);

    await loadLines(store, {
      forecasts: ['KORD,2024-03-19T01:00:00Z,2024-03-20,55.00,'],
      observations: ['KORD,2024-03-20,54.00,,verified,2024-03-21T12:00:00Z'],
    });
    const after = await scrape(service);
    expect(after.get(latest('high'))).to.equal(Date.parse('2024-03-20T00:00:00Z') / 1000);
    expect(after.get(pairs('high', 'verified'))).to.equal(16);
    expect(after.get('data_last_reconciled_timestamp_seconds')).to.be.greaterThan(settled);
  });

  itInCi(
    'given a store that comes, is loaded, and goes, then a scrape says so, and the last data stay',
    async () => {
      const loaded = await openTestStore();
      const watched = await startTestService(loaded, { now: NOW });
      const ofData = (series: ReadonlyMap<string, number>, names: RegExp): string[] =>
        [...series.keys()].filter((name) => names.test(name));
      const empty = await scrape(watched);
      expect(ofData(empty, /^(data_latest|verification_pairs)/)).to.deep.equal([]);
      expect(empty.get('data_last_reconciled_timestamp_seconds')).to.equal(0);
      await loadLines(loaded, FEEDS);
      expect((await scrape(watched)).get('store_up')).to.equal(1);
      await loaded.close();
      const gone = await scrape(watched);
      expect(gone.get('store_up')).to.equal(0);
      expect(gone.get('verification_pairs{metric="low",observation_status="verified"}')).to.equal(2);
      // Nothing is said of data that nobody has seen.
      const never = await scrape(await startTestService(loaded, { now: NOW }));
      expect(never.get('store_up')).to.equal(0);
      expect(ofData(never, /^(data_|load|verification_pairs)/)).to.deep.equal([]);
    },
  );

  itInCi(
    'given loads that reject and fail, then they are counted, and each provider has its last day',
    async () => {
      const loaded = await openTestStore();
      const watched = await startTestService(loaded, { now: NOW });
      const counts = async (): Promise<(number | undefined)[]> => {
        const series = await scrape(watched);
        const names = [
          'loads_total{outcome="finished"}',
          'loads_total{outcome="failed"}',
          'load_rows_read_total',
          'load_rows_rejected_total',
        ];
        return names.map((name) => series.get(name));
      };
      const ended = async (outcome: string): Promise<number | undefined> =>
        (await scrape(watched)).get(`loads_last_ended_timestamp_seconds{outcome="${outcome}"}`);
      expect(await counts(), 'none yet').to.deep.equal([0, 0, 0, 0]);
      expect([await ended('finished'), await ended('failed')]).to.deep.equal([0, 0]);
      const rows = Object.values(FEEDS)
        .flat()
        .filter((line) => !line.startsWith('station_id,')).length;
      await loadLines(loaded, { ...FEEDS, forecasts: [...(FEEDS.forecasts ?? []), 'KORD,,,,', 'KORD,,,,'] });
      expect(await counts()).to.deep.equal([1, 0, rows + 2, 2]);
      expect((await scrape(watched)).get('versions_unsealed')).to.equal(0);
      const finished = await ended('finished');
      expect(Math.abs(Date.now() / 1000 - (finished ?? 0))).to.be.lessThan(300);
      expect(await ended('failed')).to.equal(0);
      await loadLines(loaded, { forecasts: ['KORD,,,,'], observations: ['KORD,,,,,'] }, { strict: true });
      expect(await counts()).to.deep.equal([1, 1, rows + 4, 4]);
      expect(await ended('finished'), 'a later load failed').to.equal(finished);
      expect(await ended('failed')).to.be.greaterThan(finished ?? 0);
      const nimbus = 'KORD,2024-01-11T00:00:00Z,2024-01-12,55,,nimbus';
      await loadLines(loaded, {
        columns: 'all',
        forecasts: [`${nimbus},`],
        observations: ['KORD,2024-01-12,54,,verified,2024-01-13T12:00:00Z,'],
      });
      expect(await counts()).to.deep.equal([2, 1, rows + 6, 4]);
      const restarted = await startTestService(loaded, { now: NOW });
      const series = await scrape(restarted);
      expect(series.get('load_rows_rejected_total'), 'after a restart').to.equal(4);
      const ofProviders = (series: Map<string, number>, name: string): [string, number][] =>
        [...series].filter(([each]) => each.startsWith(name));
      expect(ofProviders(series, 'data_provider_latest')).to.deep.equal(
        Object.entries({ default: '2024-03-19', nimbus: '2024-01-12' }).map(([provider, day]) => [
          `data_provider_latest_target_date_timestamp_seconds{provider="${provider}"}`,
          Date.parse(day) / 1000,
        ]),
      );
      const lastLoad = 'data_provider_last_load_timestamp_seconds';
      const brought = ofProviders(series, lastLoad);
      expect(brought.map(([name]) => name)).to.deep.equal([
        `${lastLoad}{provider="default"}`,
        `${lastLoad}{provider="nimbus"}`,
      ]);
      const [ofDefault = 0, ofNimbus = 0] = brought.map(([, seconds]) => seconds);
      expect(ofDefault, 'that of the first load, which the third did not bring').to.equal(finished);
      expect(ofNimbus).to.be.greaterThan(ofDefault);
      // Whom an operator has taken out is not missed.
      await loadLines(loaded, { columns: 'all', forecasts: [`${nimbus},true`] });
      expect(ofProviders(await scrape(restarted), 'data_provider').map(([name]) => name)).to.deep.equal([
        'data_provider_latest_target_date_timestamp_seconds{provider="default"}',
        `${lastLoad}{provider="default"}`,
      ]);
      await loaded.close();
    },
  );

  itInCi('given a feed with nonsense for providers, then a hundred have series, whatever comes', async () => {
    const crowded = await openTestStore();
    const names = Array.from({ length: 130 }, (_, index) => `p${String(index).padStart(3, '0')}`);
    await loadLines(crowded, {
      ...FEEDS,
      columns: 'all',
      stations: FEEDS.stations?.map((line) => `${line},,`),
      forecasts: names.map((name) => `KORD,2024-01-11T00:00:00Z,2024-01-12,55,,${name},`),
      observations: ['KORD,2024-01-12,54,,verified,2024-01-13T12:00:00Z,'],
    });
    const series = await scrape(await startTestService(crowded, { now: NOW }));
    const told = [...series.keys()].filter((name) => name.startsWith('data_provider_last_load'));
    expect(told).to.deep.equal(
      names.slice(0, 100).map((name) => `data_provider_last_load_timestamp_seconds{provider="${name}"}`),
    );
    await crowded.close();
  });

  itInCi(
    'given data that do not change, then a scrape asks nothing about them, and several share a ping',
    async () => {
      let [pings, asked, scrapes] = [0, 0, 0];
      const counting = withMethod(
        withMethod(store, 'ping', async () => {
          pings += 1;
          if (pings === 2) await until(() => scrapes === 7 || undefined);
          return store.ping();
        }),
        'query',
        async (...given) => {
          if (/station_day_counts/.test(given[0].statement.text)) asked += 1;
          return store.query(...given);
        },
      );
      const { app, key } = await startTestService(counting, { now: NOW });
      const watched = express().use((_request, _response, next) => {
        scrapes += 1;
        next();
      }, app);
      await scrape({ app: watched, key });
      await Promise.all(Array.from({ length: 6 }, () => scrape({ app: watched, key })));
      // How far the data reach, and whether a provider has any: once.
      expect([pings, asked]).to.deep.equal([2, 2]);
    },
  );

  itInCi(
    'given a collector, then a scrape has its sources, and a source without success is as old as can be',
    async () => {
      const collected = await openTestStore();
      const watched = await startTestService(collected, { now: NOW });
      expect([...(await scrape(watched)).keys()].filter((name) => name.startsWith('collect_'))).to.be.empty;
      const requests = { ok: 12, no_answer: 1, refused: 2, failed: 3 };
      const nbm = { ...SOURCE, gaps: 4, permanent_gaps: 5, requests };
      await recordCollected(collected, 1, [
        nbm,
        { ...SOURCE, source: 'iem-cli', last_success_at: null },
        { ...SOURCE, source: 'iem-daily', last_success_at: null, stations: 0 },
      ]);
      const series = await scrape(watched);
      // A source without stations is not asked: nobody has to be told that it is silent.
      expect([...series.keys()].join()).not.to.include('iem-daily');
      expect(series.get('collect_last_success_timestamp_seconds{source="iem-nbm"}')).to.equal(
        Date.parse('2026-03-07T13:26:00Z') / 1000,
      );
      expect(series.get('collect_last_success_timestamp_seconds{source="iem-cli"}')).to.equal(0);
      expect(series.get('collect_gaps{source="iem-nbm",state="retried"}')).to.equal(4);
      expect(series.get('collect_gaps{source="iem-nbm",state="permanent"}')).to.equal(5);
      const ofNbm = (outcome: string): number | undefined =>
        series.get(`collect_requests_total{source="iem-nbm",outcome="${outcome}"}`);
      expect(['ok', 'no_answer', 'refused', 'failed'].map(ofNbm)).to.deep.equal([12, 1, 2, 3]);
      // Counts are those of the collector, however often they are scraped.
      expect((await scrape(watched)).get('collect_requests_total{source="iem-nbm",outcome="ok"}')).to.equal(
        12,
      );
      await collected.close();
    },
  );

  itInCi('given a store that is busy, then a scrape does not wait; after 15 s it is away', async () => {
    let pings = 0;
    let now = Date.parse(NOW);
    const forever = new Promise<never>(() => {});
    const hanging = withMethod(
      withMethod(store, 'ping', () => {
        pings += 1;
        return forever;
      }),
      'query',
      () => forever,
    );
    const stuck = await startTestService(hanging, { now: () => new Date(now) });
    expect((await scrape(stuck)).get('store_up'), 'a query may be before the ping').to.equal(1);
    now += 16_000;
    expect((await scrape(stuck)).get('store_up')).to.equal(0);
    expect(pings).to.equal(1);
  });

  itInCi('given a query of 2.8 s on the real engine, then the store is up all the same', async () => {
    // The embedded engine runs one bound statement at a time, and a ping waits for its end.
    const long = store.query(
      sql.rows(
        z.object({ slept: z.number() }),
      )`${raw('SELECT sleepEachRow(0.28) AS slept FROM numbers({n: UInt64})', { n: 10 })}`,
    );
    expect((await scrape(service)).get('store_up')).to.equal(1);
    expect(await long).to.have.length(10);
  });

  it('then it tells what runs, how late the event loop is, and how much is kept and waits', async () => {
    await service.get(SUMMARY);
    const series = await scrape(service);
    expect(series.get(`forecast_accuracy_build_info{version="${VERSION}"}`)).to.equal(1);
    expect(series.get('nodejs_eventloop_lag_p99_seconds')).to.be.a('number');
    expect(series.get('process_resident_memory_bytes')).to.be.greaterThan(1e6);
    expect(series.get('cache_bytes')).to.be.greaterThan(100);
    expect(series.get('store_queries_waiting')).to.equal(0);
  });

  it('given the alerts and the operations dashboard, then every metric that they name is there', async () => {
    await service.get(SUMMARY);
    const { text } = await service.get('/metrics');
    const there = new Set([...text.matchAll(/^[a-z_\d]+/gm)].map(([name]) => name));
    const alerts = readFileSync(join(GRAFANA, 'alerts.yml'), 'utf8');
    const operations = readDashboards().find(({ path }) => path === 'prometheus/operations.json');
    const expressions = [
      ...[...alerts.matchAll(/expr: (?:\|\n(?: {10}.*\n)+|.*)/g)].map(([expression]) => expression),
      ...(operations?.panels ?? []).flatMap(({ targets }) => targets.map(({ expr }) => String(expr))),
    ];
    expect(expressions.length).to.be.greaterThan(25);
    // Names of metrics, but for `up`, have an underscore; so do these words.
    const words = new Set(
      'histogram_quantile status_code observation_status __rate_interval group_right'.split(' '),
    );
    const named = expressions.flatMap((text) => text.match(/\b[a-z]+(?:_[a-z\d]+)+\b/g) ?? []);
    expect(new Set(named).size).to.be.greaterThan(12);
    expect(named.filter((name) => !words.has(name) && !there.has(name))).to.deep.equal([]);
  });
});
