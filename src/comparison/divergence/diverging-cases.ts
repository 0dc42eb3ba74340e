import { z } from 'zod';
import { getProviders, type PairQuery } from '../../queries/conditions.js';
import { sumsByProvider } from '../../queries/latest-forecasts.js';
import { BUCKET_TYPE, BUCKETS } from '../../queries/lead-time-sql.js';
import { numbers } from '../../queries/long-lists.js';
import { medianWithout, perDay } from '../../queries/sums.js';
import { bind, NOTHING, raw, sql, type Statement } from '../../queries/sql.js';
import { cell } from '../paired-cases.js';
import type { DivergenceGroup } from './divergence-params.js';

// The cases of each provider that another has too, by whether its forecast departs from those of the others.

/** A request about departures. @see Threshold of hundredths of a °F, which may be a fraction of one */
export interface DivergenceParams extends PairQuery {
  threshold: { hundredths: number };
}

/** Near the others, or a departure: warmer or colder than they. */
const KINDS = ['near', 'warmer', 'colder'] as const;

/** The least departure, halves of a hundredth of a °F. */
export const minDeparture = ({ threshold }: Pick<DivergenceParams, 'threshold'>): Statement =>
  bind({ threshold: Math.ceil(2 * threshold.hundredths) }, 'Int64');

const VALUES: Record<DivergenceGroup, Statement> = {
  provider: sql`${raw('providers')}[place]`,
  station: sql`station_id`,
  lead_time_bucket: sql`CAST(toInt8(slot) - 1 AS ${raw(BUCKET_TYPE)})`,
  month: sql`toStartOfMonth(target_date)`,
};

/** The column of a group: the field of its record. */
const getColumn = (group: DivergenceGroup): string => (group === 'station' ? 'station_id' : group);

/** The cells of a response, as columns of a SELECT. */
const getColumns = (groups: readonly DivergenceGroup[]): Statement =>
  raw(groups.map((group) => `${getColumn(group)}, `).join(''));

/**
 * The cases of each provider that another has too, with the values of their cells. The median of the others' forecasts may
 * lie half way between two hundredths: so errors, differences and departures are in halves of a hundredth of a °F.
 */
function cases(params: DivergenceParams, groups: readonly DivergenceGroup[]): Statement {
  const values = groups.reduce(
    (all, group) => sql`${all}${VALUES[group]} AS ${raw(getColumn(group))}, `,
    NOTHING,
  );
  const counted = groups.includes('lead_time_bucket') ? 'in_each_lead_time' : 'once';
  const providers = getProviders(params);
  const ofSlot = (lists: Statement): Statement =>
    counted === 'once' ? lists : sql`arrayMap(each -> each[slot], ${lists})`;
  const slot = counted === 'once' ? NOTHING : sql`slot, `;
  const eachSlot = counted === 'once' ? NOTHING : sql`ARRAY JOIN range(1, ${BUCKETS} + 1) AS slot`;
  return sql`(
    SELECT
      ${values}target_date, preliminary, leads[place] AS lead,
      2 * errors[place] AS error, ${medianWithout(sql`errors[place]`)} AS others_error,
      (arraySum(leads) - lead) / (length(sorted) - 1) AS others_lead,
      error - others_error AS departure,
      abs(error) - abs(others_error) AS abs_difference,
      multiIf(abs(departure) < ${minDeparture(params)}, 'near', departure > 0, 'warmer', 'colder') AS kind
    FROM (
      SELECT
        station_id, target_date, preliminary, ${providers} AS providers, ${slot}
        ${ofSlot(sql`sums.counts`)} AS counts, ${ofSlot(sql`sums.errors`)} AS errors, ${ofSlot(sql`sums.leads`)} AS leads,
        arraySort(arrayFilter((error, count) -> count != 0, errors, counts)) AS sorted,
        arrayJoin(arrayFilter((at, count) -> count != 0, arrayEnumerate(counts), counts)) AS place
      FROM ${sumsByProvider(params, counted)} AS sums
      ${eachSlot}
      WHERE arrayCount(each -> each != 0, counts) >= 2
    )
  )`;
}

/** A row for each cell and kind of cases. `products` are departures times (observation - median of the others). */
export function divergingCases(params: DivergenceParams, groups: readonly DivergenceGroup[]) {
  const names = getColumns(groups);
  const byDay = (value: Statement): Statement =>
    groups.includes('month')
      ? sql`sumResample(1, 32, 1)(${value}, toDayOfMonth(target_date))`
      : perDay(params.window, value);
  return sql.rows(row)`
  SELECT
    ${names}kind,
    sum(preliminary) AS preliminary_cases,
    sum(lead) AS lead_ms_sum, sum(others_lead) AS others_lead_ms_sum,
    sum(abs(error)) AS abs_error_sum, sum(abs(others_error)) AS others_abs_error_sum,
    ${byDay(sql`1`)} AS cases_by_day,
    ${byDay(sql`abs_difference != 0`)} AS decided_by_day,
    ${byDay(sql`abs_difference < 0`)} AS nearer_by_day,
    ${byDay(sql`abs_difference`)} AS abs_differences,
    ${byDay(sql`-departure * others_error`)} AS products,
    ${byDay(sql`departure * departure`)} AS squares
  FROM ${cases(params, groups)}
  GROUP BY ${names}kind
  ORDER BY ${names}kind`;
}

/** How much of the departures of each cell came true, by day. */
export const readShares = (params: DivergenceParams, groups: readonly DivergenceGroup[]) => sql.rows(
  sharesRow,
)`
  SELECT
    ${getColumns(groups)}count() AS departures,
    ${perDay(params.window, sql`-departure * others_error`)} AS products,
    ${perDay(params.window, sql`departure * departure`)} AS squares
  FROM ${cases(params, groups)}
  WHERE kind != 'near'
  GROUP BY ${raw(groups.map(getColumn).join(', '))}`;

const sharesRow = cell.extend({
  provider: z.string(),
  departures: z.number(),
  products: numbers,
  squares: numbers,
});

const row = cell.extend({
  provider: z.string().optional(),
  kind: z.enum(KINDS),
  preliminary_cases: z.number(),
  lead_ms_sum: z.number(),
  others_lead_ms_sum: z.number(),
  abs_error_sum: z.number(),
  others_abs_error_sum: z.number(),
  cases_by_day: numbers,
  decided_by_day: numbers,
  nearer_by_day: numbers,
  abs_differences: numbers,
  products: numbers,
  squares: numbers,
});

export type DivergingCases = z.infer<typeof row>;
