import { z } from 'zod';
import type { IssuedHours } from '../queries/conditions.js';
import { sum } from '../statistics/statistics.js';
import { METRICS, VARIABLE_NAMES, type VariableName } from '../variables/variables.js';
import type { ChosenStation } from '../stations/choice.js';
import type { Station } from '../stations/directory.js';
import { COVERAGE_METADATA } from './constant-sample.js';
import type { Sources } from './endpoint.js';
import { count, leadTimeBucket, providerName } from './fields.js';
import type { Params } from './groups.js';
import { share } from './kinds.js';
import { readKnown } from './known.js';
import { asOf, knownAt, windowUpToKnown } from './params/as-of.js';
import {
  ISSUED_HOURS_METADATA,
  issuedHoursMetadata,
  leadTimes,
  provider,
  variable,
} from './params/common.js';
import { STATIONS_METADATA, stationsInMetadata } from './params/station-params.js';
import { choices } from './params/variable-choices.js';
import { VARIABLE_METADATA, variableMetadata } from './params/variable-metadata.js';
import { getUnit, temperatureUnit, UNIT_METADATA, unitMetadata } from './params/temperature-unit.js';

// The metadata of accuracy endpoints are made of parts, each of which has its fields and their values.

/** The groups that accuracy endpoints share. */
export const COMMON_GROUPS = {
  window: windowUpToKnown,
  metric: variable,
  choices,
  provider,
  leadTimes,
  asOf,
  knownAt,
  unit: temperatureUnit,
};

/** The part of a request that its metadata, CSV columns and file name repeat. */
export interface Subject extends Params<typeof COMMON_GROUPS> {
  issuedHours?: IssuedHours;
  station?: Station | readonly ChosenStation[] | undefined;
  minCoverage?: number | undefined;
  /** The number of stations before a constant sample; Infinity: all. */
  requestedStations?: number;
}

/** The pairs, station days or other records that a response rests on. */
export interface Basis {
  total_records: number;
  /** Whether there are pairs, and all of them rest on verified observations. */
  verified: boolean;
  coverage?: ReturnType<typeof computeCoverage>;
}

/** The basis of a response, and what its endpoint adds to the metadata. */
interface ResponseBasis extends Basis {
  own?: object | undefined;
  min_coverage?: object | undefined;
}

/** Fields of the metadata, and their values in a response, in its order; undefined for one that the response lacks. */
export interface MetadataPart {
  schema: z.ZodRawShape;
  value(params: Subject, basis: ResponseBasis, sources: Sources): object | undefined | Promise<object>;
}

export const windowPart: MetadataPart = {
  schema: {
    days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
    period_start: z.iso.date().meta({ description: 'First day of the window' }),
    period_end: z.iso.date().meta({ description: 'Last day of the window' }),
  },
  value: ({ window: { days_analyzed, period_start, period_end } }) => ({
    days_analyzed,
    period_start,
    period_end,
  }),
};

export const TOTAL_RECORDS = count('Verification pairs behind the response');

/** The number of records that a response rests on. */
export const totalRecordsPart = (schema: z.ZodInt): MetadataPart => ({
  schema: { total_records: schema },
  value: (_params, { total_records }) => ({ total_records }),
});

/** The fields of one endpoint alone. */
export const ownPart = (schema: z.ZodRawShape): MetadataPart => ({
  schema,
  value: (_params, { own }) => own,
});

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

export const coveragePart: MetadataPart = {
  schema: { verification_coverage: verificationCoverage },
  value: (_params, { coverage }) => ({ verification_coverage: coverage }),
};

export const minCoveragePart: MetadataPart = {
  schema: COVERAGE_METADATA,
  value: (_params, { min_coverage }) => ({ min_coverage }),
};

const { today_basis } = STATIONS_METADATA;

/** Its today_basis is a value of todayPart: responses have it behind the unit. */
const stationsPart: MetadataPart = {
  schema: STATIONS_METADATA,
  value({ station }) {
    const { station_id, stations } = stationsInMetadata(station);
    return { station_id, stations };
  },
};

const providerPart: MetadataPart = {
  schema: { provider: providerName },
  value: ({ provider: { name } }) => ({ provider: name }),
};

const leadTimesPart: MetadataPart = {
  schema: {
    lead_time_buckets: z
      .array(leadTimeBucket)
      .optional()
      .meta({ description: 'The lead times asked for, if the request names any' }),
  },
  value: ({ leadTimes: { leads, buckets } }) => ({
    lead_time_buckets: leads === 'some' ? buckets : undefined,
  }),
};

const issuedHoursPart: MetadataPart = {
  schema: ISSUED_HOURS_METADATA,
  value: ({ issuedHours }) => issuedHoursMetadata(issuedHours),
};

/** The variable of a response, where a request may name any. */
export const variablePart: MetadataPart = {
  schema: { accuracy_metric: z.enum(VARIABLE_NAMES), ...VARIABLE_METADATA },
  value: ({ metric, unit, choices }) => ({
    accuracy_metric: metric,
    ...variableMetadata(metric, unit, choices),
  }),
};

/** The variable of a response, where a request names one of the feeds. */
export const metricPart: MetadataPart = {
  schema: { accuracy_metric: z.enum(METRICS) },
  value: ({ metric }) => ({ accuracy_metric: metric }),
};

const errorConventionPart: MetadataPart = {
  schema: {
    error_convention: z.literal('forecast_minus_actual').meta({
      description: 'Error = forecast - actual: a negative mean error means that forecasts were too low',
    }),
  },
  value: () => ({ error_convention: 'forecast_minus_actual' }),
};

const unitPart: MetadataPart = { schema: UNIT_METADATA, value: (params) => unitMetadata(getUnit(params)) };

const todayPart: MetadataPart = {
  schema: { today_basis },
  value({ station }) {
    const { today_basis } = stationsInMetadata(station);
    return today_basis && { today_basis };
  },
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

/** The values of these fields. */
const versionMetadata = ({ asOf, knownAt }: Pick<Subject, 'asOf' | 'knownAt'>) => ({
  as_of: asOf && { requested: asOf.requested, version: asOf.version, recorded_at: asOf.recorded_at },
  known_at: knownAt === undefined ? undefined : new Date(knownAt).toISOString(),
});

const versionPart: MetadataPart = { schema: VERSION_METADATA, value: versionMetadata };

const utcDaysPart: MetadataPart = { schema: { today_basis }, value: () => ({ today_basis: 'utc' }) };

const lateReportsPart: MetadataPart = {
  schema: {
    late_reports: z
      .int()
      .min(0)
      .optional()
      .meta({
        description:
          'With known_at: observations of the window reported more than 7 days after their date began. If they are many, ' +
          'the feeds do not say when a value was first known',
      }),
  },
  value: async (params, _basis, sources) => (await readKnown(params, sources)) ?? {},
};

/** The parts that name the subject of a response. */
const SUBJECT_PARTS: readonly MetadataPart[] = [
  stationsPart,
  providerPart,
  leadTimesPart,
  issuedHoursPart,
  variablePart,
  errorConventionPart,
  unitPart,
  todayPart,
  versionPart,
];

/** The parts of a response about forecasts. */
export const FORECAST_PARTS: readonly MetadataPart[] = [...SUBJECT_PARTS, lateReportsPart];

/** The parts of a response about issuances on UTC days, whichever stations they are of. */
export const UTC_DAY_PARTS: readonly MetadataPart[] = [...SUBJECT_PARTS, utcDaysPart, lateReportsPart];

/** The parts of a response about observations alone, which have no provider. */
export const OBSERVATION_PARTS: readonly MetadataPart[] = [
  stationsPart,
  variablePart,
  unitPart,
  todayPart,
  versionPart,
];

/** The fields of some parts. */
export const schemaOfParts = (parts: readonly MetadataPart[]): z.ZodRawShape =>
  Object.assign({}, ...parts.map(({ schema }) => schema)) as z.ZodRawShape;

/** The values of some parts in a response. */
export async function valuesOfParts(
  parts: readonly MetadataPart[],
  ...response: Parameters<MetadataPart['value']>
): Promise<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const part of parts) Object.assign(values, await part.value(...response));
  return values;
}

/** The metadata about the subject of a request, and about the version of the data that it names. */
export const getSubject = <Name extends VariableName>({
  station,
  provider,
  metric,
  ...version
}: Pick<Subject, 'station' | 'provider' | 'asOf' | 'knownAt'> & { metric: Name }) => ({
  ...stationsInMetadata(station),
  provider: provider.name,
  accuracy_metric: metric,
  ...versionMetadata(version),
});

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

/** The basis of a response with `hasCoverage`: also the days that have pairs, and those that have preliminary ones. */
export const basisOfDays = (total_records: number, days: number, preliminaryDays: number): Basis => ({
  ...computeBasis(total_records, preliminaryDays),
  coverage: computeCoverage(days, preliminaryDays),
});

/** Records of a response that any load may change. */
export const unverified = (total_records: number): Basis => ({ total_records, verified: false });
