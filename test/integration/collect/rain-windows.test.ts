import { expect } from 'chai';
import { iemAsos } from '../../../src/collect/sources/iem-asos.js';
import { load } from '../../../src/ingest/load.js';
import { place } from '../../support/collect/world.js';
import { feedFile, rowsOf, STATION_COLUMNS } from '../../support/real-data.js';
import { describeInCi } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Texts of airport reports as they were sent, with the type of each: what is observed of each window is what their groups say, read
// here a second time. Las Vegas has four months of 2026, Madison two days of 2023.

const HOUR = 3_600_000;
const STATIONS = [
  { station: 'KLAS', from: '2026-04-23', to: '2026-08-23', zone: 'America/Los_Angeles' },
  { station: 'KMSN', from: '2023-06-25', to: '2023-06-27', zone: 'America/Chicago' },
] as const;

const RAIN = /^[-+]?(TS|SH|FZ)?(RA|DZ|SN|PL|GR|GS|UP)|(RA|DZ|SN|PL|GR|GS|UP)[BE]\d/;

interface Report {
  isRoutine: boolean;
  at_ms: number;
  text: string;
}

/** Hundredths of an inch; undefined where the groups do not say it. */
function amountsOf({ text }: Report): { hour?: number; six?: number } {
  const [body = '', remarks = ''] = text.split(' RMK ');
  const words = remarks.split(' ');
  const read = (letter: string): number | undefined => {
    const group = words.find((word) => new RegExp(`^${letter}[0-9/]{4}$`).test(word));
    return group === undefined ? undefined : Number(group.slice(1));
  };
  const [hour, six] = [read('P'), read('6')];
  // Observers write A02 as well.
  const isSilent = words.some((word) => /^A[O0]2$/.test(word)) && !words.includes('PNO');
  const isDry = isSilent && ![...body.split(' '), ...words].some((word) => RAIN.test(word));
  const amount = hour ?? (isDry ? 0 : undefined);
  return { hour: amount, six: six ?? (isSilent && amount === 0 ? 0 : undefined) };
}

/** The amount of each window that ends at a full hour and has one, by its length and the hour. */
function readWindows(reports: readonly Report[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const report of reports.filter(({ isRoutine }) => isRoutine)) {
    const hour = Math.ceil(report.at_ms / HOUR);
    if (hour * HOUR - report.at_ms > HOUR / 4) continue;
    const amounts = amountsOf(report);
    for (const [length, amount] of [
      [1, amounts.hour],
      [6, hour % 6 === 0 ? amounts.six : undefined],
    ] as const)
      if (amount !== undefined && !Number.isNaN(amount)) found.set(`${length} ${hour}`, amount);
      else found.delete(`${length} ${hour}`);
  }
  const ends = [...new Set([...found.keys()].map((key) => Number(key.split(' ')[1])))];
  for (const [length, part] of [
    [6, 1],
    [12, 6],
  ] as const)
    for (const end of ends.flatMap((hour) => [
      hour,
      hour + 1,
      hour + 2,
      hour + 3,
      hour + 4,
      hour + 5,
      hour + 6,
    ])) {
      const parts = Array.from({ length: length / part }, (_, at) => found.get(`${part} ${end - at * part}`));
      const sum = parts.reduce<number | undefined>(
        (all, one) => (all === undefined || one === undefined ? undefined : all + one),
        0,
      );
      if (sum !== undefined && !found.has(`${length} ${end}`)) found.set(`${length} ${end}`, sum);
    }
  return found;
}

describeInCi('windows of rain of real airport reports', function () {
  this.timeout(600_000);
  for (const { station, from, to, zone } of STATIONS)
    it(`given the texts of ${station}, then each window has what its groups say`, async function () {
      const file = new URL(
        `../../support/collect/fixtures/${station.toLowerCase()}-reports.csv.gz`,
        import.meta.url,
      );
      const reports = rowsOf(file).map(([type, , valid = '', text = '']): Report => ({
        isRoutine: type === 'METAR',
        at_ms: Date.parse(`${valid.replace(' ', 'T')}Z`),
        text,
      }));
      const name = station.slice(1);
      const lines = reports.map(
        ({ at_ms, text }) =>
          `${name},${new Date(at_ms).toISOString().slice(0, 16).replace('T', ' ')},${text}\n`,
      );
      const span = { from_ms: Date.parse(from) - 24 * HOUR, to_ms: Date.parse(to) };
      const { rows } = iemAsos.read([`station,valid,metar\n${lines.join('')}`], {
        paths: [''],
        covers: [{ place: place(station, station, 40, -90, zone, {}), span }],
        requested_ms: span.to_ms,
      });
      const hours = (span.to_ms - Date.parse(from)) / HOUR;
      const columns =
        'station_id,issued_at,valid_at,temp_f,precip_chance_12h,precip_chance_6h,precip_chance_1h';
      const store = await openTestStore();
      await load(store, {
        stations: feedFile('stations', [
          STATION_COLUMNS,
          `${station},${station},US,40,-90,${zone},Cfa,true,,,standard`,
        ]),
        hours: feedFile('hours', [
          Object.keys(rows[0] ?? {}).join(),
          ...rows.map((row) => Object.values(row).join()),
        ]),
        hourly_forecasts: feedFile('hourly_forecasts', [
          columns,
          ...Array.from({ length: hours }, (_, at) => {
            const valid_ms = Date.parse(from) + at * HOUR;
            const [issued, valid] = [valid_ms - 20 * HOUR, valid_ms].map((ms) => new Date(ms).toISOString());
            return `${station},${issued},${valid},,50,50,50`;
          }),
        ]),
      });
      const service = await startTestService(store, { now: `${to}T12:00:00Z` });
      // The first hours in UTC are of the day before.
      const dayBefore = new Date(span.from_ms).toISOString().slice(0, 10);
      const windows = readWindows(reports);
      for (const length of [12, 6, 1]) {
        const { text } = await service
          .get(
            `/api/v1/export/pairs?format=ndjson&metric=wet_${length}h&date_from=${dayBefore}&date_to=${to}`,
          )
          .buffer(true);
        const pairs = text
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as { valid_at: string; actual: number });
        const observed = new Map(pairs.map(({ valid_at, actual }) => [Date.parse(valid_at) / HOUR, actual]));
        const expected = Array.from({ length: hours }, (_, at) => Date.parse(from) / HOUR + at).flatMap(
          (hour) => {
            const amount = windows.get(`${length} ${hour}`);
            return amount === undefined ? [] : [[hour, amount >= 1 ? 100 : 0] as const];
          },
        );
        expect(observed, `${length} hours`).to.deep.equal(new Map(expected)).and.is.not.empty;
      }
      await store.close();
    });
});
