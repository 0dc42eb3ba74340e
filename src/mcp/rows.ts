import type { ApiAnswer, Query } from '../answers/questions.js';
import { rounded } from '../statistics/statistics.js';
import { type Uncertainty, verdictOf } from '../statistics/uncertainty/intervals.js';
import { addDays } from '../statistics/time/calendar.js';
import { MAX_WINDOW_DAYS } from '../statistics/time/window.js';
import type { StationOfCall } from './stations.js';
import type { ToolQuestion } from './tool.js';

// The words of answers of the API as rows for an assistant: short, flat, and with what makes them doubtful beside them.

/** Below so many pairs or days a mean says little. */
export const FEW = 30;

type Fields = Record<string, unknown>;

/** What metadata have only for those who keep the answer, or fetch the next page. */
const UNSAID = ['generated_at', 'query_time_ms', 'local_generated_at', 'next_cursor', 'truncated', 'reason'];

/** The question as the API understood it. */
export function questionOf({ metadata = {} }: ApiAnswer): Fields {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !UNSAID.includes(name)));
}

export const rowsOf = ({ data }: ApiAnswer): Fields[] => [data].flat() as Fields[];

/** What a short row leaves out: it is said elsewhere, or is for those who ask for all. */
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

/** What a row shows of the bias of its forecasts; nothing where it has no interval. */
export function biasVerdict({ uncertainty }: Fields): Fields {
  const known = uncertainty as Uncertainty | undefined;
  return known ? { verdict: verdictOf(known.mean_error, 'too_cold', 'too_warm') } : {};
}

/** To the 0.01 that both are given to. */
export const lessOf = (a: unknown, b: unknown): number | null =>
  typeof a === 'number' && typeof b === 'number' ? rounded(a - b) : null;

/** The pairs, or days, behind a record. */
export function sizeOf(record: Fields): number {
  const { stats, verification_pairs, sample_size, cases, station_days } = record;
  const ofStats = (stats as Fields | undefined)?.verification_pairs;
  const size = ofStats ?? verification_pairs ?? sample_size ?? cases ?? station_days;
  return typeof size === 'number' ? size : 0;
}

/** What to say of records that are few, or may still change. */
export function warnings(answer: ApiAnswer, what = 'verification pairs'): string[] {
  const records = rowsOf(answer);
  const thin = records.filter((each) => sizeOf(each) > 0 && sizeOf(each) < FEW).length;
  const hints: string[] = [];
  if (thin > 0) {
    const which =
      records.length === 1
        ? `This rests on ${sizeOf(records[0] ?? {})}`
        : `${thin} of ${records.length} rows rest on fewer than ${FEW}`;
    hints.push(`${which} ${what}: too few to judge by. Widen the window or name fewer conditions`);
  }
  const coverage = answer.metadata?.verification_coverage as { preliminary_days?: number } | undefined;
  if (coverage?.preliminary_days) {
    hints.push(`${coverage.preliminary_days} days rest on preliminary observations and may still change`);
  }
  return hints;
}

/** Whether records have no pair at all. */
export const isEmpty = (answer: ApiAnswer): boolean => rowsOf(answer).every((each) => sizeOf(each) === 0);

interface Provider {
  provider: string;
  is_default: boolean;
  first_target_date: string | null;
  last_target_date: string | null;
}

type Ask = (question: ToolQuestion) => Promise<ApiAnswer>;

/** Why an answer may be empty: days that are not over, leads that nobody issues, or how far the data reach, at one station its own. */
export async function whyEmpty(
  ask: Ask,
  answer: ApiAnswer,
  place: StationOfCall | undefined,
): Promise<string> {
  const { period_start, period_end, provider } = answer.metadata ?? {};
  if (place !== undefined && String(period_start) >= place.today)
    return `No day of the window is over at the station, where it is ${place.local_time}: forecasts_for_day has its forecasts`;
  const all = (await ask({ path: '/providers', query: {} })).data as Provider[];
  const found = all.find((each) => each.provider === provider) ?? all.find((each) => each.is_default);
  if (found?.first_target_date == null || found.last_target_date === null)
    return 'No forecasts with observations are loaded: data_status tells what is';
  const same = {
    ...subjectOf(answer, found.provider),
    date_from: String(period_start),
    date_to: String(period_end),
  };
  const lead = await whyNoLead(ask, answer, same);
  if (lead !== undefined) return lead;
  const window = `${String(period_start)} to ${String(period_end)}`;
  const reach = { first: found.first_target_date, last: found.last_target_date };
  const own = place && (await reachOf(ask, { ...same, station_id: place.station_id }, reach));
  const whose = `${found.provider}${place ? ` at ${place.station_id}` : ''}`;
  if (place !== undefined && own === undefined)
    return `No pairs of provider ${whose} at all: data_status lists other providers, find_stations other stations`;
  const { first, last } = own ?? reach;
  return (
    `Nothing from ${window} for this question. Pairs of provider ${whose} reach from ${first} to ` +
    `${last}: move date_from and date_to there, name fewer conditions, or look the place up with find_stations`
  );
}

/** Of whom and of what an answer is, as a question of the API has it. */
function subjectOf({ metadata = {} }: ApiAnswer, provider: string): Record<string, string> {
  const { station_id, accuracy_metric = 'high', as_of } = metadata;
  const requested = (as_of as { requested: string } | undefined)?.requested;
  return {
    metric: String(accuracy_metric),
    provider,
    ...(typeof station_id === 'string' &&
      !['ALL', 'SELECTED'].includes(station_id) && { stations: station_id }),
    ...(requested !== undefined && { as_of: requested }),
  };
}

/** That no pair of the window has a lead that was asked for, and the longest one that there is. */
async function whyNoLead(
  ask: Ask,
  { metadata = {} }: ApiAnswer,
  subject: Query,
): Promise<string | undefined> {
  const asked = metadata.lead_time_buckets as string[] | undefined;
  if (asked === undefined) return undefined;
  const rows = rowsOf(await ask({ path: '/accuracy/by-lead-time', query: subject }));
  const there = rows.filter((row) => sizeOf(row) > 0).map((row) => String(row.lead_time_bucket));
  if (there.length === 0 || there.some((bucket) => asked.includes(bucket))) return undefined;
  const ordered = there.toSorted((a, b) => Number.parseInt(a) - Number.parseInt(b)).join(', ');
  return `No forecast of the window was issued ${asked.join(', ')} ahead. Leads of provider ${subject.provider}: ${ordered} (the longest)`;
}

/** The first and last day with a pair of a station; undefined without one in the latest ten years of the data. */
async function reachOf(ask: Ask, { stations: _stations, ...subject }: Query, { first, last }: Reach) {
  const earliest = addDays(last, 1 - MAX_WINDOW_DAYS);
  const query = { ...subject, date_from: first > earliest ? first : earliest, date_to: last };
  const [row = {}] = rowsOf(await ask({ path: '/accuracy/sample-size', query }));
  const { first_date, last_date } = row;
  return first_date == null ? undefined : { first: String(first_date), last: String(last_date) };
}

type Reach = Record<'first' | 'last', string>;
