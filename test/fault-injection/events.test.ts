import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { createForecastAccuracy } from '../../clients/typescript/src/index.js';
import { createKey } from '../../src/auth/keys.js';
import { TestListener } from '../support/events/listener.js';
import { FEEDS } from '../support/ingest/loads.js';
import { type Environment, killPrograms, Program, run, ServerProgram, until } from '../support/process.js';
import { feedArguments, LOAD } from '../support/programs.js';
import { range } from '../support/runner/range.js';
import { temporaryFolder } from '../support/store.js';
import { interval, sleep, tell } from '../support/stress/stress.js';

// Guards streams of events over kills of the server, clients that come and go, and what many cost its memory and its readers.

const LISTENERS = 1000;
const MOST_MB = 100;

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe('streams of events', function () {
  let env: Environment;
  let key: string;
  let server: ServerProgram;
  let day = 0;

  /** A load of one forecast, by a process of its own. */
  const load = (): Program => {
    day += 1;
    const date = new Date(Date.UTC(2026, 1, day)).toISOString().slice(0, 10);
    const lines = { forecasts: [`KORD,2026-01-30T18:00:00Z,${date},${20 + (day % 50)},18`] };
    return new Program(LOAD, feedArguments(lines), env);
  };

  before(async () => {
    env = { DATA_DIR: join(temporaryFolder(), 'data'), PORT: await freePort() };
    expect((await run(LOAD, feedArguments(FEEDS), env)).code).to.equal(0);
    const keysFile = join(env.DATA_DIR ?? '', 'api-keys.json');
    ({ key } = await createKey(keysFile, 'events', { event_streams: 0 }));
    server = await ServerProgram.start(env);
  });
  after(killPrograms);

  const finished = async (): Promise<string[]> => {
    const answer = await server.get('/api/v1/loads?limit=500', key);
    const { data, metadata } = (await answer.json()) as {
      data: { version: number; outcome: string }[];
      metadata: { timeline: string };
    };
    const versions = data.filter(({ outcome }) => !['failed', 'unfinished'].includes(outcome));
    return versions.reverse().map(({ version }) => `v${version}.${metadata.timeline}`);
  };

  it('given a server that is killed again and again, then a client resumes with each load once', async () => {
    const kills = range({ test: 1, ci: 1, stress: 20 });
    const [first = ''] = await finished();
    const ids: string[] = [];
    const loads: string[] = [];
    const stopped = new AbortController();
    const client = createForecastAccuracy({ url: server.url, key });
    const watching = (async () => {
      for await (const version of client.watch({ after: first }, { signal: stopped.signal })) {
        ids.push(version.id);
        loads.push(...(version.loads ?? []).map((each) => `v${each.version}${first.slice(-5)}`));
      }
    })().catch((error: unknown) => {
      if (!stopped.signal.aborted) throw error;
    });
    for (let kill = 0; kill < kills; kill += 1) {
      const loading = load();
      await sleep((kill / kills) * 2500);
      server.kill('SIGKILL');
      await server.ended;
      await loading.end();
      server = await ServerProgram.start(env);
      const latest = (await finished()).at(-1);
      await until(() => ((ids.at(-1) ?? first) === latest ? true : undefined));
    }
    expect((await load().end()).code).to.equal(0);
    const versions = await finished();
    await until(() => (ids.at(-1) === versions.at(-1) ? true : undefined));
    stopped.abort();
    await watching;
    expect(loads).to.deep.equal(versions.slice(1));
    tell('streams over kills', { kills, versions: versions.length });
  });

  it('given clients that come and go early, then no place is lost, and any id gets the latest version', async () => {
    const churn = range({ test: 40, ci: 100, stress: 12_000 });
    const places = range({ test: 40, ci: 80, stress: 2000 });
    const url = `${server.url}/api/v1/events`;
    for (let come = 0; come < churn; come += 20) {
      const opening = Array.from({ length: 10 }, () => TestListener.open(url, key));
      for (let early = 0; early < 10; early += 1) {
        const request = get(url, { headers: { authorization: `Bearer ${key}` }, agent: false });
        request
          .on('error', () => {})
          .once('socket', (socket) => {
            socket.once('connect', () => setTimeout(() => socket.resetAndDestroy(), Math.random() * 4));
          });
      }
      for (const listener of await Promise.all(opening)) listener.leave();
    }
    const latest = (await finished()).at(-1) ?? '';
    const ids = [
      '',
      'v0',
      'v1',
      `v0${latest.slice(-5)}`,
      `v99999${latest.slice(-5)}`,
      'v1.zzzz',
      '\u00ff',
      'x'.repeat(20_000),
    ];
    const listeners: TestListener[] = [];
    for (let at = 0; at < places; at += 40) {
      const some = Array.from({ length: 40 }, (_, of) =>
        TestListener.open(url, key, { 'last-event-id': ids[(at + of) % ids.length] ?? '' }),
      );
      listeners.push(...(await Promise.all(some)));
    }
    for (const listener of listeners) expect((await listener.hears(1)).ids).to.deep.equal([latest]);
    for (const listener of listeners) listener.leave();
    tell('streams after clients that came and went', { churn, open_at_once: listeners.length });
  });

  it(`given ${LISTENERS} who listen, then they take less than ${MOST_MB} MB, and all hear of a load`, async () => {
    const residentMb = (): number =>
      Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
    const summary = '/api/v1/accuracy/summary?date_from=2026-01-01&date_to=2026-01-31';
    const readersP95 = async (): Promise<number> => {
      const times: number[] = [];
      for (let request = 0; request < range({ test: 0, ci: 20, stress: 300 }); request += 1) {
        const started = performance.now();
        await (await server.get(summary, key)).text();
        times.push(performance.now() - started);
      }
      return interval(times, 0.1)[1];
    };
    await readersP95();
    const [alone, before] = [await readersP95(), residentMb()];
    const listeners: TestListener[] = [];
    for (let some = 0; some < LISTENERS; some += 50) {
      const opening = Array.from({ length: 50 }, () => TestListener.open(`${server.url}/api/v1/events`, key));
      listeners.push(...(await Promise.all(opening)));
    }
    await Promise.all(listeners.map((listener) => listener.hears(1)));
    const beside = await readersP95();
    const lateMs: number[] = [];
    for (let loads = 1; loads <= range({ test: 0, ci: 1, stress: 3 }); loads += 1) {
      const loading = load();
      await Promise.all(listeners.map((listener) => listener.hears(loads + 1, 60_000)));
      const finishedAt = String(listeners[0]?.events.at(-1)?.data.finished_at);
      lateMs.push(Date.now() - Date.parse(finishedAt));
      await loading.end();
    }
    const more = residentMb() - before;
    for (const listener of listeners) listener.leave();
    const after = await readersP95();
    tell('listeners', {
      listeners: LISTENERS,
      more_mb: Math.round(more),
      readers_p95_ms: `${alone.toFixed(1)} alone, ${beside.toFixed(1)} beside them, ${after.toFixed(1)} after`,
      last_of_them_heard_ms_after_finished: lateMs.join(' '),
    });
    expect(more).to.be.below(MOST_MB);
  });
});
