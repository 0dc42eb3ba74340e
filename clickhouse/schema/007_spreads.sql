-- Spreads: how sure some providers say they are, as the standard deviation of a forecast. A fact of its own, since the
-- ledger, its histograms and their costs depend on none of it: only /accuracy/spread-skill reads it (D55).

-- One row per spread and version; the latest load wins. Its key is that of its forecast.
-- shard: station_id
CREATE TABLE IF NOT EXISTS spreads (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    issued_at DateTime64(3, 'UTC'),
    spread Decimal(5, 2) CODEC(ZSTD(1)), -- °F; 0 where withdrawn
    withdrawn Bool, -- with its forecast (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, provider, issued_at);

-- Staging, as of the values of feeds (002_staging.sql). The rows are those of forecast_rows.
-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_spreads (
    row_number UInt64,
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date,
    issued_at DateTime64(3, 'UTC'),
    spread Decimal(5, 2),
    withdrawn Bool,
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, target_date, station_id, provider, issued_at);

ALTER TABLE forecast_rows ADD COLUMN IF NOT EXISTS high_sd_f Nullable(Decimal(5, 2));

ALTER TABLE forecast_rows ADD COLUMN IF NOT EXISTS low_sd_f Nullable(Decimal(5, 2));

-- Most files have no spreads: the rows that say nothing go before they become two each.
CREATE MATERIALIZED VIEW IF NOT EXISTS staged_spreads_mv TO staged_spreads AS
SELECT
    row_number, metric, if(provider = '', 'default', provider) AS provider, station_id, target_date, issued_at,
    if(withdrawn, 0, ifNull(value_f, 0)) AS spread, withdrawn, load_id
FROM (
    SELECT *
    FROM forecast_rows
    WHERE withdrawn OR high_sd_f IS NOT NULL OR low_sd_f IS NOT NULL
)
ARRAY JOIN
    [high_sd_f, low_sd_f] AS value_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;
