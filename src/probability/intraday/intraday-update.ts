import { z } from 'zod';
import type { Sources } from '../../api/endpoint.js';
import { count } from '../../api/fields.js';
import { toMillionths } from '../../api/kinds.js';
import type { Lead } from '../probability-params.js';
import { reportedValue, reportsOfDay } from './hour-cases.js';
import { type HourArchive, readHourArchive } from './hour-archive.js';
import { hourFinder, fitLines, ownCases } from './hour-origins.js';
import { instantText } from '../../queries/issuances.js';
import {
  type DailyExtreme,
  toGap,
  toHour,
  LAST_HOUR,
  loadMeasured,
  MIN_CASES,
  ownWeight,
  makePredictive,
  type RemainingRises,
  risesTo,
  withoutGaps,
} from './remaining-rise.js';
import type { Range } from '../training/predictive.js';
import { between, type DegreeCounts } from '../training/degree-counts.js';
import { TRAINING_WINDOW } from '../training/training.js';
import { sum, tenThousandths } from '../../statistics/statistics.js';
import { SCALES } from '../../variables/units.js';
import { formatDate, dayNumber } from '../../statistics/time/calendar.js';
import type { Outcomes } from '../outcomes.js';
import type { PredictionQuery } from '../prediction.js';
import { latestForecast, type TargetDay } from '../stored-forecast.js';
import type { trainingRecord } from '../training-record.js';

// The probabilities of a day that has begun, from what has been measured of it (D57).

export const intradayRecord = z.object({
  m: z.int().nullable().meta({
    description:
      'The highest temperature of the day by then, a whole degree of the request; for lows the lowest. null without one',
  }),
  at: z.iso.datetime().meta({
    description:
      'When the newest report was made, UTC; at the end of the day where an extreme of six hours closes it',
  }),
  day_begins_at: z.iso.datetime().meta({ description: 'When the day began at the station, UTC' }),
  hour: z.int().meta({
    description:
      'The hour of earlier days at which they are compared: whole hours since then, or up to the newest temperature if that is ' +
      'older than 70 minutes; 24 once the day has ended',
  }),
  gap: z.int().nullable().meta({
    description:
      'The forecast less m, for lows m less the forecast, in the same degrees; -12 to 40, with temp_unit=celsius -7 to 22; null without a forecast',
  }),
  slope: toMillionths().meta({
    description: 'How much of each degree of the gap still comes: 0 to 1, to 0.000001; 0 without a forecast',
  }),
  cases: count('Earlier station days at the same hour'),
  hours_reported: count('Hours of the day that have a temperature'),
  from_6h_groups: count('Extremes of six hours that count beside the temperatures'),
});

interface IntradayQuery extends PredictionQuery {
  /** The moment of the request, Unix ms; undefined where what has been measured does not count. */
  soFar: number | undefined;
}

/** The possible outcomes of a day, and the data that they follow from. */
export interface DayPrediction {
  /** Hundredths of a °F; undefined without one. */
  forecast: number | undefined;
  /** Undefined for a forecast in the request. */
  issued_ms: number | undefined;
  /** Undefined for a day that has begun, whose latest forecast counts. */
  lead?: Lead;
  outcomes: Outcomes;
  soFar: z.infer<typeof intradayRecord> | null;
  training: z.infer<typeof trainingRecord>;
  /** Remarks for a reader of the probabilities. */
  hints: string[];
  /** Days of the training. */
  window: number;
}

/** The distribution from what has been measured of a day; without one, hints why not where the day has begun. */
export async function predictIntraday(
  params: IntradayQuery,
  day: TargetDay | undefined,
  sources: Pick<Sources, 'query'>,
): Promise<DayPrediction | { hints: string[] }> {
  const { metric, soFar: moment_ms, unit } = params;
  const scale = SCALES[unit];
  const { given, target_date } = params.forecast;
  if (moment_ms === undefined || day === undefined || toHour(moment_ms, day) < 1) return { hints: [] };
  const hasEnded = toHour(moment_ms, day) === LAST_HOUR;
  const [reports, values] = await Promise.all([
    sources.query(reportsOfDay(params, day, moment_ms)),
    hasEnded ? sources.query(reportedValue(params, target_date, moment_ms)) : [],
  ]);
  if (values.length > 0) return { hints: [HAS_VALUE] };
  if (reports.length === 0) return { hints: [hasEnded ? NO_HOURS_OF_ENDED : NO_HOURS] };
  const soFar = loadMeasured(metric, reports, day, moment_ms, scale);
  const { degree, hour } = soFar;
  const reported_ms = reports.reduce((newest, { at_ms }) => Math.max(newest, at_ms), 0);
  const target_day = dayNumber(target_date);
  const days = { first: target_day, last: target_day };
  // A forecast that was issued after the day does not count (D40).
  const [stored, archive] = await Promise.all([
    given === undefined
      ? latestForecast(params, target_date, Math.min(moment_ms, day.ends_ms - 1), sources)
      : undefined,
    readHourArchive({ ...params, knownAt: moment_ms }, hour, days, moment_ms, sources),
  ]);
  const { window } = archive;
  const { line: withGaps, alone, own } = fitEarlierDays(archive, params, hour, moment_ms);
  const measured = degree ?? 0;
  const forecast = given ?? stored?.forecast_hundredths;
  const gap = forecast === undefined ? undefined : toGap(metric, forecast, measured, scale);
  const line = gap === undefined ? alone : withGaps;
  const rises = line.rises(gap ?? 0, gap === undefined ? withoutGaps(own) : own);
  const weight = tenThousandths(ownWeight(rises));
  const hints = [
    hasEnded ? hasEndedWithoutValue(metric) : [],
    soFar.isRecent ? [] : isOld(instantText(soFar.newest_ms), hour),
    weight < OWN_SHARE ? hasSmallOwnSample(weight, window) : [],
  ].flat();
  return {
    forecast,
    issued_ms: stored?.issued_ms,
    outcomes: outcomesOfRises(rises, metric, measured, getWeakness(soFar, line.cases)),
    hints,
    window,
    soFar: makeIntradayRecord(soFar, reported_ms, day, gap, line),
    training: {
      from: formatDate(target_day - window),
      to: formatDate(target_day - 1),
      station_days: sum(own.times),
      network_days: line.cases,
      weight_station: weight,
      ...NO_FORECAST_SAMPLE,
    },
  };
}

/** The lines through the earlier days of all stations at the same hour, and the cases of the station itself. */
function fitEarlierDays(
  { byHour, dayBegins, window }: HourArchive,
  { metric, unit, station, forecast }: IntradayQuery,
  hour: number,
  moment_ms: number,
) {
  const requested = { metric, window, scale: SCALES[unit] };
  const day = dayNumber(forecast.target_date);
  const fit = fitLines(byHour, requested, day, hourFinder(hour, dayBegins), moment_ms);
  const ofStation = byHour.find(({ station_id }) => station_id === station?.station_id);
  return { ...fit(moment_ms), own: ownCases(ofStation, requested, day, moment_ms) };
}

type Measured = ReturnType<typeof loadMeasured>;

/** The fields of a training that has no forecasts. */
const NO_FORECAST_SAMPLE = {
  mean_lead_hours: null,
  min_lead_hours: null,
  max_lead_hours: null,
  bias_f: null,
  std_dev_f: null,
};

/** Why there are no probabilities, in words; null where there are. */
function getWeakness({ isEnough, hours, passed }: Measured, cases: number): string | null {
  if (!isEnough) return lacksHours(hours, passed);
  return cases < MIN_CASES ? hasSmallSample(cases) : null;
}

const makeIntradayRecord = (
  { degree, hour, hours, groups }: Measured,
  reported_ms: number,
  day: TargetDay,
  gap: number | undefined,
  { slope, cases }: { slope: number; cases: number },
): z.infer<typeof intradayRecord> => ({
  m: degree ?? null,
  at: instantText(reported_ms),
  day_begins_at: instantText(day.begins_ms),
  hour,
  gap: degree === undefined ? null : (gap ?? null),
  slope,
  cases,
  hours_reported: hours,
  from_6h_groups: groups,
});

const NO_HOURS = 'The day has begun, but no temperature of it has been reported; load the feed of hours';
const NO_HOURS_OF_ENDED = NO_HOURS.replace('begun', 'ended');
const HAS_VALUE =
  'The day has ended and its value is reported: these odds are those of the forecast, /data/observations has the value';

const hasEndedWithoutValue = (metric: DailyExtreme): string =>
  `The day has ended and its ${metric} is not reported yet: these odds are those of its end`;

const isOld = (since: string, hour: number): string =>
  `Nothing has been measured since ${since}: these odds are those of hour ${hour}, which that reaches`;

const hasSmallSample = (cases: number): string =>
  `${cases} earlier station days are known at this hour; at least ${MIN_CASES} are needed`;

const lacksHours = (hours: number, passed: number): string =>
  `Too few hours of the day are reported: a temperature in ${hours} of the ${passed} up to the newest, where all but 2 are needed; ` +
  'load those that are missing (the feed hours), or ask for the odds of the forecast alone with so_far=ignore';

/** A station that differs from the others, as one whose high comes hours later, shows with such a share of its own. */
const OWN_SHARE = 1 / 3;

const hasSmallOwnSample = (weight: number, window: number): string =>
  `The station's own days weigh ${weight} beside those of others: where its ` +
  `day runs otherwise than theirs, these odds may err; ${window < TRAINING_WINDOW.longest ? `a longer window than ${window} days has more of its own` : 'more of its own come with time'}`;

/** RemainingRises from what has been measured, as degrees. */
function outcomesOfRises(
  rises: RemainingRises,
  metric: DailyExtreme,
  measured: number,
  reason: string | null,
): Outcomes {
  const days = (degreeCounts: DegreeCounts) => (range: Range) => {
    const { from, to } = risesTo(metric, range, measured);
    return between(degreeCounts, from, to);
  };
  return {
    predictive: makePredictive(rises, metric, measured),
    reason,
    stationDays: days(rises.own.all),
    networkDays: days(rises.network.all),
    interval: () => undefined,
  };
}
