import type { Sources } from '../../api/endpoint.js';
import { InvalidParameters } from '../../api/parameters.js';
import type { Metric } from '../../api/questions/common.js';
import type { Training } from '../question.js';
import { beginningsByZone, dayBeginnings, stationClocks } from '../../relations/local-days.js';
import {
  countedByDay,
  errorParts,
  forecastArrays,
  lateDates,
  NO_MOMENT_MS,
  ofTrainingDays,
  tallied,
  type TrainingQuestion,
} from './training-cases.js';
import { historyOf, type StationHistories } from './history.js';
import { reports } from '../../relations/reports.js';
import type { DayBegins } from './origins.js';
import type { ErrorOfDay } from './predictive.js';
import { type Errors, errorsOf } from './tally.js';
import {
  lagOf,
  type LeadRange,
  MIN_NETWORK_DAYS,
  networkMoment,
  PROBABILITY_KAPPA,
  TRAINING_WINDOW,
  trainingDays,
  windowNeeded,
} from './training.js';
import { Reports } from '../../relations/report-rows.js';
import { sum } from '../../statistics/statistics.js';
import { dateOf } from '../../statistics/time/calendar.js';
import type { RowOf, Statement } from '../../sql.js';
import type { AsOf } from '../../stations/versions.js';
import { inSlices } from '../../slices.js';

// How the endpoints of this folder read what they learn from: one rule, src/odds/learning/training.ts.

/** The common part of their questions. */
export interface Learner {
  metric: Metric;
  provider: { name: string; names?: readonly string[] };
  training: Training;
  station?: { station_id: string } | undefined;
  asOf: AsOf | undefined;
  knownAt?: number | undefined;
}

type Query = Pick<Sources, 'query'>;

/** Both included, from 1970-01-01. */
export interface TrainingSpan {
  first: number;
  last: number;
}

export const verifiedOnly = ({ metric, training }: Pick<Learner, 'metric' | 'training'>): boolean =>
  training.verified_only ?? metric === 'low';

/** The part of the store that a question learns from: the network's, or its station's. */
export const learnsFrom = (
  asked: Learner,
  range: LeadRange,
  days: TrainingSpan,
  moment_ms: number,
): TrainingQuestion => ({
  ...asked,
  station: undefined,
  range,
  days,
  verifiedOnly: verifiedOnly(asked),
  moment_ms,
});

/** The data that one forecast is predicted from. */
export interface Learned {
  /** The days of the training. */
  from: string;
  to: string;
  /** How many they are. */
  window: number;
  /** The station's errors, in the order of the days, hundredths of a °F; none without a station. */
  stationErrors: number[];
  network: Errors;
  /** Without a station: the errors of the network by day. */
  networkByDay?: readonly ErrorOfDay[];
  /** The lead times of the forecasts that have these errors, ms; undefined without any. The mean is that of the mixture. */
  leads: { mean: number; shortest: number; longest: number } | undefined;
}

/** The lead times of some forecasts, as those of errors. */
export type Leads = Pick<ErrorsRow, 'station_days' | 'lead_ms_sum' | 'shortest_ms' | 'longest_ms'>;

/**
 * The window of a question (windowNeeded) for its last target day.
 * @param also as of countedByDay()
 */
export async function windowFor<Asked extends TrainingQuestion>(
  { window }: Training,
  question: Asked,
  needed: number,
  query: Sources['query'],
  also?: (asked: Asked) => Statement,
): Promise<number> {
  const { last } = question.days;
  const { usual, longest } = TRAINING_WINDOW;
  for (const days of window === undefined ? [usual, longest] : []) {
    const asked = { ...question, days: { first: Math.max(0, last - days + 1), last } };
    const providers = question.provider.names?.length ?? 1;
    const rows = await inParts(asked, query, (errors) =>
      query(countedByDay(errors, providers, also?.(asked))),
    );
    const counts = new Map(rows.map(({ day, station_days }) => [day, station_days]));
    const found = windowNeeded(last, needed, (day) => counts.get(day) ?? 0);
    if (found !== undefined) return found;
  }
  return window ?? usual;
}

/** The window of a question that learns from errors of forecasts. */
export function windowOf(
  asked: Learner,
  range: LeadRange,
  target_day: number,
  { query }: Query,
): Promise<number> {
  const moment_ms = Math.min(asked.knownAt ?? NO_MOMENT_MS, networkMoment(target_day, range.horizon));
  const days = trainingDays(target_day, range.horizon, 1);
  return windowFor(asked.training, learnsFrom(asked, range, days, moment_ms), MIN_NETWORK_DAYS, query);
}

/** The training for a forecast of one target day, as known now or at `known_at`. */
export async function learnFor(
  asked: Learner,
  range: LeadRange,
  target_day: number,
  { query }: Query,
): Promise<Learned> {
  const { horizon } = range;
  const window = asked.training.window ?? TRAINING_WINDOW.usual;
  const days = trainingDays(target_day, horizon, window);
  const said = { from: dateOf(days.first), to: dateOf(days.last), window };
  // No date is before 1970.
  if (days.last < 0) return { ...said, stationErrors: [], network: errorsOf([]), leads: undefined };
  const { station } = asked;
  const known_ms = asked.knownAt ?? NO_MOMENT_MS;
  const network_ms = Math.min(known_ms, networkMoment(target_day, horizon));
  const [network, own] = await Promise.all([
    errorsKnown(learnsFrom(asked, range, days, network_ms), station === undefined, query),
    station === undefined
      ? []
      : errorsKnown({ ...learnsFrom(asked, range, days, known_ms), station }, true, query),
  ]);
  const errors = errorsOf(
    network.map(({ error_hundredths }) => error_hundredths),
    network.map(({ station_days }) => station_days),
  );
  // Where there are enough, as nearly always, nothing has to be counted first.
  if (errors.days < MIN_NETWORK_DAYS && asked.training.window === undefined) {
    const wider = await windowOf(asked, range, target_day, { query });
    const training = { ...asked.training, window: wider };
    if (wider !== window) return learnFor({ ...asked, training }, range, target_day, { query });
  }
  return {
    ...said,
    stationErrors: own.map(({ error_hundredths }) => error_hundredths),
    network: errors,
    ...(station === undefined && { networkByDay: network }),
    leads: leadsOf(own, network),
  };
}

type ErrorsRow = RowOf<typeof tallied>;

export function leadsOf(own: readonly Leads[], network: readonly Leads[]): Learned['leads'] {
  const all = [...own, ...network];
  if (all.length === 0) return undefined;
  const total = (rows: readonly Leads[], of: 'lead_ms_sum' | 'station_days'): number =>
    sum(rows.map((row) => row[of]));
  const weight = PROBABILITY_KAPPA / Math.max(1, total(network, 'station_days'));
  const weighed = (of: 'lead_ms_sum' | 'station_days'): number =>
    total(own, of) + weight * total(network, of);
  return {
    mean: weighed('lead_ms_sum') / weighed('station_days'),
    shortest: all.reduce((least, { shortest_ms }) => Math.min(least, shortest_ms), Infinity),
    longest: all.reduce((most, { longest_ms }) => Math.max(most, longest_ms), -Infinity),
  };
}

async function errorsKnown(
  question: TrainingQuestion,
  isByDay: boolean,
  query: Sources['query'],
): Promise<ErrorsRow[]> {
  const rows = await inParts(question, query, (errors) => query(tallied(errors, isByDay)));
  return rows.sort((a, b) => a.day - b.day || a.error_hundredths - b.error_hundredths);
}

/** Reads all parts of the errors that were known at a moment. */
export async function inParts<Row>(
  question: TrainingQuestion,
  query: Sources['query'],
  read: (errors: Statement) => Promise<Row[]>,
): Promise<Row[]> {
  const isNow = question.moment_ms === NO_MOMENT_MS;
  const late = isNow ? [] : await query(lateDates(question));
  const dates = late.map(({ target_date }) => target_date);
  return (await Promise.all(errorParts(question, dates).map(read))).flat();
}

/** The histories of the forecasts of each station for some days, by provider. */
async function readHistories(
  asked: Learner,
  range: LeadRange,
  days: TrainingSpan,
  { query }: Query,
): Promise<StationHistories[]> {
  const question = learnsFrom(asked, range, days, asked.knownAt ?? NO_MOMENT_MS);
  const names = asked.provider.names ?? [asked.provider.name];
  const [observations, ...cases] = await Promise.all([
    query(reports(question, ofTrainingDays(days)), 'long'),
    ...names.map((name) => query(forecastArrays({ ...question, provider: { name } }), 'long')),
  ]);
  const options = { verifiedOnly: verifiedOnly(asked) };
  const observed = new Map(observations.map((each) => [each.station_id, each]));
  const forecast = cases.map((rows) => new Map(rows.map((row) => [row.station_id, row])));
  const station_ids = [...new Set(cases.flat().map((row) => row.station_id))].sort();
  const histories: StationHistories[] = [];
  await inSlices(station_ids, (station_id) => {
    const told = new Reports(observed.get(station_id), options);
    const byProvider = forecast.map((ofProvider) => {
      const row = ofProvider.get(station_id);
      return row && historyOf(row, told, days);
    });
    histories.push({ station_id, byProvider });
  });
  return histories;
}

/** The most target days of a question about past forecasts: of 2,000 stations, a year of them and what they learn from are
 * a million days. */
const MOST_TARGET_DAYS = 366;

/** @throws InvalidParameters for more days than one answer may work through */
export function withinReach({ days_analyzed }: { days_analyzed: number }): void {
  if (days_analyzed <= MOST_TARGET_DAYS) return;
  const message = `begins a window of ${days_analyzed} days; each is predicted anew, so at most ${MOST_TARGET_DAYS} are allowed`;
  throw new InvalidParameters([{ parameter: 'date_from', message }]);
}

/** The histories of all stations by id, for target days and the days that these learn from; and when their days begin. */
export async function readOrigins(
  asked: Learner,
  range: LeadRange,
  { first, last }: TrainingSpan,
  { query }: Query,
): Promise<{ histories: StationHistories[]; dayBegins: DayBegins }> {
  const { window = TRAINING_WINDOW.usual } = asked.training;
  const days = { first: Math.max(0, first - lagOf(range.horizon) - window + 1), last };
  const [histories, dayBegins] = await Promise.all([
    readHistories(asked, range, days, { query }),
    readDayBegins(asked, { first: Math.max(0, first - 1), last: last + 1 }, { query }),
  ]);
  return { histories, dayBegins };
}

/** When days begin at each station. */
async function readDayBegins(
  { asOf }: Learner,
  { first, last }: TrainingSpan,
  { query }: Query,
): Promise<DayBegins> {
  const window = { period_start: dateOf(first), period_end: dateOf(last) };
  const [stations, zones] = await Promise.all([
    query(stationClocks(asOf)),
    query(dayBeginnings({ window, asOf })),
  ]);
  const beginsOf = beginningsByZone(zones);
  const ofStation = new Map(stations.map((each) => [each.station_id, beginsOf(each)]));
  return (station_id, day) => ofStation.get(station_id)?.[day - first] ?? NaN;
}
