import { z } from 'zod';
import type { IssuedHours } from '../queries/conditions.js';
import { sum } from '../statistics/statistics.js';
import type { ChosenStation } from '../stations/choice.js';
import type { Station } from '../stations/directory.js';
import {
  type EndpointResponse,
  type Endpoint,
  type EndpointDefinition,
  defineEndpointWith,
  type EndpointParams,
  type Sources,
} from './endpoint.js';
import { chooseConstantSample, COVERAGE_METADATA, minCoverage } from './constant-sample.js';
import { count, leadTimeBucket, providerName } from './fields.js';
import type { GroupsOf, ParameterGroups, Params } from './groups.js';
import { share } from './kinds.js';
import { readKnown, tooMuchKnown } from './known.js';
import {
  ISSUED_HOURS_METADATA,
  issuedHoursMetadata,
  leadTimes,
  type Metric,
  metric,
  METRICS,
  noProvider,
  provider,
} from './params/common.js';
import { temperatureUnit, UNIT_METADATA, unitMetadata } from './params/temperature-unit.js';
import { asOf, knownAt, windowOfUtcDays, windowUpToKnown } from './params/as-of.js';
import {
  separateStations,
  STATIONS_METADATA,
  stationsInMetadata,
  stationsInName,
  stationsTogether,
} from './params/station-params.js';

// The accuracy endpoints share common groups, and the metadata, CSV columns and bindings that follow from a request.

const COMMON_GROUPS = {
  window: windowUpToKnown,
  metric,
  provider,
  leadTimes,
  asOf,
  knownAt,
  unit: temperatureUnit,
};

/** The part of a request that its metadata, CSV columns and file name repeat. */
interface Subject extends Params<typeof COMMON_GROUPS> {
  issuedHours?: IssuedHours;
  station?: Station | readonly ChosenStation[] | undefined;
  minCoverage?: number | undefined;
  /** The number of stations before a constant sample; Infinity: all. */
  requestedStations?: number;
}

type AccuracyParams = EndpointParams & Subject;

/** The pairs, station days or other records that a response rests on. */
interface Basis {
  total_records: number;
  /** Whether there are pairs, and all of them rest on verified observations. */
  verified: boolean;
  coverage?: ReturnType<typeof computeCoverage>;
}

/** The own part of an accuracy endpoint's response. */
interface AccuracyResponse<Schema extends z.ZodObject, Metadata extends z.ZodRawShape> extends Pick<
  EndpointResponse<Schema, Metadata>,
  'data' | 'metadata' | 'csvConstants' | 'fileNameParts' | 'headers'
> {
  basis: Basis;
}

interface AccuracyDefinition<
  OwnParams extends Params,
  Schema extends z.ZodObject,
  Metadata extends z.ZodRawShape,
> extends Omit<EndpointDefinition<AccuracyParams & OwnParams, Schema>, 'groups' | 'metadata' | 'handle'> {
  /** Its own groups, also in the place of a common one. */
  groups: ParameterGroups & GroupsOf<OwnParams>;
  /** The number of records that a response rests on, for its metadata. */
  totalRecords?: z.ZodInt;
  /** Whether the metadata say how far the days of a response are final. */
  hasCoverage?: true;
  /** Between these two. */
  metadata?: Metadata;
  /** Observations alone are its subject, so it has no provider. */
  isOfObservations?: true;
  /** Its days are those of UTC, whichever stations it is about. */
  isOfUtcDays?: true;
  handle(params: AccuracyParams & OwnParams, sources: Sources): Promise<AccuracyResponse<Schema, Metadata>>;
}

export const TOTAL_RECORDS = count('Verification pairs behind the response');

/** How far the observations behind a response are final, for its metadata. */
const verificationCoverage = z
  .object({
    verified_days: count('Days on which all pairs rest on verified observations'),
    preliminary_days: count('Days with a pair that rests on a preliminary one'),
    verified_pct: share()
      .nullable()
      .meta({ description: 'Verified share of the days, to 0.0001; null without days' }),
  })
  .meta({
    id: 'VerificationCoverage',
    description: 'How far the numbers are final; they are without preliminary days',
  });

function computeCoverage(days: number, preliminary_days: number): z.infer<typeof verificationCoverage> {
  const verified_days = days - preliminary_days;
  return { verified_days, preliminary_days, verified_pct: verified_days / days };
}

/** The metadata of every accuracy endpoint: these come before its own. */
const WINDOW_METADATA = {
  days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
  period_start: z.iso.date().meta({ description: 'First day of the window' }),
  period_end: z.iso.date().meta({ description: 'Last day of the window' }),
};

/** The metadata of a response about the version of the data that it names, and about known_at. */
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

/** The same where the request is of no forecasts. */
const OBSERVED_METADATA = z.object(SUBJECT_METADATA).omit({
  ...{ provider: true, lead_time_buckets: true, issued_hours: true },
  ...{ error_convention: true, late_reports: true },
}).shape;

/** An endpoint that answers with statistics of a metric over a window. */
export function accuracyEndpoint<
  OwnParams extends Params,
  Schema extends z.ZodObject,
  Metadata extends z.ZodRawShape,
>(definition: AccuracyDefinition<OwnParams, Schema, Metadata>): Endpoint {
  const { isOfObservations, isOfUtcDays, totalRecords, hasCoverage } = definition;
  const { station } = definition.groups as ParameterGroups;
  const hasConstantSample =
    !isOfObservations && (station === stationsTogether || station === separateStations);
  const common: ParameterGroups = {
    ...COMMON_GROUPS,
    ...(isOfObservations && { provider: noProvider }),
    ...(isOfUtcDays && { window: windowOfUtcDays }),
    ...(hasConstantSample && { minCoverage }),
  };
  return defineEndpointWith(
    { ...common, ...definition.groups },
    {
      ...definition,
      metadata: {
        ...WINDOW_METADATA,
        ...(totalRecords && { total_records: totalRecords }),
        ...definition.metadata,
        ...(hasCoverage && { verification_coverage: verificationCoverage }),
        ...(hasConstantSample && COVERAGE_METADATA),
        ...(isOfObservations ? OBSERVED_METADATA : SUBJECT_METADATA),
      },
      validate: (params: AccuracyParams & OwnParams, directory) =>
        tooMuchKnown(params) ?? definition.validate?.(params, directory),
      async handle(requested: AccuracyParams & OwnParams, sources) {
        const { params, metadata: sample } = await chooseConstantSample(requested, sources);
        const known = isOfObservations ? undefined : await readKnown(params, sources);
        const { data, metadata, basis, headers, ...csv } = await definition.handle(params, sources);
        const { window, metric, leadTimes, unit } = params;
        const { station_id, stations, provider, accuracy_metric, ...version } = getSubject(params);
        const { days_analyzed, period_start, period_end } = window;
        return {
          data,
          metadata: {
            days_analyzed,
            period_start,
            period_end,
            ...(totalRecords && { total_records: basis.total_records }),
            ...(metadata as object | undefined),
            ...(hasCoverage && { verification_coverage: basis.coverage }),
            ...sample,
            station_id,
            ...(stations !== undefined && { stations }),
            ...(!isOfObservations && { provider }),
            ...(leadTimes.leads === 'some' && { lead_time_buckets: leadTimes.buckets }),
            ...issuedHoursMetadata(params.issuedHours),
            accuracy_metric,
            ...(!isOfObservations && { error_convention: 'forecast_minus_actual' }),
            ...unitMetadata(unit),
            ...version,
            ...(isOfUtcDays && { today_basis: 'utc' }),
            ...known,
          },
          verified: basis.verified,
          csvConstants: { metric, period_start, period_end, ...unitMetadata(unit), ...csv.csvConstants },
          fileNameParts: [
            ...fileNameParts(params),
            ...(unit === 'fahrenheit' ? [] : [unit]),
            ...(params.minCoverage === undefined ? [] : [`min-coverage-${params.minCoverage}`]),
            ...(csv.fileNameParts ?? []),
          ],
          ...(headers && { headers }),
        };
      },
    },
  );
}

/** The metadata about the subject of a request, and about the version of the data that it names. */
export function getSubject({
  station,
  provider,
  metric,
  asOf,
  knownAt,
}: Pick<Subject, 'station' | 'provider' | 'metric' | 'asOf' | 'knownAt'>) {
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
}: Omit<Subject, 'metric' | 'knownAt' | 'unit'> & {
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

/** The pairs of some rows. */
export const basisOfPairs = (rows: readonly Counts[]): Basis =>
  computeBasis(
    sum(rows.map(({ verification_pairs }) => verification_pairs)),
    sum(rows.map(({ preliminary_pairs }) => preliminary_pairs)),
  );

/** So many pairs or station days, and those of them that rest on preliminary observations. */
export const computeBasis = (total_records: number, preliminary: number): Basis => ({
  total_records,
  verified: total_records > 0 && preliminary === 0,
});

/** The same with the days that have any, and those of them that have preliminary ones: a response with `hasCoverage`. */
export const basisOfDays = (total_records: number, days: number, preliminaryDays: number): Basis => ({
  ...computeBasis(total_records, preliminaryDays),
  coverage: computeCoverage(days, preliminaryDays),
});

/** Records of a response that any load may change. */
export const unverified = (total_records: number): Basis => ({ total_records, verified: false });
