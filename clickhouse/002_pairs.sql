-- When each local calendar day begins. The engine converts only in a constant zone, so the instants are worked
-- out once per zone and day and kept. A day that has no midnight begins when the clocks jump; a day that
-- has two begins at the first.
CREATE TABLE IF NOT EXISTS local_midnights (
    timezone LowCardinality(String),
    target_date Date,
    local_midnight DateTime64(3, 'UTC'),
    load_id UInt32 -- the latest row wins
) ENGINE = MergeTree ORDER BY (timezone, target_date);

-- The ledger of verification pairs (D4): +1 adds a pair, -1 withdraws it, no row ever changes. The sum of sign
-- over all the other columns of a pair is 0 or 1, and at most one pair stands for each
-- (metric, station_id, target_date, issued_at). What was known at a time: the rows recorded up to then.
CREATE TABLE IF NOT EXISTS pairs (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date,
    issued_at DateTime64(3, 'UTC'),
    local_midnight DateTime64(3, 'UTC'), -- of target_date at the station; lead time = local_midnight - issued_at (D5)
    lead_time_bucket Enum8('0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6),
    forecast Decimal(5, 2), -- °F
    actual Decimal(5, 2), -- °F
    error Decimal(5, 2), -- forecast - actual, °F
    observation_status Enum8('preliminary' = 1, 'verified' = 2),
    sign Int8,
    load_id UInt32, -- the load whose settlement wrote the row
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
) ENGINE = MergeTree ORDER BY (metric, station_id, target_date, issued_at);
