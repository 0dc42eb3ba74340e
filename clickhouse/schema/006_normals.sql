-- Climatological normals: what high and low a station has on each day of the year, on average over decades. Only
-- climatology reads them (D34): they make no pair, so no row of the ledger follows from them.

-- One row per value and version; the latest load wins, as with the facts. Its key is (metric, station_id, month_day).
-- shard: station_id
CREATE TABLE IF NOT EXISTS normals (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    month_day LowCardinality(String), -- MM-DD
    normal Decimal(5, 2), -- °F; 0 where withdrawn
    withdrawn Bool, -- the value with this key is taken back (D42)
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, station_id, month_day);
