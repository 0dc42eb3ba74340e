-- Facts: what the feeds said. A load only ever adds rows: one for each value that the store did not know, so every
-- version stays. The latest load wins: read a value as argMax(value, load_id).
--
-- Forecasts, observations and pairs are partitioned by month and ordered by date within it: a day that arrives
-- touches the rows of its days and merges with its month, whatever the length of the history.

-- One row per forecast value and version. Its key is (metric, provider, station_id, target_date, issued_at).
-- shard: station_id
CREATE TABLE IF NOT EXISTS forecasts (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String), -- who issued it (D27)
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    issued_at DateTime64(3, 'UTC'),
    forecast Decimal(5, 2) CODEC(ZSTD(1)), -- °F; 0 where withdrawn
    withdrawn Bool, -- the value with this key is taken back (D42)
    load_id UInt32,
    -- When forecasts were issued, within each part: the latest issuance may be of any target date.
    INDEX issued issued_at TYPE minmax
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, provider, issued_at);

-- One row per observed value and version. Its key is (metric, station_id, target_date, observation_status,
-- observed_at). The observation of a day is the last one, by status, observed_at and load, of those not withdrawn (D4).
-- shard: station_id
CREATE TABLE IF NOT EXISTS observations (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    observation_status Enum8('preliminary' = 1, 'verified' = 2), -- in order of rank
    observed_at DateTime64(3, 'UTC'),
    actual Decimal(5, 2), -- °F; 0 where withdrawn
    withdrawn Bool, -- the value with this key is taken back (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, observation_status, observed_at);
