import { z } from 'zod';
import type { Sources } from '../api/endpoint.js';
import { differenceOrNull } from '../api/fields.js';
import type { PairQuery } from '../queries/conditions.js';
import { type Counted, latestForecasts } from '../queries/latest-forecasts.js';
import { sql, type Statement } from '../queries/sql.js';
import { isSummed } from '../variables/variables.js';

// Sums of forecasts and of observations over days: contracts on a month settle these, and errors of days do not tell them.

const ofDays = (what: string) =>
  differenceOrNull(
    `With degree days and amounts: the sum of ${what} over the station days that have both, each once; null without pairs`,
  ).optional();

/** The fields of a record with sums; steps by 100. */
export const VALUE_SUMS = {
  sum_forecast: ofDays('the latest forecasts of the lead times'),
  sum_actual: ofDays('what was observed'),
};

const sumsByKey = (params: PairQuery, key: Statement, counted: Counted) => sql.rows(row)`
  SELECT
    toString(${key}) AS key, sum(case_count) AS cases,
    sum(case_count * forecast_hundredths) AS forecast_sum, sum(case_count * actual_hundredths) AS actual_sum
  FROM ${latestForecasts(params, counted)}
  GROUP BY key
  HAVING cases != 0`;

const row = z.object({ key: z.string(), forecast_sum: z.number(), actual_sum: z.number() });

/**
 * Reads the sums of a request by a key, over the rows of latestForecasts().
 * @returns the fields of a key, none where values of the variable are no parts of a whole
 */
export async function readValueSums(
  params: PairQuery,
  { query }: Pick<Sources, 'query'>,
  key: Statement,
  counted: Counted = 'once',
) {
  const rows = isSummed(params.metric) ? await query(sumsByKey(params, key, counted)) : undefined;
  const found = new Map(rows?.map((each) => [each.key, each]));
  return (of: string) => {
    const { forecast_sum = null, actual_sum = null } = found.get(of) ?? {};
    const toUnit = (sum: number | null): number | null => (sum === null ? null : sum / 100);
    return rows && { sum_forecast: toUnit(forecast_sum), sum_actual: toUnit(actual_sum) };
  };
}
