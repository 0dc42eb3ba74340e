-- Error histograms: how many pairs had which error. Errors are whole hundredths of a °F, so a histogram holds all that
-- the nine statistics need, exactly; counts add and subtract, so a correction flows through as a -1. Rows with equal
-- keys are merged some time later, and a key whose pairs were all withdrawn may still have rows: read sums, never rows,
-- and count a day only where its sum is not 0. src/queries/histograms.ts lists these tables and the questions they serve.
--
-- Same-day pairs (D40) are in the tables that have lead times, in a bucket of their own, and in no other.
-- A view does not group where an inserted block has hardly two pairs of one key: its table's engine adds those up as
-- it sorts the block.

-- For questions about one station: its days lie together. Not partitioned, since every part that a question touches
-- costs it 0.4 ms.
-- shard: station_id
CREATE TABLE IF NOT EXISTS station_day_errors (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date,
    lead_time_bucket Enum8('same-day' = 0, '0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    error_hundredths Int16, -- forecast - actual, 0.01 °F
    pair_count Int64,
    preliminary_pair_count Int64 -- those of them that rest on a preliminary observation (D6)
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, provider, station_id, target_date, lead_time_bucket, error_hundredths);

CREATE MATERIALIZED VIEW IF NOT EXISTS station_day_errors_mv TO station_day_errors AS
SELECT
    metric, provider, station_id, target_date, lead_time_bucket, error_hundredths,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths;

-- For questions about the network: thousands of stations make a few hundred errors a day.
-- shard: local
CREATE TABLE IF NOT EXISTS network_day_errors (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    target_date Date,
    lead_time_bucket Enum8('same-day' = 0, '0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    error_hundredths Int16,
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, provider, target_date, lead_time_bucket, error_hundredths);

CREATE MATERIALIZED VIEW IF NOT EXISTS network_day_errors_mv TO network_day_errors AS
SELECT
    metric, provider, target_date, lead_time_bucket, error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths
GROUP BY metric, provider, target_date, lead_time_bucket, error_hundredths;

-- For questions about every station at once: whole weeks, without lead times.
-- shard: station_id
CREATE TABLE IF NOT EXISTS station_week_errors (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    week_start Date, -- a Monday
    station_id LowCardinality(String),
    error_hundredths Int16,
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, provider, week_start, station_id, error_hundredths);

CREATE MATERIALIZED VIEW IF NOT EXISTS station_week_errors_mv TO station_week_errors AS
SELECT
    metric, provider, toMonday(target_date) AS week_start, station_id, error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_ms AS lead, errors_hundredths AS error_hundredths
WHERE lead >= 0
GROUP BY metric, provider, week_start, station_id, error_hundredths;

-- Which days a station has pairs on, for the same questions.
-- shard: station_id
CREATE TABLE IF NOT EXISTS station_day_counts (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    target_date Date,
    station_id LowCardinality(String),
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, provider, target_date, station_id);

CREATE MATERIALIZED VIEW IF NOT EXISTS station_day_counts_mv TO station_day_counts AS
SELECT
    metric, provider, target_date, station_id,
    sign * toInt64(arrayCount(lead -> lead >= 0, lead_ms)) AS pair_count,
    if(observation_status = 'preliminary', pair_count, 0) AS preliminary_pair_count
FROM station_days
WHERE has(arrayMap(lead -> lead >= 0, lead_ms), 1);
