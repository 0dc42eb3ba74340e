-- Distributions: how sure some providers say they are, as quantiles and the standard deviation of a forecast. A fact of its
-- own, since the ledger, its histograms and their costs depend on none of it. Standard deviations alone were the table spreads.

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

-- A forecast is staged with its distribution: a table of its own takes a fifth longer to load a million rows of 14 quantiles.
ALTER TABLE staged_forecasts ADD COLUMN IF NOT EXISTS distribution Array(Tuple(level UInt8, value Decimal(5, 2)));

ALTER TABLE forecast_rows ADD COLUMN IF NOT EXISTS high_p05_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p05_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p10_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p10_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p20_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p20_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p25_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p25_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p30_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p30_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p40_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p40_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p50_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p50_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p60_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p60_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p70_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p70_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p75_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p75_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p80_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p80_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p90_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p90_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS high_p95_f Nullable(Decimal(5, 2)),
    ADD COLUMN IF NOT EXISTS low_p95_f Nullable(Decimal(5, 2));

DROP VIEW IF EXISTS staged_spreads_mv;

DROP VIEW IF EXISTS staged_forecasts_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_forecasts_mv TO staged_forecasts AS
SELECT
    row_number, metric, if(provider = '', 'default', provider) AS provider, station_id, target_date, issued_at,
    if(withdrawn, 0, ifNull(value_f, 0)) AS forecast, withdrawn,
    NOT withdrawn AND ifNull(high_f < low_f, false) AS is_inverted, load_id,
    if(withdrawn, [], distribution_f) AS distribution
FROM (
    SELECT
        row_number, provider, station_id, target_date, issued_at, high_f, low_f, withdrawn, load_id,
        CAST([0, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95], 'Array(UInt8)') AS levels,
        [
            high_sd_f, high_p05_f, high_p10_f, high_p20_f, high_p25_f, high_p30_f, high_p40_f,
            high_p50_f, high_p60_f, high_p70_f, high_p75_f, high_p80_f, high_p90_f, high_p95_f
        ] AS of_high,
        [
            low_sd_f, low_p05_f, low_p10_f, low_p20_f, low_p25_f, low_p30_f, low_p40_f,
            low_p50_f, low_p60_f, low_p70_f, low_p75_f, low_p80_f, low_p90_f, low_p95_f
        ] AS of_low,
        arrayFilter(
            (each, value) -> value IS NOT NULL,
            arrayZip(levels, arrayMap(value -> assumeNotNull(value), of_high)), of_high
        ) AS high_distribution,
        arrayFilter(
            (each, value) -> value IS NOT NULL,
            arrayZip(levels, arrayMap(value -> assumeNotNull(value), of_low)), of_low
        ) AS low_distribution
    FROM forecast_rows
)
ARRAY JOIN
    [high_f, low_f] AS value_f,
    [high_distribution, low_distribution] AS distribution_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;

-- The standard deviations that are there. Where this file was cut short and runs again, rows that have come stay single, and
-- the first statement makes the table that had gone already.
-- shard: station_id
CREATE TABLE IF NOT EXISTS spreads (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date,
    issued_at DateTime64(3, 'UTC'),
    spread Decimal(5, 2),
    withdrawn Bool,
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, provider, issued_at);

INSERT INTO distributions
SELECT
    metric, provider, station_id, target_date, issued_at,
    if(withdrawn, [], [CAST((0, spread), 'Tuple(level UInt8, value Decimal(5, 2))')]) AS distribution, withdrawn, load_id
FROM spreads
WHERE (metric, provider, station_id, target_date, issued_at, load_id) NOT IN (
    SELECT metric, provider, station_id, target_date, issued_at, load_id FROM distributions
)
SETTINGS max_partitions_per_insert_block = 0;

DROP TABLE IF EXISTS spreads SYNC;

DROP TABLE IF EXISTS staged_spreads SYNC;
