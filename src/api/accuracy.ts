import type { z } from 'zod';
import { chooseConstantSample, minCoverage } from './constant-sample.js';
import {
  type EndpointResponse,
  type Endpoint,
  type EndpointDefinition,
  defineEndpointWith,
  type EndpointParams,
  type Sources,
} from './endpoint.js';
import {
  type Basis,
  COMMON_GROUPS,
  coveragePart,
  FORECAST_PARTS,
  type MetadataPart,
  metricPart,
  minCoveragePart,
  OBSERVATION_PARTS,
  ownPart,
  schemaOfParts,
  type Subject,
  totalRecordsPart,
  UTC_DAY_PARTS,
  valuesOfParts,
  variablePart,
  windowPart,
} from './accuracy-metadata.js';
import type { GroupsOf, ParameterGroups, Params } from './groups.js';
import { tooMuchKnown } from './known.js';
import { metric, noProvider } from './params/common.js';
import type { Directory } from '../stations/directory.js';
import { isUsual } from '../variables/units.js';
import { getDerivation, isSummed, type VariableName, VARIABLES } from '../variables/variables.js';
import { windowOfUtcDays } from './params/as-of.js';
import { separateStations, stationsInName, stationsTogether } from './params/station-params.js';
import { nameChoices, noChoices, writeChoices } from './params/variable-choices.js';
import { getUnit, unitColumns } from './params/temperature-unit.js';
import { BRIER_SCORES } from '../statistics/brier.js';

// The accuracy endpoints share common groups, and the metadata, CSV columns and bindings that follow from a request.

type AccuracyParams = EndpointParams & Subject;

/** The subject of an endpoint: the groups of its requests, and the parts of its metadata that name it. */
interface SubjectKind {
  groups: ParameterGroups;
  parts: readonly MetadataPart[];
}

const FORECASTS: SubjectKind = { groups: COMMON_GROUPS, parts: FORECAST_PARTS };

/** Days are those of UTC, whichever stations they are of. */
export const ISSUANCES_BY_UTC_DAY: SubjectKind = {
  groups: { ...COMMON_GROUPS, window: windowOfUtcDays },
  parts: UTC_DAY_PARTS,
};

export const OBSERVATIONS: SubjectKind = {
  groups: { ...COMMON_GROUPS, provider: noProvider },
  parts: OBSERVATION_PARTS,
};

/** The groups of a request, where a variable of its own has no choices unless these are its own as well. */
const groupsOf = ({ groups }: SubjectKind, own: ParameterGroups): ParameterGroups => ({
  ...groups,
  ...(own.metric && { choices: noChoices }),
  ...own,
});

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
  /** Forecasts, unless given. */
  subject?: SubjectKind;
  /** The number of records that a response rests on, for its metadata. */
  totalRecords?: z.ZodInt;
  /** Whether the metadata say how far the days of a response are final. */
  hasCoverage?: true;
  /** Between these two. */
  metadata?: Metadata;
  handle(params: AccuracyParams & OwnParams, sources: Sources): Promise<AccuracyResponse<Schema, Metadata>>;
}

/** An endpoint that answers with statistics of a metric over a window. */
export function accuracyEndpoint<
  OwnParams extends Params,
  Schema extends z.ZodObject,
  Metadata extends z.ZodRawShape,
>(definition: AccuracyDefinition<OwnParams, Schema, Metadata>): Endpoint {
  const { subject = FORECASTS, totalRecords, hasCoverage, metadata = {} } = definition;
  const own: ParameterGroups = definition.groups;
  // Groups are compared for being the same ones; a path with one station has no sample.
  const takesSample = own.station === stationsTogether || own.station === separateStations;
  const parts = [
    windowPart,
    ...(totalRecords ? [totalRecordsPart(totalRecords)] : []),
    ownPart(metadata),
    ...(hasCoverage ? [coveragePart] : []),
    ...(takesSample ? [minCoveragePart] : []),
    ...subject.parts.map((part) => (part === variablePart && own.metric === metric ? metricPart : part)),
  ];
  return defineEndpointWith(groupsOf(subject, { ...(takesSample && { minCoverage }), ...own }), {
    ...definition,
    metadata: schemaOfParts(parts),
    estimatedCpuMs: (params: AccuracyParams & OwnParams, directory) =>
      (definition.estimatedCpuMs?.(params, directory) ?? 0) + derivedMs(params, directory),
    validate: (params: AccuracyParams & OwnParams, directory) =>
      tooMuchKnown(params) ?? definition.validate?.(params, directory),
    requested: (params: AccuracyParams & OwnParams) => ({
      ...requestedByVariable(params, definition.record.shape),
      ...definition.requested?.(params),
    }),
    async handle(requested: AccuracyParams & OwnParams, sources) {
      const { params, metadata: sample } = await chooseConstantSample(requested, sources);
      const { data, metadata, basis, headers, ...csv } = await definition.handle(params, sources);
      const unit = getUnit(params);
      const own = metadata as object | undefined;
      return {
        data,
        metadata: await valuesOfParts(parts, params, { ...basis, ...sample, own }, sources),
        verified: basis.verified,
        csvConstants: { ...subjectColumns(params), ...csv.csvConstants },
        fileNameParts: [
          ...fileNameParts(params),
          ...(isUsual(unit) ? [] : [unit.replace('/', '')]),
          ...(params.minCoverage === undefined ? [] : [`min-coverage-${params.minCoverage}`]),
          ...(csv.fileNameParts ?? []),
        ],
        ...(headers && { headers }),
      };
    },
  });
}

/** Whether a record has the fields of some variables alone. */
function requestedByVariable({ metric }: Subject, shape: z.ZodRawShape): Record<string, boolean> {
  // Other records have fields of these names, of something else.
  const scores = 'stats' in shape || 'brier_score' in shape ? BRIER_SCORES : [];
  const sums = 'sum_actual' in shape ? ['sum_forecast', 'sum_actual'] : [];
  return Object.fromEntries([
    ...scores.map((name) => [name, VARIABLES[metric].score === 'brier_score'] as const),
    ...sums.map((name) => [name, isSummed(metric)] as const),
  ]);
}

/** The columns of CSV before those of a record. */
function subjectColumns(params: AccuracyParams): Record<string, string> {
  const { metric, window, choices } = params;
  const { period_start, period_end } = window;
  return {
    ...{ metric, period_start, period_end },
    ...writeChoices(choices),
    ...unitColumns(metric, getUnit(params)),
  };
}

/** Measured, of a station day with 24 forecasts: no table has a variable that follows from others. */
const DERIVED_MS = 0.0033;

function derivedMs({ metric, station, window }: Subject, { stations }: Directory): number {
  if (getDerivation(metric) === undefined) return 0;
  const count = station === undefined ? stations.all.length : [station].flat().length;
  return count * window.days_analyzed * DERIVED_MS;
}

/** The words of the file name: what the request asks for, without the defaults. */
export function fileNameParts({
  window,
  metric,
  choices,
  station,
  provider,
  leadTimes,
  issuedHours,
  asOf,
  knownAt,
}: Omit<Subject, 'metric' | 'knownAt' | 'unit'> & {
  metric: VariableName | undefined;
  knownAt?: number | undefined;
}): string[] {
  return [
    ...stationsInName(station),
    ...(provider.isDefault ? [] : provider.name.split(',')),
    ...(leadTimes.leads === 'all' ? [] : leadTimes.buckets.map((bucket) => bucket.replace('+', ''))),
    ...(issuedHours ?? []).map((hour) => `issued-${String(hour).padStart(2, '0')}`),
    ...(metric === undefined ? [] : [metric]),
    ...nameChoices(choices),
    window.period_start,
    window.period_end,
    ...(asOf === undefined ? [] : [`v${asOf.version}`]),
    ...(knownAt === undefined
      ? []
      : [`known-${new Date(knownAt).toISOString().replaceAll(/[-:]|\.\d+/g, '')}`]),
  ];
}
