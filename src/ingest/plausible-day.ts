// Whether the values of a station day can be true, by the other values of that day and by the days around it. Figures are of
// the forecasts that the National Weather Service made for 164 cities in 2021, of MOS for five from 2004 on, and of
// Open-Meteo up to 15 days ahead: in all 520,000 values. docs/feeds.md has the rule in words.

/** A high, or a low, that a feed or the store has of a station day. */
export interface DayValue {
  value_f: number;
  /** Blank for an observation, else the provider. */
  provider: string;
  /** From the issuance to the target date; 0 for an observation. */
  lead_days: number;
  /** The number of its row in staging; 0 when it is stored. */
  row_number: number;
  /** Its file is in °C. */
  is_celsius: boolean;
}

/** One metric of a station day. */
export interface ValuesOfDay {
  /** Days since 1970. */
  day: number;
  values: readonly DayValue[];
  /** Only of one that is judged: what the days before it and after it had. */
  around?: { before_f: readonly number[]; after_f: readonly number[] } | undefined;
}

/** A staged value that is hardly true, and the range of those that it is compared with. */
export interface Doubt {
  value: DayValue;
  day: number;
  /** Other values of its day, or the days around it. */
  by: 'day' | 'days around';
  lowest_f: number;
  highest_f: number;
}

/** Values of a day that are within TOGETHER_F, ascending. */
type Group = readonly [DayValue, ...DayValue[]];

/** Forecasts of a day or two ahead, and what came, are hardly ever farther from each other. */
const TOGETHER_F = 12;

/** Among 104,000 values of MOS and what came, 5 are this far from every other value of their day. */
export const APART_F = 18;

/** No value but 5 of 520,000 is farther from the others of its day and from those of the days beside it. */
export const FAR_APART_F = 25;

/** A forecast of a week ahead misses by more: Open-Meteo by 29 °F once in 27,000. */
const FAR_APART_OF_LONG_LEAD_F = 35;
const LONG_LEAD_DAYS = 5;

/** Days before and after one, with which it is compared; farther ones have another season. */
export const DAYS_AROUND = 7;

/** So many of them are needed on each side; of one side alone, they are farther off: cold comes overnight. */
const LEAST_AROUND = 3;
const FAR_FROM_ONE_SIDE_F = 40;

/** So many days with the same two units are no chance. */
const LEAST_RECURRING = 3;

/** @param days those of one station and metric that are judged, and those beside them, by date @returns the values that are hardly true */
export function doubts(days: readonly ValuesOfDay[]): Doubt[] {
  const converted = new Map<string, number>();
  for (const { values } of days) {
    for (const one of providersOf(values)) {
      const [own, others] = [values.filter(isOf(one)), values.filter((value) => !isOf(one)(value))];
      if (isInOtherUnit(own, others)) converted.set(one, (converted.get(one) ?? 0) + 1);
    }
  }
  const isConverted = (group: Group): boolean =>
    group.every(({ provider }) => (converted.get(provider) ?? 0) >= LEAST_RECURRING);
  return days.flatMap((day, index) => {
    const beside = [days[index - 1], days[index + 1]]
      .filter((other) => other !== undefined && Math.abs(other.day - day.day) === 1)
      .flatMap((other) => other?.values ?? []);
    return doubtsOf(day, beside, isConverted);
  });
}

function doubtsOf(
  { day, values, around }: ValuesOfDay,
  beside: readonly DayValue[],
  isConverted: (group: Group) => boolean,
): Doubt[] {
  if (around === undefined) return [];
  const usual = usualRange([...around.before_f, ...around.after_f]);
  const groups = groupsOf(values);
  const [first, ...rest] = groups;
  if (first === undefined) return [];
  if (rest.length === 0) {
    const isBetween = Math.min(around.before_f.length, around.after_f.length) >= LEAST_AROUND;
    const far_f = isBetween ? FAR_APART_F : FAR_FROM_ONE_SIDE_F;
    if (usual === undefined || providersOf(first).length > 1 || distance(first, usual) < far_f) return [];
    return staged(first).map((value) => ({ value, day, by: 'days around', ...bounds(usual) }));
  }
  const compare = (one: Group, other: Group): number => likelihood(one, other, usual, isConverted);
  const main = rest.reduce((best, next) => (compare(next, best) > 0 ? next : best), first);
  const isSure = groups.every((group) => group === main || compare(main, group) > 0);
  const far = values.filter((value) => isFar(value, distance([value], range(main)), beside, usual));
  const told = isSure || far.length === 0 ? far : values;
  // Where nothing decides, those of the main group are told as well, with the others.
  const [others] = groupsOf(far);
  return staged(told).map((value) => ({
    ...{ value, day, by: 'day' },
    ...bounds(range(others !== undefined && main.includes(value) ? others : main)),
  }));
}

/** Whether a value so far from the others of its day is hardly true. */
function isFar(
  value: DayValue,
  apart_f: number,
  beside: readonly DayValue[],
  usual: Range | undefined,
): boolean {
  if (apart_f < APART_F) return false;
  const nearest = (others: readonly DayValue[]): number =>
    Math.min(...others.map((other) => Math.abs(other.value_f - value.value_f)));
  if (value.provider === '') {
    // A low reported in the evening is often that of the night before; a front comes before midnight, or after.
    if (nearest(beside.filter(({ provider }) => provider === '')) <= 3) return false;
    if (apart_f < 30 && nearest(beside) <= 5) return false;
  }
  const isUnusual = usual !== undefined && distance([value], usual) >= APART_F;
  if (value.lead_days > LONG_LEAD_DAYS)
    return apart_f >= FAR_APART_OF_LONG_LEAD_F || (apart_f >= FAR_APART_F && isUnusual);
  return apart_f >= FAR_APART_F || nearest(beside) >= APART_F / 2;
}

/** Above 0 where a group of a day is likelier to be true than another one, 0 where nothing decides. */
function likelihood(
  one: Group,
  other: Group,
  usual: Range | undefined,
  isConverted: (group: Group) => boolean,
): number {
  const by = (measure: (group: Group, against: Group) => number): number =>
    measure(one, other) - measure(other, one);
  const unusual_f = usual === undefined ? 0 : by((group) => -distance(group, usual));
  const rows = by((group) => group.length);
  return (
    (Math.abs(unusual_f) < 2 * APART_F ? 0 : unusual_f) ||
    by((group) => providersOf(group).length) ||
    by((group) => (isConverted(group) ? 0 : 1)) ||
    (Math.abs(unusual_f) < APART_F / 2 ? 0 : unusual_f) ||
    (Math.abs(rows) < 2 ? 0 : rows) ||
    by((group, against) => (isInOtherUnit(group, against) ? 0 : 1)) ||
    rows ||
    by((group) => (group.some(isOf('')) ? 1 : 0))
  );
}

/** Whether values that are far from others are near them in the other unit than their file says. */
const isInOtherUnit = (values: readonly DayValue[], others: readonly DayValue[]): boolean => {
  const [middle, target] = [median(values.map(inOtherUnit)), median(others.map(({ value_f }) => value_f))];
  return (
    Math.abs(middle - target) < APART_F / 2 &&
    Math.abs(median(values.map(({ value_f }) => value_f)) - target) >= APART_F
  );
};

/** The value in °F if it is in °C in a column of °F, or the reverse. */
export const inOtherUnit = ({ value_f, is_celsius }: Pick<DayValue, 'value_f' | 'is_celsius'>): number =>
  is_celsius ? (value_f - 32) / 1.8 : value_f * 1.8 + 32;

type Range = readonly [lowest_f: number, highest_f: number];

const bounds = ([lowest_f, highest_f]: Range) => ({ lowest_f, highest_f });

const range = (group: Group): Range => [group[0].value_f, group.at(-1)?.value_f ?? NaN];

/** How far the nearest of a group is from a range. */
const distance = (group: Group, [lowest, highest]: Range): number => {
  const [low, high] = range(group);
  return Math.max(low - highest, lowest - high, 0);
};

const providersOf = (values: readonly DayValue[]): string[] => [
  ...new Set(values.map(({ provider }) => provider)),
];

const isOf =
  (provider: string) =>
  (value: DayValue): boolean =>
    value.provider === provider;

const staged = (values: readonly DayValue[]): DayValue[] => values.filter(({ row_number }) => row_number > 0);

/** Each value with those up to TOGETHER_F above it, unless all of these are in the group before. */
function groupsOf(values: readonly DayValue[]): Group[] {
  const sorted = [...values].sort((a, b) => a.value_f - b.value_f);
  let end = 0;
  return sorted.flatMap((lowest, begin): Group[] => {
    const rest = sorted.slice(begin + 1).filter(({ value_f }) => value_f - lowest.value_f <= TOGETHER_F);
    if (begin + rest.length < end) return [];
    end = begin + rest.length + 1;
    return [[lowest, ...rest]];
  });
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

/** From the second lowest to the second highest of what days had: one of them may be wrong itself. */
function usualRange(days_f: readonly number[]): Range | undefined {
  if (days_f.length < 2 * LEAST_AROUND) return undefined;
  const sorted = [...days_f].sort((a, b) => a - b);
  return [sorted[1] ?? NaN, sorted.at(-2) ?? NaN];
}
