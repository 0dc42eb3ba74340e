import type { ApiResponse, Query } from '../responses/local-client.js';
import { rounded } from '../statistics/statistics.js';
import { type Uncertainty, makeVerdict } from '../statistics/uncertainty/intervals.js';
import { locate } from '../statistics/uncertainty/judge.js';
import { addDays } from '../statistics/time/calendar.js';
import { QUANTITIES } from '../variables/declarations.js';
import { type VariableName, VARIABLES } from '../variables/variables.js';
import { MAX_WINDOW_DAYS } from '../statistics/time/window.js';
import type { StationOfCall } from './station-search.js';
import type { ToolRequest } from './tool.js';

// The words of responses of the API as rows for an assistant: short, flat, and with what makes them doubtful beside them.

/** Below so many pairs or days a mean says little. */
export const MAX_SMALL = 30;

type Fields = Record<string, unknown>;

/** Metadata of use only to clients that keep the response, or fetch the next page. */
const UNSAID = ['generated_at', 'query_time_ms', 'local_generated_at', 'next_cursor', 'truncated', 'reason'];

/** The request as the API understood it. */
export function getRequestFields({ metadata = {} }: ApiResponse): Fields {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !UNSAID.includes(name)));
}

export const readRows = ({ data }: ApiResponse): Fields[] => [data].flat() as Fields[];

/** Fields that a short row leaves out, because they are elsewhere or for clients that want all. */
const DETAIL = ['label', 'description', 'sample_size', 'std_dev', 'abs_error_p50', 'abs_error_p95'];

/** A record with its statistics beside its names, and the intervals of its means as pairs. */
export function concise({ stats, uncertainty, ...record }: Fields): Fields {
  const flat = Object.entries({ ...record, ...(stats as Fields | undefined) });
  const known = uncertainty as Uncertainty | undefined;
  return {
    ...Object.fromEntries(flat.filter(([name]) => !DETAIL.includes(name))),
    ...(known && {
      mean_error_95: [known.mean_error.low, known.mean_error.high],
      mae_95: [known.mae.low, known.mae.high],
    }),
  };
}

export type KnownBounds = Pick<Uncertainty['mae'], 'low' | 'high'>;

/** A verdict as far as its interval is known: without one it is neither a finding nor its absence. */
export const asKnown = <Verdict>(interval: KnownBounds | undefined, verdict: Verdict): Verdict | 'unknown' =>
  interval === undefined || locate(interval) === 'unknown' ? 'unknown' : verdict;

/** The variable of a response; highs where it names none. */
export const getVariable = ({ metadata }: ApiResponse): VariableName =>
  ((metadata ?? {}) as { accuracy_metric?: VariableName }).accuracy_metric ?? 'high';

/** The verdict on the bias of a row's forecasts; empty where it has no interval. Degree days, ranges and chances are no temperatures. */
export function biasVerdict({ uncertainty }: Fields, response: ApiResponse): Fields {
  const known = uncertainty as Uncertainty | undefined;
  const [above, below] = QUANTITIES[VARIABLES[getVariable(response)].quantity].sides;
  return known
    ? { verdict: asKnown(known.mean_error, makeVerdict(known.mean_error, `too_${below}`, `too_${above}`)) }
    : {};
}

/** To the 0.01 that both are given to. */
export const subtractRounded = (a: unknown, b: unknown): number | null =>
  typeof a === 'number' && typeof b === 'number' ? rounded(a - b) : null;

/** The pairs, or days, behind a record. */
export function getSize(record: Fields): number {
  const { stats, verification_pairs, sample_size, cases, station_days } = record;
  const ofStats = (stats as Fields | undefined)?.verification_pairs;
  const size = ofStats ?? verification_pairs ?? sample_size ?? cases ?? station_days;
  return typeof size === 'number' ? size : 0;
}

/** Warnings about records that are few, or may still change. */
export function warnings(response: ApiResponse, what = 'verification pairs'): string[] {
  const records = readRows(response);
  const thin = records.filter((each) => getSize(each) > 0 && getSize(each) < MAX_SMALL).length;
  const hints: string[] = [];
  if (thin > 0) {
    const which =
      records.length === 1
        ? `This rests on ${getSize(records[0] ?? {})}`
        : `${thin} of ${records.length} rows rest on fewer than ${MAX_SMALL}`;
    hints.push(`${which} ${what}: too few to judge by. Widen the window or name fewer conditions`);
  }
  const coverage = response.metadata?.verification_coverage as { preliminary_days?: number } | undefined;
  if (coverage?.preliminary_days) {
    hints.push(`${coverage.preliminary_days} days rest on preliminary observations and may still change`);
  }
  return hints;
}

/** Whether records have no pair at all. */
export const isEmpty = (response: ApiResponse): boolean =>
  readRows(response).every((each) => getSize(each) === 0);

interface Provider {
  provider: string;
  is_default: boolean;
  first_target_date: string | null;
  last_target_date: string | null;
}

type Ask = (params: ToolRequest) => Promise<ApiResponse>;

/** Why a response may be empty: days that are not over, leads that nobody issues, or how far the data reach, of one station its own. */
export async function whyEmpty(
  ask: Ask,
  { metadata = {} }: ApiResponse,
  place: StationOfCall | undefined,
): Promise<string> {
  const [date_from, date_to] = [String(metadata.period_start), String(metadata.period_end)];
  if (place !== undefined && date_from >= place.today)
    return `No day of the window is over at the station, where it is ${place.local_time}: forecasts_for_day has its forecasts`;
  const all = (await ask({ path: '/providers', query: {} })).data as Provider[];
  const found =
    all.find((each) => each.provider === metadata.provider) ?? all.find((each) => each.is_default);
  const { provider, first_target_date: first, last_target_date: last } = found ?? {};
  if (provider === undefined || !first || !last)
    return `Nothing from ${date_from} to ${date_to} for this request; data_status lists what is loaded`;
  const { accuracy_metric = 'high', as_of, lead_time_buckets: leads } = metadata as Named;
  const requested: Query = {
    metric: accuracy_metric,
    provider,
    ...(place && { station_id: place.station_id }),
    ...(as_of && { as_of: as_of.requested }),
  };
  if (leads !== undefined) {
    const rows = readRows(
      await ask({ path: '/accuracy/by-lead-time', query: { ...requested, date_from, date_to } }),
    );
    const there = rows.filter((row) => getSize(row) > 0).map((row) => row.lead_time_bucket as string);
    if (there.length > 0 && !there.some((bucket) => leads.includes(bucket)))
      return `No forecast of the window was issued ${leads.join(', ')} ahead. Leads of provider ${provider}: ${there.join(', ')} (the longest)`;
  }
  const whose = place === undefined ? provider : `${provider} at ${place.station_id}`;
  const reach = place === undefined ? { first, last } : await reachOfPairs(ask, requested, first, last);
  if (reach === undefined)
    return `No pairs of provider ${whose} at all: data_status lists other providers, find_stations other stations`;
  return (
    `Nothing from ${date_from} to ${date_to} for this request. Pairs of provider ${whose} reach from ${reach.first} to ` +
    `${reach.last}: move date_from and date_to there, name fewer conditions, or look the place up with find_stations`
  );
}

/** The metadata of a request that may have no pairs. */
interface Named {
  accuracy_metric?: string;
  as_of?: { requested: string };
  lead_time_buckets?: string[];
}

/** The first and last day with a pair of a station, in the latest ten years of all; undefined without one. */
async function reachOfPairs(ask: Ask, requested: Query, first: string, last: string) {
  const earliest = addDays(last, 1 - MAX_WINDOW_DAYS);
  const query = { ...requested, date_from: first > earliest ? first : earliest, date_to: last };
  const [row] = readRows(await ask({ path: '/accuracy/sample-size', query })) as Record<
    string,
    string | null
  >[];
  return row?.first_date && row.last_date ? { first: row.first_date, last: row.last_date } : undefined;
}
