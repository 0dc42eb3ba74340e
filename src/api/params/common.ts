import { z } from 'zod';
import { isCalendarDate } from '../../statistics/time/calendar.js';
import { CONFIDENCE_LEVELS } from '../../statistics/uncertainty/intervals.js';
import {
  ALL_BUCKETS,
  LEAD_TIME_BUCKETS,
  type LeadTimeBucket,
  SAME_DAY,
} from '../../statistics/time/lead-time.js';
import { resolveWindow, type Window } from '../../statistics/time/window.js';
import {
  CHANCE_NAMES,
  DAILY_NAMES,
  HOURLY_NAMES,
  METRICS,
  VARIABLE_NAMES,
  type VariableName,
  VARIABLES,
} from '../../variables/variables.js';
import type { IssuedHours } from '../../queries/conditions.js';
import type { Provider } from '../../stations/provider-choice.js';
import { defineGroup, oneParameter } from '../groups.js';
import { presentDate } from './present.js';
import {
  listedNumbers,
  flag,
  InvalidParamsError,
  integer,
  listText,
  withBucketPlus,
  word,
} from '../parameters.js';

// The parameters of a request beside its stations: window (DEFAULT_WINDOW_DAYS), metric, provider, lead times, level of
// confidence.

const DEFAULT_WINDOW_DAYS = 90;
const MAX_DAYS = 365;

/** A calendar date of a request. */
export const date = (description: string) =>
  z
    .string()
    .refine(isCalendarDate, {
      error: ({ input }) =>
        /^(yesterday|today|tomorrow)$/i.test(String(input))
          ? `must be the date itself, YYYY-MM-DD: ${String(input)} is another day from one time zone to the next`
          : 'must be a calendar date, YYYY-MM-DD, from 1970-01-01 to 2149-06-06',
    })
    .optional()
    .meta({ format: 'date', description });

export const WINDOW_PARAMETERS = {
  days: integer(
    1,
    MAX_DAYS,
    DEFAULT_WINDOW_DAYS,
    'Length of the window in days; not used if the request has both bounds',
    '; use date_from and date_to for a longer window',
  ),
  date_from: date('First day of the window'),
  date_to: date('Last day of the window'),
};

/** The days of a request; without bounds they end today. */
export const window = defineGroup({
  parameters: WINDOW_PARAMETERS,
  read(given) {
    const { days, date_from, date_to } = given;
    // A bad bound is missing from `given`; an absent one is undefined.
    if (!('date_from' in given) || !('date_to' in given)) return [];
    if (date_from !== undefined || date_to !== undefined) {
      const bounded = resolveWindow({ days, date_from, date_to });
      return 'message' in bounded ? [bounded] : () => bounded;
    }
    return (present): Window => {
      const upToToday = resolveWindow({ days, date_to: presentDate(present) });
      if (!('message' in upToToday)) return upToToday;
      const parameter = present.knownAt === undefined ? 'as_of' : 'known_at';
      throw new InvalidParamsError([{ ...upToToday, parameter }]);
    };
  },
  cacheKey: ({ period_start, period_end }) => [period_start, period_end],
});

/** Variables that some endpoints do not take, and where they are answered. */
const ELSEWHERE: Readonly<Record<string, string>> = Object.fromEntries(
  VARIABLE_NAMES.map((name) => [
    name,
    VARIABLES[name].score === 'brier_score'
      ? `${name}, its chances and how reliable they are: /accuracy/summary, /accuracy/events, /accuracy/by-bucket`
      : `${name}: /accuracy/summary and most of /accuracy`,
  ]),
);

/** Where variables are answered that are not of a list. */
const elsewhereOf = (names: readonly VariableName[]): Record<string, string> =>
  Object.fromEntries(Object.entries(ELSEWHERE).filter(([name]) => !names.includes(name as VariableName)));

const METRIC = word(METRICS, 'Daily high or daily low', elsewhereOf(METRICS));

/** A variable that the request is about; the first of these without one. */
const ofVariables = <Name extends VariableName>(names: readonly [Name, ...Name[]]) =>
  oneParameter(
    'metric',
    word(
      names,
      `What is forecast: ${names.map((name) => `${name}: ${VARIABLES[name].definition}`).join('; ')}`,
      elsewhereOf(names),
    ).default(names[0] as never),
  );

export const variable = ofVariables(VARIABLE_NAMES);

/** One with a value for each day, where a response is of days. */
export const dailyVariable = ofVariables(DAILY_NAMES);

/** One with a value for each day, or a chance: a reference without skill can be made of its observations. */
export const referencedVariable = ofVariables([...DAILY_NAMES, ...CHANCE_NAMES]);

/** One with a value for each hour. */
export const hourlyVariable = ofVariables(HOURLY_NAMES);

/** One that is a chance. */
export const chanceVariable = oneParameter(
  'metric',
  word(CHANCE_NAMES, 'The variable: chances alone have such a table').default(CHANCE_NAMES[0]),
);

/** One of the feeds alone. */
export const metric = oneParameter('metric', METRIC.default('high'));

/** One metric, or both where each row names its own. */
export const anyMetric = oneParameter(
  'metric',
  METRIC.optional().meta({
    description: 'Daily high or daily low; default: both; each row names its metric',
  }),
);

/** One variable, or high and low. */
export const anyVariable = oneParameter(
  'metric',
  variable.parameters.metric.unwrap().optional().meta({
    description:
      'One variable, as /accuracy/summary has them; default: high and low; each row names its metric',
  }),
);

/** The provider of the forecasts (D27). */
export const provider = defineGroup({
  parameters: {
    provider: z.string().optional().meta({
      description: 'The provider that issued the forecasts; default: the one that /api/v1/providers marks',
    }),
  },
  read:
    ({ provider }) =>
    ({ directory: { providers } }) =>
      providers.find(provider),
  cacheKey: ({ name }: Provider) => name,
});

/** No provider, because the request is about no forecasts. */
export const noProvider = defineGroup({
  parameters: {},
  read: () => (): Provider => ({ name: '', isDefault: true }),
  cacheKey: () => undefined,
});

/** One provider, or all in one file, where a column tells them apart. */
export const exportedProvider = defineGroup<Provider & { isAll?: boolean }, typeof provider.parameters>({
  parameters: {
    provider: provider.parameters.provider.meta({
      description:
        'The provider that issued the forecasts; default: the one that /api/v1/providers marks. `all`: all providers, ' +
        'with a last column `provider` in each row',
    }),
  },
  read: (given, context) =>
    given.provider === 'all'
      ? () => ({ name: 'all', isDefault: false, isAll: true })
      : provider.read(given, context),
  cacheKey: ({ name, isAll }) => [name, isAll],
});

/** The level of confidence of intervals, where the request asks for them. */
export const ci = oneParameter(
  'ci',
  word(CONFIDENCE_LEVELS, 'Add uncertainty: confidence intervals of the statistics at this level')
    .transform(Number)
    .optional(),
);

/** The level of confidence of intervals that an endpoint always has. */
export const level = oneParameter(
  'ci',
  word(CONFIDENCE_LEVELS, 'Confidence level of the intervals').default('0.95').transform(Number),
);

/** The lead times of a request. */
export interface LeadTimes {
  /** In the order of responses. */
  buckets: readonly LeadTimeBucket[];
  /** Whether they are the six of the contract. */
  leads: 'all' | 'some';
}

const BUCKET_TEXT = ALL_BUCKETS.join('|').replaceAll('+', '\\+');

const LEAD_TIME_BUCKET = z
  .string()
  .overwrite(withBucketPlus)
  .pipe(listText())
  .refine(
    (text) => new RegExp(`^(${BUCKET_TEXT})(,(${BUCKET_TEXT}))*$`).test(text),
    `must be one or several of ${ALL_BUCKETS.join(', ')}, with commas between them`,
  )
  .optional()
  .meta({
    type: 'string',
    description: `Only these lead times, separated by commas: ${ALL_BUCKETS.join(', ')}; default: all but same-day`,
    example: '0-6h,6-12h',
  });

function parseLeadTimes(names: string | undefined, withSameDay = false): LeadTimes {
  const wanted = new Set(names?.split(',') ?? LEAD_TIME_BUCKETS);
  if (withSameDay) wanted.add(SAME_DAY);
  const buckets = ALL_BUCKETS.filter((bucket) => wanted.has(bucket));
  const isAll = buckets.length === LEAD_TIME_BUCKETS.length && !wanted.has(SAME_DAY);
  return { buckets, leads: isAll ? 'all' : 'some' };
}

export const leadTimes = defineGroup({
  parameters: { lead_time_bucket: LEAD_TIME_BUCKET },
  read({ lead_time_bucket }) {
    const found = parseLeadTimes(lead_time_bucket);
    return () => found;
  },
  cacheKey: ({ buckets }: LeadTimes) => buckets,
});

/** Lead times, where a flag adds same-day to those that the request names, or to the six (D40). */
export const leadTimesAndSameDay = defineGroup({
  parameters: {
    ...leadTimes.parameters,
    include_same_day: flag(
      false,
      'Include forecasts issued after their target date began, in the bucket same-day',
    ),
  },
  read({ lead_time_bucket, include_same_day }) {
    const { leads, buckets } = parseLeadTimes(lead_time_bucket);
    const named = leads === 'some' ? buckets : undefined;
    const found = { ...parseLeadTimes(lead_time_bucket, include_same_day), named };
    return () => found;
  },
  cacheKey: ({ buckets, named }: LeadTimes & { named: LeadTimes['buckets'] | undefined }) => [buckets, named],
});

/** Lead times of a request about one forecast a day, which may be the last one before so many hours (D32). */
export const leadTimesFrom = defineGroup({
  parameters: {
    ...leadTimes.parameters,
    lead: word(
      LEAD_TIME_BUCKETS.map((bucket) => String(Number.parseInt(bucket))) as [string, ...string[]],
      'Only forecasts issued at least this many hours before the start of the target date',
    ).optional(),
  },
  read({ lead_time_bucket, lead }) {
    const { buckets } = parseLeadTimes(lead_time_bucket);
    const wanted = buckets.filter((bucket) => lead === undefined || Number.parseInt(bucket) >= Number(lead));
    if (wanted.length === 0)
      return [
        { parameter: 'lead', message: 'excludes all lead times of lead_time_bucket; give one of them' },
      ];
    const found = parseLeadTimes(wanted.join(','));
    return () => found;
  },
  cacheKey: ({ buckets }: LeadTimes) => buckets,
});

const HOURS = 'must be one or several whole hours from 0 to 23, with commas between them';

/** The hours in which forecasts were issued; undefined for all. */
export const issuedHours = defineGroup({
  parameters: {
    issued_hour: listText()
      .regex(/^\d{1,2}(,\d{1,2})*$/, HOURS)
      .transform(listedNumbers)
      .refine((hours) => hours.every((hour) => hour < 24), HOURS)
      .optional()
      .meta({
        type: 'string',
        description:
          'Only forecasts issued in these hours, UTC, 0 to 23, separated by commas: 6,18 are 06:00 to 06:59 and 18:00 to 18:59',
      }),
  },
  read:
    ({ issued_hour }) =>
    (): IssuedHours =>
      issued_hour,
});

export const ISSUED_HOURS_METADATA = {
  issued_hours: z
    .array(z.int())
    .optional()
    .meta({ description: 'issued_hour of the request, if given: hours of issuance that count, UTC' }),
};

export const issuedHoursMetadata = (hours: IssuedHours) => hours && { issued_hours: [...hours] };

/** The lead times of a request about all forecasts that were issued before their day began. */
export const everyLeadTime = defineGroup({
  parameters: {},
  read: () => () => parseLeadTimes(undefined),
  cacheKey: ({ buckets }: LeadTimes) => buckets,
});
