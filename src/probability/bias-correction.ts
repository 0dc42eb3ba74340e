import { readDayBegins } from '../api/day-begins.js';
import { z } from 'zod';
import { addCorrected, computeBias } from './training/bias.js';
import { DailySums } from '../statistics/uncertainty/daily-sums.js';
import { getHistories } from './training/history.js';
import { eachOrigin } from './training/forecast-origins.js';
import { mixErrors, quantile } from './training/predictive.js';
import {
  wholeBelow,
  computeFraction,
  makeDegreeCounts,
  degreeCountsOfList,
} from './training/degree-counts.js';
import type { Window } from '../statistics/time/window.js';
import { leadRange, MIN_NETWORK_DAYS, TRAINING_WINDOW } from './training/training.js';
import { dayNumber } from '../statistics/time/calendar.js';
import { LEAD_TIME_BUCKETS } from '../statistics/time/lead-time.js';
import type { Scale } from '../variables/declarations.js';
import { SCALES, type Unit } from '../variables/units.js';
import { difference, exactTemperature, temperature } from '../api/kinds.js';
import { accuracyEndpoint } from '../api/accuracy.js';
import type { Sources } from '../api/endpoint.js';
import { unverified } from '../api/accuracy-metadata.js';
import { TOTAL_CASES } from '../api/cases.js';
import { count, numberOrNull, STATION_OR_ALL } from '../api/fields.js';
import { forecastDate, forecastTemp, oneLead, oneLeadTime, training } from './probability-params.js';
import { hintOfEnded } from '../api/params/present.js';
import { metric, level } from '../api/params/common.js';
import { stationOrAll, station } from '../api/params/station-params.js';
import { getLeadRange, leadRangeRecord } from './lead-of-forecast.js';
import { outOfSample, computeOutOfSample } from './out-of-sample.js';
import { trainFor, readArchive, withinReach } from './training/archive.js';
import { HINTS, hinted, describeTraining } from './training-record.js';

const orNull = (degrees: () => z.ZodNumber, description: string) =>
  numberOrNull(`${description}, °F; null without training`, degrees);

/** Measured, of a station day that is read or scored. */
const WORK_MS = 0.0036;

const record = z
  .object({
    ...STATION_OR_ALL,
    forecast_for_date: z.iso.date(),
    lead_time_bucket: z.enum(LEAD_TIME_BUCKETS).meta({ description: 'Lead time of the training forecasts' }),
    lead_range: leadRangeRecord,
    forecast_f: temperature().meta({ description: 'The forecast of the request, °F' }),
    bias_f: orNull(
      difference,
      "Mean error of such forecasts: the station's days, and 40 more like the network's",
    ),
    corrected_forecast_f: orNull(temperature, 'forecast_f - bias_f'),
    expected_low_f: orNull(exactTemperature, 'The 10% quantile of /probability, a whole degree'),
    expected_high_f: orNull(exactTemperature, 'Its 90% quantile'),
    std_dev_f: orNull(difference, "Population standard deviation of the station's errors"),
    sample_size: count("The station's training days"),
    network_days: count("The network's training days"),
    training_from: z.iso.date().meta({ description: 'First possible training day' }),
    training_to: z.iso.date().meta({ description: 'Last possible training day' }),
    out_of_sample: outOfSample,
    level: z.number().meta({ description: 'Confidence level of the interval', example: 0.95 }),
  })
  .meta({ id: 'BiasCorrection' });

type PastParams = Parameters<typeof readArchive>[0] &
  Parameters<typeof readDayBegins>[0] & {
    window: Window;
    training: { window: number };
    station: { station_id: string } | undefined;
    knownAt: number | undefined;
    unit: Unit;
  };

/** The errors of the forecasts of a window, as they were and with the same correction, each from what was known by then. */
async function correctPast(
  params: PastParams,
  range: ReturnType<typeof leadRange>,
  sources: Pick<Sources, 'query'>,
) {
  const { window, training, station } = params;
  const days = { first: dayNumber(window.period_start), last: dayNumber(window.period_end) };
  const [{ histories }, dayBegins] = await Promise.all([
    readArchive(params, range, days, sources),
    readDayBegins(params, days, sources),
  ]);
  const errors = () => DailySums.empty(days.first, window.days_analyzed, ['mae']);
  const [raw, corrected] = [errors(), errors()];
  const requested = {
    ...range,
    window: training.window,
    ...days,
    scale: SCALES[params.unit],
    station_id: station?.station_id,
    known_ms: params.knownAt,
  };
  eachOrigin(getHistories(histories, 0), requested, dayBegins, (found) =>
    addCorrected(raw, corrected, found),
  );
  return { raw, corrected };
}

/** The quantiles of what a forecast is followed by, whole degrees; null of too small a training sample. */
function predictQuantiles(
  { stationErrors, network }: Awaited<ReturnType<typeof trainFor>>,
  forecastTemp: number,
  scale: Scale,
): (share: number) => number | null {
  if (network.days < MIN_NETWORK_DAYS) return () => null;
  const phase = computeFraction(forecastTemp, scale);
  const probabilities = mixErrors({
    station: degreeCountsOfList(stationErrors, stationErrors.length, phase, scale),
    network: makeDegreeCounts(network, phase, scale),
  });
  return (share) => wholeBelow(forecastTemp, scale) + quantile(probabilities, share);
}

/** GET /api/v1/accuracy/bias-correction (D36): a forecast less its usual error, and whether that ever helped. */
export const biasCorrection = accuracyEndpoint({
  paths: ['/accuracy/bias-correction'],
  operationId: 'getBiasCorrection',
  summary: 'Bias correction of a forecast',
  description:
    'Corrects a forecast by the mean error of the last forecasts at the same lead time. Tries the same correction ' +
    'on the past forecasts of the window, each from what had been reported when it was issued. ' +
    'out_of_sample.verdict says whether the correction improves the forecasts; often it does not.',
  example: {
    query:
      'city=Chicago&forecast_temp=75&forecast_for_date=2026-10-01&date_from=2026-09-01&date_to=2026-09-30',
  },
  groups: {
    metric,
    station,
    forecastDate,
    forecastTemp,
    leadTimes: oneLeadTime,
    training,
    level,
  },
  record,
  isSingle: true,
  totalRecords: TOTAL_CASES,
  metadata: HINTS,

  estimatedCpuMs: ({ window, training }, { stations }) =>
    stations.all.length * (window.days_analyzed + (training.window ?? TRAINING_WINDOW.usual)) * WORK_MS,

  async handle(params, { query }) {
    const { station, window, level, forecastTemp, forecastDate } = params;
    const scale = SCALES[params.unit];
    withinReach(window);
    const lead = oneLead(params.leadTimes);
    const range = leadRange(lead.bucket, lead.lead_ms);
    const trained = await trainFor(params, range, dayNumber(forecastDate.date), { query });
    const training = { ...params.training, window: trained.window };
    const { raw, corrected } = await correctPast({ ...params, training }, range, { query });
    const { stationErrors, network } = trained;
    const bias = computeBias(stationErrors, stationErrors.length, network);
    const expected = predictQuantiles(trained, forecastTemp, scale);
    const { from, to, station_days, network_days, std_dev_f } = describeTraining(trained);
    const { station_id, city_name } = stationOrAll(station);
    const ended = forecastDate.hasEnded ? [hintOfEnded(forecastDate.date, station_id)] : [];
    return {
      data: {
        station_id,
        city_name,
        forecast_for_date: forecastDate.date,
        lead_time_bucket: lead.bucket,
        lead_range: getLeadRange(lead),
        forecast_f: forecastTemp / 100,
        bias_f: bias === undefined ? null : bias / 100,
        corrected_forecast_f: bias === undefined ? null : (forecastTemp - bias) / 100,
        expected_low_f: expected(0.1),
        expected_high_f: expected(0.9),
        std_dev_f,
        sample_size: station_days,
        network_days,
        training_from: from,
        training_to: to,
        out_of_sample: computeOutOfSample(raw, corrected, level, scale),
        level,
      },
      metadata: hinted(ended, trained.window, params),
      basis: unverified(raw.count),
    };
  },
});
