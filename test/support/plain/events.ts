import { type Case, type CasesQuestion, coverageOf, type Latest, latestOf } from './cases.js';
import { LEDGER_BUCKETS, plusDays, rate } from './oracle.js';
import { plainRate } from './rate.js';
import { T_95 } from './uncertainty.js';

// The scores of events worked out a second time, straight from their definitions: loops over single cases.

export interface PlainEvent {
  threshold_f: number;
  direction: 'at_or_above' | 'at_or_below';
  /** Whether a temperature, hundredths of a °F, is one. */
  isEvent: (hundredths: number) => boolean;
}

type Window = Pick<CasesQuestion, 'first' | 'last'>;

/** How a case came out: the letter that books give it. */
type Outcome = 'a' | 'b' | 'c' | 'd';

/** The event of temperatures in hundredths of a °F. */
export const eventOf = (threshold: number, direction: PlainEvent['direction']): PlainEvent => ({
  threshold_f: threshold / 100,
  direction,
  isEvent: (hundredths) => (direction === 'at_or_above' ? hundredths >= threshold : hundredths <= threshold),
});

/** One record, at 95 %. */
function scoresOf(cases: readonly Latest[], { isEvent, ...event }: PlainEvent, window: Window) {
  const outcomes = cases.map(({ target_date, forecast, actual }) => {
    const told: Record<string, Outcome> = { truetrue: 'a', truefalse: 'b', falsetrue: 'c', falsefalse: 'd' };
    return { target_date, outcome: told[`${isEvent(forecast)}${isEvent(actual)}`] ?? 'd' };
  });
  const counted = (of: typeof outcomes, ...letters: Outcome[]): number =>
    of.filter(({ outcome }) => letters.includes(outcome)).length;
  const [a, b, c, d] = (['a', 'b', 'c', 'd'] as const).map((letter) => counted(outcomes, letter)) as [
    number,
    number,
    number,
    number,
  ];
  const dates = outcomes.map(({ target_date }) => target_date).sort();

  /** A share with its bounds, over the days from the first to the last with any of the whole. */
  const shareOf = (name: string, part: Outcome[], whole: Outcome[]): Record<string, number | null> => {
    const own = dates.filter((date) =>
      outcomes.some(({ target_date, outcome }) => target_date === date && whole.includes(outcome)),
    );
    const days = [];
    for (let date = own[0] ?? ''; date !== '' && date <= (own.at(-1) ?? ''); date = plusDays(date, 1)) {
      const ofDay = outcomes.filter(({ target_date }) => target_date === date);
      days.push({ n: counted(ofDay, ...whole), hits: counted(ofDay, ...part) });
    }
    const { low, high } = plainRate(days);
    const value = rate(counted(outcomes, ...part), counted(outcomes, ...whole));
    return { [name]: value, [`${name}_low`]: low, [`${name}_high`]: high };
  };

  /** A score that is no share, by the jackknife over weeks. */
  const scoreOf = (
    name: string,
    of: (...table: number[]) => [number, number],
    [least, most]: [number, number],
  ): Record<string, number | null> => {
    const [part, whole] = of(a, b, c, d);
    const without = weeksOf(window)
      .map((isIn) => outcomes.filter(({ target_date }) => !isIn(target_date)))
      .filter((rest) => rest.length < outcomes.length)
      .map((rest) => of(...(['a', 'b', 'c', 'd'] as const).map((letter) => counted(rest, letter))));
    const values = without.map(([top, bottom]) => top / bottom);
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    const squares = values.reduce((sum, each) => sum + (each - mean) ** 2, 0);
    const error = Math.sqrt((squares * (values.length - 1)) / values.length);
    const reach = error * (T_95[values.length - 1] ?? NaN);
    const isKnown = values.length >= 6 && without.every(([, bottom]) => bottom !== 0) && error > 1e-9;
    const bound = (value: number): number =>
      Math.round(Math.min(most, Math.max(least, value)) * 1e4) / 1e4 + 0;
    return {
      [name]: rate(part, whole),
      [`${name}_low`]: isKnown ? bound(part / whole - reach) : null,
      [`${name}_high`]: isKnown ? bound(part / whole + reach) : null,
    };
  };

  return {
    ...event,
    ...{ cases: cases.length, hits: a, false_alarms: b, misses: c, correct_negatives: d },
    ...shareOf('base_rate', ['a', 'c'], ['a', 'b', 'c', 'd']),
    ...shareOf('forecast_rate', ['a', 'b'], ['a', 'b', 'c', 'd']),
    ...shareOf('pod', ['a'], ['a', 'c']),
    ...shareOf('far', ['b'], ['a', 'b']),
    ...shareOf('pofd', ['b'], ['b', 'd']),
    ...shareOf('success_ratio', ['a'], ['a', 'b']),
    ...shareOf('csi', ['a'], ['a', 'b', 'c']),
    ...scoreOf('frequency_bias', (a = 0, b = 0, c = 0) => [a + b, a + c], [0, Infinity]),
    ...scoreOf(
      'ets',
      (a = 0, b = 0, c = 0, d = 0) => {
        const n = a + b + c + d;
        const timesByChance = (a + b) * (a + c); // n times as many
        return [n * a - timesByChance, n * (a + b + c) - timesByChance];
      },
      [-1 / 3, 1],
    ),
    // As the share of the cases right by other than chance.
    ...scoreOf(
      'hss',
      (a = 0, b = 0, c = 0, d = 0) => {
        const n = a + b + c + d;
        const timesByChance = (a + b) * (a + c) + (c + d) * (b + d);
        return [n * (a + d) - timesByChance, n * n - timesByChance];
      },
      [-1, 1],
    ),
    sedi: sediOf(b / (b + d), a / (a + c)),
  };
}

function sediOf(falseAlarmRate: number, hitRate: number): number | null {
  const logs = [falseAlarmRate, hitRate, 1 - falseAlarmRate, 1 - hitRate].map((each) => Math.log(each));
  if (!logs.every(Number.isFinite)) return null;
  const [f = 0, h = 0, notF = 0, notH = 0] = logs;
  return Math.round(((f - h - notF + notH) / (f + h + notF + notH)) * 1e4) / 1e4 + 0;
}

/** Which dates belong to each week of a window: the whole weeks from Monday on; days beside them, to the nearest. */
function weeksOf({ first, last }: Window): ((date: string) => boolean)[] {
  const mondays: string[] = [];
  for (let date = first; plusDays(date, 6) <= last; date = plusDays(date, 1))
    if (new Date(date).getUTCDay() === 1) mondays.push(date);
  if (mondays.length === 0) return [() => true];
  return mondays.map(
    (monday, at) => (date) =>
      (at === 0 || date >= monday) && (at === mondays.length - 1 || date < plusDays(monday, 7)),
  );
}

/** The cases of each group, by what its records say of it. */
const GROUPS = {
  none: (cases: readonly Case[], question: CasesQuestion) => [{ of: {}, days: latestOf(cases, question) }],
  lead_time_bucket: (cases: readonly Case[], question: CasesQuestion) =>
    LEDGER_BUCKETS.filter((bucket) => question.buckets.includes(bucket)).map((bucket) => ({
      of: { lead_time_bucket: bucket },
      days: latestOf(cases, { ...question, buckets: [bucket] }),
    })),
  station: (cases: readonly Case[], question: CasesQuestion) =>
    [...new Set(cases.map(({ station_id }) => station_id))].sort().map((station_id) => ({
      of: { station_id },
      days: latestOf(cases, question).filter((each) => each.station_id === station_id),
    })),
  month: (cases: readonly Case[], question: CasesQuestion) =>
    [...new Set(cases.map(({ target_date }) => target_date.slice(0, 7)))].sort().map((month) => ({
      of: { month: `${month}-01` },
      days: latestOf(cases, question).filter(({ target_date }) => target_date.startsWith(month)),
    })),
};

/** events, its records without `city_name`. */
export function eventsOf(
  cases: readonly Case[],
  question: CasesQuestion,
  events: readonly PlainEvent[],
  group_by: keyof typeof GROUPS,
) {
  const groups = GROUPS[group_by](cases, question).filter(({ days }) => days.length > 0);
  const days = groups.flatMap((group) => group.days);
  return {
    data: groups.flatMap(({ of, days }) =>
      events.map((event): Record<string, unknown> => ({ ...of, ...scoresOf(days, event, question) })),
    ),
    total_records: days.length,
    verification_coverage: coverageOf(days),
  };
}
