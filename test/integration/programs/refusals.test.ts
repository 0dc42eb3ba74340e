import { join } from 'node:path';
import { expect } from 'chai';
import { type Ended, type Environment, killPrograms, Program, run, until } from '../../support/process.js';
import { expectRefusal, feedArguments, lastLine, LOAD, uselessFile } from '../../support/programs.js';
import { itInCi, range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';

const SERVER = 'serve';
const KEYS = 'keys';
const MIGRATE = 'migrate';
const NOBODY = 'http://127.0.0.1:1';
const STATIONS = ['--stations', 'x.csv'];

type Case = [what: string, script: string, args: string[], settings: () => Environment, named: string];

const CASES = range<Case>({ test: 5, ci: Infinity }, [
  ['PORT is no number', SERVER, [], () => ({ PORT: 'http' }), 'PORT: '],
  ['HOST is not of this machine', SERVER, [], () => ({ HOST: '192.0.2.1' }), 'HOST: '],
  ['LOG_LEVEL is none', SERVER, [], () => ({ LOG_LEVEL: 'loud' }), 'LOG_LEVEL: '],
  [
    'nobody answers at CLICKHOUSE_URL',
    SERVER,
    [],
    () => ({ CLICKHOUSE_URL: NOBODY, CLICKHOUSE_PASSWORD: 'hunter2' }),
    'CLICKHOUSE_URL: ',
  ],
  ['API_KEYS_FILE is broken', SERVER, [], () => ({ API_KEYS_FILE: uselessFile() }), 'API_KEYS_FILE: '],
  ['DATA_DIR is a file', SERVER, [], () => ({ DATA_DIR: uselessFile() }), 'DATA_DIR: '],
  ['DATA_DIR of a load is a file', LOAD, STATIONS, () => ({ DATA_DIR: uselessFile() }), 'DATA_DIR: '],
  [
    'nobody answers at CLICKHOUSE_URL of a load',
    LOAD,
    STATIONS,
    () => ({ CLICKHOUSE_URL: NOBODY }),
    'CLICKHOUSE_URL: ',
  ],
  ['a load has no file', LOAD, [], () => ({}), '--forecasts'],
  [
    'API_KEYS_FILE of a new key is in a file',
    KEYS,
    ['create', '--name', 'x'],
    () => ({ API_KEYS_FILE: join(uselessFile(), 'keys.json') }),
    'API_KEYS_FILE: ',
  ],
  [
    'API_KEYS_FILE of a list of keys is broken',
    KEYS,
    ['list'],
    () => ({ API_KEYS_FILE: uselessFile() }),
    'API_KEYS_FILE: ',
  ],
  ['a demo of real data names nobody who asks', 'demo', ['--live'], () => ({}), 'CONTACT='],
  ['a new key has no name', KEYS, ['create'], () => ({}), '--name'],
  ['the key to revoke is unknown', KEYS, ['revoke', 'zzzzzzzz'], () => ({}), 'zzzzzzzz'],
]);

describe('programs that cannot do what they are asked', function () {
  this.timeout(150_000);
  let ends: Promise<Ended>[];

  before(() => {
    // Side by side: most of their time goes by with starting.
    ends = CASES.map(([, script, args, settings]) =>
      new Program(script, args, { PORT: '0', DATA_DIR: temporaryFolder(), ...settings() }).end(120_000),
    );
  });
  after(killPrograms);

  for (const [index, [what, , , , named]] of CASES.entries()) {
    it(`given that ${what}, then the program refuses in one line that names it`, async () => {
      const ended = (await ends[index])!;
      expectRefusal(ended, named);
      expect(ended.stderr).not.to.contain('hunter2');
    });
  }

  it('given an option that is none, then the exit code is 1, and the right one is suggested', async () => {
    const { code, stderr } = await run(LOAD, ['--forecast', 'x.csv'], { DATA_DIR: temporaryFolder() });
    expect(code).to.equal(1);
    expect(stderr).to.contain("unknown option '--forecast'").and.to.contain('--forecasts');
  });

  it('given --rejects that cannot be written, then one line names it, and the load ends', async () => {
    const rejects = join(temporaryFolder(), 'no', 'such', 'folder', 'rejects.csv');
    const args = [...feedArguments({ stations: [] }), '--rejects', rejects];
    expectRefusal(await new Program(LOAD, args, { DATA_DIR: temporaryFolder() }).end(8000), '--rejects');
  });

  it('given another program that has the engine of DATA_DIR open, then the server refuses and names it', async () => {
    const folder = temporaryFolder();
    const holder = new Program(
      '--input-type=module',
      [
        '--eval',
        `const { connect, SERVING } = await import('./dist/src/store/engine/open.js');
        await connect({ folder: ${JSON.stringify(join(folder, 'clickhouse'))} }, 'held', SERVING);
        console.log('open');
        setInterval(() => {}, 1000);`,
      ],
      {},
    );
    await until(() => {
      if (holder.hasEnded) throw new Error('the holder ended');
      return holder.stdout.includes('open') ? true : undefined;
    });
    const { code, stderr } = await run(SERVER, [], { PORT: '0', DATA_DIR: folder });
    // The engine's library has its own word on stderr before.
    expect(lastLine(stderr)).to.match(/^DATA_DIR: .*another process has it open/);
    expect(stderr).not.to.match(/^ +at /m);
    expect(code).to.equal(1);
    holder.kill('SIGKILL');
    await holder.end();
  });
});

describe('programs on a new folder', () => {
  itInCi(
    'given migrate, then it tells what it has applied, and the next time that there is nothing to do',
    async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const first = await run(MIGRATE, [], env);
      expect(first).to.include({ code: 0, stderr: '' });
      expect(first.stdout).to.match(
        /^applied 001_facts\.sql, 002_staging\.sql, 003_ledger\.sql, 004_histograms\.sql, 005_normals\.sql, 006_lineages\.sql\n/,
      );
      expect(await run(MIGRATE, [], env)).to.include({ code: 0, stdout: 'the tables are up to date\n' });
    },
  );

  it('given a list of keys, then there are none, and that is no fault', async () => {
    const { code, stdout } = await run(KEYS, ['list'], { DATA_DIR: join(temporaryFolder(), 'new') });
    expect(code).to.equal(0);
    expect(stdout).to.contain('no keys');
  });
});
