import { expect } from 'chai';
import type { Alarm } from '../../../src/watch/alarm.js';
import type { NetworkDays } from '../../../src/watch/network-days.js';
import { shiftedProviders, shiftOf, WATCHED_HISTORY_DAYS } from '../../../src/watch/shifted.js';
import { plusDays } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { range } from '../../support/runner/range.js';

const FIRST = '2024-01-01';
const PROVIDERS = ['one', 'three', 'two'];
const STATIONS = 164;

/** Mean errors of three providers over a network, hundredths of a °F; the weather of a day is the same for all. */
function simulated(seed: number, days: number, shiftedFrom = Infinity): NetworkDays[] {
  const random = new Random(seed);
  const weather = random.lasting(0.5);
  const own = PROVIDERS.map(() => random.lasting(0.3));
  const errors = PROVIDERS.map((): number[] => []);
  for (let day = 0; day < days; day += 1) {
    const ofDay = 150 * weather();
    PROVIDERS.forEach((_, at) => {
      const ofStations = (250 / Math.sqrt(STATIONS)) * random.gaussian();
      errors[at]!.push(
        40 * at + ofDay + 12 * own[at]!() + ofStations + (at === 1 && day >= shiftedFrom ? 50 : 0),
      );
    });
  }
  return PROVIDERS.map((provider, at) => ({
    ...{ metric: 'high', provider, days: errors[at]!.map((_, day) => day) },
    station_days: errors[at]!.map(() => STATIONS),
    compared_days: errors[at]!.map(() => STATIONS),
    errors: errors[at]!,
    departures: errors[at]!.map((error, day) => {
      const [a = 0, b = 0] = errors.flatMap((each, other) => (other === at ? [] : [each[day]!]));
      return error - (a + b) / 2;
    }),
  }));
}

/** The days up to one, as a load would read them after it. */
const until = (network: readonly NetworkDays[], last: number): NetworkDays[] =>
  network.map((row) => {
    const cut = (values: readonly number[]): number[] =>
      values.slice(Math.max(0, last - WATCHED_HISTORY_DAYS + 1), last + 1);
    return {
      ...row,
      ...{ days: cut(row.days), station_days: cut(row.station_days), errors: cut(row.errors) },
      ...{ compared_days: cut(row.compared_days), departures: cut(row.departures) },
    };
  });

describe('providers that have changed', () => {
  const draws = range({ test: 20, ci: 200 }, [...Array(200).keys()]);

  it('given one of three whose errors move by 0.5 °F, then an alarm names it, its day and its shift within 30 days, in 90 % of draws', () => {
    let told = 0;
    for (const seed of draws) {
      const network = simulated(seed, 530, 500);
      for (let day = 500; day < 530; day += 1) {
        const [alarm, ...more] = shiftedProviders(until(network, day), FIRST);
        if (alarm?.provider !== 'three' || more.length > 0) continue;
        told += 1;
        expect(alarm.shift_f).to.be.within(0.2, 1.2);
        expect(alarm.since > plusDays(FIRST, 475), alarm.since).to.equal(true);
        break;
      }
    }
    expect(told / draws.length).to.be.at.least(0.9);
  });

  it('given three that do not change, then there is at most one alarm for each and two years', () => {
    let alarms = 0;
    const years = draws.slice(0, draws.length / 10);
    for (const seed of years) {
      const network = simulated(1000 + seed, 790);
      let before: Alarm[] = [];
      for (let day = 60; day < 790; day += 1) {
        const now = shiftedProviders(until(network, day), FIRST, before);
        alarms += now.filter((each) => !before.some(({ provider }) => provider === each.provider)).length;
        before = now;
      }
    }
    expect(alarms / years.length / PROVIDERS.length).to.be.at.most(1);
  });

  it('given a shift, then its alarm ends when the new errors are 60 days old', () => {
    const random = new Random(5);
    const series = Array.from({ length: 500 }, (_, day) => 20 * random.gaussian() + (day >= 300 ? 100 : 0));
    const alarmed = series.flatMap((_, day) => (day > 250 && shiftOf(series.slice(0, day + 1)) ? [day] : []));
    expect(alarmed[0]).to.be.within(300, 306);
    expect(alarmed.at(-1)).to.be.within(355, 400);
  });

  it('given a mean that wanders with the seasons, then a change as it has had before is no shift', () => {
    const random = new Random(6);
    const season = (day: number): number => 100 * Math.sin((2 * Math.PI * day) / 365);
    const series = Array.from({ length: 485 }, (_, day) => season(day) + 20 * random.gaussian());
    expect(shiftOf(series)).to.equal(undefined);
  });

  it('given two providers, then both are named, since either may have changed', () => {
    const three = simulated(7, 530, 505);
    const [, one] = three;
    const own = one!.errors.map((error, day) => ({ error, other: three[0]!.errors[day]! }));
    const two: NetworkDays[] = [
      { ...three[0]!, departures: own.map(({ error, other }) => other - error) },
      { ...one!, departures: own.map(({ error, other }) => error - other) },
    ];
    expect(shiftedProviders(two, FIRST).map(({ provider }) => provider)).to.deep.equal(['one', 'three']);
  });

  it('given a provider alone, then its own errors count', () => {
    const days = [...Array(130).keys()];
    const random = new Random(8);
    const alone: NetworkDays = {
      ...{
        metric: 'low',
        provider: 'one',
        days,
        station_days: days.map(() => 9),
        compared_days: days.map(() => 0),
      },
      departures: days.map(() => 0),
      errors: days.map((day) => 30 * random.gaussian() + (day >= 110 ? -150 : 0)),
    };
    const [alarm] = shiftedProviders([alone], FIRST);
    expect(alarm).to.include({ provider: 'one', metric: 'low', since: plusDays(FIRST, 109) });
    expect(alarm?.message).to.match(
      /^one: its lows moved by -1\.\d+ °F since 2024-04-19, by its errors; 21 days of 9 stations/,
    );
  });
});
