-- Error histograms: how many pairs had which error. Errors have a grain of 0.01 °F, so a histogram holds all that
-- the nine statistics need, exactly; counts add and subtract, so a correction flows through as a -1.
-- Rows with equal keys are merged some time later: always read sum(pair_count) GROUP BY ..., HAVING != 0.

CREATE TABLE IF NOT EXISTS station_errors (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date,
    lead_time_bucket Enum8('0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    error Decimal(5, 2), -- °F
    pair_count Int64,
    preliminary_pair_count Int64 -- those of them that rest on a preliminary observation (D6)
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, station_id, target_date, lead_time_bucket, error);

CREATE MATERIALIZED VIEW IF NOT EXISTS station_errors_view TO station_errors AS
SELECT
    metric, station_id, target_date, lead_time_bucket, error,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM pairs
GROUP BY metric, station_id, target_date, lead_time_bucket, error;

-- The same over the network: thousands of stations make a few hundred errors a day.
CREATE TABLE IF NOT EXISTS network_errors (
    metric Enum8('high' = 1, 'low' = 2),
    target_date Date,
    lead_time_bucket Enum8('0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    error Decimal(5, 2), -- °F
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, target_date, lead_time_bucket, error);

CREATE MATERIALIZED VIEW IF NOT EXISTS network_errors_view TO network_errors AS
SELECT
    metric, target_date, lead_time_bucket, error,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM pairs
GROUP BY metric, target_date, lead_time_bucket, error;
