import { z } from 'zod';
import { caseColumns } from '../queries/case-columns.js';
import { DailySums } from '../statistics/uncertainty/daily-sums.js';
import { rate, rates } from '../api/records/rates.js';
import { exactTemperature, ofVariable, toHundredths } from '../api/kinds.js';
import { meanAbsoluteError, meanError, sum } from '../statistics/statistics.js';
import { getClasses, getScale, getUnitText, toSteps, type Unit, wholeDegree } from '../variables/units.js';
import type { VariableName } from '../variables/variables.js';
import { accuracyEndpoint } from '../api/accuracy.js';
import { computeBasis } from '../api/accuracy-metadata.js';
import { CASES_GROUPS, TOTAL_CASES } from '../api/cases.js';
import { count, differenceOrNull } from '../api/fields.js';
import { ownParameters } from '../api/groups.js';
import { integer } from '../api/parameters.js';
import { issuedHours, leadTimesFrom } from '../api/params/common.js';
import { stationInPath } from '../api/params/station-params.js';

const fahrenheit = (description: string) => differenceOrNull(`${description}, °F; null without such days`);

const record = z
  .object({
    temperature_range: z.string().meta({
      description: 'The bounds of the range, with their unit',
      example: '74-76°F',
    }),
    range_low: ofVariable(exactTemperature()).meta({ description: 'First whole number of the range, °F' }),
    range_high: ofVariable(exactTemperature())
      .nullable()
      .meta({ description: 'First one above it, °F; null of the highest class of amounts' }),
    times_actual_in_range: count('Days whose actual is in the range'),
    times_forecast_in_range: count('Days whose forecast is in the range'),
    times_both_in_range: count('Days with both in it'),
    ...rates({ accuracy_when_forecast_in_range: 'times_both_in_range of times_forecast_in_range' }),
    frequency_pct: toHundredths().meta({
      description: 'times_actual_in_range of all days, 0 to 100, to 0.01',
    }),
    detection_rate: rate('times_both_in_range of times_actual_in_range'),
    mean_error_when_forecast_in_range: fahrenheit('Mean error of the days whose forecast is in the range'),
    mae_when_forecast_in_range: fahrenheit('Mean absolute error of the days whose forecast is in the range'),
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
    'forecast: if you select by the actual, forecasts always seem drawn to the middle. Amounts are in classes instead, ' +
    'from 0 (a trace as well) on: these are narrow where most days are.',
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
  totalRecords: TOTAL_CASES,

  recompute: {
    sql: new URL('by-bucket.recompute.sql', import.meta.url),
    values({ own, metric, unit }) {
      const classes = getClasses(metric, unit);
      const { write } = makeRanges(metric, unit, own);
      return {
        ...own,
        classes,
        class_texts: classes?.map(write),
        class_steps: classes && toClassSteps(classes, metric, unit),
      };
    },
  },

  async handle({ own, level, unit, ...params }, { query }) {
    const [{ counts, days, forecasts, actuals, preliminary } = NO_CASES] = await query(
      caseColumns(params, 'once'),
    );
    const { findLow, findHigh, write } = makeRanges(params.metric, unit, own);
    // By range, the cases with the forecast in it, and those with the actual in it.
    const ranges = new Map<number, Record<'forecast' | 'actual', Sample>>();
    const getSample = (hundredths: number, which: 'forecast' | 'actual'): Sample => {
      const empty = (): Sample =>
        DailySums.empty(0, params.window.days_analyzed, [IN_BOTH, 'error', 'abs_error']);
      const found = ranges.get(findLow(hundredths)) ?? { forecast: empty(), actual: empty() };
      ranges.set(findLow(hundredths), found);
      return found[which];
    };
    for (const [at, count] of counts.entries()) {
      const [forecast, actual] = [forecasts[at]!, actuals[at]!];
      const error = forecast - actual;
      const both = Number(findLow(forecast) === findLow(actual));
      const values = { [IN_BOTH]: both, error, abs_error: Math.abs(error) };
      getSample(forecast, 'forecast').add(days[at]!, values, count);
      getSample(actual, 'actual').add(days[at]!, values, count);
    }
    const total = sum(counts);
    const data = [...ranges]
      .filter(([, { forecast, actual }]) => forecast.count + actual.count > 0)
      .sort(([a], [b]) => a - b)
      .map(([low, { forecast, actual }]) => ({
        temperature_range: write(low),
        range_low: low,
        range_high: findHigh(low),
        times_actual_in_range: actual.count,
        times_forecast_in_range: forecast.count,
        times_both_in_range: forecast.total(IN_BOTH),
        ...forecast.rates(level, IN_BOTH),
        frequency_pct: (100 * actual.count) / total,
        detection_rate: actual.total(IN_BOTH) / actual.count,
        mean_error_when_forecast_in_range: meanError(forecast.total('error'), forecast.count),
        mae_when_forecast_in_range: meanAbsoluteError(forecast.total('abs_error'), forecast.count),
      }));
    return { data, basis: computeBasis(total, sum(preliminary)) };
  },
});

/** The first value of each class, steps: the nearest one, as 10 mm are 0.39 inch in the store. */
const toClassSteps = (classes: readonly number[], metric: VariableName, unit: Unit): number[] =>
  classes.map((first) => Math.round(toSteps(100 * first, getScale(unit, metric))));

/** The ranges of values: the first number of that of a value in steps, the first above it, and its text. */
function makeRanges(
  metric: VariableName,
  unit: Unit,
  { range_width: width, range_offset: offset }: Record<'range_width' | 'range_offset', number>,
) {
  const [text, scale, classes] = [
    getUnitText(metric, unit),
    getScale(unit, metric),
    getClasses(metric, unit),
  ];
  if (classes === undefined)
    return {
      findLow: (steps: number) => Math.floor((wholeDegree(steps, scale) - offset) / width) * width + offset,
      findHigh: (low: number) => low + width,
      write: (low: number) => `${low}-${low + width}${text}`,
    };
  const firsts = toClassSteps(classes, metric, unit);
  const findHigh = (low: number): number | null => classes[classes.indexOf(low) + 1] ?? null;
  const write = (low: number): string => {
    const high = findHigh(low);
    if (low === 0) return `0 ${text} or a trace`;
    return high === null ? `${low} ${text} or more` : `${low}-${high} ${text}`;
  };
  const findLow = (steps: number): number => classes[firsts.findLastIndex((first) => first <= steps)]!;
  return { findLow, findHigh, write };
}

/** The rate of the cases with the forecast in a range that have the actual in it, too. */
const IN_BOTH = 'accuracy_when_forecast_in_range';

type Sample = DailySums<typeof IN_BOTH | 'error' | 'abs_error'>;

const NO_CASES = { counts: [], days: [], forecasts: [], actuals: [], preliminary: [] };
