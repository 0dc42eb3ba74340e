.read subject.sql
.read inexact.sql -- if celsius
-- Bins of errors in hundredths of the unit: five of a size and one for all beyond or, with signed=true, all from the lowest error on.
CREATE OR REPLACE TEMP MACRO shown(x) AS regexp_replace(x::DOUBLE::VARCHAR, '\.0$', '');
CREATE OR REPLACE TEMP TABLE binned AS
SELECT
  floor_div(2 * in_unit(e) + of_unit({{width}}), 2 * of_unit({{width}}))::BIGINT AS bin  -- if signed
  least(5, in_unit(abs(e)) // of_unit({{width}}))::BIGINT AS bin  -- if not signed
FROM pairs;
CREATE OR REPLACE TEMP TABLE bins AS
SELECT bin, count(b.bin) AS n,
  (bin * {{width}} - {{width}} / 2) / 100 AS first, first + {{width}} / 100 AS last, shown(first) || ' to ' || shown(last) AS range,  -- if signed
  bin * {{width}} / 100 AS first, CASE WHEN bin < 5 THEN (bin + 1) * {{width}} / 100 END AS last,  -- if not signed
  coalesce(shown(first) || '-' || shown(last), shown(first) || '+') AS range,  -- if not signed
FROM (
  SELECT unnest(range(min(bin), max(bin) + 1)) AS bin FROM binned  -- if signed
  SELECT unnest(range(0, 6)) AS bin WHERE EXISTS (FROM binned)  -- if not signed
) LEFT JOIN binned AS b USING (bin) GROUP BY bin;
SELECT subject_id() AS station_id, subject_name() AS city_name, coalesce((SELECT list({
    range: range || {{unit_text}}, count: n, pct: percentage(n, (SELECT count(*) FROM pairs)),
    share: share(n, (SELECT count(*) FROM pairs)),
    'from': first, 'to': last  -- if not has_degrees
    from_f: first, to_f: last  -- if has_degrees -- if not celsius
    from_f: difference_in_f(first), from_c: first, to_f: difference_in_f(last), to_c: last  -- if celsius
  } ORDER BY bin) FROM bins), []) AS buckets, count(*) AS verification_pairs, count(DISTINCT target_date) AS unique_days
FROM pairs;
SELECT count(*) AS total_records FROM pairs;
