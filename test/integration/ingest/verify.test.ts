import { expect } from 'chai';
import { z } from 'zod';
import { audit, type AuditIssue, type Finding, repair } from '../../../src/ingest/audit.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { answers, questionsIn } from '../../support/clickhouse-server/compare.js';
import { itInCi, range } from '../../support/runner/range.js';
import { openWorld } from '../../support/worlds.js';

// Three stations in three zones, two forecasts a day, of high and low. The week that begins on Monday 30 March reaches
// into April.
const STATIONS = [
  'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,,ORD',
  'EGLL,London,GB,51.47,-0.45,Europe/London,Cfb,true,,LHR',
  'RJTT,Tokyo,JP,35.55,139.78,Asia/Tokyo,Cfa,true,,HND',
];
const IDS = STATIONS.map((line) => line.slice(0, 4));
const DATES = ['2026-01-14', '2026-01-15', '2026-03-31', '2026-04-01', '2026-04-02'];
const FEEDS = {
  stations: STATIONS,
  forecasts: IDS.flatMap((id, station) =>
    DATES.flatMap((date, day) =>
      [30, 54].map((hours, index) => {
        const issued = new Date(Date.parse(date) - hours * 3_600_000).toISOString();
        return `${id},${issued},${date},${30 + station + index}.${day}5,${20 - day}`;
      }),
    ),
  ),
  observations: IDS.flatMap((id, station) =>
    DATES.map(
      (date) =>
        `${id},${date},${30 + station},18,${station === 1 ? 'preliminary' : 'verified'},2026-05-01T00:00:00Z`,
    ),
  ),
};

const QUESTIONS = range(
  { test: 4, ci: 4, stress: Infinity },
  questionsIn('date_from=2025-10-01&date_to=2026-07-01'),
);

// A station day with two forecasts.
const KORD = `metric = 'high' AND station_id = 'KORD' AND target_date = '2026-04-01'`;
const ROW = `metric, provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts`;

// Rows that stand, whatever the ledger went through before.
const STANDING = `(SELECT ${ROW} FROM station_days WHERE ${KORD} GROUP BY ${ROW} HAVING sum(sign) = 1)`;

/** Puts the row that stands into the ledger again, with some of its columns as others. */
const insertRow = (sign: 1 | -1, columns = ROW): string =>
  `INSERT INTO station_days (${ROW}, sign, load_id) SELECT ${columns}, ${sign}, 1 FROM ${STANDING}`;

/** The same in place of the row that stands. */
const replaceRow = (columns: string): string =>
  `INSERT INTO station_days (${ROW}, sign, load_id)
  SELECT ${ROW}, -1, 1 FROM ${STANDING} UNION ALL SELECT ${columns}, 1, 1 FROM ${STANDING}`;

const FACTS: AuditIssue = 'differ from the facts';
const UNSOUND: AuditIssue = 'rows that count more than once, or negatively';
const SEVERAL: AuditIssue = 'station days with several rows';
const LEDGER: AuditIssue = 'differ from the ledger';
const ZONES: AuditIssue = 'differ from the time zones of the stations';
const WAITING: AuditIssue = 'station days not reconciled yet';

const DELETE_NOW = 'SETTINGS mutations_sync = 1';

/** `month table rows fault` */
type Expected = string;
const lineOf = ({ month, table, rows, error: fault }: Finding): Expected =>
  `${month} ${table} ${rows} ${fault}`;

const DAMAGE: [what: string, statements: string[], findings: Expected[]][] = [
  [
    'a station day is deleted from the ledger: it lacks that, and the histograms are not what it says',
    [`ALTER TABLE station_days DELETE WHERE ${KORD} ${DELETE_NOW}`],
    [
      `2026-03 station_week_errors 2 ${LEDGER}`, // of the week that begins there
      `2026-04 network_day_errors 2 ${LEDGER}`,
      `2026-04 station_day_counts 1 ${LEDGER}`,
      `2026-04 station_day_errors 2 ${LEDGER}`,
      `2026-04 station_days 1 ${FACTS}`,
    ],
  ],
  [
    'a station day is in the ledger twice',
    [insertRow(1)],
    [
      `2026-04 station_days 1 ${FACTS}`,
      `2026-04 station_days 1 ${UNSOUND}`,
      `2026-04 station_days 1 ${SEVERAL}`,
    ],
  ],
  ['a station day is withdrawn from the ledger', [insertRow(-1)], [`2026-04 station_days 1 ${FACTS}`]],
  [
    'a station day is withdrawn that never stood',
    [insertRow(-1, ROW.replace('forecasts', 'arrayMap(forecast -> forecast + 1, forecasts)'))],
    [`2026-04 station_days 1 ${FACTS}`, `2026-04 station_days 1 ${UNSOUND}`],
  ],
  [
    'a station day has a second row, with another observation',
    [insertRow(1, ROW.replace('actual', 'actual - 1'))],
    [`2026-04 station_days 1 ${FACTS}`, `2026-04 station_days 1 ${SEVERAL}`],
  ],
  [
    'a station day has another forecast than the facts',
    [replaceRow(ROW.replace('forecasts', 'arrayMap(forecast -> forecast + 1, forecasts)'))],
    [`2026-04 station_days 2 ${FACTS}`],
  ],
  [
    'a station day lacks its latest forecast',
    [
      replaceRow(
        ROW.replace('lead_ms', 'arrayPopFront(lead_ms)').replace('forecasts', 'arrayPopFront(forecasts)'),
      ),
    ],
    [`2026-04 station_days 2 ${FACTS}`],
  ],
  [
    'a station day has its earliest forecast first',
    [
      replaceRow(
        ROW.replace('lead_ms', 'arrayReverse(lead_ms)').replace('forecasts', 'arrayReverse(forecasts)'),
      ),
    ],
    [`2026-04 station_days 2 ${FACTS}`],
  ],
  [
    'there is a station day in a month that has no facts',
    [insertRow(1, ROW.replace('target_date', `toDate('2026-06-10')`))],
    [`2026-06 station_days 1 ${FACTS}`],
  ],
  ...(['station_day_errors', 'network_day_errors', 'station_day_counts'] as const).flatMap(
    (table): [string, string[], Expected[]][] => {
      // Rows of the table for the high of 1 April: two errors of each station; Chicago and London share theirs.
      const rows = { station_day_errors: 6, network_day_errors: 4, station_day_counts: 3 }[table];
      const day = `metric = 'high' AND target_date = '2026-04-01'`;
      return [
        [
          `rows are deleted from ${table}`,
          [`ALTER TABLE ${table} DELETE WHERE ${day} ${DELETE_NOW}`],
          [`2026-04 ${table} ${rows} ${LEDGER}`],
        ],
        [
          `rows are in ${table} twice`,
          [`INSERT INTO ${table} SELECT * FROM ${table} FINAL WHERE ${day}`],
          [`2026-04 ${table} ${rows} ${LEDGER}`],
        ],
        [
          `there is a row in ${table} in a month that has no facts`,
          [
            `INSERT INTO ${table} SELECT * REPLACE (toDate('2025-11-05') AS target_date) FROM (SELECT * FROM ${table} FINAL WHERE ${day} LIMIT 1)`,
          ],
          [`2025-11 ${table} 1 ${LEDGER}`],
        ],
        [
          `${table} has pairs as preliminary that are not`,
          [
            `INSERT INTO ${table} SELECT * REPLACE (0 AS pair_count, 1 AS preliminary_pair_count) FROM (SELECT * FROM ${table} FINAL WHERE ${day} LIMIT 1)`,
          ],
          [`2026-04 ${table} 1 ${LEDGER}`],
        ],
      ];
    },
  ),
  [
    'a week is deleted from station_week_errors',
    [
      `ALTER TABLE station_week_errors DELETE WHERE week_start = '2026-03-30' AND station_id = 'RJTT' AND metric = 'high' ${DELETE_NOW}`,
    ],
    [`2026-03 station_week_errors 6 ${LEDGER}`],
  ],
  [
    'a week is in station_week_errors twice',
    [
      `INSERT INTO station_week_errors SELECT * FROM station_week_errors FINAL WHERE week_start = '2026-01-12' AND metric = 'high'`,
    ],
    [`2026-01 station_week_errors 12 ${LEDGER}`],
  ],
  [
    'station_week_errors has a week that has no facts',
    [`INSERT INTO station_week_errors VALUES ('low', 'default', '2026-06-29', 'KORD', 100, -3, 0)`],
    [`2026-06 station_week_errors 1 ${LEDGER}`],
  ],
  [
    'local midnights are deleted',
    [
      `ALTER TABLE local_midnights DELETE WHERE timezone = 'America/Chicago' AND target_date < '2026-02-01' ${DELETE_NOW}`,
    ],
    [`2026-01 local_midnights 2 ${ZONES}`],
  ],
  [
    'a local midnight is an hour late, by a later row',
    [
      `INSERT INTO local_midnights
      SELECT timezone, day_boundary, target_date, local_midnight + INTERVAL 1 HOUR, next_local_midnight, 4000000 FROM local_midnights
      WHERE timezone = 'Asia/Tokyo' AND target_date = '2026-03-31' LIMIT 1`,
    ],
    [`2026-03 local_midnights 1 ${ZONES}`],
  ],
  [
    'station days were left unsettled',
    [
      `INSERT INTO touched_days
      SELECT 'KORD', arrayJoin([toDate('2026-02-03'), toDate('2026-04-01')]), max(load_id) + 1 FROM loads`,
    ],
    [`2026-02 unsettled 1 ${WAITING}`, `2026-04 unsettled 1 ${WAITING}`],
  ],
  [
    'all of what is made of the facts is gone',
    [
      'station_days',
      'station_day_errors',
      'network_day_errors',
      'station_week_errors',
      'station_day_counts',
    ].map((table) => `TRUNCATE TABLE ${table}`),
    [
      `2026-01 station_days 12 ${FACTS}`,
      `2026-03 station_days 6 ${FACTS}`,
      `2026-04 station_days 12 ${FACTS}`,
    ],
  ],
];

describe('verify', function () {
  let store: Store;
  let undisturbed: unknown[];

  before(async () => {
    store = await openWorld([FEEDS]);
    undisturbed = await answers(store, QUESTIONS);
  });
  after(() => store.close());

  const found = async (): Promise<Expected[]> => (await audit(store)).map(lineOf);

  it('given what a load made, then nothing is found, and a repair adds nothing', async () => {
    const findings = await audit(store);
    expect(findings).to.deep.equal([]);
    const before = await sizes(store);
    await repair(store, findings);
    expect(await sizes(store)).to.deep.equal(before);
  });

  for (const [what, statements, findings] of range({ test: 1, ci: 2, stress: Infinity }, DAMAGE)) {
    it(`given that ${what}, then just that is found, with table and month, and a repair mends it`, async () => {
      for (const statement of statements) await store.command(raw(statement));
      const damage = await audit(store);
      expect(damage.map(lineOf)).to.deep.equal(findings);
      await repair(store, damage);
      expect(await found()).to.deep.equal([]);
      expect(await answers(store, QUESTIONS)).to.deep.equal(undisturbed);
    });
  }

  itInCi(
    'given so many values that each day is compared by itself, then the same is found, and no week twice',
    async () => {
      for (const table of ['station_days', 'station_week_errors'])
        await store.command(raw(`TRUNCATE TABLE ${table}`));
      const damage = await audit(store);
      expect(damage).to.have.lengthOf.above(10);
      expect(await audit(store, { valuesPerComparison: 1 })).to.deep.equal(damage);
      for (const { month } of range({ test: 0, ci: 1, stress: Infinity }, damage)) {
        const inMonth = damage.filter((each) => each.month === month);
        expect(await audit(store, { month }), month).to.deep.equal(inMonth);
      }
      await repair(store, damage);
      expect(await audit(store, { valuesPerComparison: 1 })).to.deep.equal([]);
    },
  );

  itInCi(
    "given a killed load's unsettled fact, when another month is repaired, then it is settled too",
    async () => {
      const waiting = await openWorld([FEEDS]);
      const [id, issued, date] = FEEDS.forecasts[0]!.split(',');
      for (const statement of [
        `INSERT INTO forecasts SELECT 'high', 'default', '${id}', '${date}', parseDateTime64BestEffort('${issued}', 3, 'UTC'), 71.5, false, 2`,
        `INSERT INTO touched_days VALUES ('${id}', '${date}', 2)`,
        `ALTER TABLE station_days DELETE WHERE ${KORD} ${DELETE_NOW}`,
      ])
        await waiting.command(raw(statement));
      const april = { month: '2026-04' };
      const damage = await audit(waiting, april);
      expect(damage.map(({ table }) => table))
        .to.include('station_days')
        .and.not.include('unsettled');
      await repair(waiting, damage, april);
      expect(await audit(waiting)).to.deep.equal([]);
      await waiting.close();
    },
  );
});

async function sizes(store: Store): Promise<unknown> {
  return store.query(
    sql.rows(
      z.record(z.string(), z.number()),
    )`SELECT (SELECT count() FROM station_days) AS ledger_rows, (SELECT sum(pair_count) FROM station_day_errors) AS pairs_counted,
      (SELECT count() FROM local_midnights) AS midnights`,
  );
}
