import { z } from 'zod';
import { isCalendarDate } from '../accuracy/calendar.js';
import { type Bindings, bindingsOf, type Scope } from '../accuracy/histograms.js';
import { resolveWindow, type Window } from '../accuracy/window.js';
import type { Station, StationIndex } from '../stations/directory.js';
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  type EndpointDefinition,
  type Sources,
} from './endpoint.js';
import { defineGroup, type ParameterGroups, type Question } from './groups.js';
import { integer, InvalidParameters, word } from './parameters.js';

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
    ({ stations }: { stations: StationIndex }) =>
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
const COMMON_GROUPS = { window, metric };

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
      const { window, metric, station } = question as unknown as AccuracyQuestion;
      const { days_analyzed, period_start, period_end } = window;
      const ids = idsOf(station);
      return {
        data,
        metadata: {
          days_analyzed,
          period_start,
          period_end,
          ...metadata,
          station_id: ids,
          accuracy_metric: metric,
          error_convention: 'forecast_minus_actual',
        },
        verified,
        csv: {
          constants: { metric, period_start, period_end, ...csvConstants },
          fileNameParts: [...(station === undefined ? [] : ids.split(',')), metric, period_start, period_end],
        },
      };
    },
  });
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
}: Question<Common> & { station?: Station | undefined }): Bindings {
  return { ...bindingsOf(metric, window), ...(station && { station_id: station.station_id }) };
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
