import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { load } from '../../src/ingest/load.js';
import type { Store } from '../../src/store/store.js';
import { addDays } from '../../src/statistics/time/calendar.js';
import { plusDays, startOfDay } from '../support/plain/oracle.js';
import { startTestService, type TestService } from '../support/service.js';
import { openTestStore, temporaryFolder } from '../support/store.js';

// Real forecasts of several providers, as one (D54). The folder is named by PROVIDERS_DIR; it is not part of this
// repository. It has fewer observations than the study that the figures come from: see each set below.

const directory = process.env.PROVIDERS_DIR;
if (directory === undefined) throw new Error('PROVIDERS_DIR: name the folder of the forecasts of several providers');

const HOUR = 3_600_000;

/** The cells of each row of a file, without its header. */
const rowsOf = (file: string): string[][] =>
  gunzipSync(readFileSync(join(directory, `${file}.csv.gz`)))
    .toString()
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','));

interface Feeds {
  stations: string[];
  forecasts: string[];
  observations: string[];
}

const stationLine = (id: string, zone: string): string => `${id},${id},US,40,-90,${zone},Dfa,true,,`;

const observationLine = (id: string, date: string, high: string): string =>
  `${id},${date},${high},,verified,${addDays(date, 1)}T12:00:00Z`;

const ZONES: Record<string, string> = {
  KBOS: 'America/New_York',
  KDEN: 'America/Denver',
  KDFW: 'America/Chicago',
  KMIA: 'America/New_York',
  KPHX: 'America/Phoenix',
};

/**
 * NWS and Open-Meteo, of the airports whose highs are there. The file has the date of fetching, and not the hour: here a
 * forecast is issued 15 hours before the next day begins, so that of the day ahead has a lead of 15 hours, and that of
 * three days ahead of 63.
 */
function fetchedFeeds(): Feeds {
  const forecasts = rowsOf('nws-openmeteo-10airports').flatMap(([id = '', provider, fetched = '', date = '', high]) => {
    const zone = ZONES[id];
    if (zone === undefined || fetched >= date) return [];
    const issued = new Date(startOfDay(plusDays(fetched, 1), zone) - 15 * HOUR).toISOString();
    return [`${id},${issued},${date},${high},,${provider}`];
  });
  return {
    stations: Object.entries(ZONES).map(([id, zone]) => stationLine(id, zone)),
    forecasts,
    observations: rowsOf('acis-highs').flatMap(([id = '', date = '', high = '']) =>
      id in ZONES && date >= '2025-10-01' ? [observationLine(id, date, high)] : [],
    ),
  };
}

/** GFS and NAM MOS at the three stations with highs: issued at 12Z of the day before. */
function mosFeeds(): Feeds {
  const zones: Record<string, string> = {
    KEWR: 'America/New_York',
    KNYC: 'America/New_York',
    KORD: 'America/Chicago',
  };
  return {
    stations: Object.entries(zones).map(([id, zone]) => stationLine(id, zone)),
    forecasts: rowsOf('mos-highs').flatMap(([id = '', provider, issued, date = '', high]) =>
      id in zones && date >= '2015-06-01' && date <= '2024-12-31'
        ? [`${id},${issued},${date},${high},,${provider}`]
        : [],
    ),
    observations: rowsOf('ghcnd-highs').flatMap(([id = '', date = '', high = '']) =>
      date >= '2015-06-01' ? [observationLine(id, date, high)] : [],
    ),
  };
}

async function loaded(feeds: Feeds): Promise<Store> {
  const store = await openTestStore();
  const folder = temporaryFolder();
  const headers = {
    stations:
      'station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,iata',
    forecasts: 'station_id,issued_at,target_date,high_f,low_f,provider',
    observations: 'station_id,date,high_f,low_f,status,observed_at',
  };
  const file = (name: keyof Feeds): [string] => {
    const path = join(folder, `${name}.csv`);
    writeFileSync(path, [headers[name], ...feeds[name], ''].join('\n'));
    return [path];
  };
  const report = await load(store, {
    stations: file('stations'),
    forecasts: file('forecasts'),
    observations: file('observations'),
  });
  console.log(JSON.stringify(report).slice(0,600));
  expect(report.outcome).to.equal('complete');
  return store;
}

interface Estimate {
  value: number;
  low: number;
  high: number;
}

interface Reliability {
  cases: number;
  days: number;
  cases_without_training: number;
  crps_f: Estimate;
  blend: {
    mae_f: number;
    members: Record<string, { weight: number; crps_f: number; mae_f: number; crps_difference_f: Estimate }>;
    best: { crps_f: number; mae_f: number; crps_difference_f: Estimate; chosen: Record<string, number> };
    compared_days: number;
    verdict: string;
  };
}

/** Answers of windows that follow each other. */
async function answersOf({ get }: TestService, query: string, from: string, to: string): Promise<Reliability[]> {
  const answers: Reliability[] = [];
  for (let first = from; first <= to; first = addDays(first, 366)) {
    const last = [addDays(first, 365), to].sort()[0]!;
    const path = `/api/v1/probability/reliability?${query}&date_from=${first}&date_to=${last}`;
    const { body } = (await get(path).expect(200)) as { body: { data: Reliability } };
    answers.push(body.data);
  }
  return answers.filter(({ cases }) => cases > 0);
}

/** The difference in CRPS from the best provider in percent of its own, with half the interval, over independent windows. */
function gainOf(answers: readonly Reliability[]): { cases: number; days: number; percent: number; reach: number } {
  const cases = answers.reduce((sum, each) => sum + each.cases, 0);
  const total = (of: (each: Reliability) => number): number =>
    answers.reduce((sum, each) => sum + (each.cases / cases) * of(each), 0);
  const best = total(({ blend }) => blend.best.crps_f);
  const squares = answers.reduce((sum, each) => {
    const { low, high } = each.blend.best.crps_difference_f;
    return sum + ((each.cases / cases) * ((high - low) / 2)) ** 2;
  }, 0);
  return {
    cases,
    days: answers.reduce((sum, each) => sum + each.blend.compared_days, 0),
    percent: (100 * total(({ blend }) => blend.best.crps_difference_f.value)) / best,
    reach: (100 * Math.sqrt(squares)) / best,
  };
}

describe('real forecasts of several providers, as one (D54)', function () {
  this.timeout(600_000);

  describe('NWS and Open-Meteo', () => {
    let store: Store;
    let service: TestService;
    before(async () => {
      store = await loaded(fetchedFeeds());
      service = await startTestService(store, { now: '2026-08-01T00:00:00Z' });
    });
    after(() => store.close());
    for (const [what, lead] of [
      ['a day ahead', 15],
      ['three days ahead', 63],
    ] as const) {
      it(what, async () => {
        const answers = await answersOf(service, `providers=nws,open-meteo&lead_hours=${lead}`, '2025-10-25', '2026-07-23');
        console.log(what, gainOf(answers), JSON.stringify(answers.map(({ cases, days, cases_without_training, crps_f, blend }) => ({ cases, days, cases_without_training, crps_f, blend }))));
      });
    }
  });

  describe('MOS', () => {
    let store: Store;
    let service: TestService;
    before(async () => {
      store = await loaded(mosFeeds());
      service = await startTestService(store, { now: '2026-08-01T00:00:00Z' });
    });
    after(() => store.close());
    for (const window of [67, 70, 80, 90]) {
      it(`${window}`, async () => {
        const answers = await answersOf(service, `providers=gfs-mos,nam-mos&lead_time_bucket=12-24h&window=${window}`, '2016-01-16', '2024-12-31');
        console.log(window, gainOf(answers), JSON.stringify(answers.map(({ cases, cases_without_training, blend }) => ({ cases, cases_without_training, m: blend.members['nam-mos'], c: blend.best.chosen }))));
      });
    }
  });
});
