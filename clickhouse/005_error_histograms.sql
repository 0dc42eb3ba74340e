-- Error histograms, anew: how many pairs had which error. Errors are whole hundredths of a °F, so a histogram holds
-- all that the nine statistics need, exactly; counts add and subtract, so a correction flows through as a -1. These
-- tables take the place of those in 003; they are made from the ledger, here once and by their views from then on.
-- Rows with equal keys are merged some time later, and a key whose pairs were all withdrawn may still have rows: read
-- sums, never rows, and count a day only where its sum is not 0.
DROP VIEW IF EXISTS station_errors_view;
DROP VIEW IF EXISTS network_errors_view;
DROP VIEW IF EXISTS station_week_errors_view;
DROP VIEW IF EXISTS station_days_view;
DROP TABLE IF EXISTS station_errors SYNC;
DROP TABLE IF EXISTS network_errors SYNC;
DROP TABLE IF EXISTS station_week_errors SYNC;
DROP TABLE IF EXISTS station_days SYNC;

-- For questions about one station: its days lie together. Not partitioned, since every part that a question touches
-- costs it 0.4 ms.
CREATE TABLE IF NOT EXISTS station_errors (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date,
    lead_time_bucket Enum8('0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    error_hundredths Int16, -- forecast - actual, 0.01 °F
    pair_count Int64,
    preliminary_pair_count Int64 -- those of them that rest on a preliminary observation (D6)
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, station_id, target_date, lead_time_bucket, error_hundredths);

-- For questions about the network: thousands of stations make a few hundred errors a day.
CREATE TABLE IF NOT EXISTS network_errors (
    metric Enum8('high' = 1, 'low' = 2),
    target_date Date,
    lead_time_bucket Enum8('0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    error_hundredths Int16,
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, target_date, lead_time_bucket, error_hundredths);

-- For questions about every station at once: whole weeks, without lead times.
CREATE TABLE IF NOT EXISTS station_week_errors (
    metric Enum8('high' = 1, 'low' = 2),
    week_start Date, -- a Monday
    station_id LowCardinality(String),
    error_hundredths Int16,
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, week_start, station_id, error_hundredths);

-- Which days a station has pairs on, for the same questions.
CREATE TABLE IF NOT EXISTS station_days (
    metric Enum8('high' = 1, 'low' = 2),
    target_date Date,
    station_id LowCardinality(String),
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, target_date, station_id);

INSERT INTO station_errors
SELECT
    metric, station_id, target_date, lead_time_bucket, toInt16(error * 100) AS error_hundredths,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
FROM pairs;

INSERT INTO network_errors
SELECT
    metric, target_date, lead_time_bucket, toInt16(error * 100) AS error_hundredths,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
FROM pairs;

INSERT INTO station_week_errors
SELECT
    metric, toMonday(target_date) AS week_start, station_id, toInt16(error * 100) AS error_hundredths,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
FROM pairs;

INSERT INTO station_days
SELECT
    metric, target_date, station_id,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
FROM pairs;

-- The views do not group where an inserted block has hardly two pairs of one key: the table's engine adds those up
-- as it sorts the block.
CREATE MATERIALIZED VIEW IF NOT EXISTS station_errors_view TO station_errors AS
SELECT
    metric, station_id, target_date, lead_time_bucket, toInt16(error * 100) AS error_hundredths,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary_pair_count
FROM pairs;

CREATE MATERIALIZED VIEW IF NOT EXISTS network_errors_view TO network_errors AS
SELECT
    metric, target_date, lead_time_bucket, toInt16(error * 100) AS error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM pairs
GROUP BY metric, target_date, lead_time_bucket, error_hundredths;

CREATE MATERIALIZED VIEW IF NOT EXISTS station_week_errors_view TO station_week_errors AS
SELECT
    metric, toMonday(target_date) AS week_start, station_id, toInt16(error * 100) AS error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM pairs
GROUP BY metric, week_start, station_id, error_hundredths;

CREATE MATERIALIZED VIEW IF NOT EXISTS station_days_view TO station_days AS
SELECT
    metric, target_date, station_id,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM pairs
GROUP BY metric, target_date, station_id;
