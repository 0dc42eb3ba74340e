.read stations.sql
.read cases.sql
.read coverage.sql
CREATE OR REPLACE TEMP TABLE graded AS
SELECT *, (degree(f) = degree(a))::INT AS exact, (in_unit(abs(e)) <= of_unit(100))::INT AS one, (in_unit(abs(e)) <= of_unit(200))::INT AS two,
  (in_unit(abs(e)) <= of_unit(300))::INT AS three, (in_unit(abs(e)) >= of_unit(1000))::INT AS ten
FROM cases;
CREATE OR REPLACE TEMP TABLE shares AS
SELECT coalesce(station_id, '') AS key, name, target_date AS day, count(*) AS w, sum(x) AS x
FROM (UNPIVOT (
    SELECT station_id, target_date, exact AS exact_rate, one AS within_1_rate, two AS within_2_rate, three AS within_3_rate, ten AS misses_10_rate
    FROM graded)
  ON exact_rate, within_1_rate, within_2_rate, within_3_rate, misses_10_rate INTO NAME name VALUE x)
GROUP BY GROUPING SETS ((station_id, name, target_date), (name, target_date));
.read intervals.sql
CREATE OR REPLACE TEMP TABLE hits AS
WITH counted AS (
  SELECT coalesce(station_id, '') AS key, station_id, grouping(station_id) AS is_network, count(*) AS total_days,
    coalesce(sum(exact), 0)::BIGINT AS exact_hits, coalesce(sum(one), 0)::BIGINT AS within_1, coalesce(sum(two), 0)::BIGINT AS within_2,
    coalesce(sum(three), 0)::BIGINT AS within_3, coalesce(sum(ten), 0)::BIGINT AS misses_10, sum(lead_ms) AS lead_ms
  FROM graded GROUP BY GROUPING SETS ((station_id), ())),
wide AS (
  PIVOT bounds ON name IN ('exact_rate', 'within_1_rate', 'within_2_rate', 'within_3_rate', 'misses_10_rate')
  USING first(low) AS low, first(high) AS high GROUP BY key)
SELECT station_id, is_network, {total_days: total_days, exact_hits: exact_hits, within_1: within_1, within_2: within_2, within_3: within_3,
  misses_10: misses_10, exact_rate: share(exact_hits, total_days), exact_rate_low: exact_rate_low, exact_rate_high: exact_rate_high,
  within_1_rate: share(within_1, total_days), within_1_rate_low: within_1_rate_low, within_1_rate_high: within_1_rate_high,
  within_2_rate: share(within_2, total_days), within_2_rate_low: within_2_rate_low, within_2_rate_high: within_2_rate_high,
  within_3_rate: share(within_3, total_days), within_3_rate_low: within_3_rate_low, within_3_rate_high: within_3_rate_high,
  misses_10_rate: share(misses_10, total_days), misses_10_rate_low: misses_10_rate_low, misses_10_rate_high: misses_10_rate_high,
  mean_lead_hours: half_away(100 * lead_ms, total_days * 3600000) / 100.0} AS record
FROM counted LEFT JOIN wide USING (key);
SELECT station_id, city_name, unnest(record) FROM hits JOIN stations USING (station_id) WHERE is_network = 0 ORDER BY station_id;
SELECT record.total_days AS total_records, record AS network, coverage_of(d, p) AS verification_coverage
FROM hits, (SELECT count(DISTINCT target_date) AS d, count(DISTINCT target_date) FILTER (preliminary = 1) AS p FROM cases)
WHERE is_network = 1;
