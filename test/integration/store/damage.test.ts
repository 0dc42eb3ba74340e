import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { pino } from 'pino';
import request from 'supertest';
import { z } from 'zod';
import { audit, repair } from '../../../src/ingest/audit.js';
import { reconcileDeadLoad } from '../../../src/ingest/load.js';
import { DamageWatch } from '../../../src/observe/damage-watch.js';
import { damagedParts, findDamage } from '../../../src/store/damage.js';
import { StoreDamaged } from '../../../src/store/store-errors.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { refusal } from '../../support/failure.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { killPrograms, run, ServerProgram } from '../../support/process.js';
import { feedArguments, LOAD, newKey, VERIFY } from '../../support/programs.js';
import { describeInCi, itInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';

// The disk has eaten a file of a part: the engine puts that part aside when it opens the table, and goes on without it.

const FEEDS = {
  stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD'],
  forecasts: ['2026-01-05', '2026-01-06', '2026-02-05'].map(
    (day) => `KORD,2026-01-03T12:00:00Z,${day},31,18`,
  ),
  observations: ['2026-01-05', '2026-01-06', '2026-02-05'].map(
    (day) => `KORD,${day},30,17,verified,2026-03-01T00:00:00Z`,
  ),
};
const CORRECTED = { observations: ['KORD,2026-01-05,33,17,verified,2026-03-02T00:00:00Z'] };
const ofFebruary = (high: number) => ({
  observations: [`KORD,2026-02-05,${high},17,verified,2026-03-02T00:00:${high}Z`],
});
const SUMMARY = '/api/v1/accuracy/summary?date_from=2026-01-01&date_to=2026-01-31';
const ZEROS = Buffer.alloc(1 << 16);

/** Cuts the data of the parts of January off, as a disk does, and lets the engine open the table anew. */
async function cutJanuary(store: Store, table: string): Promise<void> {
  const parts = await store.query(
    sql.rows(z.object({ path: z.string() }))`${raw(
      `SELECT path FROM system.parts WHERE active AND database = currentDatabase() AND table = {table: String} AND partition_id = '202601'`,
      { table },
    )}`,
  );
  await store.command(raw(`DETACH TABLE ${table}`));
  for (const { path } of parts) truncateSync(join(path, 'data.bin'), 10);
  await store.command(raw(`ATTACH TABLE ${table}`));
}

const pairsOf = async (store: Store): Promise<number> => {
  const [found] = await store.query(sql.rows(z.object({ n: z.number() }))`SELECT sum(sign) AS n FROM pairs`);
  return found?.n ?? 0;
};

// One store lives through all of it.
describe('a store of which the disk has lost a part', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
    await loadLines(store, FEEDS);
    expect(await pairsOf(store)).to.equal(6);
  });
  after(async () => {
    for (const table of ['forecasts', 'station_days']) {
      await store.command(
        raw(`ALTER TABLE ${table} DROP DETACHED PARTITION ALL SETTINGS allow_drop_detached = 1`),
      );
    }
    await store.close();
  });

  it('given zeros in a block, which only reading finds, then that is told as damage, no fault of ours', async () => {
    const [part] = await store.query(
      sql.rows(
        z.object({ path: z.string() }),
      )`SELECT path FROM system.parts WHERE active AND rows > 0 AND database = currentDatabase() AND table = 'station_day_errors'`,
    );
    const file = join(part?.path ?? '', 'data.bin');
    const bytes = readFileSync(file);
    for (const from of [0, 60, 100]) {
      writeFileSync(file, Buffer.concat([bytes.subarray(0, from), ZEROS.subarray(0, bytes.length - from)]));
      await store.command(sql`SYSTEM DROP MARK CACHE`);
      const error: unknown = await store
        .query(sql.rows(z.unknown())`SELECT sum(cityHash64(*)) AS n FROM station_day_errors`)
        .catch((reason: unknown) => reason);
      expect(error, `${from} of ${bytes.length} bytes`).to.be.instanceOf(StoreDamaged);
      expect((error as Error).message).to.match(/^DATA_DIR is damaged: [^\n]+$/);
    }
    writeFileSync(file, bytes);
  });

  itInCi(
    'given one of forecasts, then a server says so in log, metric and /readyz, and reads what it can',
    async () => {
      const lines: string[] = [];
      const watch = new DamageWatch(
        () => findDamage(store),
        pino({ level: 'error' }, { write: (line) => lines.push(line) }),
      );
      const service = await startTestService(store, { damage: watch });
      const told = async (): Promise<unknown[]> => [
        (await request(service.app).get('/readyz')).body as unknown,
        /^store_damaged_parts (\d)$/m.exec((await service.get('/metrics')).text)?.[1],
        lines.length,
      ];
      await watch.look();
      expect(await told()).to.deep.equal([{ status: 'ready' }, '0', 0]);
      await cutJanuary(store, 'forecasts');
      for (let looks = 0; looks < 2; looks += 1) await watch.look();
      expect(await told()).to.deep.equal([{ status: 'ready', data: 'damaged' }, '1', 1]);
      expect(lines[0]).to.match(/"part":"broken-on-start_202601_.+DATA_DIR is damaged/);
      expect((await service.get(SUMMARY)).body).to.nested.include({ 'data.verification_pairs': 2 });
    },
  );

  itInCi(
    'given one of forecasts, when a load touches its month, then it is refused; other months go in',
    async () => {
      expect(await refusal(loadLines(store, CORRECTED))).to.match(/^DATA_DIR is damaged: /);
      expect(await loadLines(store, ofFebruary(33))).to.include({ pairs_added: 1, pairs_withdrawn: 1 });
      expect(await pairsOf(store)).to.equal(6);
    },
  );

  itInCi(
    'given one of forecasts and a load killed in its month, then nothing settles what that has left',
    async () => {
      await store.command(
        sql`INSERT INTO touched_days SELECT 'KORD', toDate('2026-01-05'), max(load_id) + 1 FROM loads`,
      );
      expect(await refusal(reconcileDeadLoad(store))).to.match(/^DATA_DIR is damaged: /);
      expect(await refusal(loadLines(store, ofFebruary(33)))).to.match(/^DATA_DIR is damaged: /);
      expect(await pairsOf(store)).to.equal(6);
      await store.command(sql`TRUNCATE TABLE touched_days`);
    },
  );

  itInCi(
    'given one of forecasts, then verify names it, and no repair withdraws pairs unless accepted',
    async () => {
      const findings = await audit(store);
      expect(
        findings.map(({ month, table, error: fault }) => `${month} ${table} ${fault}`).join('\n'),
      ).to.match(
        /^2026-01 forecasts \(part broken-on-start_202601_\w+\) cannot be read, and was put aside\n2026-01 station_days differ from the facts$/,
      );
      expect(await refusal(repair(store, findings))).to.match(/^DATA_DIR is damaged: part .+ of forecasts /);
      expect(await pairsOf(store)).to.equal(6);

      await repair(store, findings, { acceptLoss: true });
      expect(await pairsOf(store)).to.equal(2);
      expect(await audit(store)).to.deep.equal([]);
      expect((await loadLines(store, FEEDS)).pairs_added).to.equal(4);
    },
  );

  itInCi(
    'given one of forecasts, when all is loaded again and the loss accepted, then no pair is withdrawn',
    async () => {
      await cutJanuary(store, 'forecasts');
      const { forecasts } = FEEDS;
      const report = await loadLines(store, { forecasts }, { acceptLoss: true });
      expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
      // The new part has the blocks of the lost one, and is not its source.
      expect(await damagedParts(store)).to.have.length(1);
      await repair(store, await audit(store), { acceptLoss: true });
      expect([await pairsOf(store), await audit(store)]).to.deep.equal([6, []]);
    },
  );

  itInCi(
    'given one of the ledger, then loads go in, and a repair makes it again from the facts',
    async () => {
      await cutJanuary(store, 'station_days');
      expect(await pairsOf(store)).to.equal(2);
      await loadLines(store, ofFebruary(34));
      await repair(store, await audit(store));
      expect([await pairsOf(store), await audit(store)]).to.deep.equal([6, []]);
    },
  );
});

describeInCi('a data folder of which the disk has lost a file', function () {
  const whole = { DATA_DIR: temporaryFolder() };

  /** A copy, and in it the folder of a table, or of the definitions of all. */
  const copy = (folder: string): [env: typeof whole, path: string] => {
    const DATA_DIR = join(temporaryFolder(), 'copy');
    cpSync(whole.DATA_DIR, DATA_DIR, { recursive: true, verbatimSymlinks: true });
    return [{ DATA_DIR }, realpathSync(join(DATA_DIR, 'clickhouse', folder))];
  };
  const cutForecasts = (): typeof whole => {
    const [env, path] = copy('data/forecast_accuracy/forecasts');
    const [part = ''] = readdirSync(path).filter((name) => name.startsWith('202601_'));
    truncateSync(join(path, part, 'data.bin'), 10);
    return env;
  };

  before(async () => {
    const { code, stderr } = await run(LOAD, feedArguments(FEEDS), whole);
    expect(code, stderr).to.equal(0);
  });
  after(killPrograms);

  itInCi(
    'given a part of forecasts, when verify --repair accepts the loss, then the store is sound',
    async () => {
      const env = cutForecasts();
      expect((await run(VERIFY, ['--repair', '--accept-loss'], env)).code).to.equal(0);
      expect((await run(VERIFY, [], env)).code).to.equal(0);
    },
  );

  itInCi('given a part of forecasts, then a server says so when it opens, and is ready', async () => {
    const env = cutForecasts();
    const server = await ServerProgram.start(env);
    const line = server.log().find(({ msg }) => msg?.startsWith('DATA_DIR is damaged'));
    expect(line).to.deep.include({ level: 50 });
    const ready = await server.get('/readyz');
    expect([ready.status, await ready.json()]).to.deep.equal([200, { status: 'ready', data: 'damaged' }]);
    expect((await server.get(SUMMARY, await newKey(env))).status).to.equal(200);
    server.kill('SIGTERM');
    await server.end();
  });

  // The store above stands for it in `make test`.
  itInCi(
    'given the definition of a table that is an empty file, then the line names it, and nobody waits',
    async () => {
      const [env, path] = copy('metadata/forecast_accuracy');
      truncateSync(join(path, 'forecasts.sql'));
      const { code, stderr } = await run(VERIFY, [], env);
      expect([code, stderr.trimEnd().split('\n').at(-1)]).to.deep.equal([
        1,
        `DATA_DIR is damaged: ${join(env.DATA_DIR, 'clickhouse/metadata/forecast_accuracy/forecasts.sql')} is empty; restore a backup, or load all feeds into a new folder`,
      ]);
      expect(stderr).not.to.include('waiting for it');
    },
  );

  // No table that a migration alters is made by that migration: it would not be made again.
  itInCi(
    'given one that a migration was altering on a full disk, then the one before it is taken',
    async () => {
      const [env, path] = copy('metadata/forecast_accuracy');
      const kept = join(env.DATA_DIR, 'clickhouse', 'kept-definitions');
      cpSync(join(path, 'forecasts.sql'), join(kept, 'forecasts.sql'));
      truncateSync(join(path, 'forecasts.sql'));
      writeFileSync(join(env.DATA_DIR, 'clickhouse/data/forecast_accuracy/forecasts/mutation_1.txt'), '');
      const { code, stderr } = await run(VERIFY, [], env);
      expect([code, stderr]).to.deep.equal([
        0,
        `DATA_DIR: ${join(env.DATA_DIR, 'clickhouse/metadata/forecast_accuracy/forecasts.sql')} was empty, as a full disk leaves it; mended, nothing is lost\n`,
      ]);
      expect(existsSync(kept)).to.equal(false);
    },
  );
});
