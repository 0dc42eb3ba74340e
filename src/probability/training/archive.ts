import type { Sources } from '../../api/endpoint.js';
import { InvalidParamsError } from '../../api/parameters.js';
import type { Metric } from '../../variables/variables.js';
import { forecastArrays, NO_MOMENT_MS, ofTrainingDays } from './training-cases.js';
import { errorKnown, type History, getHistories, makeHistory, type StationHistories } from './history.js';
import { reports } from '../../queries/reports.js';
import type { ErrorOfDay } from './predictive.js';
import { type Errors, countErrors } from './degree-counts.js';
import {
  computeLag,
  type LeadRange,
  MIN_NETWORK_DAYS,
  networkMoment,
  PROBABILITY_KAPPA,
  type Training,
  TRAINING_WINDOW,
  trainingDays,
  windowNeeded,
} from './training.js';
import { Reports } from '../../queries/report-rows.js';
import { sum } from '../../statistics/statistics.js';
import { formatDate } from '../../statistics/time/calendar.js';
import type { AsOf } from '../../stations/versions.js';

// How the endpoints of this folder read their training: the histories of all stations, for one forecast as for every
// past one.

/** The common part of their requests. */
export interface TrainingQuery {
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

/** Whether only verified observations count. */
export const verifiedOnly = ({ metric, training }: Pick<TrainingQuery, 'metric' | 'training'>): boolean =>
  training.verified_only ?? metric === 'low';

/** The histories that some target days are trained on, and the number of days for each. */
export interface Archive {
  histories: StationHistories[];
  window: number;
}

/**
 * Reads histories for a window: the one asked for, or the usual one, or a longer one where that has too few cases.
 * @param needed by the last target day @param last the last day of the training @param countOf the cases of a day
 */
export async function readForWindow<Found>(
  requested: number | undefined,
  { needed, last }: { needed: number; last: number },
  read: (window: number) => Promise<Found>,
  countOf: (found: Found, day: number) => number,
): Promise<{ found: Found; window: number }> {
  const { usual, longest } = TRAINING_WINDOW;
  const findNeeded = (found: Found, max: number): number | undefined =>
    windowNeeded(last, needed, (day) => countOf(found, day), max);
  const found = await read(requested ?? usual);
  if (requested !== undefined || findNeeded(found, usual) !== undefined)
    return { found, window: requested ?? usual };
  const more = await read(longest);
  const window = findNeeded(more, longest);
  return window === undefined ? { found, window: usual } : { found: more, window };
}

/** The histories of all stations for target days, and for the days that these are trained on. */
export async function readArchive(
  requested: TrainingQuery,
  range: LeadRange,
  { first, last }: TrainingSpan,
  { query }: Query,
): Promise<Archive> {
  const lag = computeLag(range.horizon);
  const moment_ms = Math.min(requested.knownAt ?? NO_MOMENT_MS, networkMoment(last, range.horizon));
  const { found, window } = await readForWindow(
    requested.training.window,
    { needed: MIN_NETWORK_DAYS, last: last - lag },
    (window) =>
      readHistories(requested, range, { first: Math.max(0, first - lag - window + 1), last }, { query }),
    (histories, day) =>
      histories.filter(({ byProvider }) =>
        byProvider.every((each) => each !== undefined && !Number.isNaN(errorKnown(each, day, moment_ms))),
      ).length,
  );
  return { histories: found, window };
}

/** The data that one forecast is predicted from. */
export interface TrainingSample {
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

/** The training for a forecast of one target day, as known now or at `known_at`. */
export async function trainFor(
  requested: TrainingQuery,
  range: LeadRange,
  target_day: number,
  sources: Query,
): Promise<TrainingSample> {
  const { horizon } = range;
  const { histories, window } = await readArchive(
    requested,
    range,
    { first: target_day, last: target_day },
    sources,
  );
  const days = trainingDays(target_day, horizon, window);
  const { station, knownAt: known_ms = NO_MOMENT_MS } = requested;
  const all = getHistories(histories, 0);
  const network = errorsKnown(all, days, Math.min(known_ms, networkMoment(target_day, horizon)));
  const own = errorsKnown(
    all.filter(({ station_id }) => station_id === station?.station_id),
    days,
    known_ms,
  );
  return {
    from: formatDate(days.first),
    to: formatDate(days.last),
    window,
    stationErrors: own.map(({ error_hundredths }) => error_hundredths),
    network: countErrors(network.map(({ error_hundredths }) => error_hundredths)),
    ...(station === undefined && { networkByDay: network }),
    leads: summarizeLeads(
      own.map(({ lead_ms }) => [lead_ms]),
      network.map(({ lead_ms }) => [lead_ms]),
    ),
  };
}

/** The errors of some stations that are known at a moment, by day, and the lead times of their forecasts. */
function errorsKnown(
  histories: readonly History[],
  { first, last }: TrainingSpan,
  moment_ms: number,
): (ErrorOfDay & { lead_ms: number })[] {
  const found = [];
  for (let day = Math.max(0, first); day <= last; day += 1) {
    for (const history of histories) {
      const error_hundredths = errorKnown(history, day, moment_ms);
      if (Number.isNaN(error_hundredths)) continue;
      found.push({ day, error_hundredths, station_days: 1, lead_ms: history.leads[day - history.first]! });
    }
  }
  return found;
}

/**
 * The lead times of a mixture: of the station's days, and of the network's by their weight.
 * @param own the leads of the forecasts of each day, of which it has the mean
 */
export function summarizeLeads(own: LeadsOfDays, network: LeadsOfDays): TrainingSample['leads'] {
  if (own.length + network.length === 0) return undefined;
  const weight = PROBABILITY_KAPPA / Math.max(1, network.length);
  const total = (days: LeadsOfDays): number =>
    days.reduce((all, leads) => all + sum(leads) / leads.length, 0);
  const mean = (total(own) + weight * total(network)) / (own.length + weight * network.length);
  const all = [...own, ...network];
  return {
    mean,
    shortest: all.reduce((min, leads) => Math.min(min, ...leads), Infinity),
    longest: all.reduce((max, leads) => Math.max(max, ...leads), -Infinity),
  };
}

type LeadsOfDays = readonly (readonly number[])[];

/** The histories of the forecasts of each station for some days, by provider. */
export async function readHistories(
  requested: TrainingQuery,
  range: LeadRange,
  days: TrainingSpan,
  { query }: Query,
): Promise<StationHistories[]> {
  // No date is before 1970.
  if (days.last < 0) return [];
  const moment_ms = requested.knownAt ?? NO_MOMENT_MS;
  const params = { ...requested, station: undefined, range, days, moment_ms };
  const names = requested.provider.names ?? [requested.provider.name];
  const [observations, ...cases] = await Promise.all([
    query(reports(params, ofTrainingDays(days)), 'long'),
    ...names.map((name) => query(forecastArrays({ ...params, provider: { name } }), 'long')),
  ]);
  const options = { verifiedOnly: verifiedOnly(requested) };
  const observed = new Map(observations.map((each) => [each.station_id, each]));
  const forecast = cases.map((rows) => new Map(rows.map((row) => [row.station_id, row])));
  const station_ids = [...new Set(cases.flat().map((row) => row.station_id))].sort();
  return station_ids.map((station_id) => {
    const reports = new Reports(observed.get(station_id), options);
    const byProvider = forecast.map((ofProvider) => {
      const row = ofProvider.get(station_id);
      return row && makeHistory(row, reports, days);
    });
    return { station_id, byProvider };
  });
}

/** The most target days of a request about past forecasts: of 2,000 stations, a year of them and their training are
 * a million days. */
const MAX_TARGET_DAYS = 366;

/** @throws InvalidParamsError for more days than one response may work through */
export function withinReach({ days_analyzed }: { days_analyzed: number }): void {
  if (days_analyzed <= MAX_TARGET_DAYS) return;
  const message = `begins a window of ${days_analyzed} days; each is predicted anew, so at most ${MAX_TARGET_DAYS} are allowed`;
  throw new InvalidParamsError([{ parameter: 'date_from', message }]);
}
