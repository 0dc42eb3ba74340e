import { z } from 'zod';
import type { IssuedHours } from '../relations/conditions.js';
import { leadTimeBucket } from '../statistics/time/lead-time.js';
import type { ChosenStation } from '../stations/choice.js';
import type { Station } from '../stations/directory.js';
import type { Provider } from '../stations/providers.js';
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  type EndpointDefinition,
  type Sources,
} from './endpoint.js';
import { count, providerName } from './fields.js';
import type { ParameterGroup, ParameterGroups, Question } from './groups.js';
import { knownOf, tooMuchKnown } from './known.js';
import {
  ISSUED_HOURS_METADATA,
  issuedHoursMetadata,
  leadTimes,
  type Metric,
  metric,
  METRICS,
  noProvider,
  provider,
} from './questions/common.js';
import { temperatureUnit, UNIT_METADATA, unitMetadata } from './questions/temperature-unit.js';
import { asOf, knownAt, windowOfUtcDays, windowUpToKnown } from './questions/versions.js';
import { STATIONS_METADATA, stationsInName, stationsInMetadata } from './questions/stations.js';

// The accuracy endpoints share common groups, and the metadata, CSV columns and bindings that follow from a question.

const COMMON_GROUPS = {
  window: windowUpToKnown,
  metric,
  provider,
  leadTimes,
  asOf,
  knownAt,
  unit: temperatureUnit,
};

type Common = Omit<typeof COMMON_GROUPS, 'provider'> & { provider: ParameterGroup<Provider> };

/** The groups of an endpoint: its own, also in the place of a common one. */
type With<Groups extends ParameterGroups> = Groups & Omit<Common, keyof Groups>;

/** The part of a question that its metadata, CSV columns and file name repeat. */
interface AccuracyQuestion extends Question<Common> {
  issuedHours?: IssuedHours;
  station?: Station | readonly ChosenStation[] | undefined;
}

/** The own part of an accuracy endpoint's answer. */
interface AccuracyAnswer<Schema extends z.ZodObject, Metadata extends z.ZodRawShape> extends Pick<
  Answer<Schema, Metadata>,
  'data' | 'metadata' | 'csvConstants' | 'fileNameParts' | 'headers'
> {
  verified: boolean;
}

interface AccuracyDefinition<
  Groups extends ParameterGroups,
  Schema extends z.ZodObject,
  Metadata extends z.ZodRawShape,
> extends Omit<
  EndpointDefinition<With<Groups>, Question<With<Groups>>, Schema>,
  'groups' | 'metadata' | 'answer'
> {
  groups: Groups;
  metadata: Metadata;
  /** Observations alone are its subject, so it has no provider. */
  isOfObservations?: true;
  /** Its days are those of UTC, whichever stations it is about. */
  isOfUtcDays?: true;
  answer(question: Question<With<Groups>>, sources: Sources): Promise<AccuracyAnswer<Schema, Metadata>>;
}

export const TOTAL_RECORDS = count('Verification pairs behind the answer');

/** The metadata of every accuracy endpoint: these come before its own. */
const WINDOW_METADATA = {
  days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
  period_start: z.iso.date().meta({ description: 'First day of the window' }),
  period_end: z.iso.date().meta({ description: 'Last day of the window' }),
};

/** The metadata of an answer about the version of the data that it names, and about known_at. */
export const VERSION_METADATA = {
  as_of: z
    .object({
      requested: z.string().meta({ description: 'as_of of the request', example: '2026-10-01' }),
      version: count('The last load that had finished by then; 0 before the first'),
      recorded_at: z.iso
        .datetime()
        .nullable()
        .meta({ description: 'When that load finished, UTC; null before the first' }),
    })
    .meta({ id: 'AsOf', description: 'The version of the data that the request names, if any' })
    .optional(),
  known_at: z.iso.datetime().optional().meta({ description: 'known_at of the request, UTC, if given' }),
};

/** And these come after its own. */
const SUBJECT_METADATA = {
  ...STATIONS_METADATA,
  provider: providerName,
  lead_time_buckets: z
    .array(leadTimeBucket)
    .optional()
    .meta({ description: 'The lead times asked for, if the request names any' }),
  ...ISSUED_HOURS_METADATA,
  accuracy_metric: z.enum(METRICS),
  error_convention: z.literal('forecast_minus_actual').meta({
    description: 'Error = forecast - actual: a negative mean error means that forecasts were too low',
  }),
  ...UNIT_METADATA,
  ...VERSION_METADATA,
  late_reports: z
    .int()
    .min(0)
    .optional()
    .meta({
      description:
        'With known_at: observations of the window reported more than 7 days after their date began. If they are many, ' +
        'the feeds do not say when a value was first known',
    }),
};

/** The same where the question is of no forecasts. */
const OBSERVED_METADATA = z.object(SUBJECT_METADATA).omit({
  ...{ provider: true, lead_time_buckets: true, issued_hours: true },
  ...{ error_convention: true, late_reports: true },
}).shape;

/** An endpoint that answers with statistics of a metric over a window. */
export function defineAccuracy<
  Groups extends ParameterGroups,
  Schema extends z.ZodObject,
  Metadata extends z.ZodRawShape,
>(definition: AccuracyDefinition<Groups, Schema, Metadata>): Endpoint {
  // The fields of a question beside its endpoint's own groups.
  const commonOf = (question: unknown) => question as AccuracyQuestion;
  const { isOfObservations, isOfUtcDays } = definition;
  const common: Common = {
    ...COMMON_GROUPS,
    ...(isOfObservations && { provider: noProvider }),
    ...(isOfUtcDays && { window: windowOfUtcDays }),
  };
  return defineEndpoint<With<Groups>, Schema, z.ZodRawShape>({
    ...definition,
    groups: { ...common, ...definition.groups },
    metadata: {
      ...WINDOW_METADATA,
      ...definition.metadata,
      ...(isOfObservations ? OBSERVED_METADATA : SUBJECT_METADATA),
    },
    refuse: (resolved, directory) =>
      tooMuchKnown(commonOf(resolved)) ?? definition.refuse?.(resolved, directory),
    async answer(resolved, sources) {
      const question = commonOf(resolved);
      const known = isOfObservations ? undefined : await knownOf(question, sources);
      const { data, metadata, verified, headers, ...csv } = await definition.answer(resolved, sources);
      const { window, metric, leadTimes, unit } = question;
      const { station_id, stations, provider, accuracy_metric, ...version } = subjectOf(question);
      const { days_analyzed, period_start, period_end } = window;
      return {
        data,
        metadata: {
          days_analyzed,
          period_start,
          period_end,
          ...metadata,
          station_id,
          ...(stations !== undefined && { stations }),
          ...(!isOfObservations && { provider }),
          ...(leadTimes.leads === 'some' && { lead_time_buckets: leadTimes.buckets }),
          ...issuedHoursMetadata(question.issuedHours),
          accuracy_metric,
          ...(!isOfObservations && { error_convention: 'forecast_minus_actual' }),
          ...unitMetadata(unit),
          ...version,
          ...(isOfUtcDays && { today_basis: 'utc' }),
          ...known,
        },
        verified,
        csvConstants: { metric, period_start, period_end, ...unitMetadata(unit), ...csv.csvConstants }, // D17
        fileNameParts: [
          ...fileNameParts(question),
          ...(unit === 'fahrenheit' ? [] : [unit]),
          ...(csv.fileNameParts ?? []),
        ],
        ...(headers && { headers }),
      };
    },
  });
}

/** The metadata about the subject of a question, and about the version of the data that it names. */
export function subjectOf({
  station,
  provider,
  metric,
  asOf,
  knownAt,
}: Pick<AccuracyQuestion, 'station' | 'provider' | 'metric' | 'asOf' | 'knownAt'>) {
  return {
    ...stationsInMetadata(station),
    provider: provider.name,
    accuracy_metric: metric,
    ...(asOf && {
      as_of: { requested: asOf.requested, version: asOf.version, recorded_at: asOf.recorded_at },
    }),
    ...(knownAt !== undefined && { known_at: new Date(knownAt).toISOString() }),
  };
}

/** The words of the file name: what the request asks for, without the defaults. */
export function fileNameParts({
  window,
  metric,
  station,
  provider,
  leadTimes,
  issuedHours,
  asOf,
  knownAt,
}: Omit<AccuracyQuestion, 'metric' | 'knownAt' | 'unit'> & {
  metric: Metric | undefined;
  knownAt?: number | undefined;
}): string[] {
  return [
    ...stationsInName(station),
    ...(provider.isDefault ? [] : provider.name.split(',')),
    ...(leadTimes.leads === 'all' ? [] : leadTimes.buckets.map((bucket) => bucket.replace('+', ''))),
    ...(issuedHours ?? []).map((hour) => `issued-${String(hour).padStart(2, '0')}`),
    ...(metric === undefined ? [] : [metric]),
    window.period_start,
    window.period_end,
    ...(asOf === undefined ? [] : [`v${asOf.version}`]),
    ...(knownAt === undefined
      ? []
      : [`known-${new Date(knownAt).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`]),
  ];
}

interface Counts {
  verification_pairs: number;
  preliminary_pairs: number;
}

/** Whether there are pairs, and all of them rest on verified observations (D6). */
export function allVerified(rows: readonly Counts[]): boolean {
  return (
    rows.some(({ verification_pairs }) => verification_pairs > 0) &&
    rows.every(({ preliminary_pairs }) => preliminary_pairs === 0)
  );
}

/** The pairs of all rows. */
export function totalPairs(rows: readonly Pick<Counts, 'verification_pairs'>[]): number {
  return rows.reduce((total, { verification_pairs }) => total + verification_pairs, 0);
}
