import {
  listedNumbers,
  listedNames,
  listText,
  type ParamIssue,
  wholeNumber,
  withBucketPlus,
  parseBy,
} from '../api/parameters.js';
import { z } from 'zod';
import { MAX_BLENDED } from './blend/weights.js';
import type { Range } from './training/predictive.js';
import { type Bucket, FARTHEST_HORIZON, type Training, TRAINING_WINDOW } from './training/training.js';
import { rounded } from '../statistics/statistics.js';
import { bucketOfLead, LEAD_TIME_BUCKETS, type LeadTimeBucket } from '../statistics/time/lead-time.js';
import { defineGroup, type Resolve } from '../api/groups.js';
import type { Provider } from '../stations/provider-choice.js';
import { date, metric, provider } from '../api/params/common.js';
import { validateValues } from '../api/params/value-limits.js';
import { hasEnded, presentDate, presentMoment } from '../api/params/present.js';
import { temperatureUnit } from '../api/params/temperature-unit.js';
import { knownAt } from '../api/params/as-of.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { toSteps, SCALES, type Unit } from '../variables/units.js';

// The groups of a request about probabilities (D36): the training, for which forecast, and what may happen.

/** One provider, or several as one: these have `names`, in alphabetical order. */
export interface BlendedProviders extends Provider {
  names?: readonly string[];
}

const PROVIDERS = `must be 1 to ${MAX_BLENDED} different providers, with commas between them`;

/** The names of a list, in alphabetical order. */
function readBlended(text: string): string[] | undefined {
  const names = listedNames(text);
  return names.length <= MAX_BLENDED && !names.includes('') ? names.sort() : undefined;
}

/** One provider, or several that are blended, in whichever order the request names them. */
export const blendedProviders = defineGroup({
  parameters: {
    ...provider.parameters,
    providers: z
      .string()
      .transform(parseBy(readBlended, PROVIDERS))
      .optional()
      .meta({
        type: 'string',
        description:
          `2 to ${MAX_BLENDED} providers, separated by commas, as one: the weighted mean of their forecasts, each less its ` +
          'usual error at the station, with the weights that fitted the training days best. In place of provider',
        example: 'default,other',
      }),
  },
  read(given, context): Resolve<BlendedProviders> | ParamIssue[] {
    const { providers: names = [] } = given;
    if (names.length > 0 && given.provider !== undefined) {
      return [{ parameter: 'providers', message: 'cannot be combined with provider; give one of them' }];
    }
    if (names.length < 2) return provider.read({ provider: names[0] ?? given.provider }, context);
    return ({ directory }): BlendedProviders => {
      for (const name of names) directory.providers.find(name);
      return { name: names.join(','), isDefault: false, names };
    };
  },
  cacheKey: ({ name }: BlendedProviders) => name,
});

/** One provider, or several with a record each. */
export const separateProviders = {
  ...blendedProviders,
  parameters: {
    ...blendedProviders.parameters,
    providers: blendedProviders.parameters.providers.meta({
      description: `2 to ${MAX_BLENDED} providers, separated by commas, with a record for each. In place of provider`,
    }),
  },
};

const USUAL_BUCKET: Bucket = '12-24h';

const isBucket = (text: string): text is Bucket => LEAD_TIME_BUCKETS.some((bucket) => bucket === text);

const BUCKET = z
  .string()
  .transform(withBucketPlus)
  .refine(isBucket, `must be one of ${LEAD_TIME_BUCKETS.join(', ')}`);

const BUCKET_SCHEMA = { type: 'string', enum: [...LEAD_TIME_BUCKETS] } as const;

/** The lead time of one forecast, or a bucket whose latest forecasts count. */
export interface Lead {
  bucket: Bucket;
  lead_ms?: number | undefined;
}

/** Why a longer lead has no response. */
export const OUT_OF_RANGE = `errors are learned up to ${FARTHEST_HORIZON} hours before the day`;

const NO_LEAD = `must be hours, 0 to ${FARTHEST_HORIZON}: ${OUT_OF_RANGE}`;

const LEAD_HOURS = z
  .string()
  .regex(/^\d{1,3}(\.\d+)?$/, NO_LEAD)
  .transform(Number)
  .refine((hours) => hours <= FARTHEST_HORIZON, NO_LEAD)
  .optional();

/** The lead of a request; lead_hours gives the bucket as well. */
function requestedLead(
  lead_time_bucket: Bucket | undefined,
  lead_hours: number | undefined,
): Partial<Lead> | ParamIssue[] {
  if (lead_hours === undefined) return { bucket: lead_time_bucket };
  const lead_ms = Math.round(lead_hours * HOUR_MS);
  const bucket = bucketOfLead(lead_ms) as Bucket;
  if (lead_time_bucket === undefined || lead_time_bucket === bucket) return { bucket, lead_ms };
  const message = `is in ${bucket}, but lead_time_bucket is ${lead_time_bucket}; give one of them`;
  return [{ parameter: 'lead_hours', message }];
}

/** As other requests have their lead times. */
interface OneLeadTime {
  buckets: readonly LeadTimeBucket[];
  leads: 'all' | 'some';
  lead_ms?: number | undefined;
}

/** The lead time of a request with a training, which is in one bucket. */
export const oneLeadTime = defineGroup({
  parameters: {
    lead_time_bucket: BUCKET.optional().meta({
      ...BUCKET_SCHEMA,
      default: USUAL_BUCKET,
      description:
        'The lead time of the forecasts; each day counts with its latest, for 72h+ the latest from 72 to 96 hours',
    }),
    lead_hours: LEAD_HOURS.meta({
      type: 'number',
      description:
        'The lead time in hours: each day counts with the forecast nearest to it, from the same bucket below 24 hours, ' +
        'or from the same day of lead beyond (more than 24 to 48, more than 48 to 72, and so on)',
    }),
  },
  read({ lead_time_bucket, lead_hours }) {
    const lead = requestedLead(lead_time_bucket, lead_hours);
    if (Array.isArray(lead)) return lead;
    const { bucket = USUAL_BUCKET, lead_ms } = lead;
    return (): OneLeadTime => ({ buckets: [bucket], leads: 'some', lead_ms });
  },
  cacheKey: ({ buckets, lead_ms }: OneLeadTime) => [buckets, lead_ms],
});

export const oneLead = ({ buckets, lead_ms }: OneLeadTime): Lead => ({
  bucket: buckets[0] as Bucket,
  lead_ms,
});

export const training = defineGroup({
  parameters: {
    window: wholeNumber(TRAINING_WINDOW.shortest, TRAINING_WINDOW.longest)
      .optional()
      .meta({
        type: 'integer',
        minimum: TRAINING_WINDOW.shortest,
        maximum: TRAINING_WINDOW.longest,
        description:
          'Number of days to learn from; the last is the latest whose observation can be known at issuance. Without it ' +
          `${TRAINING_WINDOW.usual}, or as many more, up to ${TRAINING_WINDOW.longest}, as few stations need for enough station days`,
      }),
    verified_only: z
      .enum(['true', 'false'], 'must be true or false')
      .transform((text) => text === 'true')
      .optional()
      .meta({
        type: 'boolean',
        description:
          'Learn only from verified observations, and judge by them; default: true for lows, because a preliminary low ' +
          'may be that of another night, false for highs',
      }),
  },
  read:
    ({ window, verified_only }) =>
    (): Training => ({ window, verified_only }),
});

const TEMPERATURE = 'must be a temperature, °F, or °C with temp_unit=celsius, such as 83.5';

/** The variable and the unit of a request's temperatures. */
const OF_METRIC = { ...metric.parameters, ...temperatureUnit.parameters };

/** A temperature of a request, in hundredths of a degree of its unit. */
const temperatureParameter = z
  .string()
  .regex(/^-?\d{1,3}(\.\d+)?$/, TEMPERATURE)
  .transform(Number)
  .transform((value) => Math.round(rounded(value) * 100));

/** Such a temperature in whole hundredths of a °F, as a feed has it (D43). */
const toFahrenheit = (hundredths: number, unit: Unit): number =>
  Math.round(toSteps(hundredths, SCALES[unit]));

/** The forecast of a bias correction, in hundredths of a °F. */
export const forecastTemp = defineGroup({
  parameters: {
    forecast_temp: temperatureParameter.optional().meta({
      type: 'number',
      default: 75,
      description: 'The forecast to correct, °F, or °C with temp_unit=celsius: its default is then 24',
    }),
    ...OF_METRIC,
  },
  read({ forecast_temp, metric, temp_unit }) {
    const hundredths = forecast_temp ?? (temp_unit === 'celsius' ? 2400 : 7500);
    const issue = validateValues('forecast_temp', [hundredths / 100], { metric, temp_unit });
    return issue === undefined ? () => toFahrenheit(hundredths, temp_unit) : [issue];
  },
});

/** The forecast of a request, and its day; undefined for the stored one. */
export const forecast = defineGroup({
  parameters: {
    forecast: temperatureParameter.optional().meta({
      type: 'number',
      description:
        'The forecast, °F, or °C with temp_unit=celsius; default: the latest stored one for the target date',
    }),
    target_date: date(
      'The target date of the forecast; default: today (with known_at, the day of that instant) at the station, without ' +
        'one in UTC; with as_of its day',
    ),
    ...knownAt.parameters,
    ...OF_METRIC,
  },
  read({ forecast, target_date: date, metric, temp_unit }) {
    const values = forecast === undefined ? [] : [forecast / 100];
    const issue = validateValues('forecast', values, { metric, temp_unit });
    if (issue !== undefined) return [issue];
    const given = forecast === undefined ? undefined : toFahrenheit(forecast, temp_unit);
    return (present) => {
      const target_date = date ?? presentDate(present);
      return { given, target_date, hasEnded: hasEnded(target_date, present) };
    };
  },
});

/** The lead that a request gives for a forecast; empty where the stored forecast has it. */
export interface RequestedLead extends Partial<Lead> {
  /** Without a bucket, the moment that the request is about, Unix ms: the lead time of a forecast of the request runs from there. */
  moment_ms?: number | undefined;
}

export const lead = defineGroup({
  parameters: {
    ...forecast.parameters,
    ...blendedProviders.parameters,
    lead_time_bucket: BUCKET.optional().meta({
      ...BUCKET_SCHEMA,
      description:
        'The lead time of the forecast; without it and lead_hours: that of the stored forecast, or, with forecast or ' +
        'several providers, the time from known_at, as_of or now to the start of target_date at the station',
    }),
    lead_hours: LEAD_HOURS.meta({
      type: 'number',
      description:
        'The lead time in hours, from issuance to the start of the target date at the station; of the stored forecasts ' +
        'in its range of leads (lead_range), the nearest counts; from 72 hours on, where that has none, the nearest of all such',
    }),
  },
  read({ lead_time_bucket, lead_hours, forecast, providers = [] }) {
    const lead = requestedLead(lead_time_bucket, lead_hours);
    if (Array.isArray(lead)) return lead;
    if (forecast !== undefined && providers.length > 1) {
      const message =
        'is one value, but providers names several, whose stored forecasts are blended; leave out one of them';
      return [{ parameter: 'forecast', message }];
    }
    const isStored = forecast === undefined && providers.length < 2;
    if (lead.bucket !== undefined || isStored) return (): RequestedLead => lead;
    return (present): RequestedLead => ({ moment_ms: presentMoment(present) });
  },
  cacheKey: ({ bucket, lead_ms, moment_ms }: RequestedLead) =>
    bucket === undefined ? moment_ms : [bucket, lead_ms],
});

/** The day of the forecast. */
export const forecastDate = defineGroup({
  parameters: {
    forecast_for_date: date(
      'The target date of the forecast; default: today (with known_at, the day of that instant) at the station, without ' +
        'one in UTC; with as_of its day',
    ),
    ...knownAt.parameters,
  },
  read:
    ({ forecast_for_date }) =>
    (present) => {
      const date = forecast_for_date ?? presentDate(present);
      return { date, hasEnded: hasEnded(date, present) };
    },
});

/** Requested events: thresholds, and ranges that are a partition; undefined when not requested. */
export interface Events {
  thresholds: readonly number[] | undefined;
  brackets: readonly Range[] | undefined;
}

/** Where a range begins. The difference of two that begin nowhere is NaN, which sorts as 0. */
const startOf = ({ from }: Range): number => from ?? -Infinity;

const MAX_EVENTS = 30;
const THRESHOLDS = `must be 1 to ${MAX_EVENTS} whole degrees, with commas between them`;
const BRACKETS =
  `must be 1 to ${MAX_EVENTS} ranges of whole degrees, with commas between them: ` +
  '80-81, -5--4, ..79 for 79 or less, 90.. for 90 or more; the first degree of a range is not above the last';

export const events = defineGroup({
  parameters: {
    thresholds: listText()
      .regex(/^-?\d{1,3}(,-?\d{1,3})*$/, THRESHOLDS)
      .transform(listedNumbers)
      .refine((found) => found.length <= MAX_EVENTS, THRESHOLDS)
      .optional()
      .meta({
        type: 'string',
        description:
          'Ask for the probability of each of these degrees or more: whole °F, or °C with temp_unit=celsius, separated by commas. Without brackets, ' +
          'the response has only thresholds',
        example: '80,85,90',
      }),
    brackets: listText()
      .transform((text) => text.split(',').map(parseRange))
      .refine((found) => found.length <= MAX_EVENTS && !found.includes(undefined), BRACKETS)
      .transform((found) => found.filter((each) => each !== undefined))
      .optional()
      .meta({
        type: 'string',
        description:
          'Ask for the probability of each of these ranges: whole °F, or °C with temp_unit=celsius, both ends included, such as 80-81,82-83; -5--4 for ' +
          'negative ones, ..79 for 79 or less, 90.. for 90 or more. Gaps, and what is left below and above, become ' +
          'ranges of their own. Without brackets and thresholds: six ranges around the forecast',
        example: '80-81,82-83,84-85',
      }),
    ...OF_METRIC,
  },
  read({ thresholds = [], brackets, ...of }) {
    const ends = brackets?.flatMap(({ from, to }) => [from ?? [], to ?? []].flat()) ?? [];
    const beyond = [
      validateValues('thresholds', thresholds, of),
      validateValues('brackets', ends, of),
    ].filter((issue) => issue !== undefined);
    if (beyond.length > 0) return beyond;
    const sorted = brackets?.toSorted((a, b) => startOf(a) - startOf(b));
    const clash = sorted?.find((each, at) => at > 0 && startOf(each) <= (sorted[at - 1]?.to ?? Infinity));
    if (clash !== undefined) {
      return [
        {
          parameter: 'brackets',
          message: `overlap at ${clash.from ?? `${clash.to} or less`}; give each degree once`,
        },
      ];
    }
    const requested = thresholds.length === 0 ? undefined : thresholds;
    return (): Events => ({ thresholds: requested, brackets: sorted && completed(sorted) });
  },
});

/** A range as a request writes it: 80-81, ..79 or 90..; undefined for other text. */
function parseRange(text: string): Range | undefined {
  const [, low, high] = /^(-?\d{1,3})-(-?\d{1,3})$/.exec(text) ?? [];
  const [, upTo] = /^\.\.(-?\d{1,3})$/.exec(text) ?? [];
  const [, since] = /^(-?\d{1,3})\.\.$/.exec(text) ?? [];
  const parseNumber = (digits: string | undefined): number | null =>
    digits === undefined ? null : Number(digits) + 0;
  const range = { from: parseNumber(low ?? since), to: parseNumber(high ?? upTo) };
  if (range.from === null && range.to === null) return undefined;
  return range.from !== null && range.to !== null && range.from > range.to ? undefined : range;
}

/** Ranges in order, with those between them and beside them. */
function completed(ranges: readonly Range[]): Range[] {
  const found: Range[] = [];
  let next: number | null = null; // the first degree that is in no range yet; null below all
  for (const range of ranges) {
    if (range.from !== null && (next === null || next < range.from))
      found.push({ from: next, to: range.from - 1 });
    found.push(range);
    if (range.to === null) return found;
    next = range.to + 1;
  }
  return [...found, { from: next, to: null }];
}
