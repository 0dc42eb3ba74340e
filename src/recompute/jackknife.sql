.read weeks.sql
-- The intervals of scores that are no means, by the jackknife over weeks, within what the score can be. A score that is not known without
-- one of the weeks has no interval.
CREATE OR REPLACE TEMP MACRO score(name, a, b, c, d) AS CASE name WHEN 'frequency_bias' THEN (a + b) / nullif(a + c, 0)
  WHEN 'ets' THEN (a * (a + b + c + d) - (a + b) * (a + c)) / nullif((a + b + c) * (a + b + c + d) - (a + b) * (a + c), 0)
  ELSE 2 * (a * d - b * c) / nullif((a + c) * (c + d) + (a + b) * (b + d), 0) END;
INSERT INTO bounds BY NAME
WITH weeks AS (
  SELECT key, week_of(day) AS week, sum(a)::BIGINT AS a, sum(b)::BIGINT AS b, sum(c)::BIGINT AS c, sum(d)::BIGINT AS d
  FROM days GROUP BY key, week),
totals AS (
  SELECT key, sum(a)::BIGINT AS sa, sum(b)::BIGINT AS sb, sum(c)::BIGINT AS sc, sum(d)::BIGINT AS sd FROM weeks GROUP BY key),
without AS (
  SELECT key, name, score(name, sa, sb, sc, sd) AS value, score(name, sa - a, sb - b, sc - c, sd - d) AS other
  FROM weeks JOIN totals USING (key), (SELECT unnest(['frequency_bias', 'ets', 'hss']) AS name)),
errors AS (
  SELECT key, name, any_value(value) AS value, count(*) AS k, sqrt(k * var_pop(other) * (k - 1) / k) AS se,
    CASE name WHEN 'frequency_bias' THEN 0 WHEN 'ets' THEN -1 / 3 ELSE -1 END AS least,
    CASE name WHEN 'frequency_bias' THEN 'infinity'::DOUBLE ELSE 1 END AS most
  FROM without GROUP BY key, name HAVING count(other) = count(*) AND count(*) >= 6 AND se >= 1e-10)
SELECT key, name, round(10000 * greatest(least, value - student_t(k - 1) * se)) / 10000 AS low,
  round(10000 * least(most, value + student_t(k - 1) * se)) / 10000 AS high
FROM errors;
