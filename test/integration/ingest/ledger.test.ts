import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { type Histogram, HISTOGRAMS } from '../../../src/accuracy/histograms.js';
import { NO_STATS } from '../../../src/accuracy/statistics.js';
import { settleDeadLoad } from '../../../src/ingest/load.js';
import type { LoadReport } from '../../../src/ingest/feed/report.js';
import { sqlFile, statements } from '../../../src/store/schema/migrate.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/feeds.js';
import {
  emptyStore,
  type ForecastRow,
  LEDGER_BUCKETS,
  linesOf,
  type Load,
  type ObservationRow,
  type Pair,
  pairsOf,
  STATIONS,
  type StationRow,
  startOfDay,
  type Status,
  worlds,
} from '../../support/oracle.js';
import { range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;

// The seed is fixed, and a failure names it with the path to its case.
const RUN = { seed: 20_260_131, interruptAfterTimeLimit: 400_000 } as const;

const [NEW_YORK, HAVANA] = STATIONS as [StationRow, StationRow];
const LOS_ANGELES = { ...NEW_YORK, timezone: 'America/Los_Angeles' };
const KATHMANDU = { ...NEW_YORK, timezone: 'Asia/Kathmandu' };

const DAY = '2026-01-15';
/** Five hours before the day begins in New York. */
const ISSUED_AT = Date.parse('2026-01-15T00:00:00Z');

const PATHS = ['summary', 'by-date', 'by-lead-time', 'by-city'];

const NO_ROWS: Load = { stations: [], forecasts: [], observations: [] };

// Corrections, repeated loads and values that become verified: loader.test.ts.
describe('the ledger of pairs', function () {
  this.timeout(600_000);
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });

  beforeEach(() => emptyStore(store));

  const loadRows = (rows: Partial<Load>): Promise<LoadReport> =>
    loadLines(store, linesOf({ ...NO_ROWS, ...rows }));

  /** One forecast of 50 °F and what was observed. */
  const loadFirst = (...observations: ObservationRow[]): Promise<LoadReport> =>
    loadRows({ stations: [NEW_YORK], forecasts: [forecast({ high: 5000 })], observations });

  it('given random sequences of loads, some of them again, when each has ended, then the ledger holds what the facts say, each pair once', () =>
    fc.assert(
      fc.asyncProperty(
        worlds({ conflicts: true }),
        fc.array(fc.nat({ max: 2 }), { minLength: 2, maxLength: 4 }),
        async (world, others) => {
          await emptyStore(store);
          const loaded: Load[] = [];
          for (const i of [0, ...others]) {
            const load = world.loads[i % world.loads.length] ?? NO_ROWS;
            await loadLines(store, linesOf(load));
            loaded.push(load);
            await expectSettled(store, pairsOf(loaded));
          }
        },
      ),
      { ...RUN, numRuns: range({ test: 2, ci: 12 }) },
    ));

  it('given a pair on a preliminary value, when the verified value is the same, then exactly one pair is left, and it is verified', async () => {
    await loadFirst(observation('preliminary', 4800));
    await loadRows({ observations: [observation('verified', 4800)] });
    const pairs = await standing(store);
    expect(pairs).to.have.lengthOf(1);
    expect(pairs[0]).to.include({ actual: 4800, error: 200, observation_status: 'verified' });
    await expectSound(store);
  });

  it('given a pair on a verified value, when a later preliminary or a blank verified value comes, then the pair stays', async () => {
    await loadFirst(observation('verified', 4800));
    const report = await loadRows({
      observations: [
        { ...observation('preliminary', 4000), observed_at: Date.parse('2026-02-01T00:00:00Z') },
        { ...observation('verified', undefined), observed_at: Date.parse('2026-02-02T00:00:00Z') },
      ],
    });
    expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    expect(await errorsStanding(store)).to.deep.equal([200]);
  });

  it('given two verified values observed at the same time, when the first is loaded again, then the latest load wins', async () => {
    await loadFirst(observation('verified', 4800));
    await loadRows({ observations: [observation('verified', 4700)] });
    expect(await errorsStanding(store)).to.deep.equal([300]);
    await loadRows({ observations: [observation('verified', 4800)] });
    expect(await errorsStanding(store)).to.deep.equal([200]);
    await expectSound(store);
  });

  it('given a station, when it is loaded with another time zone, then lead times and buckets move with it and each forecast keeps one pair', async () => {
    await loadFirst(observation('verified', 4800));
    expect(await standing(store)).to.deep.equal([
      pair({ local_midnight: ISSUED_AT + 5 * HOUR, lead_time_bucket: '0-6h' }),
    ]);
    const report = await loadRows({ stations: [LOS_ANGELES] });
    expect(report).to.include({ pairs_added: 1, pairs_withdrawn: 1 });
    expect(await standing(store)).to.deep.equal([
      pair({ local_midnight: ISSUED_AT + 8 * HOUR, lead_time_bucket: '6-12h' }),
    ]);
    await expectSound(store);
  });

  it('given a station, when another time zone lets the day begin before the forecast, then its pair leaves the statistics, and comes back with the old zone', async () => {
    await loadFirst(observation('verified', 4800));
    expect(await loadRows({ stations: [KATHMANDU] })).to.include({ pairs_added: 1, pairs_withdrawn: 1 });
    expect(await standing(store)).to.deep.equal([
      pair({ local_midnight: Date.parse('2026-01-14T18:15:00Z'), lead_time_bucket: 'same-day' }),
    ]);
    expect(await answers(store)).to.deep.equal([NO_STATS, [], [], []]);
    expect(await loadRows({ stations: [NEW_YORK] })).to.include({ pairs_added: 1, pairs_withdrawn: 1 });
    expect(await errorsStanding(store)).to.deep.equal([200]);
    await expectSound(store);
  });

  it('given forecasts issued after their day began, when they are loaded, then those of the day are pairs of a bucket of their own, later ones are none, and no statistic has either', async () => {
    const begins = startOfDay(DAY, NEW_YORK.timezone);
    const ends = begins + 24 * HOUR;
    const report = await loadRows({
      stations: [NEW_YORK],
      forecasts: [
        forecast({ high: 5100, issued_at: begins }),
        forecast({ high: 5000, issued_at: begins + 1 }),
        forecast({ high: 4900, issued_at: ends - 1 }),
        forecast({ high: 4800, issued_at: ends }),
      ],
      observations: [observation('verified', 4800)],
    });
    expect(report).to.include({
      forecasts_issued_after_day_ended: 1,
      forecasts_without_observation: 0,
      pairs_added: 3,
    });
    expect((await rowCounts(store, KEPT)).forecasts).to.equal(4);
    // Issued as the day began: a lead time of 0 counts.
    expect(
      (await standing(store)).map(({ error, lead_time_bucket }) => [error, lead_time_bucket]),
    ).to.deep.equal([
      [300, '0-6h'],
      [200, 'same-day'],
      [100, 'same-day'],
    ]);
    await expectSound(store);
    const service = await startTestService(store);
    for (const path of PATHS) {
      const response = await service.get(`/api/v1/accuracy/${path}?date_from=${DAY}&days=1`);
      expect((response.body as { metadata: unknown }).metadata, path).to.include({ total_records: 1 });
    }
    const response = await service.get(
      `/api/v1/accuracy/by-station/KNYC?date_from=${DAY}&days=1&include_raw=true`,
    );
    expect((response.body as { data: { sample_records: unknown[] } }).data.sample_records).to.have.lengthOf(
      1,
    );
  });

  it('given a correction, when the ledger is read up to the time before it, then it says what was known then', async () => {
    await loadFirst(observation('preliminary', 4800));
    const [latest] = await store.query(
      'SELECT toString(max(recorded_at)) AS recorded_at FROM pairs',
      {},
      z.object({ recorded_at: z.string() }),
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    await loadRows({ observations: [observation('verified', 4700)] });
    const known = `recorded_at <= toDateTime64('${latest?.recorded_at}', 3, 'UTC')`;
    expect((await standing(store, known)).map(({ error }) => error)).to.deep.equal([200]);
    expect(await errorsStanding(store)).to.deep.equal([300]);
  });

  describe('given loads that die half way', () => {
    // One store lives through all deaths of a test. Each round loads something that adds, corrects, verifies and
    // moves a station; what must come of it is what the rows of all loads say, taken in order.
    let loaded: Load[];

    beforeEach(async () => {
      const base: Load = {
        stations: [NEW_YORK, HAVANA],
        forecasts: [0, 6, 12].map((hours) =>
          forecast({ high: 5000 + hours, issued_at: ISSUED_AT - hours * HOUR }),
        ),
        observations: [observation('preliminary', 4800)],
      };
      await loadLines(store, linesOf(base));
      loaded = [base];
    });

    afterEach(async function () {
      if (this.currentTest?.isFailed()) return;
      const undisturbed = await openTestStore();
      await loadLines(undisturbed, linesOf(joined(loaded)));
      expect(await picture(store)).to.deep.equal(await picture(undisturbed));
      await undisturbed.close();
    });

    for (const [death, how] of [
      ['before any one of its writes', 'before'],
      ['with any one of its writes done in part', 'torn'],
    ] as const) {
      it(`when one dies ${death} and the same file is loaded next, then the answers are those of an undisturbed store`, async () => {
        const deaths = await forEveryWrite(async (write) => {
          const load = round(write);
          const died = await dieLoading(store, load, write, how);
          await loadLines(store, linesOf(load));
          loaded.push(load);
          await expectSettled(store, pairsOf(loaded), `after write ${write}`);
          return died;
        });
        expect(deaths).to.be.greaterThan(10);
      });
    }

    it('when one dies as it forgets what was unsettled, or right after, and a server starts next, then every pair is of a finished load', async () => {
      const forgets = (write: string): boolean => write.startsWith('TRUNCATE TABLE unsettled');
      let hasForgotten = false;
      const isAfter = (write: string): boolean => hasForgotten || ((hasForgotten = forgets(write)), false);
      for (const [i, matches] of [forgets, isAfter].entries()) {
        const load = round(i);
        await expectDeath(loadLines(dyingAt(store, matches, 'before').store, linesOf(load)));
        await settleDeadLoad(store);
        await expectFinished(store, `death ${i}`);
        loaded.push(load);
        expect(await standing(store), `death ${i}`).to.deep.equal(inOrder(pairsOf(loaded)));
      }
    });

    it('when one dies with any one of its writes done in part and a server starts next, then every pair is of a finished load, whose providers are told', async () => {
      await forEveryWrite(async (write) => {
        const load = round(write);
        const died = await dieLoading(store, load, write, 'torn');
        await settleDeadLoad(store);
        await expectFinished(store, `after write ${write}`);
        await loadLines(store, linesOf(load));
        loaded.push(load);
        await expectSettled(store, pairsOf(loaded), `after write ${write}, loaded again`);
        return died;
      });
    });

    it('when one dies with any one of its writes done in part and only an unrelated file is loaded next, then nothing is left unsettled', async () => {
      await forEveryWrite(async (write) => {
        const load = round(write);
        const died = await dieLoading(store, load, write, 'torn');
        await loadLines(store, linesOf(unrelated(write)));
        // Some of the load may have become facts: the ledger is to say what the facts say.
        await expectSettled(store, pairsOf(await factsOf(store)), `after write ${write}`);
        await loadLines(store, linesOf(load));
        loaded.push(unrelated(write), load);
        await expectSettled(store, pairsOf(loaded), `after write ${write}, loaded again`);
        return died;
      });
    });

    it('when one dies between the ledger and its histograms, then the next load mends them', async () => {
      const cases = [...TABLES.map((table) => [`${table}_mv`]), TABLES.map((table) => `${table}_mv`)];
      for (const [i, views] of range({ test: 2, ci: Infinity }, cases).entries()) {
        const load = round(i);
        await expectDeath(loadLines(dyingAfterLedger(store, views), linesOf(load)));
        await loadLines(store, linesOf(unrelated(i)));
        loaded.push(load, unrelated(i));
        await expectSettled(store, pairsOf(loaded), `without ${views.join(' and ')}`);
      }
    });

    it('when one dies while it settles, and the next one at any write while it cleans up, then the third sets all right', async () => {
      await forEveryWrite(async (write) => {
        const load = round(write);
        await expectDeath(loadLines(dyingAt(store, isSettlement(), 'torn').store, linesOf(load)));
        const died = await dieLoading(store, unrelated(write), write, 'torn');
        await loadLines(store, linesOf(load));
        await loadLines(store, linesOf(unrelated(write)));
        loaded.push(load, unrelated(write));
        await expectSettled(store, pairsOf(loaded), `after write ${write}`);
        return died;
      });
    });
  });
});

// ---- Rows -----------------------------------------------------------------------------------------------------------

function forecast(row: Partial<ForecastRow>): ForecastRow {
  return {
    station_id: NEW_YORK.station_id,
    issued_at: ISSUED_AT,
    target_date: DAY,
    high: undefined,
    low: undefined,
    ...row,
  };
}

function observation(status: Status, high: number | undefined): ObservationRow {
  const observed_at = Date.parse('2026-01-16T12:00:00Z');
  return { station_id: NEW_YORK.station_id, date: DAY, high, low: undefined, status, observed_at };
}

/** The pair of the forecast of 50 °F with 48 °F verified. */
function pair(at: Pick<Pair, 'local_midnight' | 'lead_time_bucket'>): Pair {
  return {
    metric: 'high',
    provider: 'default',
    station_id: NEW_YORK.station_id,
    target_date: DAY,
    issued_at: ISSUED_AT,
    ...at,
    forecast: 5000,
    actual: 4800,
    error: 200,
    observation_status: 'verified',
  };
}

/** A load unlike the one before: New York moves, one forecast is corrected, two come in, a day is verified. */
function round(number: number): Load {
  const station = { ...HAVANA, station_id: `NEW${number}`, city_name: `New ${number}`, iata: '' };
  const issued_at = ISSUED_AT - (number + 1) * HOUR;
  return {
    stations: [number % 2 === 0 ? NEW_YORK : LOS_ANGELES, station],
    forecasts: [
      forecast({ high: 5000 + number }),
      forecast({ high: 4900, low: 3000 + number, issued_at }),
      forecast({ station_id: station.station_id, high: 7000, low: 6000, issued_at }),
      forecast({ station_id: 'MUHA', high: 7500 - number, target_date: '2026-03-08' }),
    ],
    observations: [
      observation('verified', 4700 + number),
      { ...observation('verified', 7100), low: 6100, station_id: station.station_id },
      { ...observation('preliminary', 7200 + number), date: '2026-03-08', station_id: 'MUHA' },
    ],
  };
}

/** A load that speaks of no station day of any round. */
function unrelated(number: number): Load {
  return {
    stations: [],
    forecasts: [forecast({ station_id: 'MUHA', high: 7000 + number, target_date: '2026-02-01' })],
    observations: [{ ...observation('verified', 6900), station_id: 'MUHA', date: '2026-02-01' }],
  };
}

function joined(loads: readonly Load[]): Load {
  return {
    stations: loads.flatMap(({ stations }) => stations),
    forecasts: loads.flatMap(({ forecasts }) => forecasts),
    observations: loads.flatMap(({ observations }) => observations),
  };
}

// ---- Deaths ---------------------------------------------------------------------------------------------------------

class Died extends Error {}

/** `torn`: a write that puts in many rows has put in some of them. */
type Death = 'before' | 'torn';

let rounds = 0;

/**
 * Tries a death at the first write, the second, and so on until one comes too late, or at every eleventh in `make test`, each
 * test from another one on; returns the last at which one died.
 */
async function forEveryWrite(attempt: (write: number) => Promise<boolean>): Promise<number> {
  const step = range({ test: 11, ci: 1 });
  let write = 1 + (rounds++ % step);
  while (await attempt(write)) write += step;
  return write - step;
}

/** Loads with a process that dies at a write; returns whether it came to that. */
async function dieLoading(store: Store, load: Load, write: number, how: Death): Promise<boolean> {
  let writes = 0;
  const { store: mortal, isDead } = dyingAt(store, () => (writes += 1) === write, how);
  const loading = loadLines(mortal, linesOf(load));
  await loading.catch((error: unknown) => {
    if (!(error instanceof Died)) throw error;
  });
  return isDead();
}

async function expectDeath(loading: Promise<unknown>): Promise<void> {
  let fate: unknown;
  await loading.catch((error: unknown) => (fate = error));
  expect(fate).to.be.instanceOf(Died);
}

/** Matches the statement that settles the ledger. */
function isSettlement(): (write: string) => boolean {
  return (write) => /^\s*INSERT INTO pairs\b/.test(write);
}

/** A store whose process dies at the first write that matches; after it, nothing reaches the engine. */
function dyingAt(
  store: Store,
  matches: (write: string) => boolean,
  how: Death,
): { store: Store; isDead: () => boolean } {
  return mortal(store, matches, async (method, args) => {
    if (how === 'before') return;
    if (method === 'command') {
      const [sql, params] = args as Parameters<Store['command']>;
      const [, head, rows, settings = ''] =
        /^(\s*INSERT INTO \w+\s*(?:\([^)]*\))?)\s(.*?)(SETTINGS [^)]*)?$/s.exec(sql) ?? [];
      if (head !== undefined) {
        await store.command(`${head} SELECT * FROM (${rows}) LIMIT 2 ${settings}`, params);
      }
    } else {
      const [table, columns, rows] = args as Parameters<Store['insert']>;
      if (rows.length > 1) await store.insert(table, columns, rows.slice(0, 1));
    }
  });
}

/** A store whose process dies when the ledger has been settled and some of its views have not seen it. */
function dyingAfterLedger(store: Store, views: readonly string[]): Store {
  return mortal(store, isSettlement(), async (_method, args) => {
    const [sql, params] = args as Parameters<Store['command']>;
    for (const view of views) await store.command(`DROP VIEW ${view}`);
    await store.command(sql, params);
    const made = statements(await sqlFile('schema/004_histograms.sql'));
    for (const view of made.filter((statement) => statement.startsWith('CREATE MATERIALIZED VIEW'))) {
      await store.command(view);
    }
  }).store;
}

function mortal(
  store: Store,
  matches: (write: string) => boolean,
  lastAct: (method: 'command' | 'insert', args: unknown[]) => Promise<void>,
): { store: Store; isDead: () => boolean } {
  let dead = false;
  const dying = new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return async (...args: unknown[]): Promise<unknown> => {
        if (dead) throw new Died();
        const writes = name === 'command' || name === 'insert';
        if (writes && matches(String(args[0]))) {
          dead = true;
          await lastAct(name, args);
          throw new Died();
        }
        return Reflect.apply(member, target, args) as unknown;
      };
    },
  });
  return { store: dying, isDead: () => dead };
}

// ---- What stands ----------------------------------------------------------------------------------------------------

const PAIR = `metric, provider, station_id, target_date, issued_at, local_midnight, lead_time_bucket, forecast, actual, error,
  observation_status`;

const pairRow = z.object({
  metric: z.enum(['high', 'low']),
  provider: z.string(),
  station_id: z.string(),
  target_date: z.string(),
  issued_at: z.number(),
  local_midnight: z.number(),
  lead_time_bucket: z.enum(LEDGER_BUCKETS),
  forecast: z.number(),
  actual: z.number(),
  error: z.number(),
  observation_status: z.enum(['preliminary', 'verified']),
});

/** The pairs that stand in the ledger, or in those of its rows that a condition takes. */
async function standing(store: Store, condition = '1'): Promise<Pair[]> {
  return store.query(
    `SELECT
      metric, provider, station_id, target_date,
      toUnixTimestamp64Milli(issued_at) AS issued_at, toUnixTimestamp64Milli(local_midnight) AS local_midnight,
      lead_time_bucket,
      toInt64(forecast * 100) AS forecast, toInt64(actual * 100) AS actual, toInt64(error * 100) AS error,
      observation_status
    FROM (SELECT ${PAIR} FROM pairs WHERE ${condition} GROUP BY ${PAIR} HAVING sum(sign) != 0)
    ORDER BY metric, provider, station_id, target_date, issued_at`,
    {},
    pairRow,
  );
}

/** The data that PATHS answer for the day. */
async function answers(store: Store): Promise<unknown[]> {
  const service = await startTestService(store);
  const data: unknown[] = [];
  for (const path of PATHS) {
    const response = await service.get(`/api/v1/accuracy/${path}?date_from=${DAY}&days=1`);
    data.push((response.body as { data: unknown }).data);
  }
  return data;
}

async function errorsStanding(store: Store): Promise<number[]> {
  return (await standing(store)).map(({ error }) => error);
}

/** Each pair stands once or not at all, and so does each key: no forecast has two pairs. */
async function expectSound(store: Store, when = ''): Promise<void> {
  const unsound = (columns: string): string =>
    `(SELECT count() FROM (SELECT sum(sign) AS times FROM pairs GROUP BY ${columns} HAVING times NOT IN (0, 1)))`;
  const [counts] = await store.query(
    `SELECT ${unsound(PAIR)} AS pairs_unsound,
      ${unsound('metric, provider, station_id, target_date, issued_at')} AS keys_unsound`,
    {},
    z.object({ pairs_unsound: z.number(), keys_unsound: z.number() }),
  );
  expect(counts, when).to.deep.equal({ pairs_unsound: 0, keys_unsound: 0 });
}

/** The ledger is sound and holds these pairs, the histograms hold what it holds, and no work is left over. */
async function expectSettled(store: Store, pairs: readonly Pair[], when = ''): Promise<void> {
  await expectSound(store, when);
  expect(await standing(store), when).to.deep.equal(inOrder(pairs));
  for (const each of HISTOGRAMS) {
    expect(await histogram(store, each), `${each.table} ${when}`).to.deep.equal(
      await histogram(store, each, 'pairs'),
    );
  }
  expect(await rowCounts(store, WORK), when).to.deep.equal({
    unsettled: 0,
    staged_stations: 0,
    staged_forecasts: 0,
    staged_observations: 0,
  });
}

/** Every pair is of a load that has finished, which says whose forecasts it brought, and nothing is unsettled. */
async function expectFinished(store: Store, when: string): Promise<void> {
  const [found] = await store.query(
    `SELECT
      (
        SELECT count() FROM pairs
        WHERE load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished')
      ) AS pairs_of_none,
      (SELECT count() FROM unsettled) AS unsettled_days,
      countIf(forecast_providers != ['default'] AND load_id IN (SELECT load_id FROM pairs)) AS loads_of_nobody
    FROM loads
    WHERE event = 'finished'`,
    {},
    z.record(z.string(), z.number()),
  );
  expect(found, when).to.deep.equal({ pairs_of_none: 0, unsettled_days: 0, loads_of_nobody: 0 });
}

function inOrder(pairs: readonly Pair[]): Pair[] {
  const key = ({ metric, provider, station_id, target_date, issued_at }: Pair): string =>
    [metric, provider, station_id, target_date, String(issued_at).padStart(16, '0')].join(' ');
  return [...pairs].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

const countRow = z.array(z.union([z.string(), z.number()]));

const TABLES = HISTOGRAMS.map(({ table }) => table);

/** The rows of a histogram, or what the ledger says they should be: the key and two counts. */
async function histogram(
  store: Store,
  { table, key, hasLeadTimes }: Histogram,
  source: 'histogram' | 'pairs' = 'histogram',
): Promise<unknown[]> {
  /** The columns that are made of the ledger's, which has the others as they are. */
  const made: Record<string, string> = {
    week_start: 'toMonday(target_date)',
    error_hundredths: 'toInt16(error * 100)',
  };
  const columns = key.map((column) => `toString(${source === 'pairs' ? (made[column] ?? column) : column})`);
  const [standing, preliminary] =
    source === 'pairs'
      ? ['sign', "if(observation_status = 'preliminary', sign, 0)"]
      : ['pair_count', 'preliminary_pair_count'];
  return store.query(
    `SELECT [${columns.join(', ')}] AS key, sum(${standing}) AS standing, sum(${preliminary}) AS preliminary
    FROM ${source === 'histogram' ? table : `pairs ${hasLeadTimes ? '' : "WHERE lead_time_bucket != 'same-day'"}`}
    GROUP BY key
    HAVING standing != 0 OR preliminary != 0
    ORDER BY key`,
    {},
    z.object({ key: countRow, standing: z.number(), preliminary: z.number() }),
  );
}

/** All that answers are made of. */
async function picture(store: Store): Promise<unknown> {
  const rows = await Promise.all(HISTOGRAMS.map((each) => histogram(store, each)));
  return { pairs: await standing(store), histograms: rows };
}

/** The facts of a store as one load, whose rows come in the order of the loads that brought them. */
async function factsOf(store: Store): Promise<Load[]> {
  const stations = await store.query(
    'SELECT station_id, city_name, timezone, iata FROM stations ORDER BY load_id',
    {},
    z.object({ station_id: z.string(), city_name: z.string(), timezone: z.string(), iata: z.string() }),
  );
  const valueRow = z.object({ metric: z.enum(['high', 'low']), hundredths: z.number() });
  const forecasts = await store.query(
    `SELECT metric, station_id, target_date, toUnixTimestamp64Milli(issued_at) AS issued_ms, toInt64(forecast * 100) AS hundredths
    FROM forecasts
    ORDER BY load_id`,
    {},
    valueRow.extend({ station_id: z.string(), target_date: z.string(), issued_ms: z.number() }),
  );
  const observations = await store.query(
    `SELECT metric, station_id, target_date, observation_status, toUnixTimestamp64Milli(observed_at) AS observed_ms,
      toInt64(actual * 100) AS hundredths
    FROM observations
    ORDER BY load_id`,
    {},
    valueRow.extend({
      station_id: z.string(),
      target_date: z.string(),
      observation_status: z.enum(['preliminary', 'verified']),
      observed_ms: z.number(),
    }),
  );
  const values = ({ metric, hundredths }: z.infer<typeof valueRow>) => ({
    high: metric === 'high' ? hundredths : undefined,
    low: metric === 'low' ? hundredths : undefined,
  });
  return [
    {
      stations,
      forecasts: forecasts.map((row) => ({
        station_id: row.station_id,
        target_date: row.target_date,
        issued_at: row.issued_ms,
        ...values(row),
      })),
      observations: observations.map((row) => ({
        station_id: row.station_id,
        date: row.target_date,
        status: row.observation_status,
        observed_at: row.observed_ms,
        ...values(row),
      })),
    },
  ];
}

const KEPT = ['stations', 'forecasts', 'observations', 'local_midnights', 'pairs'];
const WORK = ['unsettled', 'staged_stations', 'staged_forecasts', 'staged_observations'];

async function rowCounts(store: Store, tables: readonly string[]): Promise<Record<string, number>> {
  const [counts] = await store.query(
    `SELECT ${tables.map((table) => `(SELECT count() FROM ${table}) AS ${table}`).join(', ')}`,
    {},
    z.record(z.string(), z.number()),
  );
  return counts ?? {};
}
