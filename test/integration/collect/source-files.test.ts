import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { toSource } from '../../../src/collect/files/file-source.js';
import { parseSourceFile } from '../../../src/collect/files/source-file.js';
import { Host } from '../../../src/collect/host/host.js';
import { runOnce } from '../../../src/collect/pass.js';
import { formatRun, type RunReport } from '../../../src/collect/pass/run-report.js';
import { stateFile } from '../../../src/collect/state.js';
import { audit } from '../../../src/ingest/audit.js';
import type { Store } from '../../../src/store/store.js';
import { HOUR_MS } from '../../../src/statistics/time/calendar.js';
import { dataOf } from '../../support/answers.js';
import { testCollector } from '../../support/collect/collector.js';
import { StubServer } from '../../support/collect/stub-server.js';
import { VirtualClock } from '../../support/collect/virtual-clock.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const NOW = Date.parse('2026-01-10T12:30:00Z');
const KEY = 'very-secret-key';

/** A service of forecasts, and a sensor, at this machine. */
const FILES = (url: string): string[] => [
  `name: yr
attribution: A service
kind: hourly_forecasts
local: true
url: ${url}/forecast?lat={latitude}&key={key:OWN_KEY}
interval: 2 hours
rows: hours
columns: { issued_at: $modified, valid_at: time, temp_c: t }
days: { high_c: { max: t }, low_c: { min: t } }
`,
  `name: garden
attribution: My garden
kind: hours
local: true
url: ${url}/sensor.csv?since={from:X}&until={to:X}
headers: { Authorization: "Bearer {key:OWN_KEY}" }
format: csv
zone: UTC
columns: { at: time, temp_c: celsius }
days: { high_c: { max: celsius }, low_c: { min: celsius } }
`,
];

const celsius = (ms: number): number => ((ms / HOUR_MS) % 24) / 2;

describe('npm run collect, from source files to the answers', function () {
  let server: Server;
  let stub: StubServer;
  let store: Store;
  const clock = new VirtualClock(NOW);
  const dataDir = temporaryFolder();
  const asked: { path: string; headers: IncomingMessage['headers'] }[] = [];
  const log: string[] = [];
  let answer: (url: URL, request: IncomingMessage, response: ServerResponse) => void;

  /** The run of each 6 hours, for three days, half a degree too warm. */
  const answerAsUsual: typeof answer = (url, { headers }, response) => {
    if (url.pathname === '/sensor.csv') {
      const [from, until] = ['since', 'until'].map((name) => 1000 * Number(url.searchParams.get(name)));
      const hours = Array.from(
        { length: 400 },
        (_, at) => Math.ceil((from ?? NaN) / HOUR_MS) * HOUR_MS + at * HOUR_MS,
      );
      const lines = hours.filter((ms) => ms < Math.min(until ?? NaN, clock.now()));
      response.end(
        `time,celsius\n${lines.map((ms) => `${new Date(ms).toISOString().slice(0, 16)},${celsius(ms)}\n`).join('')}`,
      );
      return;
    }
    const run_ms = Math.floor(clock.now() / (6 * HOUR_MS)) * 6 * HOUR_MS;
    const modified = new Date(run_ms).toUTCString();
    response.setHeader('last-modified', modified);
    if (headers['if-modified-since'] === modified) return response.writeHead(304).end();
    const hours = Array.from({ length: 72 }, (_, at) => run_ms + at * HOUR_MS);
    response.end(
      JSON.stringify({
        hours: hours.map((ms) => ({ time: new Date(ms).toISOString(), t: celsius(ms) + 0.5 })),
      }),
    );
  };

  before(async () => {
    server = createServer((request, response) => {
      asked.push({ path: request.url ?? '', headers: request.headers });
      answer(new URL(request.url ?? '', 'http://host'), request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stub = await StubServer.start({ now: clock.now });
    store = await openTestStore();
  });
  after(async () => {
    server.closeAllConnections();
    server.close();
    await stub.stop();
    await store.close();
  });
  beforeEach(() => {
    asked.length = 0;
    answer = answerAsUsual;
  });

  async function pass(later_ms: number): Promise<RunReport> {
    clock.ms += later_ms;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = {
      url,
      gap_ms: 0,
      pace: 0,
      user_agent: 'test (+me@example.org)',
      keys: { OWN_KEY: KEY },
    };
    const sources = FILES(url).map((file) => toSource(parseSourceFile(file, 'own.yaml')));
    const collector = testCollector(stub, clock, store, {
      ...{ dataDir, sources, wanted: { stations: ['EGLL'], states: [], countries: [] } },
      log: (line) => log.push(line),
    });
    return runOnce({ ...collector, hosts: { ...collector.hosts, [url]: new Host(settings, clock) } });
  }

  it('given a first pass, then both are asked with the key, and the past of the one that has some', async () => {
    const report = await pass(0);
    expect(report.outcome, formatRun(report, '')).to.equal('complete');
    expect(asked.map(({ path }) => path)).to.deep.equal([
      `/forecast?lat=51.4775&key=${KEY}`,
      `/sensor.csv?since=${Date.parse('2026-01-06T00:00Z') / 1000}&until=${NOW / 1000}`,
    ]);
    expect(asked[1]?.headers.authorization).to.equal(`Bearer ${KEY}`);
    expect(report.sources.map(({ feed, provider }) => `${feed} ${provider}`)).to.deep.equal([
      'forecasts yr',
      'hours null',
    ]);
  });

  it('given a pass within its interval, then the service is not asked; given no change, then 304 is no gap', async () => {
    await pass(HOUR_MS);
    expect(asked.map(({ path }) => path.slice(0, 7))).to.deep.equal(['/sensor']);
    const report = await pass(HOUR_MS);
    const [forecast] = asked.filter(({ path }) => path.startsWith('/forecast'));
    expect(forecast?.headers['if-modified-since']).to.equal('Sat, 10 Jan 2026 12:00:00 GMT');
    expect(report.sources[0]?.stations[0]).to.deep.include({ received: 0, gaps: [] });
    expect(report.sources[0]?.requests).to.include({ ok: 1, no_answer: 0 });
  });

  it('given a host that quotes the key, then neither log, report nor state has it', async () => {
    answer = ({ href }, { headers }, response) =>
      response.writeHead(401).end(`{"error":"${href} with ${headers.authorization} is not allowed"}`);
    const report = await pass(3 * HOUR_MS);
    expect(report.outcome).to.equal('gaps');
    expect(formatRun(report, '')).to.contain('is not allowed').and.contain('***');
    for (const text of [
      formatRun(report, ''),
      JSON.stringify(report),
      log.join('\n'),
      readFileSync(stateFile(dataDir), 'utf8'),
    ])
      expect(text).not.to.contain(KEY);
  });

  it('given what comes later, then hours and days have pairs in what a server answers', async () => {
    const report = await pass(60 * HOUR_MS);
    expect(report.outcome, formatRun(report, '')).to.equal('complete');
    const service = await startTestService(store, { now: new Date(clock.now()).toISOString() });
    for (const [metric, pairs] of [
      ['temperature', 65],
      ['high', 2],
    ] as const) {
      const summary = await dataOf<Record<string, number>>(
        service,
        `accuracy/summary?provider=yr&metric=${metric}&temp_unit=celsius`,
      );
      expect(summary.verification_pairs, metric).to.be.at.least(pairs);
      expect(summary.mean_error).to.be.closeTo(0.5, 0.006);
    }
    const { sources } = await dataOf<{ sources: { source: string; attribution: string }[] }>(
      service,
      'accuracy/freshness',
    );
    expect(sources.map(({ attribution }) => attribution)).to.deep.equal(['A service', 'My garden']);
    expect(await audit(store)).to.be.empty;
  });
});
