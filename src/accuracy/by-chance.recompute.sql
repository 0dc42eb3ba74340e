.read cases.sql
CREATE OR REPLACE TEMP TABLE binned AS SELECT *, least(f // 1000, 9)::INT AS bin FROM cases;
CREATE OR REPLACE TEMP TABLE shares AS
SELECT bin AS key, 'wet' AS name, target_date AS day, count(*) AS w, count(*) FILTER (a > 0) AS x FROM binned GROUP BY ALL;
.read intervals.sql
-- The consistency bar of each bin: quantiles of a Poisson binomial distribution, summed over points of a circle (docs/uncertainty.md).  -- if bars
CREATE OR REPLACE TEMP TABLE chances AS SELECT bin, f / 1e4 AS p, count(*) AS n FROM binned GROUP BY ALL;  -- if bars
CREATE OR REPLACE TEMP TABLE circles AS  -- if bars
SELECT bin, sum(n)::BIGINT AS cases, ceil(10 * sqrt(sum(p * (1 - p) * n)) + 31)::BIGINT AS reach, least(cases + 1, 2 * reach + 1) AS points,  -- if bars
  greatest(0, least(cases + 1 - points, floor(sum(p * n))::BIGINT - reach)) AS first FROM chances GROUP BY bin;  -- if bars
CREATE OR REPLACE TEMP TABLE waves AS  -- if bars
SELECT bin, 2 * pi() * l / any_value(points) AS angle, sum(n * atan2(p * sin(2 * pi() * l / points), 1 - p + p * cos(2 * pi() * l / points))) AS turn,  -- if bars
  CASE WHEN 2 * l < any_value(points) THEN 2 ELSE 1 END / (any_value(points) * sin(pi() * l / any_value(points)))  -- if bars
    * exp(sum(n * ln(greatest(1e-300, 1 - 2 * p * (1 - p) * (1 - cos(2 * pi() * l / points))))) / 2) AS weight  -- if bars
FROM circles JOIN chances USING (bin), unnest(range(1, points // 2 + 1)) AS each(l) GROUP BY bin, l;  -- if bars
CREATE OR REPLACE TEMP TABLE bars AS  -- if bars
SELECT bin, share(min(k) FILTER (up_to >= (1 - {{level}}) / 2 - 1e-9), any_value(cases)) AS low,  -- if bars
  share(min(k) FILTER (up_to >= (1 + {{level}}) / 2 - 1e-9), any_value(cases)) AS high  -- if bars
FROM (SELECT bin, k, any_value(cases) AS cases, (k - any_value(first) + 1) / any_value(points)  -- if bars
    + sum(weight * sin(angle * (k - first + 1) / 2) * cos(turn - angle * (first + k) / 2)) AS up_to  -- if bars
  FROM circles JOIN waves USING (bin), unnest(range(first, first + points)) AS each(k) GROUP BY bin, k) GROUP BY bin;  -- if bars
SELECT bin * 10 AS chance_low, bin * 10 + 10 AS chance_high, count(*) AS cases, count(*) FILTER (a > 0) AS wet_days,
  half_away(sum(f), count(*)) / 100.0 AS mean_chance, share(wet_days, count(*)) AS observed_share,
  any_value(bounds.low) AS observed_share_low, any_value(bounds.high) AS observed_share_high
  , any_value(bars.low) AS consistency_low, any_value(bars.high) AS consistency_high  -- if bars
FROM binned LEFT JOIN bounds ON key = bin
LEFT JOIN bars USING (bin)  -- if bars
GROUP BY bin ORDER BY bin;
SELECT count(*) AS total_records FROM cases;
