import { z } from 'zod';
import { exactDifference, ofVariable, toHundredths, toTenThousandths } from '../../api/kinds.js';
import { count, differenceOrNull, numberOrNull } from '../../api/fields.js';
import { bounds, rate } from '../../api/records/rates.js';
import { sum } from '../../statistics/statistics.js';
import { HOUR_MS } from '../../statistics/time/calendar.js';
import { DailySums } from '../../statistics/uncertainty/daily-sums.js';
import { computeRates } from '../../statistics/uncertainty/rate-intervals.js';
import { DAILY_NAMES } from '../../variables/variables.js';
import type { DivergingCases } from './diverging-cases.js';
import { computeShareTrue, chooseSide, SIDES } from './share-true.js';

// The departures of a cell, and its other cases, as records: how often the provider came nearer, and by how much.

/** Halves of a hundredth of a °F in one. */
const PER_DEGREE = 200;

/** A provider's forecasts beside those of the others, on some cases. */
const beside = {
  nearer: count("Those where the provider's forecast came nearer to the observation than the others' median"),
  equal: count('Those where both came equally near'),
  farther: count('Those where it came less near'),
  nearer_rate: rate('nearer / (nearer + farther)'),
  ...bounds('nearer_rate'),
  mae: differenceOrNull("The provider's MAE on them, °F; null without any"),
  mae_of_others: differenceOrNull("MAE of the others' median on them, °F"),
  mae_difference: z
    .object({
      value: differenceOrNull('°F; null without cases'),
      low: differenceOrNull('°F; null with fewer than 14 days, or without spread'),
      high: differenceOrNull('°F; likewise'),
      std_error: differenceOrNull('Standard error, °F; likewise'),
      p_value: numberOrNull(
        'Probability of a difference at least this far from 0 if the two were equally good, to 0.0001; likewise',
        toTenThousandths,
      ),
    })
    .meta({ description: 'mae minus mae_of_others, with its interval; negative: the provider errs less' }),
};

const share = (description: string) => numberOrNull(`${description}, to 0.0001`, toTenThousandths);

export const shareTrue = {
  share_true: share(
    'How far the observation went from the others towards the provider: Σ d(y - c) / Σ d² of departures d from the median c of the others, and ' +
      'observations y: 1 the provider is right, 0 the others are, 0.4 it went 40% of the way; null without departures',
  ),
  share_true_low: share(
    'Lower bound of share_true, by a jackknife over weeks; null with departures in fewer than 6 weeks',
  ),
  share_true_high: share('Upper bound of it'),
};

const ofOneSign = z.object({ departures: count('Departures to this side'), ...beside, ...shareTrue });

/** The fields of a record after those of its cell. */
export const divergenceRecord = z.object({
  threshold: ofVariable(exactDifference(), DAILY_NAMES).meta({ description: 'The threshold, °F' }),
  days: count('Calendar days with one of these station days'),
  station_days: count(
    'Station days with a forecast of the provider and of another; without provider in group_by, of each provider',
  ),
  departures: count(
    'Those of them on which the provider departs: its forecast is at least the threshold from the median of the others',
  ),
  departure_rate: rate('departures / station_days'),
  ...bounds('departure_rate'),
  ...beside,
  ...shareTrue,
  verdict: z.enum(SIDES).meta({
    description:
      'Whom to believe in a departure, by the interval of share_true before rounding: between, if it is between 0 and 1; ' +
      'provider, if it is above 0.5; others, if it is below 0.5; cannot_tell; too_few_days, with fewer than 14 days with a ' +
      'departure; too_few_weeks, with fewer than 6 weeks with one, as always by month: there is no interval',
  }),
  warmer: ofOneSign.meta({ description: 'Of the departures those that are warmer than the others' }),
  colder: ofOneSign.meta({ description: 'Those that are colder' }),
  otherwise: z
    .object({ station_days: count('Station days without a departure'), ...beside })
    .meta({ description: 'The same on the other station days, for comparison' }),
  mean_lead_hours: numberOrNull(
    "Mean lead time of the provider's forecasts, hours; null without station days",
    toHundredths,
  ),
  mean_lead_hours_of_others: numberOrNull("Mean lead time of the others', hours", toHundredths),
});

/** The sums of some rows, of which there is any. */
function addedUp(rows: readonly DivergingCases[], days: number) {
  const total = (of: (row: DivergingCases) => number): number => sum(rows.map(of));
  const daily = DailySums.empty(0, days, ['decided', 'nearer_rate', 'abs_difference', 'product', 'square']);
  for (const row of rows) {
    daily.addAll(
      new DailySums(row.cases_by_day, {
        decided: row.decided_by_day,
        nearer_rate: row.nearer_by_day,
        abs_difference: row.abs_differences,
        product: row.products,
        square: row.squares,
      }),
    );
  }
  return {
    daily,
    lead_ms: total(({ lead_ms_sum }) => lead_ms_sum),
    others_lead_ms: total(({ others_lead_ms_sum }) => others_lead_ms_sum),
    abs_error: total(({ abs_error_sum }) => abs_error_sum),
    others_abs_error: total(({ others_abs_error_sum }) => others_abs_error_sum),
  };
}

type Sums = ReturnType<typeof addedUp>;

function computeBeside({ daily, abs_error, others_abs_error }: Sums, level: number) {
  const { count } = daily;
  const decided = daily.of('decided');
  const nearer = daily.total('nearer_rate');
  const { value, low, high, std_error } = daily.interval('abs_difference', 0, level, PER_DEGREE);
  return {
    nearer,
    equal: count - decided.count,
    farther: decided.count - nearer,
    ...decided.rates(level, 'nearer_rate'),
    mae: abs_error / count / PER_DEGREE,
    mae_of_others: others_abs_error / count / PER_DEGREE,
    mae_difference: { value, low, high, std_error, p_value: daily.test('abs_difference')?.p_value ?? null },
  };
}

/** share_true of sums by day. @param weekOf the week of a day, both from 0 */
export function shareFields(
  products: readonly number[],
  squares: readonly number[],
  weekOf: (day: number) => number,
  level: number,
) {
  const byWeek = (byDay: readonly number[]): number[] => {
    const weeks: number[] = [];
    byDay.forEach((each, day) => (weeks[weekOf(day)] = (weeks[weekOf(day)] ?? 0) + each));
    return weeks;
  };
  const found = computeShareTrue(byWeek(products), byWeek(squares), level);
  const fields = {
    share_true: found.value,
    share_true_low: found.low,
    share_true_high: found.high,
  };
  return { found, fields };
}

/**
 * The record of a cell, and its part that is preliminary.
 * @param rows one of each kind that it has @param threshold in the unit of the request
 */
export function computeDivergence(
  rows: readonly DivergingCases[],
  threshold: number,
  weekOf: (day: number) => number,
  level: number,
) {
  const of = (isWanted: (kind: DivergingCases['kind']) => boolean): Sums =>
    addedUp(
      rows.filter(({ kind }) => isWanted(kind)),
      rows[0]?.cases_by_day.length ?? 0,
    );
  const [all, departing, near] = [
    of(() => true),
    of((kind) => kind !== 'near'),
    of((kind) => kind === 'near'),
  ];
  const computeShare = ({ daily }: Sums) => shareFields(daily.sums.product, daily.sums.square, weekOf, level);
  const share = computeShare(departing);
  const ofSign = (kind: 'warmer' | 'colder') => {
    const sums = of((each) => each === kind);
    return { departures: sums.daily.count, ...computeBeside(sums, level), ...computeShare(sums).fields };
  };
  const { clusters } = all.daily;
  const departures = departing.daily.clusters;
  return {
    threshold,
    days: clusters.days,
    station_days: clusters.total,
    departures: departures.total,
    ...computeRates(clusters, { departure_rate: departing.daily.cases }, level),
    ...computeBeside(departing, level),
    ...share.fields,
    verdict: chooseSide(share.found, departures.days),
    warmer: ofSign('warmer'),
    colder: ofSign('colder'),
    otherwise: { station_days: near.daily.count, ...computeBeside(near, level) },
    mean_lead_hours: all.lead_ms / clusters.total / HOUR_MS,
    mean_lead_hours_of_others: all.others_lead_ms / clusters.total / HOUR_MS,
  };
}
