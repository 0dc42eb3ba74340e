.read student-t.sql
-- The interval of each share x / w (docs/uncertainty.md): cosines over the days from the first to the last with a case, then Wilson's formula.
CREATE OR REPLACE TEMP TABLE bounds AS
WITH spans AS (
  SELECT key, name, min(day) AS first, max(day) - min(day) + 1 AS length, sum(w)::DOUBLE AS total, sum(x)::DOUBLE AS hits, count(*) AS days,
    floor(0.4::DOUBLE * least(days, total * total / sum(w * w)) ** (2 / 3.0::DOUBLE))::INT AS wanted,
    CASE WHEN days >= 14 AND wanted >= 2 THEN wanted ELSE 0 END AS df
  FROM shares WHERE w > 0 GROUP BY key, name),
projections AS (
  SELECT key, name, j, any_value(length) AS length, any_value(df) AS df, any_value(total) AS total,
    sum((x - hits / total * w) * cos(pi() * j * (day - first + 0.5) / length)) AS p
  FROM shares JOIN spans USING (key, name), range(1, df + 1) AS each(j) WHERE w > 0 GROUP BY key, name, j),
errors AS (
  SELECT key, name, sqrt(any_value(length) * sum(2 / length * p * p) / any_value(df)) / any_value(total) AS se
  FROM projections GROUP BY key, name),
sized AS (  -- without spread, days count
  SELECT *, hits / total AS r, student_t(df) ** 2 AS tt,
    CASE WHEN se > 1e-10 THEN least(total, greatest(1, r * (1 - r) / (se * se))) ELSE least(days, total) END AS n
  FROM spans LEFT JOIN errors USING (key, name) WHERE df > 0)
SELECT key, name, floor(10 * n + 0.5) / 10 AS n_eff,
  greatest(0, (r + tt / (2 * n) - sqrt(tt * (r * (1 - r) / n + tt / (4 * n * n)))) / (1 + tt / n)) AS from_share,
  least(1, (r + tt / (2 * n) + sqrt(tt * (r * (1 - r) / n + tt / (4 * n * n)))) / (1 + tt / n)) AS to_share,
  round(10000 * from_share) / 10000 AS low, round(10000 * to_share) / 10000 AS high
FROM sized;
