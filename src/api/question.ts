import { z } from 'zod';
import { isCalendarDate } from '../accuracy/calendar.js';
import { type Bindings, bindingsOf, type Leads, type Scope } from '../accuracy/histograms.js';
import { ALL_BUCKETS, LEAD_TIME_BUCKETS, type LeadTimeBucket, SAME_DAY } from '../accuracy/lead-time.js';
import { resolveWindow, type Window } from '../accuracy/window.js';
import type { Station } from '../stations/directory.js';
import type { Provider } from '../stations/providers.js';
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  type EndpointDefinition,
  type Sources,
} from './endpoint.js';
import { defineGroup, type ParameterGroups, type Question } from './groups.js';
import { flag, integer, InvalidParameters, word } from './parameters.js';

// What the accuracy endpoints have in common: the groups of parameters that make up a question, and the metadata and
// CSV columns that say what it was.

const date = (description: string) =>
  z
    .string()
    .refine(isCalendarDate, 'must be a calendar date, YYYY-MM-DD, from 1970-01-01 to 2149-06-06')
    .optional()
    .meta({ format: 'date', description });

/** The days of a question (D2, D3). */
export const window = defineGroup({
  parameters: {
    days: integer(1, 365, 90, 'Length of the window in days, where its bounds do not give it'),
    date_from: date('First day of the window'),
    date_to: date('Last day of the window'),
  },
  read(given, { today }) {
    const { days, date_from, date_to } = given;
    // A bound that has a fault of its own is no key here, while one that was not given is an undefined one. Two good
    // bounds are a window whatever `days` says.
    if (!('date_from' in given) || !('date_to' in given)) return [];
    if (days === undefined && (date_from === undefined || date_to === undefined)) return [];
    const found = resolveWindow({ days: days ?? 1, date_from, date_to }, today);
    return 'message' in found ? [found] : () => found;
  },
  identity: ({ period_start, period_end }: Window) => [period_start, period_end],
});

const METRICS = ['high', 'low'] as const;
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

/** One metric, or both where a row tells which it is. */
export const anyMetric = defineGroup({
  parameters: {
    metric: METRIC.optional().meta({
      description: 'Daily high or daily low; without it both, as every row tells which it is',
    }),
  },
  read:
    ({ metric }) =>
    () =>
      metric,
  identity: (chosen: Metric | undefined) => chosen,
});

const name = (description: string) => z.string().optional().meta({ description });

/** Who issued the forecasts (D27). */
export const provider = defineGroup({
  parameters: {
    provider: name('Who issued the forecasts; without it the default one of /api/v1/providers'),
  },
  read:
    ({ provider }) =>
    ({ providers }) =>
      providers.find(provider),
  identity: ({ name }: Provider) => name,
});

/** The lead times of a question (D41). */
export interface LeadTimes {
  /** In the order of answers. */
  buckets: readonly LeadTimeBucket[];
  /** Whether they are the six of the contract. */
  leads: Leads;
}

const BUCKET_TEXT = ALL_BUCKETS.join('|').replaceAll('+', '\\+');

const LEAD_TIME_BUCKET = z
  .string()
  // Written into a URL as it stands, the + of 72h+ means a blank.
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

function leadTimesOf(named: string | undefined, withSameDay = false): LeadTimes {
  const wanted = new Set(named?.split(',') ?? LEAD_TIME_BUCKETS);
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

/** Lead times, to which same-day may be added without naming the others (D40). */
export const leadTimesAndSameDay = defineGroup({
  parameters: {
    lead_time_bucket: LEAD_TIME_BUCKET,
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

const STATION_ID = name('Restrict to one station: ICAO identifier, IATA code, city name or alias');

/** One station, named by its path, `station_id` or `city`; all stations without (D15). */
export const station = defineGroup({
  parameters: {
    station_id: STATION_ID,
    city: name('Restrict to the station of a city: city name or alias'),
  },
  read:
    ({ station_id, city }, { pathStation }) =>
    ({ stations }) =>
      common([
        ...named('station_id', pathStation, (text) => [stations.byStation(text)]),
        ...named('station_id', station_id, (text) => [stations.byStation(text)]),
        ...named('city', city, (text) => [stations.byCity(text)]),
      ])?.[0],
  identity: (found: Station | undefined) => found?.station_id,
});

/** The stations of a city, or one station, or all of them without. */
export const stationsOfCity = defineGroup({
  parameters: {
    station_id: STATION_ID,
    city: name('Restrict to the stations of a city: city name or alias'),
  },
  read:
    ({ station_id, city }) =>
    ({ stations }) =>
      common([
        ...named('station_id', station_id, (text) => [stations.byStation(text)]),
        ...named('city', city, (text) => stations.allOfCity(text)),
      ]),
  identity: (found: Station[] | undefined) => found?.map(({ station_id }) => station_id),
});

/** The station of a path that always has one. */
export const stationInPath = defineGroup({
  parameters: {},
  read:
    (_given, { pathStation = '' }) =>
    ({ stations }) =>
      stations.byStation(pathStation),
  identity: ({ station_id }: Station) => station_id,
});

/** A way in which a request names stations. */
interface Named {
  parameter: string;
  stations: Station[];
}

function named(parameter: string, text: string | undefined, find: (text: string) => Station[]): Named[] {
  return text === undefined ? [] : [{ parameter, stations: find(text) }];
}

/** The stations that all ways mean; undefined without any way. @throws InvalidParameters when there is none (D15) */
function common([first, ...others]: Named[]): Station[] | undefined {
  let found = first?.stations;
  for (const { parameter, stations } of others) {
    const shared = stations.filter(({ station_id }) => found?.some((each) => each.station_id === station_id));
    if (shared.length === 0) {
      const message = `means ${idsOf(stations)}, but the request also names ${idsOf(found)}; give one of them`;
      throw new InvalidParameters([{ parameter, message }]);
    }
    found = shared;
  }
  return found;
}

function idsOf(stations: Station | readonly Station[] | undefined): string {
  if (stations === undefined) return 'ALL';
  return [stations]
    .flat()
    .map(({ station_id }) => station_id)
    .join(',');
}

/** The groups that every accuracy endpoint has. */
const COMMON_GROUPS = { window, metric, provider, leadTimes };

type Common = typeof COMMON_GROUPS;

/** The values of a question that its metadata, its CSV and its statements say or bind. */
interface AccuracyQuestion extends Question<Common> {
  station?: Station | readonly Station[] | undefined;
}

/** What an accuracy endpoint answers itself. */
export interface AccuracyAnswer extends Pick<Answer, 'data' | 'metadata' | 'verified'> {
  /** CSV columns behind those of D17. */
  csvConstants?: Record<string, string>;
}

export interface AccuracyDefinition<Groups extends ParameterGroups> extends Omit<
  EndpointDefinition<Groups & Common>,
  'groups' | 'metadata' | 'answer'
> {
  groups: Groups;
  metadata: z.ZodRawShape;
  answer(question: Question<Groups & Common>, sources: Sources): Promise<AccuracyAnswer>;
}

export const TOTAL_RECORDS = z.int().min(0).meta({ description: 'Verification pairs behind the answer' });

/** The metadata of every accuracy endpoint, beside its own. */
const METADATA = {
  days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
  period_start: z.iso.date().meta({ description: 'First day of the window' }),
  period_end: z.iso.date().meta({ description: 'Last day of the window' }),
};
const SUBJECT_METADATA = {
  station_id: z.string().meta({
    description: 'The station asked about, several with commas between them, or ALL',
    example: 'KORD',
  }),
  provider: z.string().meta({ description: 'Who issued the forecasts', example: 'default' }),
  lead_time_buckets: z
    .array(z.enum(ALL_BUCKETS))
    .optional()
    .meta({ description: 'The lead times asked for, where the request names any' }),
  accuracy_metric: z.enum(METRICS),
  error_convention: z.literal('forecast_minus_actual').meta({
    description: 'Error = forecast - actual: a negative mean error means that forecasts were too low',
  }),
};

/** An endpoint that answers with statistics of a metric over a window. */
export function defineAccuracy<Groups extends ParameterGroups>(
  definition: AccuracyDefinition<Groups>,
): Endpoint {
  return defineEndpoint<Groups & Common>({
    ...definition,
    groups: { ...COMMON_GROUPS, ...definition.groups },
    metadata: { ...METADATA, ...definition.metadata, ...SUBJECT_METADATA },
    async answer(question, sources) {
      const { data, metadata, verified, csvConstants } = await definition.answer(question, sources);
      const { window, metric, station, provider, leadTimes } = question as unknown as AccuracyQuestion;
      const { days_analyzed, period_start, period_end } = window;
      return {
        data,
        metadata: {
          days_analyzed,
          period_start,
          period_end,
          ...metadata,
          station_id: idsOf(station),
          provider: provider.name,
          ...(leadTimes.leads === 'some' && { lead_time_buckets: leadTimes.buckets }),
          accuracy_metric: metric,
          error_convention: 'forecast_minus_actual',
        },
        verified,
        csv: {
          constants: { metric, period_start, period_end, ...csvConstants },
          fileNameParts: fileNameParts(question as unknown as AccuracyQuestion),
        },
      };
    },
  });
}

/** Words that name the file of a question: what it was asked for, and nothing that is so without asking. */
export function fileNameParts({
  window,
  metric,
  station,
  provider,
  leadTimes,
}: Omit<AccuracyQuestion, 'metric'> & { metric: Metric | undefined }): string[] {
  return [
    ...(station === undefined ? [] : idsOf(station).split(',')),
    ...(provider.isDefault ? [] : [provider.name]),
    ...(leadTimes.leads === 'all' ? [] : leadTimes.buckets.map((bucket) => bucket.replace('+', ''))),
    ...(metric === undefined ? [] : [metric]),
    window.period_start,
    window.period_end,
  ];
}

/** Which errors a question of one station, or of all, reads. */
export function scopeOf({ station }: { station?: Station | undefined }): Scope {
  return station === undefined ? 'network' : 'station';
}

/** The values that errorsOf() binds for a question. */
export function bindings({
  window,
  metric,
  station,
  provider,
  leadTimes,
}: Question<Common> & { station?: Station | undefined }): Bindings {
  return {
    ...bindingsOf(metric, window, provider.name, leadTimes.buckets),
    ...(station && { station_id: station.station_id }),
  };
}

/** Whether there are pairs, and all of them rest on verified observations (D6). */
export function allVerified(
  rows: readonly { verification_pairs: number; preliminary_pairs: number }[],
): boolean {
  return (
    rows.some(({ verification_pairs }) => verification_pairs > 0) &&
    rows.every(({ preliminary_pairs }) => preliminary_pairs === 0)
  );
}
