.read inexact.sql -- if celsius
.read cases.sql
-- The first degree of the range of a temperature.  -- if not classes
CREATE OR REPLACE TEMP MACRO range_of(t) AS floor_div(degree(t) - {{range_offset}}, {{range_width}}) * {{range_width}} + {{range_offset}};  -- if not classes
-- The place of an amount among the classes.  -- if classes
CREATE OR REPLACE TEMP MACRO range_of(t) AS len(list_filter({{class_steps}}, first -> first <= t));  -- if classes
CREATE OR REPLACE TEMP TABLE ranged AS SELECT *, range_of(f) AS rf, range_of(a) AS ra FROM cases;
CREATE OR REPLACE TEMP TABLE shares AS SELECT rf AS key, 'both' AS name, target_date AS day, count(*) AS w, sum((ra = rf)::INT) AS x FROM ranged
  GROUP BY rf, target_date;
.read intervals.sql
WITH lows AS (SELECT rf AS low FROM ranged UNION SELECT ra FROM ranged)
SELECT
  {{class_texts}}[lows.low] AS temperature_range, {{classes}}[lows.low] AS range_low, {{classes}}[lows.low + 1] AS range_high,  -- if classes
  format('{}-{}{}', lows.low, lows.low + {{range_width}}, {{unit_text}}) AS temperature_range,  -- if not classes
  lows.low AS range_low, lows.low + {{range_width}} AS range_high,  -- if not classes -- if not has_degrees
  lows.low AS range_low_f, lows.low + {{range_width}} AS range_high_f,  -- if has_degrees -- if not celsius
  temperature_in_f(lows.low) AS range_low_f, lows.low AS range_low_c,  -- if celsius
  temperature_in_f(lows.low + {{range_width}}) AS range_high_f, lows.low + {{range_width}} AS range_high_c,  -- if celsius
  count(*) FILTER (ra = lows.low) AS times_actual_in_range, count(*) FILTER (rf = lows.low) AS times_forecast_in_range,
  count(*) FILTER (ra = lows.low AND rf = lows.low) AS times_both_in_range,
  share(times_both_in_range, times_forecast_in_range) AS accuracy_when_forecast_in_range,
  any_value(bounds.low) AS accuracy_when_forecast_in_range_low, any_value(bounds.high) AS accuracy_when_forecast_in_range_high,
  percentage(times_actual_in_range, count(*)) AS frequency_pct, share(times_both_in_range, times_actual_in_range) AS detection_rate,
  degrees(sum(e) FILTER (rf = lows.low), times_forecast_in_range) AS mean_error_when_forecast_in_range,
  degrees(sum(abs(e)) FILTER (rf = lows.low), times_forecast_in_range) AS mae_when_forecast_in_range
FROM lows LEFT JOIN bounds ON key = lows.low, ranged GROUP BY lows.low ORDER BY lows.low;
SELECT count(*) AS total_records FROM cases;
