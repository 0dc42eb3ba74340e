.read weeks.sql -- if by_week
-- The intervals of mean error, MAE and RMSE: each is a mean, or the root of one.
CREATE OR REPLACE TEMP TABLE clusters AS
SELECT
  '' AS key,  -- if not separate
  lead_time_bucket AS key,  -- if separate=lead_time_bucket
  station_id AS key,  -- if separate=station
  hour AS key,  -- if separate=hour
  target_date AS cluster, 1 AS days,  -- if not by_week
  week_of(target_date) AS cluster, count(DISTINCT target_date) AS days,  -- if by_week
  count(*) AS w, unnest(['mean_error', 'mae', 'rmse']) AS name, unnest([sum(e), sum(abs(e)), sum(e * e)])::DOUBLE AS x,
  unnest([sum(e * e), sum(e * e), sum((e * e)::HUGEINT * e * e)])::DOUBLE AS squares
FROM pairs GROUP BY key, cluster;
.read means.sql
CREATE OR REPLACE TEMP TABLE uncertainty AS
WITH shown AS (
  SELECT key, name, days, df, CASE WHEN se IS NOT NULL AND (name = 'mean_error' OR value > 0) THEN {
    low: inexact_degrees(CASE name WHEN 'mean_error' THEN value - reach WHEN 'mae' THEN value / exp(reach / value)
      ELSE sqrt(value / exp(reach / value)) END),
    high: inexact_degrees(CASE name WHEN 'mean_error' THEN value + reach WHEN 'mae' THEN value * exp(reach / value)
      ELSE sqrt(value * exp(reach / value)) END),
    std_error: inexact_degrees(CASE name WHEN 'rmse' THEN se / (2 * sqrt(value)) ELSE se END), n_eff: n_eff} END AS interval
  FROM means)
SELECT key, any_value(days) AS days, any_value(df) AS degrees_of_freedom, any_value(interval) FILTER (name = 'mean_error') AS mean_error,
  any_value(interval) FILTER (name = 'mae') AS mae, any_value(interval) FILTER (name = 'rmse') AS rmse
FROM shown GROUP BY key;
CREATE OR REPLACE TEMP MACRO unknown() AS {low: NULL, high: NULL, std_error: NULL, n_eff: NULL};
CREATE OR REPLACE TEMP MACRO uncertainty_of(k) AS (
  SELECT {level: {{level}},
    method: 'day_ewc',  -- if not by_week
    method: 'week_batches',  -- if by_week
    days: coalesce(max(days), 0), degrees_of_freedom: coalesce(max(degrees_of_freedom), 0),
    mean_error: coalesce(any_value(mean_error), unknown()), mae: coalesce(any_value(mae), unknown()),
    rmse: coalesce(any_value(rmse), unknown())}
  FROM uncertainty WHERE key = k);
