import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { audit, repair } from '../../../src/ingest/audit.js';
import type { LoadReport } from '../../../src/ingest/feed/report.js';
import type { RejectedRow } from '../../../src/ingest/stage.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/sql.js';
import { dyingAt, expectDeath } from '../../support/ingest/dying-loads.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { FEEDS, rows, sizes } from '../../support/ingest/loads.js';
import {
  beginsAt,
  type DayHours,
  dayHours,
  hourLine,
  type HourRow,
  reportsFrom,
  standingReports,
} from '../../support/plain/hours.js';
import { emptyStore } from '../../support/plain/oracle.js';
import { range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const NOTHING = -32768;

const dayRow = z.object({
  target_date: z.string(),
  highest: z.array(z.number()),
  lowest: z.array(z.number()),
  weather: z.enum(['unknown', 'clear', 'cloudy', 'precipitation']),
});

describe('a load of hours (D56)', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  beforeEach(async () => {
    await emptyStore(store);
    await loadLines(store, { stations: FEEDS.stations });
  });
  after(() => store.close());

  const loadHours = (hours: readonly string[], more: FeedLines = {}): Promise<LoadReport> =>
    loadLines(store, { hours, ...more });
  const countsOf = ({ feeds }: LoadReport) => ({ ...feeds.hours, first_contradicted: null });
  /** The reports that a version of the data has. */
  const standing = async (version = 1_000_000): Promise<string[]> => {
    const found = await store.query(
      raw(
        `SELECT concat_ws(' ', station_id, formatDateTime(at, '%FT%R'),
        arrayStringConcat(arrayMap(each -> ifNull(toString(each), '-'), [said.1, said.2, said.3, said.4]), ' '), said.5) AS report
      FROM (
        SELECT station_id, at, argMax(reading, load_id) AS said
        FROM hours
        WHERE load_id <= {version: UInt32}
        GROUP BY station_id, at
        HAVING NOT argMax(withdrawn, load_id)
      )
      ORDER BY station_id, at`,
        { version },
      ),
      z.object({ report: z.string() }),
    );
    return found.map(({ report }) => report.trimEnd());
  };
  /** What the store says of the days of a station. */
  const daysOf = async (station_id: string, version = 1_000_000): Promise<Record<string, DayHours>> => {
    const found = await store.query(
      raw(
        `SELECT target_date, argMax(highest_by_hour, load_id) AS highest, argMax(lowest_by_hour, load_id) AS lowest,
        toString(argMax(weather, load_id)) AS weather
      FROM station_day_hours
      WHERE station_id = {station_id: String} AND load_id <= {version: UInt32}
      GROUP BY target_date
      ORDER BY target_date`,
        { station_id, version },
      ),
      dayRow,
    );
    const orNull = (values: readonly number[]) => values.map((each) => (each === NOTHING ? null : each));
    return Object.fromEntries(
      found.map(({ target_date, highest, lowest, weather }) => [
        target_date,
        { highest: orNull(highest), lowest: orNull(lowest), weather },
      ]),
    );
  };

  const REPORTS = [
    'KORD,2026-01-05T17:51:00Z,30.2,31.1,24.08,0.02,OVC,',
    'KORD,2026-01-05T18:51:00Z,31,,,,bkn,',
    'EGLL,2026-01-05T11:20:00+01:00,41,,,,,',
  ];
  const AS_FIRST = [
    'EGLL 2026-01-05T10:20 41 - - -',
    'KORD 2026-01-05T17:51 30.2 31.1 24.08 0.02 OVC',
    'KORD 2026-01-05T18:51 31 - - - BKN',
  ];

  it('given new ones, also in °C, then they are kept, no pair comes of them, and again they say nothing new', async () => {
    const report = await loadHours(REPORTS, { columns: 'all' });
    expect(report.outcome).to.equal('complete');
    expect(countsOf(report)).to.deep.equal(rows(3, 0, 0, 0));
    expect(report).to.include({ pairs_added: 0, pairs_withdrawn: 0 });
    expect(await standing()).to.deep.equal(AS_FIRST);
    const before = await sizes(store);
    expect(countsOf(await loadHours([...REPORTS].reverse(), { columns: 'all' }))).to.deep.equal(
      rows(0, 0, 3, 0),
    );
    const celsius = await loadHours(['KORD,2026-01-05T17:51Z,-1,-0.5,-4.4,0.02,OVC,'], {
      columns: 'all',
      unit: 'celsius',
    });
    expect(countsOf(celsius)).to.deep.equal(rows(0, 0, 1, 0));
    expect(await sizes(store)).to.deep.equal(before);
  });

  it('given corrections, blanks and withdrawals, then a report is replaced as a whole, and earlier versions stay', async () => {
    const { load_id } = await loadHours(REPORTS, { columns: 'all' });
    const later = await loadHours(
      [
        'KORD,2026-01-05T17:51:00Z,30.2,,,,OVC,',
        'KORD,2026-01-05T18:51:00Z,,,,,,',
        'EGLL,2026-01-05T10:20:00Z,99,,,,,true',
        'EGLL,2026-01-05T12:20:00Z,,,,,,true',
      ],
      { columns: 'all' },
    );
    expect(countsOf(later)).to.deep.equal(rows(0, 2, 2, 0));
    expect(await standing()).to.deep.equal(['KORD 2026-01-05T17:51 30.2 - - - OVC', AS_FIRST[2]]);
    expect(await standing(load_id)).to.deep.equal(AS_FIRST);
  });

  it('given rows at fault, then each is told with its line and reason, and the later of two for one instant counts', async () => {
    const told: RejectedRow[] = [];
    const report = await loadLines(
      store,
      {
        columns: 'all',
        hours: [
          'KZZZ,2026-01-05T17:51:00Z,30,,,,,',
          'KORD,2026-01-05T17:51:00,30,,,,,',
          'KORD,2026-01-05T17:51:00Z,warm,,,,,',
          'KORD,2026-01-05T17:51:00Z,30,,,-1,,',
          'KORD,2026-01-05T17:51:00Z,30,,,51,,',
          'KORD,2026-01-05T17:51:00Z,30,,,,cloudy,',
          'KORD,2026-03-05T17:51:00Z,30,,,,,',
          'KORD,2026-01-05T17:51:00Z,30,,,,,',
          'KORD,2026-01-05T17:51:00Z,31,,,,,',
        ],
      },
      {
        now: new Date('2026-02-01T00:00:00Z'),
        onRejected: (row) => {
          told.push(row);
          return Promise.resolve();
        },
      },
    );
    expect(told.map(({ line, reason }) => [line, reason])).to.deep.equal([
      [2, 'unknown station'],
      [3, 'bad time'],
      [4, 'temperature is not a number'],
      [5, 'precipitation outside 0..50 inches'],
      [6, 'precipitation outside 0..50 inches'],
      [7, 'bad sky'],
      [8, 'temperature measured in the future'],
    ]);
    expect(countsOf(report)).to.deep.equal({ ...rows(1, 0, 1, 7), rows_contradicted: 1 });
    expect(await standing()).to.deep.equal(['KORD 2026-01-05T17:51 31 - - -']);
  });

  const ZONES = [
    { zone: 'America/New_York', boundary: 'standard' },
    { zone: 'America/New_York', boundary: 'civil' },
    { zone: 'Asia/Kolkata', boundary: 'civil' },
    { zone: 'Pacific/Auckland', boundary: 'civil' },
  ] as const;
  /** The clocks change in New York on 8 March 2026. */
  const FIRST = Date.parse('2026-03-07T00:00:00Z');
  const DATES = ['2026-03-06', '2026-03-07', '2026-03-08', '2026-03-09', '2026-03-10', '2026-03-11'];
  const nextOf = (date: string): string => new Date(Date.parse(date) + 24 * HOUR).toISOString().slice(0, 10);

  it('given any reports, in several loads, corrected and withdrawn, then each day says what its reports say, and an audit finds nothing', async function () {
    this.timeout(300_000);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ZONES),
        reportsFrom('KXYZ', FIRST, 80),
        reportsFrom('KXYZ', FIRST + 20 * HOUR, 30),
        fc.array(fc.nat(79), { maxLength: 12 }),
        async ({ zone, boundary }, first, second, places) => {
          await emptyStore(store);
          const taken: HourRow[] = places
            .flatMap((place) => first[place] ?? [])
            .map((row) => ({ ...row, withdrawn: true }));
          await loadLines(store, {
            columns: 'all',
            stations: [`KXYZ,Town,US,40,-74,${zone},Cfa,true,,,${boundary},`],
            hours: first.map(hourLine),
          });
          const { load_id } = await loadHours(second.map(hourLine), { columns: 'all' });
          await loadHours(taken.map(hourLine), { columns: 'all' });
          const expected = (loaded: readonly HourRow[]): Record<string, DayHours> => {
            const reports = standingReports(loaded);
            const days = DATES.map((date): [string, DayHours] => [
              date,
              dayHours(reports, beginsAt(date, zone, boundary), beginsAt(nextOf(date), zone, boundary)),
            ]);
            return Object.fromEntries(
              days.filter(
                ([, { highest, weather }]) => highest.some((each) => each !== null) || weather !== 'unknown',
              ),
            );
          };
          const said = async (version?: number) => {
            const days = Object.entries(await daysOf('KXYZ', version));
            return Object.fromEntries(
              days.filter(
                ([, { highest, weather }]) => highest.some((each) => each !== null) || weather !== 'unknown',
              ),
            );
          };
          expect(await said()).to.deep.equal(expected([...first, ...second, ...taken]));
          expect(await said(load_id)).to.deep.equal(expected([...first, ...second]));
          expect(await audit(store)).to.deep.equal([]);
        },
      ),
      { numRuns: range({ test: 1, ci: 15, torture: 300 }), endOnFailure: true },
    );
  });

  it('given a station that moves to another zone, is withdrawn and comes back, then its days go with it', async () => {
    const hours = Array.from({ length: 30 }, (_, hour) =>
      hourLine({ station_id: 'KORD', at: FIRST + hour * HOUR + 51 * 60_000, temp: 100 * hour }),
    );
    await loadHours(hours, { columns: 'all' });
    const there = await daysOf('KORD');
    expect(there['2026-03-07']?.highest[5]).to.equal(11);
    const [chicago = ''] = FEEDS.stations;
    await loadLines(store, { stations: [chicago.replace('America/Chicago', 'Europe/London')] });
    expect((await daysOf('KORD'))['2026-03-07']?.highest[5]).to.equal(5);
    await loadLines(store, { stations: [`${chicago},,true`], columns: 'all' });
    expect((await daysOf('KORD'))['2026-03-07']?.highest[5]).to.equal(null);
    expect(await audit(store)).to.deep.equal([]);
    await loadLines(store, { stations: [chicago] });
    expect((await daysOf('KORD'))['2026-03-07']).to.deep.equal(there['2026-03-07']);
    expect(await audit(store)).to.deep.equal([]);
  });

  it('given a day that says something else than its reports, then an audit finds it, and a repair puts it right', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) =>
      hourLine({ station_id: 'EGLL', at: FIRST + hour * HOUR, temp: 100 * hour }),
    );
    await loadHours(hours, { columns: 'all' });
    const before = await daysOf('EGLL');
    await store.command(sql`TRUNCATE TABLE station_day_hours`);
    const findings = await audit(store);
    expect(findings).to.deep.equal([
      { table: 'station_day_hours', month: '2026-03', fault: 'differ from what the facts say', rows: 1 },
    ]);
    await repair(store, findings);
    expect(await audit(store)).to.deep.equal([]);
    expect(await daysOf('EGLL')).to.deep.equal(before);
  });

  it('given a load that dies at any of its statements, then the next one leaves what a load in one piece leaves', async function () {
    this.timeout(120_000);
    const lines: FeedLines = {
      columns: 'all',
      hours: Array.from({ length: 24 }, (_, hour) =>
        hourLine({ station_id: 'EGLL', at: FIRST + hour * HOUR, temp: 100 * hour }),
      ),
    };
    await loadLines(store, lines);
    const whole = await daysOf('EGLL');
    const deaths = ['touched_day_hours', 'hours', 'station_day_hours'].flatMap((into) =>
      (['before', 'torn'] as const).map((how) => ({ into, how })),
    );
    for (const { into, how } of range({ test: 1, ci: Infinity }, deaths)) {
      await emptyStore(store);
      await loadLines(store, { stations: FEEDS.stations });
      const isInto = (write: string): boolean => new RegExp(`^\\s*INSERT INTO ${into}\\b`).test(write);
      await expectDeath(loadLines(dyingAt(store, isInto, how).store, lines));
      await loadLines(store, lines);
      expect(await daysOf('EGLL'), `${into} ${how}`).to.deep.equal(whole);
      expect(await audit(store), `${into} ${how}`).to.deep.equal([]);
    }
  });
});
