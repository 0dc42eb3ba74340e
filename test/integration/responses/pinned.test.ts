import { expect } from 'chai';
import { DOWNLOADS, ENDPOINTS } from '../../../src/endpoints.js';
import type { Store } from '../../../src/store/store.js';
import { Contract, NEEDED } from '../../support/contract/contract.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { plusDays } from '../../support/plain/oracle.js';
import { Random } from '../../support/random.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { startTestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Guards that an answer of a past version depends on nothing of today (D31): every endpoint is asked on two days, months
// apart, and once more after further loads. The questions are made of the parameters that it lists, so none escapes.

const DAY_MS = 86_400_000;
const API = '/api/v1';

/** Answers of no version: the state of the service, and lists of what there is. */
const OF_NO_VERSION = [
  `${API}/accuracy/freshness`,
  `${API}/stations/metadata`,
  `${API}/providers`,
  `${API}/loads`,
  `${API}/usage`,
  `${API}/export/facts`, // it names its version by itself
  `${API}`,
];

// Loads are recorded by the clock of the store, so the days of these data are those around today.
const TODAY = new Date().toISOString().slice(0, 10);
const dayBefore = (days: number): string => plusDays(TODAY, -days);

/** The versions that are asked for: of all data, and of the stations alone. */
const VERSIONS = range({ test: 1, ci: 2 }, ['v3', 'v1']);

/** Samples of parameters that have no list of values. */
const SAMPLES: Record<string, string> = {
  station_id: 'station_id=KORD',
  city: 'city=Chicago',
  stations: 'stations=LHR,KORD',
  days: 'days=9',
  date_from: `date_from=${dayBefore(20)}`,
  date_to: `date_to=${dayBefore(2)}`,
  provider: 'provider=other',
  providers: 'providers=other,first',
  reference: 'reference=other',
  group_by: 'group_by=country,month',
  lead_time_bucket: 'lead_time_bucket=12-24h,24-48h',
  known_at: `known_at=${dayBefore(1)}`,
  thresholds: 'thresholds=2',
  brackets: 'brackets=80-81',
  cost_loss: 'cost_loss=0.2',
  min_coverage: 'min_coverage=0.7',
  min_samples: 'min_samples=3',
  threshold: 'threshold=1',
  range_width: 'range_width=3',
  range_offset: 'range_offset=1',
  limit: 'limit=3',
  window: 'window=30',
  verified_only: 'verified_only=true',
  forecast: 'forecast=60',
  forecast_temp: 'forecast_temp=60',
  forecast_for_date: `forecast_for_date=${dayBefore(3)}`,
  target_date: `target_date=${dayBefore(3)}`,
  lead_hours: 'lead_hours=20',
  hour: 'hour=9',
  country: 'country=US',
  climate_zone: 'climate_zone=Dfa',
  near: 'near=41.96,-87.93',
  radius_km: 'near=41.96,-87.93&radius_km=400',
  bbox: 'bbox=-90,40,-80,45',
  issued_hour: 'issued_hour=10,22',
  start_time: `start_time=${dayBefore(9)}`,
  end_time: `end_time=${dayBefore(2)}`,
  units: 'units=metric',
  wet_at: 'wet_at=1mm&metric=wet_day',
  base: 'base=18c&metric=hdd',
  cap: 'cap=30c&metric=gdd',
};

/** The parameters that a value of a list needs beside it. */
const BESIDE: Record<string, string> = {
  distance: '&near=41.96,-87.93',
  exact: '&metric=cdd',
  nws: '&metric=cdd',
};

/** Parameters that a sample would make another question of: the rest of a page, and a mark of CSV. */
const WITHOUT_SAMPLE = ['as_of', 'cursor', 'bom'];

/** A day that had begun, by what was known then: always asked. */
const BEGUN = `${API}/probability?station_id=KORD&target_date=${dayBefore(2)}&known_at=${dayBefore(2)}T20:00:00Z`;

/** Questions that the parameters, one by one, do not ask. */
const MORE: Record<string, string[]> = {
  [`${API}/probability`]: [
    'station_id=KORD', // the stored forecast of the day of the version
    `station_id=KORD&target_date=${dayBefore(5)}`,
    `station_id=KORD&forecast=60&target_date=${plusDays(TODAY, 2)}`, // its lead follows from the version
    `station_id=KORD&providers=first,other&lead_hours=20&target_date=${dayBefore(5)}`,
  ],
};

/** An answer without its moments. */
const lasting = (text: string): string =>
  text.replaceAll(/"(generated_at|local_generated_at|request_id)":"[^"]*"|"query_time_ms":\d+/g, '');

describeInCi('answers of past versions, given every endpoint (D31)', function () {
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  const station = (id: string, city: string, zone: string, alias: string, iata: string): string =>
    `${id},${city},US,41.96,-87.93,${zone},Dfa,true,${alias},${iata}`;
  const STATIONS = [
    station('EGLL', 'London', 'Europe/London', '', 'LHR'),
    station('KORD', 'Chicago', 'America/Chicago', 'Windy City', 'ORD'),
    station('KSEA', 'Seattle', 'America/Los_Angeles', '', 'SEA'),
  ];

  /** Forecasts of a provider, the observations and the hours of some days of some stations, by a seed. */
  function data(
    provider: string,
    ids: readonly string[],
    seed: number,
    columns = '',
  ): Record<'forecasts' | 'observations' | 'hours', string[]> {
    const random = new Random(seed);
    const found = { forecasts: [] as string[], observations: [] as string[], hours: [] as string[] };
    for (const id of ids) {
      for (let ago = 95; ago >= -3; ago -= 1) {
        const date = dayBefore(ago);
        const high = 60 + random.below(20);
        for (const hours of [2, 14, 30]) {
          const issued = new Date(Date.parse(date) - hours * 3_600_000).toISOString();
          found.forecasts.push(
            `${id},${issued},${date},${high + random.below(7) - 3},${high - 20},${provider}${columns},2,3`,
          );
        }
        if (ago > 0) {
          found.observations.push(
            `${id},${date},${high},${high - 21},verified,${plusDays(date, 1)}T12:00:00Z${columns}`,
          );
          for (let hour = 0; hour < 24; hour += 1) {
            const at = new Date(Date.parse(date) + (hour + 0.85) * 3_600_000).toISOString();
            found.hours.push(`${id},${at},${high - random.below(22)},,,,${columns}`);
          }
        }
      }
    }
    return found;
  }

  it('when a question is put again months and loads later, then its answer is the same to the byte', async () => {
    const load = async (...[lines]: [Parameters<typeof loadLines>[1]]): Promise<void> => {
      const { rejections } = await loadLines(store, { columns: 'all', ...lines });
      expect(rejections).to.deep.equal([]);
    };
    const whole = (lines: readonly string[]): string[] => lines.map((line) => `${line},civil,false`);
    let now = new Date(Date.now() + DAY_MS);
    const service = await startTestService(store, { now: () => now, cacheBytes: 0 });
    const { document } = await Contract.of(service);

    /** The questions of each path, as the document lists its parameters. */
    const questions = [...ENDPOINTS.flatMap(({ paths }) => paths), ...DOWNLOADS.map(({ path }) => path)].map(
      (route) => {
        const path = `${API}${route.replace(':station_id', '{station_id}')}`;
        const parameters = document.paths[path]?.get?.parameters ?? [];
        if (!parameters.some(({ name }) => name === 'as_of')) {
          expect(OF_NO_VERSION, 'takes no as_of').to.include(path);
          return [];
        }
        const needed = NEEDED[path] ?? '';
        const asked = parameters.flatMap(({ name, in: place, schema }) => {
          if (place !== 'query' || WITHOUT_SAMPLE.includes(name) || needed.includes(`${name}=`)) return [];
          // A blend reads stored forecasts, and takes none.
          if (name === 'providers' && needed.includes('forecast=')) return [];
          // Parquet has no text to compare.
          const values = (schema.enum as string[] | undefined)?.filter((value) => value !== 'parquet');
          const sample = SAMPLES[name] ?? (schema.type === 'boolean' ? `${name}=true` : undefined);
          const found = values?.map((value) => `${name}=${value}${BESIDE[value] ?? ''}`) ?? [sample];
          expect(found, `a sample of ${name} for ${path}`).not.to.include(undefined);
          // Values that could be known are told of 31 days at most.
          const days = name === 'known_at' && parameters.some((each) => each.name === 'days') ? 'days=9' : '';
          return found.map((each) => [needed, each, days].filter((part) => part !== '').join('&'));
        });
        return range({ test: 1, ci: 1, stress: Infinity }, [needed, ...(MORE[path] ?? []), ...asked]).map(
          (query) => `${path.replace('{station_id}', 'KORD')}?${query}`,
        );
      },
    );
    type Answers = Map<string, { status: number; text: string }>;
    const answers = async (version: string): Promise<Answers> => {
      const found: Answers = new Map();
      // The stations alone have little to say.
      const left =
        version === 'v1' ? questions.flatMap(([first]) => first ?? []) : [...questions.flat(), BEGUN];
      const ask = async (): Promise<void> => {
        for (let question = left.shift(); question !== undefined; question = left.shift()) {
          const { status, text } = await service.get(`${question}&as_of=${version}`);
          found.set(`${question}&as_of=${version}`, { status, text: lasting(text) });
        }
      };
      await Promise.all([ask(), ask()]); // as many exports as may be under way
      return found;
    };

    await load({ stations: whole(STATIONS) });
    const then: Answers = new Map(VERSIONS.includes('v1') ? await answers('v1') : []);
    const first = data('first', ['EGLL', 'KORD', 'KSEA'], 1, ',false');
    await load(first);
    await load({ forecasts: data('other', ['EGLL', 'KORD'], 2, ',false').forecasts });
    const ofData = await answers('v3');
    const refused = [...ofData].filter(([, { status }]) => status !== 200);
    expect(refused, 'questions without an answer').to.deep.equal([]);
    for (const [question, answer] of ofData) then.set(question, answer);
    expect(ofData.get(`${BEGUN}&as_of=v3`)?.text)
      .to.include('"cases":180')
      .and.include('"method":"day_so_far"');
    const expectThen = async (): Promise<void> => {
      const changed: string[] = [];
      for (const version of VERSIONS) {
        for (const [question, { status, text }] of await answers(version)) {
          const before = then.get(question);
          if (before?.status === 200 && text !== before.text) changed.push(`${status} ${question}`);
        }
      }
      expect(changed, 'questions whose answer is another now').to.deep.equal([]);
    };
    now = new Date(now.getTime() + 130 * DAY_MS);
    const many = Array.from({ length: 7 }, (_, nth) =>
      data(`a-${nth}`, ['KORD'], 4 + nth, ',false').forecasts.slice(-30),
    );
    await load({
      stations: whole([
        station('EGLL', 'Heathrow', 'Europe/Paris', 'London', ''),
        station('KNEW', 'Chicago', 'America/Denver', 'Windy City', 'LHR'),
        station('KORD', "O'Hare", 'America/New_York', '', 'ORD'),
      ]),
      ...data('first', ['EGLL', 'KORD', 'KNEW'], 3, ',false'),
    });
    const withdrawn = first.forecasts.slice(0, 50).map((line) => line.replace(/false,2,3$/, 'true,2,3'));
    await load({ forecasts: [...many.flat(), ...withdrawn] });
    await expectThen();
  });
});
