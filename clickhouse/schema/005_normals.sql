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

-- Staging, as of the other feeds of values (002_staging.sql).
-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_normals (
    row_number UInt64,
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    month_day LowCardinality(String),
    normal Decimal(5, 2),
    withdrawn Bool,
    is_inverted Bool, -- the row's high is below its low
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, station_id, month_day);

-- shard: station_id
CREATE TABLE IF NOT EXISTS normal_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    month_day LowCardinality(String),
    high_f Nullable(Decimal(5, 2)), -- °F
    low_f Nullable(Decimal(5, 2)), -- °F
    withdrawn Bool
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_normals_mv TO staged_normals AS
SELECT
    row_number, metric, station_id, month_day, if(withdrawn, 0, ifNull(value_f, 0)) AS normal, withdrawn,
    NOT withdrawn AND ifNull(high_f < low_f, false) AS is_inverted, load_id
FROM normal_rows
ARRAY JOIN
    [high_f, low_f] AS value_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;
