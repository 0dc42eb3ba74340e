import type { Choices } from '../variables/declarations.js';
import { toSqlText } from '../variables/expression.js';
import { type Derived, getDerivation, type VariableName } from '../variables/variables.js';
import { ofSources } from './conditions.js';
import { currentFacts } from './facts.js';
import { fromWhere, type Relation } from './relation.js';
import { raw, sql, type Statement } from './sql.js';

// Variables that follow from highs and lows, as rows of the ledger (D66). They are worked out when a request asks for them: every
// version of the data has them at once (D31), and neither load nor disk pays for them.

/** The columns of the ledger that a derivation reads. */
const SOURCE_COLUMNS = raw(
  'provider, station_id, target_date, local_midnight, actual, observation_status, lead_ms, forecasts, sign, load_id',
);

/** The value that follows from columns of a high and a low, all whole hundredths. */
const deriveSql = ({ value }: Derived, high: string, low: string): Statement =>
  raw(toSqlText(value, { high, low }));

/** A Decimal of two digits as whole hundredths, and back. Arithmetic of Decimals takes a quarter of a request. */
const hundredths = (value: Statement): Statement => sql`reinterpretAsInt32(${value})`;
const toDegrees = (value: Statement): Statement => sql`reinterpret(toInt32(${value}), 'Decimal(9, 2)')`;

/**
 * A station day of a provider as one number, by a hash of both names: the join on it takes two thirds of the time that the
 * join on three columns takes. Two names of one hash are told apart after the join.
 */
const DAY_KEY = sql`(toUInt128(cityHash64(provider, station_id)) * 65536 + toUInt16(target_date))`;

/**
 * The ledger's rows that stand: of each day the latest that was added, if more were added than withdrawn. Each correction leaves a row
 * that is added and one that withdraws it, and derived rows of all would be their products: 50,000 station days that were corrected
 * once take half of the time.
 * @param rows of the ledger: all of a day or none
 */
export const standingDays = (rows: Relation): Relation => ({
  from: rows.from,
  where: [
    ...rows.where,
    sql`sign = 1`,
    sql`(provider, station_id, target_date, load_id) IN (
        SELECT provider, station_id, target_date, maxIf(load_id, sign = 1)
        ${fromWhere(rows)}
        GROUP BY provider, station_id, target_date
        HAVING sum(sign) > 0
      )`,
  ],
});

/**
 * Rows of the ledger, without its computed columns but with `errors`, hundredths of a °F. A row of highs and one of lows make a row
 * that counts as often as the product of their signs: where each sums up to the one station day that stands, so do the
 * products. Forecasts go together that were issued at the same instant.
 * @param ofSource the station days of highs, or lows
 */
export function derivedDays(
  name: VariableName,
  derivation: Derived,
  ofSource: (source: 'high' | 'low') => Relation,
): Statement {
  const value = (high: string, low: string): Statement => deriveSql(derivation, high, low);
  const ofLead = (table: string): string => `${table}.hundredths[indexOf(${table}.lead_ms, lead)]`;
  const source = (which: 'high' | 'low'): Statement => sql`(
        SELECT
          ${SOURCE_COLUMNS}, ${DAY_KEY} AS day_key, ${hundredths(sql`CAST(actual, 'Decimal(9, 2)')`)} AS actual_hundredths,
          arrayMap(forecast -> ${hundredths(sql`forecast`)}, forecasts) AS hundredths
        ${fromWhere(ofSource(which))}
      )`;
  return sql`(
    SELECT
      '${raw(name)}' AS metric, provider, station_id, target_date, local_midnight, ${toDegrees(sql`derived_actual`)} AS actual,
      observation_status, lead_ms, arrayMap(each -> ${toDegrees(sql`each`)}, derived) AS forecasts,
      arrayMap(each -> each - derived_actual, derived) AS errors, sign, load_id
    FROM (
      SELECT
        high.provider AS provider, high.station_id AS station_id, high.target_date AS target_date,
        high.local_midnight AS local_midnight,
        ${value('high.actual_hundredths', 'low.actual_hundredths')} AS derived_actual,
        if(high.observation_status = low.observation_status, high.observation_status, 'preliminary') AS observation_status,
        high.lead_ms = low.lead_ms AS is_alike,
        if(is_alike, high.lead_ms, arrayFilter(lead -> has(low.lead_ms, lead), high.lead_ms)) AS lead_ms,
        if(
          is_alike,
          arrayMap((highs, lows) -> ${value('highs', 'lows')}, high.hundredths, low.hundredths),
          arrayMap(lead -> ${value(ofLead('high'), ofLead('low'))}, arrayFilter(lead -> has(low.lead_ms, lead), high.lead_ms))
        ) AS derived,
        toInt8(high.sign * low.sign) AS sign, greatest(high.load_id, low.load_id) AS load_id
      FROM ${source('high')} AS high
      INNER JOIN ${source('low')} AS low ON high.day_key = low.day_key
      WHERE high.station_id = low.station_id AND high.provider = low.provider
    )
  )`;
}

/** The forecasts of a variable that facts have, of all that both its high and its low have: as currentFacts() has them. */
export function forecastFacts(
  name: VariableName,
  choices: Choices | undefined,
  condition: Statement,
): Statement {
  const derivation = getDerivation(name, choices);
  const facts = currentFacts('forecasts', sql`${ofSources({ metric: name })} AND ${condition}`);
  if (derivation === undefined) return facts;
  return sql`(
    SELECT
      provider, station_id, target_date, issued_at, anyIf(${hundredths(sql`said.forecast_f`)}, metric = 'high') AS highs,
      anyIf(${hundredths(sql`said.forecast_f`)}, metric = 'low') AS lows,
      ${toDegrees(deriveSql(derivation, 'highs', 'lows'))} AS forecast_f
    FROM ${facts} AS said
    GROUP BY provider, station_id, target_date, issued_at
    HAVING count() = 2
  )`;
}
