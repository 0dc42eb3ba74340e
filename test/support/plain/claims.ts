import { expect } from 'chai';
import { ask, expectAnswer } from '../answers.js';
import type { TestService } from '../service.js';
import {
  byBucketOf,
  type Case,
  type CasesQuestion,
  casesOf,
  hitRateOf,
  latestOf,
  revisionStatsOf,
} from './cases.js';
import { CELL_GROUPS, type CellGroup, scorecardOf, skillOf } from './comparison.js';
import { exceedanceOf, sampleSizesOf, distributionBySize, signedDistribution } from './distributions.js';
import { eventOf, eventsOf } from './events.js';
import {
  type Answer,
  BUCKETS,
  type Bucket,
  LEDGER_BUCKETS,
  type Load,
  Oracle,
  OTHER_PROVIDER,
  pairsOf,
  plusDays,
  type Stats,
  stationsOf,
  type World,
} from './oracle.js';
import { daysUntilTheLast } from './requests.js';
import { distributionRecordOf } from './distribution.js';

// The answers that the service has to give of a world: an oracle function an endpoint, each with its questions.

/** A path below /api/v1/accuracy, and what has to be answered: all of it, or the data and some of the metadata. */
export type Claim = { path: string } & ({ answer: Answer } | { data: unknown; metadata?: object });

export async function expectClaim(service: TestService, claim: Claim): Promise<void> {
  if ('answer' in claim) return expectAnswer(service, claim.path, claim.answer);
  const { data, metadata } = (await ask(service, claim.path)).body;
  expect(data, claim.path).to.deep.equal(claim.data);
  const told = Object.keys(claim.metadata ?? {}).map((name) => [name, metadata[name]] as const);
  expect(Object.fromEntries(told), claim.path).to.deep.equal(claim.metadata ?? {});
}

/** A world after some loads, as it is worked out. */
export class Truth {
  readonly oracle: Oracle;
  /** The cases of all providers, those of a day that had begun included. */
  readonly cases: readonly Case[];

  constructor(
    readonly world: World,
    readonly loads: readonly Load[],
    now: number,
  ) {
    this.oracle = new Oracle(loads, now);
    this.cases = casesOf(pairsOf(loads));
  }

  /** The default one, and the other one if it ever forecast. */
  get providers(): string[] {
    const rows = this.loads.flatMap(({ forecasts }) => forecasts);
    const hasOther = rows.some(
      ({ provider, withdrawn, high, low }) =>
        provider === OTHER_PROVIDER && withdrawn !== true && (high ?? low) !== undefined,
    );
    return hasOther ? ['default', OTHER_PROVIDER] : ['default'];
  }

  /** The stations that answer to their id, in its order. */
  get stations(): string[] {
    return [...stationsOf(this.loads).keys()].sort();
  }

  /** Records of stations, with their names. */
  named = <Row extends { station_id: string }>(records: readonly Row[]): (Row & { city_name: string })[] =>
    records.map((record) => ({
      ...record,
      city_name: stationsOf(this.loads).get(record.station_id)?.city_name ?? '',
    }));
}

/** Every claim about a world. */
export function* claimsOf(truth: Truth): Generator<Claim> {
  for (const provider of truth.providers) {
    for (const question of questionsOf(truth, provider)) yield* aboutCases(truth, question);
  }
  if (truth.providers.length > 1) {
    for (const question of questionsOf(truth)) yield* aboutProviders(truth, question);
  }
  for (const date of truth.world.dates) yield* aboutErrors(truth, date);
  yield* aboutPeriods(truth);
  yield* aboutHours(truth);
}

// ---- Cases (D32) ----------------------------------------------------------------------------------------------------

/** Lead times as a request asks for them, and the buckets that it then gets. */
const LEADS: readonly (readonly [parameters: string, buckets: readonly Bucket[]])[] = [
  ['', BUCKETS],
  ['lead=24', ['24-48h', '48-72h', '72h+']],
  ['lead_time_bucket=same-day,6-12h', ['same-day', '6-12h']],
  ['lead=12&lead_time_bucket=0-6h,12-24h', ['12-24h']],
  [`lead_time_bucket=${LEDGER_BUCKETS.join(',').replace('+', '%2B')}`, LEDGER_BUCKETS],
];

type AboutCases = CasesQuestion & { window: string; where: string; leads: string; at: number };

/** Every way to ask for lead times, over windows of nine days at both ends of a world. */
function questionsOf({ world, stations }: Truth, provider = 'default'): AboutCases[] {
  const dates = [...world.dates].sort();
  return LEADS.map(([leads, buckets], at): AboutCases => {
    const metric = (['high', 'low'] as const)[at % 2] ?? 'high';
    const last = dates.at(at % 3 === 2 ? -1 : 0) ?? '';
    const first = plusDays(last, -8);
    const station = [undefined, ...stations][(at + 1) % (stations.length + 1)];
    const where = station === undefined ? '' : `&station_id=${station}`;
    const window = `date_from=${first}&date_to=${last}&metric=${metric}`;
    return { metric, provider, first, last, buckets, station, window, where, leads, at };
  });
}

function* aboutCases(truth: Truth, question: AboutCases): Generator<Claim> {
  const { cases, named } = truth;
  const { station, where, leads, at, window, provider } = question;
  const ofOne = `${window}&provider=${provider}`;
  const asked = `${ofOne}${where}`;
  const { data: hits, ...ofAll } = hitRateOf(cases, question);
  yield { path: `hit-rate?${asked}&${leads}`, data: named(hits), metadata: ofAll };
  const { data: distributions, ...counts } = distributionRecordOf(truth.loads, question);
  yield { path: `distribution?${asked}&${leads}`, data: distributions, metadata: counts };
  const { data: revised, ...metadata } = revisionStatsOf(cases, question);
  yield { path: `revision-stats?${asked}`, data: named(revised), metadata };
  if (station !== undefined) {
    const [width, offset] = leads === '' ? ([2, 0] as const) : ([3, 1] as const);
    const ranges = `range_width=${width}&range_offset=${offset}`;
    const { data, ...counted } = byBucketOf(cases, question, width, offset);
    yield { path: `by-bucket/${station}?${ofOne}&${leads}&${ranges}`, data, metadata: counted };
  }
  yield* aboutEvents(truth, question, asked);
  const groups = ['lead_time_bucket', 'station', 'none'] as const;
  yield aboutSkill(truth, question, asked, groups[at % groups.length] ?? 'none');
}

/** Events at the temperatures themselves: one that is exactly a threshold is an event. */
function* aboutEvents({ cases, named }: Truth, question: AboutCases, asked: string): Generator<Claim> {
  const values = latestOf(cases, question).flatMap(({ forecast, actual }) => [forecast, actual]);
  const chosen = [...new Set(values)]
    .sort((a, b) => a - b)
    .filter((_, at) => at % 4 === 1)
    .slice(0, 9);
  const thresholds = [...new Set([...chosen, 15_000])];
  const usual = question.metric === 'high' ? 'at_or_above' : 'at_or_below';
  for (const [at, group_by] of (['none', 'lead_time_bucket', 'station', 'month'] as const).entries()) {
    const direction = (['at_or_above', 'at_or_below', usual] as const)[(question.at + at) % 3] ?? usual;
    const events = thresholds.map((threshold) => eventOf(threshold, direction));
    const { data, ...metadata } = eventsOf(cases, question, events, group_by);
    const given = direction === usual ? '' : `&direction=${direction}`;
    yield {
      path:
        `events?${asked}&${question.leads}&group_by=${group_by}${given}` +
        `&thresholds=${thresholds.map((each) => each / 100).join(',')}`,
      data: group_by === 'station' ? named(data as { station_id: string }[]) : data,
      metadata,
    };
  }
}

/** Skill against the latest reported day; feeds of so few days have no other reference. */
function aboutSkill(
  { loads, stations, named }: Truth,
  question: AboutCases,
  asked: string,
  group_by: 'lead_time_bucket' | 'station' | 'none',
): Claim {
  const { station, buckets, leads } = question;
  type Counted = Record<'cases' | 'cases_without_reference', number>;
  const of = (part: Partial<CasesQuestion>) =>
    skillOf(loads, { ...question, ...part }, 'persistence') as Counted & Record<string, unknown>;
  const has = (record: Counted): boolean => record.cases !== 0 || record.cases_without_reference !== 0;
  const byGroup = {
    none: () => [of({})],
    station: () =>
      named(
        stations
          .filter((each) => station === undefined || each === station)
          .map((station_id) => ({ station_id, ...of({ station: station_id }) }))
          .filter(has),
      ),
    lead_time_bucket: () => {
      const all = buckets.map((bucket) => ({ lead_time_bucket: bucket, ...of({ buckets: [bucket] }) }));
      return all.some(has) ? all : [];
    },
  };
  const data: Counted[] = byGroup[group_by]();
  const total_records = data.reduce((sum, each) => sum + each.cases + each.cases_without_reference, 0);
  return { path: `skill?${asked}&${leads}&group_by=${group_by}`, data, metadata: { total_records } };
}

/** So few days have no test, and no interval of a share. */
const NO_TESTS = {
  dm_statistic: null,
  dm_p_value: null,
  dm_p_value_fdr: null,
  significant: false,
  win_rate_low: null,
  win_rate_high: null,
};

/** One group or two, both ways round in turn. */
const SCORECARDS: readonly (readonly CellGroup[])[] = CELL_GROUPS.flatMap((group, at) => [
  [group],
  ...CELL_GROUPS.slice(at + 1).map((other, beside) => (beside % 2 === 0 ? [group, other] : [other, group])),
]);

/** Both providers, each against the other, at once, in each lead time, and in the cells of a part of all scorecards. */
function* aboutProviders({ cases, loads }: Truth, question: AboutCases): Generator<Claim> {
  const { window, where, leads, at } = question;
  const both = ['default', OTHER_PROVIDER] as const;
  const scorecards = SCORECARDS.filter((_, each) => each % LEADS.length === at);
  for (const [turn, groups] of [[], ['lead_time_bucket'] as const, ...scorecards].entries()) {
    const [reference, provider] = [both[turn % 2]!, both[(turn + 1) % 2]!];
    const found = scorecardOf(cases, stationsOf(loads), question, groups, reference, [provider]);
    const data = found.map((record): Record<string, unknown> => ({ ...record, ...NO_TESTS }));
    const total_records = data.reduce((sum, record) => sum + Number(record.cases), 0);
    yield {
      path: `compare?${window}${where}&providers=${reference},${provider}&group_by=${groups.join() || 'none'}&${leads === '' ? 'lead=0' : leads}`,
      data,
      metadata: { total_records, cells: 0, significant_cells: 0 },
    };
  }
}

// ---- Counts of errors -----------------------------------------------------------------------------------------

/** The errors of one day. */
function* aboutErrors({ oracle, stations, named }: Truth, date: string): Generator<Claim> {
  for (const metric of ['high', 'low']) {
    const pairs = oracle.pairs.filter((pair) => pair.target_date === date && pair.metric === metric);
    const window = `date_to=${date}&days=1&metric=${metric}`;
    // Thresholds at the errors themselves: a pair that is off by as much is within.
    const sizes = pairs.map(({ error }) => Math.abs(error)).filter((size) => size <= 5000);
    const chosen = [...new Set(sizes)].sort((a, b) => a - b).slice(0, 9);
    const thresholds = [...new Set([0, ...chosen])];
    yield {
      path: `exceedance?${window}&thresholds=${thresholds.map((each) => each / 100).join(',')}`,
      data: exceedanceOf(pairs, thresholds),
    };
    const path = `error-distribution?${window}`;
    yield { path: `${path}&signed=true&bin_width=0.5`, data: signedDistribution(pairs) };
    yield { path, data: distributionBySize(pairs) };
    yield { path: `sample-size?${window}&min_samples=1`, data: named(sampleSizesOf(pairs, stations, date)) };
  }
}

// ---- Periods and several stations -----------------------------------------------------------------------------

/** The first days of periods, by plain calendar. */
const FIRST_DAY = {
  week: (date: string) => plusDays(date, -((new Date(date).getUTCDay() + 6) % 7)),
  month: (date: string) => `${date.slice(0, 7)}-01`,
  year: (date: string) => `${date.slice(0, 4)}-01-01`,
} as const;

/** A period is the summary of its days in the window, and the records of some stations are theirs of all. */
function* aboutPeriods({ world, oracle, stations }: Truth): Generator<Claim> {
  const [first = ''] = [...world.dates].sort();
  const date_from = plusDays(first, -(world.dates.length % 6));
  const question = { date_from, days: Math.min(300, daysUntilTheLast(date_from)) };
  const window = `date_from=${date_from}&days=${question.days}`;
  const days = (oracle.byDate(question).data as { date: string }[]).map(({ date }) => date);
  for (const [period, firstDay] of Object.entries(FIRST_DAY)) {
    const data = [...new Set(days.map(firstDay))].map((date) => {
      const own = days.filter((day) => firstDay(day) === date);
      const stats = oracle.summary({ date_from: own[0], date_to: own.at(-1) }).data as Stats;
      const sample_size = stats.verification_pairs;
      return { date, station_id: 'ALL', city_name: 'All stations', stats, sample_size };
    });
    yield { path: `by-date?${window}&group_by=${period}`, data };
  }
  const some = stations.slice(0, Math.max(1, stations.length - 1));
  const all = oracle.byCity(question).data as { station_id: string }[];
  const data = all.filter(({ station_id }) => some.includes(station_id));
  yield { path: `by-city?${window}&stations=${some.join(',')}`, data };
  if (some.length < 2) return; // one is not called `2 stations`
  const together = { ...question, together: some };
  const where = `${window}&stations=${some.toReversed().join(',')}`;
  yield { path: `summary?${where}`, answer: oracle.summary(together) };
  yield { path: `by-date?${where}`, answer: oracle.byDate(together) };
  yield { path: `by-lead-time?${where}`, answer: oracle.byLeadTime(together) };
}

// ---- Hours of issuance ----------------------------------------------------------------------------------------

/** Answers about the forecasts of some hours are those of a world that has no others. */
function* aboutHours(truth: Truth): Generator<Claim> {
  const hourOf = ({ issued_at }: { issued_at: number }): number => new Date(issued_at).getUTCHours();
  const pairs = pairsOf(truth.loads);
  const hours = [...new Set(pairs.map(hourOf))].sort((a, b) => a - b).filter((_, at) => at % 2 === 0);
  if (hours.length === 0) return;
  const kept = Object.assign(new Truth(truth.world, truth.loads, 0), {
    cases: casesOf(pairs.filter((pair) => hours.includes(hourOf(pair)))),
  });
  for (const question of questionsOf(truth).slice(0, 2)) {
    const where = `${question.where}&issued_hour=${hours.join(',')}`;
    for (const claim of aboutCases(kept, { ...question, where, window: question.window })) {
      if (/^(hit-rate|revision-stats)/.test(claim.path)) yield claim;
    }
  }
}
