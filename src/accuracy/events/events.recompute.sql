.read inexact.sql -- if celsius
.read stations.sql -- if group_by=station
.read coverage.sql
-- A case is a station day with its latest forecast, in each lead time with its latest forecast of that one.
CREATE OR REPLACE TEMP TABLE cases AS
SELECT station_id, target_date, arg_max(f, issued_at) AS f, any_value(a) AS a, any_value(preliminary) AS preliminary,
  '' AS grouping,  -- if group_by=none
  any_value(lead_time_bucket) AS grouping,  -- if group_by=lead_time_bucket
  station_id AS grouping,  -- if group_by=station
  date_trunc('month', target_date)::DATE AS grouping,  -- if group_by=month
FROM pairs GROUP BY station_id, target_date, begins_ms,
  lead_time_bucket  -- if group_by=lead_time_bucket
;
-- The events of a day: a hits, b false alarms, c misses, d correct negatives. Thresholds are in whole hundredths of a °F.
CREATE OR REPLACE TEMP TABLE days AS
WITH outcomes AS (
  SELECT {grouping: grouping, threshold: threshold} AS key, target_date AS day,
    f >= hundredths AS fc, a >= hundredths AS ob  -- if direction=at_or_above
    f <= hundredths AS fc, a <= hundredths AS ob  -- if direction=at_or_below
  FROM cases, (FROM (VALUES
    {{thresholds}}
  ) AS s(threshold, hundredths)))
SELECT key, day, sum(fc AND ob)::BIGINT AS a, sum(fc AND NOT ob)::BIGINT AS b, sum(ob AND NOT fc)::BIGINT AS c,
  sum(NOT fc AND NOT ob)::BIGINT AS d FROM outcomes GROUP BY key, day;
CREATE OR REPLACE TEMP TABLE shares AS
SELECT key, day, unnest(['base_rate', 'forecast_rate', 'pod', 'far', 'pofd', 'success_ratio', 'csi']) AS name,
  unnest([a + b + c + d, a + b + c + d, a + c, a + b, b + d, a + b, a + b + c]) AS w, unnest([a + c, a + b, a, b, b, a, a]) AS x
FROM days;
.read intervals.sql
.read jackknife.sql
-- Without forecasts a user protects always or never, whichever costs less. Perfect forecasts save `w` of it, these `x`.  -- if cost_loss
CREATE OR REPLACE TEMP TABLE clusters AS  -- if cost_loss
SELECT {key: key, ratio: ratio} AS key, day AS cluster, 1 AS days, 'value' AS name, 0 AS squares,  -- if cost_loss
  CASE WHEN ratio * n < events THEN ratio * d - (1 - ratio) * c ELSE (1 - ratio) * a - ratio * b END AS x,  -- if cost_loss
  CASE WHEN ratio * n < events THEN ratio * (b + d) ELSE (1 - ratio) * (a + c) END AS w  -- if cost_loss
FROM days JOIN (  -- if cost_loss
  SELECT key, sum(a + c)::BIGINT AS events, sum(a + b + c + d)::BIGINT AS n FROM days GROUP BY key  -- if cost_loss
) USING (key), (SELECT unnest({{cost_loss}}) AS ratio);  -- if cost_loss
.read means.sql -- if cost_loss
WITH tables AS (
  SELECT *, a + b + c + d AS n
  FROM (SELECT key, sum(a)::BIGINT AS a, sum(b)::BIGINT AS b, sum(c)::BIGINT AS c, sum(d)::BIGINT AS d FROM days GROUP BY key)),
wide AS (
  PIVOT bounds ON name IN ('base_rate', 'forecast_rate', 'pod', 'far', 'pofd', 'success_ratio', 'csi', 'frequency_bias', 'ets', 'hss')
  USING first(low) AS low, first(high) AS high GROUP BY key)
SELECT
  tables.key.grouping AS lead_time_bucket,  -- if group_by=lead_time_bucket
  tables.key.grouping AS station_id, city_name,  -- if group_by=station
  tables.key.grouping AS month,  -- if group_by=month
  tables.key.threshold AS threshold,  -- if not has_degrees
  tables.key.threshold AS threshold_f,  -- if has_degrees -- if not celsius
  temperature_in_f(tables.key.threshold) AS threshold_f, tables.key.threshold AS threshold_c,  -- if celsius
  {{direction}} AS direction, n AS cases, a AS hits, b AS false_alarms, c AS misses, d AS correct_negatives,
  share(a + c, n) AS base_rate, share(a + b, n) AS forecast_rate, share(a + b, a + c) AS frequency_bias, share(a, a + c) AS pod,
  share(b, a + b) AS far, share(b, b + d) AS pofd, share(a, a + b) AS success_ratio, share(a, a + b + c) AS csi,
  share(a * n - (a + b) * (a + c), (a + b + c) * n - (a + b) * (a + c)) AS ets,
  share(2 * (a * d - b * c), (a + c) * (c + d) + (a + b) * (b + d)) AS hss,
  CASE WHEN least(a, b, c, d) > 0 THEN floor(10000 * (ln(b / (b + d)) - ln(a / (a + c)) - ln(d / (b + d)) + ln(c / (a + c)))
    / (ln(b / (b + d)) + ln(a / (a + c)) + ln(d / (b + d)) + ln(c / (a + c))) + 0.5) / 10000 END AS sedi, wide.* EXCLUDE (key),
  means.key.ratio AS cost_loss, floor(10000 * value + 0.5 + 1e-10) / 10000 AS economic_value,  -- if cost_loss
  floor(10000 * (value - reach) + 0.5 + 1e-10) / 10000 AS economic_value_low,  -- if cost_loss
  floor(10000 * (CASE WHEN value + reach > 1 THEN 1 ELSE value + reach END) + 0.5 + 1e-10) / 10000 AS economic_value_high,  -- if cost_loss
FROM tables LEFT JOIN wide USING (key)
JOIN means ON means.key.key = tables.key  -- if cost_loss
JOIN stations ON station_id = tables.key.grouping  -- if group_by=station
ORDER BY
  list_position({{all_buckets}}, tables.key.grouping),  -- if group_by=lead_time_bucket
  tables.key
  , means.key.ratio  -- if cost_loss
;
SELECT n AS total_records, coverage_of(d, p) AS verification_coverage
FROM (SELECT count(*) AS n, count(DISTINCT target_date) AS d, count(DISTINCT target_date) FILTER (preliminary = 1) AS p FROM cases);
