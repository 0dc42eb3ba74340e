import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Store } from '../../../src/store/store.js';
import { getColumnNames } from '../../../src/feeds/feeds.js';
import { dataOf } from '../../support/answers.js';
import { loadLines } from '../../support/ingest/feeds.js';
import { plusDays } from '../../support/plain/oracle.js';
import { findPlace, type Place, type Quantiles, type TieCase, Z } from '../../support/plain/ties.js';
import { Random } from '../../support/random.js';
import { type Compared, compareWithScript, NOT_RECOMPUTED } from '../../support/recompute/compare.js';
import { range } from '../../support/runner/range.js';
import { startTestService, type TestService } from '../../support/service.js';
import { openTestStore } from '../../support/store.js';

// docs/probability.md (Ties) is enough to compute what /accuracy/distribution says of ties: ties.ts does so, by the page alone.
// Temperatures are in hundredths of a °F.

const FIRST = '2026-03-01';
const NOW = '2026-09-01T00:00:00Z';

/** A forecast of a station day, and what came. */
interface Case extends Quantiles {
  station: string;
  provider: string;
  date: string;
  forecast: number;
  actual: number;
  /** The standard deviation that the feed has in place of quantiles. */
  sd?: number;
  /** The members that the feed has in place of quantiles. */
  members?: readonly number[];
}

const stationLine = (id: string): string => `${id},${id},US,41.97,-87.9,Etc/UTC,Dfa,true,,,standard`;
const shown = (hundredths: number): string => (hundredths / 100).toFixed(2);
const issuedAt = (date: string): string => `${plusDays(date, -1)}T12:00:00Z`;

function forecastLine({ station, provider, date, forecast, levels, quantiles, sd }: Case): string {
  const cells: Record<string, string> = {
    ...{ station_id: station, issued_at: issuedAt(date), target_date: date, provider },
    ...{ high_f: shown(forecast), high_sd_f: sd === undefined ? '' : shown(sd) },
  };
  if (sd === undefined)
    for (const [at, level] of levels.entries())
      cells[`high_p${String(level).padStart(2, '0')}_f`] = shown(quantiles[at]!);
  const names = getColumnNames('forecasts');
  return names
    .slice(0, names.indexOf('member'))
    .map((name) => cells[name] ?? '')
    .join();
}

const memberLines = ({ station, provider, date, members = [] }: Case): string[] =>
  members.map((each, at) => `${station},${issuedAt(date)},${date},${shown(each)},,${at},${provider},`);

async function loadCases(store: Store, cases: readonly Case[]): Promise<void> {
  const observed = new Map(cases.map((each) => [`${each.station} ${each.date}`, each]));
  const report = await loadLines(
    store,
    {
      columns: 'all',
      stations: [...new Set(cases.map(({ station }) => station))].map(stationLine),
      forecasts: cases.filter(({ members }) => members === undefined).map(forecastLine),
      members: cases.flatMap(memberLines),
      observations: [...observed.values()].map(
        ({ station, date, actual }) =>
          `${station},${date},${shown(actual)},,verified,${plusDays(date, 1)}T12:00:00Z`,
      ),
    },
    { now: new Date(NOW) },
  );
  expect([report.outcome, report.rejections]).to.deep.equal(['complete', []]);
}

/** The rows of the page's last table of a section, whose first head is this. */
function tableOfPage(head: string): string[][] {
  const page = readFileSync(new URL('../../../docs/probability.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split(`\n| ${head} |`);
  const [rows = ''] = section.split('\n\n');
  return rows
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map((cells) => cells.slice(1, -1));
}

const numbersOf = (cell: string): number[] => cell.split(', ').map(Number);
const hundredthsOf = (cell: string): number[] => numbersOf(cell).map((value) => Math.round(100 * value));

interface Answered {
  station_id: string;
  cases: number;
  levels: number[];
  coverage: { level: number; observed: number }[];
  intervals: { nominal: number; covered: number }[];
  pit: { counts: number[] };
}

const KINDS: { name: string; size: number; zero: number }[] = [
  { name: 'WHOLEF', size: 100, zero: 0 },
  { name: 'WHOLEC', size: 180, zero: 3200 },
  { name: 'TENTHC', size: 18, zero: 3200 },
  { name: 'TENTHF', size: 10, zero: 0 },
];
const ALL = Object.keys(Z).map(Number);

/** By provider: its levels, and how it states them. */
const PROVIDERS: Record<string, { levels: readonly number[]; by: 'quantiles' | 'sd' | number }> = {
  median: { levels: [50], by: 'quantiles' },
  lowest: { levels: [10], by: 'quantiles' },
  two: { levels: [10, 90], by: 'quantiles' },
  three: { levels: [10, 20, 90], by: 'quantiles' },
  five: { levels: [10, 25, 50, 75, 90], by: 'quantiles' },
  thirteen: { levels: ALL, by: 'quantiles' },
  spread: { levels: ALL, by: 'sd' },
  'five-members': { levels: ALL, by: 5 },
  'many-members': { levels: ALL, by: 51 },
};

/** The quantile of ascending members, of type 7, half away from zero. */
function quantileOf(members: readonly number[], level: number): number {
  const place = (members.length - 1) * level;
  const here = members[Math.floor(place / 100)]!;
  const value = 100 * here + (place % 100) * ((members[Math.floor(place / 100) + 1] ?? here) - here);
  return (Math.sign(value) * Math.floor((Math.abs(value) + 50) / 100)) / 1;
}

/** Ascending quantiles in degrees of some size, a tenth of them all equal; the inner ones need not follow a normal. */
function drawQuantiles(random: Random, mean: number, sd: number, levels: readonly number[], size: number) {
  if (random.next() < 0.1) return levels.map(() => Math.round(mean / size) * size);
  const skew = random.next() < 0.3 ? 1 + 2 * random.next() : 1;
  return levels.map((level) => Math.round((mean + sd * Z[level]! * (level > 50 ? skew : 1)) / size) * size);
}

/** Station days of each kind of station by each provider. */
function drawCases(seed: number, days: number): Case[] {
  const random = new Random(seed);
  return KINDS.flatMap(({ name: station, size, zero }) =>
    Array.from({ length: days }, (_, day) => {
      const date = plusDays(FIRST, day);
      const rounded = (value: number): number => zero + size * Math.round((value - zero) / size);
      const actual = rounded(1000 * random.below(9) + 500 * random.next());
      return Object.entries(PROVIDERS).map(([provider, { levels, by }]): Case => {
        const sd = 10 + random.below(random.of([60, 300, 900]));
        // Near what came, so that there are ties in each of the degrees.
        const mean = actual + sd * random.gaussian();
        const unlike = { station, provider, date, levels, actual, forecast: Math.round(mean) };
        if (by === 'quantiles') {
          const grain = random.of([size, size, size, 100, 1]);
          const moved = drawQuantiles(random, mean - zero, sd, levels, grain).map((each) => each + zero);
          // A third of them meet what came with one of their quantiles.
          const off = random.next() < 0.33 ? actual - random.of(moved) : 0;
          const quantiles = moved.map((each) => each + off);
          return { ...unlike, quantiles, width: quantiles.at(-1)! - quantiles[0]! };
        }
        if (by === 'sd') {
          const forecast = random.next() < 0.5 ? actual : unlike.forecast;
          const quantiles = levels.map((level) => forecast + Math.floor(Z[level]! * sd + 0.5));
          return { ...unlike, forecast, sd, quantiles, width: (Z[95]! - Z[5]!) * sd };
        }
        const members = Array.from({ length: by }, () => rounded(mean + sd * random.gaussian()));
        members.sort((a, b) => a - b);
        const quantiles = levels.map((level) => quantileOf(members, level));
        return { ...unlike, members, quantiles, width: quantiles.at(-1)! - quantiles[0]! };
      });
    }).flat(),
  );
}

/** Where an answer is not that of the places of its cases, to half of its last digit. */
function findDifferences(answered: Answered, places: readonly Place[], levels: readonly number[]): string[] {
  const sums = levels.map((_, at) => places.reduce((sum, { below }) => sum + below[at]!, 0));
  const total = places.length;
  const found: string[] = [];
  const compare = (what: string, value: number | undefined, wanted: number, digit: number): void => {
    if (!(Math.abs(value! - wanted) <= digit / 2 + 1e-9))
      found.push(`${what}: ${value}, by the page ${wanted}`);
  };
  for (const [at, level] of levels.entries())
    compare(`coverage of ${level}`, answered.coverage[at]?.observed, sums[at]! / total, 1e-4);
  for (const { nominal, covered } of answered.intervals) {
    const [from, to] = [levels.indexOf((100 - nominal) / 2), levels.indexOf((100 + nominal) / 2)] as const;
    compare(`interval of ${nominal}`, covered, (sums[to]! - sums[from]!) / total, 1e-4);
  }
  for (const [at, sum] of [...sums, total].entries())
    compare(`pit ${at}`, answered.pit.counts[at], sum - (sums[at - 1] ?? 0), 0.01);
  return found;
}

/** A request about cases of drawCases(), below /api/v1. */
function drawRequest(random: Random, days: number): string {
  const length = random.of([5, 14, 20, days]);
  const names = Object.keys(PROVIDERS);
  const query = new URLSearchParams({
    date_from: plusDays(FIRST, random.below(days - length + 1)),
    ...(random.next() < 0.5
      ? { provider: random.of(names) }
      : { providers: [...new Set([random.of(names), random.of(names), random.of(names)])].join() }),
    group_by: random.of(['none', 'none', 'station', 'lead_time_bucket', 'month']),
    ...(random.next() < 0.5 && { temp_unit: 'celsius' }),
    ...(random.next() < 0.5 && { ci: random.of(['0.8', '0.9', '0.99']) }),
    ...(random.next() < 0.4 && { as_of: random.of(['v1', 'v2']) }),
    ...(random.next() < 0.4 && { stations: random.of(['WHOLEF', 'TENTHC,WHOLEC', 'TABLE']) }),
    ...(random.next() < 0.3 && { lead_time_bucket: random.of(['0-6h', '6-12h,12-24h', 'same-day,24-48h']) }),
    ...(random.next() < 0.2 && { issued_hour: random.of(['12', '0,12']) }),
  });
  query.set('date_to', plusDays(query.get('date_from')!, length - 1));
  return `accuracy/distribution?${query.toString()}`;
}

describe('ties of observations and quantiles, by docs/probability.md alone', () => {
  let store: Store;
  let service: TestService;
  const rows = tableOfPage('Levels, %');
  const table = rows.map(([levels = '', quantiles = '', observed = '', , range = '', shares = ''], at) => ({
    ...{ station: 'TABLE', provider: 'page', date: plusDays(FIRST, at) },
    ...{ levels: numbersOf(levels), quantiles: hundredthsOf(quantiles), forecast: 6000 },
    ...{ actual: hundredthsOf(observed)[0]!, range: range === '–' ? [] : numbersOf(range) },
    width: hundredthsOf(quantiles).at(-1)! - hundredthsOf(quantiles)[0]!,
    shares: numbersOf(shares),
  }));
  const days = range({ test: 30, ci: 120, stress: 400 });
  const cases = drawCases(Number(process.env.TEST_SEED ?? 0) + 1, days);

  before(async () => {
    store = await openTestStore();
    // The second load corrects values of some days.
    await loadCases(store, drawCases(0, Math.ceil(days / 2)));
    await loadCases(store, [...table, ...cases]);
    service = await startTestService(store, { now: NOW });
  });
  after(() => store.close());

  it('given each row of its table, then range and shares are those of its rule, and of the service', async () => {
    expect(table.length).to.be.at.least(12);
    for (const row of table) {
      const { of, from, to, below } = findPlace(row, row.actual);
      const place = of === 'none' ? [] : [from, to].map((each) => Math.round(100 * each) / 100);
      expect(place, row.date).to.deep.equal(row.range);
      const shares = below.map((each) => Math.round(1e4 * each) / 1e4);
      expect(shares, row.date).to.deep.equal(row.shares);
      const window = `date_from=${row.date}&date_to=${row.date}&stations=TABLE&provider=page`;
      const [found] = await dataOf<Answered[]>(service, `accuracy/distribution?${window}`);
      expect(found?.levels).to.deep.equal(row.levels);
      expect(found?.coverage.map(({ observed }) => observed)).to.deep.equal(row.shares);
    }
  });

  it('given random requests, then DuckDB makes every number anew from the export', async () => {
    const random = new Random(Number(process.env.TEST_SEED ?? 0) + 2);
    const result: Compared = { numbers: 0, differing: [], missing: new Set() };
    const requests = range({ test: 6, ci: 16, stress: 400 });
    for (let at = 0; at < requests; at += 1)
      await compareWithScript(service, drawRequest(random, days), result);
    expect(result.differing.slice(0, 20)).to.deep.equal([]);
    expect(NOT_RECOMPUTED).to.include.members([...result.missing]);
    expect(result.numbers).to.be.above(50 * requests);
  });

  it('given stations of each degree, then every coverage, interval and count is that of the page', async () => {
    const differing: string[] = [];
    const seen = new Map<TieCase, number>();
    const stations = KINDS.map(({ name }) => name).join();
    for (const [provider, { levels }] of Object.entries(PROVIDERS)) {
      const window = `date_from=${FIRST}&date_to=${plusDays(FIRST, days - 1)}`;
      const path = `accuracy/distribution?${window}&group_by=station&stations=${stations}&provider=${provider}`;
      const answers = await dataOf<Answered[]>(service, path);
      expect(answers.map(({ cases }) => cases)).to.deep.equal(KINDS.map(() => days));
      for (const answered of answers) {
        const own = cases.filter(
          (each) => each.provider === provider && each.station === answered.station_id,
        );
        const places = own.map((each) => findPlace(each, each.actual));
        for (const { of } of places) seen.set(of, (seen.get(of) ?? 0) + 1);
        for (const each of findDifferences(answered, places, levels))
          differing.push(`${provider} at ${answered.station_id}, ${each}`);
      }
    }
    expect(differing).to.deep.equal([]);
    for (const each of ['none', 'several', 'alone', 'cell', 'cut', 'levels'] as const)
      expect(seen.get(each), each).to.be.at.least(2);
  });
});
