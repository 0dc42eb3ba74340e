.read stations.sql -- if by_station
CREATE OR REPLACE TEMP TABLE places AS  -- if by_place
FROM (VALUES  -- if by_place
  {{places}}  -- if by_place
) AS s(station_id, country, climate_zone);  -- if by_place
-- The latest forecast of each provider of a station day, in each lead time that of the lead time.
CREATE OR REPLACE TEMP TABLE latest AS
SELECT station_id, target_date, begins_ms, provider, arg_max(e, issued_at) AS e, arg_max(lead_ms, issued_at) AS lead_ms,
  {
    lead_time_bucket: list_position({{all_buckets}}, lead_time_bucket),  -- if by_lead_time
    lead_hour: lead_ms // 3600000,  -- if by_lead_hour
    month: date_trunc('month', target_date)::DATE,  -- if by_month
    season: month(target_date) % 12 // 3,  -- if by_season
    country: country,  -- if by_country
    climate_zone: climate_zone,  -- if by_climate_zone
    station_id: station_id,  -- if by_station
    place: 0} AS cell
FROM pairs
LEFT JOIN places USING (station_id)  -- if by_place
GROUP BY station_id, target_date, begins_ms, provider, cell;
-- Each other provider beside the reference. A case is a station day that both have.
-- Forecasts that are never more than 0.1 °F apart are of one source under two names, whose differences are not tested.
CREATE OR REPLACE TEMP TABLE cases AS
WITH others AS (SELECT unnest({{others}}) AS provider, unnest(range(len({{others}}))) AS place),
provided AS (SELECT place, latest.* FROM latest JOIN others USING (provider)),
referred AS (SELECT place, latest.* FROM latest, others WHERE latest.provider = {{reference}}),
compared AS (SELECT {cell: cell, place: place} AS key, target_date AS day, p.e AS e, r.e AS re, p.lead_ms AS lead_ms, r.lead_ms AS re_lead_ms,
  abs(p.e) - abs(r.e) AS difference, p.e * p.e - r.e * r.e AS square_difference, p.e IS NOT NULL AND r.e IS NOT NULL AS is_paired
FROM provided AS p FULL JOIN referred AS r USING (place, cell, station_id, target_date, begins_ms))
SELECT *, coalesce(max(abs(e - re)) OVER (PARTITION BY key) <= 10, false) AS identical,
  CASE WHEN identical THEN 0 ELSE difference END AS tested, CASE WHEN identical THEN 0 ELSE square_difference END AS square_tested
FROM compared;
CREATE OR REPLACE TEMP TABLE clusters AS
SELECT key, day AS cluster, 1 AS days, count(*) AS w, unnest(['mae', 'mse']) AS name,
  unnest([sum(tested), sum(square_tested)])::DOUBLE AS x,
  unnest([sum(tested * tested), sum(square_tested::HUGEINT * square_tested)])::DOUBLE AS squares
FROM cases WHERE is_paired GROUP BY key, day;
.read means.sql
CREATE OR REPLACE TEMP TABLE shares AS
SELECT key, day, 'win_rate' AS name, count(*) FILTER (tested != 0) AS w, count(*) FILTER (tested < 0) AS x
FROM cases WHERE is_paired GROUP BY key, day;
.read intervals.sql
CREATE OR REPLACE TEMP MACRO square_degrees(x) AS to_hundredths(x / 100 * {{over}} * {{over}} / ({{times}}::DOUBLE * {{times}}));
WITH counted AS (
  SELECT key, count(*) FILTER (is_paired) AS n, count(DISTINCT day) FILTER (is_paired) AS days, count(e) - n AS provider_only_cases,
    count(re) - n AS reference_only_cases, bool_or(identical) AS identical, count(*) FILTER (tested < 0) AS wins,
    count(*) FILTER (tested > 0) AS losses, sum(difference) AS difference, sum(square_difference) AS square_difference, sum(e) FILTER (is_paired) AS s,
    sum(re) FILTER (is_paired) AS rs, sum(abs(e)) FILTER (is_paired) AS a, sum(abs(re)) FILTER (is_paired) AS ra,
    sum(e * e) FILTER (is_paired) AS q, sum(re * re) FILTER (is_paired) AS rq, sum(lead_ms) FILTER (is_paired) AS lead,
    sum(re_lead_ms) FILTER (is_paired) AS re_lead
  FROM cases GROUP BY key)
SELECT
  {{all_buckets}}[counted.key.cell.lead_time_bucket] AS lead_time_bucket,  -- if by_lead_time
  counted.key.cell.lead_hour AS lead_hour,  -- if by_lead_hour
  counted.key.cell.month AS month,  -- if by_month
  ['DJF', 'MAM', 'JJA', 'SON'][counted.key.cell.season + 1] AS season,  -- if by_season
  counted.key.cell.country AS country,  -- if by_country
  counted.key.cell.climate_zone AS climate_zone,  -- if by_climate_zone
  counted.key.cell.station_id AS station_id, city_name,  -- if by_station
  {{others}}[counted.key.place + 1] AS provider, {{reference}} AS reference,
  CASE WHEN n = 0 THEN 'no_common_days' WHEN mae.value + mae.reach < 0 THEN 'better' WHEN mae.value - mae.reach > 0 THEN 'worse'  -- if not chance
  CASE WHEN n = 0 THEN 'no_common_days' WHEN mse.value + mse.reach < 0 THEN 'better' WHEN mse.value - mse.reach > 0 THEN 'worse'  -- if chance
    ELSE 'not_significant' END AS verdict,
  identical, n AS cases, counted.days AS days,
  {value: degrees(difference, n), low: inexact_degrees(mae.value - mae.reach), high: inexact_degrees(mae.value + mae.reach),
    std_error: inexact_degrees(mae.se), n_eff: mae.n_eff} AS mae_difference,
  {value: square_degrees(square_difference::DOUBLE / n), low: square_degrees(mse.value - mse.reach), high: square_degrees(mse.value + mse.reach),
    std_error: square_degrees(mse.se), n_eff: mse.n_eff} AS mse_difference,
  {value: millionths(square_difference::DOUBLE / n / 1e8), low: millionths((mse.value - mse.reach) / 1e8),  -- if chance
    high: millionths((mse.value + mse.reach) / 1e8), std_error: millionths(mse.se / 1e8), n_eff: mse.n_eff} AS brier_difference,  -- if chance
  millionths(q / (1e8 * n)) AS brier_score, millionths(rq / (1e8 * n)) AS reference_brier_score,  -- if chance
  degrees(s, n) AS mean_error, degrees(rs, n) AS reference_mean_error, degrees(a, n) AS mae, degrees(ra, n) AS reference_mae,
  degrees_root(q, n) AS rmse, degrees_root(rq, n) AS reference_rmse, half_away(100 * lead, n * 3600000) / 100.0 AS mean_lead_hours,
  half_away(100 * re_lead, n * 3600000) / 100.0 AS reference_mean_lead_hours, wins, losses, n - wins - losses AS ties,
  share(wins, wins + losses) AS win_rate, low AS win_rate_low, high AS win_rate_high,
  coalesce(mae.df, 0) AS dm_degrees_of_freedom, provider_only_cases, reference_only_cases
FROM counted LEFT JOIN means AS mae ON mae.key = counted.key AND mae.name = 'mae'
LEFT JOIN means AS mse ON mse.key = counted.key AND mse.name = 'mse' LEFT JOIN bounds ON bounds.key = counted.key
JOIN stations ON station_id = counted.key.cell.station_id  -- if by_station
ORDER BY
  counted.key.cell.month,  -- if first=month
  counted.key.cell.season,  -- if first=season
  counted.key.cell.country,  -- if first=country
  counted.key.cell.climate_zone,  -- if first=climate_zone
  counted.key.cell.station_id,  -- if first=station
  counted.key;
SELECT count(*) FILTER (is_paired) AS total_records FROM cases;
