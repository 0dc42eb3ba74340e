import { expect } from 'chai';
import { ask } from '../answers.js';
import { expectScript } from '../recompute/compare.js';
import type { TestService } from '../service.js';
import type { CasesQuestion } from './cases.js';
import { CELL_GROUPS, type CellGroup, skillOf } from './comparison.js';
import { distributionRecordOf } from './distribution.js';
import {
  BUCKETS,
  type Bucket,
  DERIVED_NAMES,
  derivedPairs,
  isDerived,
  LEDGER_BUCKETS,
  type Load,
  Oracle,
  OTHER_PROVIDER,
  type Pair,
  pairsOf,
  plusDays,
  stationsOf,
  type World,
} from './oracle.js';
import { daysUntilTheLast } from './requests.js';

// The answers that the service has to give of a world, each with its questions.

/** A path below /api/v1. Its data are worked out, or DuckDB makes them anew; and some of the metadata. */
export interface Claim {
  path: string;
  data?: unknown;
  metadata?: object;
}

export async function expectClaim(service: TestService, claim: Claim): Promise<void> {
  const { path, metadata = {} } = claim;
  if (!('data' in claim)) await expectScript(service, path);
  const { body } = await ask(service, path);
  if ('data' in claim) expect(body.data, path).to.deep.equal(claim.data);
  const told = Object.keys(metadata).map((name) => [name, body.metadata[name]] as const);
  expect(Object.fromEntries(told), path).to.deep.equal(metadata);
}

/** A world after some loads, as it is worked out. */
export class Truth {
  readonly oracle: Oracle;
  /** The pairs of all providers, those of a day that had begun included. */
  readonly pairs: readonly Pair[];

  constructor(
    readonly world: World,
    readonly loads: readonly Load[],
    now: number,
  ) {
    this.oracle = new Oracle(loads, now);
    this.pairs = pairsOf(loads);
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
    for (const question of questionsOf(truth)) yield* aboutProviders(question);
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
    // Each lead time is of the feeds or of what follows from them, in turn.
    const metric =
      (['high', 'low', ...DERIVED_NAMES] as const)[(dates.length + at) % (2 + DERIVED_NAMES.length)] ??
      'high';
    const last = dates.at(at % 3 === 2 ? -1 : 0) ?? '';
    const first = plusDays(last, -8);
    const station = [undefined, ...stations][(at + 1) % (stations.length + 1)];
    const where = station === undefined ? '' : `&station_id=${station}`;
    const window = `date_from=${first}&date_to=${last}&metric=${metric}`;
    return { metric, provider, first, last, buckets, station, window, where, leads, at };
  });
}

function* aboutCases(truth: Truth, question: AboutCases): Generator<Claim> {
  const { station, where, leads, at, window, provider } = question;
  const ofOne = `${window}&provider=${provider}`;
  const asked = `${ofOne}${where}`;
  yield { path: `accuracy/hit-rate?${asked}&${leads}` };
  if (!isDerived(question.metric)) {
    const { data: distributions, ...counts } = distributionRecordOf(truth.loads, {
      ...question,
      metric: question.metric,
    });
    yield { path: `accuracy/distribution?${asked}&${leads}`, data: distributions, metadata: counts };
  }
  yield { path: `accuracy/revision-stats?${asked}` };
  if (station !== undefined) {
    const ranges = leads === '' ? 'range_width=2&range_offset=0' : 'range_width=3&range_offset=1';
    yield { path: `accuracy/by-bucket/${station}?${ofOne}&${leads}&${ranges}` };
  }
  yield* aboutEvents(truth, question, asked);
  const groups = ['lead_time_bucket', 'station', 'none'] as const;
  yield aboutSkill(truth, question, asked, groups[at % groups.length] ?? 'none');
}

/** The highest threshold of each variable, hundredths: values of days are hardly ever as high. */
const HIGHEST = {
  ...{ high: 14_000, low: 14_000, mean: 14_000, range: 27_000, hdd: 19_500, cdd: 7500, gdd: 3600 },
  ...{ 'hdd&base=18.1c': 19_400, 'cdd&base=50.5f&method=nws': 8900, 'hdd&method=nws': 19_500 },
  'gdd&base=4.5c&cap=28c&method=nws': 4100,
};

/** Events at the temperatures themselves: one that is exactly a threshold is an event. */
function* aboutEvents({ pairs }: Truth, question: AboutCases, asked: string): Generator<Claim> {
  const values = (isDerived(question.metric) ? derivedPairs(pairs, question.metric) : pairs)
    .filter(({ metric, provider }) => metric === question.metric && provider === question.provider)
    .flatMap(({ forecast, actual }) => [forecast, actual]);
  const chosen = [...new Set(values)].sort((a, b) => a - b).filter((_, at) => at % 4 === 1);
  const thresholds = [...new Set([...chosen.slice(0, 9), HIGHEST[question.metric]])]
    .map((each) => each / 100)
    .join(',');
  const direction = ['', '&direction=at_or_above', '&direction=at_or_below'][question.at % 3];
  for (const group_by of ['none', 'lead_time_bucket', 'station', 'month'] as const)
    yield {
      path: `accuracy/events?${asked}&${question.leads}&group_by=${group_by}${direction}&thresholds=${thresholds}`,
    };
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
  return { path: `accuracy/skill?${asked}&${leads}&group_by=${group_by}`, data, metadata: { total_records } };
}

/** One group or two, both ways round in turn. */
const SCORECARDS: readonly (readonly CellGroup[])[] = CELL_GROUPS.flatMap((group, at) => [
  [group],
  ...CELL_GROUPS.slice(at + 1).map((other, beside) => (beside % 2 === 0 ? [group, other] : [other, group])),
]);

/** Both providers, each against the other, at once, in each lead time, and in the cells of a part of all scorecards. */
function* aboutProviders({ window, where, leads, at }: AboutCases): Generator<Claim> {
  const both = ['default', OTHER_PROVIDER] as const;
  const scorecards = SCORECARDS.filter((_, each) => each % LEADS.length === at);
  for (const [turn, groups] of [[], ['lead_time_bucket'] as const, ...scorecards].entries()) {
    const providers = turn % 2 === 0 ? both : both.toReversed();
    const group_by = groups.join() || 'none';
    yield {
      path: `accuracy/compare?${window}${where}&providers=${providers.join()}&group_by=${group_by}&${leads === '' ? 'lead=0' : leads}`,
      metadata: { cells: 0, significant_cells: 0 },
    };
  }
}

// ---- Counts of errors -----------------------------------------------------------------------------------------

/** The errors of one day. */
function* aboutErrors({ pairs }: Truth, date: string): Generator<Claim> {
  for (const metric of ['high', 'low', ...DERIVED_NAMES] as const) {
    const all = isDerived(metric) ? derivedPairs(pairs, metric) : pairs;
    const ofDay = all.filter((pair) => pair.target_date === date && pair.metric === metric);
    const window = `date_to=${date}&days=1&metric=${metric}`;
    // Thresholds at the errors themselves: a pair that is off by as much is within.
    const sizes = ofDay.map(({ error }) => Math.abs(error)).filter((size) => size <= 5000);
    const chosen = [...new Set(sizes)].sort((a, b) => a - b).slice(0, 9);
    const thresholds = [...new Set([0, ...chosen])].map((each) => each / 100).join(',');
    yield { path: `accuracy/exceedance?${window}&thresholds=${thresholds}` };
    yield { path: `accuracy/error-distribution?${window}&signed=true&bin_width=0.5` };
    yield { path: `accuracy/error-distribution?${window}` };
    yield { path: `accuracy/sample-size?${window}&min_samples=1` };
  }
}

// ---- Periods and several stations -----------------------------------------------------------------------------

/** Periods, and the records of some stations apart and together. */
function* aboutPeriods({ world, stations }: Truth): Generator<Claim> {
  const [first = ''] = [...world.dates].sort();
  const date_from = plusDays(first, -(world.dates.length % 6));
  const window = `date_from=${date_from}&days=${Math.min(300, daysUntilTheLast(date_from))}`;
  for (const period of ['week', 'month', 'season', 'year'])
    yield { path: `accuracy/by-date?${window}&group_by=${period}` };
  const some = stations.slice(0, Math.max(1, stations.length - 1));
  const where = `${window}&stations=${some.toReversed().join(',')}`;
  for (const endpoint of ['by-city', 'summary', 'by-date', 'by-lead-time'])
    yield { path: `accuracy/${endpoint}?${where}` };
}

// ---- Hours of issuance ----------------------------------------------------------------------------------------

/** Answers about the forecasts of some hours. */
function* aboutHours(truth: Truth): Generator<Claim> {
  const all = new Set(truth.pairs.map(({ issued_at }) => new Date(issued_at).getUTCHours()));
  const hours = [...all].sort((a, b) => a - b).filter((_, at) => at % 2 === 0);
  if (hours.length === 0) return;
  for (const { window, where, leads } of questionsOf(truth).slice(0, 2)) {
    const asked = `${window}${where}&issued_hour=${hours.join(',')}`;
    yield { path: `accuracy/hit-rate?${asked}&${leads}` };
    yield { path: `accuracy/revision-stats?${asked}` };
  }
}
