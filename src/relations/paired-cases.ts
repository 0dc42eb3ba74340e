import { sql, type Statement } from '../sql.js';
import { providersOf, type RowsQuestion } from './question.js';
import { type Counted, forecastsOfProviders } from './station-days.js';
import { perDay } from './sums.js';

// The cases that two providers have (D35), as sums over each day.

/** A sum for each provider, in the order of `providers`. */
const perProvider = (question: RowsQuestion, value: Statement): Statement =>
  sql`sumResample(1, toUInt32(length(${providersOf(question)})) + 1, 1)(${value}, toUInt32(provider_place))`;

/**
 * Each provider but the first against the first one, its reference: a row for each, and for each lead time where cases
 * count in each. A case stands once or not at all, so that its sums over rows are its values. Differences are those of
 * the provider less those of the reference, of errors in hundredths of a °F.
 */
export const pairedCases = (question: RowsQuestion, counted: Counted): Statement => sql`
  SELECT
    slot, provider_place,
    countIf(is_paired) AS cases,
    countIf(has_provider AND NOT has_reference) AS provider_only_cases,
    countIf(has_reference AND NOT has_provider) AS reference_only_cases,
    sumIf(preliminary, is_paired) AS preliminary_cases,
    ${perDay(question.window, sql`is_paired`)} AS cases_by_day,
    ${perDay(question.window, sql`is_paired * abs_difference`)} AS abs_differences,
    ${perDay(question.window, sql`is_paired * square_difference`)} AS square_differences,
    ${perDay(question.window, sql`is_paired * (abs_difference != 0)`)} AS decided_by_day,
    ${perDay(question.window, sql`is_paired * (abs_difference < 0)`)} AS wins_by_day,
    sumIf(abs(error - reference_error), is_paired) AS forecast_difference,
    sumIf(abs_difference * abs_difference, is_paired) AS abs_difference_squares,
    toString(sumIf(toInt128(square_difference) * square_difference, is_paired)) AS square_difference_squares,
    sumIf(error, is_paired) AS error_sum, sumIf(reference_error, is_paired) AS reference_error_sum,
    sumIf(abs(error), is_paired) AS abs_error_sum, sumIf(abs(reference_error), is_paired) AS reference_abs_error_sum,
    sumIf(error * error, is_paired) AS square_error_sum,
    sumIf(reference_error * reference_error, is_paired) AS reference_square_error_sum,
    sumIf(lead_ms[provider_place], is_paired) AS lead_ms_sum, sumIf(lead_ms[1], is_paired) AS reference_lead_ms_sum
  FROM (
    SELECT
      slot, target_date, provider_place, lead_ms, preliminary,
      counts[provider_place] != 0 AS has_provider, counts[1] != 0 AS has_reference,
      has_provider AND has_reference AS is_paired,
      errors[provider_place] AS error, errors[1] AS reference_error,
      abs(error) - abs(reference_error) AS abs_difference,
      error * error - reference_error * reference_error AS square_difference
    FROM (
      SELECT
        station_id, target_date, ${counted === 'once' ? sql`0` : sql`slot`} AS slot,
        ${perProvider(question, sql`case_count`)} AS counts,
        ${perProvider(question, sql`case_count * error_hundredths`)} AS errors,
        ${perProvider(question, sql`case_count * latest_lead_ms`)} AS lead_ms,
        sum(preliminary_case_count) != 0 AS preliminary
      FROM (
        SELECT *, indexOf(${providersOf(question)}, provider) AS provider_place
        FROM ${forecastsOfProviders(question, counted)}
      )
      GROUP BY station_id, target_date, slot
    )
    ARRAY JOIN range(2, length(${providersOf(question)}) + 1) AS provider_place
  )
  GROUP BY slot, provider_place
  HAVING cases + provider_only_cases + reference_only_cases != 0
  ORDER BY slot, provider_place`;
