.read weeks.sql
.read stations.sql
-- The effective size: as many independent pairs would leave the MAE as uncertain as its weeks do (docs/uncertainty.md).
CREATE OR REPLACE TEMP TABLE sizes AS
WITH weeks AS (SELECT station_id, week_of(target_date) AS week, count(*) AS w, sum(abs(e))::BIGINT AS x FROM pairs GROUP BY ALL),
means AS (SELECT station_id, sum(x)::DOUBLE / sum(w) AS mae, sum(w) AS total, count(*) AS k FROM weeks GROUP BY ALL),
errors AS (
  SELECT station_id, mae, total, sqrt(sum((x - mae * w) ** 2) * k / (k - 1)) / total AS se FROM weeks JOIN means USING (station_id)
  WHERE k >= 6 AND mae > 0 GROUP BY station_id, mae, k, total HAVING se > 1e-10),
own AS (
  SELECT station_id, count(*) AS n, count(DISTINCT target_date) AS d, sum(preliminary)::BIGINT AS p, min(target_date) AS first,
    max(target_date) AS last, avg(e * e) AS square FROM pairs GROUP BY station_id)
SELECT *, CASE WHEN d >= 14 THEN floor(10 * least(total, greatest(1, (square - mae * mae) / (se * se))) + 0.5) / 10 END AS n_eff
FROM own LEFT JOIN errors USING (station_id);
SELECT station_id, city_name, coalesce(n, 0) AS verification_pairs, coalesce(d, 0) AS unique_days, coalesce(p, 0) AS preliminary_pairs,
  first AS first_date, last AS last_date, {{days}} AS days_expected, share(unique_days, {{days}}) AS coverage,
  CASE WHEN se IS NOT NULL THEN n_eff END AS n_eff_mae, unique_days >= 30 AND 10 * unique_days >= 9 * {{days}} AS sufficient
FROM stations LEFT JOIN sizes USING (station_id) WHERE verification_pairs >= {{min_samples}} ORDER BY station_id;
SELECT coalesce(sum(n), 0)::BIGINT AS total_records FROM stations LEFT JOIN sizes USING (station_id) WHERE n >= {{min_samples}};
