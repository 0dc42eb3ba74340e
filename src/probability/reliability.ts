import { type DayBegins, readDayBegins } from '../api/day-begins.js';
import { z } from 'zod';
import { eachBlendedOrigin } from './blend/blended-origins.js';
import { getHistories, type StationHistories } from './training/history.js';
import { type OriginDays, eachOrigin } from './training/forecast-origins.js';
import { crps } from './training/predictive.js';
import { type Method, METHODS, mixtureOfCase, type ScoredCase, scorer } from './training/score-case.js';
import { ScoreTable } from './training/probability-scores.js';
import { leadRange, TRAINING_WINDOW } from './training/training.js';
import { dayNumber } from '../statistics/time/calendar.js';
import { LEAD_TIME_BUCKETS } from '../statistics/time/lead-time.js';
import { SCALES } from '../variables/units.js';
import { accuracyEndpoint } from '../api/accuracy.js';
import { unverified } from '../api/accuracy-metadata.js';
import { TOTAL_CASES } from '../api/cases.js';
import { STATION_OR_ALL } from '../api/fields.js';
import { blendedProviders, oneLead, oneLeadTime, training } from './probability-params.js';
import { hourOfDay } from './intraday/intraday-params.js';
import { metric, level } from '../api/params/common.js';
import { stationOrAll, station } from '../api/params/station-params.js';
import { addBlended, blendOutcome, blendRecord, blendScores } from './blend/blend-record.js';
import { getLeadRange, leadRangeRecord } from './lead-of-forecast.js';
import { hourReliability } from './intraday/hour-reliability.js';
import { sealed, sealedReliability, sealedSinceRecord } from './sealed-odds.js';
import { reliabilityFields, reliabilityRecord, rivalFields } from './reliability-record.js';
import { readArchive, withinReach } from './training/archive.js';
import { HINTS, hinted } from './training-record.js';

/** Measured, for each provider: of a station day that is read or scored, and in a blend of each training day of one. */
const WORK_MS = { day: 0.0033, blended: 0.00004 };

const record = z
  .object({
    ...STATION_OR_ALL,
    lead_time_bucket: z
      .enum(LEAD_TIME_BUCKETS)
      .nullable()
      .meta({ description: 'Lead time of the forecasts; null with hour' }),
    lead_range: leadRangeRecord
      .nullable()
      .meta({ description: 'The leads that count, in hours; null with hour' }),
    hour: z.int().optional().meta({
      description: 'With hour: the odds are those that day_so_far gave so many hours after a day began',
    }),
    ...reliabilityRecord.shape,
    blend: blendRecord.optional(),
    sealed_since: sealedSinceRecord.nullable().optional(),
  })
  .meta({ id: 'Reliability' });

/** GET /api/v1/probability/reliability (D36): how often what was said to be likely came about. */
export const reliability = accuracyEndpoint({
  paths: ['/probability/reliability'],
  operationId: 'getProbabilityReliability',
  summary: 'Reliability of the probabilities',
  description:
    'How good the probabilities of /probability were. For each past forecast of the window, the latest in its ' +
    'bucket or the nearest to a lead, they are recomputed only from what had been reported when it was issued. Six ' +
    'brackets around each forecast are scored, and compared with a normal distribution with 2 °F around the ' +
    "forecast, the network's errors alone, and the station's alone. With several providers, their blend is scored so on " +
    'the station days that all of them forecast, and compared with each of them. With hour, it scores the odds of days ' +
    'that had begun (day_so_far) so many hours after their beginning, with nothing known later. With sealed, it scores the odds that were sealed before their day. For all stations, at ' +
    'most 366 days.',
  example: { query: 'city=Chicago&date_from=2026-09-01&date_to=2026-09-30' },
  groups: {
    metric,
    station,
    provider: blendedProviders,
    leadTimes: oneLeadTime,
    hour: hourOfDay,
    sealed,
    training,
    level,
  },
  record,
  isSingle: true,
  requested: ({ provider, hour, sealed }) => ({
    blend: provider.names !== undefined && !sealed,
    sealed_since: sealed,
    ...Object.fromEntries(['hour', 'rise', 'mixture'].map((name) => [name, hour !== undefined])),
    ...Object.fromEntries(
      ['normal_2f', 'network', 'station'].map((name) => [name, hour === undefined && !sealed]),
    ),
  }),
  totalRecords: TOTAL_CASES,
  metadata: HINTS,

  estimatedCpuMs: ({ window, provider, training }, { stations }) => {
    const { window: trained = TRAINING_WINDOW.usual } = training;
    const days = stations.all.length * (window.days_analyzed + trained);
    const members = provider.names?.length ?? 1;
    const blended = members > 1 ? stations.all.length * window.days_analyzed * trained : 0;
    return members * (days * WORK_MS.day + blended * WORK_MS.blended);
  },

  async handle(params, { query }) {
    const { station, window, level, provider, hour } = params;
    const scale = SCALES[params.unit];
    const { station_id, city_name } = stationOrAll(station);
    if (hour !== undefined) {
      const { cases, fields, window } = await hourReliability(params, hour, { query });
      return {
        data: { station_id, city_name, lead_time_bucket: null, lead_range: null, hour, ...fields },
        metadata: hinted([], window, params),
        basis: unverified(cases),
      };
    }
    const lead = oneLead(params.leadTimes);
    const range = leadRange(lead.bucket, lead.lead_ms);
    const days = { first: dayNumber(window.period_start), last: dayNumber(window.period_end) };
    withinReach(window);
    if (params.sealed) {
      const { fields, hint } = await sealedReliability(params, lead, days, { query });
      return {
        data: { station_id, city_name, ...fields },
        metadata: { hint },
        basis: unverified(fields.cases),
      };
    }
    const [{ histories, window: trained }, dayBegins] = await Promise.all([
      readArchive(params, range, days, { query }),
      readDayBegins(params, days, { query }),
    ]);
    const scores = new ScoreTable(days.first, window.days_analyzed, METHODS);
    const score = scorer(scores, scale);
    const requested = {
      ...range,
      window: trained,
      ...days,
      scale,
      station_id: station?.station_id,
      known_ms: params.knownAt,
    };
    let blend: ReturnType<typeof blendScores> | undefined;
    if (provider.names === undefined) {
      eachOrigin(getHistories(histories, 0), requested, dayBegins, score);
    } else {
      blend = scoreBlend(histories, requested, dayBegins, scores, provider.names.length);
    }
    return {
      data: {
        station_id,
        city_name,
        lead_time_bucket: lead.bucket,
        lead_range: getLeadRange(lead),
        ...reliabilityFields(scores, scoreRivals(scores, level), level),
        ...(blend && { blend: blendOutcome(blend, provider.names ?? [], level) }),
      },
      metadata: hinted([], trained, params),
      basis: unverified(scores.sums.mixture.count),
    };
  },
});

/** The scores of the other methods, by the name of their field. */
const scoreRivals = (scores: ScoreTable<Method>, level: number) => ({
  normal_2f: rivalFields(scores, 'normal', level),
  network: rivalFields(scores, 'network', level),
  station: rivalFields(scores, 'station', level),
});

/**
 * Scores a blend beside each of its providers. A case that not all of them have a probability for counts as one without
 * training.
 * @param scores to which those of the blend are added
 */
function scoreBlend(
  histories: readonly StationHistories[],
  requested: OriginDays,
  dayBegins: DayBegins,
  scores: ScoreTable<Method>,
  providers: number,
): ReturnType<typeof blendScores> {
  const { first, last, scale } = requested;
  const computeCrps = (found: ScoredCase): number => {
    const predicted = mixtureOfCase(found, scale);
    return predicted === undefined ? NaN : crps(predicted.mixture, predicted.outcome);
  };
  /** The CRPS of each provider by station and day. */
  const ofProviders: Map<string, number>[] = [];
  const getKey = ({ station_id, day }: { station_id: string; day: number }): string => `${station_id} ${day}`;
  for (let provider = 0; provider < providers; provider += 1) {
    const scored = new Map<string, number>();
    eachOrigin(getHistories(histories, provider), requested, dayBegins, (found) =>
      scored.set(getKey(found), computeCrps(found)),
    );
    ofProviders.push(scored);
  }
  const compared = blendScores(first, last - first + 1, providers);
  const score = scorer(scores, scale);
  eachBlendedOrigin(histories, requested, dayBegins, (found) => {
    const ofEach = ofProviders.map((scored) => (found && scored.get(getKey(found))) ?? NaN);
    if (found === undefined || ofEach.some((crps) => Number.isNaN(crps))) scores.untrained += 1;
    else if (score(found)) addBlended(compared, found, [computeCrps(found), ...ofEach], scale);
  });
  return compared;
}
