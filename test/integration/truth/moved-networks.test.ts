import { expect } from 'chai';
import { haveAllMoved, staleAlarms } from '../../../src/monitoring/watch.js';
import { addDays, dateAt, DAY_MS, HOUR_MS } from '../../../src/statistics/time/calendar.js';
import type { Store } from '../../../src/store/store.js';
import { Random } from '../../support/random.js';
import { itInStressTier } from '../../support/runner/range.js';
import { openTestStore } from '../../support/store.js';

const LAST_MS = Date.parse('2026-05-20T12:00:00Z');

const COLUMNS = [
  ...['metric', 'provider', 'station_id', 'target_date', 'issued_at'],
  ...['forecast', 'withdrawn', 'load_id'],
];

/** The forecasts of a provider, most of which has one trouble or none. */
function forecastsOf(provider: string, random: Random): unknown[][] {
  const cadence_ms = random.of([6, 12, 12, 24, 24, 24, 30, 48, 90]) * HOUR_MS;
  const [first, leads] = [random.of([0, 0, 1, 1, 3]), random.of([1, 2, 2, 3, 5])];
  const stays = random.of([0, 0.02, 0.3, 0.6, 1]);
  const [missing, wrong] = [random.of([0, 0, 0.2]), random.of([0, 0, 0.05])];
  const [stale, later, ended, hindcast] = Array.from({ length: 4 }, () => random.of([0, 0, 0, 0.1, 0.5, 1]));
  const staleFrom_ms = LAST_MS - random.of([1, 2, 3, 6, 9]) * cadence_ms;
  const stations = random.of([1, 3, 6, 20]);
  const rows: unknown[][] = [];
  const issue = (
    station_id: string,
    instant: number,
    date: string,
    isStale: boolean,
    values: Map<string, number>,
  ) => {
    for (const metric of ['high', 'low']) {
      const key = `${metric} ${date}`;
      const before = values.get(key);
      if (random.next() < missing) continue;
      const value =
        before !== undefined && (isStale || random.next() < stays) ? before : 40 + random.below(40);
      values.set(key, value);
      const row = (forecast: number, isWithdrawn: boolean, load: number) => [
        ...[metric, provider, station_id, date, new Date(instant).toISOString().slice(0, -1)],
        ...[forecast, isWithdrawn, load],
      ];
      rows.push(row(value, false, 1));
      if (random.next() < wrong) rows.push(row(value + random.below(2), random.next() < 0.5, 2));
    }
  };
  for (let station = 0; station < stations; station += 1) {
    const isStale = random.next() < stale!;
    const shift_ms = random.next() < later! ? -random.below(60) * HOUR_MS : 0;
    const end_ms = LAST_MS - (random.next() < ended! ? random.below(150) * HOUR_MS : 0);
    const values = new Map<string, number>();
    for (let at = Math.floor((28 * DAY_MS) / cadence_ms); at >= 0; at -= 1) {
      const instant = LAST_MS - at * cadence_ms + shift_ms;
      if (instant > end_ms) break;
      const isLate = random.next() < hindcast! / 4;
      const day = addDays(dateAt(instant), isLate ? -random.below(12) : first);
      for (let lead = 0; lead < leads; lead += 1)
        issue(
          `${provider}-${station}`,
          instant,
          addDays(day, lead),
          isStale && instant > staleFrom_ms,
          values,
        );
    }
  }
  return rows;
}

/** Issuances of a station: hours before the last, days from the one of the issuance to the first target date, and whether it moves. */
interface Issuance {
  hours: number;
  first?: number;
  dates?: number;
  moves: boolean;
  withdrawn?: boolean;
}

/** A value of a date that differs from that of the next one. */
const valueAt = (first: string, lead: number): number => (Date.parse(addDays(first, lead)) / DAY_MS) % 7;

/** The forecasts of issuances: the same values until one moves. */
function rowsOf(provider: string, station_id: string, issuances: readonly Issuance[]): unknown[][] {
  let value = 50;
  return issuances.flatMap(({ hours, first = 0, dates = 3, moves, withdrawn = false }) => {
    const instant = LAST_MS - hours * HOUR_MS;
    if (moves) value = value === 50 ? 60 : 50;
    const row = [
      `${provider} ${station_id}`,
      addDays(dateAt(instant), first),
      new Date(instant).toISOString().slice(0, -1),
    ];
    return Array.from({ length: dates }, (_, lead) => [
      ...[
        'high',
        provider,
        row[0],
        addDays(row[1]!, lead),
        row[2],
        value + valueAt(row[1]!, lead),
        withdrawn,
        1,
      ],
    ]);
  });
}

/** Issuances at a cadence, from the one so many hours before the last to that at the end. */
const every = (cadence: number, from: number, to: number, each: Omit<Issuance, 'hours'>): Issuance[] =>
  Array.from({ length: Math.floor((from - to) / cadence) + 1 }, (_, at) => ({
    hours: from - at * cadence,
    ...each,
  }));

describe('a provider of which all latest issuances moved', () => {
  let store: Store;
  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  const looksMoved: [string, boolean, Issuance[], Issuance[]?][] = [
    ['that moves like the others', true, every(24, 720, 0, { moves: true })],
    [
      'that repeats seven issuances',
      false,
      [...every(24, 720, 168, { moves: true }), ...every(24, 144, 0, { moves: false })],
    ],
    [
      'that repeats seven issuances, and takes back another',
      false,
      [
        ...every(24, 720, 180, { moves: true }),
        ...every(24, 156, 12, { moves: false }),
        { hours: 0, moves: true, withdrawn: true },
      ],
    ],
    [
      'that repeats farther dates, after it moved the next ones',
      false,
      [...every(6, 720, 48, { moves: true, dates: 9 }), ...every(6, 42, 0, { moves: false, first: 5 })],
    ],
    [
      'that repeats a date long gone, after it moved the next ones',
      false,
      [
        ...every(6, 720, 48, { moves: true, first: -7, dates: 10 }),
        ...every(6, 42, 0, { moves: false, first: -6, dates: 1 }),
      ],
    ],
    [
      'that ends repeating before the span that is looked at',
      false,
      [...every(24, 733, 229, { moves: true }), ...every(24, 205, 85, { moves: false })],
      every(24, 722, 50, { moves: true }),
    ],
  ];
  for (const [title, hasMoved, issuances, ofOthers] of looksMoved)
    it(`given a station ${title}, then ${hasMoved ? 'all have moved' : 'its alarm is looked for'}`, async () => {
      const rest = ofOthers ?? every(24, 720, 0, { moves: true });
      await store.insert('forecasts', COLUMNS, [
        ...rowsOf(title, 'K0', issuances),
        ...['K1', 'K2', 'K3'].flatMap((station) => rowsOf(title, station, rest)),
      ]);
      expect(await haveAllMoved(store, title, LAST_MS)).to.equal(hasMoved);
      const alarms = await staleAlarms(store, title, LAST_MS, []);
      expect(alarms.map(({ station_id }) => station_id)).to.deep.equal(hasMoved ? [] : [`${title} K0`]);
    });

  // The stations above stand for it.
  itInStressTier(
    'given random troubles, then a provider that looks moved has no alarm in the lists either',
    async () => {
      const random = new Random(67);
      const worlds = Array.from({ length: 1000 }, (_, at) => `world-${at}`);
      await store.insert(
        'forecasts',
        COLUMNS,
        worlds.flatMap((provider) => forecastsOf(provider, random)),
      );
      const found = { moved: 0, alarms: 0 };
      for (const provider of worlds)
        for (const latest_ms of [LAST_MS, LAST_MS - 12 * HOUR_MS]) {
          const alarms = await staleAlarms(store, provider, latest_ms, []);
          const hasMoved = await haveAllMoved(store, provider, latest_ms);
          if (hasMoved) expect(alarms, provider).to.deep.equal([]);
          found.moved += Number(hasMoved);
          found.alarms += alarms.length;
        }
      expect(found.moved).to.be.above(worlds.length / 4);
      expect(found.alarms).to.be.above(worlds.length / 10);
    },
  );
});
