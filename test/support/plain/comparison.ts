import { type Case, type CasesQuestion, latestIn, latestPairs } from './cases.js';
import {
  type Bucket,
  FAHRENHEIT,
  type Load,
  type Metric,
  type NormalRow,
  type ObservationRow,
  outranks,
  plusDays,
  rate,
  reportsOf,
  roundedFraction,
  type Scale,
  standing,
  type StationRow,
} from './oracle.js';
import { plainStandardError, T_95 } from './uncertainty.js';

// Providers compared and skill, worked out a second time: loops over station days, from the definitions. Temperatures are in
// hundredths of °F.

type Numbers = Record<string, unknown>;

/** A question about two providers. */
export type PairQuestion = Omit<CasesQuestion, 'provider'>;

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

/** A provider beside its reference, without the p of tests. */
export function pairOf(
  cases: readonly Case[],
  question: PairQuestion,
  reference: string,
  provider: string,
  [times, by]: Scale = FAHRENHEIT,
): Numbers {
  const days: { n: number; abs: number; square: number }[] = [];
  const [own, others, squares]: [number[], number[], number[]] = [[], [], []];
  let [leads, referenceLeads, wins, losses, providerOnly, referenceOnly] = [0, 0, 0, 0, 0, 0];
  let identical = true;
  const absolute: number[] = [];
  for (let date = question.first; date <= question.last; date = plusDays(date, 1)) {
    const day = { n: 0, abs: 0, square: 0 };
    days.push(day);
    for (const station of new Set(cases.map(({ station_id }) => station_id))) {
      if (question.station !== undefined && question.station !== station) continue;
      const of = (name: string) => {
        const found = cases.find(
          (each) =>
            each.metric === question.metric &&
            each.provider === name &&
            each.station_id === station &&
            each.target_date === date,
        );
        const latest = found && latestIn(found, question.buckets);
        return found && latest && { ...latest, error: latest.forecast - found.actual };
      };
      const [a, b] = [of(reference), of(provider)];
      if (a === undefined && b !== undefined) providerOnly += 1;
      if (a !== undefined && b === undefined) referenceOnly += 1;
      if (a === undefined || b === undefined) continue;
      const difference = Math.abs(b.error) - Math.abs(a.error);
      day.n += 1;
      day.abs += difference;
      day.square += b.error ** 2 - a.error ** 2;
      absolute.push(difference);
      squares.push(b.error ** 2 - a.error ** 2);
      own.push(b.error);
      others.push(a.error);
      leads += b.lead_ms;
      referenceLeads += a.lead_ms;
      if (difference < 0) wins += 1;
      if (difference > 0) losses += 1;
      if (a.forecast !== b.forecast) identical = false;
    }
  }
  const n = own.length;
  const exact = (values: readonly number[], power = 1): number | null =>
    n === 0
      ? null
      : roundedFraction(
          values.reduce((sum, value) => sum + BigInt(value), 0n) * times ** BigInt(power),
          BigInt(n) * (100n * by) ** BigInt(power - 1) * by,
        );
  const unit = Number(times) / Number(by);
  const root = (values: readonly number[]): number | null =>
    n === 0
      ? null
      : Math.round(unit * Math.sqrt(values.reduce((sum, value) => sum + value ** 2, 0) / n)) / 100;
  const difference = (values: readonly number[], of: 'abs' | 'square', power: number): Numbers => {
    const { interval, value: mean } = plainMean(days.map((day) => ({ n: day.n, sum: day[of] })));
    const value = exact(values, power);
    if (interval === undefined) return { value, low: null, high: null, std_error: null, n_eff: null };
    const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / n;
    const size = Math.min(n, Math.max(1, variance / interval.std_error ** 2));
    const shown = (each: number): number => Number((each * (unit / 100) ** power).toFixed(2));
    return {
      value,
      low: shown(interval.low),
      high: shown(interval.high),
      std_error: shown(interval.std_error),
      n_eff: Number(size.toFixed(1)),
    };
  };
  const decided = wins + losses;
  const { value: difference_, interval } = plainMean(days.map((day) => ({ n: day.n, sum: day.abs })));
  const isShown = interval !== undefined && Math.sign(interval.low) === Math.sign(interval.high);
  const hours = (ms: number): number | null =>
    n === 0 ? null : roundedFraction(BigInt(ms), BigInt(n) * 36_000n);
  return {
    provider,
    reference,
    verdict: n === 0 ? 'no_common_days' : !isShown ? 'not_significant' : difference_ < 0 ? 'better' : 'worse',
    hint: ageOf(provider, reference, hours(leads), hours(referenceLeads)),
    identical: n > 0 && identical,
    cases: n,
    days: days.filter((day) => day.n > 0).length,
    mae_difference: difference(absolute, 'abs', 1),
    mse_difference: difference(squares, 'square', 2),
    mean_error: exact(own),
    reference_mean_error: exact(others),
    mae: exact(own.map(Math.abs)),
    reference_mae: exact(others.map(Math.abs)),
    rmse: root(own),
    reference_rmse: root(others),
    mean_lead_hours: hours(leads),
    reference_mean_lead_hours: hours(referenceLeads),
    wins,
    losses,
    ties: n - decided,
    win_rate: rate(wins, decided),
    dm_degrees_of_freedom: n === 0 ? 0 : plainMean(days.map((day) => ({ n: day.n, sum: day.abs }))).freedom,
    provider_only_cases: providerOnly,
    reference_only_cases: referenceOnly,
  };
}

/** The words about mean leads that are 3 h apart or more, as the answer shows them. */
function ageOf(provider: string, reference: string, own: number | null, other: number | null): string | null {
  if (own === null || other === null || Math.abs(Math.round(own * 100) - Math.round(other * 100)) < 300)
    return null;
  const [one, two] = [own, other].map((lead) => lead.toFixed(1));
  return `On average ${provider} was issued ${one} h before the day, ${reference} ${two} h: part of the difference is that forecasts of ${own > other ? provider : reference} are older, not worse`;
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

const SEASONS = ['DJF', 'MAM', 'JJA', 'SON'];
const SEASON_OF_MONTH = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0];

/** The records of a scorecard, without the p of tests: each cell is a comparison of its own cases. */
export function scorecardOf(
  cases: readonly Case[],
  stations: ReadonlyMap<string, StationRow>,
  question: PairQuestion,
  groups: readonly CellGroup[],
  reference: string,
  providers: readonly string[],
): Numbers[] {
  const fieldOf = (group: CellGroup, { station_id, target_date }: Case, bucket: Bucket): string => {
    const { country = 'US', climate_zone = 'Cfa' } = stations.get(station_id) ?? {};
    const season = SEASONS[SEASON_OF_MONTH[Number(target_date.slice(5, 7)) - 1]!]!;
    const month = `${target_date.slice(0, 7)}-01`;
    return { lead_time_bucket: bucket, month, season, country, climate_zone, station: station_id }[group];
  };
  const cells = new Map<string, { fields: string[]; buckets: readonly Bucket[]; own: Case[] }>();
  for (const each of cases) {
    for (const bucket of groups.includes('lead_time_bucket')
      ? question.buckets
      : question.buckets.slice(0, 1)) {
      const fields = groups.map((group) => fieldOf(group, each, bucket));
      const buckets = groups.includes('lead_time_bucket') ? [bucket] : question.buckets;
      const cell = cells.get(fields.join('|')) ?? { fields, buckets, own: [] };
      cells.set(fields.join('|'), cell);
      cell.own.push(each);
    }
  }
  const place = (group: CellGroup, field: string): number | string =>
    group === 'season'
      ? SEASONS.indexOf(field)
      : group === 'lead_time_bucket'
        ? question.buckets.findIndex((bucket) => bucket === field)
        : field;
  const byFields = (a: readonly string[], b: readonly string[]): number => {
    const at = groups.findIndex((_, i) => a[i] !== b[i]);
    return at === -1 ? 0 : place(groups[at]!, a[at]!) < place(groups[at]!, b[at]!) ? -1 : 1;
  };
  return [...cells.values()]
    .sort((a, b) => byFields(a.fields, b.fields))
    .flatMap(({ fields, buckets, own }) =>
      providers.map((provider): Numbers => {
        const ofCell = Object.fromEntries(
          groups.map((group, at) => [group === 'station' ? 'station_id' : group, fields[at]!]),
        );
        const { station_id } = ofCell;
        return {
          ...ofCell,
          ...(station_id !== undefined && { city_name: stations.get(station_id)?.city_name }),
          ...pairOf(own, { ...question, buckets }, reference, provider),
        };
      }),
    )
    .filter((record) =>
      ['cases', 'provider_only_cases', 'reference_only_cases'].some((name) => record[name] !== 0),
    );
}

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

/** The forecast of a reference for a day, from what its station had reported at a moment; hundredths. */
function plainReference(
  name: PlainReference,
  reports: readonly ObservationRow[],
  metric: Metric,
  target: string,
  moment: number,
): { value: number; lag: number | null } | undefined {
  const known = new Map<string, ObservationRow>();
  for (const report of reports) {
    if (report.observed_at > moment) continue;
    if (outranks(report, known.get(report.date))) known.set(report.date, report);
  }
  const valueOf = (report: ObservationRow): number => report[metric] ?? NaN;
  const mean = (values: readonly number[]): number =>
    Math.round(
      100 * roundedFraction(BigInt(values.reduce((sum, value) => sum + value, 0)), BigInt(values.length)),
    );
  if (name === 'climatology') {
    const near = [...known.values()].flatMap((report) => {
      const apart = placeInYears(target) - placeInYears(report.date);
      const years = Math.round(apart / 365);
      return years >= 1 && years <= 30 && Math.abs(apart - 365 * years) <= 7
        ? [{ years, value: valueOf(report) }]
        : [];
    });
    const enough = near.length >= 30 && new Set(near.map(({ years }) => years)).size >= 3;
    return enough ? { value: mean(near.map(({ value }) => value)), lag: null } : undefined;
  }
  return [...known.values()]
    .map((report) => ({ lag: daysBetween(report.date, target), value: valueOf(report) }))
    .filter(({ lag }) => lag >= 1 && lag <= 60)
    .sort((a, b) => a.lag - b.lag)[0];
}

/** The record of skill of the latest forecast of each station day among the lead times. */
export function skillOf(loads: readonly Load[], question: CasesQuestion, name: PlainReference): Numbers {
  const { metric, first, last } = question;
  const reports = reportsOf(loads, metric);
  const normalOf = normalsOf(loads, metric);
  const cases = latestPairs(loads, question).map((pair) => {
    const own = reports.filter(({ station_id }) => station_id === pair.station_id);
    const normal = name === 'climatology' ? normalOf(pair.station_id, pair.target_date) : undefined;
    const reference =
      normal === undefined
        ? plainReference(name, own, metric, pair.target_date, pair.issued_at)
        : { value: normal, lag: null };
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
