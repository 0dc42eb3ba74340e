.read inexact.sql
.read stations.sql
CREATE OR REPLACE TEMP TABLE days AS
WITH steps AS (SELECT *, f - lag(f) OVER (PARTITION BY station_id, target_date ORDER BY issued_at) AS step FROM pairs)
SELECT station_id, target_date, count(*) AS k, count(*) FILTER (step != 0) AS changes, coalesce(sum(abs(step)), 0)::BIGINT AS moved,
  max(f) - min(f) AS width, arg_max(f, issued_at) - arg_min(f, issued_at) AS drift,
  abs(arg_min(e, issued_at)) AS first, abs(arg_max(e, issued_at)) AS last
FROM steps GROUP BY station_id, target_date;
CREATE OR REPLACE TEMP TABLE shares AS
SELECT station_id AS key, unnest(['improved_rate', 'unchanged_rate', 'miss_rate']) AS name, target_date AS day,
  unnest([(k > 1)::INT, (k > 1)::INT, 1]) AS w,
  unnest([(k > 1 AND last < first)::INT, (k > 1 AND last = first)::INT, (last > 200)::INT]) AS x
FROM days;
.read intervals.sql
WITH wide AS (
  PIVOT bounds ON name IN ('improved_rate', 'unchanged_rate', 'miss_rate') USING first(low) AS low, first(high) AS high GROUP BY key),
means AS (
  SELECT station_id AS key, sum(moved / (k - 1)) FILTER (k > 1) / count(*) FILTER (k > 1) AS change,
    sum((moved - width) / (k - 2)) FILTER (k > 2) / count(*) FILTER (k > 2) AS flip_flop
  FROM days GROUP BY station_id)
SELECT station_id, any_value(city_name) AS city_name, count(*) AS station_days, sum(k)::BIGINT AS forecasts,
  half_away(100 * (forecasts - station_days), station_days) / 100.0 AS revisions_per_day,
  half_away(100 * sum(changes), station_days) / 100.0 AS changes_per_day,
  inexact_degrees(any_value(change)) AS mean_abs_change,  -- if not has_degrees
  to_hundredths(any_value(change)) AS mean_abs_change_f,  -- if has_degrees
  inexact_degrees(any_value(change)) AS mean_abs_change_c,  -- if celsius
  degrees(sum(drift), station_days) AS mean_drift,  -- if not has_degrees
  half_away(sum(drift), station_days) / 100.0 AS mean_drift_f,  -- if has_degrees
  degrees(sum(drift), station_days) AS mean_drift_c,  -- if celsius
  inexact_degrees(any_value(flip_flop)) AS flip_flop_index, count(*) FILTER (k > 1) AS days_with_revisions,
  share(count(*) FILTER (k > 1 AND last < first), days_with_revisions) AS improved_rate,
  share(count(*) FILTER (k > 1 AND last = first), days_with_revisions) AS unchanged_rate,
  share(count(*) FILTER (last > 200), station_days) AS miss_rate, any_value(COLUMNS(wide.* EXCLUDE (key))),
  degrees(sum(first), station_days) AS mae_first, degrees(sum(last), station_days) AS mae_last
FROM days JOIN stations USING (station_id) LEFT JOIN wide ON wide.key = station_id JOIN means ON means.key = station_id
GROUP BY station_id ORDER BY station_id;
SELECT count(DISTINCT (station_id, target_date)) AS total_records FROM pairs;
