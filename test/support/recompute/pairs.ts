import { expect } from 'chai';
import {
  DERIVED_NAMES,
  derivedPairs,
  type Load,
  type Pair,
  pairsOf,
  plusDays,
  variableQuery,
} from '../plain/oracle.js';
import { range } from '../runner/range.js';
import type { TestService } from '../service.js';

// Scripts take the pairs of an export for granted, so exports are held to pairs worked out a second time.

/** A part of all pairs: the query of an export, and whether a pair is in it. */
export interface Selection {
  query: string;
  has: (pair: Pair) => boolean;
}

const ALL: Selection = { query: '', has: () => true };

/** The longest window of a request, days. */
const MAX_DAYS = 3660;

/** A row of an export of all providers. */
const rowOf = (pair: Pair) => ({
  metric: variableQuery(pair.metric).metric,
  station_id: pair.station_id,
  target_date: pair.target_date,
  issued_at: new Date(pair.issued_at).toISOString().replace('.000Z', 'Z'),
  // To 0.0001 hours, which are 360 ms.
  lead_time_hours: Math.floor((pair.local_midnight - pair.issued_at + 180) / 360) / 10_000,
  lead_time_bucket: pair.lead_time_bucket,
  forecast: pair.forecast / 100,
  actual: pair.actual / 100,
  error: pair.error / 100,
  observation_status: pair.observation_status,
  provider: pair.provider,
});

/** Windows that hold all dates. */
function windowsOf(dates: readonly string[]): { first: string; last: string }[] {
  const windows: { first: string; last: string }[] = [];
  for (const date of [...new Set(dates)].sort()) {
    const window = windows.at(-1);
    if (window !== undefined && date < plusDays(window.first, MAX_DAYS)) window.last = date;
    else windows.push({ first: date, last: date });
  }
  return windows;
}

/**
 * Expects that exports have the pairs of some loads, in order, and no other.
 * @param version of the data after these loads; the latest if not given
 */
export async function expectPairs(
  service: TestService,
  loads: readonly Load[],
  { query, has }: Selection = ALL,
  version?: number,
): Promise<void> {
  const ofFeeds = pairsOf(loads).filter(has);
  await expectRows(service, loads, ofFeeds, query, version);
  if (query.includes('metric')) return;
  for (const metric of range({ test: 1, ci: 2, stress: Infinity }, DERIVED_NAMES))
    await expectRows(service, loads, derivedPairs(ofFeeds, metric), `${query}&metric=${metric}`, version);
}

async function expectRows(
  service: TestService,
  loads: readonly Load[],
  all: Pair[],
  query: string,
  version?: number,
): Promise<void> {
  const inOrder = (a: Pair, b: Pair): number => {
    const [one, other] = [a, b].map((pair) =>
      [pair.target_date, pair.metric, pair.station_id, pair.issued_at + 1e14, pair.provider].join(' '),
    );
    return one! < other! ? -1 : 1;
  };
  const dates = loads.flatMap(({ observations }) => observations.map(({ date }) => date));
  for (const { first, last } of windowsOf(dates)) {
    const path =
      `/api/v1/export/pairs?format=ndjson&provider=all&date_from=${first}&date_to=${last}${query}` +
      (query.includes('lead_time_bucket') ? '' : '&include_same_day=true') +
      (version === undefined ? '' : `&as_of=v${version}`);
    const { status, text } = await service.get(path).buffer(true);
    expect(status, `${path}: ${text}`).to.equal(200);
    const rows = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as object);
    const own = all.filter(({ target_date }) => first <= target_date && target_date <= last);
    expect(rows, path).to.deep.equal(own.sort(inOrder).map(rowOf));
  }
}
