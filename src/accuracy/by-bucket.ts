import { z } from 'zod';
import type { RowsQuestion } from '../relations/conditions.js';
import { latestForecasts } from '../relations/latest-forecasts.js';
import { dayOfWindow } from '../relations/sums.js';
import { sql } from '../sql.js';
import { dayClusters } from '../statistics/uncertainty/intervals.js';
import { bounds, rate } from '../api/records/rates.js';
import { ratesOf } from '../statistics/uncertainty/rates.js';
import { exactTemperature, toHundredths } from '../api/kinds.js';
import { sum } from '../statistics/statistics.js';
import { SCALES, wholeDegree } from '../statistics/units.js';
import { accuracyEndpoint, basisOf } from '../api/accuracy.js';
import { CASES_GROUPS, TOTAL_CASES } from '../api/cases.js';
import { count, differenceOrNull } from '../api/fields.js';
import { ownParameters } from '../api/groups.js';
import { integer } from '../api/parameters.js';
import { issuedHours, leadTimesFrom } from '../api/questions/common.js';
import { stationInPath } from '../api/questions/stations.js';

/** The station's cases, each with its day of the window. */
const casesOf = (question: RowsQuestion) => sql.rows(row)`
  SELECT
    ${dayOfWindow(question.window)} AS day, forecast_hundredths, actual_hundredths,
    sum(preliminary_case_count) AS preliminary
  FROM ${latestForecasts(question)}
  GROUP BY target_date, forecast_hundredths, actual_hundredths
  HAVING sum(case_count) != 0
  ORDER BY day`;

const row = z.object({
  day: z.number(),
  forecast_hundredths: z.number(),
  actual_hundredths: z.number(),
  preliminary: z.number(),
});

type Case = z.infer<typeof row>;

const fahrenheit = (description: string) => differenceOrNull(`${description}, °F; null without such days`);

const record = z
  .object({
    temperature_range: z.string().meta({
      description: 'range_low_f to range_high_f, which is the first degree above it',
      example: '74-76°F',
    }),
    range_low_f: exactTemperature().meta({ description: 'First degree of the range, °F' }),
    range_high_f: exactTemperature().meta({ description: 'First degree above it, °F' }),
    times_actual_in_range: count('Days whose actual is in the range'),
    times_forecast_in_range: count('Days whose forecast is in the range'),
    times_both_in_range: count('Days with both in it'),
    accuracy_when_forecast_in_range: rate('times_both_in_range of times_forecast_in_range'),
    frequency_pct: toHundredths().meta({
      description: 'times_actual_in_range of all days, 0 to 100, to 0.01',
    }),
    detection_rate: rate('times_both_in_range of times_actual_in_range'),
    mean_error_when_forecast_in_range: fahrenheit('Mean error of the days whose forecast is in the range'),
    mae_when_forecast_in_range: fahrenheit('Mean absolute error of the days whose forecast is in the range'),
    ...bounds('accuracy_when_forecast_in_range'),
  })
  .meta({ id: 'BucketAccuracy' });

/** GET /api/v1/accuracy/by-bucket/:station_id (D32). */
export const byBucket = accuracyEndpoint({
  paths: ['/accuracy/by-bucket/:station_id'],
  operationId: 'getAccuracyByBucket',
  summary: 'Accuracy by temperature range',
  description:
    'How often forecast and actual, rounded half up, fell into each range of whole degrees at one station. A day ' +
    'counts once, with the latest forecast of the lead times asked for. To judge forecasts, select days by their ' +
    'forecast: if you select by the actual, forecasts always seem drawn to the middle.',
  example: { station: 'KORD', query: 'date_from=2026-09-01&date_to=2026-09-30', keep: 3 },
  groups: {
    station: stationInPath,
    leadTimes: leadTimesFrom,
    issuedHours,
    ...CASES_GROUPS,
    own: ownParameters({
      range_width: integer(1, 50, 2, 'Width of a range, in whole degrees'),
      range_offset: integer(
        0,
        49,
        0,
        'Degree that the ranges are aligned to: one begins here, others at whole widths from it; 1 for odd degrees',
      ),
    }),
  },
  record,
  many: true,
  totalRecords: TOTAL_CASES,

  async answer({ own, level, unit, ...question }, { query }) {
    const scale = SCALES[unit];
    const cases = await query(casesOf(question));
    const { range_width: width, range_offset: offset } = own;
    const rangeOf = (hundredths: number): number =>
      Math.floor((wholeDegree(hundredths, scale) - offset) / width) * width + offset;
    const lows = new Set(
      cases.flatMap((each) => [rangeOf(each.forecast_hundredths), rangeOf(each.actual_hundredths)]),
    );
    return {
      data: [...lows]
        .sort((a, b) => a - b)
        .map((low) => {
          const isIn = (hundredths: number): boolean => rangeOf(hundredths) === low;
          const forecast = cases.filter((each) => isIn(each.forecast_hundredths));
          const actual = cases.filter((each) => isIn(each.actual_hundredths));
          const both = forecast.filter((each) => isIn(each.actual_hundredths));
          const accuracy = { accuracy_when_forecast_in_range: byDay(both, question.window.days_analyzed) };
          return {
            temperature_range: `${low}-${low + width}°${scale.letter}`,
            range_low_f: low,
            range_high_f: low + width,
            times_actual_in_range: actual.length,
            times_forecast_in_range: forecast.length,
            times_both_in_range: both.length,
            frequency_pct: (100 * actual.length) / cases.length,
            detection_rate: both.length / actual.length,
            mean_error_when_forecast_in_range: meanOf(forecast.map(errorOf)),
            mae_when_forecast_in_range: meanOf(forecast.map((each) => Math.abs(errorOf(each)))),
            ...ratesOf(dayClusters(byDay(forecast, question.window.days_analyzed)), accuracy, level),
          };
        }),
      basis: basisOf(cases.length, sum(cases.map(({ preliminary }) => preliminary))),
    };
  },
});

const errorOf = (each: Case): number => each.forecast_hundredths - each.actual_hundredths;

/** The mean of hundredths, °F. */
function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length / 100;
}

/** The cases of each day of the window. */
function byDay(cases: readonly Case[], length: number): number[] {
  const counts = new Array<number>(length).fill(0);
  for (const { day } of cases) counts[day] = (counts[day] ?? 0) + 1;
  return counts;
}
