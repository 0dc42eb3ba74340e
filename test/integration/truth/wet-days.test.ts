import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  barOf,
  brierOf,
  dateOf,
  latestOf,
  PROVIDERS,
  valueAt,
  type WetPair,
  wetLines,
  wetPairs,
  wetStats,
  wetWorld,
} from '../../support/plain/wet-days.js';
import { Random } from '../../support/random.js';
import {
  type Compared,
  compareValues,
  compareWithScript,
  download,
  NOT_RECOMPUTED,
} from '../../support/recompute/compare.js';
import { COVERED_OF_CHANCES, drawChanceRequest } from '../../support/recompute/requests.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

type Row = Record<string, unknown>;
type Body = { data: unknown; metadata: Row };

// No other test holds chances to own loops: what is wet, the Brier score and its parts, the reliability table, their differences.
describe('metric=wet_day, given three providers and two loads', function () {
  let store: Store;
  let service: TestService;
  const world = wetWorld(1, range({ test: 4, ci: 20 }), range({ test: 40, ci: 200 }));
  const WINDOW = `metric=wet_day&date_from=${dateOf(0)}&date_to=${dateOf(world.days - 1)}`;
  let compared = 0;

  before(async () => {
    store = await openTestStore();
    for (const [at, load] of world.loads.entries()) {
      const report = await loadLines(store, wetLines(world, load, at));
      expect([report.outcome, report.rejections]).to.deep.equal(['complete', []]);
    }
    service = await startTestService(store, { now: '2098-12-31T00:00:00Z' });
  });
  after(async () => {
    console.log(`      ${compared} values compared`);
    await store.close();
  });

  const dataOf = async (path: string): Promise<Row[]> => {
    const { status, text } = await service.get(`/api/v1/${path}`);
    expect(status, `${path}: ${text}`).to.equal(200);
    return [(JSON.parse(text) as { data: Row | Row[] }).data].flat();
  };
  /** Expects these fields of a record. */
  const expectFields = (found: Row | undefined, expected: Row, where: string): void => {
    for (const [name, value] of Object.entries(expected)) {
      expect(found?.[name], `${where}: ${name}`).to.deep.equal(value);
      compared += 1;
    }
  };

  const DAYS = Array.from({ length: world.days }, (_, day) => dateOf(day));
  const STATIONS = world.places.map(({ station_id }) => station_id);

  const currentVersion = async (): Promise<{ version: number; timeline: string }> => {
    const { metadata } = (await service.get('/api/v1/accuracy/summary')).body as Body;
    return { version: metadata.data_version as number, timeline: metadata.timeline as string };
  };
  /** A response without what differs from one request to the next, and its rows of CSV. */
  const contentOf = async (path: string) => {
    const answer = await service.get(`/api/v1/${path}`);
    expect(answer.status, `${path}: ${answer.text}`).to.equal(200);
    const { data, metadata } = answer.body as Body;
    const lasting = { ...metadata, generated_at: '', request_id: '', query_time_ms: 0 };
    const { text } = await service.get(`/api/v1/${path}&format=csv`);
    return { data, metadata: lasting, csv: text.split('\r\n') };
  };
  /** The lines of a script but the first, which names the request. */
  const scriptOf = async (path: string): Promise<string[]> => {
    const [place, query] = path.split('?');
    const script = await download(service, `/api/v1/${place}/recompute.sql?${query}`);
    return script.toString().split('\n').slice(1);
  };

  /** Parts of all pairs, and the queries that choose them. */
  const CHOSEN: [query: string, has: (pair: WetPair) => boolean, wetAt?: number][] = [
    ['', () => true],
    // A millimetre is 3.94 hundredths of an inch; feeds have it as 4.
    ['&wet_at=1mm', () => true, 4],
    ['&wet_at=0.1in&station_id=W002', ({ station_id }) => station_id === 'W002', 10],
    ['&station_id=W001', ({ station_id }) => station_id === 'W001'],
    ['&stations=W000,W002', ({ station_id }) => ['W000', 'W002'].includes(station_id)],
    ['&country=JP', ({ country }) => country === 'JP'],
    ['&lead_time_bucket=12-24h', ({ lead_hours }) => lead_hours === 20],
  ];
  const isOf = (provider: string) => (pair: WetPair) => pair.provider === provider;

  it('statistics: given each provider, version and choice of stations, then they are those of own loops', async () => {
    for (const version of [1, 2])
      for (const [query, has, wetAt] of CHOSEN) {
        const pairs = wetPairs(world, version, wetAt).filter(has);
        for (const provider of PROVIDERS) {
          const of = pairs.filter(isOf(provider));
          const [found] = await dataOf(
            `accuracy/summary?${WINDOW}&provider=${provider}&as_of=v${version}${query}`,
          );
          expectFields(found, wetStats(of), `${provider} v${version}${query}`);
        }
      }
  });

  it('by date, city and lead time: then each record is that of own loops', async () => {
    const groups: [path: string, key: string, of: (pair: WetPair) => unknown][] = [
      ['by-date', 'date', ({ day }) => dateOf(day)],
      ['by-city', 'station_id', ({ station_id }) => station_id],
      [
        'by-lead-time',
        'lead_time_bucket',
        ({ lead_hours }) => ({ 3: '0-6h', 20: '12-24h', 60: '48-72h' })[lead_hours],
      ],
    ];
    for (const [path, key, keyOf] of groups)
      for (const [query, has, wetAt] of CHOSEN.slice(0, 2)) {
        const of = wetPairs(world, 2, wetAt).filter(isOf('fine')).filter(has);
        const found = await dataOf(`accuracy/${path}?${WINDOW}&provider=fine${query}`);
        const keys = new Set(of.map(keyOf));
        expect(found.filter((record) => keys.has(record[key]))).to.have.lengthOf(keys.size);
        for (const each of keys)
          expectFields(
            found.find((record) => record[key] === each)?.stats as Row,
            wetStats(of.filter((pair) => keyOf(pair) === each)),
            `${path}${query} ${String(each)}`,
          );
      }
  });

  it('by-bucket of the forecast: then bins of 10% have the cases, wet days and shares of own loops', async () => {
    for (const provider of PROVIDERS)
      for (const [query, has, wetAt] of CHOSEN) {
        const cases = latestOf(wetPairs(world, 2, wetAt).filter(isOf(provider)).filter(has));
        const binOf = ({ chance }: WetPair): number => Math.min(90, chance - (chance % 10));
        const bins = [...new Set(cases.map(binOf))].sort((a, b) => a - b);
        const found = await dataOf(
          `accuracy/by-bucket?bucket=forecast&${WINDOW}&provider=${provider}${query}`,
        );
        const level = query === '' ? 0.9 : 0.95;
        const withBars = await dataOf(
          `accuracy/by-bucket?${WINDOW}&provider=${provider}${query}&ci=${level}`,
        );
        expect(withBars.map(({ chance_low }) => chance_low)).to.deep.equal(bins);
        expect(found[0]).not.to.have.property('consistency_low');
        expect(found.map(({ chance_low }) => chance_low)).to.deep.equal(bins);
        for (const [at, low] of bins.entries()) {
          const of = cases.filter((pair) => binOf(pair) === low);
          const wet_days = of.filter(({ wet }) => wet).length;
          const share = Math.floor((20_000 * wet_days + of.length) / (2 * of.length)) / 10_000;
          expectFields(
            found[at],
            { chance_high: low + 10, cases: of.length, wet_days, observed_share: share },
            `${provider}${query} ${low}`,
          );
          expectFields(withBars[at], barOf(of, level), `${provider}${query} ${low} at ${level}`);
        }
      }
  });

  it('compare: then Brier scores and their difference are those of own loops, of the days that both have', async () => {
    for (const [query, has, wetAt] of CHOSEN) {
      // Without lead times, those of at least 24 hours.
      const isLong = ({ lead_hours }: WetPair): boolean => query.includes('lead_time') || lead_hours >= 24;
      const latest = latestOf(wetPairs(world, 2, wetAt).filter(has).filter(isLong));
      const keyOf = ({ station_id, day }: WetPair): string => `${station_id} ${day}`;
      const reference = new Map(latest.filter(isOf('default')).map((pair) => [keyOf(pair), pair]));
      const found = await dataOf(`accuracy/compare?${WINDOW}&reference=default${query}`);
      for (const provider of ['coarse', 'fine']) {
        const both = latest.filter(isOf(provider)).filter((pair) => reference.has(keyOf(pair)));
        const record = found.find((each) => each.provider === provider);
        const [own, other] = [both, both.map((pair) => reference.get(keyOf(pair))!)].map((pairs) =>
          brierOf(pairs),
        );
        expectFields(
          record,
          {
            cases: both.length,
            brier_score: own!.brier_score,
            reference_brier_score: other!.brier_score,
          },
          `${provider}${query}`,
        );
        const squares = (pairs: readonly WetPair[]): number =>
          pairs.reduce((total, { chance, wet }) => total + (chance - (wet ? 100 : 0)) ** 2, 0);
        const difference =
          (squares(both) - squares(both.map((pair) => reference.get(keyOf(pair))!))) / both.length;
        const { value, low, high } = record?.brier_difference as Record<'value' | 'low' | 'high', number>;
        expect(value).to.be.closeTo(difference / 10_000, 0.6e-6);
        expect(record?.verdict).to.equal(high < 0 ? 'better' : low > 0 ? 'worse' : 'not_significant');
      }
    }
  });

  it('events: given a chance as a threshold, then outcomes and economic value are those of own loops', async () => {
    for (const [query, has, wetAt] of CHOSEN) {
      const cases = latestOf(wetPairs(world, 2, wetAt).filter(isOf('default')).filter(has));
      for (const threshold of [10, 50, 90])
        for (const [ratio, cost] of [
          ['0.1', 10],
          ['0.35', 35],
        ] as const) {
          const [found] = await dataOf(
            `accuracy/events?${WINDOW}${query}&thresholds=${threshold}&cost_loss=${ratio}`,
          );
          const count = (isForecast: boolean, isWet: boolean): number =>
            cases.filter(({ chance, wet }) => chance >= threshold === isForecast && wet === isWet).length;
          expectFields(
            found,
            {
              hits: count(true, true),
              false_alarms: count(true, false),
              misses: count(false, true),
              correct_negatives: count(false, false),
              economic_value: valueAt(cases, threshold, cost),
            },
            `${query} ${threshold} ${ratio}`,
          );
        }
    }
  });

  it('wet_at: given known_at or hours of issuance, then pairs and statistics are those of own loops', async () => {
    const until = Math.floor(world.days / 2);
    for (const [wet_at, wetAt] of [
      ['0.2mm', 1],
      ['0.1in', 10],
    ] as const) {
      const known = wetPairs(world, 2, wetAt, until).filter(isOf('default'));
      const path = `${WINDOW}&wet_at=${wet_at}&stations=${STATIONS.join(',')}`;
      const [found] = await dataOf(`accuracy/summary?${path}&known_at=${dateOf(until)}`);
      expectFields(found, wetStats(known), `${wet_at} known`);
      const all = wetPairs(world, 2, wetAt).filter(isOf('default'));
      const outcomes = (pairs: readonly WetPair[]) =>
        pairs
          .map(
            ({ station_id, day, chance, wet }) => `${station_id} ${dateOf(day)} ${chance} ${wet ? 100 : 0}`,
          )
          .sort();
      const written = (rows: Row[]) =>
        rows
          .map(({ station_id, target_date, forecast, actual }) =>
            [station_id, target_date, Number(forecast), Number(actual)].join(' '),
          )
          .sort();
      const hours = '0,4,21';
      const ofHours = all.filter(
        ({ station_id, issued_hour }) => station_id === 'W001' && hours.split(',').includes(`${issued_hour}`),
      );
      const rows = await dataOf(
        `data/forecast-actual?${WINDOW}&wet_at=${wet_at}&station_id=W001&issued_hour=${hours}&limit=1000`,
      );
      expect(written(rows), wet_at).to.deep.equal(outcomes(ofHours));
      const { text } = await service.get(`/api/v1/export/pairs?${path}&format=ndjson`);
      const exported = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Row);
      expect(written(exported), wet_at).to.deep.equal(outcomes(all));
      compared += 4 * (rows.length + exported.length);
    }
  });

  it('given no pairs, then no key is left out: the scores are null, as the statistics are', async () => {
    const none = 'metric=wet_day&date_from=2097-01-01&date_to=2097-01-05';
    const scores = { brier_score: null, brier_skill_score: null, reliability: null, resolution: null };
    for (const path of ['accuracy/summary', 'accuracy/by-station/W000']) {
      const [found] = await dataOf(`${path}?${none}`);
      const stats = (found?.stats ?? found) as Row;
      expect(stats, path).to.include({ ...scores, base_rate: null, verification_pairs: 0, mae: null });
    }
    const result: Compared = { numbers: 0, differing: [], missing: new Set() };
    await compareWithScript(service, `accuracy/summary?${none}`, result);
    expect(result.differing).to.deep.equal([]);
  });

  it('CSV: then a column says that values are in %, whatever unit the request names', async () => {
    for (const unit of ['fahrenheit', 'celsius']) {
      const path = `/api/v1/accuracy/by-date?${WINDOW}&temp_unit=${unit}&format=csv`;
      const [head = '', first = ''] = (await service.get(path)).text.split('\r\n');
      expect(head.split(',').slice(0, 5)).to.deep.equal([
        ...['metric', 'period_start', 'period_end', 'unit', 'date'],
      ]);
      expect(first.split(',')[3]).to.equal('%');
    }
  });

  const REQUESTS = range({ test: 16, ci: 48, stress: 400 });
  it(`temp_unit=celsius: given ${REQUESTS} random requests, then no digit of response or script differs`, async () => {
    const random = new Random(Number(process.env.TEST_SEED ?? 0) + 2);
    const ofChances = { days: DAYS, stations: STATIONS, providers: ['coarse', 'fine'] };
    const { version, timeline } = await currentVersion();
    const result: Compared = { numbers: 0, differing: [], missing: new Set() };
    for (let at = 0; at < REQUESTS; at += 1) {
      const endpoint = COVERED_OF_CHANCES[at % COVERED_OF_CHANCES.length]!;
      const drawn = drawChanceRequest(random, endpoint, { version, timeline }, ofChances);
      const path = `${drawn}${random.of(['', '&wet_at=2.5mm', '&wet_at=0.1in'])}`;
      const inCelsius = `${path}&temp_unit=celsius`;
      const [plain, celsius] = [await contentOf(path), await contentOf(inCelsius)];
      compareValues(plain, celsius, inCelsius, result);
      expect(celsius, inCelsius).to.deep.equal(plain);
      await compareWithScript(service, inCelsius, result);
      expect(await scriptOf(inCelsius), inCelsius).to.deep.equal(await scriptOf(path));
    }
    console.log(`      ${REQUESTS} requests about chances, ${result.numbers} numbers compared`);
    expect(result.differing.slice(0, 20)).to.deep.equal([]);
    expect(NOT_RECOMPUTED).to.include.members([...result.missing]);
    expect(result.numbers).to.be.above(30 * REQUESTS);
  });
});
