import { z } from 'zod';
import type { Sources } from '../../api/endpoint.js';
import { count } from '../../api/fields.js';
import type { Lead } from '../../api/questions/probability.js';
import { caseAtHourRow, casesAtHour, reportsOfDay } from '../../relations/hour-cases.js';
import { instantText } from '../../relations/issuances.js';
import {
  caseOf,
  type Cases,
  chanceOf,
  type DailyExtreme,
  gapOf,
  hourReport,
  Line,
  measuredOf,
  MIN_CASES,
  ownWeight,
  type Rises,
  risesTo,
  signOf,
  withoutGaps,
} from '../../statistics/probability/day-so-far.js';
import type { Range } from '../../statistics/probability/predictive.js';
import { between, type Tally } from '../../statistics/probability/tally.js';
import { rangeByHour } from '../../statistics/probability/training.js';
import { sum, tenThousandths } from '../../statistics/statistics.js';
import { dateOf, dayNumber, HOUR_MS } from '../../statistics/time/calendar.js';
import type { Prospect } from './outcomes.js';
import type { BlendFields } from './blend.js';
import type { PredictionQuestion } from './prediction.js';
import { latestForecast, type TargetDay } from './stored-forecast.js';
import { inParts, learnsFrom, type TrainingSpan } from './training.js';
import type { trainingRecord } from './training-record.js';

// The odds of a day that has begun, from what has been measured of it (D57).

export const soFarRecord = z.object({
  m: z.int().nullable().meta({
    description:
      'The highest temperature of the day by then, whole °F; for lows the lowest. null without one',
  }),
  at: z.iso.datetime().meta({ description: 'When the newest report was made, UTC' }),
  day_begins_at: z.iso.datetime().meta({ description: 'When the day began at the station, UTC' }),
  hour: z.int().meta({ description: 'Whole hours since then' }),
  gap: z.int().nullable().meta({
    description: 'The forecast less m, for lows m less the forecast, -12 to 40 °F; null without a forecast',
  }),
  slope: z.number().meta({
    description: 'How much of each degree of the gap still comes: 0 to 1, to 0.000001; 0 without a forecast',
  }),
  cases: count('Earlier station days at the same hour'),
  hours_reported: count('Hours of the day that have a temperature'),
  from_6h_groups: count('Extremes of six hours that count beside the temperatures'),
});

interface SoFarQuestion extends PredictionQuestion {
  /** The moment of the question, Unix ms; undefined where what has been measured does not count. */
  soFar: number | undefined;
}

/** What may come of a day, and from what that follows. */
export interface Outlook {
  /** Hundredths of a °F; undefined without one. */
  forecast: number | undefined;
  /** Undefined for a forecast in the request. */
  issued_ms: number | undefined;
  /** Undefined for a day that has begun, whose latest forecast counts. */
  lead?: Lead;
  blend?: BlendFields;
  prospect: Prospect;
  soFar: z.infer<typeof soFarRecord> | null;
  training: z.infer<typeof trainingRecord>;
}

/** The whole hours that a day has had by a moment, 1 to 23; undefined before that, and once it has ended. */
export function hourOf(moment_ms: number | undefined, day: TargetDay | undefined): number | undefined {
  if (moment_ms === undefined || day === undefined || moment_ms >= day.ends_ms) return undefined;
  const hour = Math.floor((moment_ms - day.begins_ms) / HOUR_MS);
  return hour >= 1 && hour <= 23 ? hour : undefined;
}

/** The outlook from what has been measured of a day; undefined where nothing has been. */
export async function predictSoFar(
  question: SoFarQuestion,
  day: TargetDay,
  hour: number,
  sources: Pick<Sources, 'query'>,
): Promise<Outlook | undefined> {
  const { metric, soFar: moment_ms = NaN, training } = question;
  const { given, target_date } = question.forecast;
  const reports = await sources.query(reportsOfDay(question, day, moment_ms), hourReport);
  if (reports.length === 0) return undefined;
  const target_day = dayNumber(target_date);
  const days = { first: Math.max(0, target_day - training.window), last: target_day - 1 };
  const [stored, network, own] = await Promise.all([
    given === undefined ? latestForecast(question, target_date, moment_ms, sources) : undefined,
    casesOf({ ...question, station: undefined }, hour, days, moment_ms, sources),
    casesOf(question, hour, days, moment_ms, sources),
  ]);
  const { degree, hours, groups, isEnough } = measuredOf(metric, reports, day.begins_ms, moment_ms);
  const measured = degree ?? 0;
  const forecast = given ?? stored?.forecast_hundredths;
  const gap = forecast === undefined ? undefined : gapOf(metric, forecast, measured);
  const line = new Line(gap === undefined ? withoutGaps(network) : network);
  const rises = line.rises(gap ?? 0, gap === undefined ? withoutGaps(own) : own);
  const few = `${line.cases} earlier station days are known at this hour; at least ${MIN_CASES} are needed`;
  const missing =
    `Too few hours of the day are reported: a temperature in ${hours} of the ${hour} that have passed, where all but 2 are ` +
    'needed, and one of the last 70 minutes';
  return {
    forecast,
    issued_ms: stored?.issued_ms,
    prospect: prospectOf(rises, metric, measured, isEnough ? (line.cases < MIN_CASES ? few : null) : missing),
    soFar: {
      m: degree ?? null,
      at: instantText(reports.reduce((newest, { at_ms }) => Math.max(newest, at_ms), 0)),
      day_begins_at: instantText(day.begins_ms),
      hour,
      gap: degree === undefined ? null : (gap ?? null),
      slope: Math.round(line.slope * 1e6) / 1e6,
      cases: line.cases,
      hours_reported: hours,
      from_6h_groups: groups,
    },
    training: {
      from: dateOf(days.first),
      to: dateOf(days.last),
      station_days: sum(own.times),
      network_days: line.cases,
      weight_station: tenThousandths(ownWeight(rises)) ?? 0,
      ...{ mean_lead_hours: null, min_lead_hours: null, max_lead_hours: null, bias_f: null, std_dev_f: null },
    },
  };
}

/** The cases of all stations, or of one, as known at a moment. */
async function casesOf(
  asked: SoFarQuestion,
  hour: number,
  days: TrainingSpan,
  moment_ms: number,
  { query }: Pick<Sources, 'query'>,
): Promise<Cases> {
  const { metric, station } = asked;
  const question = { ...learnsFrom(asked, rangeByHour(hour), days, moment_ms), metric, station, hour };
  const rows = await inParts(question, query, (errors) =>
    query(casesAtHour(errors, question), caseAtHourRow),
  );
  return {
    keys: rows.map(({ gap, rise }) => caseOf(gap, rise)),
    times: rows.map(({ station_days }) => station_days),
  };
}

/** Rises from what has been measured, as degrees. */
function prospectOf(rises: Rises, metric: DailyExtreme, measured: number, reason: string | null): Prospect {
  const { all } = rises.network;
  const ends = [all.lowest, all.highest].map((rise) => measured + signOf(metric) * rise);
  const days = (tally: Tally) => (range: Range) => {
    const { from, to } = risesTo(metric, range, measured);
    return between(tally, from, to);
  };
  return {
    lowest: Math.min(...ends),
    highest: Math.max(...ends),
    of: (range, members) => chanceOf(rises, risesTo(metric, range, measured), members),
    reason,
    stationDays: days(rises.own.all),
    networkDays: days(all),
    interval: () => undefined,
  };
}
