import { MIN_MEMBERS, quantileOfMembers } from '../../statistics/quantiles.js';
import { studentT } from '../../statistics/uncertainty/student-t.js';
import type { Column } from '../../feeds/columns.js';
import { DISTRIBUTIONS, FEEDS, getColumn } from '../../feeds/feeds.js';
import { type ColumnOfFile, getPresentColumns } from '../../feeds/file-columns.js';
import { Rejection } from '../../feeds/values.js';
import type { FeedRecord } from './read.js';
import { type Cells, type FeedRow, makeReader, type RowFacts } from './feed-rows.js';

// The members of an ensemble, a row each, as one forecast: their mean, and the quantiles of all levels.

/** The largest ensembles have some 7,000 members. More belong to several forecasts that have one key by mistake. */
const MAX_MEMBERS = 10_000;

/** No weather puts a member so far from all others of its forecast, °F. */
const MAX_GAP_F = 60;
/** From here on a member is an outlier if the others are close together: one member in a million varies so much. */
const MIN_GAP_F = 30;
const LEVEL = 1 - 1e-6;

/** A member that has one value in so many forecasts of a station, while the means of these are so far apart, is frozen. */
const MIN_FROZEN = 10;
const FROZEN_MEANS_F = 10;

/** The units of a °F in which members are kept: a hundredth of a °C is 9 of them, so that their means and quantiles are exact. */
const UNITS_PER_F = 500;

/** The rows of one forecast so far. */
interface Ensemble {
  key: Cells;
  /** Its last row. */
  last: Pick<FeedRecord, 'line' | 'text'>;
  /** The line of each member, by its number in the file. */
  lines: Map<number, number>;
  /** By temperature, then by line, in units; NaN for a blank. */
  members: number[][];
}

/** An outlier among the members of a forecast, and the range of the others, °F. */
export interface OutlierMember {
  column: string;
  line: number;
  value_f: number;
  lowest_f: number;
  highest_f: number;
}

/** A forecast of members: its last row, its cells or why it cannot be used, and its outliers. */
interface MembersForecast {
  last: Ensemble['last'];
  result: Cells | Rejection;
  outliers: OutlierMember[];
}

/** The values of a member at a station so far, in units. */
interface Course {
  column: string;
  member: number;
  station_id: string;
  /** NaN once it has had another value. */
  value: number;
  forecasts: number;
  /** The line of its first forecast. */
  line: number;
  lowest_mean: number;
  highest_mean: number;
}

/** Collects the rows of a file of members: some 60 bytes a row, because members of one forecast may be far apart. */
export class Members {
  readonly #ensembles = new Map<string, Ensemble>();
  readonly #numbers = new Map<string, number>();
  /** By station, provider and column, then by the number of the member. */
  readonly #courses = new Map<string, Course[]>();
  #latest: Ensemble | undefined;
  readonly #readRow: (row: FeedRow) => Cells;
  readonly #temperatures: readonly ColumnOfFile[];

  /** @param names the columns of the file */
  constructor(facts: RowFacts, names: readonly string[]) {
    const read = makeReader('forecasts', names, true);
    this.#readRow = (row) => read(row, { ...facts, warn: () => {} });
    this.#temperatures = getPresentColumns(COLUMNS, names);
  }

  /** @throws Rejection of a row that is no member, or whose member the forecast has already */
  add(row: FeedRow, last: Ensemble['last']): true {
    if (!row.member) throw new Rejection('missing member', 'name the member, such as 01');
    const cells = this.#readRow(row);
    if (cells.withdrawn !== undefined)
      throw new Rejection('withdrawn member', 'withdraw the forecast with --forecasts');
    const ensemble = this.#getEnsemble(cells, last);
    const { lines, members } = ensemble;
    const name = MEMBER.read(row.member, MEMBER.name);
    const number = this.#getNumber(name);
    if (lines.has(number)) throw new Rejection('member given twice', `member=${name}`);
    ensemble.last = last;
    if (lines.size > MAX_MEMBERS) return true; // the forecast is rejected as a whole
    lines.set(number, last.line);
    for (const [at, column] of this.#temperatures.entries()) members[at]!.push(getUnits(row, column));
    return true;
  }

  /** The rows of a forecast so far. Members of one forecast mostly follow each other. */
  #getEnsemble(key: Cells, last: Ensemble['last']): Ensemble {
    const latest = this.#latest;
    if (latest !== undefined && KEY.every((column) => key[column] === latest.key[column])) return latest;
    const text = KEY.map((column) => key[column]).join();
    let ensemble = this.#ensembles.get(text);
    if (ensemble === undefined) {
      ensemble = { key, last, lines: new Map(), members: COLUMNS.map(() => []) };
      this.#ensembles.set(text, ensemble);
    }
    return (this.#latest = ensemble);
  }

  #getNumber(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) this.#numbers.set(name, (number = this.#numbers.size));
    return number;
  }

  *forecasts(): Generator<MembersForecast> {
    for (const { key, last, lines, members } of this.#ensembles.values()) {
      const sorted = members.map(sortMembers);
      const small = sorted.findIndex(({ length }) => length > 0 && length < MIN_MEMBERS);
      if (lines.size > MAX_MEMBERS)
        yield rejected(
          last,
          `more than ${MAX_MEMBERS} members`,
          'give each forecast an issued_at of its own',
        );
      else if (small !== -1) {
        const detail = `${COLUMNS[small]!.name} has ${sorted[small]!.length}`;
        yield rejected(last, `fewer than ${MIN_MEMBERS} members`, detail);
      } else {
        for (const [at, { name }] of COLUMNS.entries())
          this.#follow(key, name, members[at]!, sorted[at]!, lines);
        const outliers = COLUMNS.flatMap((column, at) =>
          getOutliers(column, members[at]!, sorted[at]!, lines),
        );
        yield {
          last,
          result: {
            ...Object.fromEntries(KEY.map((column) => [column, key[column]])),
            ...valueCells(sorted),
          },
          outliers,
        };
      }
    }
  }

  /** Adds the members of a forecast to what they said before. */
  #follow(
    { station_id = '', provider = '' }: Cells,
    column: string,
    members: readonly number[],
    sorted: Float64Array,
    lines: Ensemble['lines'],
  ): void {
    const mean = getMean(sorted);
    const key = `${station_id} ${provider} ${column}`;
    let courses = this.#courses.get(key);
    if (courses === undefined) this.#courses.set(key, (courses = []));
    let at = 0;
    for (const [member, line] of lines) {
      const value = members[at++]!;
      if (Number.isNaN(value)) continue;
      const course = courses[member];
      if (course === undefined) {
        const means = { lowest_mean: mean, highest_mean: mean };
        courses[member] = { column, member, station_id, value, forecasts: 1, line, ...means };
        continue;
      }
      if (course.value !== value) course.value = NaN;
      course.forecasts += 1;
      course.line = Math.min(course.line, line);
      course.lowest_mean = Math.min(course.lowest_mean, mean);
      course.highest_mean = Math.max(course.highest_mean, mean);
    }
  }

  /** After all forecasts: the members that say the same whatever the others say, by the line of their first forecast. */
  frozen(): { line: number; forecasts: number; detail: string }[] {
    const names = [...this.#numbers.keys()];
    return [...this.#courses.values()]
      .flat()
      .filter(
        ({ value, forecasts, lowest_mean, highest_mean }) =>
          !Number.isNaN(value) &&
          forecasts >= MIN_FROZEN &&
          highest_mean - lowest_mean >= FROZEN_MEANS_F * UNITS_PER_F,
      )
      .sort((a, b) => a.line - b.line)
      .map(({ column, member, station_id, value, forecasts, line, lowest_mean, highest_mean }) => ({
        line,
        forecasts,
        detail: `member=${names[member]}, ${column}=${degrees(value)} in all ${forecasts} forecasts of ${station_id}; their means are ${degrees(lowest_mean)} to ${degrees(highest_mean)} °F`,
      }));
  }
}

const { columns } = FEEDS.forecasts;
const MEMBER = getColumn('forecasts', 'member');
const KEY = columns.filter(({ role }) => role === 'key').map(({ name }) => name);
/** The temperatures that members have. */
const COLUMNS = columns.filter(({ role }) => role === 'value');

const rejected = (last: Ensemble['last'], reason: string, detail: string): MembersForecast => ({
  ...{ last, result: new Rejection(reason, detail), outliers: [] },
});

/** The temperature of a member in units, not rounded to 0.01 °F as a forecast is: their mean and quantiles are. */
function getUnits(row: FeedRow, { name, column }: ColumnOfFile): number {
  const text = row[name]!;
  if (text === '') return NaN;
  const degrees_f = name === column.name ? Number(text) : Number(text) * 1.8 + 32;
  const units = degrees_f * UNITS_PER_F;
  return Math.round(units * 1000) / 1000; // without the error of binary fractions
}

const sortMembers = (members: readonly number[]): Float64Array =>
  Float64Array.from(members.filter((value) => !Number.isNaN(value))).sort();

/**
 * The outliers of an ensemble. A gap of MIN_GAP_F divides the members into groups, and each member is compared with the largest
 * group: several may have one sentinel. Where two groups are the largest, each is compared with the other.
 */
function getOutliers(
  { name: column, look }: Column,
  members: readonly number[],
  sorted: Float64Array,
  lines: Ensemble['lines'],
): OutlierMember[] {
  const begins: number[] = [];
  for (let at = 0; at < sorted.length; at += 1)
    if (at === 0 || sorted[at]! - sorted[at - 1]! >= MIN_GAP_F * UNITS_PER_F) begins.push(at);
  if (begins.length < 2) return [];
  const groups = begins.map((begin, at) =>
    [...sorted.subarray(begin, begins[at + 1])].map((each) => each / UNITS_PER_F),
  );
  const size = Math.max(...groups.map(({ length }) => length));
  const lineNumbers = [...lines.values()];
  return groups.flatMap((others) => {
    if (others.length < size) return [];
    const [lowest_f, highest_f] = [others[0]!, others[size - 1]!];
    const mean = others.reduce((sum, value) => sum + value, 0) / size;
    const variance = others.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, size - 1);
    const reach = size > 1 ? studentT(LEVEL, size - 1) * Math.sqrt(variance * (1 + 1 / size)) : Infinity;
    return members.flatMap((units, at): OutlierMember[] => {
      const value_f = units / UNITS_PER_F;
      const distance = Math.max(lowest_f - value_f, value_f - highest_f);
      const isOutlier =
        distance >= MAX_GAP_F ||
        (distance >= MIN_GAP_F && (look?.sentinels.includes(value_f) || Math.abs(value_f - mean) >= reach));
      return isOutlier ? [{ column, line: lineNumbers[at]!, value_f, lowest_f, highest_f }] : [];
    });
  });
}

const getMean = (sorted: Float64Array): number =>
  sorted.reduce((total, each) => total + each, 0) / sorted.length;

/** The mean of some members and their quantiles. */
function valueCells(members: readonly Float64Array[]): Cells {
  const cells: Cells = {};
  for (const [at, { temperature, columns }] of DISTRIBUTIONS.entries()) {
    const sorted = members[at]!;
    if (sorted.length === 0) continue;
    cells[temperature] = degrees(getMean(sorted));
    for (const { name, level } of columns)
      if (level !== undefined) cells[name] = degrees(quantileOfMembers(sorted, level));
  }
  return cells;
}

/** Units as °F in text, rounded half away from zero (D9). */
function degrees(units: number): string {
  const hundredths = (units * 100) / UNITS_PER_F;
  return `${(Math.sign(hundredths) * Math.round(Math.abs(hundredths))) / 100}`;
}
