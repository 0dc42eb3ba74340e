import { expect } from 'chai';
import { z } from 'zod';
import { audit } from '../../../src/ingest/audit.js';
import { move } from '../../../src/ingest/move.js';
import { checkSeals } from '../../../src/seals/compare-seals.js';
import { readVersions } from '../../../src/seals/log.js';
import { withLoadLock } from '../../../src/store/lock/lock.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { refusal } from '../../support/failure.js';
import { answers, questionsIn } from '../../support/clickhouse-server/compare.js';
import { TestCluster } from '../../support/clickhouse-server/cluster.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { type Ended, Program } from '../../support/process.js';
import { feedArguments } from '../../support/programs.js';
import { describeInCi, isInCi, itInCi, itInStressTier, range } from '../../support/runner/range.js';
import { sealMadeUpOdds } from '../../support/seals/world.js';
import { openTestStore, temporaryFolder } from '../../support/store.js';
import { words } from '../../support/words.js';

const LOADS: FeedLines[] = [
  {
    stations: [
      'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,"Windy City|Chi\\town",ORD',
      'KSEA,Seattle,US,47.44,-122.31,America/Los_Angeles,Csb,false,,SEA',
    ],
    forecasts: ['2026-01-31', '2026-02-01'].flatMap((day) => [
      `KORD,2026-01-30T18:00:00Z,${day},31.25,18`,
      `KSEA,2026-01-30T18:00:00.123Z,${day},-0.5,-40`,
    ]),
    observations: [
      'KORD,2026-01-31,30,17,preliminary,2026-02-02T06:00:00Z',
      'KSEA,2026-01-31,1.75,,verified,2026-02-02T06:00:00Z',
      'KSEA,2026-02-01,1.75,-38,verified,2026-02-02T06:00:00Z',
    ],
  },
  {
    observations: ['KORD,2026-01-31,29.5,17,verified,2026-02-03T06:00:00Z'],
    normals: ['KORD,01-31,32.1,18.4'],
    hourly_forecasts: ['KORD,2026-01-30T18:00:00Z,2026-01-31T12:00:00Z,21.5'],
    hours: Array.from(
      { length: 24 },
      (_, hour) => `KORD,2026-01-31T${`${hour}`.padStart(2, '0')}:51Z,${20 + hour / 4}`,
    ),
  },
  {
    stations: ['KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD,,,whole_celsius'],
    forecasts: ['KORD,2026-01-30T18:00:00Z,2026-01-31,31.25,18,,,2,3.5,28.75,,29'],
    columns: 'all',
  },
];
/** Corrects what is there; only the latest load wins. */
const LATER: FeedLines = { observations: ['KORD,2026-01-31,28,17,verified,2026-02-03T06:00:00Z'] };

const QUESTIONS = questionsIn('date_from=2026-01-01&date_to=2026-02-28').concat(
  '/api/v1/accuracy/by-hour?date_from=2026-01-01&date_to=2026-02-28',
);

const TABLES =
  words(`stations normals local_midnights observations forecasts distributions station_days station_day_hours
  hours hourly_forecasts sealed_odds loads`);

/** Every row of what is moved, as text, with its times. */
async function contents(store: Store): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await store.query(
      sql.rows(
        z.object({ line: z.string() }),
      )`${raw(`SELECT formatRow('TabSeparated', *) AS line FROM ${table} ORDER BY line`)}`,
    );
    found[table] = rows.map(({ line }) => line);
  }
  return found;
}

const silent = (): void => {};

describeInCi('move', function () {
  let cluster: TestCluster;
  let from: Store;

  before(async () => {
    // In `make test` rows go to another database of the same engine: servers take 5 s to start.
    if (isInCi) cluster = await TestCluster.start({ rows: 'by station' });
    from = await openTestStore();
    for (const lines of LOADS) await loadLines(from, lines);
    await sealMadeUpOdds(from, 'fahrenheit');
  });
  after(async () => {
    await from?.close();
    await cluster?.stop();
  });

  const openServer = (name: string) => cluster.open(`moved_${name.length}`, name);
  const openHere = async () => {
    const store = await openTestStore();
    return { store, close: () => store.close() };
  };
  // In `make ci` test/e2e/pasted.test.ts moves rows into one server.
  for (const [kind, open] of range({ test: 1, ci: 2, stress: Infinity }, [
    ['the same engine', openHere],
    ['one server', () => openServer('')],
    ['a cluster', () => openServer(TestCluster.NAME)],
  ] as const)) {
    it(`given an empty database of ${kind}, then all rows arrive, with histograms, and later loads go on`, async () => {
      const { store: to, close } = await open();
      const lines: string[] = [];
      await move(from, to, (line) => lines.push(line));
      expect(lines).to.have.length(TABLES.length);
      expect(await contents(to)).to.deep.equal(await contents(from));
      expect(await audit(to)).to.deep.equal([]);
      expect(await checkSeals(to)).to.deep.equal([]);
      expect(await readVersions(to)).to.deep.equal(await readVersions(from));
      expect(await answers(to, QUESTIONS)).to.deep.equal(await answers(from, QUESTIONS));

      const { load_id, pairs_added, pairs_withdrawn } = await loadLines(to, LATER);
      expect({ load_id, pairs_added, pairs_withdrawn }).to.deep.equal({
        load_id: LOADS.length + 2,
        pairs_added: 1,
        pairs_withdrawn: 1,
      });
      expect(await refusal(move(from, to, silent))).to.match(/^CLICKHOUSE_DATABASE: has data already/);
      await close();
    });
  }

  itInCi('given a move that was broken off, then it begins anew', async () => {
    const { store: to, close } = await openHere();
    const fault = new Error('the network is gone');
    const breaks = (line: string): void => {
      if (line.startsWith('station_days')) throw fault;
    };
    expect(await move(from, to, breaks).catch((error: unknown) => error)).to.equal(fault);
    await move(from, to, silent);
    expect(await contents(to)).to.deep.equal(await contents(from));
    expect(await audit(to)).to.deep.equal([]);
    await close();
  });

  it('given a load that was cut short, then it is refused until that is repaired', async () => {
    const store = await openTestStore();
    await store.insert('touched_days', ['station_id', 'target_date', 'load_id'], [['KORD', '2026-01-31', 1]]);
    expect(await refusal(move(store, from, silent))).to.match(
      /^DATA_DIR: a load was cut short; [^\n]+--repair/,
    );
    await store.close();
  });

  for (const which of ['source', 'target'] as const) {
    itInCi(
      `given a load under way in the ${which}, then it waits for that; and while it copies, a load waits for it`,
      async () => {
        const target = await openTestStore();
        const held = which === 'source' ? from : target;
        await withLoadLock(held, async () => {
          expect(await refusal(move(from, target, silent, { waitMs: 0 }))).to.match(
            /^another load is running on this database/,
          );
        });
        let meanwhile: Promise<string> | undefined;
        const loading = (): Promise<void> => withLoadLock(held, () => Promise.resolve(), { waitMs: 0 });
        await move(from, target, () => {
          meanwhile ??= refusal(loading());
        });
        expect(await meanwhile).to.match(/^another load is running on this database/);
        expect(await contents(target)).to.deep.equal(await contents(from));
        await loading();
        await target.close();
      },
    );
  }

  // test/e2e/pasted.test.ts runs them into one server, and above is a cluster.
  itInStressTier(
    'given the commands of docs/operating.md, then they move a data folder, and verify finds it sound',
    async () => {
      const DATA_DIR = temporaryFolder();
      const run = async (script: string, args: string[], env: Record<string, string> = {}): Promise<Ended> =>
        new Program(script, args, { DATA_DIR, ...env }).end(120_000);
      expect(await run('load', feedArguments(LOADS[0]!))).to.have.property('code', 0);
      const target = cluster.environment('forecast_accuracy');
      expect((await run('migrate', [], target)).stdout).to.match(/^applied 001_loads\.sql/);
      expect((await run('move', [], target)).stdout).to.match(
        /^stations: 2 rows\n(.+\n)*loads: \d+ rows\nall rows are there/,
      );
      expect(await run('verify', [], target)).to.have.property('code', 0);
      const nowhere = await run('move', []);
      expect(nowhere.code).to.equal(1);
      expect(nowhere.stderr).to.match(/^CLICKHOUSE_URL: /);
    },
  );
});
