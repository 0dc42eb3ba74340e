import { type CasesQuestion, latestPairs } from './cases.js';
import {
  DERIVED,
  isDerived,
  type Load,
  type Metric,
  type NormalRow,
  type ObservationRow,
  outranks,
  plusDays,
  rate,
  reportsOf,
  roundedFraction,
  standing,
  type Variable,
} from './oracle.js';
import { plainStandardError, T_95 } from './uncertainty.js';

// Providers compared and skill, worked out a second time: loops over station days, from the definitions. Temperatures are in
// hundredths of °F.

type Numbers = Record<string, unknown>;

/**
 * The ratio of sums over counts of days, at 95 %; the unit is that of the sums.
 * @param days with what they hold: by default a day without a count has no case, and where `cases` is given, it says so
 */
export function plainMean(days: readonly { n: number; sum: number; cases?: number }[]) {
  const isDay = ({ n, cases = n }: (typeof days)[number]): boolean => cases > 0;
  const filled = days.filter(isDay).length;
  const spanned = days.slice(days.findIndex(isDay), days.findLastIndex(isDay) + 1);
  const total = (of: (day: { n: number; sum: number }) => number): number =>
    spanned.reduce((sum, day) => sum + of(day), 0);
  const n = total((day) => day.n);
  const value = total((day) => day.sum) / n;
  const freedom = Math.floor(0.4 * Math.cbrt(Math.min(filled, n ** 2 / total((day) => day.n ** 2))) ** 2);
  const deviations = spanned.map((day) => (isDay(day) ? day.sum - value * day.n : 0));
  const std_error = plainStandardError(deviations, freedom) / n;
  const isKnown = filled >= 14 && freedom >= 2 && std_error > 1e-10;
  const t = T_95[freedom] ?? NaN;
  return {
    value,
    freedom: filled >= 14 && freedom >= 2 ? freedom : 0,
    interval: isKnown ? { low: value - t * std_error, high: value + t * std_error, std_error } : undefined,
  };
}

/** Groups that the records of a scorecard may be of. */
export const CELL_GROUPS = [
  'lead_time_bucket',
  'month',
  'season',
  'country',
  'climate_zone',
  'station',
] as const;
export type CellGroup = (typeof CELL_GROUPS)[number];

/** p adjusted (Benjamini and Hochberg) by the definition: of a p, the least of what it and the larger ones ask of it. */
export function plainAdjusted(pValues: readonly number[], p: number): number {
  const n = pValues.length;
  const upTo = (most: number): number => pValues.filter((each) => each <= most).length;
  return Math.min(...pValues.filter((each) => each >= p).map((each) => (each * n) / upTo(each)));
}

// ---- Skill ----------------------------------------------------------------------------------------------------------

export type PlainReference = 'persistence' | 'climatology';

/** The normal of a metric for a station's day, after some loads; hundredths. */
function normalsOf(
  loads: readonly Load[],
  metric: Metric,
): (station: string, date: string) => number | undefined {
  const rows = loads.flatMap(({ normals = [] }) => normals);
  const keyOf = (row: NormalRow): string => `${row.station_id} ${row.month_day}`;
  const normals = new Map(standing(rows, metric, keyOf).map((row) => [keyOf(row), row[metric]]));
  return (station, date) => normals.get(`${station} ${date.slice(5)}`);
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** Days since the year 0, if all years were of 365 days. */
function placeInYears(date: string): number {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  return 365 * year + (month === 2 && day === 29 ? 59.5 : (DAYS_BEFORE_MONTH[month - 1] ?? 0) + day);
}

const daysBetween = (from: string, to: string): number =>
  (Date.parse(to) - Date.parse(from)) / (24 * 3_600_000);

/** The reports of a station that were known at a moment, by date; hundredths. */
function knownValues(
  reports: readonly ObservationRow[],
  metric: Metric,
  moment: number,
): Map<string, number | undefined> {
  const known = new Map<string, ObservationRow>();
  for (const report of reports) {
    if (report.observed_at > moment) continue;
    if (outranks(report, known.get(report.date))) known.set(report.date, report);
  }
  return new Map([...known].map(([date, report]) => [date, report[metric]]));
}

/** A value that a function of metrics gives, of the variable: derived, where it has a high and a low. */
function ofVariable(variable: Variable, valueOf: (metric: Metric) => number | undefined): number | undefined {
  if (!isDerived(variable)) return valueOf(variable);
  const [high, low] = [valueOf('high'), valueOf('low')];
  return high === undefined || low === undefined ? undefined : DERIVED[variable](high, low);
}

/** The forecast of a reference for a day, from what its station had reported at a moment; hundredths. */
function plainReference(
  name: PlainReference,
  known: ReadonlyMap<string, number>,
  target: string,
): { value: number; lag: number | null } | undefined {
  const mean = (values: readonly number[]): number =>
    Math.round(
      100 * roundedFraction(BigInt(values.reduce((sum, value) => sum + value, 0)), BigInt(values.length)),
    );
  if (name === 'climatology') {
    const near = [...known].flatMap(([date, value]) => {
      const apart = placeInYears(target) - placeInYears(date);
      const years = Math.round(apart / 365);
      return years >= 1 && years <= 30 && Math.abs(apart - 365 * years) <= 7 ? [{ years, value }] : [];
    });
    const enough = near.length >= 30 && new Set(near.map(({ years }) => years)).size >= 3;
    return enough ? { value: mean(near.map(({ value }) => value)), lag: null } : undefined;
  }
  return [...known]
    .map(([date, value]) => ({ lag: daysBetween(date, target), value }))
    .filter(({ lag }) => lag >= 1 && lag <= 60)
    .sort((a, b) => a.lag - b.lag)[0];
}

/** The record of skill of the latest forecast of each station day among the lead times. */
export function skillOf(loads: readonly Load[], question: CasesQuestion, name: PlainReference): Numbers {
  const { metric, first, last } = question;
  const reports = { high: reportsOf(loads, 'high'), low: reportsOf(loads, 'low') };
  const normals = { high: normalsOf(loads, 'high'), low: normalsOf(loads, 'low') };
  const cases = latestPairs(loads, question).map((pair) => {
    const { station_id, target_date, issued_at } = pair;
    const own = (each: Metric) => reports[each].filter((report) => report.station_id === station_id);
    const normal =
      name === 'climatology'
        ? ofVariable(metric, (each) => normals[each](station_id, target_date))
        : undefined;
    const said = {
      high: knownValues(own('high'), 'high', issued_at),
      low: knownValues(own('low'), 'low', issued_at),
    };
    const known = new Map(
      [...new Set([...said.high.keys(), ...said.low.keys()])].flatMap((date) => {
        const value = ofVariable(metric, (each) => said[each].get(date));
        return value === undefined ? [] : [[date, value] as const];
      }),
    );
    const reference =
      normal === undefined ? plainReference(name, known, target_date) : { value: normal, lag: null };
    return { ...pair, normal, lag: reference?.lag, off: reference && reference.value - pair.actual };
  });
  const with_ = cases.flatMap(({ off, ...each }) => (off === undefined ? [] : [{ ...each, off }]));
  const n = with_.length;
  const total = (of: (each: (typeof with_)[number]) => number): number =>
    with_.reduce((sum, each) => sum + of(each), 0);
  const mae = (sum: number): number | null => (n === 0 ? null : roundedFraction(BigInt(sum), BigInt(n)));
  const score = (size: (error: number) => number): Numbers => {
    const days: { n: number; sum: number; cases: number }[] = [];
    for (let date = first; date <= last; date = plusDays(date, 1)) {
      const of = with_.filter(({ target_date }) => target_date === date);
      days.push({
        n: of.reduce((sum, { off }) => sum + size(off), 0),
        sum: of.reduce((sum, { error }) => sum + size(error), 0),
        cases: of.length,
      });
    }
    if (days.every((day) => day.n === 0)) return { value: null, low: null, high: null };
    // The ratio cannot be negative: its interval is one of its logarithm.
    const { value, interval } = plainMean(days);
    const reach = interval === undefined || value === 0 ? undefined : (interval.high - value) / value;
    const shown = (ratio: number): number => Math.round((1 - ratio) * 10_000) / 10_000;
    return {
      value: shown(value),
      low: reach === undefined ? null : shown(value * Math.exp(reach)),
      high: reach === undefined ? null : shown(value / Math.exp(reach)),
    };
  };
  const lags = with_.flatMap(({ lag }) => (typeof lag === 'number' ? [lag] : []));
  return {
    reference: name,
    ...(name === 'climatology' && {
      cases_with_normals: with_.filter(({ normal }) => normal !== undefined).length,
    }),
    cases: n,
    cases_without_reference: cases.length - n,
    days: new Set(with_.map(({ target_date }) => target_date)).size,
    mae: mae(total(({ error }) => Math.abs(error))),
    reference_mae: mae(total(({ off }) => Math.abs(off))),
    skill_mae: score(Math.abs),
    msess: score((error) => error ** 2),
    within_3_rate: rate(with_.filter(({ error }) => Math.abs(error) <= 300).length, n),
    reference_within_3_rate: rate(with_.filter(({ off }) => Math.abs(off) <= 300).length, n),
    mean_reference_lag_days:
      lags.length === 0 ? null : Number((lags.reduce((sum, lag) => sum + lag, 0) / n + 1e-9).toFixed(2)),
  };
}
