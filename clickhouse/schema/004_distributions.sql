-- Distributions: how sure some providers say they are, as quantiles and the standard deviation of a forecast. A fact of its
-- own, since the ledger, its histograms and their costs depend on none of it.

-- One row per distribution and version; the latest load wins. Its key is that of its forecast, the station first: 90 days of
-- one station among 2,000 then take 50 ms, with the date first 94.
-- shard: station_id
CREATE TABLE IF NOT EXISTS distributions (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    issued_at DateTime64(3, 'UTC'),
    -- By level, ascending: the temperature that is not exceeded with so much probability, %, and at level 0 the standard
    -- deviation, both °F. With Delta, 7 levels take 1.3 bytes each, without it 2.0. Empty where withdrawn.
    distribution Array(Tuple(level UInt8, value Decimal(5, 2))) CODEC(Delta, ZSTD(1)),
    withdrawn Bool, -- with its forecast (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, station_id, target_date, provider, issued_at);
