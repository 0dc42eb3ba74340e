import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { ask, dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  joined,
  LEDGER_BUCKETS,
  linesOf,
  type Load,
  OTHER_PROVIDER,
  plusDays,
  STATIONS,
} from '../../support/plain/oracle.js';
import { questionsAbout } from '../../support/plain/questions.js';
import { itInWorlds } from '../../support/plain/worlds.js';
import { describeInCi, range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// Guards that known_at looks at nothing that became known later (D31): its answers are those of a store that was never
// told of it, whatever came later, and with as_of those of a store with the loads up to then.

/** The load without what was issued or observed after an instant. */
const upTo = (instant: number, { stations, forecasts, observations }: Load): Load => ({
  stations,
  forecasts: forecasts.filter(({ issued_at }) => issued_at <= instant),
  observations: observations.filter(({ observed_at }) => observed_at <= instant),
});

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const FIRST = '2026-03-02';
const CHOSEN = STATIONS.slice(0, 2);

/** Forecasts of two providers and reports of twenty days at two stations; values follow no pattern. */
function chosenLoad(): Load {
  const days = CHOSEN.flatMap((station, place) =>
    Array.from({ length: 20 }, (_, day) => ({ ...station, place, day, date: plusDays(FIRST, day) })),
  );
  const value = (...of: number[]): number =>
    5000 + (of.reduce((sum, each) => (sum * 31 + each + 7) % 997, 1) % 900);
  const forecasts = days.flatMap(({ station_id, place, day, date }) =>
    [-12, -3, 2, 8, 18, 30, 54, 80].flatMap((hours) =>
      [undefined, OTHER_PROVIDER].map((provider, of) => ({
        ...(provider !== undefined && { provider }),
        station_id,
        issued_at: Date.parse(date) + 5 * HOUR - hours * HOUR,
        target_date: date,
        high: value(place, day, hours + 12, of),
        low: value(place, day, hours + 12, of) - 1500,
        high_sd: value(day, hours + 12, of) % 400,
      })),
    ),
  );
  const observations = days.flatMap(({ station_id, place, day, date }) =>
    (['preliminary', 'verified'] as const).map((status, at) => ({
      station_id,
      date,
      high: value(place, day, 500 + at),
      low: value(place, day, 500 + at) - 1400,
      status,
      observed_at: Date.parse(date) + 13 * HOUR + at * 3 * DAY, // the first within the day
    })),
  );
  return { stations: CHOSEN, forecasts, observations };
}

const OF_ONE = `station_id=${CHOSEN[0]?.station_id}`;
const ALL_LEADS = `lead_time_bucket=${encodeURIComponent(LEDGER_BUCKETS.join(','))}`;

/** Metadata that differ between a request with known_at and one without, or between two requests. */
const OF_THE_REQUEST = ['query_time_ms', 'generated_at', 'timeline', 'known_at', 'late_reports'];

/** Each endpoint that says what could be known. The effect of known_at on every one: contract/endpoints/times.test.ts. */
const QUESTIONS = range({ test: 7, ci: 7, stress: Infinity }, [
  'summary?',
  'by-date?metric=mean',
  'by-date?',
  'by-city?',
  `by-station/${CHOSEN[0]?.station_id}?include_raw=true`,
  'by-lead-time?align=matched',
  `by-lead-time?align=matched&include_same_day=true&${OF_ONE}`,
  'by-weather-regime?',
  'hit-rate?',
  `hit-rate?${OF_ONE}&${ALL_LEADS}`,
  'hit-rate?lead=24',
  `by-bucket/${CHOSEN[0]?.station_id}?range_width=3`,
  'events?thresholds=50,52,54,56,58',
  `events?group_by=lead_time_bucket&thresholds=51.5,55&${OF_ONE}&${ALL_LEADS}`,
  'revision-stats?',
  `revision-stats?${OF_ONE}`,
  ...['none', 'lead_time_bucket'].flatMap((group_by) => [
    `compare?providers=default,${OTHER_PROVIDER}&group_by=${group_by}&${ALL_LEADS}`,
    `skill?group_by=${group_by}&${OF_ONE}`,
  ]),
  `compare?providers=default,${OTHER_PROVIDER}&group_by=country,month`,
  'distribution?',
  `distribution?${OF_ONE}&${ALL_LEADS}`,
  'by-lead-time?align=matched&metric=hdd',
  `compare?providers=default,${OTHER_PROVIDER}&metric=range`,
  `skill?reference=climatology&provider=${OTHER_PROVIDER}`,
]);

describeInCi('what could be known at an instant, given two providers', function () {
  // The moment of a report within day 12, before the last forecast of that day; the days behind it are verified in part.
  const instant = Date.parse(plusDays(FIRST, 12)) + 13 * HOUR;
  const stores: Store[] = [];
  let services: Record<'told' | 'never', TestService>;

  before(async () => {
    const opened = async (load: Load): Promise<TestService> => {
      const store = await openTestStore();
      stores.push(store);
      await loadLines(store, linesOf(load));
      return startTestService(store, { now: '2026-06-01T00:00:00Z' });
    };
    const load = chosenLoad();
    services = {
      told: await opened(load),
      never: await opened(upTo(instant, load)),
    };
  });
  after(() => Promise.all(stores.map((store) => store.close())));

  for (const question of QUESTIONS) {
    it(`when ${question} is asked, then what became known later, or that anything did, changes no byte of it`, async () => {
      const path = `accuracy/${question}&date_from=${FIRST}&days=20`;
      const known = `${path}&known_at=${new Date(instant).toISOString()}`;
      const answer = async (service: TestService, of: string): Promise<string> => {
        const { data, metadata } = (await ask(service, of)).body;
        const told = Object.entries(metadata).filter(([name]) => !OF_THE_REQUEST.includes(name));
        return JSON.stringify({ data, ...Object.fromEntries(told) });
      };
      const expected = await answer(services.never, path);
      expect(expected).to.match(/"(total_records|sample_size)":[1-9]/);
      expect(await answer(services.told, path), 'without known_at').not.to.equal(expected);
      for (const service of Object.values(services)) expect(await answer(service, known)).to.equal(expected);
    });
  }
});

describeInCi('what could be known at an instant, given random loads', () => {
  itInWorlds(
    'when more became known later, then the answers are those of a store that was never told of it',
    {
      runs: { test: 0, ci: 1, stress: 60 }, // the chosen loads above stand for it in make test
      seed: 20_261_002,
      more: fc.double({ min: 0, max: 1, noNaN: true }),
    },
    async (given, share) => {
      const [first, ...others] = given.world.loads;
      const loads = [first, ...(others.length === 0 ? [] : [joined(others)])].filter(
        (load) => load !== undefined,
      );
      const all = joined(loads);
      // The instant is that of a report, and not beside it: a report of that very instant was known.
      const instants = all.observations.map(({ observed_at }) => observed_at).sort((a, b) => a - b);
      const instant = instants[Math.floor(share * (instants.length - 1))] ?? 0;
      const known = `known_at=${new Date(instant).toISOString()}`;
      const now = '2199-01-01T00:00:00Z';
      const service = await given.told(loads, { now });
      const never = await given.store();
      for (const [index, load] of loads.entries()) {
        await loadLines(never, linesOf(upTo(instant, load)));
        const untold = await startTestService(never, { now });
        const questions = questionsAbout(given.world, ['errors', 'cases']);
        for (const question of range({ test: 0, ci: 6, stress: Infinity }, questions)) {
          const expected = await dataOf(untold, question);
          const asOf = `${question}&${known}&as_of=v${index + 1}`;
          expect(await dataOf(service, asOf), asOf).to.deep.equal(expected);
          if (index !== loads.length - 1) continue;
          const latest = `${question}&${known}`;
          expect(await dataOf(service, latest), latest).to.deep.equal(expected);
        }
      }
    },
  );
});
