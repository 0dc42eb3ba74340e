import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { type Environment, killPrograms, run, ServerProgram, until } from '../../support/process.js';
import {
  beside,
  expectRefusal,
  expectSound,
  feedArguments,
  lastLine,
  LOAD,
  newKey,
  VERIFY,
} from '../../support/programs.js';
import { temporaryFolder } from '../../support/store.js';
import { describeInCi, itInCi } from '../../support/runner/range.js';
import { sql } from '../../../src/queries/sql.js';

const KEYS = 'keys';
const MIGRATE = 'migrate';

const FEEDS = {
  stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD'],
  forecasts: ['KORD,2026-01-04T18:00:00Z,2026-01-05,31,18', 'KORD,2026-01-05T00:00:00Z,2026-01-05,32,19'],
  observations: ['KORD,2026-01-05,30,17,verified,2026-01-06T06:00:00Z'],
};
const SUMMARY = '/api/v1/accuracy/summary?date_from=2026-01-01&date_to=2026-01-31';

/** The statuses that new connections get, in order and each once, until there are no more connections. */
async function statusesUntilRefused(url: string): Promise<number[]> {
  const found: number[] = [];
  for (;;) {
    const status = await fetch(url, { headers: { connection: 'close' } }).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === undefined) return found;
    if (found.at(-1) !== status) found.push(status);
    await delay(10);
  }
}

describe('a server on a folder that is not there yet', function () {
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
      expect(listening?.migrated).to.include('001_loads.sql');
    });

    it('then it has warned that there were no keys, and how one is made', () => {
      const wayOut = /: (npm run keys --|forecast-accuracy keys) create --name NAME$/;
      expect(server.log().some(({ level, msg }) => level === 40 && wayOut.test(msg ?? ''))).to.be.true;
    });
  });

  describeInCi('when its keys file is broken, and mended', () => {
    it('then the keys as they were go on, the log says so, and the mended file counts at once', async () => {
      const file = join(env.DATA_DIR ?? '', 'api-keys.json');
      const good = readFileSync(file);
      writeFileSync(file, '{"keys": [{"id": "broken');
      expect((await server.get(SUMMARY, key)).status).to.equal(200);
      expect((await server.get(SUMMARY, `${key.slice(0, -1)}~`)).status).to.equal(401);
      const line = await until(() =>
        server.log().find(({ msg }) => msg?.includes('previous keys stay valid')),
      );
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
        req: { id: 'trace-of-mine', method: 'GET', url: `${SUMMARY}&metric=low`, client: '127.0.0.1' },
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

    it('then no key is in it, wherever a client has put one, even percent-encoded', async () => {
      const secrets = [0, 1, 2, 3, 4, 5].map(
        (digit) => `fas_abcdefg${digit}_${`S3cret-${digit}_`.repeat(5).slice(0, 43)}`,
      );
      const [inHeader = '', inQuery = '', inName = '', inPath = '', inCookie = '', inBasic = ''] = secrets;
      await server.get(SUMMARY, inHeader);
      await server.get(`${SUMMARY}&api_key=${inQuery}`);
      await server.get(`${SUMMARY}&api_key=${inQuery}`, key);
      await server.get(`${SUMMARY}&api_key=fas%5Fabcdefg9%5F${'Encoded-S3cret'.repeat(4).slice(0, 43)}`);
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
      expect(server.stdout).to.contain('fas_abcdefg1').and.not.to.contain('Encoded-S3cret');
    });
  });

  describe('when keys are made and revoked beside it', () => {
    itInCi('then a new key is the last line of what is printed, and lets in at once', async () => {
      const { code, stdout, stderr } = await run(KEYS, ['create', '--name', 'Grafana'], env);
      expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const made = lastLine(stdout);
      expect(made).to.match(/^fas_[a-z0-9]{8}_[\w-]{43}$/);
      expect((await server.get(SUMMARY, made)).status).to.equal(200);
      const file = join(env.DATA_DIR ?? '', 'api-keys.json');
      expect(readFileSync(file, 'utf8')).not.to.contain(made.slice(13));
      expect(statSync(file).mode & 0o777).to.equal(0o600);
    });

    // Beside tests in the process, `make test` runs one program of a kind, because each takes it half a second.
    itInCi('then a revoked key is refused at once, and the list tells of both', async () => {
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
  });

  describe('when feeds are loaded beside it', () => {
    // load-lock.test.ts stands for it in `make test`.
    itInCi(
      'by two loads of the same files at once, then both end with 0, in turn, and new numbers are served',
      async () => {
        expect(await pairs()).to.equal(0);
        const args = feedArguments(FEEDS);
        const ends = await Promise.all([run(LOAD, args, env), run(LOAD, args, env)]);
        for (const { code, stderr } of ends) {
          expect(code, stderr).to.equal(0);
          expect(stderr).to.match(/^(.* waiting for it\n)*$/);
        }
        const [first, second] = ends
          .map(({ stdout }) => stdout)
          .sort((a) => (a.includes('pairs: 4') ? -1 : 1));
        expect(first).to.contain('forecasts: 2 rows read: 2 new, 0 corrected, 0 unchanged, 0 rejected');
        expect(first).to.contain('pairs: 4 added, 0 withdrawn');
        expect(second).to.contain('forecasts: 2 rows read: 0 new, 0 corrected, 2 unchanged, 0 rejected');
        expect(second).to.contain('pairs: 0 added, 0 withdrawn');
        expect(await body(SUMMARY)).to.have.nested.include({
          'data.verification_pairs': 2,
          'data.mean_error': 1.5,
        });
        await expectSound(env);
      },
    );

    itInCi(
      'with --json, then the report is one JSON object, the last line of stdout; --rejects has a header',
      async () => {
        const rejects = join(temporaryFolder(), 'rejects.csv');
        const files = feedArguments({ forecasts: ['KORD,2026-01-05T00:00:00Z,2026-01-05,34,19'] });
        const { code, stdout, stderr } = await run(LOAD, ['--json', ...files, '--rejects', rejects], env);
        expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
        const report = JSON.parse(lastLine(stdout)) as Record<string, unknown>;
        expect(report).to.include({ outcome: 'complete', pairs_added: 1, pairs_withdrawn: 1 });
        expect(report).to.have.nested.property('feeds.forecasts.rows_corrected', 1);
        expect(await body(SUMMARY)).to.have.nested.property('data.mean_error', 2.5);
        expect(readFileSync(rejects, 'utf8').trimEnd()).to.equal('feed,file,line,reason,detail,text');
      },
    );

    itInCi(
      'and some rows are bad, then the exit code is 3, and --rejects has them with file, line and reason',
      async () => {
        const bad = [
          'KZZZ,2026-01-04T06:00:00Z,2026-01-05,31,18',
          'KORD,2026-01-04T06:00:00Z,2026-01-05,"=1+1, ""x""",18',
        ];
        const files = feedArguments({
          forecasts: [bad[0] ?? '', 'KORD,2026-01-04T12:00:00Z,2026-01-05,33,18', bad[1] ?? ''],
        });
        const [, file] = files;
        const rejects = join(temporaryFolder(), 'rejects.csv');
        const before = await pairs();
        const { code, stdout } = await run(LOAD, [...files, '--rejects', rejects], env);
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
      },
    );
  });

  describe('when its tables are looked at beside it', () => {
    itInCi(
      'and one is damaged, then verify ends with 1 and names it; with --repair, nothing is left',
      async () => {
        await beside(env, (store) =>
          store.command(
            sql`INSERT INTO station_day_counts VALUES ('high', 'default', '2026-01-05', 'KORD', 7, 0)`,
          ),
        );
        const damaged = await run(VERIFY, [], env);
        expect(damaged.code, damaged.stderr).to.equal(1);
        expect(damaged.stdout.split('\n').slice(0, 2)).to.deep.equal([
          'month    table               rows  error',
          '2026-01  station_day_counts     1  differ from the ledger',
        ]);
        expect(lastLine(damaged.stdout)).to.match(
          /^the store is not sound; (npm run verify --|forecast-accuracy verify) --repair repairs it$/,
        );
        const repaired = await run(VERIFY, ['--repair'], env);
        expect(repaired.code, repaired.stderr).to.equal(0);
        expect(repaired.stdout).to.match(/^2026-01 {2}station_day_counts +1 {2}differ from the ledger$/m);
        expect(lastLine(repaired.stdout)).to.equal('the store is sound: nothing differs');
        await expectSound(env);
      },
    );

    itInCi('and a later version has written them, then migrate refuses in one line', async () => {
      await beside(env, async (store) => {
        await store.insert('migrations', ['name', 'checksum'], [['999_future.sql', 'f'.repeat(64)]]);
        try {
          expectRefusal(await run(MIGRATE, [], env), '999_future.sql');
        } finally {
          await store.command(
            sql`ALTER TABLE migrations DELETE WHERE name = '999_future.sql' SETTINGS mutations_sync = 1`,
          );
        }
      });
    });
  });

  describeInCi('when another server is started', () => {
    it('on the same folder, then it refuses in one line that names DATA_DIR', async () => {
      expectRefusal(await run('serve', [], { ...env, PORT: '0' }), 'DATA_DIR: ');
      expect((await server.get('/readyz')).status).to.equal(200);
    });

    itInCi(
      'on the same port, then it refuses in one line that names PORT, and leaves its folder',
      async () => {
        const other = { DATA_DIR: temporaryFolder() };
        expectRefusal(await run('serve', [], { ...other, PORT: new URL(server.url).port }), 'PORT: ');
        expect(existsSync(join(other.DATA_DIR, 'engine.json'))).to.be.false;
      },
    );
  });

  describe('when it is stopped', () => {
    it('with SIGTERM, then requests in flight are answered, and it ends with 0', async () => {
      const agent = new Agent({ keepAlive: true });
      const asked = async (path: string): Promise<number> =>
        new Promise((resolve, reject) => {
          const headers = { authorization: `Bearer ${key}` };
          get(`${server.url}${path}`, { agent, headers }, (response) => {
            response.resume().once('end', () => resolve(response.statusCode ?? 0));
          }).once('error', reject);
        });
      const all = Array.from({ length: 30 }, (_, index) => index);
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
      const probes = ['/readyz', '/healthz'].map((path) => statusesUntilRefused(`${server.url}${path}`));
      server.kill('SIGTERM');
      expect(new Set(await Promise.all(answers))).to.deep.equal(new Set([200]));
      expect(open, 'requests in flight at the signal').to.be.above(3);
      // A balancer sees that the server is not ready while its listener is still open, and a watchdog that it lives.
      const [ready = [], healthy] = await Promise.all(probes);
      expect([ready.at(-1), healthy]).to.deep.equal([503, [200]]);
      // Connections that clients keep open for later do not hold it: those of the agent are open still.
      const { code, signal, stderr } = await server.end();
      agent.destroy();
      expect({ code, signal, stderr }).to.deep.equal({ code: 0, signal: null, stderr: '' });
      expect(server.log().slice(-1)[0]?.msg).to.equal('stopped');
      expect(existsSync(join(env.DATA_DIR ?? '', 'engine.json'))).to.be.false;
    });

    it('then a /readyz that says so is no error in the log', () => {
      const refused = server
        .log()
        .filter(({ res }) => (res as { status?: number } | undefined)?.status === 503);
      expect(new Set(refused.map(({ level, err }) => [level, err].join()))).to.deep.equal(new Set(['30,']));
    });

    // The stop by SIGTERM stands for it in `make test`.
    itInCi(
      'and started again, then its data and its keys are still there, and SIGINT ends it, too',
      async () => {
        server = await ServerProgram.start(env);
        expect(await pairs()).to.equal(3);
        server.kill('SIGINT');
        expect(await server.end()).to.include({ code: 0, signal: null, stderr: '' });
      },
    );
  });
});
