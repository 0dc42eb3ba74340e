.read inexact.sql
.read student-t.sql
-- The standard error of each mean x / w (docs/uncertainty.md). A row of `clusters` is what varies: a day or, for many stations, a week.
-- `squares` is the sum of the squares of x's single values. Weeks are independent; days are told by cosines over all days between.
CREATE OR REPLACE TEMP TABLE means AS
WITH sums AS (
  SELECT key, name, sum(days) AS days, sum(w)::DOUBLE AS total, sum(x) / nullif(total, 0) AS value, sum(squares) / nullif(total, 0) - value * value AS variance,
    count(*) AS weeks, min(cluster) AS first, max(cluster) - min(cluster) + 1 AS length,
    -- As many days as days of equal weight would be, of which 0.4 n^(2/3) cosines follow.
    least(sum(days), total * total / nullif(sum(w * w), 0)) AS n, floor(0.4::DOUBLE * n ** (2 / 3.0::DOUBLE))::INT AS wanted,
    CASE WHEN sum(days) >= 14 AND wanted >= 2 THEN wanted ELSE 0 END AS df  -- if not by_week
    CASE WHEN sum(days) >= 14 AND weeks >= 6 THEN weeks - 1 ELSE 0 END AS df  -- if by_week
  FROM clusters GROUP BY key, name),
projections AS (  -- if not by_week
  SELECT key, name, j, sum((x - value * w) * cos(pi() * j * (cluster - first + 0.5) / length)) AS p  -- if not by_week
  FROM clusters JOIN sums USING (key, name), range(1, df + 1) AS each(j) GROUP BY key, name, j),  -- if not by_week
errors AS (
  SELECT key, name,
    sqrt(any_value(length) * sum(2 / length * p * p) / any_value(df)) / any_value(total) AS se  -- if not by_week
  FROM projections JOIN sums USING (key, name)  -- if not by_week
    sqrt(sum((x - value * w) ** 2) * any_value(weeks) / any_value(df)) / any_value(total) AS se  -- if by_week
  FROM clusters JOIN sums USING (key, name) WHERE df > 0  -- if by_week
  GROUP BY key, name)
SELECT key, name, days, df, value, se, student_t(df) * se AS reach,
  CASE WHEN se IS NOT NULL THEN floor(10 * least(total, greatest(1, variance / (se * se))) + 0.5) / 10 END AS n_eff
FROM sums LEFT JOIN (FROM errors WHERE se > 1e-10) USING (key, name);  -- less is what arithmetic leaves of no spread
