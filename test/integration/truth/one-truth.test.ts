import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { byCities, byCitiesOfWeeks } from '../../../src/endpoints/accuracy/by-city.js';
import { byDates } from '../../../src/endpoints/accuracy/by-date.js';
import { byLeadTimes } from '../../../src/endpoints/accuracy/by-lead-time.js';
import { binned } from '../../../src/endpoints/accuracy/error-distribution.js';
import { quantilesOfErrors } from '../../../src/endpoints/accuracy/error-quantiles.js';
import { exceedances } from '../../../src/endpoints/accuracy/exceedance.js';
import { sampleSizes } from '../../../src/endpoints/accuracy/sample-size.js';
import { summaryOf } from '../../../src/endpoints/accuracy/summary.js';
import { repairHistograms } from '../../../src/ingest/settle.js';
import { LATEST_VERSION, type RowsQuestion } from '../../../src/relations/conditions.js';
import { HISTOGRAMS as REGISTERED } from '../../../src/relations/histograms.js';
import { raw, sql, type Statement } from '../../../src/sql.js';
import { binLayout } from '../../../src/statistics/error-bins.js';
import { addDays } from '../../../src/statistics/time/calendar.js';
import { LEAD_TIME_BUCKETS } from '../../../src/statistics/time/lead-time.js';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { emptyStore, linesOf, STATIONS, startOfDay, type World } from '../../support/plain/oracle.js';
import { itInWorlds } from '../../support/plain/worlds.js';
import { itInCi, range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

// The histograms are an acceleration and never a second truth (D8): whatever is asked of them, the ledger answers the
// same, at full precision.

/** The histograms, each with the columns of its key. */
const HISTOGRAMS = Object.fromEntries(REGISTERED.map(({ table, key }) => [table, key.join(', ')]));
const TABLES = Object.keys(HISTOGRAMS);
const EVER = { first_date: '1970-01-01', last_date: '2149-06-06' };

const anyRow = z.record(z.string(), z.unknown());
type Row = z.infer<typeof anyRow>;

describe('one truth: the histograms answer what the ledger answers', function () {
  this.timeout(600_000);
  let store: Store;

  before(async () => {
    store = await openTestStore();
    // What the engine merges in the background is merged here when a test says so.
    for (const table of [...TABLES, 'station_days']) await store.command(raw(`SYSTEM STOP MERGES ${table}`));
  });

  after(async () => {
    for (const table of [...TABLES, 'station_days']) await store.command(raw(`SYSTEM START MERGES ${table}`));
    await store.close();
  });

  // The chosen damages below stand for it in make test.
  itInWorlds(
    'given random loads with corrections, when the histograms are damaged at random and repaired, and when the rows are merged, then every statement agrees to the last digit',
    {
      runs: { test: 0, ci: 3, torture: 9 },
      more: fc.array(fc.constantFrom(...damages()), { minLength: 1, maxLength: 3 }),
    },
    async ({ world }, damages) => {
      await emptyStore(store);
      for (const load of world.loads) await loadLines(store, linesOf(load));
      const unmerged = await expectOneTruth(store, world);
      for (const damage of damages) await damage.inflict(store);
      await repairHistograms(store, EVER);
      expect(await expectOneTruth(store, world)).to.deep.equal(unmerged);
      await mergeAll(store);
      expect(await expectOneTruth(store, world)).to.deep.equal(unmerged);
    },
  );

  describe('given a corrected forecast and a verified observation', () => {
    let world: World;
    let sound: Row[];

    before(async () => {
      await emptyStore(store);
      world = await loadCorrectedWorld(store);
      sound = await expectOneTruth(store, world);
    });

    it('when the rows are not merged yet, then withdrawn pairs stand in the histograms as negative counts and in no answer', async () => {
      // A day's pairs that are withdrawn and added at once leave its count as it was.
      for (const [table, columns] of Object.entries(HISTOGRAMS)) {
        if (table === 'station_day_counts') continue;
        const [rows] = await store.query(
          raw(`SELECT countIf(pair_count < 0) AS negative,
          (SELECT count() FROM (
            SELECT sum(pair_count) AS total FROM ${table} GROUP BY ${columns} HAVING total = 0
          )) AS cancelled
        FROM ${table}`),
          z.object({ negative: z.number(), cancelled: z.number() }),
        );
        expect(rows?.negative, table).to.be.greaterThan(0);
        expect(rows?.cancelled, table).to.be.greaterThan(0);
      }
      // Errors 2.00 - 0.50 on the first day and 1.00 on the second.
      expect(sound[0]).to.deep.include({
        verification_pairs: 2,
        preliminary_pairs: 1,
        error_sum: 250,
        abs_error_sum: 250,
        square_error_sum: `${150 ** 2 + 100 ** 2}`,
        pairs_by_day: [1, 1],
        preliminary_pairs_by_day: [0, 1],
      });
    });

    // The first needs the withdrawals, which go when a histogram is emptied.
    for (const { what, inflict } of range({ test: 1, ci: Infinity }, damages())) {
      it(`when a histogram ${what} is repaired, then every statement agrees again, and a second repair adds nothing`, async () => {
        await inflict(store);
        let agreed = true;
        await expectOneTruth(store, world).catch(() => (agreed = false));
        expect(agreed, 'the damage does not show').to.be.false;

        await repairHistograms(store, EVER);
        expect(await expectOneTruth(store, world)).to.deep.equal(sound);
        const rows = await rowsOfHistograms(store);
        await repairHistograms(store, EVER);
        expect(await rowsOfHistograms(store)).to.equal(rows);
      });
    }

    itInCi(
      'when a span of dates is repaired, and there is damage outside of it, then the rest stays as it was',
      async () => {
        for (const table of TABLES) await store.command(raw(`TRUNCATE TABLE ${table}`));
        const [first = '', second = ''] = world.dates;
        await repairHistograms(store, { first_date: second, last_date: second });
        const [row] = await rowsOf(store, summaryOf(questionOf('high', first, second), undefined));
        expect(row).to.deep.include({ verification_pairs: 1, error_sum: 100 });
        await repairHistograms(store, { first_date: first, last_date: first });
        expect(await expectOneTruth(store, world)).to.deep.equal(sound);
      },
    );

    itInCi('when the rows are merged, then every statement still agrees', async () => {
      await mergeAll(store);
      expect(await expectOneTruth(store, world)).to.deep.equal(sound);
    });
  });
});

interface Damage {
  what: string;
  inflict: (store: Store) => Promise<void>;
}

function damages(): Damage[] {
  const all = (sql: (table: string, columns: string) => string) => async (store: Store) => {
    for (const [table, columns] of Object.entries(HISTOGRAMS)) await store.command(raw(sql(table, columns)));
  };
  return [
    {
      what: 'that lost its withdrawals',
      inflict: all(
        (table, columns) =>
          `INSERT INTO ${table} SELECT ${columns}, -pair_count AS pair_count, -preliminary_pair_count AS preliminary_pair_count FROM ${table} WHERE pair_count < 0`,
      ),
    },
    { what: 'that is empty', inflict: all((table) => `TRUNCATE TABLE ${table}`) },
    {
      what: 'that counts everything twice',
      inflict: all((table) => `INSERT INTO ${table} SELECT * FROM ${table}`),
    },
    {
      what: 'that holds errors which no pair has',
      inflict: all(
        (table, columns) =>
          `INSERT INTO ${table} SELECT ${columns.replace('error_hundredths', 'error_hundredths + 1')}, 3 AS pair_count, 1 AS preliminary_pair_count FROM ${table}`,
      ),
    },
    {
      what: 'that counts pairs as preliminary which are not',
      inflict: all(
        (table, columns) =>
          `INSERT INTO ${table} SELECT DISTINCT ${columns}, 0 AS pair_count, 5 AS preliminary_pair_count FROM ${table}`,
      ),
    },
  ];
}

/** Two days of one station, of which the first was corrected and verified. */
async function loadCorrectedWorld(store: Store): Promise<World> {
  const [station] = STATIONS;
  if (station === undefined) throw new Error('no station');
  const { station_id } = station;
  const dates = ['2024-02-28', '2024-02-29'];
  const issued = dates.map((date) => startOfDay(date, station.timezone) - 3_600_000);
  const forecast = (day: number, high: number) => ({
    station_id,
    issued_at: issued[day] ?? 0,
    target_date: dates[day] ?? '',
    high,
    low: high,
  });
  const observation = (day: number, high: number, status: 'preliminary' | 'verified') => ({
    station_id,
    date: dates[day] ?? '',
    high,
    low: high,
    status,
    observed_at: Date.parse('2024-03-01T12:00:00Z'),
  });
  const loads = [
    {
      stations: [station],
      forecasts: [forecast(0, 4200), forecast(1, 5100)],
      observations: [observation(0, 4000, 'preliminary'), observation(1, 5000, 'preliminary')],
    },
    { stations: [], forecasts: [forecast(0, 4150)], observations: [] },
    { stations: [], forecasts: [], observations: [observation(0, 4000, 'verified')] },
  ];
  for (const load of loads) await loadLines(store, linesOf(load));
  return { loads, stations: [station], dates };
}

/** Asks histogram and ledger everything, of a past version as well (D31), and returns the rows of all answers of the latest. */
async function expectOneTruth(store: Store, { stations, dates }: World): Promise<Row[]> {
  const sorted = [...dates].sort();
  const [first = '', last = ''] = [sorted[0], sorted.at(-1)];
  const all: Row[] = [];
  const [oldest] = await store.query(
    sql`SELECT min(load_id) AS version FROM pairs`,
    z.object({ version: z.number() }),
  );
  const whole = [addDays(first, -9), addDays(last, 9)] as const; // weeks
  for (const [metric, from, to] of range({ test: 2, ci: Infinity }, [
    ['high', first, last] as const,
    ['high', ...whole] as const,
    ['low', first, last] as const,
    ['low', ...whole] as const,
  ])) {
    const network = questionOf(metric, from, to);
    const station = { ...network, station: stations[0] };
    for (const [name, statementOf, question] of [
      ...ABOUT_ANY.flatMap(([name, statementOf]): Asked[] => [
        [`${name} of the network`, statementOf, network],
        [`${name} of a station`, statementOf, station],
      ]),
      ...ABOUT_NETWORK.map(([name, statementOf]): Asked => [name, statementOf, network]),
    ]) {
      const of = (source: 'ledger' | 'rewound', version = LATEST_VERSION): Promise<Row[]> =>
        rowsOf(store, statementOf({ ...question, asOf: { version, source } }));
      const histogram = await rowsOf(store, statementOf(question));
      expect(histogram, `${name}, ${metric}, ${from}`).to.deep.equal(await of('ledger'));
      all.push(...histogram);
      // Of the version with the most behind it; versions.test.ts asks for each.
      if (name === 'by-city of weeks' || metric === 'low' || from !== first) continue;
      const version = oldest?.version ?? 0;
      expect(await of('rewound', version), `${name}, v${version}`).to.deep.equal(await of('ledger', version));
    }
  }
  return all;
}

const questionOf = (metric: string, period_start: string, period_end: string): RowsQuestion => ({
  metric,
  provider: { name: 'default' },
  window: { period_start, period_end },
  leadTimes: { leads: 'all', buckets: LEAD_TIME_BUCKETS },
});

type StatementOf = (question: RowsQuestion) => Statement;
type Asked = [name: string, StatementOf, RowsQuestion];

/** Signed bins, of 1 °F. */
const BINS = binLayout(100, true);
const THRESHOLDS = [0, 100, 250].map((hundredths) => ({ degrees: hundredths / 100, hundredths }));

const ABOUT_ANY: [name: string, StatementOf][] = [
  ['summary', (question) => summaryOf(question, undefined)],
  ['by-date', (question) => byDates(question, undefined)],
  ['exceedance', (question) => exceedances({ ...question, thresholds: THRESHOLDS })],
  ['error-distribution', (question) => binned(question, BINS)],
  [
    'by-lead-time',
    (question) => sql`SELECT * FROM (${byLeadTimes(question, undefined)}) ORDER BY lead_time_bucket`,
  ],
];

const ABOUT_NETWORK: [name: string, StatementOf][] = [
  [
    'quantiles by lead time',
    (question) =>
      quantilesOfErrors({ ...question, unit: 'fahrenheit' }, 'lead_time_bucket', {
        range_width: 2,
        range_offset: 0,
      }),
  ],
  ['sample-size', (question) => sql`SELECT * FROM (${sampleSizes(question)}) ORDER BY station_id`],
  ['by-date by week', (question) => byDates(question, 'week')],
  ['by-city', (question) => sql`SELECT * FROM (${byCities(question, sql``)}) ORDER BY station_id`],
  [
    'by-city of weeks',
    (question) =>
      question.asOf === undefined
        ? sql`SELECT * EXCEPT counted_pairs FROM (${byCitiesOfWeeks(question, undefined)}) ORDER BY station_id`
        : sql`SELECT * FROM (${byCities(question, sql``)}) ORDER BY station_id`,
  ],
];

const rowsOf = (store: Store, statement: Statement): Promise<Row[]> => store.query(statement, anyRow);

async function rowsOfHistograms(store: Store): Promise<number> {
  let total = 0;
  for (const table of TABLES) {
    const [counts] = await store.query(
      raw(`SELECT count() AS rows FROM ${table}`),
      z.object({ rows: z.number() }),
    );
    total += counts?.rows ?? 0;
  }
  return total;
}

async function mergeAll(store: Store): Promise<void> {
  for (const table of [...TABLES, 'station_days']) {
    await store.command(raw(`SYSTEM START MERGES ${table}`));
    await store.command(raw(`OPTIMIZE TABLE ${table} FINAL`));
    await store.command(raw(`SYSTEM STOP MERGES ${table}`));
  }
}
