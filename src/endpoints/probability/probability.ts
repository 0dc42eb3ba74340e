import { z } from 'zod';
import { instantText } from '../../relations/issuances.js';
import { stationClockRow, stationClocks } from '../../relations/local-days.js';
import { type Evidence, rangesAround } from '../../statistics/probability/predictive.js';
import { floorOf, phaseOf, wholeDegree, tallyOf, tallyOfList } from '../../statistics/probability/tally.js';
import { MIN_NETWORK_DAYS } from '../../statistics/probability/training.js';
import { LEAD_TIME_BUCKETS } from '../../statistics/time/lead-time.js';
import { localDay } from '../../statistics/time/local-midnight.js';
import { bind, sql } from '../../sql.js';
import type { Station } from '../../stations/directory.js';
import type { AsOf } from '../../stations/versions.js';
import { subjectOf, VERSION_METADATA } from '../../api/accuracy.js';
import { defineEndpoint, type Sources } from '../../api/endpoint.js';
import { confidenceLevel, providerName, STATION_OR_ALL } from '../../api/fields.js';
import { blendedProviders, events, forecast, lead, training } from '../../api/questions/probability.js';
import { level, metric, METRICS } from '../../api/questions/common.js';
import { station, stationOrAll } from '../../api/questions/stations.js';
import { wholeFahrenheit } from '../../api/questions/temperature-unit.js';
import { asOf, knownAt } from '../../api/questions/versions.js';
import { BLEND_FIELDS, type BlendFields, blendedPrediction } from './blend.js';
import {
  bracketsRecord,
  bracketsOf,
  quantilesRecord,
  quantilesOf,
  thresholdsRecord,
  thresholdsOf,
} from './outcomes.js';
import { leadRangeOf, leadRangeRecord } from './lead-of-forecast.js';
import { type Prediction, predictionOf } from './prediction.js';
import { trainingRecord, trainingOf } from './training-record.js';

const record = z
  .object({
    ...STATION_OR_ALL,
    target_date: z.iso.date(),
    forecast_f: z
      .number()
      .meta({ description: 'The forecast, °F; of several providers their blend, to 0.1' }),
    ...BLEND_FIELDS,
    issued_at: z.iso.datetime().nullable().meta({
      description:
        'When it was issued, UTC, of a blend the last of its forecasts; null for a forecast in the request',
    }),
    lead_time_bucket: z.enum(LEAD_TIME_BUCKETS).meta({ description: 'Lead time of the forecast' }),
    lead_range: leadRangeRecord,
    settlement: z
      .object({
        unit: z.literal('whole_f'),
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
    "Each of the station's days has weight 1, the network's days together 60. /probability/reliability shows how " +
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
    level,
    asOf,
    knownAt,
    unit: wholeFahrenheit,
  },
  record,
  many: false,
  asked: ({ events, provider }) => ({
    ...Object.fromEntries(Object.keys(BLEND_FIELDS).map((name) => [name, provider.names !== undefined])),
    thresholds: events.thresholds !== undefined,
    brackets: events.brackets !== undefined || events.thresholds === undefined,
  }),
  metadata: {
    station_id: z.string().meta({ description: 'The station asked about, or ALL' }),
    provider: providerName,
    accuracy_metric: z.enum(METRICS),
    ...VERSION_METADATA,
  },

  async answer(question, { query }) {
    const { station, provider, events, level, metric } = question;
    const { target_date } = question.forecast;
    const { station_id, city_name } = stationOrAll(station);
    const day = station && (await dayOf(station, target_date, question.asOf, query));
    const { names } = provider;
    const predicted: Prediction & { blend?: BlendFields } =
      names === undefined
        ? await predictionOf(question, day, { query })
        : await blendedPrediction(question, names, day, { query });
    const { lead, forecast: value, issued_ms, learned } = predicted;
    const isKnown = learned.network.days >= MIN_NETWORK_DAYS;
    const phase = phaseOf(value);
    const evidence: Evidence = {
      station: tallyOfList(learned.stationErrors, learned.stationErrors.length, phase),
      network: tallyOf(learned.network, phase),
    };
    const found = { evidence, floor: floorOf(value), phase, learned, level, isKnown };
    const wanted =
      events.brackets ?? (events.thresholds === undefined ? rangesAround(wholeDegree(value)) : undefined);
    return {
      data: {
        station_id,
        city_name,
        target_date,
        forecast_f: value / 100,
        ...predicted.blend,
        issued_at: issued_ms === undefined ? null : instantText(issued_ms),
        lead_time_bucket: lead.bucket,
        lead_range: leadRangeOf(lead),
        settlement: { unit: 'whole_f', rounding: 'half_up', day: day?.day_boundary ?? 'civil' } as const,
        training: trainingOf(learned),
        quantiles: quantilesOf(found),
        ...(events.thresholds && { thresholds: thresholdsOf(found, events.thresholds) }),
        ...(wanted && { brackets: bracketsOf(found, wanted) }),
        level,
        reason: isKnown
          ? null
          : `The network has ${learned.network.days} station days to learn from; at least ${MIN_NETWORK_DAYS} are needed`,
      },
      metadata: subjectOf(question),
      csvConstants: { metric },
      fileNameParts: [station_id, metric, target_date],
    };
  },
});

/** When a day begins and ends at a station, and by which clock; undefined for a station that the version does not have. */
async function dayOf({ station_id }: Station, date: string, asOf: AsOf | undefined, query: Sources['query']) {
  const [found] = await query(
    sql`${stationClocks(asOf)} WHERE station_id = ${bind({ station_id }, 'String')}`,
    stationClockRow,
  );
  if (found === undefined) return undefined;
  return { ...localDay(date, found.timezone, found.day_boundary), day_boundary: found.day_boundary };
}
