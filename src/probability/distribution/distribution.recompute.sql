.read inexact.sql
.read student-t.sql
.read stations.sql -- if group_by=station
-- z of each level, and the normal distribution function: a quotient of polynomials (Hart 1968).
CREATE OR REPLACE TEMP MACRO z(level) AS ({{quantiles}})[list_position({{levels}}, level)] / 1e6;
CREATE OR REPLACE TEMP MACRO polynomial(coefficients, x) AS list_reduce(coefficients, (total, each) -> total * x + each);
CREATE OR REPLACE TEMP MACRO tail(x) AS exp(-x * x / 2) * CASE WHEN x < 7
  THEN polynomial([3.52624965998911e-2, 7.00383064443688e-1, 6.37396220353165e0, 3.3912866078383e1, 1.12079291497871e2, 2.21213596169931e2,
    2.20206867912376e2], x) / polynomial([8.83883476483184e-2, 1.75566716318264e0, 1.6064177579207e1, 8.67807322029461e1,
    2.96564248779674e2, 6.37333633378831e2, 7.93826512519948e2, 4.40413735824752e2], x)
  ELSE 1 / (x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65e0))))) / sqrt(2 * pi()) END;
CREATE OR REPLACE TEMP MACRO phi(z) AS CASE WHEN z < 0 THEN tail(-z) ELSE 1 - tail(z) END;
-- The loss of a quantile, 0.0001 °F; `above` is the quantile less the observation. Losses in degrees, to 0.000001.
CREATE OR REPLACE TEMP MACRO loss(above, level) AS CASE WHEN above >= 0 THEN (100 - level) * above ELSE -level * above END;
CREATE OR REPLACE TEMP MACRO mean_loss(losses, count) AS floor(losses * 1e4 / (count * {{size}}) + 0.5) / 1e6 + 0;
CREATE OR REPLACE TEMP MACRO ten_thousandths(x) AS floor(1e4 * x + 0.5 + 1e-10) / 1e4;
-- A case is a station day with its latest forecast, in each lead time with its latest forecast of that one, and what it states.
CREATE OR REPLACE TEMP TABLE cases AS
WITH latest AS (
  SELECT
    provider,  -- if providers
    {{provider}} AS provider,  -- if not providers
    0 AS grouping,  -- if group_by=none
    list_position({{all_buckets}}, lead_time_bucket) AS grouping,  -- if group_by=lead_time_bucket
    station_id AS grouping,  -- if group_by=station
    date_trunc('month', target_date)::DATE AS grouping,  -- if group_by=month
    station_id, target_date AS day, begins_ms, any_value(a) AS a,
    arg_max({f: f, e: e, sd: round(100 * sd)::BIGINT, stated: list_filter(list_transform(
      list_zip({{levels}}, [p05, p10, p20, p25, p30, p40, p50, p60, p70, p75, p80, p90, p95]),
      pair -> {level: pair[1], value: round(100 * pair[2])::BIGINT}), each -> each.value IS NOT NULL)}, issued_at) AS said
  FROM pairs GROUP BY ALL),
stated AS (
  SELECT row_number() OVER () AS id, provider, grouping, day, a, said.e AS e, said.sd AS sd, len(said.stated) > 0 AS has_quantiles,
    CASE WHEN has_quantiles THEN list_transform(said.stated, each -> each.level) WHEN sd IS NOT NULL THEN {{levels}} END AS levels,
    -- Quantiles less the forecast; those of a standard deviation alone are of a normal.
    CASE WHEN has_quantiles THEN list_transform(said.stated, each -> each.value - said.f)
      ELSE list_transform({{quantiles}}, z -> floor(z * said.sd / 1e6 + 0.5)::BIGINT) END AS offsets
  FROM latest)
SELECT * EXCLUDE (has_quantiles, sd), list_transform(offsets, each -> each + e) AS above,
  CASE WHEN has_quantiles THEN (offsets[-1] - offsets[1])::DOUBLE ELSE sd * ({{quantiles}}[-1] - {{quantiles}}[1]) / 1e6 END AS width,
  len(list_filter(above, each -> each < 0)) AS i, len(list_filter(above, each -> each = 0)) AS k,
  CASE WHEN a % 100 = 0 THEN 100 WHEN (a - 3200) % 180 = 0 THEN 180 ELSE 18 END AS degree
FROM stated;
-- The levels that most cases of a record have; of two as common the more levels, then the first.
CREATE OR REPLACE TEMP TABLE scored AS
WITH common AS (
  SELECT provider, grouping, levels FROM cases WHERE levels IS NOT NULL GROUP BY provider, grouping, levels
  QUALIFY row_number() OVER (PARTITION BY provider, grouping ORDER BY count(*) DESC, len(levels) DESC, levels) = 1),
tied AS (
  SELECT *, {provider: provider, grouping: grouping} AS key, coalesce(levels[nullif(i, 0)], 0) AS lower, coalesce(levels[i + k + 1], 100) AS higher,
    CASE WHEN k = 1 AND width > 0 THEN degree / width / 2 * (z(levels[-1]) - z(levels[1])) END AS half,
    100 * phi(z(levels[i + 1]) - half) AS cell_from, 100 * phi(z(levels[i + 1]) + half) AS cell_to,
    coalesce(higher - lower >= 2 * (cell_to - cell_from), false) AS in_cell
  FROM cases JOIN common USING (provider, grouping, levels))
-- docs/probability.md, Ties
SELECT *, CASE WHEN in_cell THEN greatest(lower, cell_from) ELSE lower END AS place_from,
  CASE WHEN in_cell THEN least(higher, cell_to) ELSE higher END AS place_to
FROM tied;
CREATE OR REPLACE TEMP TABLE by_level AS
SELECT key, id, day, e, level, offset_f, above,
  CASE WHEN above < 0 THEN 0 WHEN above > 0 THEN 1 ELSE (level - place_from) / (place_to - place_from) END::DOUBLE AS below
FROM (SELECT key, id, day, e, place_from, place_to, unnest(levels) AS level, unnest(offsets) AS offset_f, unnest(above) AS above FROM scored);
-- Shares below each level, and between two.
CREATE OR REPLACE TEMP TABLE shares AS
SELECT key, day, 'below ' || level AS name, count(*) AS w, sum(below) AS x FROM by_level GROUP BY ALL
UNION ALL
SELECT high.key, high.day, 'covered ' || nominal, count(*), sum(high.below - low.below)
FROM by_level AS low JOIN by_level AS high USING (id), (SELECT unnest({{nominals}}) AS nominal)
WHERE 2 * low.level = 100 - nominal AND 2 * high.level = 100 + nominal GROUP BY ALL;
.read intervals.sql
-- The forecasts dressed by a normal of the mean and the standard deviation of these errors.
CREATE OR REPLACE TEMP TABLE errors_of AS
SELECT key, count(*) AS n, count(DISTINCT day) AS days, any_value(levels) AS levels, sum(e) / count(*) AS mean,
  sum(width * width) AS width_squares
FROM scored GROUP BY key;
CREATE OR REPLACE TEMP TABLE squares_of AS
SELECT key, sum((e - mean) ** 2) AS squares FROM scored JOIN errors_of USING (key) GROUP BY key;
CREATE OR REPLACE TEMP TABLE losses AS
SELECT key, day, id, sum(loss(above, level)) AS own,
  sum(loss(floor(z(level) * sqrt(squares / n) - mean + 0.5)::BIGINT + e, level)) AS normal
FROM by_level JOIN errors_of USING (key) JOIN squares_of USING (key) GROUP BY ALL;
-- What the shape is judged by: the mean of the shares below all levels, and the share between the outermost; and the difference of losses.
CREATE OR REPLACE TEMP TABLE clusters AS
WITH of_cases AS (
  SELECT key, day, id, avg(below) AS location, arg_max(below, level) - arg_min(below, level) AS width FROM by_level GROUP BY ALL)
SELECT key, day AS cluster, 1 AS days, count(*) AS w, 0 AS squares,
  unnest(['location', 'width', 'difference']) AS name, unnest([sum(location), sum(width), sum(own - normal)])::DOUBLE AS x
FROM of_cases JOIN losses USING (key, day, id) GROUP BY key, day;
.read means.sql
CREATE OR REPLACE TEMP MACRO contrast(value, se, df, expected) AS CASE
  WHEN df = 0 THEN NULL
  WHEN se IS NULL THEN CASE WHEN abs(value - expected) < 1e-9 THEN 0 ELSE 'infinity'::DOUBLE * sign(value - expected) END
  WHEN expected BETWEEN value - ({{shape_t}})[df] * se AND value + ({{shape_t}})[df] * se THEN 0 ELSE (value - expected) / se END;
CREATE OR REPLACE TEMP TABLE shapes AS
SELECT key, contrast(any_value(value) FILTER (name = 'location'), any_value(se) FILTER (name = 'location'),
    any_value(df), list_avg(any_value(levels)) / 100) AS location,
  CASE WHEN len(any_value(levels)) < 2 THEN 0 ELSE contrast(any_value(value) FILTER (name = 'width'),
    any_value(se) FILTER (name = 'width'), any_value(df), (any_value(levels)[-1] - any_value(levels)[1]) / 100) END AS width,
  CASE WHEN location IS NULL OR width IS NULL THEN NULL WHEN location = 0 AND width = 0 THEN 'flat'
    WHEN abs(width) >= abs(location) THEN CASE WHEN width < 0 THEN 'too_narrow' ELSE 'too_wide' END
    WHEN location > 0 THEN 'too_warm' ELSE 'too_cold' END AS shape
FROM means JOIN errors_of USING (key) GROUP BY key;
CREATE OR REPLACE TEMP TABLE levels_of AS
WITH sums AS (
  SELECT key, level, 'below ' || level AS name, count(*) AS n, sum(below) AS below, sum(loss(above, level)) AS losses, sum(offset_f) AS offset_f
  FROM by_level GROUP BY key, level)
SELECT key, any_value(n) AS n, list(level ORDER BY level) AS levels, list(below ORDER BY level) AS sums, list(offset_f ORDER BY level) AS offsets,
  sum(losses) AS losses,
  list({level: level, observed: ten_thousandths(below / n), low: low, high: high,
    verdict: CASE WHEN to_share < level / 100 THEN 'too_low' WHEN from_share > level / 100 THEN 'too_high'
      WHEN greatest(level / 100 - from_share, to_share - level / 100) <= 0.15 + 1e-9 THEN 'holds' END,
    pinball: mean_loss(losses, n)} ORDER BY level) AS coverage
FROM sums LEFT JOIN bounds USING (key, name) GROUP BY key;
CREATE OR REPLACE TEMP TABLE central AS
SELECT key, list({nominal: nominal, covered: ten_thousandths((sums[upper] - sums[lower]) / n), covered_low: low, covered_high: high,
  mean_width: degrees(offsets[upper] - offsets[lower], n)} ORDER BY nominal) AS intervals
FROM (
  SELECT *, 'covered ' || nominal AS name, list_position(levels, (100 - nominal) // 2) AS lower, list_position(levels, (100 + nominal) // 2) AS upper
  FROM levels_of, (SELECT unnest({{nominals}}) AS nominal))
LEFT JOIN bounds USING (key, name) WHERE lower IS NOT NULL AND upper IS NOT NULL GROUP BY key;
SELECT l.key.provider AS provider,
  {{all_buckets}}[l.key.grouping] AS lead_time_bucket,  -- if group_by=lead_time_bucket
  l.key.grouping AS station_id, city_name,  -- if group_by=station
  l.key.grouping AS month,  -- if group_by=month
  l.n AS cases, errors_of.days AS days, l.levels AS levels, coverage, coalesce(intervals, []) AS intervals,
  {counts: list_transform(range(1, len(l.levels) + 2), slot ->
      to_hundredths(100 * (coalesce(sums[slot], l.n) - coalesce(sums[nullif(slot - 1, 0)], 0)))),
    expected: list_transform(range(1, len(l.levels) + 2), slot ->
      floor(l.n * (coalesce(l.levels[slot], 100) - coalesce(l.levels[nullif(slot - 1, 0)], 0)) / 10 + 0.5) / 10)} AS pit,
  shape, mean_loss(2 * l.losses, l.n * len(l.levels)) AS crps_from_quantiles,
  CASE WHEN len(l.levels) > 1 AND squares > 0
    THEN to_hundredths(100 * sqrt(width_squares / (z(l.levels[-1]) - z(l.levels[1])) ** 2 / squares)) END AS spread_to_error,
  {normal: {cases: l.n, crps_from_quantiles: mean_loss(2 * normal, l.n * len(l.levels)), difference: {
    value: mean_loss(2 * (l.losses - normal), l.n * len(l.levels)), low: mean_loss(2 * (value - reach), len(l.levels)),
    high: mean_loss(2 * (value + reach), len(l.levels))}}} AS against
FROM levels_of AS l JOIN errors_of USING (key) JOIN squares_of USING (key) JOIN shapes USING (key)
JOIN (SELECT key, sum(normal) AS normal FROM losses GROUP BY key) USING (key) LEFT JOIN central USING (key)
JOIN means ON means.key = l.key AND means.name = 'difference'
JOIN stations ON station_id = l.key.grouping  -- if group_by=station
ORDER BY l.key.provider, l.key.grouping;
SELECT (SELECT count(*) FROM scored) AS total_records, count(*) FILTER (levels IS NULL) AS cases_without_distribution,
  count(levels) - (SELECT count(*) FROM scored) AS cases_of_other_levels
FROM cases;
