.read subject.sql
.read sums.sql -- if sums
SELECT
  target_date AS date,  -- if not group_by
  date_trunc('week', target_date)::DATE AS date,  -- if group_by=week
  date_trunc('month', target_date)::DATE AS date,  -- if group_by=month
  -- From December, March, June and September.
  (date_trunc('month', target_date) - to_months((month(target_date) % 3)::INT))::DATE AS date,  -- if group_by=season
  date_trunc('year', target_date)::DATE AS date,  -- if group_by=year
  subject_id() AS station_id, subject_name() AS city_name, stats(e, target_date) AS stats, count(*) AS sample_size,  -- if not chance
  subject_id() AS station_id, subject_name() AS city_name, stats(e, target_date, f, a) AS stats, count(*) AS sample_size,  -- if chance
  sum_of(f, latest) AS sum_forecast, sum_of(a, latest) AS sum_actual,  -- if sums
  sum(preliminary)::BIGINT AS preliminary_pairs,  -- if include_preliminary
FROM pairs GROUP BY date ORDER BY date;
SELECT count(*) AS total_records FROM pairs;
