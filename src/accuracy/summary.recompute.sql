.read uncertainty.sql -- if ci
.read coverage.sql
.read sums.sql -- if sums
SELECT unnest(stats(e, target_date)),  -- if not chance
SELECT unnest(stats(e, target_date, f, a)),  -- if chance
  sum_of(f, latest) AS sum_forecast, sum_of(a, latest) AS sum_actual,  -- if sums
  uncertainty_of('') AS uncertainty  -- if ci
FROM pairs;
SELECT n AS total_records, coverage_of(d, p) AS verification_coverage
FROM (SELECT count(*) AS n, count(DISTINCT target_date) AS d, count(DISTINCT target_date) FILTER (preliminary = 1) AS p FROM pairs);
