import { expect } from 'chai';
import fc from 'fast-check';
import type { Store } from '../../../src/store/store.js';
import { ask } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import {
  BUCKETS,
  type Bucket,
  emptyStore,
  LEDGER_BUCKETS,
  linesOf,
  OTHER_PROVIDER,
  pairsOf,
  plusDays,
  stationsOf,
  type World,
  worlds,
} from '../../support/plain/oracle.js';
import {
  byBucketOf,
  type CasesQuestion,
  casesOf,
  hitRateOf,
  revisionStatsOf,
} from '../../support/plain/cases.js';
import { pairOf, skillOf } from '../../support/plain/comparison.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// The seed is fixed, and a failure names it with the path to its case.
const RUN = { seed: 20_260_131, interruptAfterTimeLimit: 300_000 } as const;

/** Lead times as a request asks for them, and the buckets that it then gets. */
const LEADS: readonly (readonly [parameters: string, buckets: readonly Bucket[]])[] = [
  ['', BUCKETS],
  ['lead=24', ['24-48h', '48-72h', '72h+']],
  ['lead_time_bucket=same-day,6-12h', ['same-day', '6-12h']],
  ['lead=12&lead_time_bucket=0-6h,12-24h', ['12-24h']],
  [`lead_time_bucket=${LEDGER_BUCKETS.join(',').replace('+', '%2B')}`, LEDGER_BUCKETS],
];

// What the ledger holds: ledger.test.ts. The endpoints of the histograms: oracle.test.ts.
describe('answers from cases over HTTP, given random feeds', function () {
  this.timeout(400_000);
  let store: Store;

  before(async () => {
    store = await openTestStore();
  });
  after(() => store.close());

  it('when loads correct and withdraw what was said, of two providers, then every answer is the one worked out independently', () =>
    fc.assert(
      fc.asyncProperty(worlds({ conflicts: true }), async (world) => {
        await emptyStore(store);
        for (const load of world.loads) await loadLines(store, linesOf(load));
        const service = await startTestService(store);
        const cases = casesOf(pairsOf(world.loads));
        for (const provider of ['default', OTHER_PROVIDER]) {
          const is = await service.get(`/api/v1/accuracy/hit-rate?provider=${provider}`);
          if (is.status === 404) continue; // it has no forecast in this world
          for (const [at, question] of questionsOf(world, provider).entries()) {
            await expectAnswers(service, cases, question);
            await expectSkill(service, world, question, GROUPS[at % GROUPS.length] ?? 'none');
          }
          if (provider === OTHER_PROVIDER) {
            for (const question of questionsOf(world)) await expectComparison(service, cases, question);
          }
        }
      }),
      { ...RUN, numRuns: range({ test: 1, ci: 6, torture: 30 }) },
    ));
});

type Asked = CasesQuestion & { window: string; leads: string };

/** Every way to ask for lead times, over windows of nine days at both ends of a world. */
function questionsOf(world: World, provider = 'default'): Asked[] {
  const dates = [...world.dates].sort();
  const stations = [undefined, ...stationsOf(world.loads).keys()];
  return LEADS.map(([leads, buckets], at): Asked => {
    const metric = (['high', 'low'] as const)[at % 2] ?? 'high';
    const last = dates.at(at % 3 === 2 ? -1 : 0) ?? '';
    const first = plusDays(last, -8);
    const station = stations[(at + 1) % stations.length];
    const window = `date_from=${first}&date_to=${last}&metric=${metric}&provider=${provider}`;
    return { metric, provider, first, last, buckets, station, window, leads };
  });
}

async function expectAnswers(
  service: TestService,
  cases: ReturnType<typeof casesOf>,
  question: Asked,
): Promise<void> {
  const { station, window, leads } = question;
  const named = station === undefined ? '' : `&station_id=${station}`;
  const hitRate = await dataOf(service, `hit-rate?${window}&${leads}${named}`);
  expect(hitRate, leads).to.deep.equal(hitRateOf(cases, question));
  const revised = await dataOf(service, `revision-stats?${window}${named}`);
  expect(revised).to.deep.equal(revisionStatsOf(cases, question));
  if (station === undefined) return;
  const [width, offset] = leads === '' ? [2, 0] : [3, 1];
  const ranges = `range_width=${width}&range_offset=${offset}`;
  const ranged = await dataOf(service, `by-bucket/${station}?${window}&${leads}&${ranges}`);
  expect(ranged, `${leads} ${ranges}`).to.deep.equal(byBucketOf(cases, question, width, offset));
}

const GROUPS = ['lead_time_bucket', 'station', 'none'] as const;

/** Skill against the latest reported day; feeds of so few days have no other reference. */
async function expectSkill(
  service: TestService,
  world: World,
  question: Asked,
  group_by: (typeof GROUPS)[number],
): Promise<void> {
  const { window, leads, station, buckets } = question;
  const named = station === undefined ? '' : `&station_id=${station}`;
  const path = `skill?${window}&${leads}${named}&group_by=${group_by}`;
  const { data, metadata } = (await ask(service, path)).body;
  const of = (part: Partial<CasesQuestion>) => skillOf(world.loads, { ...question, ...part }, 'persistence');
  const all =
    group_by === 'none'
      ? [of({})]
      : group_by === 'station'
        ? [...stationsOf(world.loads).keys()]
            .filter((each) => station === undefined || each === station)
            .sort()
            .map((station_id) => ({ station_id, ...of({ station: station_id }) }))
        : buckets.map((bucket) => ({ lead_time_bucket: bucket, ...of({ buckets: [bucket] }) }));
  const has = (record: Record<string, unknown>): boolean =>
    record.cases !== 0 || record.cases_without_reference !== 0;
  const expected = all.filter(
    (record) => group_by === 'none' || (group_by === 'station' ? has(record) : all.some(has)),
  );
  const is = (data as Record<string, unknown>[]).map(({ city_name: _, ...record }) => record);
  expect(is, path).to.deep.equal(expected);
  const total = (name: string): number => is.reduce((sum, record) => sum + Number(record[name]), 0);
  expect(metadata.total_records).to.equal(total('cases') + total('cases_without_reference'));
}

/** Both providers, each against the other, in each lead time and at once. */
async function expectComparison(
  service: TestService,
  cases: ReturnType<typeof casesOf>,
  { first, last, metric, buckets, station, leads }: Asked,
): Promise<void> {
  const named = station === undefined ? '' : `&station_id=${station}`;
  for (const [at, group_by] of (['none', 'lead_time_bucket'] as const).entries()) {
    const names = at === 0 ? ['default', OTHER_PROVIDER] : [OTHER_PROVIDER, 'default'];
    const [reference = '', provider = ''] = names;
    const path =
      `compare?date_from=${first}&date_to=${last}&metric=${metric}&providers=${names.join(',')}` +
      `&group_by=${group_by}&${leads === '' ? 'lead=0' : leads}${named}`;
    const { data, metadata } = (await ask(service, path)).body;
    const asked = group_by === 'none' ? [buckets] : buckets.map((bucket) => [bucket]);
    const expected = asked
      .map((of) => ({
        ...(group_by !== 'none' && { lead_time_bucket: of[0] }),
        ...pairOf(
          cases,
          { first, last, metric, buckets: of, station, leadHours: Number.parseInt(of[0] ?? '') || 0 },
          reference,
          provider,
        ),
      }))
      .filter((record: Record<string, unknown>) =>
        ['cases', 'provider_only_cases', 'reference_only_cases'].some((name) => record[name] !== 0),
      );
    const is = (data as Record<string, unknown>[]).map((record) => {
      // So few days have no test, and no interval of a share.
      for (const [name, value] of Object.entries(record)) {
        if (/^(dm|hln)_(statistic|p_value)|^win_rate_/.test(name)) expect(value, name).to.equal(null);
      }
      return Object.fromEntries(
        Object.entries(record).filter(([name]) => !/^(dm|hln)_(statistic|p_value)|^win_rate_/.test(name)),
      );
    });
    expect(is, path).to.deep.equal(expected);
    const total = is.reduce((sum, record) => sum + Number(record.cases), 0);
    expect(metadata.total_records).to.equal(total);
  }
}

/** The records of an answer, without names of cities, and what its metadata tell of them. */
async function dataOf(service: TestService, path: string): Promise<unknown> {
  const { data, metadata } = (await ask(service, path)).body;
  const { total_records, network, verification_coverage } = metadata;
  return {
    data: (data as Record<string, unknown>[]).map(({ city_name: _, ...record }) => record),
    total_records,
    ...(network !== undefined && { network, verification_coverage }),
  };
}
