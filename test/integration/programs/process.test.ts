import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { readConfig } from '../../../src/config.js';
import { createKey } from '../../../src/access/keys.js';
import { FEED_COLUMNS, type FeedName } from '../../../src/ingest/feed/columns.js';
import { openStore, type OpenedStore } from '../../../src/store/engine/open.js';
import { findSharedEngine } from '../../../src/store/engine/sharing.js';
import { loadLines } from '../../support/feeds.js';
import {
  type Ended,
  type Environment,
  killPrograms,
  Program,
  run,
  ServerProgram,
  until,
} from '../../support/process.js';
import { range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

const LOAD = 'src/cli/load.ts';
const KEYS = 'src/cli/keys.ts';
const MIGRATE = 'src/cli/migrate.ts';
const VERIFY = 'src/cli/verify.ts';

const CHICAGO = 'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD';
const FORECASTS = [
  'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18',
  'KORD,2026-01-05T00:00:00Z,2026-01-05,32,19',
];
const OBSERVATIONS = ['KORD,2026-01-05,30,17,verified,2026-01-06T06:00:00Z'];
const SUMMARY = '/api/v1/accuracy/summary?date_from=2026-01-01&date_to=2026-01-31';

/** A feed file of these lines. */
function feed(name: FeedName, lines: readonly string[], header: string = FEED_COLUMNS[name].join()): string {
  const file = join(temporaryFolder(), `${name}.csv`);
  writeFileSync(file, `${[header, ...lines].join('\n')}\n`);
  return file;
}

/** That a program refused: exit code 1, and one line on stderr that names what to look at. */
function expectRefusal({ code, stdout, stderr }: Ended, named: string): void {
  expect(stderr.trimEnd().split('\n'), stderr).to.have.lengthOf(1);
  expect(stderr).to.match(/\n$/);
  expect(stderr).to.contain(named);
  expect(stderr).not.to.match(/\bat .+:\d+:\d+|node:internal|Error:/);
  expect(stdout).not.to.contain('"listening"');
  expect(code).to.equal(1);
}

const lastLine = (text: string): string => text.trimEnd().split('\n').at(-1) ?? '';

async function newKey(env: Environment, name = 'test'): Promise<string> {
  return (await createKey(join(env.DATA_DIR ?? '', 'api-keys.json'), name)).key;
}

describe('the programs', function () {
  this.timeout(150_000);
  after(killPrograms);

  describe('given a server on a folder that is not there yet', () => {
    let env: Environment;
    let server: ServerProgram;
    let key: string;

    before(async () => {
      env = { DATA_DIR: join(temporaryFolder(), 'not', 'there', 'yet') };
      server = await ServerProgram.start(env);
      key = await newKey(env);
    });
    after(killPrograms);

    const body = async (path: string): Promise<unknown> => (await server.get(path, key)).json();
    const pairs = async (): Promise<number> =>
      z.object({ data: z.object({ verification_pairs: z.number() }) }).parse(await body(SUMMARY)).data
        .verification_pairs;
    /** The engine of the server, for looking into its tables. */
    const engine = async (): Promise<OpenedStore> => openStore(readConfig(env), 'command');

    describe('when it is asked', () => {
      it('how it is, then it is well, without a key', async () => {
        const response = await server.get('/api/v1/health');
        expect(response.status).to.equal(200);
        expect(await response.json()).to.include({ status: 'ok', database: 'ok' });
        expect((await server.get('/healthz')).status).to.equal(200);
        expect((await server.get('/readyz')).status).to.equal(200);
      });

      it('for numbers that are not there, then they are 0 and null, with a key only', async () => {
        expect((await server.get(SUMMARY)).status).to.equal(401);
        expect(await body(SUMMARY)).to.have.nested.include({
          'data.verification_pairs': 0,
          'data.mae': null,
        });
      });

      it('then the folder and the tables have been made, and the log tells where it listens', () => {
        expect(existsSync(env.DATA_DIR ?? '')).to.be.true;
        const listening = server.log().find(({ msg }) => msg === 'listening');
        expect(listening?.url).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
        expect(listening?.migrated).to.include('001_facts.sql');
      });

      it('then it has warned that there were no keys, and how one is made', () => {
        expect(server.log().some(({ level, msg }) => level === 40 && msg?.includes('npm run keys'))).to.be
          .true;
      });
    });

    describe('when its keys file is broken, and mended', () => {
      it('then the keys as they were go on, the log says so, and the mended file counts at once', async () => {
        const file = join(env.DATA_DIR ?? '', 'api-keys.json');
        const good = readFileSync(file);
        writeFileSync(file, '{"keys": [{"id": "broken');
        expect((await server.get(SUMMARY, key)).status).to.equal(200);
        expect((await server.get(SUMMARY, `${key.slice(0, -1)}~`)).status).to.equal(401);
        const line = await until(() => server.log().find(({ msg }) => msg?.includes('keys as they were')));
        expect(line).to.include({ level: 50 });
        expect(JSON.stringify(line)).to.contain('API_KEYS_FILE');
        writeFileSync(file, good);
        const another = await newKey(env, 'another');
        for (const each of [key, another]) expect((await server.get(SUMMARY, each)).status).to.equal(200);
      });
    });

    describe('when its log is read', () => {
      it('then each request has a JSON line with its id, method, URL and status', async () => {
        await server.get(`${SUMMARY}&metric=low`, key, { 'x-request-id': 'trace-of-mine' });
        const line = await until(() =>
          server.log().find(({ req }) => (req as { id?: string } | undefined)?.id === 'trace-of-mine'),
        );
        expect(line).to.deep.include({
          req: { id: 'trace-of-mine', method: 'GET', url: `${SUMMARY}&metric=low` },
          res: { status: 200 },
        });
        expect(line).to.include({
          level: 30,
          service: 'forecast-accuracy-service',
          key_id: key.slice(4, 12),
        });
        expect(line.responseTime).to.be.a('number');
      });

      it('then a request without an id has been given one, which its answer names', async () => {
        const id = (await server.get('/healthz')).headers.get('x-request-id');
        expect(id).to.match(/^[\w-]{36}$/);
        await until(() => server.log().find(({ req }) => (req as { id?: string } | undefined)?.id === id));
      });

      it('then no key is in it, wherever a client has put one', async () => {
        const secrets = [0, 1, 2, 3, 4, 5].map(
          (digit) => `fas_abcdefg${digit}_${`S3cret-${digit}_`.repeat(5).slice(0, 43)}`,
        );
        const [inHeader = '', inQuery = '', inName = '', inPath = '', inCookie = '', inBasic = ''] = secrets;
        await server.get(SUMMARY, inHeader);
        await server.get(`${SUMMARY}&api_key=${inQuery}`);
        await server.get(`${SUMMARY}&api_key=${inQuery}`, key);
        await server.get(`/?${inName}`, key);
        await server.get(`/api/v1/accuracy/by-station/${inPath}`, key);
        await server.get(`/api/v1/accuracy/by-station/x%2F${inPath}?city=${inPath}`, key);
        await server.get('/api/v1/stations/metadata', undefined, { cookie: `key=${inCookie}` });
        await server.get('/', undefined, {
          authorization: `Basic ${inBasic}`,
          referer: `http://x/?k=${inBasic}`,
        });
        await server.get('/healthz', key, { 'x-request-id': 'after-the-secrets' });
        await until(() => (server.stdout.includes('after-the-secrets') ? true : undefined));
        for (const secret of [...secrets, key]) {
          expect(server.stdout).not.to.contain(secret.slice(13));
        }
        expect(server.stdout).to.contain('fas_abcdefg1');
      });

      it('then no key is in it, even percent-encoded', async () => {
        await server.get(`${SUMMARY}&api_key=fas%5Fabcdefg9%5F${'Encoded-S3cret'.repeat(4).slice(0, 43)}`);
        await server.get('/healthz', key, { 'x-request-id': 'after-the-encoded' });
        await until(() => (server.stdout.includes('after-the-encoded') ? true : undefined));
        expect(server.stdout).not.to.contain('Encoded-S3cret');
      });
    });

    describe('when keys are made and revoked beside it', () => {
      it('then a new key is the last line of what is printed, and lets in at once', async () => {
        const { code, stdout, stderr } = await run(KEYS, ['create', '--name', 'Grafana'], env);
        expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
        const made = lastLine(stdout);
        expect(made).to.match(/^fas_[a-z0-9]{8}_[\w-]{43}$/);
        expect((await server.get(SUMMARY, made)).status).to.equal(200);
        const file = join(env.DATA_DIR ?? '', 'api-keys.json');
        expect(readFileSync(file, 'utf8')).not.to.contain(made.slice(13));
        expect(statSync(file).mode & 0o777).to.equal(0o600);
      });

      it('then a revoked key is refused at once, and the list tells of both', async () => {
        const made = await newKey(env, 'Old client');
        expect((await server.get(SUMMARY, made)).status).to.equal(200);
        const id = made.slice(4, 12);
        const revoked = await run(KEYS, ['revoke', id], env);
        expect(revoked).to.include({ code: 0, stderr: '' });
        expect((await server.get(SUMMARY, made)).status).to.equal(401);
        expect((await server.get(SUMMARY, key)).status).to.equal(200);
        const { code, stdout } = await run(KEYS, ['list'], env);
        expect(code).to.equal(0);
        expect(stdout).to.match(new RegExp(`^${id} .*revoked .*Old client$`, 'm'));
        expect(stdout).to.match(new RegExp(`^${key.slice(4, 12)} .*valid .*test$`, 'm'));
        expect(stdout).not.to.contain(made.slice(13));
      });

      it('and the id of one to revoke is unknown, then that is told and the exit code is 1', async () => {
        expectRefusal(await run(KEYS, ['revoke', 'zzzzzzzz'], env), 'zzzzzzzz');
      });

      it('and a key is to be made without a name, then that is told and the exit code is 1', async () => {
        expectRefusal(await run(KEYS, ['create'], env), '--name');
      });
    });

    describe('when feeds are loaded beside it', () => {
      it('then the load ends with 0, and the new numbers are served', async () => {
        expect(await pairs()).to.equal(0);
        const ended = await run(
          LOAD,
          [
            ...['--observations', feed('observations', OBSERVATIONS)],
            ...['--forecasts', feed('forecasts', FORECASTS)],
            ...['--stations', feed('stations', [CHICAGO])],
          ],
          env,
        );
        expect(ended).to.include({ code: 0, stderr: '' });
        expect(ended.stdout).to.contain(
          'forecasts: 2 rows read: 2 new, 0 corrected, 0 unchanged, 0 rejected',
        );
        expect(ended.stdout).to.contain('pairs: 4 added, 0 withdrawn');
        expect(await body(SUMMARY)).to.have.nested.include({
          'data.verification_pairs': 2,
          'data.mean_error': 1.5,
        });
      });

      it('with --json, then the report is one JSON object, the last line of stdout; --rejects has a header', async () => {
        const rejects = join(temporaryFolder(), 'rejects.csv');
        const file = feed('forecasts', ['KORD,2026-01-05T00:00:00Z,2026-01-05,34,19']);
        const { code, stdout, stderr } = await run(
          LOAD,
          ['--json', '--forecasts', file, '--rejects', rejects],
          env,
        );
        expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
        const report = JSON.parse(lastLine(stdout)) as Record<string, unknown>;
        expect(report).to.include({ outcome: 'complete', pairs_added: 1, pairs_withdrawn: 1 });
        expect(report).to.have.nested.property('feeds.forecasts.rows_corrected', 1);
        expect(await body(SUMMARY)).to.have.nested.property('data.mean_error', 2.5);
        expect(readFileSync(rejects, 'utf8').trimEnd()).to.equal('feed,file,line,reason,detail,text');
      });

      it('and some rows are bad, then the exit code is 3, and --rejects has them with file, line and reason', async () => {
        const bad = [
          'KZZZ,2026-01-04T06:00:00Z,2026-01-05,31,18',
          'KORD,2026-01-04T06:00:00Z,2026-01-05,"=1+1, ""x""",18',
        ];
        const file = feed('forecasts', [
          bad[0] ?? '',
          'KORD,2026-01-04T12:00:00Z,2026-01-05,33,18',
          bad[1] ?? '',
        ]);
        const rejects = join(temporaryFolder(), 'rejects.csv');
        const before = await pairs();
        const { code, stdout } = await run(LOAD, ['--forecasts', file, '--rejects', rejects], env);
        expect(code).to.equal(3);
        expect(stdout).to.contain('1 × unknown station, first at');
        expect(await pairs()).to.equal(before + 1);
        const rows = parse<Record<string, string>>(readFileSync(rejects, 'utf8'), { columns: true });
        expect(rows).to.deep.equal([
          { feed: 'forecasts', file, line: '2', reason: 'unknown station', detail: 'KZZZ', text: bad[0] },
          {
            feed: 'forecasts',
            file,
            line: '4',
            reason: 'temperature is not a number',
            detail: 'high_f="=1+1, "x""',
            text: bad[1],
          },
        ]);
      });

      it('with --strict and a bad row, then the exit code is 1 and nothing goes in', async () => {
        const before = await pairs();
        const file = feed('forecasts', ['KORD,2026-01-03T12:00:00Z,2026-01-05,33,18', 'KORD,,,,']);
        const { code, stdout } = await run(LOAD, ['--strict', '--json', '--forecasts', file], env);
        expect(code).to.equal(1);
        expect(JSON.parse(lastLine(stdout))).to.include({ outcome: 'failed', pairs_added: 0 });
        expect(await pairs()).to.equal(before);
      });

      it('and a file is missing, then the exit code is 1, one line names it, and nothing goes in', async () => {
        const before = await pairs();
        const missing = join(temporaryFolder(), 'nowhere.csv');
        const good = feed('forecasts', ['KORD,2026-01-03T12:00:00Z,2026-01-05,33,18']);
        expectRefusal(await run(LOAD, ['--forecasts', good, '--observations', missing], env), missing);
        expect(await pairs()).to.equal(before);
      });

      it('and --rejects cannot be written, then the exit code is 1, and one line names it', async () => {
        const rejects = join(temporaryFolder(), 'no', 'such', 'folder', 'rejects.csv');
        const ended = new Program(
          LOAD,
          ['--stations', feed('stations', [CHICAGO]), '--rejects', rejects],
          env,
        );
        expectRefusal(await ended.end(), '--rejects');
      });

      it('without a file, then the exit code is 1, and one line tells what to give', async () => {
        expectRefusal(await run(LOAD, [], env), '--forecasts');
      });

      it('with an option that is none, then the exit code is 1, and the right one is suggested', async () => {
        const { code, stderr } = await run(LOAD, ['--forecast', 'x.csv'], env);
        expect(code).to.equal(1);
        expect(stderr).to.contain("unknown option '--forecast'").and.to.contain('--forecasts');
      });
    });

    describe('when its tables are looked at beside it', () => {
      it('then migrate says that they are up to date', async () => {
        const { code, stdout } = await run(MIGRATE, [], env);
        expect({ code, stdout }).to.deep.equal({ code: 0, stdout: 'the tables are up to date\n' });
      });

      it('and one is damaged, then verify ends with 1 and names it with the month; with --repair, nothing is left', async () => {
        const { store, close } = await engine();
        await store.command(
          `INSERT INTO station_day_counts VALUES ('high', 'default', '2026-01-05', 'KORD', 7, 0)`,
        );
        await close();
        const damaged = await run(VERIFY, [], env);
        expect(damaged.code, damaged.stderr).to.equal(1);
        expect(damaged.stdout.split('\n').slice(0, 2)).to.deep.equal([
          'month    table               rows  fault',
          '2026-01  station_day_counts     1  differ from the ledger',
        ]);
        expect(lastLine(damaged.stdout)).to.equal(
          'the store is not sound; npm run verify -- --repair mends it',
        );
        const repaired = await run(VERIFY, ['--repair'], env);
        expect(repaired.code, repaired.stderr).to.equal(0);
        expect(repaired.stdout).to.match(/^2026-01 {2}station_day_counts +1 {2}differ from the ledger$/m);
        expect(lastLine(repaired.stdout)).to.equal('the store is sound: nothing differs');
        expect(await run(VERIFY, [], env)).to.include({
          code: 0,
          stdout: 'the store is sound: nothing differs\n',
        });
      });

      it('and a later version has written them, then migrate refuses in one line', async () => {
        const { store, close } = await engine();
        await store.insert('migrations', ['name', 'checksum'], [['999_future.sql', 'f'.repeat(64)]]);
        try {
          expectRefusal(await run(MIGRATE, [], env), '999_future.sql');
        } finally {
          await store.command(
            `ALTER TABLE migrations DELETE WHERE name = '999_future.sql' SETTINGS mutations_sync = 1`,
          );
          await close();
        }
      });
    });

    describe('when another server is started', () => {
      it('on the same folder, then it refuses in one line that names DATA_DIR', async () => {
        expectRefusal(await run('src/main.ts', [], { ...env, PORT: '0' }), 'DATA_DIR: ');
        expect((await server.get('/readyz')).status).to.equal(200);
      });

      it('on the same port, then it refuses in one line that names PORT, and leaves its folder to others', async () => {
        const other = { DATA_DIR: temporaryFolder() };
        const { port } = new URL(server.url);
        expectRefusal(await run('src/main.ts', [], { ...other, PORT: port }), 'PORT: ');
        expect(existsSync(join(other.DATA_DIR, 'engine.json'))).to.be.false;
      });
    });

    describe('when it is stopped', () => {
      let lastAnswer = 0;
      let ended = 0;

      it('with SIGTERM, then requests in flight are answered, and it ends with 0', async () => {
        const agent = new Agent({ keepAlive: true });
        const asked = async (path: string): Promise<number> =>
          new Promise((resolve, reject) => {
            const headers = { authorization: `Bearer ${key}` };
            get(`${server.url}${path}`, { agent, headers }, (response) => {
              response.resume().once('end', () => resolve(response.statusCode ?? 0));
            }).once('error', reject);
          });
        const all = Array.from({ length: 60 }, (_, index) => index);
        // Connections that the server has accepted: what waits in the backlog of its port is not yet in flight.
        await Promise.all(all.map(() => asked('/healthz')));
        let answered = 0;
        const answers = all.map(async (index) => {
          const status = await asked(`/api/v1/accuracy/by-city?days=${index + 1}&date_to=2026-01-31`);
          answered += 1;
          return status;
        });
        await until(() => (answered >= 3 ? true : undefined));
        const open = answers.length - answered;
        server.kill('SIGTERM');
        expect(new Set(await Promise.all(answers))).to.deep.equal(new Set([200]));
        expect(open, 'requests in flight at the signal').to.be.above(3);
        lastAnswer = performance.now();
        const { code, signal, stderr } = await server.end();
        ended = performance.now();
        agent.destroy();
        expect({ code, signal, stderr }).to.deep.equal({ code: 0, signal: null, stderr: '' });
        expect(server.log().slice(-1)[0]?.msg).to.equal('stopped');
        expect(existsSync(join(env.DATA_DIR ?? '', 'engine.json'))).to.be.false;
      });

      it('then connections that clients keep open for later do not hold it', () => {
        expect(ended - lastAnswer, 'ms from the last answer to the end').to.be.below(2000);
      });

      it('and started again, then its data and its keys are still there, and SIGINT ends it, too', async () => {
        server = await ServerProgram.start(env);
        expect(await pairs()).to.equal(3);
        server.kill('SIGINT');
        expect(await server.end()).to.include({ code: 0, signal: null, stderr: '' });
      });
    });
  });

  describe('given settings that cannot be used', () => {
    const blocked = (): string => {
      const file = join(temporaryFolder(), 'a-file');
      writeFileSync(file, '{"keys": [');
      return file;
    };

    const SETTINGS: [what: string, script: string, args: string[], env: () => Environment, named: string][] =
      [
        ['PORT is no number', 'src/main.ts', [], () => ({ PORT: 'http' }), 'PORT: '],
        ['HOST is not of this machine', 'src/main.ts', [], () => ({ HOST: '192.0.2.1' }), 'HOST: '],
        ['LOG_LEVEL is none', 'src/main.ts', [], () => ({ LOG_LEVEL: 'loud' }), 'LOG_LEVEL: '],
        [
          'nobody answers at CLICKHOUSE_URL',
          'src/main.ts',
          [],
          () => ({ CLICKHOUSE_URL: 'http://127.0.0.1:1', CLICKHOUSE_PASSWORD: 'hunter2' }),
          'CLICKHOUSE_URL: ',
        ],
        [
          'API_KEYS_FILE is broken',
          'src/main.ts',
          [],
          () => ({ API_KEYS_FILE: blocked() }),
          'API_KEYS_FILE: ',
        ],
        ['DATA_DIR is a file', 'src/main.ts', [], () => ({ DATA_DIR: blocked() }), 'DATA_DIR: '],
        [
          'DATA_DIR is a file, for a load',
          LOAD,
          ['--stations', 'x.csv'],
          () => ({ DATA_DIR: blocked() }),
          'DATA_DIR: ',
        ],
        [
          'nobody answers at CLICKHOUSE_URL, for a load',
          LOAD,
          ['--stations', 'x.csv'],
          () => ({ CLICKHOUSE_URL: 'http://127.0.0.1:1' }),
          'CLICKHOUSE_URL: ',
        ],
        [
          'API_KEYS_FILE is in a file, for keys',
          KEYS,
          ['create', '--name', 'x'],
          () => ({ API_KEYS_FILE: join(blocked(), 'keys.json') }),
          'API_KEYS_FILE: ',
        ],
        [
          'API_KEYS_FILE is broken, for keys',
          KEYS,
          ['list'],
          () => ({ API_KEYS_FILE: blocked() }),
          'API_KEYS_FILE: ',
        ],
      ];
    const ends: Promise<Ended>[] = [];

    before(() => {
      // Side by side: most of their time goes by with starting.
      for (const [, script, args, settings] of SETTINGS) {
        const env = { PORT: '0', DATA_DIR: temporaryFolder(), ...settings() };
        ends.push(new Program(script, args, env).end(120_000));
      }
    });
    after(killPrograms);

    for (const [index, [what, , , , named]] of SETTINGS.entries()) {
      it(`when ${what}, then the program refuses in one line that names it`, async () => {
        const ended = await ends[index];
        if (ended === undefined) throw new Error('it was not started');
        expectRefusal(ended, named);
        expect(ended.stderr).not.to.contain('hunter2');
      });
    }

    it('when another program has the engine of DATA_DIR open, then the server refuses and names it', async () => {
      const folder = temporaryFolder();
      const holder = new Program(
        '--input-type=module',
        [
          '--eval',
          `const { connect, SERVING } = await import('./src/store/engine/open.ts');
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
      const { code, stderr } = await run('src/main.ts', [], { PORT: '0', DATA_DIR: folder });
      // The engine's library has its own word on stderr before.
      expect(lastLine(stderr)).to.match(/^DATA_DIR: .*another process has it open/);
      expect(stderr).not.to.match(/^ +at /m);
      expect(code).to.equal(1);
      holder.kill('SIGKILL');
      await holder.end();
    });
  });

  describe('given a folder without a server', () => {
    it('when migrate is run, then it tells what it has applied, and the next time that there is nothing to do', async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const first = await run(MIGRATE, [], env);
      expect(first).to.include({ code: 0, stderr: '' });
      expect(first.stdout).to.match(
        /^applied 001_facts\.sql, 002_staging\.sql, 003_ledger\.sql, 004_histograms\.sql\n/,
      );
      expect(await run(MIGRATE, [], env)).to.include({ code: 0, stdout: 'the tables are up to date\n' });
    });

    it('when keys are listed, then there are none, and that is no fault', async () => {
      const env = { DATA_DIR: join(temporaryFolder(), 'new') };
      const { code, stdout } = await run(KEYS, ['list'], env);
      expect(code).to.equal(0);
      expect(stdout).to.contain('no keys');
    });

    it('when --rejects of a load cannot be written, then one line names it, and the program ends', async () => {
      const rejects = join(temporaryFolder(), 'no', 'such', 'folder', 'rejects.csv');
      const args = ['--stations', feed('stations', [CHICAGO]), '--rejects', rejects];
      expectRefusal(await new Program(LOAD, args, { DATA_DIR: temporaryFolder() }).end(8000), '--rejects');
    });

    for (const beside of range({ test: 1, ci: 2 }, ['beside a server', 'alone'])) {
      it(`when two loads of the same files and of others are started at once ${beside}, then both end well, one after the other, and nothing is counted twice`, async () => {
        const env = { DATA_DIR: temporaryFolder() };
        const server = beside === 'alone' ? undefined : await ServerProgram.start(env);
        const same = ['--stations', feed('stations', [CHICAGO]), '--forecasts', feed('forecasts', FORECASTS)];
        const observations = ['--observations', feed('observations', OBSERVATIONS)];
        const ends = await Promise.all([
          new Program(LOAD, ['--json', ...same], env).end(60_000),
          new Program(LOAD, ['--json', ...same, ...observations], env).end(60_000),
          new Program(LOAD, ['--json', ...same, ...observations], env).end(60_000),
        ]);
        const reports = ends.map(({ code, stdout, stderr }) => {
          expect(code, stderr).to.equal(0);
          expect(stderr).to.match(/^(.* waiting for it\n)*$/);
          return JSON.parse(lastLine(stdout)) as { load_id: number; pairs_added: number };
        });
        expect(reports.map(({ load_id }) => load_id).sort()).to.deep.equal([1, 2, 3]);
        expect(reports.map(({ pairs_added }) => pairs_added).sort()).to.deep.equal([0, 0, 4]);
        const verified = await new Program(VERIFY, [], env).end(60_000);
        expect(verified).to.deep.include({ code: 0, stdout: 'the store is sound: nothing differs\n' });
        server?.kill('SIGTERM');
        await server?.end(60_000);
      }).timeout(200_000);
    }
  });

  describe('given a load that is killed half way', () => {
    const DAYS = 30;
    const forecasts: string[] = [];
    const observations: string[] = [];
    for (let day = 0; day < DAYS; day += 1) {
      const start = Date.UTC(2026, 0, 1 + day, 6);
      const date = new Date(start).toISOString().slice(0, 10);
      for (let hours = 0; hours < 400; hours += 1) {
        const issued = new Date(start - hours * 900_000).toISOString();
        forecasts.push(`KORD,${issued},${date},${30 + (hours % 17)}.${day % 10},${10 + (hours % 13)}`);
      }
      observations.push(`KORD,${date},${35 + (day % 5)},${14 + (day % 3)}.5,verified,2026-04-01T00:00:00Z`);
    }
    const lines = { stations: [CHICAGO], forecasts, observations };
    const questions = ['summary', 'by-date', 'by-lead-time', 'by-city', 'by-station/KORD'].map(
      (name) => `/api/v1/accuracy/${name}?date_from=2026-01-01&date_to=2026-03-31&metric=low`,
    );
    let args: string[];
    let undisturbed: unknown[];

    before(async () => {
      args = Object.entries(lines).flatMap(([name, rows]) => [`--${name}`, feed(name as FeedName, rows)]);
      const store = await openTestStore();
      await loadLines(store, lines);
      const service = await startTestService(store);
      undisturbed = [];
      for (const question of questions) {
        const answer = await service.get(question);
        undisturbed.push((answer.body as { data: unknown }).data);
      }
      await store.close();
      expect(undisturbed[0]).to.have.property('verification_pairs', DAYS * 400);
    });

    /** Rows of a table in the engine that a server or a load has open; 0 as long as there is none. */
    const rowsOf = async (env: Environment, table: string): Promise<number> => {
      const shared = await findSharedEngine(env.DATA_DIR ?? '');
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
    /** Kills a load as soon as a table has rows, and returns how its folder is then loaded again. */
    const killed = async (
      table: string,
      env: Environment = { DATA_DIR: temporaryFolder() },
    ): Promise<Environment> => {
      const load = new Program(LOAD, args, env);
      await until(async () => {
        if (load.hasEnded) throw new Error('the load ended before it was killed');
        return (await rowsOf(env, table)) > 0 || undefined;
      });
      load.kill('SIGKILL');
      expect(await load.end()).to.include({ signal: 'SIGKILL' });
      return env;
    };
    const expectUndisturbed = async (env: Environment): Promise<void> => {
      const server = await ServerProgram.start(env);
      const key = await newKey(env);
      for (const [index, question] of questions.entries()) {
        const { data } = (await (await server.get(question, key)).json()) as { data: unknown };
        expect(data, question).to.deep.equal(undisturbed[index]);
      }
      const { code, stdout } = await run(VERIFY, [], env);
      expect(code, stdout).to.equal(0);
      server.kill('SIGTERM');
      await server.end();
    };

    it('by the end of the server beside it, then it tells that in one line, and is run again without it', async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const server = await ServerProgram.start(env);
      const load = new Program(LOAD, args, env);
      await until(async () => (await rowsOf(env, 'staged_forecasts')) > 0 || undefined);
      server.kill('SIGKILL');
      await server.end();
      expectRefusal(await load.end(), 'the connection to ClickHouse was lost');
      expect(await run(LOAD, args, env)).to.include({ code: 0, stderr: '' });
    });

    it('by the end of its server, when that is started again, then it does not go on through the new one', async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const server = await ServerProgram.start(env);
      const load = new Program(LOAD, args, env);
      await until(async () => (await rowsOf(env, 'staged_forecasts')) > 0 || undefined);
      server.kill('SIGTERM');
      const [ended] = await Promise.all([load.end(60_000), server.end(60_000)]);
      if (ended.code !== 0) expectRefusal(ended, 'the connection to ClickHouse was lost'); // else it was faster
      expect(await run(LOAD, args, env)).to.include({ code: 0, stderr: '' });
      await expectUndisturbed(env);
    });

    for (const table of range({ test: 0, ci: 2 }, ['staged_forecasts', 'forecasts'])) {
      it(`while it was filling ${table}, when it is run again at once, then all is as if undisturbed`, async () => {
        const env = await killed(table);
        expect(await run(LOAD, args, env)).to.include({ code: 0, stderr: '' });
        await expectUndisturbed(env);
      });
    }

    it('while it was filling forecasts, when a server is started, then that settles what was applied, and says so', async () => {
      const env = await killed('forecasts');
      const server = await ServerProgram.start(env);
      await until(() =>
        Promise.resolve(server.log().find(({ msg }) => msg === 'settled what a killed load had left')),
      );
      const { code, stdout } = await run(VERIFY, [], env);
      expect(code, stdout).to.equal(0);
      server.kill('SIGTERM');
      await server.end();
      expect(await run(LOAD, args, env)).to.include({ code: 0, stderr: '' });
      await expectUndisturbed(env);
    });

    // In `make ci` alone, for it waits; load-lock.test.ts has the same with a lock that expires sooner.
    for (const beside of range({ test: 0, ci: 1 }, ['beside a server'])) {
      it(`${beside}, when it is run again at once, then it waits for no more than 30 s, and all is as if undisturbed`, async () => {
        const env = { DATA_DIR: temporaryFolder() };
        const server = await ServerProgram.start(env);
        await killed('forecasts', env);
        const died = performance.now();
        const again = await new Program(LOAD, args, env).end(90_000);
        expect(again.code, again.stderr).to.equal(0);
        expect(again.stderr).to.match(/^another load is running on this database .*; waiting for it\n$/);
        // 30 s, and what the load itself takes on a slow machine.
        expect((performance.now() - died) / 1000, 'seconds').to.be.within(20, 60);
        server.kill('SIGTERM');
        await server.end();
        await expectUndisturbed(env);
      }).timeout(200_000);
    }

    it('by SIGINT beside a server, then it tells that in one line, and the next one need not wait', async () => {
      const env = { DATA_DIR: temporaryFolder() };
      const server = await ServerProgram.start(env);
      const load = new Program(LOAD, args, env);
      await until(async () => (await rowsOf(env, 'staged_forecasts')) > 0 || undefined);
      load.kill('SIGINT');
      expectRefusal(await load.end(60_000), 'stopped by SIGINT');
      expect(await run(LOAD, args, env)).to.include({ code: 0, stderr: '' });
      server.kill('SIGTERM');
      await server.end();
      await expectUndisturbed(env);
    }).timeout(200_000);
  });
});
