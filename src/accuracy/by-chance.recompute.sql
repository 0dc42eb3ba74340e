.read cases.sql
CREATE OR REPLACE TEMP TABLE binned AS SELECT *, least(f // 1000, 9)::INT AS bin FROM cases;
CREATE OR REPLACE TEMP TABLE shares AS
SELECT bin AS key, 'wet' AS name, target_date AS day, count(*) AS w, count(*) FILTER (a > 0) AS x FROM binned GROUP BY ALL;
.read intervals.sql
SELECT bin * 10 AS chance_low, bin * 10 + 10 AS chance_high, count(*) AS cases, count(*) FILTER (a > 0) AS wet_days,
  half_away(sum(f), count(*)) / 100.0 AS mean_chance, share(wet_days, count(*)) AS observed_share,
  any_value(bounds.low) AS observed_share_low, any_value(bounds.high) AS observed_share_high
FROM binned LEFT JOIN bounds ON key = bin GROUP BY bin ORDER BY bin;
SELECT count(*) AS total_records FROM cases;
