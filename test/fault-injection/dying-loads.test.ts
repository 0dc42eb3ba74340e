import { expect } from 'chai';
import { z } from 'zod';
import { HISTOGRAMS } from '../../src/queries/histograms.js';
import { reconcileDeadLoad } from '../../src/ingest/load.js';
import type { Store } from '../../src/store/store.js';
import { sql, type Statement } from '../../src/queries/sql.js';
import {
  dieLoading,
  dyingAfterLedger,
  dyingAt,
  expectDeath,
  isSettlement,
} from '../support/ingest/dying-loads.js';
import { loadLines } from '../support/ingest/feeds.js';
import { expectSettled, inOrder, picture, standing } from '../support/ingest/ledger.js';
import {
  type ForecastRow,
  joined,
  linesOf,
  type Load,
  type ObservationRow,
  type Pair,
  pairsOf,
  STATIONS,
  type StationRow,
  type Status,
} from '../support/plain/oracle.js';
import { hourPairs } from '../support/plain/station-hours.js';
import { range } from '../support/runner/range.js';
import { openTestStore } from '../support/store.js';

const HOUR = 3_600_000;

const [NEW_YORK, HAVANA] = STATIONS as [StationRow, StationRow];
const LOS_ANGELES = { ...NEW_YORK, timezone: 'America/Los_Angeles' };

// All days are of one month: an audit takes 0.3 s of processor for each.
const DAY = '2026-03-04';
/** Five hours before the day begins in New York. */
const ISSUED_AT = Date.parse('2026-03-04T00:00:00Z');

const VIEWS = HISTOGRAMS.map(({ table }) => `${table}_mv`);

// One store lives through all deaths. Each round loads something that adds, corrects, verifies and moves a station;
// what must come of it is what the rows of all loads say, taken in order.
describe('given loads that die half way', function () {
  let store: Store;
  let loaded: Load[];
  let writesOfALoad = 0;
  let rounds = 0;
  let hasFailed = false;

  before(async () => {
    store = await openTestStore();
    const base: Load = {
      stations: [NEW_YORK, HAVANA],
      forecasts: [0, 6, 12].map((hours) =>
        forecast({ high: 5000 + hours, issued_at: ISSUED_AT - hours * HOUR }),
      ),
      observations: [observation('preliminary', 4800)],
    };
    loaded = [base, nextRound()];
    await loadLines(store, linesOf(base));
    const counting = dyingAt(store, () => ((writesOfALoad += 1), false), 'before').store;
    await loadLines(counting, linesOf(loaded[1]!));
    expect(writesOfALoad).to.be.above(10);
  });

  afterEach(function () {
    hasFailed ||= this.currentTest?.isFailed() === true;
  });

  after(async () => {
    if (!hasFailed) {
      const undisturbed = await openTestStore();
      await loadLines(undisturbed, linesOf(joined(loaded)));
      expect(await picture(store)).to.deep.equal(await picture(undisturbed));
      await undisturbed.close();
    }
    await store.close();
  });

  const nextRound = (): Load => round((rounds += 1));

  let turns = 0;
  /**
   * Tries a death at the first write, the second, and so on until one comes too late; but in `make stress` at some, each
   * test at others. An attempt is given the write and a round, and says whether the load died.
   */
  const forEveryWrite = async (
    attempt: (write: number, load: Load, other: Load) => Promise<boolean>,
  ): Promise<void> => {
    const step = Math.max(1, Math.ceil(writesOfALoad / range({ test: 1, ci: 1, stress: Infinity })));
    let write = 1 + ((9 * turns++ + 6) % step);
    while ((step === 1 || write <= writesOfALoad) && (await attempt(write, nextRound(), unrelated(rounds)))) {
      write += step;
    }
    expect(write, 'the first write that was not died at').to.be.above(writesOfALoad);
  };

  it('when one dies as it forgets what was staged, then every pair is of a finished load', async () => {
    let hasSettled = false;
    const forgets = (write: string): boolean =>
      (hasSettled ||= isSettlement(write)) && write.startsWith('TRUNCATE TABLE staged_');
    let hasForgotten = false;
    const isAfter = (write: string): boolean => hasForgotten || ((hasForgotten = forgets(write)), false);
    for (const [i, matches] of [forgets, isAfter].entries()) {
      hasSettled = false;
      const load = nextRound();
      await expectDeath(loadLines(dyingAt(store, matches, 'before').store, linesOf(load)));
      await reconcileDeadLoad(store);
      await expectFinished(store, `death ${i}`);
      loaded.push(load);
      expect(await standing(store), `death ${i}`).to.deep.equal(inOrder(allPairs(loaded)));
    }
  });

  /** Events after a death, before the load is loaded again. */
  const NEXT = {
    'a server starts': async (when: string): Promise<void> => {
      await reconcileDeadLoad(store);
      await expectFinished(store, when);
    },
    'the same file is loaded': () => Promise.resolve(),
    'only an unrelated file is loaded': async (when: string, other: Load): Promise<void> => {
      await loadLines(store, linesOf(other));
      loaded.push(other);
      // Some of the load may have become facts: the ledger is to say what the facts say.
      await expectSettled(store, undefined, when);
    },
  };

  for (const [death, how, next] of range({ test: 2, ci: 3, stress: 4 }, [
    ['with any one of its writes done in part', 'torn', 'a server starts'],
    ['with any one of its writes done in part', 'torn', 'the same file is loaded'],
    ['with any one of its writes done in part', 'torn', 'only an unrelated file is loaded'],
    ['before any one of its writes', 'before', 'the same file is loaded'],
  ] as const)) {
    it(`when one dies ${death} and ${next} next, then a repeat makes an undisturbed ledger`, async () => {
      await forEveryWrite(async (write, load, other) => {
        const died = await dieLoading(store, load, write, how);
        await NEXT[next](`after write ${write}`, other);
        await loadLines(store, linesOf(load));
        loaded.push(load);
        await expectSettled(store, allPairs(loaded), `after write ${write}, loaded again`);
        return died;
      });
    });
  }

  it('when one dies as it adds distributions or hours, then the next load of the file lacks nothing', async () => {
    const tables = ['hourly_forecasts', 'station_day_hours', 'hours', 'distributions', 'touched_days'];
    for (const table of range({ test: 1, ci: 1, stress: Infinity }, tables)) {
      const load = nextRound();
      const isInto = (write: string): boolean => new RegExp(`^\\s*INSERT INTO ${table}\\b`).test(write);
      await expectDeath(loadLines(dyingAt(store, isInto, 'torn').store, linesOf(load)));
      await loadLines(store, linesOf(load));
      loaded.push(load);
      await expectSettled(store, allPairs(loaded), table);
    }
  });

  it('when one dies as it settles and its statement comes after the next load, then no pair counts twice', async () => {
    nextRound();
    const load = unrelated(rounds);
    let late: Statement | undefined;
    const isLate = (write: string, statement: Statement): boolean => {
      late = statement;
      return isSettlement(write);
    };
    await expectDeath(loadLines(dyingAt(store, isLate, 'before').store, linesOf(load)));
    await loadLines(store, linesOf(load));
    await store.command(late!);
    loaded.push(load);
    await expectSettled(store, allPairs(loaded), 'after the late statement');
  });

  it('when one dies between the ledger and its histograms, then the next load mends them', async () => {
    for (const views of range({ test: 1, ci: 1, stress: Infinity }, [
      VIEWS,
      ...VIEWS.map((view) => [view]),
    ])) {
      const load = nextRound();
      await expectDeath(loadLines(dyingAfterLedger(store, views), linesOf(load)));
      await loadLines(store, linesOf(unrelated(rounds)));
      loaded.push(load, unrelated(rounds));
      const when = `without ${views.join(' and ')}`;
      const ofDays = await standing(store, "metric != 'temperature'");
      expect(ofDays, when).to.deep.equal(inOrder(pairsOf(loaded)));
      await expectSettled(store, undefined, when);
      await loadLines(store, linesOf(load)); // its hours, which come after the ledger
      await expectSettled(store, allPairs(loaded), when);
    }
  });

  it('when one dies while it settles, and the next while it cleans up, then the third sets all right', async () => {
    await forEveryWrite(async (write, load, other) => {
      await expectDeath(loadLines(dyingAt(store, isSettlement, 'torn').store, linesOf(load)));
      const died = await dieLoading(store, other, write, 'torn');
      await loadLines(store, linesOf(joined([load, other])));
      loaded.push(load, other);
      await expectSettled(store, allPairs(loaded), `after write ${write}`);
      return died;
    });
  });
});

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

/** One that is reported at noon of the day after. */
function observation(status: Status, high: number | undefined, date = DAY): ObservationRow {
  const observed_at = Date.parse(`${date}T12:00:00Z`) + 86_400_000;
  return { station_id: NEW_YORK.station_id, date, high, low: undefined, status, observed_at };
}

/**
 * A load unlike the one before: New York moves, one forecast is corrected, two come in, one with standard deviations, a day is verified,
 * and the hours of another come, with forecasts of them.
 */
function round(number: number): Load {
  const station = { ...HAVANA, station_id: `NEW${number}`, city_name: `New ${number}`, iata: '' };
  const issued_at = ISSUED_AT - (number + 1) * HOUR;
  return {
    stations: [number % 2 === 0 ? NEW_YORK : LOS_ANGELES, station],
    forecasts: [
      forecast({ high: 5000 + number }),
      forecast({ high: 4900, low: 3000 + number, high_sd: 200, low_sd: 10 * number, issued_at }),
      forecast({ station_id: station.station_id, high: 7000, low: 6000, issued_at }),
      forecast({ station_id: 'MUHA', high: 7500 - number, target_date: '2026-03-08' }),
    ],
    observations: [
      observation('verified', 4700 + number),
      { ...observation('verified', 7100), low: 6100, station_id: station.station_id },
      { ...observation('preliminary', 7200 + number, '2026-03-08'), station_id: 'MUHA' },
    ],
    hours: Array.from({ length: 24 }, (_, hour) => ({
      station_id: 'MUHA',
      at: Date.parse('2026-03-10') + (24 * number + hour) * HOUR,
      temp: 100 * hour,
      status: 'verified',
    })),
    hourly_forecasts: Array.from({ length: 24 }, (_, hour) => {
      const valid_at = Date.parse('2026-03-10') + (24 * number + hour - 6) * HOUR;
      return {
        station_id: 'MUHA',
        issued_at: valid_at - (number % 2) * HOUR,
        valid_at,
        temp: 100 * hour - number,
      };
    }),
  };
}

/** The pairs of days and of hours. */
const allPairs = (loads: readonly Load[]): Pair[] => [...pairsOf(loads), ...hourPairs(loads)];

/** A load that speaks of no station day of any round. */
function unrelated(number: number): Load {
  return {
    stations: [],
    forecasts: [forecast({ station_id: 'MUHA', high: 7000 + number, target_date: '2026-03-06' })],
    observations: [{ ...observation('verified', 6900, '2026-03-06'), station_id: 'MUHA' }],
  };
}

/** Every pair is of a load that has finished, which says whose forecasts it brought, and nothing is unsettled. */
async function expectFinished(store: Store, when: string): Promise<void> {
  const [found] = await store.query(
    sql.rows(z.record(z.string(), z.number()))`SELECT
      (
        SELECT count() FROM pairs
        WHERE load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished')
      ) AS pairs_of_none,
      (SELECT count() FROM unsettled) AS unsettled_days,
      countIf(forecast_providers != ['default'] AND load_id IN (SELECT load_id FROM pairs)) AS loads_of_nobody
    FROM loads
    WHERE event = 'finished'`,
  );
  expect(found, when).to.deep.equal({ pairs_of_none: 0, unsettled_days: 0, loads_of_nobody: 0 });
}
