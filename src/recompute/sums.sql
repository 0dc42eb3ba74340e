-- Sums are over station days, each with its latest forecast.
CREATE OR REPLACE TEMP TABLE pairs AS SELECT *, row_number() OVER (
  PARTITION BY station_id, target_date, begins_ms
    , lead_time_bucket  -- if separate=lead_time_bucket
  ORDER BY issued_at DESC) = 1 AS latest FROM pairs;
CREATE OR REPLACE TEMP MACRO sum_of(x, latest) AS degrees(sum(x) FILTER (latest), 1);
