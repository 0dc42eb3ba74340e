import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { load } from '../../src/ingest/load.js';
import type { FeedFiles } from '../../src/ingest/stage/stage.js';
import { distanceKm } from '../../src/stations/choice.js';
import { dataOf } from '../support/answers.js';
import { Random } from '../support/random.js';
import {
  feedFile,
  folderOf,
  linesOf,
  OBSERVATION_COLUMNS,
  rowsOf,
  STATION_COLUMNS,
} from '../support/real-data.js';
import { startTestService } from '../support/service.js';
import { openTestStore } from '../support/store.js';

// How many real observations are listed as doubtful, and how many with a fault of 10 °F. The folders are named by NWS_2021_DIR,
// HOURS_DIR and PROVIDERS_DIR; they are not part of this repository.

const [NWS, HOURS, PROVIDERS] = [folderOf('NWS_2021_DIR'), folderOf('HOURS_DIR'), folderOf('PROVIDERS_DIR')];

type Listed = { station_id: string; date: string; metric: 'high' | 'low'; reasons: string[] };
const keyOf = ({ station_id, date, metric }: Pick<Listed, 'station_id' | 'date' | 'metric'>): string =>
  `${station_id} ${date} ${metric}`;

/** The rows of observations with a fault of 10 °F, up or down, in every report of some days. */
function withFaults(lines: readonly string[], share: number) {
  const random = new Random(1021);
  const drawn = new Map<string, number>();
  const days = new Set<string>();
  const rows = lines.map((line) => {
    const [station_id = '', date = '', ...cells] = line.split(',');
    for (const [at, metric] of (['high', 'low'] as const).entries()) {
      if (cells[at] === '') continue;
      const key = keyOf({ station_id, date, metric });
      if (!drawn.has(key)) drawn.set(key, random.next() < share ? random.of([-10, 10]) : 0);
      days.add(key);
      cells[at] = String(Number(cells[at]) + drawn.get(key)!);
    }
    return [station_id, date, ...cells].join();
  });
  return { rows, days, faults: new Set([...drawn].flatMap(([key, fault]) => (fault === 0 ? [] : [key]))) };
}

async function listedOf(files: FeedFiles, first: string, days: number): Promise<Listed[]> {
  const store = await openTestStore();
  expect((await load(store, files)).outcome).to.equal('complete');
  const service = await startTestService(store, { now: '2026-11-20T00:00:00Z' });
  const found: Listed[] = [];
  for (const metric of ['high', 'low'])
    found.push(
      ...(await dataOf<Listed[]>(
        service,
        `data/suspects?date_from=${first}&date_to=${new Date(Date.parse(first) + (days - 1) * 86_400_000).toISOString().slice(0, 10)}&metric=${metric}&limit=50000`,
      )),
    );
  await store.close();
  return found;
}

const percent = (part: number, whole: number): string =>
  `${((100 * part) / whole).toFixed(2)} % (${part} of ${whole})`;

describe('observations in doubt, given real ones', function () {
  this.timeout(600_000);

  describe('of 164 cities with one provider', () => {
    const lines = linesOf(join(NWS, 'observations.csv.gz'));
    const files = (observations: readonly string[]): FeedFiles => ({
      stations: [join(NWS, 'stations.csv')],
      forecasts: [join(NWS, 'forecasts.csv.gz')],
      observations: feedFile('observations', [lines[0]!, ...observations]),
    });
    const places = linesOfPlain(join(NWS, 'stations.csv'));
    const hasNeighbour = new Set(
      places
        .filter((one) => places.some((other) => other !== one && distanceKm(one, other) <= 100))
        .map(({ id }) => id),
    );

    it('then fewer than 0.2 % of the station days are listed', async () => {
      const { days } = withFaults(lines.slice(1), 0);
      const listed = await listedOf(files(lines.slice(1)), '2021-01-30', 183);
      const byReason = new Map<string, number>();
      for (const reason of listed.flatMap(({ reasons }) => reasons))
        byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
      console.log(
        `      listed: ${percent(listed.length, days.size)}; ${[...byReason].map(([reason, all]) => `${reason} ${all}`).join(', ')}`,
      );
      expect(listed.length / days.size).to.be.below(0.002);
    });

    it('then three quarters of faults of 10 °F beside a neighbour are listed, of others those of 15 °F', async () => {
      const { rows, faults } = withFaults(lines.slice(1), 0.03);
      const listed = new Set((await listedOf(files(rows), '2021-01-30', 183)).map(keyOf));
      const shares = [true, false].map((isNear) => {
        const those = [...faults].filter((key) => hasNeighbour.has(key.split(' ')[0]!) === isNear);
        return { found: those.filter((key) => listed.has(key)).length, all: those.length };
      });
      const [near, alone] = shares as [(typeof shares)[0], (typeof shares)[0]];
      console.log(
        `      faults listed: with a neighbour ${percent(near.found, near.all)}, without ${percent(alone.found, alone.all)}, of all ${percent(near.found + alone.found, faults.size)}`,
      );
      expect(near.found / near.all).to.be.at.least(0.75);
    });
  });

  it('of three airports with hours, then 95 % of faults of 10 °F are listed, and under 0.2 % of others', async () => {
    const ids = ['KEWR', 'KJFK', 'KLGA'];
    const isOfYear = (date: string): boolean => /^20(13|22|23)/.test(date);
    const observations = rowsOf(join(PROVIDERS, 'ghcnd-highs.csv.gz'))
      .filter(([id = '', date = '']) => ids.includes(id) && isOfYear(date))
      .map(
        ([id, date = '', high]) =>
          `${id},${date},${high},,verified,${new Date(Date.parse(date) + 36 * 3_600_000).toISOString()}`,
      );
    const { rows, days, faults } = withFaults(observations, 0.05);
    const listed = await [2013, 2022].reduce(
      async (before, year) => [
        ...(await before),
        ...(await listedOf(
          {
            stations: feedFile('stations', [
              STATION_COLUMNS,
              ...[
                'KEWR,Newark,US,40.68,-74.17',
                'KJFK,Kennedy,US,40.64,-73.76',
                'KLGA,LaGuardia,US,40.78,-73.88',
              ].map((each) => `${each},America/New_York,Cfa,true,,,standard`),
            ]),
            forecasts: feedFile('forecasts', [
              'station_id,issued_at,target_date,high_f,low_f,provider',
              ...rowsOf(join(PROVIDERS, 'mos-highs.csv.gz'))
                .filter(([id = '', , , date = '']) => ids.includes(id) && isOfYear(date))
                .map(([id, provider, issued, date, high]) => [id, issued, date, high, '', provider].join()),
            ]),
            observations: feedFile('observations', [OBSERVATION_COLUMNS, ...rows]),
            hours: feedFile('hours', [
              'station_id,at,temp_f',
              ...rowsOf(join(HOURS, 'nyc3-hours.csv.gz'))
                .filter(([, , temp]) => temp !== '')
                .map((row) => row.join()),
            ]),
          },
          `${year}-01-01`,
          year === 2013 ? 365 : 730,
        )),
      ],
      Promise.resolve<Listed[]>([]),
    );
    const found = listed.filter((each) => faults.has(keyOf(each)));
    const others = listed.filter((each) => !faults.has(keyOf(each)));
    console.log(
      `      listed: faults ${percent(found.length, faults.size)}, others ${percent(others.length, days.size - faults.size)}`,
    );
    expect(found.length / faults.size).to.be.at.least(0.95);
    expect(others.length / (days.size - faults.size)).to.be.below(0.004);
  });
});

/** The places of a file of stations, whose city names may have commas. */
function linesOfPlain(path: string): { id: string; latitude: number; longitude: number }[] {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [, id = '', latitude, longitude] = /^([^,]*),.*?,[A-Z]{2},([-\d.]+),([-\d.]+),/.exec(line)!;
      return { id, latitude: Number(latitude), longitude: Number(longitude) };
    });
}
