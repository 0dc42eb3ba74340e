import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { FEEDS, WINDOW } from '../support/contract/data.js';
import { type FeedLines, loadLines, writeFeeds } from '../support/ingest/feeds.js';
import { type Ended, killPrograms, Program, run, ServerProgram, until } from '../support/process.js';
import { beside, expectRefusal, expectSound, feedArguments, LOAD, newKey } from '../support/programs.js';
import { temporaryFolder } from '../support/store.js';

const SUMMARY = `/api/v1/accuracy/summary?${WINDOW}`;

/** Another forecast of a day in FEEDS: one more pair. */
const more = (minute: number): FeedLines => ({
  forecasts: [`KORD,2024-03-17T01:${String(minute).padStart(2, '0')}:59Z,2024-03-18,51.00,`],
});

async function load(DATA_DIR: string, lines: FeedLines): Promise<void> {
  const { code, stderr } = await run(LOAD, feedArguments(lines), { DATA_DIR });
  expect(code, stderr).to.equal(0);
}

async function loadBeside(DATA_DIR: string, lines: FeedLines): Promise<void> {
  expect(await beside({ DATA_DIR }, async (store) => loadLines(store, lines))).to.include({
    outcome: 'complete',
  });
}

async function end(program: Program, signal: NodeJS.Signals): Promise<Ended> {
  program.kill(signal);
  return program.end();
}

describe('data folders', function () {
  let folder: string;
  let key: string;
  let original: ServerProgram;

  before(async () => {
    folder = temporaryFolder();
    key = await newKey({ DATA_DIR: folder });
  });
  after(killPrograms);

  const pairsOf = async (server: ServerProgram): Promise<number> => {
    const answer = await server.get(SUMMARY, key);
    expect(answer.status).to.equal(200);
    return ((await answer.json()) as { data: { verification_pairs: number } }).data.verification_pairs;
  };
  const listening = (server: ServerProgram) => server.log().find(({ msg }) => msg === 'listening');

  it('given one that is empty, then "listening" and a warning say so; after a load neither does', async () => {
    const first = await ServerProgram.start({ DATA_DIR: folder });
    expect(listening(first)).to.include({ data: folder, is_empty: true });
    const warning = await until(() => first.log().find(({ msg }) => msg?.includes('is empty')));
    expect(warning).to.include({
      level: 40,
      msg: `${folder} is empty: load feeds, or name another DATA_DIR`,
    });
    await load(folder, FEEDS);
    await end(first, 'SIGTERM');
    original = await ServerProgram.start({ DATA_DIR: folder });
    expect(listening(original)).to.include({ data: folder, is_empty: false });
    expect(original.log().some(({ level }) => level === 40)).to.be.false;
  });

  it("given a copy of a running server's, then nothing done with the copy reaches the original", async () => {
    const before = await pairsOf(original);
    const copy = join(temporaryFolder(), 'copy');
    execFileSync('cp', ['-a', folder, copy]);

    // A command and a server on the copy, each ended by a kill.
    await load(copy, more(1));
    expect(await pairsOf(original)).to.equal(before);
    const copied = await ServerProgram.start({ DATA_DIR: copy });
    await loadBeside(copy, more(2));
    expect(await pairsOf(copied)).to.equal(before + 2);
    expect(await pairsOf(original)).to.equal(before);
    await end(copied, 'SIGKILL');

    // The original still lets others in, and stays apart.
    await loadBeside(folder, more(3));
    expect(await pairsOf(original)).to.equal(before + 1);
    const again = await ServerProgram.start({ DATA_DIR: copy });
    expect(await pairsOf(again)).to.equal(before + 2);
    await end(original, 'SIGKILL');
    await loadBeside(copy, more(4));
    original = await ServerProgram.start({ DATA_DIR: folder });
    expect(await pairsOf(original)).to.equal(before + 1);
    await expectSound({ DATA_DIR: copy });
    await end(again, 'SIGTERM');
    expect(existsSync(join(copy, 'engine.json'))).to.be.false;
    rmSync(copy, { recursive: true });
    await loadBeside(folder, more(5));
    expect(await pairsOf(original)).to.equal(before + 2);
    await expectSound({ DATA_DIR: folder });
    await end(original, 'SIGTERM');
  });

  it('given a copy whose links have become folders, then it is refused in one line that says how to copy', async () => {
    const copy = join(temporaryFolder(), 'copy');
    execFileSync('cp', ['-rL', folder, copy]);
    expectRefusal(
      await run('migrate', [], { DATA_DIR: copy }),
      /^DATA_DIR: .* is a folder in place of a link.*cp -a$/m,
    );
  });

  it('given one that a command has open, then a server waits, tells that once, and starts', async () => {
    const command = new Program(
      '--input-type=module',
      [
        '--eval',
        `const { openStore } = await import('./dist/src/store/engine/open.js');
        const { readConfig } = await import('./dist/src/config.js');
        const { close } = await openStore(readConfig(process.env), 'command');
        console.log('open');
        process.once('SIGTERM', close);
        setTimeout(() => {}, 60_000).unref();
        setInterval(() => {}, 1000);
        process.once('SIGTERM', () => setTimeout(() => process.exit(), 3000).unref());`,
      ],
      { DATA_DIR: folder },
    );
    await until(() => command.stdout.includes('open') || undefined);
    const server = new ServerProgram('serve', [], { DATA_DIR: folder, PORT: '0' });
    const waits = () => server.log().filter(({ msg }) => msg?.endsWith('waiting for it'));
    await until(() => waits()[0]);
    command.kill('SIGTERM');
    server.url = String((await until(() => listening(server))).url);
    expect(waits().map(({ msg }) => msg)).to.deep.equal([
      `DATA_DIR: ${folder} is in use by process ${command.pid} (a command); waiting for it`,
    ]);
    expect((await server.get('/readyz')).status).to.equal(200);
    await end(server, 'SIGTERM');
  });

  it('given a load that is killed before it told of its end, then the server settles it and answers anew', async () => {
    // Lifetimes of a tenth of a service's, so that the silence after the kill is told from a pause within a second or two.
    const server = new ServerProgram(
      '--input-type=module',
      [
        '--eval',
        `const { startServer } = await import('./dist/src/server.js');
        const { readConfig } = await import('./dist/src/config.js');
        const lifetimes = { heartbeatMs: 500, writableMs: 1000, expiryMs: 3000 };
        await startServer(readConfig(process.env), { lifetimes });`,
      ],
      { DATA_DIR: folder, PORT: '0' },
    );
    server.url = String((await until(() => listening(server))).url);
    const before = await pairsOf(server);
    const killed = new Program(
      '--input-type=module',
      [
        '--eval',
        `const { openStore } = await import('./dist/src/store/engine/open.js');
        const { readConfig } = await import('./dist/src/config.js');
        const { withLoadLock } = await import('./dist/src/store/lock/lock.js');
        const { load } = await import('./dist/src/ingest/load.js');
        const { store } = await openStore(readConfig(process.env), 'command');
        const [forecasts] = process.argv.slice(-1);
        await withLoadLock(store, (locked) => load(new Proxy(locked, {
          get: (target, name) => {
            const own = Reflect.get(target, name);
            const member = typeof own === 'function' ? own.bind(target) : own;
            if (name !== 'insert') return member;
            // Killed when the pairs are settled and the event that tells of it is about to be written.
            return (table, columns, rows) => rows[0]?.includes('settled')
              ? process.kill(process.pid, 'SIGKILL')
              : member(table, columns, rows);
          },
        }), { stations: [], forecasts: [forecasts], observations: [] }), {
          lifetimes: { heartbeatMs: 500, writableMs: 1000, expiryMs: 3000 },
        });`,
        ...(writeFeeds(more(6)).forecasts ?? []),
      ],
      { DATA_DIR: folder },
    );
    expect(await killed.end()).to.include({ signal: 'SIGKILL' });
    // The cached answer stands beside new ones under one version, until:
    const recovered = await until(() =>
      server.log().find(({ msg }) => msg === 'reconciled the rest of a killed load'),
    );
    expect(recovered).to.include({ level: 30 });
    expect(await pairsOf(server)).to.equal(before + 1);
    await expectSound({ DATA_DIR: folder });
    await end(server, 'SIGTERM');
  });
});
