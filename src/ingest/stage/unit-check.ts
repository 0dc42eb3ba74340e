import { numberText } from '../../lib/text.js';
import { UNNAMED_PROVIDER } from '../../statistics/provider.js';
import type { LoadTally } from '../load-tally.js';
import { FEEDS, type ValueFeed } from '../../feeds/feeds.js';
import { getPresentColumns } from '../../feeds/file-columns.js';
import type { ColumnLook, ColumnValues } from '../../feeds/looks.js';
import type { StationFact } from '../../feeds/stations.js';
import type { Cells } from '../read/feed-rows.js';

// Another unit, and sentinels: one rule over all columns of values, by what feeds/looks.ts says of each. It needs no other source and
// no statement of the engine. Temperatures that differ from other sources are found by quality-control.ts as well.

/**
 * Rows that are looked at: so many of files with the same columns, and then one in so many. A million forecasts would take a tenth
 * longer if all were looked at. An odd number falls on each station of files that name them in turn.
 */
const FIRST_ROWS = 4_000;
const THEN_ONE_IN = 127;
/** Values of a station that are kept of the other rows, as they are beyond what is usual. */
const MAX_BEYOND = 200;
/** Other values that a sentinel is compared with. */
const MIN_OTHERS = 4;
/** So many reports in a row hardly have one value, but for calms: a year of three airports has 15. */
const MIN_FLAT = 48;

/** The values of a station in one column of a table. */
interface StationValues {
  station: StationFact;
  provider: string;
  values: number[];
  rows: number[];
  months: number[];
  beyond: number;
}

/** The files of a feed with the same columns. */
export interface ColumnTable {
  feed: ValueFeed;
  columns: { name: string; look: ColumnLook }[];
  /** Whether a column has values that are looked for in all rows. */
  hasBeyond: boolean;
  rows: number;
  /** By provider, then by station: the values of each column. */
  groups: Map<string, Map<string, StationValues[]>>;
  latest?: { provider: string; byStation: Map<string, StationValues[]> };
}

/** A finding about values that are judged together. */
interface Finding {
  reason: string;
  /** The first value found, where one says enough. */
  value: string;
  wayOut: string;
  groups: readonly StationValues[];
  /** The rows found, and the number of those with a value. */
  rows: number[];
  of: number;
}

/** Finds values of a load that are in another unit, stand for missing ones, or are hardly possible. */
export class UnitCheck {
  readonly #tables = new Map<string, ColumnTable>();

  /** @param names the columns of a file */
  getTable(feed: ValueFeed, names: readonly string[]): ColumnTable {
    // Quantiles are compared with their forecast (staged-summary.ts).
    const columns = getPresentColumns(FEEDS[feed].columns, names).flatMap(({ name, look, column }) =>
      look !== undefined && column.level === undefined ? [{ name, look }] : [],
    );
    const key = `${feed} ${columns.map(({ name }) => name).join()}`;
    const hasBeyond = columns.some(({ look }) => look.beyond !== undefined);
    const table = this.#tables.get(key) ?? { feed, columns, hasBeyond, rows: 0, groups: new Map() };
    this.#tables.set(key, table);
    return table;
  }

  /**
   * @param texts the values of the row as its file has them, by column
   * @param cells of the row
   */
  add(
    table: ColumnTable,
    row: number,
    texts: Readonly<Partial<Record<string, string>>>,
    cells: Cells,
    findStation: (id: string) => StationFact | undefined,
  ): void {
    table.rows += 1;
    const isLookedAt = table.rows <= FIRST_ROWS || table.rows % THEN_ONE_IN === 0;
    if ((isLookedAt || table.hasBeyond) && cells.withdrawn === undefined)
      this.#look(table, row, texts, cells, findStation, isLookedAt);
  }

  #look(
    table: ColumnTable,
    row: number,
    texts: Readonly<Partial<Record<string, string>>>,
    cells: Cells,
    findStation: (id: string) => StationFact | undefined,
    isLookedAt: boolean,
  ): void {
    let group: StationValues[] | undefined;
    for (let at = 0; at < table.columns.length; at += 1) {
      const { name, look } = table.columns[at]!;
      if (!isLookedAt && look.beyond === undefined) continue;
      const text = texts[name];
      if (text === undefined || text === '') continue;
      const value = Number(text); // T, a trace, is no number
      const isBeyond = look.beyond !== undefined && value > look.beyond;
      if (Number.isNaN(value) || (!isLookedAt && !isBeyond)) continue;
      group ??= this.#getGroup(table, cells, findStation);
      const column = group?.[at];
      if (column === undefined || (!isLookedAt && column.beyond >= MAX_BEYOND)) continue;
      column.values.push(value);
      column.rows.push(row);
      column.months.push(monthOf(cells[FEEDS[table.feed].valid] ?? ''));
      if (isBeyond) column.beyond += 1;
    }
  }

  /** The values of a station: rows that follow each other often have one provider. */
  #getGroup(
    table: ColumnTable,
    { station_id = '', provider: name }: Cells,
    findStation: (id: string) => StationFact | undefined,
  ): StationValues[] | undefined {
    const provider = name || UNNAMED_PROVIDER;
    if (table.latest?.provider !== provider) {
      const byStation = table.groups.get(provider) ?? new Map<string, StationValues[]>();
      table.groups.set(provider, byStation);
      table.latest = { provider, byStation };
    }
    const { byStation } = table.latest;
    let group = byStation.get(station_id);
    const station = group === undefined ? findStation(station_id) : undefined;
    if (station !== undefined) {
      group = table.columns.map(() => ({ station, provider, values: [], rows: [], months: [], beyond: 0 }));
      byStation.set(station_id, group);
    }
    return group;
  }

  /** @param reported rows that quality control has reported: they are not reported again */
  warn(tally: LoadTally, reported: ReadonlySet<number> = new Set()): void {
    for (const { feed, columns, groups } of this.#tables.values())
      for (const [at, { name, look }] of columns.entries()) {
        const stations = [...groups.values()].flatMap((byStation) =>
          [...byStation.values()].map((group) => group[at]!).filter(({ values }) => values.length > 0),
        );
        for (const findings of judgeColumn(name, look, stations, feed === 'hours'))
          tell(tally, feed, selectUnreported(findings, reported));
      }
  }
}

/** The month of a date, an instant or a day of the year, 1 to 12. */
const monthOf = (day: string): number =>
  Number(day.length === 'MM-DD'.length ? day.slice(0, 2) : day.slice(5, 7));

/** The findings in a column, those of one kind together. @param areReports whether its rows are reports, which follow each other */
function judgeColumn(
  name: string,
  look: ColumnLook,
  stations: readonly StationValues[],
  areReports: boolean,
): Finding[][] {
  const flat: Finding[] = [];
  const ofAll = rangeOf(look, stations);
  const sentinels: Finding[] = [];
  const highest: Finding[] = [];
  const others = stations.map((group): StationValues => {
    const isSentinel = findSentinels(look, group, ofAll);
    const isTooHigh = findTooHigh(look, group.values, isSentinel);
    const reasons = [
      [sentinels, isSentinel, `${name} that stands for a missing value`, 'leave the cell blank'],
      [
        highest,
        isTooHigh,
        `${name} above ${look.highest} ${look.unit}`,
        'is it in another unit, or a missing value? Correct it, or leave the cell blank',
      ],
      [
        flat,
        areReports && look.unit !== '%' ? findFlat(group.values) : [],
        `flat line of ${name}`,
        'is the instrument stuck? Leave the cells blank',
      ],
    ] as const;
    for (const [findings, isFound, reason, wayOut] of reasons) {
      const first = isFound.indexOf(true);
      if (first === -1) continue;
      const rows = group.rows.filter((_, at) => isFound[at]);
      const value = `${name}=${group.values[first]}, `;
      findings.push({ reason, value, wayOut, groups: [group], rows, of: group.values.length });
    }
    return isSentinel.includes(true) ? keepValues(group, (at) => !isSentinel[at]) : group;
  });
  return [sentinels, highest, flat, findOtherUnit(name, look, others)];
}

const keepValues = (group: StationValues, isKept: (at: number) => boolean): StationValues => {
  const keep = <Value>(list: readonly Value[]): Value[] => list.filter((_, at) => isKept(at));
  return { ...group, values: keep(group.values), rows: keep(group.rows), months: keep(group.months) };
};

/** The extent of values that are no sentinels. */
interface Range {
  count: number;
  lowest: number;
  highest: number;
  /** The decimals of the value with most, at most 2. */
  decimals: number;
}

function rangeOf({ sentinels }: ColumnLook, groups: readonly StationValues[]): Range {
  const range: Range = { count: 0, lowest: Infinity, highest: -Infinity, decimals: 0 };
  for (const { values } of groups)
    for (const value of values) {
      if (sentinels.includes(value)) continue;
      range.count += 1;
      if (value < range.lowest) range.lowest = value;
      if (value > range.highest) range.highest = value;
      if (range.decimals < 2) range.decimals = Math.max(range.decimals, countDecimals(value));
    }
  return range;
}

/** The decimals of a value, at most 2. */
function countDecimals(value: number): number {
  const hundredths = Math.round(value * 100);
  return hundredths % 100 === 0 ? 0 : hundredths % 10 === 0 ? 1 : 2;
}

/** Which values are sentinels: far from all others of the station, or in finer steps. Few are compared with those of all stations. */
function findSentinels(look: ColumnLook, group: StationValues, ofAll: Range): boolean[] {
  const { sentinels, distance } = look;
  const { values } = group;
  const isListed = values.map((value) => sentinels.includes(value));
  if (!isListed.includes(true)) return isListed;
  const own = rangeOf(look, [group]);
  const { count, lowest, highest, decimals } = own.count >= MIN_OTHERS ? own : ofAll;
  return values.map((value, at) => {
    if (!isListed[at]) return false;
    // A feed of nothing else: 0 may be a right value.
    if (count < MIN_OTHERS) return value !== 0 && values.length >= MIN_OTHERS;
    return value - highest >= distance || lowest - value >= distance || countDecimals(value) > decimals;
  });
}

/** Which values are hardly possible: two others of a third as much say that the place is so wet, as Cherrapunji is. */
function findTooHigh(
  { highest = Infinity }: ColumnLook,
  values: readonly number[],
  isSentinel: readonly boolean[],
): boolean[] {
  const support = values.filter((value) => value >= highest / 3 && value <= highest).length;
  return values.map((value, at) => value > highest && !isSentinel[at] && support < 2);
}

/** Which values are those of a flat line. */
function findFlat(values: readonly number[]): boolean[] {
  const isFlat = values.map(() => false);
  let first = 0;
  for (let at = 1; at <= values.length; at += 1) {
    if (values[at] === values[first]) continue;
    if (at - first >= MIN_FLAT && values[first] !== 0) isFlat.fill(true, first, at);
    first = at;
  }
  return isFlat;
}

/** The values of a column that are in another unit, by provider or station; where few are known of each, those of all together. */
function findOtherUnit(name: string, look: ColumnLook, stations: readonly StationValues[]): Finding[] {
  const providers = new Set(stations.map(({ provider }) => provider));
  const together =
    look.by === 'station'
      ? stations.map((group) => [group])
      : [...providers].map((provider) => stations.filter((group) => group.provider === provider));
  const judge = (groups: readonly StationValues[]): Finding[] => {
    const wayOut = look.findOtherUnit(joinValues(groups));
    if (wayOut === undefined) return [];
    const rows = groups.flatMap((group) => group.rows).sort((a, b) => a - b);
    return [{ reason: `${name} in another unit`, value: '', wayOut, groups, rows, of: rows.length }];
  };
  const found = together.flatMap(judge);
  return found.length === 0 && look.isPooled && stations.length > 1 ? judge(stations) : found;
}

function joinValues(groups: readonly StationValues[]): ColumnValues {
  const { values, months, station } = groups[0]!;
  if (groups.length === 1) return { values, months, latitude: station.latitude };
  return {
    values: groups.flatMap((group) => group.values),
    months: groups.flatMap((group) => group.months),
    latitude: groups
      .map((group) => group.station.latitude)
      .reduce((closest, each) => (Math.abs(each) < Math.abs(closest) ? each : closest)),
  };
}

/** The findings without rows that are reported already. */
const selectUnreported = (findings: readonly Finding[], reported: ReadonlySet<number>): Finding[] =>
  findings
    .map((finding) => ({ ...finding, rows: finding.rows.filter((row) => !reported.has(row)) }))
    .filter(({ rows }) => rows.length > 0);

/** Warns of findings of one reason: by the first of them, and with the number of stations. */
function tell(tally: LoadTally, feed: ValueFeed, findings: readonly Finding[]): void {
  const [first] = [...findings].sort((a, b) => a.rows[0]! - b.rows[0]!);
  if (first === undefined) return;
  const { reason, value, wayOut, groups, of } = first;
  const rows = findings.reduce((sum, each) => sum + each.rows.length, 0);
  const stations = new Set(findings.flatMap((each) => each.groups.map(({ station }) => station.station_id)));
  const inAll = stations.size > groups.length ? `; stations in all: ${numberText(stations.size)}` : '';
  const share = `${numberText(first.rows.length)} of ${numberText(of)} rows of ${nameOf(groups)}`;
  const detail = `${value}${share}: ${wayOut}${inAll}`;
  tally.warn(feed, tally.locationOf(first.rows[0]!), { reason, detail }, rows);
}

/** The provider, if it has a name, and the station, if it is one. */
function nameOf(groups: readonly StationValues[]): string {
  const { provider, station } = groups[0]!;
  const place = groups.length === 1 ? station.station_id : `${numberText(groups.length)} stations`;
  return provider === UNNAMED_PROVIDER ? place : `provider ${provider} at ${place}`;
}
