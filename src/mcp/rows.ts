import type { ApiAnswer } from '../answers/questions.js';
import { rounded } from '../statistics/statistics.js';
import { type Uncertainty, verdictOf } from '../statistics/uncertainty/intervals.js';
import { type StationOfCall, todayAt } from './stations.js';

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

/** Why an answer may be empty: days that are not over, or how far the data reach, by the providers of the API. */
export function whyEmpty(providers: ApiAnswer, answer: ApiAnswer, place: StationOfCall | undefined): string {
  const asked = answer.metadata ?? {};
  if (place !== undefined && String(asked.period_start) >= todayAt(place))
    return `No day of the window is over at the station, where it is ${place.local_time}: forecasts_for_day has its forecasts`;
  const all = providers.data as Provider[];
  const found =
    all.find(({ provider }) => provider === asked.provider) ?? all.find((each) => each.is_default);
  const window = `${String(asked.period_start)} to ${String(asked.period_end)}`;
  if (found === undefined || found.first_target_date === null)
    return 'No forecasts with observations are loaded: data_status tells what is';
  return (
    `Nothing from ${window} for this question. Pairs of provider ${found.provider} reach from ${found.first_target_date} to ` +
    `${found.last_target_date}: move date_from and date_to there, name fewer conditions, or look the place up with find_stations`
  );
}
