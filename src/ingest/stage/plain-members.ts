import { z } from 'zod';
import { raw, sql, type Statement } from '../../sql.js';
import { UNNAMED_PROVIDER } from '../../statistics/provider.js';
import { LEVELS, MIN_MEMBERS } from '../../statistics/quantiles.js';
import { DISTRIBUTION_COLUMNS, type FeedColumn, getColumns } from '../read/columns.js';
import type { Header } from '../read/header.js';
import type { LoadClock } from '../read/load-clock.js';
import { MAX_MEMBERS, MIN_GAP_F, UNITS_PER_F } from '../read/members.js';
import { type Lines, lineRow, ofLines, PlainRows } from './plain-rows.js';

// Forecasts of members by SQL, for files that have plain rows alone: the means and quantiles of read/members.ts, in whole numbers. It
// leaves other forecasts to that: a member may be far from the rest or come twice, or they are too few or too many.

const METRICS = ['high', 'low'] as const;

const KEY = ['station_id', 'issued_at', 'target_date', 'provider'] as const;

/** A quotient of whole numbers, rounded half away from zero. */
const quotient = (number: string, divisor: string): string =>
  `sign(${number}) * intDiv(2 * abs(${number}) + ${divisor}, greatest(2 * ${divisor}, 1))`;

/** The mean of sorted members and their quantiles, hundredths of a °F; twice and 100 times the units keep the numbers whole. */
const valuesOf = (metric: (typeof METRICS)[number]): string => {
  const [members, unit] = [`${metric}_members`, UNITS_PER_F / 100];
  const below = `intDiv((length(${members}) - 1) * level, 100) + 1`;
  const step = `(${members}[least(length(${members}), ${below} + 1)] - ${members}[${below}])`;
  const quantile = `100 * ${members}[${below}] + (length(${members}) - 1) * level % 100 * ${step}`;
  const all = `arrayConcat([${quotient(`arraySum(${members})`, `length(${members}) * ${unit}`)}],
    arrayMap(hundredfold -> ${quotient('hundredfold', `${100 * unit}`)}, arrayMap(level -> ${quantile}, [${LEVELS.join()}])))`;
  return `arrayMap(value -> if(empty(${members}), NULL, toDecimal32(value, 2) / 100), ${all}) AS ${metric}_values`;
};

const VALUES: readonly FeedColumn[] = METRICS.flatMap((metric) => [
  `${metric}_f` as const,
  ...DISTRIBUTION_COLUMNS[`${metric}_f`].quantiles,
]);

const countRow = z.object({ forecasts: z.number() });

/** How SQL makes forecasts of the members of a file. */
export class PlainMembers extends PlainRows {
  readonly #members: (lines: Lines) => Statement;

  constructor(header: Header, clock: LoadClock, loadId: number) {
    super('forecasts', header, clock, loadId);
    const at = (column: FeedColumn): number => header.positions[getColumns('forecasts').indexOf(column)]!;
    const units = METRICS.map((metric) => {
      const hundredths = `toInt64(toDecimal32OrNull(cells[${at(`${metric}_f`) + 1}], 2) * 100)`;
      const isCelsius = header.names[at(`${metric}_f`)]!.endsWith('_c');
      return `${hundredths} * ${isCelsius ? `9 + ${32 * UNITS_PER_F}` : 5} AS ${metric}_units`;
    });
    const provider = at('provider') === -1 ? "''" : `cells[${at('provider') + 1}]`;
    const columns = raw(`row_number, load_id, line, station_id, issued_at, target_date,
      if(${provider} = '', '${UNNAMED_PROVIDER}', ${provider}) AS provider, cells[${at('member') + 1}] AS member, ${units.join()}`);
    this.#members = (lines) => sql`(SELECT ${columns} FROM ${this.read(lines)})`;
  }

  /** Stages the forecasts that read/members.ts would take without a warning. */
  override stage(table: string, lines: Lines): Statement {
    const each = METRICS.map((metric) => `arraySort(groupArray(${metric}_units)) AS ${metric}_members`);
    const isRegular = METRICS.map(
      (metric) => `length(${metric}_members) NOT BETWEEN 1 AND ${MIN_MEMBERS - 1}
        AND arrayMax(arrayDifference(${metric}_members)) < ${MIN_GAP_F * UNITS_PER_F}`,
    );
    const values = METRICS.map((metric) =>
      Array.from({ length: LEVELS.length + 1 }, (_, level) => `${metric}_values[${level + 1}]`),
    );
    return sql`INSERT INTO ${raw(table)} (row_number, load_id, ${raw([...KEY, ...VALUES].join())})
      SELECT last_row, load_id, ${raw([...KEY, ...values].join())}
      FROM (
        SELECT *, ${raw(METRICS.map(valuesOf).join())}
        FROM (
          SELECT max(row_number) AS last_row, load_id, ${raw([...KEY, ...each].join())}
          FROM ${this.#members(lines)}
          GROUP BY load_id, ${raw(KEY.join())}
          HAVING count() <= ${raw(`${MAX_MEMBERS}`)} AND uniqExact(member) = count() AND ${raw(isRegular.join(' AND '))}
        )
      )`;
  }

  /** How many forecasts are staged. */
  countStaged(lines: Lines) {
    return sql.rows(
      countRow,
    )`SELECT uniqExact(row_number) AS forecasts FROM staged_forecasts WHERE ${ofLines(lines)}`;
  }

  /** The first of the lines of forecasts that are not staged. */
  notStaged(lines: Lines, limit: number) {
    const key = raw(KEY.join());
    return sql.rows(lineRow)`SELECT row_number, line FROM ${this.#members(lines)}
      WHERE (${key}) NOT IN (SELECT ${key} FROM staged_forecasts WHERE ${ofLines(lines)})
      ORDER BY row_number LIMIT ${raw(`${limit}`)}`;
  }
}
