import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { plusDays } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';
import { describeInCi } from '../../support/runner/range.js';

// How many faults of 10 °F are listed, and how many good days, of simulated stations that have neighbours or hours: whole °F,
// three providers whose errors go together, and neighbours whose weather differs by some degrees.

const FIRST = '2026-01-01';
const DAYS = 150;
const [STATIONS, ALONE] = [24, 6];
const PROVIDERS = ['one', 'two', 'three'];
const METRICS = ['high', 'low'] as const;

describeInCi('observations with faults of 10 °F, given neighbours, three providers and hours', () => {
  let store: Store;
  const faults = new Set<string>();
  let stationDays = 0;

  before(async function () {
    store = await openTestStore();
    const random = new Random(2026);
    const observations: string[] = [];
    const forecasts: string[] = [];
    const hours: string[] = [];
    const weather = random.lasting(0.8);
    const missed = METRICS.map(() => random.lasting(0.3));
    for (let day = 0; day < DAYS; day += 1) {
      const date = plusDays(FIRST, day);
      const [ofRegion, byAll] = [weather(), missed.map((next) => next())];
      for (let at = 0; at < STATIONS; at += 1) {
        const id = `K${String.fromCharCode(65 + at).repeat(3)}`;
        const truth = METRICS.map(
          (_, metric) => (metric === 0 ? 60 : 40) + (at % 5) + 9 * ofRegion + 1.8 * random.gaussian(),
        );
        const seen = METRICS.map((metric, place) => {
          const isFault = random.next() < 0.01;
          if (isFault) faults.add(`${id} ${date} ${metric}`);
          stationDays += 1;
          return Math.round(truth[place]!) + (isFault ? random.of([-10, 10]) : 0);
        });
        observations.push(`${id},${date},${seen.join()},verified,${plusDays(date, 1)}T12:00:00Z,`);
        for (const provider of PROVIDERS) {
          const said = truth.map((each, metric) =>
            Math.round(each + 1.5 * byAll[metric]! + 1.2 * random.gaussian()),
          );
          forecasts.push(`${id},${plusDays(date, -1)}T12:00:00Z,${date},${said.join()},${provider},`);
        }
        // Stations alone have hours: the course of a day, and its extremes somewhere between two reports.
        for (let hour = 0; hour < 24 && at >= STATIONS - ALONE; hour += 1) {
          const share = Math.cos(((hour - 15) / 12) * Math.PI) / 2 + 0.5;
          const temp = truth[1]! + share * (truth[0]! - truth[1]!) - (share - 0.5) * 2 * random.next();
          hours.push(`${id},${date}T${String(hour).padStart(2, '0')}:53:00Z,${temp.toFixed(1)},,,,,`);
        }
      }
    }
    const report = await loadLines(store, {
      columns: 'all',
      stations: Array.from({ length: STATIONS }, (_, at) => {
        const place =
          at < STATIONS - ALONE
            ? `${40 + 0.3 * (at % 6)},${-80 + 0.4 * (at % 3)}`
            : `${-30 + 5 * at - 90},-80`;
        return `K${String.fromCharCode(65 + at).repeat(3)},City ${at},US,${place},Etc/UTC`;
      }),
      forecasts,
      observations,
      hours,
    });
    expect(report.outcome).to.equal('complete');
  });
  after(() => store.close());

  it('when the list is asked for, then 95 % of faults are on it, and under 0.2 % of the other days', async function () {
    const service = await startTestService(store, { now: `${plusDays(FIRST, DAYS)}T12:00:00Z` });
    const rows = await dataOf<{ station_id: string; date: string; metric: string; reasons: string[] }[]>(
      service,
      `data/suspects?date_from=${FIRST}&days=${DAYS}&limit=5000`,
    );
    const listed = rows.map(({ station_id, date, metric }) => `${station_id} ${date} ${metric}`);
    const found = listed.filter((each) => faults.has(each)).length;
    const [share, others] = [found / faults.size, (listed.length - found) / (stationDays - faults.size)];
    console.log(
      `      listed: ${found} of ${faults.size} faults (${(100 * share).toFixed(1)} %), and ${(100 * others).toFixed(3)} % of ${stationDays - faults.size} good station days`,
    );
    expect(share).to.be.at.least(0.95);
    expect(others).to.be.below(0.002);
  });
});
