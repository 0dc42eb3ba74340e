import { z } from 'zod';
import { type Bindings, bindingsOf, type Scope } from '../accuracy/histograms.js';
import { ALL_BUCKETS } from '../accuracy/lead-time.js';
import type { Station } from '../stations/directory.js';
import {
  type Answer,
  defineEndpoint,
  type Endpoint,
  type EndpointDefinition,
  type Sources,
} from './endpoint.js';
import type { ParameterGroups, Question } from './groups.js';
import { leadTimes, type Metric, metric, METRICS, provider, window } from './question.js';
import { idsOf } from './stations.js';

// What the accuracy endpoints share: their common groups, and the metadata, CSV columns and bindings that follow from
// a question.

const COMMON_GROUPS = { window, metric, provider, leadTimes };

type Common = typeof COMMON_GROUPS;

/** The part of a question that its metadata, CSV columns and file name repeat. */
interface AccuracyQuestion extends Question<Common> {
  station?: Station | readonly Station[] | undefined;
}

/** What an accuracy endpoint answers by itself. */
interface AccuracyAnswer extends Pick<Answer, 'data' | 'metadata' | 'csvConstants' | 'headers'> {
  verified: boolean;
}

interface AccuracyDefinition<Groups extends ParameterGroups> extends Omit<
  EndpointDefinition<Groups & Common>,
  'groups' | 'metadata' | 'answer'
> {
  groups: Groups;
  metadata: z.ZodRawShape;
  answer(question: Question<Groups & Common>, sources: Sources): Promise<AccuracyAnswer>;
}

export const TOTAL_RECORDS = z.int().min(0).meta({ description: 'Verification pairs behind the answer' });

/** The metadata of every accuracy endpoint: these come before its own. */
const WINDOW_METADATA = {
  days_analyzed: z.int().min(1).meta({ description: 'Days in the window, both ends included' }),
  period_start: z.iso.date().meta({ description: 'First day of the window' }),
  period_end: z.iso.date().meta({ description: 'Last day of the window' }),
};

/** And these come after its own. */
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
    metadata: { ...WINDOW_METADATA, ...definition.metadata, ...SUBJECT_METADATA },
    async answer(resolved, sources) {
      const { data, metadata, verified, csvConstants, headers } = await definition.answer(resolved, sources);
      const question = resolved as unknown as AccuracyQuestion;
      const { window, metric, station, provider, leadTimes } = question;
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
        csvConstants: { metric, period_start, period_end, ...csvConstants }, // D17
        fileNameParts: fileNameParts(question),
        ...(headers && { headers }),
      };
    },
  });
}

/** The words of the file name: what the request asks for, without the defaults. */
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

/** The errors that a question about one station, or about all, reads. */
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
