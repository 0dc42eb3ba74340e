.read uncertainty.sql -- if ci
.read sums.sql -- if sums
SELECT b.lead_time_bucket, stats(e, target_date) AS stats,  -- if not chance
SELECT b.lead_time_bucket, stats(e, target_date, f, a) AS stats,  -- if chance
  uncertainty_of(b.lead_time_bucket) AS uncertainty,  -- if ci
  sum_of(f, latest) AS sum_forecast, sum_of(a, latest) AS sum_actual,  -- if sums
FROM (SELECT unnest({{buckets}}) AS lead_time_bucket, unnest(range(len({{buckets}}))) AS place) AS b
LEFT JOIN pairs USING (lead_time_bucket)
WHERE EXISTS (FROM pairs) GROUP BY b.lead_time_bucket, b.place ORDER BY b.place;
SELECT count(*) AS total_records FROM pairs;
