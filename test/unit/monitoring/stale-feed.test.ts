import { expect } from 'chai';
import type { Rows } from '../../../src/queries/sql.js';
import type { Alarm } from '../../../src/monitoring/alarm.js';
import type { IssuanceRepeats } from '../../../src/monitoring/issuance-repeats.js';
import { isHeld, isStaleNetwork, withoutExtraRepeats } from '../../../src/monitoring/stale-feed.js';
import { staleAlarms } from '../../../src/monitoring/watch.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const at = (issuance: number, hours = 12): number => START_MS + issuance * hours * HOUR_MS;

interface World {
  stations: number;
  issuances: number;
  /** How often a station that is well repeats an issuance. */
  chance: number;
  /** The first issuance that brings the values of the one before, at the stations below `staleStations`. */
  staleFrom?: number;
  staleStations?: number;
  /** Whether the other provider stands still as well, from the same issuance on. */
  othersStand?: boolean;
  /** The last issuance of the other provider. */
  othersEnd?: number;
  /** The time between two issuances. */
  hours?: number;
  /** From this issuance on, `one` is requested again 3 and 6 hours after each, and has nothing new. */
  polledFrom?: number;
}

/** A store with the issuances of `one`, and of `other`. */
function storeOf(seed: number, world: World) {
  const { stations, issuances, chance, staleFrom = Infinity, staleStations = stations, hours } = world;
  const random = new Random(seed);
  const rows = ['one', 'other'].flatMap((provider) =>
    Array.from({ length: stations }, (_, station): IssuanceRepeats => {
      const stands = provider === 'one' ? station < staleStations : world.othersStand === true;
      const all = Array.from({ length: issuances }, (_, issuance) => {
        const repeats = Number((stands && issuance >= staleFrom) || random.next() < chance);
        const isPolled = provider === 'one' && issuance >= (world.polledFrom ?? Infinity);
        const instant = at(issuance, hours);
        const extra = isPolled ? [3, 6].map((later) => [instant + later * HOUR_MS, 1] as const) : [];
        return [[instant, repeats] as const, ...extra];
      }).flat();
      if (provider === 'other') all.splice((world.othersEnd ?? issuances) + 1);
      const [issued, repeated] = [all.map(([instant]) => instant), all.map(([, repeats]) => repeats)];
      return { provider, station_id: `S${station}`, issued, repeated };
    }),
  );
  let last = 0;
  const query = <Row>({ statement }: Rows<Row>): Promise<Row[]> => {
    const {
      providers,
      others,
      after_ms,
      stations: named,
    } = statement.params as unknown as {
      providers: string[];
      others: number;
      after_ms: number;
      stations?: string[];
    };
    const found = rows
      .filter(({ provider }) => providers.includes(provider) !== (others === 1))
      .filter(({ station_id }) => named?.includes(station_id) ?? true)
      .map(({ issued, repeated, ...row }) => {
        const kept = issued.flatMap((ms, place) => (ms > after_ms && ms <= last ? [place] : []));
        return {
          ...row,
          issued: kept.map((place) => issued[place]!),
          repeated: kept.map((place) => repeated[place]!),
        };
      })
      .filter(({ issued }) => issued.length > 0);
    return Promise.resolve(found as Row[]);
  };
  /** The alarms after each issuance of a span, each with those before. */
  return async (from: number, to: number): Promise<Alarm[][]> => {
    const told: Alarm[][] = [];
    for (let issuance = from; issuance <= to; issuance += 1) {
      last = at(issuance, hours) + (issuance >= (world.polledFrom ?? Infinity) ? 6 * HOUR_MS : 0);
      told.push(await staleAlarms({ query }, 'one', last, told.at(-1) ?? []));
    }
    return told;
  };
}

describe('the repeats of a provider that is requested more often than it issues', () => {
  it('given a repeat, then it counts from three quarters of the cadence after the issuance before on', () => {
    const cadence_ms = 12 * HOUR_MS;
    const countedAfter = (later_ms: number): number[] =>
      withoutExtraRepeats(
        { provider: 'one', station_id: 'S0', issued: [at(0), at(0) + later_ms], repeated: [0, 1] },
        cadence_ms,
      ).repeated;
    expect(countedAfter(9 * HOUR_MS)).to.deep.equal([0, 1]);
    expect(countedAfter(9 * HOUR_MS - 1)).to.deep.equal([0]);
  });
});

describe('a network that looks stale', () => {
  /** Stations of which some repeat so many issuances, and the others none. */
  const network = (still: number, all: number, issuances = 2) =>
    Array.from({ length: all }, (_, station) => ({
      ...{ station_id: `K${station}`, since_ms: START_MS },
      issuances: station < still ? issuances : 0,
    }));
  const RAISED = { station_id: null } as Alarm;

  it('given 19 of 20 stations that repeat two issuances, then it looks stale; 18, one issuance or 4, not', () => {
    expect([network(19, 20), network(5, 5)].map(isStaleNetwork)).to.deep.equal([true, true]);
    for (const stations of [network(18, 20), network(20, 20, 1), network(4, 4)])
      expect(isStaleNetwork(stations)).to.equal(false);
  });

  it('given an alarm and half of its stations that repeat one issuance, then it holds; with fewer, it ends', () => {
    expect(isHeld(RAISED, network(2, 4, 1))).to.equal(true);
    expect([network(1, 4, 1), []].map((stations) => isHeld(RAISED, stations))).to.deep.equal([false, false]);
    const ofOne = { station_id: 'K3' } as Alarm;
    expect([network(3, 4), network(4, 4)].map((stations) => isHeld(ofOne, stations))).to.deep.equal([
      false,
      true,
    ]);
  });
});

describe('providers that stand still', () => {
  const draws = range({ test: 3, ci: 6, stress: 20 }, [...Array(20).keys()]);

  for (const chance of [0.02, 0.12, 0.3]) {
    it(`given a network with ${chance * 100} % of values staying, when it goes stale, then 3 issuances tell it`, async () => {
      for (const seed of draws) {
        const after = storeOf(seed, { stations: 40, issuances: 200, chance, staleFrom: 180 });
        const told = await after(150, 190);
        expect(told.slice(0, 30).flat()).to.deep.equal([]);
        const first = told.findIndex((alarms) => alarms.some(({ station_id }) => station_id === null));
        expect(first).to.be.within(30, 32);
        // It goes on, under the same day.
        const day = new Date(at(180)).toISOString().slice(0, 10);
        expect(told.slice(first).map((alarms) => alarms.map(({ since }) => since))).to.deep.equal(
          told.slice(first).map(() => [day]),
        );
      }
    });
  }

  it('given one station that goes stale, then an alarm names it after 5 issuances or more, by chance', async () => {
    for (const [chance, least, most] of [
      [0.02, 5, 5],
      [0.12, 6, 9],
    ] as const) {
      const after = storeOf(31, { stations: 40, issuances: 220, chance, staleFrom: 180, staleStations: 1 });
      const told = await after(170, 200);
      expect(told.slice(0, 10).flat()).to.deep.equal([]);
      const first = told.findIndex((alarms) => alarms.length > 0);
      expect(first - 9, `${chance}`).to.be.within(least, most);
      expect(told[first]).to.have.length(1);
      expect(told[first]![0]).to.include({ kind: 'stale', provider: 'one', station_id: 'S0' });
      expect(told[first]![0]?.message).to.match(
        /^one: S0 repeats the values of the issuance before, \d times in a row/,
      );
    }
  });

  it('given a provider that issues once a day, when a station goes stale, then 5 issuances tell it', async () => {
    const world = { stations: 40, issuances: 120, chance: 0.02, hours: 24 };
    const after = storeOf(37, { ...world, staleFrom: 100, staleStations: 1 });
    const told = await after(95, 106);
    expect(told.findIndex((alarms) => alarms.length > 0)).to.equal(9);
    expect(told[9]![0]).to.include({ provider: 'one', station_id: 'S0' });
  });

  it('given a provider that is requested more often than it issues, then its repeats are no freeze', async () => {
    const world = { stations: 40, issuances: 120, chance: 0.02, hours: 24, polledFrom: 100 };
    expect((await storeOf(38, world)(95, 106)).flat()).to.deep.equal([]);
    const stale = await storeOf(39, { ...world, staleFrom: 103 })(95, 106);
    expect(stale.findIndex((alarms) => alarms.some(({ station_id }) => station_id === null))).to.equal(9);
  });

  it('given other providers that issued nothing since, then nobody knows whether the weather stood still', async () => {
    const world = { stations: 40, issuances: 200, chance: 0.05, staleFrom: 180 };
    expect((await storeOf(40, { ...world, othersEnd: 179 })(180, 183)).flat()).to.deep.equal([]);
    expect((await storeOf(40, world)(180, 183)).flat()).not.to.deep.equal([]);
  });

  it('given a network that moves again, then its alarm ends', async () => {
    const after = storeOf(32, { stations: 40, issuances: 200, chance: 0.12, staleFrom: 180 });
    const [held] = (await after(185, 185)) as [Alarm[]];
    const moving = storeOf(33, { stations: 40, issuances: 200, chance: 0.12 });
    expect(held).to.have.length(1);
    expect((await moving(190, 190)).flat()).to.deep.equal([]);
  });

  it('given a network in which the others stand still as well, then the weather does', async () => {
    const after = storeOf(34, {
      stations: 40,
      issuances: 200,
      chance: 0.05,
      staleFrom: 180,
      othersStand: true,
    });
    expect((await after(180, 190)).flat()).to.deep.equal([]);
  });

  it('given a network without 14 days of past, or one that often stands still, then there is no alarm', async () => {
    const young = storeOf(35, { stations: 40, issuances: 30, chance: 0.05, staleFrom: 20 });
    expect((await young(15, 29)).flat()).to.deep.equal([]);
    const lazy = storeOf(36, { stations: 40, issuances: 200, chance: 0.8, staleFrom: 180 });
    expect((await lazy(180, 184)).flat()).to.deep.equal([]);
  });
});
