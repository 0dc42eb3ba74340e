import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type RequestListener, type Server } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { z } from 'zod';
import { readConfig } from '../../../src/config.js';
import { audit } from '../../../src/ingest/audit.js';
import { StoreNotOpened, StoreUnavailable } from '../../../src/store/store-errors.js';
import {
  connect,
  createStore,
  openStore,
  type OpenedStore,
  throughSocket,
  WORKING,
} from '../../../src/store/engine/open.js';
import { readFolderId, lockFolder } from '../../../src/store/engine/folder.js';
import { findSharedEngine, type SharedEngine, shareEngine } from '../../../src/store/engine/sharing.js';
import { type Store, WRITES } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { failureOf } from '../../support/failure.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { Program, until } from '../../support/process.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { describeInCi, isInCi, itInCi, range } from '../../support/runner/range.js';

const anything = z.unknown();
const texts = z.object({ v: z.string() });

/** A socket that a killed process has left: its file is there, and nobody listens. */
async function deadSocket(): Promise<string> {
  const socket = join(temporaryFolder(), 'engine.sock');
  const program = new Program(
    '--input-type=module',
    [
      '--eval',
      `import { createServer } from 'node:net';
      createServer().listen(${JSON.stringify(socket)}, () => console.log('listening'));`,
    ],
    {},
  );
  await until(() => program.stdout.includes('listening') || undefined);
  program.kill('SIGKILL');
  await program.end();
  return socket;
}

describe('an engine that is shared', () => {
  let folder: string;
  let engine: Store;
  let database: string;
  let stopSharing: () => Promise<void>;
  let shared: SharedEngine;
  let opened: OpenedStore;
  let client: Store;

  before(async () => {
    folder = temporaryFolder();
    engine = await openTestStore();
    const [row] = await engine.query(sql.rows(texts)`SELECT currentDatabase() AS v`);
    database = row?.v ?? '';
    stopSharing = await shareEngine(engine, folder, { database, holder: 'server' });
    const found = await findSharedEngine(folder);
    if (found === undefined) throw new Error('the engine is not found');
    shared = found;
    opened = await openAs();
    client = opened.store;
  });
  after(async () => {
    await opened.close();
    await stopSharing();
    await engine.close();
  });

  /** A client of the shared engine, as a command beside a server opens it. */
  const openAs = async (env: NodeJS.ProcessEnv = {}): Promise<OpenedStore> =>
    openStore(readConfig({ DATA_DIR: folder, CLICKHOUSE_DATABASE: database, ...env }), 'command');
  const send = async (
    options: { method: string; path?: string; authorization?: string | undefined },
    body = '',
  ): Promise<{ status: number | undefined; text: string }> => {
    const { method, path = '/', authorization } = options;
    const asking = request({
      socketPath: shared.socket,
      method,
      path,
      ...(authorization !== undefined && { headers: { authorization } }),
    });
    asking.end(body);
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    return { status: response.statusCode, text: await textOf(response) };
  };
  const post = (authorization: string | undefined, body: string) =>
    send({ method: 'POST', authorization }, body);
  const basic = (user: string, password: string): string =>
    `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

  it('given a read and a write of another process, then the write alone may have changed the data', async () => {
    const { writes } = engine;
    await client.queryOne(sql.rows(z.unknown())`SELECT 1`);
    expect(engine.writes).to.equal(writes);
    await client.command(sql`TRUNCATE TABLE touched_days`);
    expect(engine.writes).to.equal(writes + 1);
  });

  describe('when it is looked for', () => {
    it('then its socket is found in the folder, with who holds it and a password that nobody guesses', () => {
      expect(shared).to.include({ pid: process.pid, holder: 'server' });
      expect(dirname(shared.socket)).to.equal(folder);
      expect(shared.password).to.match(/^[\w-]{32}$/);
    });

    it('then the socket and the file that tells of it are for its user alone', () => {
      expect(statSync(shared.socket).isSocket()).to.be.true;
      for (const file of [shared.socket, join(folder, 'engine.json')]) {
        expect(statSync(file).mode & 0o777, file).to.equal(0o600);
      }
    });

    it('in another folder, then it is undefined', async () => {
      expect(await findSharedEngine(temporaryFolder())).to.equal(undefined);
      expect(await findSharedEngine(join(folder, 'nowhere'))).to.equal(undefined);
    });
  });

  describeInCi('when the file that tells of it is of no use', () => {
    const servers: Server[] = [];
    /** A folder with a file that was written for it, unless it says otherwise. */
    const withFile = async (content: string | Partial<SharedEngine>): Promise<string> => {
      const other = temporaryFolder();
      const file =
        typeof content === 'string'
          ? content
          : JSON.stringify({ folder: await readFolderId(other), ...content });
      writeFileSync(join(other, 'engine.json'), file);
      return other;
    };
    const written = (): Partial<SharedEngine> => {
      const rest: Partial<SharedEngine> = { ...shared };
      delete rest.folder;
      return rest;
    };
    const program = async (listener: RequestListener): Promise<string> => {
      const server = createServer(listener);
      servers.push(server);
      const socket = join(temporaryFolder(), 'engine.sock');
      await new Promise<void>((resolve) => server.listen(socket, resolve));
      return socket;
    };
    after(() => {
      for (const server of servers) {
        server.close();
        server.closeAllConnections();
      }
    });

    const cases: [
      why: string,
      content: () => Promise<string | Partial<SharedEngine>> | string | Partial<SharedEngine>,
    ][] = [
      ...[
        ...['', '{"pid": 1', 'null', '[]', '{"pid":"1"}'],
        '{"pid":1,"holder":"server","database":"x","socket":"","password":""}',
        '{"pid":1,"holder":"server","database":"x","url":"http://127.0.0.1:1","password":""}',
      ].map((text): [string, () => string] => [`it holds ${JSON.stringify(text)}`, () => text]),
      [
        'its process has gone with its socket',
        () => ({ ...written(), socket: join(temporaryFolder(), 'engine.sock') }),
      ],
      ['its process has gone without its socket', async () => ({ ...written(), socket: await deadSocket() })],
      [
        'another engine has the socket, which does not take the password',
        () => ({ ...written(), password: 'of another' }),
      ],
      ['another process of the same number has the folder', () => ({ ...written(), pid: shared.pid + 1 })],
      [
        'its process broke off in the middle of its answer',
        async () => ({
          ...written(),
          socket: await program((_request, response) => {
            response.writeHead(200, { 'content-length': '1000' });
            response.write(`${process.pid}`, () => response.destroy());
          }),
        }),
      ],
      [
        'it names a socket outside its folder by a way up',
        () => ({ ...written(), socket: `../${basename(folder)}/${basename(shared.socket)}` }),
      ],
      ['it was written for another folder, although that one would answer', () => shared],
    ];
    if (isInCi) {
      cases.push(
        [
          'another program has the socket',
          async () => ({
            ...written(),
            socket: await program((_request, response) => response.end('hello')),
          }),
        ],
        [
          'another program has the socket and never answers, after a while',
          async () => ({ ...written(), socket: await program(() => {}) }),
        ],
      );
    }
    for (const [why, content] of cases) {
      it(`because ${why}, then there is no engine`, async () => {
        expect(await findSharedEngine(await withFile(await content()))).to.equal(undefined);
      });
    }

    it('then one that is written for its folder is found', async () => {
      expect(await findSharedEngine(await withFile(written()))).to.include({ pid: process.pid });
    });

    it('then the next one to share replaces it, and removes the sockets of killed processes', async () => {
      const left = await deadSocket();
      const other = dirname(left);
      writeFileSync(join(other, 'engine.json'), JSON.stringify({ ...shared, socket: left }));
      const stop = await shareEngine(engine, other, { database, holder: 'command' });
      expect(existsSync(left)).to.be.false;
      const found = await findSharedEngine(other);
      expect(found).to.include({ holder: 'command', pid: process.pid });
      await stop();
      expect(readdirSync(other)).to.deep.equal([]);
    });

    it('and names a socket elsewhere, then that one stays, whoever shares the folder next', async () => {
      const elsewhere = await deadSocket();
      for (const named of [elsewhere, shared.socket]) {
        const other = await withFile({ ...written(), socket: named, password: 'of another' });
        await (
          await shareEngine(engine, other, { database, holder: 'server' })
        )();
        expect(existsSync(named)).to.be.true;
      }
    });
  });

  describeInCi('when its folder is copied, moved or mounted elsewhere', () => {
    const copy = (): string => {
      const other = join(temporaryFolder(), 'copy');
      execFileSync('cp', ['-a', folder, other]);
      return other;
    };
    const expectOriginal = async (): Promise<void> => {
      expect(await findSharedEngine(folder)).to.deep.equal(shared);
      await client.ping();
    };

    it('then a copy, its file and its socket with it, is a folder of its own, and the original stays', async () => {
      const other = copy();
      expect(readdirSync(other)).to.include.members(['engine.json', basename(shared.socket)]);
      expect(await findSharedEngine(other)).to.equal(undefined);
      const stop = await shareEngine(engine, other, { database, holder: 'server' });
      expect(await findSharedEngine(other))
        .to.have.property('password')
        .that.is.not.equal(shared.password);
      await expectOriginal();
      await stop();
      await expectOriginal();
      rmSync(other, { recursive: true });
      await expectOriginal();
    });

    it('then a copy of it in place of one that is still shared is left alone when that one ends', async () => {
      const other = temporaryFolder();
      const stop = await shareEngine(engine, other, { database, holder: 'server' });
      renameSync(other, `${other}-moved`);
      mkdirSync(other);
      const stopSecond = await shareEngine(engine, other, { database, holder: 'command' });
      const second = await findSharedEngine(other);
      expect(second).to.include({ holder: 'command' });
      await stop();
      expect(await findSharedEngine(other)).to.deep.equal(second);
      await stopSecond();
      rmSync(`${other}-moved`, { recursive: true });
    });

    it('then it is found where it was moved to, or by another name, but not where it was', async () => {
      const other = temporaryFolder();
      const stop = await shareEngine(engine, other, { database, holder: 'server' });
      const [moved, linked] = [`${other}-moved`, `${other}-linked`];
      symlinkSync(other, linked);
      expect(await findSharedEngine(linked)).to.include({ pid: process.pid });
      renameSync(other, moved);
      expect(await findSharedEngine(moved)).to.include({ pid: process.pid });
      expect(await findSharedEngine(other)).to.equal(undefined);
      renameSync(moved, other);
      await stop();
      expect(readdirSync(other)).to.deep.equal([]);
    });

    it('while somebody has the lock to open it, then nobody waits for that in the copy', async () => {
      const other = temporaryFolder();
      const unlock = await lockFolder(other, 0);
      expect(await lockFolder(other, 0)).to.equal(undefined);
      const copied = join(temporaryFolder(), 'copy');
      execFileSync('cp', ['-a', other, copied]);
      const unlockCopy = await lockFolder(copied, 0);
      expect(unlockCopy).to.be.a('function');
      await unlockCopy?.();
      await unlock?.();
    });
  });

  describeInCi('when the path of its folder is too long for a socket', () => {
    const deepFolder = (): string => {
      const deep = join(temporaryFolder(), 'a'.repeat(60), 'b'.repeat(60));
      mkdirSync(deep, { recursive: true });
      return deep;
    };

    it('then the socket is in a folder of its own that no other user can enter, and both go with the sharing', async () => {
      const deep = deepFolder();
      const stop = await shareEngine(engine, deep, { database, holder: 'server' });
      const found = await findSharedEngine(deep);
      if (found === undefined) throw new Error('the engine is not found');
      expect(dirname(found.socket)).not.to.equal(deep);
      expect(statSync(dirname(found.socket)).mode & 0o777).to.equal(0o700);
      const other = await createStore(throughSocket(found), database, WORKING);
      expect(await other.query(sql.rows(texts)`SELECT currentDatabase() AS v`)).to.deep.equal([
        { v: database },
      ]);
      await other.close();
      await stop();
      expect(existsSync(dirname(found.socket))).to.be.false;
    });
  });

  describeInCi('when somebody asks who does not know the password', () => {
    const strangers: [who: string, authorization: string | undefined][] = [
      ['nobody', undefined],
      ['a wrong password', 'wrong'],
      ['no password', ''],
    ];
    for (const [who, password] of strangers) {
      it(`as ${who}, then it is refused with 401 and nothing runs`, async () => {
        const authorization = password === undefined ? undefined : basic('default', password);
        const answer = await post(authorization, 'CREATE TABLE intruder (n UInt8) ENGINE = Memory');
        expect(answer.status).to.equal(401);
        expect(answer.text).to.equal('');
        expect((await send({ method: 'GET', path: '/ping', authorization })).status).to.equal(401);
        expect(
          await engine.query(sql.rows(anything)`SELECT name FROM system.tables WHERE name = 'intruder'`),
        ).to.deep.equal([]);
      });
    }

    it('with the password in the URL or in another scheme, then it is refused, too', async () => {
      const inUrl = `/?user=default&password=${shared.password}&query=SELECT%201`;
      expect((await send({ method: 'GET', path: inUrl })).status).to.equal(401);
      expect((await post(`Bearer ${shared.password}`, 'SELECT 1')).status).to.equal(401);
      expect((await post(basic('other', shared.password), 'SELECT 1')).status).to.equal(401);
    });

    it('through the client, then it is refused in words without the password', async () => {
      const error = await failureOf(
        connect(throughSocket({ ...shared, password: 'wr0ng' }), database, WORKING),
      );
      expect(error.message).not.to.contain('wr0ng').and.not.to.contain(shared.password);
    });
  });

  describe('when another process works on it through the socket', () => {
    itInCi('and binds a text of 100,000 characters, then it comes back as it is', async () => {
      const text = 'x'.repeat(100_000);
      const rows = await client.query(sql.rows(texts)`${raw('SELECT {v: String} AS v', { v: text })}`);
      expect(rows[0]?.v === text).to.be.true;
    });

    // A feed that is loaded through it stands for it and the next in `make test`.
    itInCi(
      'and is killed while its statement runs, then that runs to its end before the next one begins',
      async function () {
        const authorization = basic('default', shared.password);
        const asking = request({ socketPath: shared.socket, method: 'POST', headers: { authorization } });
        asking.on('error', () => {});
        asking.end(`INSERT INTO touched_days SELECT 'KORD', toDate('2026-01-05') + number, sleepEachRow(1) FROM numbers(2)
        SETTINGS function_sleep_max_microseconds_per_block = 10000000`);
        await once(asking, 'finish');
        // Who asks later has been answered, so that the statement has begun.
        for (const n of [1, 2])
          await client.query(sql.rows(anything)`${raw('SELECT {n: UInt8} AS n', { n })}`);
        asking.destroy();
        const rows = await client.query(
          sql.rows(z.object({ n: z.number() }))`SELECT count() AS n FROM touched_days`,
        );
        expect(rows).to.deep.equal([{ n: 2 }]);
        await client.command(sql`TRUNCATE TABLE touched_days`);
      },
    );

    itInCi('and goes while its statement waits in the queue, then that never runs', async () => {
      const narrow = await openTestStore(WORKING);
      const other = temporaryFolder();
      const stop = await shareEngine(narrow, other, { database: 'any', holder: 'server' });
      const found = await findSharedEngine(other);
      const running = Array.from({ length: WRITES }, () =>
        narrow.command(sql`SELECT sleep(0.5) FORMAT Null`),
      );
      const asking = request({
        socketPath: found?.socket,
        method: 'POST',
        headers: { authorization: basic('default', found?.password ?? '') },
      });
      asking.on('error', () => {});
      asking.end(`INSERT INTO touched_days SELECT 'KORD', toDate('2026-01-05'), 1`);
      await until(() => (narrow.waiting === 1 ? true : undefined));
      asking.destroy();
      await until(() => (narrow.waiting === 0 ? true : undefined));
      await Promise.all(running);
      expect(await narrow.query(sql.rows(anything)`SELECT * FROM touched_days`)).to.deep.equal([]);
      await stop();
      await narrow.close();
    });

    it('and pings it, then it answers', async () => {
      await client.ping();
    });

    itInCi(
      'and names another database, then it is refused in a line that names the one that is open',
      async () => {
        const error = await failureOf(openAs({ CLICKHOUSE_DATABASE: 'another_database' }));
        expect(error).to.be.instanceOf(StoreNotOpened);
        expect(error.message)
          .to.match(/^CLICKHOUSE_DATABASE: [^\n]+$/)
          .and.to.contain(database);
        const stranger = createStore(throughSocket(shared), 'another_database', WORKING);
        const refused = await stranger.then(
          async (store) => failureOf(store.query(sql.rows(anything)`SELECT 1`)),
          (reason: unknown) => reason as Error,
        );
        expect(refused).to.have.property('code', '81');
      },
    );

    it('and loads a feed, then what is asked through it has the numbers', async () => {
      const report = await loadLines(client, {
        stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD'],
        forecasts: [
          'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18',
          'KORD,2026-01-05T00:00:00Z,2026-01-05,33,19',
        ],
        observations: ['KORD,2026-01-05,30,17,verified,2026-01-06T06:00:00Z'],
      });
      expect(report).to.include({ outcome: 'complete', pairs_added: 4 });
      if (isInCi) expect(await audit(client)).to.deep.equal([]);
      for (const store of range({ test: 1, ci: 2 }, [client, engine])) {
        const { get } = await startTestService(store, { now: '2026-01-10T12:00:00Z' });
        const answer = await get('/api/v1/accuracy/by-station/windy%20city?days=30&include_raw=true');
        expect(answer.status).to.equal(200);
        expect(answer.body).to.have.nested.property('data.stats.mean_error', 2);
        expect(answer.body).to.have.nested.property('data.sample_records').with.lengthOf(2);
        const hostile = await get(
          `/api/v1/accuracy/summary?city=${encodeURIComponent("'; DROP TABLE pairs; --")}`,
        );
        expect(hostile.status).to.equal(404);
      }
    });

    itInCi('and moves 2,000 stations to another zone in one load, then that goes in', async function () {
      const stations = (zone: string): string[] =>
        Array.from(
          { length: 2000 },
          (_, index) => `K${String(index).padStart(7, '0')},City ${index},US,0,0,${zone},,true,,`,
        );
      expect((await loadLines(client, { stations: stations('UTC') })).feeds.stations.rows_new).to.equal(2000);
      const report = await loadLines(client, { stations: stations('Asia/Tokyo') });
      expect(report.feeds.stations.rows_corrected).to.equal(2000);
    });
  });

  it('when it is not shared any more, then its file is gone, and clients hear that it is unavailable', async () => {
    const other = temporaryFolder();
    const stop = await shareEngine(engine, other, { database, holder: 'server' });
    const late = await openAs({ DATA_DIR: other });
    await stop();
    expect(existsSync(join(other, 'engine.json'))).to.be.false;
    expect(await findSharedEngine(other)).to.equal(undefined);
    expect(await failureOf(late.store.query(sql.rows(anything)`SELECT 1`))).to.be.instanceOf(
      StoreUnavailable,
    );
    expect(await failureOf(late.store.ping())).to.be.instanceOf(StoreUnavailable);
    await late.close();
  });
});
