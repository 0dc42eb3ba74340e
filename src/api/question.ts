import { z } from 'zod';
import { isCalendarDate } from '../accuracy/calendar.js';
import type { Leads } from '../accuracy/histograms.js';
import { ALL_BUCKETS, LEAD_TIME_BUCKETS, type LeadTimeBucket, SAME_DAY } from '../accuracy/lead-time.js';
import { resolveWindow, type Window } from '../accuracy/window.js';
import type { Directory } from '../stations/directory.js';
import type { Provider } from '../stations/providers.js';
import type { AsOf, VersionName } from '../stations/versions.js';
import { defineGroup } from './groups.js';
import { flag, InvalidParameters, integer, word } from './parameters.js';

// The groups of a question beside its stations: window, metric, provider, lead times and version of the data.

const date = (description: string) =>
  z
    .string()
    .refine(isCalendarDate, 'must be a calendar date, YYYY-MM-DD, from 1970-01-01 to 2149-06-06')
    .optional()
    .meta({ format: 'date', description });

const WINDOW_PARAMETERS = {
  days: integer(1, 365, 90, 'Length of the window in days, where its bounds do not give it'),
  date_from: date('First day of the window'),
  date_to: date('Last day of the window'),
};

interface GivenWindow {
  days?: number | undefined;
  date_from?: string | undefined;
  date_to?: string | undefined;
}

/** @param lastDay where the window ends without bounds; without it, on the day of the version of the data, or today */
function readWindow(given: GivenWindow, today: string, lastDay?: string) {
  const { days, date_from, date_to } = given;
  // A bad bound is missing from `given`; an absent one is undefined. Two good bounds are a window whatever `days` is.
  if (!('date_from' in given) || !('date_to' in given)) return [];
  if (days === undefined && (date_from === undefined || date_to === undefined)) return [];
  const wanted = { days: days ?? 1, date_from, date_to };
  const found = resolveWindow(wanted, lastDay ?? today);
  if ('message' in found) return [found];
  return ({ asOf }: Pick<Directory, 'asOf'>): Window => {
    const then = asOf === undefined ? found : resolveWindow(wanted, lastDay ?? asOf.today);
    if ('message' in then) throw new InvalidParameters([then]);
    return then;
  };
}

const windowIdentity = ({ period_start, period_end }: Window) => [period_start, period_end];

/** The days of a question (D2, D3). */
export const window = defineGroup({
  parameters: WINDOW_PARAMETERS,
  read: (given, { today }) => readWindow(given, today),
  identity: windowIdentity,
});

export const METRICS = ['high', 'low'] as const;
export type Metric = (typeof METRICS)[number];

const METRIC = word(METRICS, 'Daily high or daily low');

export const metric = defineGroup({
  parameters: { metric: METRIC.default('high') },
  read:
    ({ metric = 'high' }) =>
    () =>
      metric,
  identity: (chosen: Metric) => chosen,
});

/** One metric, or both where each row names its own. */
export const anyMetric = defineGroup({
  parameters: {
    metric: METRIC.optional().meta({
      description: 'Daily high or daily low; without it both; every row names its own',
    }),
  },
  read:
    ({ metric }) =>
    () =>
      metric,
  identity: (chosen: Metric | undefined) => chosen,
});

/** Who issued the forecasts (D27). */
export const provider = defineGroup({
  parameters: {
    provider: z
      .string()
      .optional()
      .meta({ description: 'Who issued the forecasts; without it the default one of /api/v1/providers' }),
  },
  read:
    ({ provider }) =>
    ({ providers }) =>
      providers.find(provider),
  identity: ({ name }: Provider) => name,
});

/** The lead times of a question (D41). */
interface LeadTimes {
  /** In the order of answers. */
  buckets: readonly LeadTimeBucket[];
  /** Whether they are the six of the contract. */
  leads: Leads;
}

const BUCKET_TEXT = ALL_BUCKETS.join('|').replaceAll('+', '\\+');

const LEAD_TIME_BUCKET = z
  .string()
  // An unencoded + in a URL, as in 72h+, arrives as a blank.
  .transform((text) => text.replaceAll('72h ', '72h+'))
  .refine(
    (text) => new RegExp(`^(${BUCKET_TEXT})(,(${BUCKET_TEXT}))*$`).test(text),
    `must be one or several of ${ALL_BUCKETS.join(', ')}, with commas between them`,
  )
  .optional()
  .meta({
    type: 'string',
    description: `Only these lead times: one or several of ${ALL_BUCKETS.join(', ')}, with commas between them; without it all but same-day`,
    example: '0-6h,6-12h',
  });

function leadTimesOf(names: string | undefined, withSameDay = false): LeadTimes {
  const wanted = new Set(names?.split(',') ?? LEAD_TIME_BUCKETS);
  if (withSameDay) wanted.add(SAME_DAY);
  const buckets = ALL_BUCKETS.filter((bucket) => wanted.has(bucket));
  const isAll = buckets.length === LEAD_TIME_BUCKETS.length && !wanted.has(SAME_DAY);
  return { buckets, leads: isAll ? 'all' : 'some' };
}

export const leadTimes = defineGroup({
  parameters: { lead_time_bucket: LEAD_TIME_BUCKET },
  read({ lead_time_bucket }) {
    const found = leadTimesOf(lead_time_bucket);
    return () => found;
  },
  identity: ({ buckets }: LeadTimes) => buckets,
});

/** Lead times, where a flag adds same-day without naming the others (D40). */
export const leadTimesAndSameDay = defineGroup({
  parameters: {
    ...leadTimes.parameters,
    include_same_day: flag(
      false,
      'Include forecasts issued after their target date began, in the bucket same-day',
    ),
  },
  read({ lead_time_bucket, include_same_day }) {
    const found = leadTimesOf(lead_time_bucket, include_same_day);
    return () => found;
  },
  identity: ({ buckets }: LeadTimes) => buckets,
});

// An unencoded + in a URL, as in +02:00, arrives as a blank.
const withPlus = (text: string): string => text.replace(/ (?=\d\d:\d\d$)/, '+');

/** An instant in Unix ms: a calendar date (00:00Z of it), or ISO 8601 with Z or an offset. */
function instantOf(text: string): number | undefined {
  const isInstant = isCalendarDate(text) || z.iso.datetime({ offset: true }).safeParse(text).success;
  return isInstant ? Date.parse(text) : undefined;
}

/** The version that a text names: v412, a calendar date (00:00Z of it), or an instant with Z or an offset. */
function versionName(requested: string): VersionName | undefined {
  if (/^v[1-9]\d{0,8}$/.test(requested)) return { requested, load_id: Number(requested.slice(1)) };
  const isInstant =
    isCalendarDate(requested) || z.iso.datetime({ offset: true }).safeParse(requested).success;
  return isInstant ? { requested, instant_ms: Date.parse(requested) } : undefined;
}

const AS_OF = z
  .string()
  .transform(withPlus)
  .refine(
    (text) => versionName(text) !== undefined,
    'must be a version such as v412, a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z',
  )
  .transform(versionName)
  .optional()
  .meta({
    type: 'string',
    description:
      'The data as they were: a version (v412: `metadata.data_version` of an answer, or one of /api/v1/loads), or an ' +
      'instant, for the last load that had finished then; a date is 00:00Z of it. The same version gives the same ' +
      'answer for ever. A window without bounds ends on that day. Stations have the names of that version; one that ' +
      'it does not have yet has no pairs. The default provider is the one of today',
    example: '2026-10-01T00:00:00Z',
  });

/** The version of the data that a question is put to (D31); undefined for the latest. */
export const asOf = defineGroup({
  parameters: { as_of: AS_OF },
  read({ as_of }, { now }) {
    if ((as_of?.instant_ms ?? 0) > now) {
      const message = 'lies ahead: what the data will be is not known yet; leave it out for the latest';
      return [{ parameter: 'as_of', message }];
    }
    return ({ asOf }) => asOf;
  },
  identity: (found: AsOf | undefined) => found?.requested,
});

const KNOWN_AT = z
  .string()
  .transform(withPlus)
  .refine(
    (text) => instantOf(text) !== undefined,
    'must be a date (00:00Z of it), or an instant with Z or an offset, such as 2026-10-01T06:00:00Z',
  )
  .transform(instantOf)
  .optional()
  .meta({
    type: 'string',
    description:
      'What the world could know at an instant: forecasts issued by then, against the best observation reported by ' +
      'then, whenever they were loaded; a date is 00:00Z of it. A window without bounds ends on that day. For one ' +
      'station, or for all over at most 31 days. As good as observed_at in the feeds: see metadata.late_reports',
    example: '2026-10-01T00:00:00Z',
  });

/** The instant by which everything that counts could be known, Unix ms (D31); undefined for no limit. */
export const knownAt = defineGroup({
  parameters: { known_at: KNOWN_AT },
  read({ known_at }, { now }) {
    if ((known_at ?? 0) <= now) return () => known_at;
    return [{ parameter: 'known_at', message: 'lies ahead: what will be known then is not known yet' }];
  },
  identity: (found: number | undefined) => found,
});

/** The days of a question that may say what was known when: without bounds they end there. */
export const windowUpToKnown = defineGroup({
  parameters: { ...WINDOW_PARAMETERS, ...knownAt.parameters },
  read: ({ known_at, ...given }, { today }) =>
    readWindow(
      given,
      today,
      known_at === undefined ? undefined : new Date(known_at).toISOString().slice(0, 10),
    ),
  identity: windowIdentity,
});
