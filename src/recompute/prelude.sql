-- Exact arithmetic. Temperatures are whole hundredths of a °F. In °C, differences are multiplied by 5/9 before they are rounded, once.
CREATE OR REPLACE TEMP MACRO half_away(part, whole) AS sign(part) * ((2 * abs(part) + whole) // (2 * whole));
CREATE OR REPLACE TEMP MACRO floor_div(part, whole) AS (part - (part % whole + whole) % whole) // whole;  -- // alone cuts towards 0
CREATE OR REPLACE TEMP MACRO nearest(g, p, w) AS g + CASE
  WHEN (2 * g + 1) * (2 * g + 1) * w <= 4 * p THEN 1 WHEN g > 0 AND (2 * g - 1) * (2 * g - 1) * w > 4 * p THEN -1 ELSE 0 END;
CREATE OR REPLACE TEMP MACRO root(p, w) AS  -- sqrt(p / w) as a whole number: guessed, then corrected
  nearest(round(sqrt(p::DOUBLE / w))::HUGEINT, p::HUGEINT, w::HUGEINT);
CREATE OR REPLACE TEMP MACRO in_unit(x) AS {{over}}::HUGEINT * x;
CREATE OR REPLACE TEMP MACRO of_unit(x) AS {{times}}::HUGEINT * x;
CREATE OR REPLACE TEMP MACRO degrees(part, whole) AS half_away(in_unit(part), of_unit(whole)) / 100.0;
CREATE OR REPLACE TEMP MACRO degrees_root(part, whole) AS root(in_unit(in_unit(part)), of_unit(of_unit(whole))) / 100.0;
CREATE OR REPLACE TEMP MACRO share(part, whole) AS  -- half up
  floor_div(20000 * part::HUGEINT + whole, 2 * whole::HUGEINT) / 10000.0;
CREATE OR REPLACE TEMP MACRO percentage(part, whole) AS floor_div(20000 * part::HUGEINT + whole, 2 * whole::HUGEINT) / 100.0;
-- Type 7 of whole hundredths is whole hundredths of a hundredth for these.
CREATE OR REPLACE TEMP MACRO percentile(e, p) AS degrees(round(100 * quantile_cont(abs(e), p))::BIGINT, 100);
CREATE OR REPLACE TEMP MACRO millionths(x) AS floor(1e6 * x + 0.5 + 1e-9) / 1e6;  -- if chance
CREATE OR REPLACE TEMP MACRO base_rate(a) AS count(a) FILTER (WHERE a > 0) / nullif(count(a), 0);  -- if chance
CREATE OR REPLACE TEMP MACRO brier_score(e) AS sum(e * e) / (1e8 * count(e));  -- if chance
-- The pairs of each chance that was forecast, and those of wet days.  -- if chance
CREATE OR REPLACE TEMP MACRO chances(f, a) AS [{n: histogram(f), w: histogram(f) FILTER (WHERE a > 0), rate: base_rate(a)}];  -- if chance
CREATE OR REPLACE TEMP MACRO wet_share(h, c) AS coalesce(h.w[c.key], 0) / c.value;  -- if chance
CREATE OR REPLACE TEMP MACRO stats(e, d) AS {  -- if not chance
CREATE OR REPLACE TEMP MACRO stats(e, d, f, a) AS {  -- if chance
  brier_score: millionths(brier_score(e)),  -- if chance
  brier_skill_score: millionths(1 - brier_score(e) / nullif(base_rate(a) * (1 - base_rate(a)), 0)),  -- if chance
  reliability: millionths(list_sum(list_transform(chances(f, a), h ->  -- if chance
    list_sum(list_transform(map_entries(h.n), c -> c.value * (c.key / 1e4 - wet_share(h, c)) ** 2)))) / count(e)),  -- if chance
  resolution: millionths(list_sum(list_transform(chances(f, a), h ->  -- if chance
    list_sum(list_transform(map_entries(h.n), c -> c.value * (wet_share(h, c) - h.rate) ** 2)))) / count(e)),  -- if chance
  base_rate: millionths(base_rate(a)),  -- if chance
  verification_pairs: count(e), unique_days: count(DISTINCT d), mean_error: degrees(sum(e), count(e)),
  std_dev: degrees_root(count(e) * sum(e * e) - sum(e) * sum(e), count(e)::HUGEINT * count(e)),
  mae: degrees(sum(abs(e)), count(e)), rmse: degrees_root(sum(e * e), count(e)),
  abs_error_p50: percentile(e, 0.5), abs_error_p90: percentile(e, 0.9), abs_error_p95: percentile(e, 0.95)};
CREATE OR REPLACE TEMP TABLE pairs AS
SELECT
  provider,  -- if providers
  sd, p05, p10, p20, p25, p30, p40, p50, p60, p70, p75, p80, p90, p95,  -- if distributions
  station_id, target_date, issued_at, lead_time_hours, lead_time_bucket, observation_status,
  (observation_status = 'preliminary')::INT AS preliminary,
  round(forecast * 100)::BIGINT AS f, round(actual * 100)::BIGINT AS a, f - a AS e,
  -- Local midnight is a whole second, so it corrects what lead_time_hours has lost in rounding.
  round(epoch_ms(issued_at) / 1000 + lead_time_hours * 3600)::BIGINT * 1000 - epoch_ms(issued_at) AS lead_ms,
  epoch_ms(issued_at) + lead_ms AS begins_ms  -- local midnight, or the hour
FROM 'pairs.parquet'
WHERE metric = {{metric}} AND target_date BETWEEN {{from}} AND {{to}}
  AND provider IN {{providers}}  -- if providers
  AND station_id IN {{ids}}  -- if ids
  AND epoch_ms(issued_at) // 3600000 % 24 IN {{hours}}  -- if hours
  AND lead_time_bucket IN {{buckets}};
-- A constant sample: stations with pairs on enough days of the window, of each provider.  -- if min_days
DELETE FROM pairs WHERE station_id NOT IN (  -- if min_days
  SELECT station_id FROM pairs GROUP BY station_id HAVING count(DISTINCT target_date) >= {{min_days}}  -- if min_days -- if not providers
  SELECT station_id FROM (  -- if min_days -- if providers
    SELECT station_id, provider, count(DISTINCT target_date) AS days FROM pairs GROUP BY ALL)  -- if min_days -- if providers
  GROUP BY station_id HAVING min(days) >= {{min_days}} AND count(*) = len({{providers}})  -- if min_days -- if providers
);  -- if min_days
