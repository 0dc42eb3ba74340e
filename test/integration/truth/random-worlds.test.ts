import { expect } from 'chai';
import fc from 'fast-check';
import { audit } from '../../../src/ingest/audit.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { claimsOf, expectClaim, Truth } from '../../support/plain/claims.js';
import { joined, linesOf, type Load, stationsOf, type World } from '../../support/plain/oracle.js';
import { questionsAbout } from '../../support/plain/questions.js';
import { claimOf, drawnRequests } from '../../support/plain/requests.js';
import { itInWorlds } from '../../support/plain/worlds.js';
import { expectPairs, type Selection } from '../../support/recompute/pairs.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';

/** The time of a request, on one of the days of a world. */
const timeOf = (world: World, day = 0): number =>
  Date.parse(`${world.dates[day % world.dates.length]}T15:30:12.345Z`);

/** The one world of `make ci` has its pairs in one month: an audit takes 0.3 s of processor for each. */
const SEED = range({ test: 8, ci: 8, stress: 20_260_131 });

// The rows of the ledger: ledger.test.ts. Answers about chosen cases: chosen-cases.test.ts, celsius.test.ts.
describe('answers over HTTP, given random feeds', () => {
  itInWorlds(
    "when loads correct each other and stations move, then pairs are as worked out, numbers as DuckDB's",
    {
      runs: { test: 1, ci: 1, stress: 40 },
      // The one world of make test and make ci has pairs of both providers, some dozen of each metric.
      seed: range({ test: 8, ci: 8, stress: 4 }),
      more: fc.record({ day: fc.nat({ max: 59 }), requests: drawnRequests }),
    },
    async (given, { day, requests }) => {
      const { world } = given;
      const now = timeOf(world, day);
      const service = await given.told(world.loads, { now: new Date(now).toISOString() });
      const truth = new Truth(world, world.loads, now);
      await expectExports(service, truth);
      for (const version of range({ test: 1, ci: 2, stress: Infinity }, [...world.loads.keys()].slice(1)))
        await expectPairs(service, world.loads.slice(0, version), undefined, version);
      await expectClaims(service, truth, range({ test: 4, ci: 8, stress: Infinity }, requests));
      for (const claim of range({ test: 4, ci: 8, stress: 200 }, [...claimsOf(truth)]))
        await expectClaim(service, claim);
    },
  );

  itInWorlds(
    'when loads contradict each other nowhere, then neither order, cut, repeat nor withdrawal matters',
    {
      runs: { test: 0, ci: 1, stress: 8 },
      seed: SEED,
      conflicts: false,
      more: fc.record({
        places: fc.array(fc.tuple(fc.nat(), fc.nat({ max: 2 }), fc.boolean()), {
          minLength: 200,
          maxLength: 200,
        }),
        isWithdrawn: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
        requests: drawnRequests,
      }),
    },
    async (given, { places, isWithdrawn, requests }) => {
      const { world } = given;
      const now = timeOf(world);
      const truth = new Truth(world, world.loads, now);
      const store = await given.store();
      const load = async (loads: readonly Load[]): Promise<void> => {
        for (const each of loads) await loadLines(store, linesOf(each));
      };
      const gone = <Row>(rows: readonly Row[]): Row[] =>
        rows
          .filter((_, i) => isWithdrawn[i % isWithdrawn.length])
          .map((row) => ({ ...row, withdrawn: true }));

      await load(recut(world.loads, places));
      const service = await startTestService(store, { now: new Date(now).toISOString() });
      await expectPairs(service, world.loads);
      await expectClaims(service, truth, range({ test: 0, ci: 3, stress: Infinity }, requests));
      const { stations, forecasts, observations } = joined(recut(world.loads, places));
      await load([
        { stations: gone(stations), forecasts: gone(forecasts), observations: gone(observations) },
        ...recut(world.loads, [...places].reverse()),
      ]);
      const later = await startTestService(store, { now: new Date(now).toISOString() });
      await expectPairs(later, world.loads);
      await expectClaims(later, truth, range({ test: 0, ci: 3, stress: Infinity }, requests));
      expect(await audit(store)).to.deep.equal([]);
    },
  );

  itInWorlds(
    'when two providers share stations, then each has the answers of a store with it alone',
    { runs: { test: 0, ci: 1, stress: 4 }, seed: SEED },
    async (given) => {
      const { world } = given;
      const now = new Date(timeOf(world)).toISOString();
      const store = await given.store();
      for (const load of world.loads) await loadLines(store, linesOf(load));
      const both = await startTestService(store, { now });
      const { providers } = new Truth(world, world.loads, timeOf(world));
      for (const provider of providers) {
        const all = joined(world.loads);
        const forecasts = all.forecasts.filter((row) => (row.provider ?? 'default') === provider);
        const alone = await given.told([{ ...all, forecasts }], { now });
        const questions = questionsAbout(world, ['errors', 'cases']);
        for (const question of range({ test: 0, ci: 5, stress: Infinity }, questions)) {
          const path = `${question}&provider=${provider}`;
          expect(await dataOf(both, path), path).to.deep.equal(await dataOf(alone, path));
        }
      }
      expect(await audit(store)).to.deep.equal([]);
    },
  );
});

/** Exports of all pairs, and of parts of them. */
async function expectExports(service: TestService, { loads, pairs, stations }: Truth): Promise<void> {
  await expectPairs(service, loads);
  const hours = [...new Set(pairs.map(hourOf))].filter((_, at) => at % 2 === 0);
  const some = stations.slice(0, Math.max(1, stations.length - 1));
  for (const selection of range({ test: 2, ci: 3, stress: Infinity }, [
    { query: '&metric=low', has: ({ metric }) => metric === 'low' },
    { query: `&station_id=${some[0]}`, has: ({ station_id }) => station_id === some[0] },
    { query: `&stations=${some.join(',')}`, has: ({ station_id }) => some.includes(station_id) },
    { query: `&issued_hour=${hours.join(',') || '0'}`, has: (pair) => hours.includes(hourOf(pair)) },
    {
      query: '&lead_time_bucket=same-day,6-12h,72h%2B',
      has: ({ lead_time_bucket }) => ['same-day', '6-12h', '72h+'].includes(lead_time_bucket),
    },
  ] as Selection[]))
    await expectPairs(service, loads, selection);
}

const hourOf = ({ issued_at }: { issued_at: number }): number => new Date(issued_at).getUTCHours();

async function expectClaims(
  service: TestService,
  truth: Truth,
  requests: readonly Parameters<typeof claimOf>[0][],
): Promise<void> {
  for (const request of requests) await expectClaim(service, claimOf(request, truth));
}

/** The same rows in other loads and another order, some of them in two; each with its key and its load drawn. */
function recut(
  loads: readonly Load[],
  places: readonly [key: number, load: number, twice: boolean][],
): Load[] {
  let next = 0;
  const place = () => places[next++ % places.length] ?? [0, 0, false];
  const scatter = <Row>(rows: readonly Row[]): Row[][] => {
    const placed = rows.map((row) => ({ row, place: place() }));
    placed.sort((a, b) => a.place[0] - b.place[0]);
    return [0, 1, 2].map((load) =>
      placed
        .filter(({ place: [, first, twice] }) => load === first || (twice && load === (first + 1) % 3))
        .map(({ row }) => row),
    );
  };
  const forecasts = scatter(loads.flatMap((load) => load.forecasts));
  const observations = scatter(loads.flatMap((load) => load.observations));
  return [0, 1, 2].map((load) => ({
    stations: load === 0 ? [...stationsOf(loads).values()] : [],
    forecasts: forecasts[load] ?? [],
    observations: observations[load] ?? [],
  }));
}
