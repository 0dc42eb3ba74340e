import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { findSharedEngine } from '../../src/store/engine/sharing.js';
import { loadLines } from '../support/ingest/feeds.js';
import { type Environment, killPrograms, Program, run, ServerProgram, until } from '../support/process.js';
import { expectRefusal, expectSound, feedArguments, LOAD, newKey } from '../support/programs.js';
import { range } from '../support/runner/range.js';
import { startTestService } from '../support/service.js';
import { openTestStore, temporaryFolder } from '../support/store.js';

const DAYS = 30;
const ISSUANCES = 400;
const QUESTIONS = ['summary', 'by-date', 'by-lead-time', 'by-city', 'by-station/KORD'].map(
  (name) => `/api/v1/accuracy/${name}?date_from=2026-01-01&date_to=2026-03-31&metric=low`,
);

/** So many forecasts that a load can be stopped in the middle. */
function manyLines() {
  const stations = ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD'];
  const forecasts: string[] = [];
  const observations: string[] = [];
  for (let day = 0; day < DAYS; day += 1) {
    const start = Date.UTC(2026, 0, 1 + day, 6);
    const date = new Date(start).toISOString().slice(0, 10);
    for (let hours = 0; hours < ISSUANCES; hours += 1) {
      const issued = new Date(start - hours * 900_000).toISOString();
      forecasts.push(`KORD,${issued},${date},${30 + (hours % 17)}.${day % 10},${10 + (hours % 13)}`);
    }
    observations.push(`KORD,${date},${35 + (day % 5)},${14 + (day % 3)}.5,verified,2026-04-01T00:00:00Z`);
  }
  return { stations, forecasts, observations };
}

describe('a load that is stopped half way', function () {
  this.timeout(200_000);
  let args: string[];
  let undisturbed: unknown[];

  before(async () => {
    const lines = manyLines();
    args = feedArguments(lines);
    const store = await openTestStore();
    await loadLines(store, lines);
    const service = await startTestService(store);
    undisturbed = [];
    for (const question of QUESTIONS) {
      const answer = await service.get(question);
      undisturbed.push((answer.body as { data: unknown }).data);
    }
    await store.close();
    expect(undisturbed[0]).to.have.property('verification_pairs', DAYS * ISSUANCES);
  });
  after(killPrograms);

  /** Rows of a table in the engine that a server or a load has open; 0 as long as there is none. */
  const rowsOf = async ({ DATA_DIR = '' }: Environment, table: string): Promise<number> => {
    const shared = await findSharedEngine(DATA_DIR);
    if (shared === undefined) return 0;
    const asking = request({
      socketPath: shared.socket,
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`default:${shared.password}`).toString('base64')}` },
    });
    asking.end(`SELECT count() FROM ${table} FORMAT TSV`);
    return once(asking, 'response').then(
      async ([response]: IncomingMessage[]) =>
        response?.statusCode === 200 ? Number(await text(response)) : 0,
      () => 0,
    );
  };
  /** A load that has filled a table, at least in part, and goes on. */
  const halfWay = async (env: Environment, table = 'staged_forecasts'): Promise<Program> => {
    const load = new Program(LOAD, args, env);
    await until(async () => {
      if (load.hasEnded)
        throw new Error(`the load ended before it was stopped: ${(await load.ended).stderr}`);
      return (await rowsOf(env, table)) > 0 || undefined;
    });
    return load;
  };
  const killed = async (env: Environment, table: string): Promise<void> => {
    const load = await halfWay(env, table);
    load.kill('SIGKILL');
    expect(await load.end()).to.include({ signal: 'SIGKILL' });
  };
  const loadAgain = async (env: Environment): Promise<void> => {
    expect(await run(LOAD, args, env)).to.include({ code: 0, stderr: '' });
  };
  const expectUndisturbed = async (env: Environment, running?: ServerProgram): Promise<void> => {
    const server = running ?? (await ServerProgram.start(env));
    const key = await newKey(env);
    for (const [index, question] of QUESTIONS.entries()) {
      const { data } = (await (await server.get(question, key)).json()) as { data: unknown };
      expect(data, question).to.deep.equal(undisturbed[index]);
    }
    await expectSound(env);
    await stop(server);
  };
  const stop = async (server: ServerProgram): Promise<void> => {
    server.kill('SIGTERM');
    await server.end();
  };

  it('by SIGINT, and the next one by the death of the server beside it, then each tells that in one line, none waits for another, and the third goes in', async () => {
    const env = { DATA_DIR: temporaryFolder() };
    const server = await ServerProgram.start(env);
    const first = await halfWay(env);
    first.kill('SIGINT');
    expectRefusal(await first.end(), 'stopped by SIGINT');
    const second = await halfWay(env, 'forecasts'); // what the first one has staged is still there
    server.kill('SIGKILL');
    await server.end();
    // In one line: it has not told of a lock that it waited for, either.
    expectRefusal(await second.end(), 'the connection to ClickHouse was lost');
    await loadAgain(env);
    await expectUndisturbed(env);
  });

  it('by SIGKILL while it was filling forecasts, when a server is started, then that settles what was applied, and says so', async () => {
    const env = { DATA_DIR: temporaryFolder() };
    await killed(env, 'forecasts');
    const server = await ServerProgram.start(env);
    await until(() => server.log().find(({ msg }) => msg === 'settled what a killed load had left'));
    await expectSound(env);
    await loadAgain(env);
    await expectUndisturbed(env, server);
  });

  for (const signal of range<NodeJS.Signals>({ test: 0, ci: 1 }, ['SIGTERM'])) {
    it(`by ${signal} to its server, when that is started again, then it does not go on through the new one`, async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const server = await ServerProgram.start(env);
      const load = await halfWay(env);
      server.kill(signal);
      const [ended] = await Promise.all([load.end(), server.end()]);
      if (ended.code !== 0) expectRefusal(ended, 'the connection to ClickHouse was lost'); // else it was faster
      await loadAgain(env);
      await expectUndisturbed(env);
    });
  }

  for (const table of range({ test: 0, ci: 1, torture: 2 }, ['staged_forecasts', 'forecasts'])) {
    it(`by SIGKILL while it was filling ${table}, when it is run again at once, then all is as if undisturbed`, async () => {
      const env = { DATA_DIR: temporaryFolder() };
      await killed(env, table);
      await loadAgain(env);
      await expectUndisturbed(env);
    });
  }

  // In `make torture` alone, for it waits; load-lock.test.ts and folders.test.ts have the same with locks that expire sooner.
  for (const beside of range({ test: 0, ci: 0, torture: 1 }, ['beside a server'])) {
    it(`by SIGKILL ${beside}, when it is run again at once, then it waits for no more than 30 s, and all is as if undisturbed`, async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const server = await ServerProgram.start(env);
      await killed(env, 'forecasts');
      const died = performance.now();
      const again = await new Program(LOAD, args, env).end(90_000);
      expect(again.code, again.stderr).to.equal(0);
      expect(again.stderr).to.match(/^another load is running on this database .*; waiting for it\n$/);
      // 30 s, and what the load itself takes on a slow machine.
      expect((performance.now() - died) / 1000, 'seconds').to.be.within(20, 60);
      await expectUndisturbed(env, server);
    });
  }
});
