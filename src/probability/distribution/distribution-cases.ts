import { z } from 'zod';

import {
  andOfStations,
  ofMetric,
  ofProviders,
  ofVersion,
  ofWindow,
  type PairQuery,
} from '../../queries/conditions.js';
import { GROUP_KEY, type Grouping } from '../../queries/grouped-cases.js';
import { latestForecasts } from '../../queries/latest-forecasts.js';
import { numbers } from '../../queries/long-lists.js';
import { dayOfWindow } from '../../queries/sums.js';
import { bind, raw, sql, type Statement } from '../../queries/sql.js';
import { LEVELS, STANDARD_QUANTILES } from '../../statistics/quantiles.js';
import { DEGREE_HUNDREDTHS } from '../../variables/units.js';

/**
 * Names an issuance for a station day. Another has the same hash by chance once in 10^7 responses about 2,000 stations; to
 * join by hashes takes half the time of names and times.
 */
const ISSUANCE = sql`cityHash64(provider, station_id, target_date, issued_at)`;

const forecasts = (params: PairQuery, by: Grouping): Statement =>
  latestForecasts(params, by === 'lead_time_bucket' ? 'in_each_lead_time' : 'once', ofProviders(params));

/** The cases (D32) of a request, each once, by the issuance of their forecast. */
const cases = (params: PairQuery, by: Grouping): Statement => sql`(
      SELECT
        issuance, forecast_hundredths, error_hundredths, any(provider) AS provider, any(key) AS group_key, any(at) AS day,
        sum(preliminary_case_count) AS preliminary
      FROM (
        SELECT
          *, local_midnight - toIntervalMillisecond(latest_lead_ms) AS issued_at, ${ISSUANCE} AS issuance,
          ${GROUP_KEY[by]} AS key, ${dayOfWindow(params.window)} AS at
        FROM ${forecasts(params, by)}
      )
      GROUP BY issuance, slot, forecast_hundredths, error_hundredths
      HAVING sum(case_count) != 0
    )`;

/**
 * The cases that have a distribution, of each the latest version that stands. Distributions pass by the cases, as there are
 * several issuances for each of these: to choose them first takes 1.5 times as long.
 */
const casesOfDistributions = (params: PairQuery, by: Grouping): Statement => sql`(
    SELECT *
    FROM (
      SELECT c.*, distribution, withdrawn
      FROM (
        SELECT ${ISSUANCE} AS issuance, distribution, withdrawn, load_id
        FROM distributions
        WHERE ${ofMetric(params)} AND ${ofProviders(params)} AND ${ofWindow(params.window)}
          AND ${ofVersion(params.asOf?.version)}${andOfStations(params.station)}
      ) AS d
      INNER JOIN ${cases(params, by)} AS c USING (issuance)
      ORDER BY load_id DESC
      LIMIT 1 BY issuance
    )
    WHERE NOT withdrawn
  )`;

/** How many cases there are, with and without a distribution. */
export const countedCases = (params: PairQuery, by: Grouping) =>
  sql.rows(z.object({ cases: z.number() }))`SELECT sum(case_count) AS cases FROM ${forecasts(params, by)}`;

/**
 * The cases of each provider and group by the levels that their distributions have. A distribution that has only a standard
 * deviation stands for the normal quantiles of all levels. Lists go together, a member a case:
 * - the day of the window, and the error of the forecast;
 * - 16 times how many quantiles are below the observation, plus how many equal it;
 * - where the observation equals one, its cell over the width from the lowest to the highest, else 0. The cell is a whole °F,
 *   a whole °C or a tenth. A value that is whole in both units has a whole °F (docs/probability.md, Ties);
 * - the sum of the quantile losses over the levels.
 *
 * Temperatures are hundredths of a °F, losses 0.0001 °F. By level: sums of the losses, and of the quantiles less the forecast.
 * `width_squares` is of the widths from the lowest to the highest quantile. It is not rounded: a standard deviation of 1 °F
 * would be 0.3% less.
 */
export const casesWithDistributions = (params: PairQuery, by: Grouping) => sql.rows(
  casesWithDistributionsRow,
)`
  SELECT
    provider, group_key, levels, count() AS cases, sum(preliminary) AS preliminary_cases,
    groupArray(day) AS days, groupArray(error_hundredths) AS errors,
    groupArray(16 * arrayCount(each -> each < 0, above) + countEqual(above, 0)) AS places,
    groupArray(if(countEqual(above, 0) = 1 AND width > 0, cell / width, 0)) AS cells,
    groupArray(arraySum(losses)) AS loss_sums, sumForEach(losses) AS losses_by_level, sumForEach(offsets) AS offsets_by_level,
    sum(width * width) AS width_squares
  FROM (
    SELECT
      provider, group_key, day, error_hundredths, preliminary,
      if(has(distribution.level, 0), toInt64(distribution[1].value * 100), -1) AS sd,
      arrayFilter(each -> each.level != 0, distribution) AS own,
      if(notEmpty(own), own.level, ${bind({ all_levels: LEVELS }, 'Array(Int16)')}) AS levels,
      if(
        notEmpty(own), arrayMap(value -> toInt64(value * 100) - forecast_hundredths, own.value),
        arrayMap(z -> toInt64(floor(z * sd / 1000000 + 0.5)), ${bind({ standard_quantiles: STANDARD_QUANTILES }, 'Array(Int32)')})
      ) AS offsets,
      if(notEmpty(own), toFloat64(offsets[-1] - offsets[1]), sd * ${bind({ standard_width: STANDARD_QUANTILES.at(-1)! - STANDARD_QUANTILES[0] }, 'Int32')} / 1000000) AS width,
      arrayMap(offset -> offset + error_hundredths, offsets) AS above,
      forecast_hundredths - error_hundredths AS observed,
      multiIf(
        observed % ${raw(`${DEGREE_HUNDREDTHS.whole_fahrenheit}`)} = 0, ${raw(`${DEGREE_HUNDREDTHS.whole_fahrenheit}`)},
        (observed - 3200) % ${raw(`${DEGREE_HUNDREDTHS.whole_celsius}`)} = 0, ${raw(`${DEGREE_HUNDREDTHS.whole_celsius}`)},
        ${raw(`${DEGREE_HUNDREDTHS.whole_celsius / 10}`)}
      ) AS cell,
      arrayMap((each, level) -> if(each >= 0, (100 - level) * each, -level * each), above, levels) AS losses
    FROM ${casesOfDistributions(params, by)}
  )
  GROUP BY provider, group_key, levels
  ORDER BY provider, group_key, levels`;

const casesWithDistributionsRow = z.object({
  provider: z.string(),
  group_key: z.coerce.string(),
  levels: numbers,
  cases: z.number(),
  preliminary_cases: z.number(),
  days: numbers,
  errors: numbers,
  places: numbers,
  cells: numbers,
  loss_sums: numbers,
  losses_by_level: numbers,
  offsets_by_level: numbers,
  width_squares: z.number(),
});
