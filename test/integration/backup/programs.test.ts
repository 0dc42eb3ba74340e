import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { randomFeeds } from '../../support/backups.js';
import { FEEDS } from '../../support/contract/data.js';
import { type Environment, killPrograms, Program, run, ServerProgram, until } from '../../support/process.js';
import { expectRefusal, expectSound, feedArguments, LOAD, newKey, VERIFY } from '../../support/programs.js';
import { describeInCi, itInCi, range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

// No other test guards the commands as operators run them, beside a server and killed. In `make test`, the refusals
// stand for them, and backup.test.ts has what they call.

const QUESTION = '/api/v1/accuracy/by-city?date_from=2026-03-01&date_to=2026-04-30';

/** Where the engine keeps the mark of a restore that has begun (restore-mark.ts). */
const markOf = ({ DATA_DIR = '' }: Environment): string =>
  join(DATA_DIR, 'clickhouse/metadata/forecast_accuracy/restore_under_way.sql');

describeInCi('npm run backup and restore', function () {
  /** A folder with a load in it that no test writes into, and a backup of it. */
  const loaded: Environment = { DATA_DIR: temporaryFolder() };
  const full = join(temporaryFolder(), 'full');

  before(async () => {
    expect(await run(LOAD, feedArguments(randomFeeds(1)), loaded)).to.include({ code: 0 });
    expect(await run('backup', ['--to', full], loaded)).to.include({ code: 0 });
  });
  after(killPrograms);

  it('given a folder that is no backup, or none, then restore refuses it in one line', async () => {
    const DATA_DIR = join(temporaryFolder(), 'data');
    const from = temporaryFolder();
    expectRefusal(await run('restore', ['--from', from], { DATA_DIR }), `--from: ${from} has no backup.json`);
    const { code, stderr } = await run('backup', [], { DATA_DIR });
    expect([code, stderr]).to.deep.equal([1, "error: required option '--to <folder>' not specified\n"]);
  });

  itInCi(
    'given a server, a load and clients beside it, then a backup with keys comes back in another folder',
    async () => {
      const env: Environment = { DATA_DIR: temporaryFolder() };
      const [whole, incremental] = [join(temporaryFolder(), 'whole'), join(temporaryFolder(), 'incremental')];
      const key = await newKey(env);
      const server = await ServerProgram.start(env);
      expect(await run(LOAD, feedArguments(randomFeeds(1)), env)).to.include({ code: 0 });
      let isOver = false;
      const clients = Array.from({ length: 2 }, async () => {
        while (!isOver) {
          expect((await server.get(QUESTION, key)).status).to.equal(200);
          await setTimeout(50); // without a pause they take more of the processors than all the rest
        }
      });
      const loading = run(LOAD, feedArguments(randomFeeds(2)), env);
      await until(async () => {
        const { data } = (await (await server.get('/api/v1/loads', key)).json()) as { data: unknown[] };
        return data.length > 1 || undefined;
      });
      const backed = await run('backup', ['--to', whole, '--with-keys'], env);
      expect(backed, backed.stderr).to.include({ code: 0 });
      expect(backed.stdout).to.match(/whole: data version [12], \d+ tables, \d+ rows\n$/);
      expect(await loading).to.include({ code: 0 });
      isOver = true;
      await Promise.all(clients);
      expect(await run('backup', ['--to', incremental, '--base', whole], env)).to.include({ code: 0 });
      const bodyOf = async (of: ServerProgram): Promise<unknown> =>
        ((await (await of.get(QUESTION, key)).json()) as { data: unknown }).data;
      const expected = await bodyOf(server);
      server.kill('SIGTERM');
      await server.end();

      const restored: Environment = { DATA_DIR: temporaryFolder() };
      expect(await run('restore', ['--from', whole], restored)).to.include({ code: 0 });
      expect(readFileSync(join(restored.DATA_DIR ?? '', 'api-keys.json'))).to.deep.equal(
        readFileSync(join(env.DATA_DIR ?? '', 'api-keys.json')),
      );
      expect(await run(VERIFY, [], restored)).to.include({ code: 0 });

      // Beside a server on an empty folder, which has keys of its own.
      const later: Environment = { DATA_DIR: temporaryFolder() };
      writeFileSync(join(later.DATA_DIR ?? '', 'api-keys.json'), readFileSync(join(whole, 'api-keys.json')));
      const empty = await ServerProgram.start(later);
      expect(await bodyOf(empty)).to.deep.equal([]);
      expect(await run('restore', ['--from', incremental], later)).to.include({ code: 0 });
      expect(await bodyOf(empty)).to.deep.equal(expected);
      await expectSound(later);
      empty.kill('SIGTERM');
      await empty.end();
    },
  );

  itInCi(
    'given a restore that is killed at any time, then the store is empty or says so; another is whole',
    async () => {
      const outcomes = new Set<string>();
      const kills = range({ test: 0, ci: 1, stress: 60 });
      const restoringInto = async (into: Environment): Promise<Program> => {
        const restoring = new Program('restore', ['--from', full], into);
        while (!existsSync(join(into.DATA_DIR ?? '', 'engine.json')) && !restoring.hasEnded)
          await setTimeout(5);
        return restoring;
      };
      // How long it takes from the first file of the engine on: a busy machine takes several times as long.
      const whole = await restoringInto({ DATA_DIR: temporaryFolder() });
      const began = performance.now();
      expect(await whole.end()).to.include({ code: 0 });
      const restoreMs = performance.now() - began;
      for (let kill = 0; kill < kills; kill += 1) {
        const killed: Environment = { DATA_DIR: temporaryFolder() };
        const restoring = await restoringInto(killed);
        // The first kill comes as soon as the restore has said that it has begun, the others at any time.
        if (kill === 0) while (!existsSync(markOf(killed)) && !restoring.hasEnded) await setTimeout(5);
        else await setTimeout((restoreMs * kill) / kills);
        restoring.kill('SIGKILL');
        await restoring.end();
        const loaded = await run(LOAD, feedArguments(FEEDS), killed);
        if (loaded.code === 1) {
          expectRefusal(loaded, /^a restore into this store has begun and not ended/);
          outcomes.add('says so');
          expect(await run('restore', ['--from', full], killed)).to.include({ code: 0 });
        } else outcomes.add(loaded.stdout.includes('was empty') ? 'empty' : 'whole');
        expect(await run(VERIFY, [], killed)).to.include({ code: 0 });
      }
      expect([...outcomes]).to.include('says so');
    },
  );

  itInCi(
    'given a backup that is killed, then it does not count, and the next one stands beside it',
    async () => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, 'cut'));
      const backing = new Program('backup', ['--to', join(folder, 'cut')], loaded);
      while (readdirSync(join(folder, 'cut')).length === 0 && !backing.hasEnded) await setTimeout(2);
      backing.kill('SIGKILL');
      await backing.end();
      const restored: Environment = { DATA_DIR: temporaryFolder() };
      expectRefusal(
        await run('restore', ['--from', join(folder, 'cut')], restored),
        'cut has no backup.json',
      );
      expect(await run('backup', ['--to', join(folder, 'next')], loaded)).to.include({ code: 0 });
      expect(await run('restore', ['--from', join(folder, 'next')], restored)).to.include({ code: 0 });
    },
  );
});
