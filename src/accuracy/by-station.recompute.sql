.read pair.sql -- if include_raw
.read uncertainty.sql -- if ci
SELECT {{station_id}} AS station_id, {{city_name}} AS city_name, stats(e, target_date) AS stats, count(*) AS sample_size,  -- if not chance
SELECT {{station_id}} AS station_id, {{city_name}} AS city_name, stats(e, target_date, f, a) AS stats, count(*) AS sample_size,  -- if chance
  uncertainty_of('') AS uncertainty,  -- if ci
  (SELECT coalesce(list(pair_of(pairs) ORDER BY target_date, issued_at, begins_ms), []) FROM pairs) AS sample_records,  -- if include_raw
FROM pairs;
