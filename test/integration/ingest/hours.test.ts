import { expect } from 'chai';
import fc from 'fast-check';
import { z } from 'zod';
import { audit, repair } from '../../../src/ingest/audit.js';
import type { LoadReport } from '../../../src/ingest/load-report.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { type FeedLines, loadLines } from '../../support/ingest/feeds.js';
import { FEEDS } from '../../support/ingest/loads.js';
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
import { itInCi, range } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';
import { resetTo } from '../../support/worlds.js';

const HOUR = 3_600_000;
const NOTHING = -32768;
const STATIONS = { stations: FEEDS.stations };

const dayRow = z.object({
  target_date: z.string(),
  highest: z.array(z.number()),
  lowest: z.array(z.number()),
  weather: z.enum(['unknown', 'clear', 'cloudy', 'precipitation']),
});

// The fate of the rows of the feed: beside-pairs.test.ts.
describe('a load of hours (D56)', () => {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  beforeEach(() => resetTo(store, [STATIONS]));
  after(() => store.close());

  const loadHours = (hours: readonly string[], more: FeedLines = {}): Promise<LoadReport> =>
    loadLines(store, { hours, ...more });
  /** The days of a station, as the store has them, in whole °F, or whole °C. */
  const daysOf = async (
    station_id: string,
    version = 1_000_000,
    unit?: 'celsius',
  ): Promise<Record<string, DayHours>> => {
    const by_hour = unit === 'celsius' ? 'c_by_hour' : 'by_hour';
    const found = await store.query(
      sql.rows(dayRow)`${raw(
        `SELECT target_date, argMax(highest_${by_hour}, load_id) AS highest, argMax(lowest_${by_hour}, load_id) AS lowest,
        toString(argMax(weather, load_id)) AS weather
      FROM station_day_hours
      WHERE station_id = {station_id: String} AND load_id <= {version: UInt32}
      GROUP BY target_date
      ORDER BY target_date`,
        { station_id, version },
      )}`,
    );
    const orNull = (values: readonly number[]) => values.map((each) => (each === NOTHING ? null : each));
    return Object.fromEntries(
      found.map(({ target_date, highest, lowest, weather }) => [
        target_date,
        { highest: orNull(highest), lowest: orNull(lowest), weather },
      ]),
    );
  };

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

  it('given any reports, corrected and withdrawn, then each day says what its reports say, audited', async function () {
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
          const expected = (loaded: readonly HourRow[], unit?: 'celsius'): Record<string, DayHours> => {
            const reports = standingReports(loaded);
            const days = DATES.map((date): [string, DayHours] => [
              date,
              dayHours(reports, beginsAt(date, zone, boundary), beginsAt(nextOf(date), zone, boundary), unit),
            ]);
            return Object.fromEntries(
              days.filter(
                ([, { highest, weather }]) => highest.some((each) => each !== null) || weather !== 'unknown',
              ),
            );
          };
          const said = async (version?: number, unit?: 'celsius') => {
            const days = Object.entries(await daysOf('KXYZ', version, unit));
            return Object.fromEntries(
              days.filter(
                ([, { highest, weather }]) => highest.some((each) => each !== null) || weather !== 'unknown',
              ),
            );
          };
          expect(await said()).to.deep.equal(expected([...first, ...second, ...taken]));
          expect(await said(load_id)).to.deep.equal(expected([...first, ...second]));
          expect(await said(load_id, 'celsius')).to.deep.equal(expected([...first, ...second], 'celsius'));
          expect(await audit(store)).to.deep.equal([]);
        },
      ),
      { numRuns: range({ test: 1, ci: 2, stress: 300 }), endOnFailure: true },
    );
  });

  itInCi(
    'given a station that moves to another zone, is withdrawn and comes back, then its days go with it',
    async () => {
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
    },
  );

  itInCi(
    'given a day that says something else than its reports, then an audit finds it, a repair mends it',
    async () => {
      const hours = Array.from({ length: 24 }, (_, hour) =>
        hourLine({ station_id: 'EGLL', at: FIRST + hour * HOUR, temp: 100 * hour }),
      );
      await loadHours(hours, { columns: 'all' });
      const before = await daysOf('EGLL');
      await store.command(sql`TRUNCATE TABLE station_day_hours`);
      const findings = await audit(store);
      expect(findings).to.deep.equal([
        { table: 'station_day_hours', month: '2026-03', error: 'differ from the facts', rows: 1 },
      ]);
      await repair(store, findings);
      expect(await audit(store)).to.deep.equal([]);
      expect(await daysOf('EGLL')).to.deep.equal(before);
    },
  );
});
