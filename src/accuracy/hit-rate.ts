import { z } from 'zod';
import { accuracyEndpoint } from '../api/accuracy.js';
import { basisOfDays } from '../api/accuracy-metadata.js';
import { CASES_GROUPS, TOTAL_CASES } from '../api/cases.js';
import { count, numberOrNull, STATION } from '../api/fields.js';
import { toHundredths } from '../api/kinds.js';
import { issuedHours, leadTimesFrom } from '../api/params/common.js';
import { separateStations } from '../api/params/station-params.js';
import { rates } from '../api/records/rates.js';
import { caseColumns } from '../queries/case-columns.js';
import type { RowOf } from '../queries/sql.js';
import { daysWithPairs } from '../statistics/by-day.js';
import { HOUR_MS } from '../statistics/time/calendar.js';
import { DailySums } from '../statistics/uncertainty/daily-sums.js';
import type { Scale } from '../variables/declarations.js';
import { getScale, wholeDegree } from '../variables/units.js';

const RATES = ['exact_rate', 'within_1_rate', 'within_2_rate', 'within_3_rate', 'misses_10_rate'] as const;

type Hits = DailySums<(typeof RATES)[number] | 'lead_ms' | 'preliminary'>;

const noHits = (days: number): Hits => DailySums.empty(0, days, [...RATES, 'lead_ms', 'preliminary']);

/** The cases of a station (D32). A hit is within 1 degree. */
function hitsOfCases(cases: RowOf<typeof caseColumns>, days: number, scale: Scale): Hits {
  const sample = noHits(days);
  for (const [at, count] of cases.counts.entries()) {
    const [forecast, actual] = [cases.forecasts[at]!, cases.actuals[at]!];
    // Whole numbers: 125 kt are 231.5 km/h, which a quotient of binary fractions would miss.
    const [off, one] = [Math.abs(forecast - actual) * scale.over, 100 * scale.times];
    const values = {
      exact_rate: Number(wholeDegree(forecast, scale) === wholeDegree(actual, scale)),
      within_1_rate: Number(off <= one),
      within_2_rate: Number(off <= 2 * one),
      within_3_rate: Number(off <= 3 * one),
      misses_10_rate: Number(off >= 10 * one),
      lead_ms: cases.leads[at]!,
      preliminary: Math.abs(cases.preliminary[at]!),
    };
    sample.add(cases.days[at]!, values, count);
  }
  return sample;
}

/** How often the forecasts of some cases were right. */
const toRecord = (sample: Hits, level: number) => ({
  total_days: sample.count,
  exact_hits: sample.total('exact_rate'),
  within_1: sample.total('within_1_rate'),
  within_2: sample.total('within_2_rate'),
  within_3: sample.total('within_3_rate'),
  misses_10: sample.total('misses_10_rate'),
  ...sample.rates(level, ...RATES),
  mean_lead_hours: sample.total('lead_ms') / sample.count / HOUR_MS,
});

/** Measured, of a day of a station. */
const WORK_MS = 0.0008;

const within = (degrees: number) =>
  count(`Days whose forecast was off by at most ${degrees}, in degrees of the request's unit`);

/** The hits of some cases. */
const hits = z.object({
  total_days: count('Days of a station with a forecast of these lead times and an observation'),
  exact_hits: count('Days whose forecast and actual are the same whole degree, rounded half up'),
  within_1: within(1),
  within_2: within(2),
  within_3: within(3),
  misses_10: count("Days whose forecast was off by 10 or more, in degrees of the request's unit"),
  ...rates({
    exact_rate: 'exact_hits of total_days',
    within_1_rate: 'within_1 of total_days',
    within_2_rate: 'within_2 of total_days',
    within_3_rate: 'within_3 of total_days',
    misses_10_rate: 'misses_10 of total_days',
  }),
  mean_lead_hours: numberOrNull('Mean lead time of the forecasts, hours; null without days', toHundredths),
});

/** GET /api/v1/accuracy/hit-rate (D32). */
export const hitRate = accuracyEndpoint({
  paths: ['/accuracy/hit-rate'],
  operationId: 'getHitRate',
  summary: 'Hit rate',
  description:
    'How often the forecast was right. Each day counts once, with the latest forecast of the lead times asked for. ' +
    'One record per station with such a day, by station_id; metadata.network counts all stations together.',
  example: { query: 'date_from=2026-09-01&date_to=2026-09-30', keep: 2 },
  groups: {
    ...CASES_GROUPS,
    station: separateStations,
    leadTimes: leadTimesFrom,
    issuedHours,
  },
  record: z
    .object({
      ...STATION,
      ...hits.shape,
    })
    .meta({ id: 'HitRate' }),
  totalRecords: TOTAL_CASES,
  metadata: {
    network: hits.meta({ id: 'HitRateTotals', description: 'The days of all records together' }),
  },
  hasCoverage: true,

  estimatedCpuMs: ({ window, station }, { stations }) =>
    (station?.length ?? stations.all.length) * window.days_analyzed * WORK_MS,

  recompute: {
    sql: new URL('hit-rate.recompute.sql', import.meta.url),
    needsStations: true,
  },

  async handle(params, { query, directory }) {
    const { window, level } = params;
    const rows = await query(caseColumns(params, 'once'), 'long');
    const network = noHits(window.days_analyzed);
    const data = rows.map((row) => {
      const sample = hitsOfCases(row, window.days_analyzed, getScale(params.unit, params.metric));
      network.addAll(sample);
      const { station_id } = row;
      return { station_id, city_name: directory.stations.cityName(station_id), ...toRecord(sample, level) };
    });
    const preliminaryDays = daysWithPairs(network.sums.preliminary);
    return {
      data,
      metadata: { network: toRecord(network, level) },
      basis: basisOfDays(network.count, network.clusters.days, preliminaryDays),
    };
  },
});
