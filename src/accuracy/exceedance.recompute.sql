.read subject.sql
.read inexact.sql -- if celsius
-- An error of exactly a threshold is within it. `beyond` is the threshold in whole hundredths of a °F, rounded down.
CREATE OR REPLACE TEMP TABLE thresholds AS
FROM (VALUES
  {{thresholds}}
) AS s(threshold, beyond);
CREATE OR REPLACE TEMP TABLE shares AS
SELECT threshold AS key, 'exceedance_rate' AS name, target_date AS day, count(*) AS w, count(*) FILTER (abs(e) > beyond) AS x
FROM pairs, thresholds GROUP BY threshold, target_date;
.read intervals.sql -- if level
CREATE OR REPLACE TEMP TABLE counted AS
SELECT threshold, coalesce(sum(x), 0)::BIGINT AS exceeding, coalesce(sum(w), 0)::BIGINT AS n
FROM thresholds LEFT JOIN shares ON key = threshold GROUP BY threshold;
SELECT subject_id() AS station_id, subject_name() AS city_name, {{level}} AS level,  -- if level
SELECT  -- if not level
  (SELECT list({
      threshold: threshold,  -- if not has_degrees
      threshold_f: threshold,  -- if has_degrees -- if not celsius
      threshold_f: difference_in_f(threshold), threshold_c: threshold,  -- if celsius
      exceedance_rate: share(exceeding, n), within_rate: round((1 - share(exceeding, n)) * 10000) / 10000, low: low, high: high, n_eff: n_eff  -- if level
      exceedance_rate: percentage(exceeding, n)  -- if not level
    } ORDER BY threshold) FROM counted
    LEFT JOIN bounds ON key = threshold  -- if level
  ) AS thresholds, count(*) AS verification_pairs, count(DISTINCT target_date) AS unique_days
FROM pairs;
SELECT count(*) AS total_records FROM pairs;
