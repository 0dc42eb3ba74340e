-- When each local day begins and ends. The engine converts only in a constant zone, so the instants are worked out
-- once per zone, boundary (D28) and day, and kept. A civil day that has no midnight begins when the clocks jump; one
-- that has two begins at the first.
-- shard: none
CREATE TABLE IF NOT EXISTS local_midnights (
    timezone LowCardinality(String),
    day_boundary Enum8('civil' = 1, 'standard' = 2),
    target_date Date,
    local_midnight DateTime64(3, 'UTC'), -- the day begins
    next_local_midnight DateTime64(3, 'UTC'), -- it ends: after that, a forecast of it is none (D40)
    load_id UInt32 -- the latest row wins
) ENGINE = MergeTree ORDER BY (timezone, day_boundary, target_date);

-- The ledger of verification pairs (D4): +1 adds a pair, -1 withdraws it, no row ever changes. The sum of sign over all
-- the other columns of a pair is 0 or 1, and at most one pair stands for each (metric, provider, station_id,
-- target_date, issued_at). What was known at a time: the rows recorded up to then.
--
-- Ordered by date first: ordering by station would put a day into every granule, 364 MB instead of 202 for 35 million
-- pairs.
-- shard: station_id
CREATE TABLE IF NOT EXISTS pairs (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date,
    issued_at DateTime64(3, 'UTC'),
    local_midnight DateTime64(3, 'UTC'), -- of target_date at the station; lead time = local_midnight - issued_at (D5)
    lead_time_bucket Enum8('same-day' = 0, '0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    forecast Decimal(5, 2), -- °F
    actual Decimal(5, 2), -- °F
    error Decimal(5, 2), -- forecast - actual, °F
    error_hundredths Int16 ALIAS toInt16(error * 100), -- the grain of the histograms, 0.01 °F
    observation_status Enum8('preliminary' = 1, 'verified' = 2),
    sign Int8,
    load_id UInt32, -- the load whose settlement wrote the row
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, provider, issued_at);
