import { type CasesQuestion, latestPairs } from './cases.js';
import { type Load, type Metric, type Pair, roundedFraction, standing } from './oracle.js';
import { findPlace, Z } from './ties.js';

// How good distributions are, worked out a second time: plain loops over single cases. Temperatures are in hundredths of °F.

const LEVELS = Object.keys(Z).map(Number);

/** The counted forecast of a station day, with the quantile of each level that it has. */
interface DistributionCase extends Pair {
  levels: number[];
  quantiles: number[];
  /** From the lowest to the highest, not rounded. */
  width: number;
}

const keyOf = ({ provider = 'default', ...row }: Omit<Partial<Pair>, 'metric'>): string =>
  `${provider} ${row.station_id} ${row.target_date} ${row.issued_at}`;

/** The distributions that stand of a metric: a row without one says nothing of it. */
function distributionsOf(loads: readonly Load[], metric: Metric) {
  const rows = loads
    .flatMap(({ forecasts }) => forecasts)
    .map((row) => {
      const [sd, quantiles] = [row[`${metric}_sd`], row[`${metric}_quantiles`]];
      const marked = sd === undefined && quantiles === undefined ? undefined : 1;
      return { ...row, high: marked, low: marked, sd, quantiles };
    });
  return new Map(standing(rows, metric, keyOf).map((row) => [keyOf(row), row]));
}

/** Each station day with its latest forecast of the lead times, and what that says. */
function casesOf(loads: readonly Load[], question: CasesQuestion): (Pair & Partial<DistributionCase>)[] {
  const said = distributionsOf(loads, question.metric as Metric);
  return latestPairs(loads, question).map((pair) => {
    const found = said.get(keyOf(pair));
    if (found === undefined) return pair;
    const { sd, quantiles = LEVELS.map(() => undefined) } = found;
    const own = LEVELS.flatMap((level, at) => (quantiles[at] === undefined ? [] : [[level, quantiles[at]]]));
    const all =
      own.length > 0
        ? own
        : LEVELS.map((level) => [level, pair.forecast + halfUp((Z[level] ?? 0) * (sd ?? 0))]);
    const values = all.map(([, value]) => value!);
    const width = own.length > 0 ? values.at(-1)! - values[0]! : (Z[95]! - Z[5]!) * (sd ?? 0);
    return { ...pair, width, levels: all.map(([level]) => level!), quantiles: values };
  });
}

const halfUp = (value: number): number => Math.floor(value + 0.5);
const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const byText = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((each, place) => each !== b[place]);
  return at === -1 ? a.length - b.length : a[at]! - (b[at] ?? -1);
};

/** The cases with the most common levels, and how many there are of all. */
function mostCommonCases(loads: readonly Load[], question: CasesQuestion) {
  const all = casesOf(loads, question);
  const withOne = all.filter((each): each is DistributionCase => each.levels !== undefined);
  const sets = new Map<string, DistributionCase[]>();
  for (const each of [...withOne].sort((a, b) => byText(a.levels, b.levels)))
    sets.set(each.levels.join(), [...(sets.get(each.levels.join()) ?? []), each]);
  let best: DistributionCase[] = [];
  for (const set of sets.values()) {
    const isLonger = set.length === best.length && set[0]!.levels.length > best[0]!.levels.length;
    if (set.length > best.length || isLonger) best = set;
  }
  return { all: all.length, withOne: withOne.length, cases: best };
}

/** Divisible by every difference of two levels, so that shares of a case are whole. */
const WHOLE = 5 * 232_792_560;

/** The loss of a quantile, 0.0001 °F. */
const loss = (quantile: number, actual: number, level: number): number =>
  actual > quantile ? level * (actual - quantile) : (100 - level) * (quantile - actual);

const millionths = (losses: number, count: number): number => Math.round((100 * losses) / count) / 1e6 + 0;

/** distribution over fewer than 14 days, of one provider in one group. */
export function distributionRecordOf(loads: readonly Load[], question: CasesQuestion) {
  const { all, withOne, cases } = mostCommonCases(loads, question);
  const metadata = {
    total_records: cases.length,
    cases_without_distribution: all - withOne,
    cases_of_other_levels: withOne - cases.length,
  };
  const n = cases.length;
  if (n === 0) return { data: [], ...metadata };
  const { levels } = cases[0]!;
  // The PIT of a case is uniform between two levels; WHOLE of it is one case.
  const places = cases.map((each) => findPlace(each, each.actual).below);
  const below = levels.map((_, at) => total(places.map((shares) => WHOLE * shares[at]!)));
  const share = (part: number): number =>
    Math.round(100 * roundedFraction(BigInt(Math.round(100 * part)), BigInt(n * WHOLE))) / 1e4;
  const losses = levels.map((level, at) =>
    total(cases.map(({ actual, quantiles }) => loss(quantiles[at]!, actual, level))),
  );
  const mean = total(cases.map(({ error }) => error)) / n;
  const squares = total(cases.map(({ error }) => (error - mean) ** 2));
  const [first, last] = [levels[0]!, levels.at(-1)!];
  const variances = total(
    cases.map(({ quantiles }) => ((quantiles.at(-1)! - quantiles[0]!) / (Z[last]! - Z[first]!)) ** 2),
  );
  const dressed = levels.map((level) => halfUp(Z[level]! * Math.sqrt(squares / n) - mean));
  const rival = total(
    cases.flatMap(({ forecast, actual }) =>
      levels.map((level, at) => loss(forecast + dressed[at]!, actual, level)),
    ),
  );
  const crps = (losses: number): number => millionths(2 * losses, n * levels.length);
  const none = { low: null, high: null };
  return {
    data: [
      {
        provider: question.provider,
        cases: n,
        days: new Set(cases.map(({ target_date }) => target_date)).size,
        levels,
        coverage: levels.map((level, at) => ({
          level,
          observed: share(below[at]! * 100),
          ...none,
          verdict: null,
          pinball: millionths(losses[at]!, n),
        })),
        intervals: [50, 80, 90].flatMap((nominal) => {
          const [from, to] = [
            levels.indexOf((100 - nominal) / 2),
            levels.indexOf((100 + nominal) / 2),
          ] as const;
          if (from < 0 || to < 0) return [];
          const widths = total(cases.map(({ quantiles }) => quantiles[to]! - quantiles[from]!));
          const covered = share(100 * (below[to]! - below[from]!));
          const mean_width = roundedFraction(BigInt(widths), BigInt(n));
          return [{ nominal, covered, covered_low: null, covered_high: null, mean_width }];
        }),
        pit: {
          counts: [...below, n * WHOLE].map((each, at) =>
            roundedFraction(BigInt(Math.round(100 * (each - (below[at - 1] ?? 0)))), BigInt(WHOLE)),
          ),
          expected: [...levels, 100].map(
            (each, at) => Math.round((n * (each - (levels[at - 1] ?? 0))) / 10) / 10,
          ),
        },
        shape: null,
        crps_from_quantiles: crps(total(losses)),
        spread_to_error:
          squares === 0 || first === last ? null : Math.round(100 * Math.sqrt(variances / squares)) / 100,
        against: {
          normal: {
            cases: n,
            crps_from_quantiles: crps(rival),
            difference: { value: crps(total(losses) - rival), ...none, p_value: null },
          },
        },
      },
    ],
    ...metadata,
  };
}
