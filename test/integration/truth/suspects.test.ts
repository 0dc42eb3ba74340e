import { expect } from 'chai';
import { suspectsSince } from '../../../src/monitoring/judged-days.js';
import type { Store } from '../../../src/store/store.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { dayStart, emptyStore, plusDays } from '../../support/plain/oracle.js';
import {
  type PlainForecastOfDay,
  type PlainObservation,
  plainSuspects,
  type PlainStation,
  type PlainWorld,
} from '../../support/plain/suspects.js';
import { Random } from '../../support/random.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

const HOUR_MS = 3_600_000;
const METRICS = ['high', 'low'] as const;
const PROVIDERS = ['one', 'three', 'two'];
const [FIRST, LAST] = ['2026-01-01', '2026-04-20'];
const WINDOW = { first: '2026-03-01', last: '2026-04-10' };
const DAYS = (Date.parse(LAST) - Date.parse(FIRST)) / 86_400_000 + 1;

interface Drawn {
  /** The world of each version. */
  worlds: PlainWorld[];
  loads: Parameters<typeof loadLines>[1][];
}

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000', '');

/** Stations near each other and alone, some days missing or wrong, some with hours; a second load corrects and withdraws. */
function drawn(seed: number): Drawn {
  const random = new Random(seed);
  const providers = PROVIDERS.slice(0, 3 - (seed % 3));
  const zones = [
    { timezone: 'Etc/UTC', day_boundary: 'civil' },
    { timezone: 'America/New_York', day_boundary: 'civil' },
    { timezone: 'America/New_York', day_boundary: 'standard' },
  ] as const;
  const stations: PlainStation[] = Array.from({ length: 14 }, (_, at) => ({
    id: `K${String.fromCharCode(65 + at).repeat(3)}`,
    // The last two have no neighbour; the others lie around the antimeridian, which no list of neighbours may end at.
    ...(at < 12
      ? { lat: 50 + 1.2 * random.next(), lon: ((180 + 1.6 * random.next() + 540) % 360) - 180 }
      : { lat: 10 * at - 140, lon: 0 }),
    ...zones[at % zones.length]!,
  }));
  const observations: PlainObservation[] = [];
  const forecasts: (PlainForecastOfDay & { issued: number })[] = [];
  const hours: PlainWorld['hours'][number][] = [];
  const weather = Array.from({ length: DAYS }, () => Math.round(1000 * random.gaussian()));
  for (const [at, station] of stations.entries()) {
    // Whole degrees stay now and then; they also put values just on a limit.
    const grain = random.of([100, 100, 200, 1]);
    const rounded = (value: number): number => grain * Math.round(value / grain);
    for (const metric of METRICS) {
      let [stuck, left] = [0, 0];
      for (let day = 0; day < DAYS; day += 1) {
        const date = plusDays(FIRST, day);
        const truth = (metric === 'high' ? 6000 : 4000) + weather[day]!;
        const fault = random.next() < 0.06 ? random.of([-1, 1]) * rounded(600 + 1700 * random.next()) : 0;
        let value = rounded(truth + 150 * random.gaussian() + fault);
        if (left === 0 && random.next() < 0.03) [stuck, left] = [value, 4 + random.below(8)];
        if (left > 0) [value, left] = [stuck, left - 1];
        if (random.next() < (at % 5 === 0 ? 0.5 : 0.05)) continue;
        const begins = dayStart(date, station);
        observations.push({
          ...{ station: station.id, date, metric, value },
          status: random.next() < 0.8 ? 'verified' : 'preliminary',
          observed_at: iso(dayStart(plusDays(date, 1), station) + 6 * HOUR_MS),
        });
        for (const provider of providers) {
          if (random.next() < 0.1) continue;
          // Now and then one provider alone is far off.
          const said = rounded(truth + (random.next() < 0.03 ? -2500 : 200 * random.gaussian()));
          forecasts.push({
            ...{ station: station.id, date, metric, provider, value: said },
            issued: begins - 10 * HOUR_MS,
          });
        }
        if (at % 3 === 0 && metric === 'high' && random.next() < 0.9) {
          const top = value - fault + rounded(200 * random.gaussian());
          const length = (dayStart(plusDays(date, 1), station) - begins) / HOUR_MS;
          for (let hour = 0; hour < length; hour += 1) {
            const temp = top - 80 * Math.abs(hour - 14) - (random.next() < 0.02 ? 800 : 0);
            const isGroup = hour % 6 === 5 && random.next() < 0.5;
            // Every other day's last group is reported at midnight.
            const minute = isGroup && hour === 23 && day % 2 === 0 ? 60 : 51;
            hours.push({
              ...{ station_id: station.id, at: begins + (hour * 60 + minute) * 60_000, temp },
              ...(isGroup && { max_6h: temp + 100 * random.below(5), min_6h: temp - 100 * random.below(40) }),
            });
          }
        }
      }
    }
  }
  const observationLine = (each: PlainObservation, withdrawn = ''): string =>
    [
      each.station,
      each.date,
      ...METRICS.map((metric) => (metric === each.metric && withdrawn === '' ? each.value / 100 : '')),
      ...[each.status, each.observed_at, withdrawn],
    ].join();
  const forecastLine = (each: PlainForecastOfDay & { issued: number }, more: number, ahead: number): string =>
    [
      ...[each.station, iso(each.issued - ahead * HOUR_MS), each.date],
      ...METRICS.map((metric) => (metric === each.metric ? (each.value + more) / 100 : '')),
      ...[each.provider, ''],
    ].join();
  // A later report replaces some values, and withdraws others with both metrics of their day.
  const corrected = observations
    .filter(() => random.next() < 0.05)
    .map((each) => ({
      ...each,
      value: each.value + 100 * (random.below(31) - 15),
      observed_at: each.observed_at.replace('Z', '.500Z'),
    }));
  const withdrawn = observations.filter(({ status }) => status === 'verified' && random.next() < 0.02);
  const keyOf = (each: PlainObservation): string => `${each.station} ${each.date} ${each.metric}`;
  const isTaken = new Set(
    withdrawn.flatMap((each) =>
      METRICS.map((metric) => `${each.station} ${each.date} ${metric} ${each.status} ${each.observed_at}`),
    ),
  );
  const byCorrection = new Map(corrected.map((each) => [keyOf(each), each]));
  const after = observations.flatMap((each) => {
    const isGone = isTaken.has(`${keyOf(each)} ${each.status} ${each.observed_at}`);
    return byCorrection.get(keyOf(each)) ?? (isGone ? [] : [each]);
  });
  return {
    worlds: [
      { stations, observations, forecasts, hours },
      { stations, observations: after, forecasts, hours },
    ],
    loads: [
      {
        columns: 'all',
        stations: stations.map(
          ({ id, lat, lon, timezone, day_boundary }) =>
            `${id},City ${id},US,${lat},${lon},${timezone},,true,,,${day_boundary},`,
        ),
        // Older forecasts, and one issued within the day, are not the ones that count.
        forecasts: forecasts.flatMap((each) => [
          forecastLine(each, 0, 0),
          forecastLine(each, 2000, 24),
          ...(each.provider === 'one' ? [forecastLine(each, -2000, -12)] : []),
        ]),
        observations: observations.map((each) => observationLine(each)),
        hours: hours.map((each) =>
          [
            each.station_id,
            iso(each.at),
            ...[each.temp, each.max_6h, each.min_6h].map((value) => (value === undefined ? '' : value / 100)),
            '',
            '',
            '',
          ].join(),
        ),
      },
      {
        columns: 'all',
        observations: [
          ...withdrawn.map((each) => observationLine(each, 'true')),
          ...corrected.map((each) => observationLine(each)),
        ],
      },
    ],
  };
}

describeInCi('observations in doubt, given random stations, providers and hours', () => {
  let store: Store;
  let service: TestService;
  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  const ASKED = `data/suspects?date_from=${WINDOW.first}&date_to=${WINDOW.last}`;
  type Found = Record<string, unknown>;

  for (const seed of range({ test: 0, ci: 1, stress: 4 }, [51, 52, 53, 54])) {
    it(`world ${seed}: when any version is asked for, then plain loops list the same, with the same figures`, async function () {
      await emptyStore(store);
      const { worlds, loads } = drawn(seed);
      for (const lines of loads) expect((await loadLines(store, lines)).outcome).to.equal('complete');
      service = await startTestService(store, { now: '2026-05-01T00:00:00Z', cacheBytes: 0 });
      const seen = new Set<unknown>();
      for (const [at, world] of range({ test: 0, ci: 2, stress: Infinity }, [...worlds.entries()])) {
        const expected = METRICS.flatMap((metric) => plainSuspects(world, metric, WINDOW)).sort(
          (a, b) => Date.parse(a.date as string) - Date.parse(b.date as string),
        );
        const found = await dataOf<Found[]>(service, `${ASKED}&as_of=v${at + 1}&limit=5000`);
        expect(found).to.deep.equal(expected);
        for (const { reasons } of found) for (const reason of reasons as string[]) seen.add(reason);
        // One station has the same records as all have of it, and so has a shorter window.
        const { station_id } = expected.find(({ reasons }) => (reasons as string[]).includes('neighbours'))!;
        expect(
          await dataOf(service, `${ASKED}&as_of=v${at + 1}&station_id=${String(station_id)}`),
        ).to.deep.equal(expected.filter((each) => each.station_id === station_id));
        const [from, to] = ['2026-03-20', '2026-03-26'];
        expect(
          await dataOf(service, `data/suspects?date_from=${from}&date_to=${to}&metric=low&as_of=v${at + 1}`),
        ).to.deep.equal(
          expected.filter(
            ({ date, metric }) =>
              metric === 'low' && `${date as string}` >= from && `${date as string}` <= to,
          ),
        );
      }
      expect([...seen].sort()).to.deep.equal(['all_providers', 'hours', 'neighbours', 'repeated']);
    });
  }

  it('when pages are asked for, then together they are the list', async () => {
    const all = await dataOf<Found[]>(service, `${ASKED}&limit=5000`);
    const pages: Found[] = [];
    for (let cursor = ''; ;) {
      const response = await service.get(`/api/v1/${ASKED}&limit=40${cursor}`).expect(200);
      const { data, metadata } = response.body as { data: Found[]; metadata: { next_cursor: string | null } };
      pages.push(...data);
      if (metadata.next_cursor === null) break;
      cursor = `&cursor=${metadata.next_cursor}`;
    }
    expect(pages).to.deep.equal(all);
  });

  it('when a load asks for the last days, then it has the stations that hours or providers doubt', async () => {
    const rows = await store.query(
      suspectsSince('2026-04-20', { metric: 'high', providers: PROVIDERS, version: 2 }),
    );
    const listed = (
      await dataOf<Found[]>(
        service,
        'data/suspects?date_from=2026-04-14&date_to=2026-04-20&metric=high&limit=5000',
      )
    ).filter(({ reasons }) =>
      (reasons as string[]).some((each) => each === 'hours' || each === 'all_providers'),
    );
    expect(listed).to.not.be.empty;
    for (const { station_id } of listed) expect(rows.map((each) => each.station_id)).to.include(station_id);
    expect(rows.reduce((sum, { by_hours }) => sum + by_hours, 0)).to.equal(
      listed.filter(({ reasons }) => (reasons as string[]).includes('hours')).length,
    );
  });
});
