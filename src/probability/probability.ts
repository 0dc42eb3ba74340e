import { z } from 'zod';
import { TRAINING_WINDOW } from './training/training.js';
import { instantText } from '../queries/issuances.js';
import { stationClocks } from '../queries/local-days.js';
import { rangesAround } from './training/predictive.js';
import { LEAD_TIME_BUCKETS } from '../statistics/time/lead-time.js';
import { localDay } from '../statistics/time/local-midnight.js';
import { SCALES, wholeDegree } from '../variables/units.js';
import type { Station } from '../stations/directory.js';
import type { AsOf } from '../stations/versions.js';
import { getSubject, VERSION_METADATA } from '../api/accuracy-metadata.js';
import { temperature } from '../api/kinds.js';
import { defineEndpoint, type Sources } from '../api/endpoint.js';
import { confidenceLevel, numberOrNull, providerName, STATION_OR_ALL } from '../api/fields.js';
import { blendedProviders, events, forecast, lead, training } from './probability-params.js';
import { hintOfEnded, TODAY_BASIS } from '../api/params/present.js';
import { soFar } from './intraday/intraday-params.js';
import { level, metric } from '../api/params/common.js';
import { METRICS } from '../variables/variables.js';
import { station, stationOrAll } from '../api/params/station-params.js';
import { temperatureUnit, UNIT_METADATA, unitMetadata } from '../api/params/temperature-unit.js';
import { asOf, knownAt } from '../api/params/as-of.js';
import { BLEND_FIELDS, type BlendFields, blendedPrediction } from './blend/blend.js';
import {
  bracketsRecord,
  computeBrackets,
  listOutcomes,
  quantilesRecord,
  computeQuantiles,
  thresholdsRecord,
  computeThresholds,
} from './outcomes.js';
import { type DayPrediction, predictIntraday, intradayRecord } from './intraday/intraday-update.js';
import { getLeadRange, leadRangeRecord } from './lead-of-forecast.js';
import { type Prediction, readPrediction, type PredictionQuery } from './prediction.js';
import type { TargetDay } from './stored-forecast.js';
import { HINTS, hinted, trainingRecord, describeTraining } from './training-record.js';

/** Fields of a response that may come from the measurements of its day. */
const INTRADAY_FIELDS = {
  method: z.enum(['mixture', 'day_so_far']).optional().meta({
    description:
      'If target_date may have begun: mixture by the errors of past forecasts, day_so_far by what has been measured of the day',
  }),
  so_far: intradayRecord
    .nullable()
    .optional()
    .meta({ description: 'What has been measured of the day, by day_so_far; null by mixture' }),
  hint: z.string().nullable().optional().meta({ description: 'metadata.hint, or null' }),
};

/** Measured, of a training day of a station and provider. */
const WORK_MS = 0.002;

const record = z
  .object({
    ...STATION_OR_ALL,
    target_date: z.iso.date(),
    forecast_f: numberOrNull(
      'The forecast, °F; of several providers their blend, to 0.1; null for a day that has begun without one',
      temperature,
    ),
    ...BLEND_FIELDS,
    issued_at: z.iso.datetime().nullable().meta({
      description:
        'When it was issued, UTC, of a blend the last of its forecasts; null for a forecast in the request',
    }),
    lead_time_bucket: z.enum(LEAD_TIME_BUCKETS).nullable().meta({
      description: 'Lead time of the forecast; null by day_so_far, which takes the latest of each day',
    }),
    lead_range: leadRangeRecord
      .nullable()
      .meta({ description: 'The leads that count, in hours; null by day_so_far' }),
    settlement: z
      .object({
        unit: z.enum(['whole_f', 'whole_c']),
        rounding: z.literal('half_up').meta({ description: '82.5 is 83, and -82.5 is -82' }),
        day: z
          .enum(['civil', 'standard'])
          .meta({ description: "The station's day: by local clocks, or by standard time" }),
      })
      .meta({
        description:
          'The settled value that the probabilities are about: a whole degree, as in climate reports',
      }),
    training: trainingRecord,
    quantiles: quantilesRecord,
    thresholds: thresholdsRecord.optional(),
    brackets: bracketsRecord.optional(),
    level: confidenceLevel,
    reason: z.string().nullable().meta({ description: 'Why there are no probabilities; null if there are' }),
    ...INTRADAY_FIELDS,
  })
  .meta({ id: 'Probability' });

/** GET /api/v1/probability (D36): how likely the settled value of a forecast is what. */
export const probability = defineEndpoint({
  paths: ['/probability'],
  operationId: 'getProbability',
  summary: 'Probability of temperatures',
  description:
    'The probability that the observed value, a whole degree, is at or above thresholds or within brackets, given ' +
    "a forecast. It mixes the station's errors of the last forecasts nearest to the same lead with the network's. " +
    "Each of the station's days has weight 1, the network's days together 60. For a day that has begun at a station " +
    'with reports of its hours, and that has no reported value yet, it starts from the highest (or lowest) temperature so far: a line through earlier days at the same hour ' +
    'says what may still come of the gap to the latest forecast (so_far). /probability/reliability shows how ' +
    'good such probabilities were, and docs/probability.md when not to trust them.',
  example: { query: 'city=Chicago&forecast=75&target_date=2026-10-06&thresholds=75,80' },
  groups: {
    station,
    forecast,
    lead,
    metric,
    provider: blendedProviders,
    training,
    events,
    soFar,
    level,
    asOf,
    knownAt,
    unit: temperatureUnit,
  },
  record,
  isSingle: true,
  requested: ({ events, provider, soFar }) => ({
    ...Object.fromEntries(Object.keys(BLEND_FIELDS).map((name) => [name, provider.names !== undefined])),
    ...Object.fromEntries(Object.keys(INTRADAY_FIELDS).map((name) => [name, soFar !== undefined])),
    thresholds: events.thresholds !== undefined,
    brackets: events.brackets !== undefined || events.thresholds === undefined,
  }),
  metadata: {
    station_id: z.string().meta({ description: 'The station asked about, or ALL' }),
    provider: providerName,
    accuracy_metric: z.enum(METRICS),
    today_basis: TODAY_BASIS,
    ...UNIT_METADATA,
    ...VERSION_METADATA,
    ...HINTS,
  },

  estimatedCpuMs: ({ provider, training }, { stations }) =>
    stations.all.length *
    (training.window ?? TRAINING_WINDOW.usual) *
    (provider.names?.length ?? 1) *
    WORK_MS,

  async handle(params, { query }) {
    const { station, events, level, metric, unit } = params;
    const scale = SCALES[unit];
    const { target_date, hasEnded } = params.forecast;
    const { station_id, city_name } = stationOrAll(station);
    const day = station && (await readDay(station, target_date, params.asOf, query));
    const intraday = await predictIntraday(params, day, { query });
    const found: AnyDistribution =
      'outcomes' in intraday ? intraday : await predictMixture(params, day, { query });
    const ended =
      hasEnded && found !== intraday && intraday.hints.length === 0
        ? [hintOfEnded(target_date, station_id)]
        : [];
    const hints = found === intraday ? found.hints : [...intraday.hints, ...ended, ...found.hints];
    const notes = hinted(hints, found.window, params);
    const { forecast, issued_ms, outcomes } = found;
    const middle = forecast === undefined ? (found.soFar?.m ?? 0) : wholeDegree(forecast, scale);
    const wanted =
      events.brackets ?? (events.thresholds === undefined ? rangesAround(middle, scale) : undefined);
    return {
      data: {
        station_id,
        city_name,
        target_date,
        forecast_f: forecast === undefined ? null : forecast / 100,
        ...found.blend,
        issued_at: issued_ms === undefined ? null : instantText(issued_ms),
        lead_time_bucket: found.lead?.bucket ?? null,
        lead_range: found.lead ? getLeadRange(found.lead) : null,
        settlement: {
          unit: unit === 'celsius' ? 'whole_c' : 'whole_f',
          rounding: 'half_up',
          day: day?.day_boundary ?? 'civil',
        } as const,
        training: found.training,
        quantiles: computeQuantiles(outcomes),
        ...(events.thresholds && { thresholds: computeThresholds(outcomes, events.thresholds) }),
        ...(wanted && { brackets: computeBrackets(outcomes, wanted) }),
        level,
        reason: outcomes.reason,
        ...(params.soFar !== undefined && {
          method: found.soFar ? ('day_so_far' as const) : ('mixture' as const),
          so_far: found.soFar,
          hint: notes.hint ?? null,
        }),
      },
      metadata: { ...getSubject(params), ...unitMetadata(unit), ...notes },
      csvConstants: { metric, ...unitMetadata(unit) },
      fileNameParts: [station_id, metric, target_date, ...(unit === 'fahrenheit' ? [] : [unit])],
    };
  },
});

/** One that may rest on several providers. */
type AnyDistribution = DayPrediction & { blend?: BlendFields };

/** The probabilities by the errors of past forecasts, of one provider or of several as one. */
async function predictMixture(
  params: PredictionQuery & { level: number },
  day: TargetDay | undefined,
  sources: Pick<Sources, 'query'>,
): Promise<AnyDistribution> {
  const { names } = params.provider;
  const { trained, ...found }: Prediction & { blend?: BlendFields } =
    names === undefined
      ? await readPrediction(params, day, sources)
      : await blendedPrediction(params, names, day, sources);
  return {
    ...found,
    outcomes: listOutcomes(found.forecast, trained, params.level, SCALES[params.unit]),
    training: describeTraining(trained),
    soFar: null,
    window: trained.window,
  };
}

/** When a day begins and ends at a station, and by which clock; undefined for a station that the version does not have. */
async function readDay(station: Station, date: string, asOf: AsOf | undefined, query: Sources['query']) {
  const [found] = await query(stationClocks(asOf, station));
  if (found === undefined) return undefined;
  return { ...localDay(date, found.timezone, found.day_boundary), day_boundary: found.day_boundary };
}
