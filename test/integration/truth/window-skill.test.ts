import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { barOf, brierOf, valueAt, type WetPair } from '../../support/plain/wet-days.js';
import { Random } from '../../support/random.js';
import {
  type Compared,
  compareWithScript,
  NOT_RECOMPUTED_OF_WINDOWS,
} from '../../support/recompute/compare.js';
import { COVERED_OF_CHANCES, drawChanceRequest } from '../../support/recompute/requests.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MINUTE = 60_000;
type Row = Record<string, unknown>;

/** Stations, by how many hours their midnight is after that of UTC. */
const STATIONS = { W000: ['America/Phoenix', 7], W001: ['Asia/Tokyo', -9] } as const;
type StationId = keyof typeof STATIONS;
const IDS = Object.keys(STATIONS) as StationId[];
/** Hours of each window, and how often one ends. */
const WINDOWS = { wet_12h: [12, 12], wet_6h: [6, 6], wet_1h: [1, 5] } as const;
type Window = keyof typeof WINDOWS;
const METRICS = [...(Object.keys(WINDOWS) as Window[]), 'wet_day'] as const;
type Metric = (typeof METRICS)[number];
const PROVIDERS = ['default', 'other'] as const;
const LEADS = { '0-6h': 3, '12-24h': 20, '48-72h': 60 } as const;

/** Days of a year's season with forecasts, and days before and after them that have reports. */
const [DAYS, BEFORE, AFTER] = [8, 12, 9];
const [LAST_YEAR, YEARS] = [2098, 5];
const FIRST_OF = (year: number): number => Date.UTC(year, 0, 5);
const requestOf = (year: number): string =>
  `date_from=${year}-01-05&date_to=${year}-01-${4 + DAYS < 10 ? '0' : ''}${4 + DAYS}`;

interface Case extends WetPair {
  metric: Metric;
  /** When its window ends, or its day begins. */
  at: number;
}

/** Amounts of hours and days, hundredths of an inch, and chances of five years. */
function makeWorld() {
  const random = new Random(20_981);
  /** By station and the end of their hour, or the UTC midnight of their date. */
  const [hours, days] = [new Map<string, number>(), new Map<string, number>()];
  const forecasts: Omit<Case, 'wet'>[] = [];
  for (const station_id of IDS)
    for (let year = LAST_YEAR - YEARS + 1; year <= LAST_YEAR; year += 1) {
      // The second station has none in two of the years.
      const isSilent = station_id === 'W001' && year % 5 < 2;
      const [from, to] = [FIRST_OF(year) - BEFORE * DAY, FIRST_OF(year) + (DAYS + AFTER) * DAY];
      for (let at = from; at < to && !isSilent; at += HOUR) {
        const isWet = random.next() < (at % DAY < 8 * HOUR ? 0.3 : 0.05);
        if (random.next() > 0.01) hours.set(`${station_id} ${at}`, isWet ? random.of([1, 2, 4, 30]) : 0);
        if (at % DAY === 0 && random.next() > 0.03)
          days.set(`${station_id} ${at}`, random.of([0, 0, 0, 2, 4, 80]));
      }
      const forecast = (metric: Metric, at: number): void => {
        const { country, day } = { country: station_id === 'W000' ? 'US' : 'JP', day: at };
        for (const provider of PROVIDERS)
          for (const lead_hours of Object.values(LEADS))
            if (random.next() < 0.8)
              forecasts.push({
                ...{ metric, provider, station_id, country, day, at, lead_hours },
                issued_hour: new Date(at - lead_hours * HOUR).getUTCHours(),
                chance: random.of([0, 5, 10, 20, 30, 50, 80, 95, 100]),
              });
      };
      const offset = STATIONS[station_id][1] * HOUR;
      for (let day = 0; day < DAYS; day += 1) {
        const begins = FIRST_OF(year) + day * DAY + offset;
        forecast('wet_day', begins);
        for (const [metric, [, every]] of Object.entries(WINDOWS) as [Window, readonly [number, number]][])
          for (let at = begins; at < begins + DAY; at += HOUR)
            if ((at / HOUR) % every === 0) forecast(metric, at);
      }
    }
  return { hours, days, forecasts };
}

const WORLD = makeWorld();
/** Amounts of days are reported a day and a half after their date began in UTC. */
const DAY_REPORTED = 1.5 * DAY;

/** The amount of a window that ends at an instant, or of the day of a UTC midnight; undefined without all of its hours. */
function amountOf(metric: Metric, station_id: string, at: number): number | undefined {
  if (metric === 'wet_day') return WORLD.days.get(`${station_id} ${at}`);
  let total = 0;
  for (let before = 0; before < WINDOWS[metric][0]; before += 1) {
    const amount = WORLD.hours.get(`${station_id} ${at - before * HOUR}`);
    if (amount === undefined) return undefined;
    total += amount;
  }
  return total;
}

const offsetOf = (station_id: string): number => STATIONS[station_id as StationId][1] * HOUR;
/** The instant by which observations are kept: the end of a window, or the UTC midnight of a date. */
const keyOf = ({ metric, station_id, at }: Pick<Case, 'metric' | 'station_id' | 'at'>): number =>
  metric === 'wet_day' ? at - offsetOf(station_id) : at;

/** The cases of the request of a year. */
const casesOf = (metric: Metric, year: number, wetAt = 1, provider = 'default'): Case[] =>
  WORLD.forecasts.flatMap((each) => {
    const amount = amountOf(metric, each.station_id, keyOf(each));
    const isOf =
      each.metric === metric && each.provider === provider && new Date(each.at).getUTCFullYear() === year;
    return isOf && amount !== undefined ? [{ ...each, wet: amount >= wetAt }] : [];
  });

type Reference = (of: Case, wetAt: number) => number | undefined;

/** The outcome of another window or day, 0 or 100, if it was known when a forecast was issued. */
function knownOutcome(
  { metric, station_id, at, lead_hours }: Case,
  key: number,
  wetAt: number,
): number | undefined {
  const amount = amountOf(metric, station_id, key);
  const known = key + (metric === 'wet_day' ? DAY_REPORTED : 3 * MINUTE);
  return amount === undefined || known > at - lead_hours * HOUR ? undefined : amount >= wetAt ? 100 : 0;
}

const REFERENCES: Record<'persistence' | 'climatology', Reference> = {
  persistence(of, wetAt) {
    for (let lag = 1; lag <= 60; lag += 1) {
      const outcome = knownOutcome(of, keyOf(of) - lag * DAY, wetAt);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  },
  // In January no leap day is near.
  climatology(of, wetAt) {
    const of_year = new Date(keyOf(of));
    let [values, wet, years] = [0, 0, 0];
    for (let year = of_year.getUTCFullYear() - 1; year > LAST_YEAR - YEARS - 2; year -= 1) {
      const before = values;
      for (let shift = -7; shift <= 7; shift += 1) {
        const key = new Date(of_year).setUTCFullYear(year) + shift * DAY;
        const outcome = knownOutcome(of, key, wetAt);
        if (outcome === undefined) continue;
        values += 1;
        wet += outcome / 100;
      }
      if (values > before) years += 1;
    }
    if (years < 3 || values < 30) return undefined;
    return Math.floor((2 * wet * 10_000 + values) / (2 * values)) / 100;
  },
};

/** The lines of the feeds. */
function feedsOf() {
  const utc = (instant: number): string => new Date(instant).toISOString().replace('.000Z', 'Z');
  const date = (instant: number): string => utc(instant).slice(0, 10);
  const split = (key: string): [string, number] => [key.slice(0, 4), Number(key.slice(5))];
  const chanceAt = (metric: Window, each: Omit<Case, 'wet'>): number | '' =>
    each.metric === metric ? each.chance : '';
  return {
    stations: [
      'station_id,city_name,country,latitude,longitude,timezone,climate_zone,data_active,aliases,iata,reported_in',
      // Whole degrees are of temperatures: amounts stay what they are.
      ...IDS.map(
        (id) =>
          `${id},${id} City,${id === 'W000' ? 'US' : 'JP'},40.5,${id === 'W000' ? -112 : 139.5},${STATIONS[id][0]},Cfa,true,,,whole_fahrenheit`,
      ),
    ],
    hours: [
      'station_id,at,temp_f,precip_in',
      ...[...WORLD.hours].map(([key, amount]) => {
        const [id, at] = split(key);
        return `${id},${utc(at - 7 * MINUTE)},,${amount / 100}`;
      }),
    ],
    observations: [
      'station_id,date,high_f,low_f,status,observed_at,precip_in',
      ...[...WORLD.days].map(([key, amount]) => {
        const [id, at] = split(key);
        return `${id},${date(at)},,,verified,${utc(at + DAY_REPORTED)},${amount / 100}`;
      }),
    ],
    forecasts: [
      'station_id,issued_at,target_date,high_f,low_f,provider,precip_chance',
      ...WORLD.forecasts.flatMap(({ metric, station_id, at, lead_hours, provider, chance }) =>
        metric === 'wet_day'
          ? [
              `${station_id},${utc(at - lead_hours * HOUR)},${date(at - offsetOf(station_id))},,,${provider},${chance}`,
            ]
          : [],
      ),
    ],
    hourly_forecasts: [
      'station_id,issued_at,valid_at,temp_f,provider,precip_chance_12h,precip_chance_6h,precip_chance_1h',
      ...WORLD.forecasts.flatMap((each) =>
        each.metric === 'wet_day'
          ? []
          : [
              `${each.station_id},${utc(each.at - each.lead_hours * HOUR)},${utc(each.at)},,${each.provider},` +
                `${chanceAt('wet_12h', each)},${chanceAt('wet_6h', each)},${chanceAt('wet_1h', each)}`,
            ],
      ),
    ],
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** The mean of squares of chances less outcomes, in units of 1. */
const brier = (cases: readonly Case[], chanceOf: (of: Case) => number): number =>
  sum(cases.map((of) => (chanceOf(of) - (of.wet ? 100 : 0)) ** 2)) / cases.length / 10_000;

// No other test holds references of chances to own loops, nor the reliability table, events and comparisons of windows.
describe('chances of windows and days, given two stations and five years', function () {
  this.timeout(3_600_000);
  let store: Store;
  let service: TestService;

  before(async () => {
    store = await openTestStore();
    const { hours, ...others } = feedsOf();
    const [head = '', ...lines] = hours;
    // Windows of the first load lack hours of the second one.
    for (const part of [0, 1]) {
      const some = [head, ...lines.filter((_, at) => Number(at % 97 === 0) === part)];
      const report = await loadLines(store, part === 0 ? { ...others, hours: some } : { hours: some });
      expect([report.outcome, report.rejections]).to.deep.equal(['complete', []]);
    }
    service = await startTestService(store, { now: '2098-12-31T00:00:00Z' });
  });
  after(() => store.close());

  const bodyOf = async (path: string): Promise<{ data: Row[]; metadata: Row }> => {
    const { status, text } = await service.get(`/api/v1/accuracy/${path}`);
    expect(status, `${path}: ${text}`).to.equal(200);
    return JSON.parse(text) as { data: Row[]; metadata: Row };
  };

  for (const [reference, referenceOf] of Object.entries(REFERENCES))
    it(`skill against ${reference}: then it is that of own loops, of what was known at issuance`, async () => {
      for (const metric of METRICS)
        for (const [query, wetAt] of [
          ['', 1],
          ['&wet_at=0.04in', 4],
        ] as const) {
          const path = `skill?metric=${metric}&${requestOf(LAST_YEAR)}&reference=${reference}${query}`;
          const { data, metadata } = await bodyOf(path);
          const all = casesOf(metric, LAST_YEAR, wetAt);
          for (const [bucket, lead] of Object.entries(LEADS)) {
            const of = all.filter(({ lead_hours }) => lead_hours === lead);
            const known = of.filter((each) => referenceOf(each, wetAt) !== undefined);
            const found = data.find(({ lead_time_bucket }) => lead_time_bucket === bucket)!;
            expect([found.cases, found.cases_without_reference], path).to.deep.equal([
              known.length,
              of.length - known.length,
            ]);
            const [own, other] = [
              brier(known, ({ chance }) => chance),
              brier(known, (each) => referenceOf(each, wetAt)!),
            ];
            expect(found.brier_score, path).to.be.closeTo(own, 0.6e-6);
            expect(found.reference_brier_score, path).to.be.closeTo(other, 0.6e-6);
            expect((found.brier_skill_score as Row).value, path).to.be.closeTo(1 - own / other, 0.6e-4);
          }
          expect(metadata.reason).to.equal(null);
          // One station is silent in two years, so some cases have a reference and some have none.
          expect(sum(data.map(({ cases }) => cases as number)), path).to.be.above(10);
        }
    });

  it('skill: given too few years before, then there is none, and metadata say why and what to do', async () => {
    for (const metric of ['wet_12h', 'wet_day']) {
      const { data, metadata } = await bodyOf(
        `skill?metric=${metric}&${requestOf(2095)}&reference=climatology&group_by=none`,
      );
      expect(data[0]).to.include({ cases: 0, brier_score: null, reference_brier_score: null });
      expect(data[0]!.cases_without_reference).to.be.above(0);
      expect(metadata.reason).to.match(
        /^reference: fewer than 30 amounts .*; load older amounts, or ask for reference=persistence$/,
      );
    }
    const { metadata } = await bodyOf(`skill?${requestOf(LAST_YEAR)}`);
    expect(metadata).not.to.have.property('reason');
  });

  it('by lead and hour, as bins, events and providers: then all are those of own loops, for any amount', async () => {
    for (const metric of range({ test: 1, ci: 3 }, Object.keys(WINDOWS) as Window[]))
      for (const [query, wetAt] of [
        ['', 1],
        ['&wet_at=0.3in', 30],
      ] as const) {
        const of = `metric=${metric}&${requestOf(LAST_YEAR)}${query}`;
        const all = casesOf(metric, LAST_YEAR, wetAt);
        const hourOf = ({ at, station_id }: Case): number =>
          new Date(at - offsetOf(station_id)).getUTCHours();
        for (const record of (await bodyOf(`by-hour?group_by=local_hour&${of}`)).data)
          expect(record.stats, of).to.include(brierOf(all.filter((each) => hourOf(each) === record.hour)));
        for (const [bucket, lead] of Object.entries(LEADS)) {
          const cases = all.filter(({ lead_hours }) => lead_hours === lead);
          const byBucket = await bodyOf(`by-bucket?ci=0.8&lead_time_bucket=${bucket}&${of}`);
          for (const record of byBucket.data) {
            const low = record.chance_low as number;
            const inBin = cases.filter(({ chance }) => Math.min(90, chance - (chance % 10)) === low);
            const wet_days = inBin.filter(({ wet }) => wet).length;
            expect(record, of).to.include({ cases: inBin.length, wet_days, ...barOf(inBin, 0.8) });
          }
          expect(sum(byBucket.data.map(({ cases }) => cases as number))).to.equal(cases.length);
          const [events] = (
            await bodyOf(`events?thresholds=30&cost_loss=0.2&lead_time_bucket=${bucket}&${of}`)
          ).data;
          const hits = cases.filter(({ chance, wet }) => chance >= 30 && wet).length;
          expect(events, of).to.include({
            cases: cases.length,
            hits,
            economic_value: valueAt(cases, 30, 20),
          });
        }
        const compared = await bodyOf(`compare?group_by=lead_hour&${of}`);
        const others = casesOf(metric, LAST_YEAR, wetAt, 'other');
        for (const record of compared.data) {
          const isBoth =
            (some: readonly Case[]) =>
            (each: Case): boolean =>
              each.lead_hours === record.lead_hour &&
              some.some(
                ({ station_id, at, lead_hours }) =>
                  station_id === each.station_id && at === each.at && lead_hours === each.lead_hours,
              );
          const [own, reference] = [others.filter(isBoth(all)), all.filter(isBoth(others))];
          expect(record, of).to.include({
            cases: own.length,
            brier_score: brierOf(own).brier_score,
            reference_brier_score: brierOf(reference).brier_score,
          });
        }
        expect(compared.data.map(({ lead_hour }) => lead_hour)).to.deep.equal(Object.values(LEADS));
      }
  });

  it('compare by lead hour: given a variable of days, then the error names one of hours with its score', async () => {
    for (const [metric, other] of [
      ['wet_day', 'wet_12h'],
      ['precip', 'temperature'],
    ]) {
      const { status, text } = await service.get(
        `/api/v1/accuracy/compare?metric=${metric}&group_by=lead_hour`,
      );
      expect([status, text]).to.satisfy(() => status === 400 && text.includes(`add metric=${other},`), text);
    }
  });

  const REQUESTS = range({ test: 15, ci: 45, stress: 600 });
  it(`scripts: given ${REQUESTS} random requests, then no digit differs`, async () => {
    const random = new Random(Number(process.env.TEST_SEED ?? 0) + 7);
    const days = Array.from({ length: DAYS }, (_, day) =>
      new Date(FIRST_OF(LAST_YEAR) + day * DAY).toISOString().slice(0, 10),
    );
    const { metadata } = await bodyOf('summary');
    const version = { version: metadata.data_version as number, timeline: metadata.timeline as string };
    const result: Compared = { numbers: 0, differing: [], missing: new Set() };
    await compareWithScript(
      service,
      `accuracy/by-bucket?metric=wet_1h&ci=0.9&${requestOf(LAST_YEAR)}`,
      result,
    );
    const endpoints = [...COVERED_OF_CHANCES, 'accuracy/by-hour'];
    for (let at = 0; at < REQUESTS; at += 1) {
      const world = { days, stations: IDS, providers: ['other'] };
      const metric = random.of(Object.keys(WINDOWS) as Window[]);
      const path = drawChanceRequest(random, endpoints[at % endpoints.length]!, version, world, metric);
      await compareWithScript(service, `${path}${random.of(['', '&wet_at=0.1in'])}`, result);
    }
    console.log(`      ${REQUESTS} requests about windows, ${result.numbers} numbers compared`);
    expect(result.differing.slice(0, 20)).to.deep.equal([]);
    expect(NOT_RECOMPUTED_OF_WINDOWS).to.include.members([...result.missing]);
  });
});
