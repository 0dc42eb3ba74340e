import { join } from 'node:path';
import { expect } from 'chai';
import { load } from '../../src/ingest/load.js';
import type { Rows } from '../../src/sql.js';
import { addDays, DAY_MS, dayNumber } from '../../src/statistics/time/calendar.js';
import type { Alarm } from '../../src/watch/alarm.js';
import type { IssuanceRepeats } from '../../src/watch/issuance-repeats.js';
import { freshNetworkDays, type NetworkDays } from '../../src/watch/network-days.js';
import { shiftedProviders, WATCHED_HISTORY_DAYS } from '../../src/watch/shifted.js';
import { frozenAlarms } from '../../src/watch/watch.js';
import { feedFile, folderOf, linesOf, rowsOf } from '../support/real-data.js';
import { openTestStore } from '../support/store.js';

// The alarms of real providers, load by load. The folders are no part of this repository.

const [NWS, PROVIDERS] = [folderOf('NWS_2021_DIR'), folderOf('PROVIDERS_DIR')];

/** The alarms that shifted providers would have raised, each day after the first 60. */
function shifts(network: readonly NetworkDays[], first_date: string): string[] {
  const told: string[] = [];
  const last = Math.max(...network.flatMap(({ days }) => days));
  let before: Alarm[] = [];
  for (let day = 60; day <= last; day += 1) {
    const until = network.map((row) => {
      const places = row.days.flatMap((each, at) =>
        each <= day && each > day - WATCHED_HISTORY_DAYS ? [at] : [],
      );
      const cut = (values: readonly number[]): number[] => places.map((at) => values[at]!);
      return {
        ...row,
        ...{ days: cut(row.days), station_days: cut(row.station_days), errors: cut(row.errors) },
        ...{ compared_days: cut(row.compared_days), departures: cut(row.departures) },
      };
    });
    const alarms = shiftedProviders(
      until.filter(({ days }) => days.length > 0),
      first_date,
      before,
    );
    const keyOf = ({ provider, metric }: Alarm): string => `${provider} ${metric}`;
    for (const each of alarms)
      if (!before.some((other) => keyOf(other) === keyOf(each)))
        told.push(`${addDays(first_date, day)}: ${each.message}`);
    before = alarms;
  }
  return told;
}

describe('the watch over real providers', function () {
  this.timeout(900_000);

  it('given the National Weather Service for 164 cities, issuance by issuance, then nothing looks frozen or shifted', async () => {
    const store = await openTestStore();
    const { watch, watch_failed } = await load(store, {
      stations: [join(NWS, 'stations.csv')],
      forecasts: feedFile('forecasts', linesOf(join(NWS, 'forecasts.csv.gz'))),
      observations: feedFile('observations', linesOf(join(NWS, 'observations.csv.gz'))),
    });
    const instants = [
      ...new Set(rowsOf(join(NWS, 'forecasts.csv.gz')).map(([, issued = '']) => Date.parse(issued))),
    ];
    instants.sort((a, b) => a - b);
    const told: string[] = [];
    let before: Alarm[] = [];
    for (const now of instants) {
      /** The store as it was at an issuance. */
      const query = async <Row>(rows: Rows<Row>): Promise<Row[]> => {
        const found = (await store.query(rows)) as IssuanceRepeats[];
        return found.flatMap((row) => {
          const kept = row.issued.filter((issued) => issued <= now);
          if (kept.length === 0) return [];
          return [{ ...row, issued: kept, repeated: row.repeated.slice(0, kept.length) }] as Row[];
        });
      };
      before = await frozenAlarms({ query }, 'default', now, before);
      told.push(...before.map(({ message }) => message));
    }
    expect(told).to.deep.equal([]);
    expect(watch?.alarms, watch_failed).to.deep.equal([]);
    const network = await freshNetworkDays(store, '2021-01-30', 2);
    expect(network ?? []).to.deep.equal([]); // the load has worked them out
    await store.close();
  });

  it('given 21 years of two MOS, then each is told to have changed at most once in two years', () => {
    const observed = new Map(
      rowsOf(join(PROVIDERS, 'ghcnd-highs.csv.gz')).map(([id, date, high]) => [
        `${id} ${date}`,
        Number(high),
      ]),
    );
    const forecasts = new Map<string, Map<string, number>>();
    for (const [id, provider = '', , date, high] of rowsOf(join(PROVIDERS, 'mos-highs.csv.gz'))) {
      const key = `${id} ${date}`;
      if (!observed.has(key)) continue;
      forecasts.set(key, (forecasts.get(key) ?? new Map<string, number>()).set(provider, Number(high)));
    }
    const first = '2004-01-01';
    const byDay = new Map<number, { gfs: number; nam: number }[]>();
    for (const [key, values] of forecasts) {
      const [gfs, nam] = [values.get('gfs-mos'), values.get('nam-mos')];
      if (gfs === undefined || nam === undefined) continue;
      const day = dayNumber(key.split(' ')[1]!) - dayNumber(first);
      const actual = observed.get(key)!;
      byDay.set(day, [...(byDay.get(day) ?? []), { gfs: gfs - actual, nam: nam - actual }]);
    }
    const days = [...byDay.keys()].filter((day) => day >= 0).sort((a, b) => a - b);
    const mean = (values: readonly number[]): number =>
      (100 * values.reduce((sum, value) => sum + value, 0)) / values.length;
    const series = (own: 'gfs' | 'nam', other: 'gfs' | 'nam'): NetworkDays => ({
      ...{ metric: 'high', provider: `${own}-mos`, days },
      station_days: days.map((day) => byDay.get(day)!.length),
      compared_days: days.map((day) => byDay.get(day)!.length),
      errors: days.map((day) => mean(byDay.get(day)!.map((each) => each[own]))),
      departures: days.map((day) => mean(byDay.get(day)!.map((each) => each[own] - each[other]))),
    });
    const told = shifts([series('gfs', 'nam'), series('nam', 'gfs')], first).filter((each) =>
      each.includes('gfs-mos:'),
    );
    console.log(told.map((each) => `      ${each}`).join('\n'));
    const years = ((days.at(-1)! - days[0]!) * DAY_MS) / (365.25 * DAY_MS);
    expect(told.length).to.be.at.most(years / 2);
  });
});
