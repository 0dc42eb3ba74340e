import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { CODED_VARIABLES } from '../../../src/variables/codes.js';
import { type Environment, killPrograms, Program, run, until } from '../../support/process.js';
import { expectRefusal, feedArguments, lastLine, uselessFile } from '../../support/programs.js';
import { itInCi, range } from '../../support/runner/range.js';
import { temporaryFolder } from '../../support/store.js';
import { words } from '../../support/words.js';

// Every command with what it cannot do: one of a kind in `make test`, as each takes the start of a program.

const packageJson = JSON.parse(readFileSync('package.json', 'utf8')) as { engines: { node: string } };
const CLI = 'forecast-accuracy';
const COMMANDS = words(
  'load keys migrate verify move backup restore serve collect here mcp seal publish demo',
);
/** Commands with an argument, which any word may be. */
const WITH_ARGUMENT = words('here publish');
const NOBODY = 'http://127.0.0.1:1';
const STATIONS = ['--stations', 'x.csv'];

/** A setting or an argument that cannot be used, and what the one line of the refusal names. */
type Refused = [what: string, command: string, args: string[], settings: () => Environment, named: string];

const REFUSED: Refused[] = [
  ['PORT is no number', 'serve', [], () => ({ PORT: 'http' }), 'PORT: '],
  ['HOST is not of this machine', 'serve', [], () => ({ HOST: '192.0.2.1' }), 'HOST: '],
  ['LOG_LEVEL is unknown', 'serve', [], () => ({ LOG_LEVEL: 'loud' }), 'LOG_LEVEL: '],
  [
    'nobody answers at CLICKHOUSE_URL',
    'serve',
    [],
    () => ({ CLICKHOUSE_URL: NOBODY, CLICKHOUSE_PASSWORD: 'hunter2' }),
    'CLICKHOUSE_URL: ',
  ],
  ['API_KEYS_FILE is broken', 'serve', [], () => ({ API_KEYS_FILE: uselessFile() }), 'API_KEYS_FILE: '],
  ['DATA_DIR is a file', 'serve', [], () => ({ DATA_DIR: uselessFile() }), 'DATA_DIR: '],
  ['DATA_DIR of a load is a file', 'load', STATIONS, () => ({ DATA_DIR: uselessFile() }), 'DATA_DIR: '],
  [
    'nobody answers at CLICKHOUSE_URL of a load',
    'load',
    STATIONS,
    () => ({ CLICKHOUSE_URL: NOBODY }),
    'CLICKHOUSE_URL: ',
  ],
  ['a load has no file', 'load', [], () => ({}), '--forecasts'],
  [
    '--rejects cannot be written',
    'load',
    ['--rejects', '/dev/null/rejects.csv', ...feedArguments({ stations: [] })],
    () => ({}),
    '--rejects',
  ],
  [
    'API_KEYS_FILE of a new key is in a file',
    'keys',
    ['create', '--name', 'x'],
    () => ({ API_KEYS_FILE: join(uselessFile(), 'keys.json') }),
    'API_KEYS_FILE: ',
  ],
  [
    'API_KEYS_FILE of a list of keys is broken',
    'keys',
    ['list'],
    () => ({ API_KEYS_FILE: uselessFile() }),
    'API_KEYS_FILE: ',
  ],
  ['a demo of real data names nobody who asks', 'demo', ['--live'], () => ({}), 'CONTACT='],
  ['a place has no contact', 'here', ['--at', '1,2'], () => ({}), '--contact: '],
  ['the copy is in DATA_DIR', 'publish', ['build/data/copy'], () => ({ DATA_DIR: 'build/data' }), 'DIR: '],
  ['a new key has no name', 'keys', ['create'], () => ({}), '--name'],
  ['the key to revoke is unknown', 'keys', ['revoke', 'zzzzzzzz'], () => ({}), 'zzzzzzzz'],
];

describe('the commands', function () {
  after(killPrograms);

  // Each command has a test that starts it.
  itInCi('given --help, then it lists every command, and does nothing', async () => {
    const { code, stdout } = await run(CLI, ['--help'], {});
    expect(code).to.equal(0);
    const [, list = ''] = stdout.split('Commands:');
    const listed = [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name);
    expect(listed).to.deep.equal([...COMMANDS, 'help']);
  });

  const parsed = [CLI, ...COMMANDS].flatMap((command) =>
    ['--help', 'nonsense', '--nonsense']
      .filter((argument) => argument !== 'nonsense' || !WITH_ARGUMENT.includes(command))
      .map((argument) => [command, argument] as const),
  );
  for (const [command, argument] of range({ test: 0, ci: 1, stress: Infinity }, parsed)) {
    it(`given ${command} ${argument}, then it is explained or refused, and no folder is made`, async () => {
      const folder = join(temporaryFolder(), 'data');
      const { code, stdout, stderr } = await run(command, [argument], { DATA_DIR: folder, PORT: '0' });
      expect(existsSync(folder)).to.equal(false);
      if (argument === '--help') expect([code, stdout.slice(0, 6)]).to.deep.equal([0, 'Usage:']);
      else expect([code, stderr.slice(0, 7)]).to.deep.equal([1, 'error: ']);
    });
  }

  for (const [what, command, args, settings, named] of range({ test: 1, ci: 3, stress: Infinity }, REFUSED)) {
    it(`given that ${what}, then ${command} refuses in one line that names it`, async () => {
      const env = { PORT: '0', DATA_DIR: temporaryFolder(), ...settings() };
      const ended = await new Program(command, args, env).end(120_000);
      expectRefusal(ended, named);
      expect(ended.stderr).not.to.contain('hunter2');
    });
  }

  // A zone that Node knows and the engine does not, or neither does.
  for (const TZ of range({ test: 0, ci: 1, stress: Infinity }, [
    'EDT',
    'CST-8',
    'EST5EDT,M3.2.0,M11.1.0',
    'America/NewYork',
  ])) {
    it(`given TZ=${TZ}, then a load does what it does without`, async () => {
      const args = feedArguments({ stations: ['KORD,Chicago,US,41,-87,America/Chicago,Dfa,true,,ORD'] });
      const { code, stdout, stderr } = await run('load', args, { DATA_DIR: temporaryFolder(), TZ });
      expect([code, stderr]).to.deep.equal([0, '']);
      expect(stdout).to.contain('stations: 1 rows read: 1 new');
    });
  }

  itInCi('given an unknown option, then the exit code is 1, and the right one is suggested', async () => {
    const { code, stderr } = await run('load', ['--forecast', 'x.csv'], { DATA_DIR: temporaryFolder() });
    expect(code).to.equal(1);
    expect(stderr).to.contain("unknown option '--forecast'").and.to.contain('--forecasts');
  });

  // process.test.ts stands for it in `make test`.
  itInCi(
    'given another program that has the engine of DATA_DIR open, then the server refuses and names it',
    async () => {
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
      const { code, stderr } = await run('serve', [], { PORT: '0', DATA_DIR: folder });
      // The engine's library has its own word on stderr before.
      expect(lastLine(stderr)).to.match(/^DATA_DIR: .*another process has it open/);
      expect(stderr).not.to.match(/^ +at /m);
      expect(code).to.equal(1);
      holder.kill('SIGKILL');
      await holder.end();
    },
  );

  itInCi(
    'given migrate on a new folder, then it tells what it has applied, and next time that nothing is left',
    async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const first = await run('migrate', [], env);
      expect(first).to.include({ code: 0, stderr: '' });
      const variables = CODED_VARIABLES.map(({ name }) => `variable ${name}`).join(', ');
      expect(first.stdout).to.match(
        /^applied 001_loads\.sql, 002_stations\.sql, 003_forecasts_and_observations\.sql, 004_distributions\.sql, 005_hours\.sql, 006_normals\.sql, 007_staging\.sql, 008_ledger\.sql, 009_histograms\.sql, 010_one_reader\.sql, 011_hourly_forecasts\.sql, 012_wet_days\.sql, 013_staging_inputs\.sql, 014_any_variable\.sql, 015_seals\.sql, /,
      );
      expect(first.stdout).to.include(`016_sealed_odds.sql, ${variables}\n`);
      expect(await run('migrate', [], env)).to.include({ code: 0, stdout: 'the tables are up to date\n' });
    },
  );

  itInCi('given an older Node.js, then one line names the version that is needed, before any import', () => {
    const shim = join(temporaryFolder(), 'older.cjs');
    const versions = "{ value: { ...process.versions, node: '18.20.8' } }";
    writeFileSync(shim, `Object.defineProperty(process, 'versions', ${versions});`);
    const main = join(process.cwd(), 'dist/src/main.cjs');
    const { status, stderr } = spawnSync(process.execPath, ['--require', shim, main, 'serve'], {
      encoding: 'utf8',
    });
    const needed = /\d+\.\d+/.exec(packageJson.engines.node)?.[0];
    expect(stderr).to.equal(`Node.js ${needed} or later is needed, and this is 18.20.8\n`);
    expect(status).to.equal(1);
  });

  itInCi('given a list of keys on a new folder, then there are none, and that is no fault', async () => {
    const { code, stdout } = await run('keys', ['list'], { DATA_DIR: join(temporaryFolder(), 'new') });
    expect(code).to.equal(0);
    expect(stdout).to.contain('no keys');
  });
});
