-- Odds that were said before their day (D82): a row for each station day of a load that sealed odds, with all that was said of it, so that
-- a load that is killed leaves whole cases. When it was said is the recorded_at of the leaf that has it.
-- shard: station_id
CREATE TABLE IF NOT EXISTS sealed_odds (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String), -- one, or those of a blend with commas between them
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    lead_time_bucket Enum8('same-day' = 0, '0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6), -- of the forecast
    issued_at DateTime64(3, 'UTC'), -- the forecast, or the last one of a blend
    unit Enum8('fahrenheit' = 1, 'celsius' = 2), -- of the whole degrees
    data_version UInt32, -- of which they follow: as_of gives them again
    -- Ranges with both ends included, NULL for no end, and their probability in millionths.
    odds Array(Tuple(from Nullable(Int16), to Nullable(Int16), millionths UInt32)),
    withdrawn Bool, -- never: what was said stays said
    load_id UInt32,
    INDEX loaded load_id TYPE minmax GRANULARITY 1
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, provider);
