-- How the providers depart from each other on each day, over the network (src/watch). A load adds the days whose pairs it has
-- changed; of each day the rows of the latest load count.
-- shard: none
CREATE TABLE IF NOT EXISTS network_days (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    target_date Date,
    station_days UInt32,
    error Float64, -- their mean, 0.01 °F
    compared_days UInt32, -- station days that another provider has too
    departure Float64, -- mean of their forecast - the median of the others', 0.01 °F
    load_id UInt32
) ENGINE = MergeTree ORDER BY (target_date, metric, provider);
