-- Temperatures within the day (D56). They make no pair. What a day of them says is worked out once, as it takes a question
-- about 60 days of 2,000 stations 3.5 million reports otherwise.

-- One row per report and version; the latest load wins, as with the other facts. Its key is (station_id, at).
-- shard: station_id
CREATE TABLE IF NOT EXISTS hours (
    station_id LowCardinality(String),
    at DateTime64(3, 'UTC'),
    reading Tuple(
        temp_f Nullable(Decimal(5, 2)),
        max_6h_f Nullable(Decimal(5, 2)), -- of the six hours before
        min_6h_f Nullable(Decimal(5, 2)),
        precip_in Nullable(Decimal(5, 2)),
        sky LowCardinality(String) -- CLR, FEW, SCT, BKN, OVC, VV, or blank
    ), -- of nothing where withdrawn
    withdrawn Bool, -- the report with this key is taken back (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(at)
ORDER BY (station_id, at);

-- What the reports of each station day say; the latest load wins. A place of the lists is an hour h, 1 to 24: what was
-- known h hours after the day began, at [24] of the whole day, of 23 to 25 hours; -32768 where too few were reported by then.
-- shard: station_id
CREATE TABLE IF NOT EXISTS station_day_hours (
    station_id LowCardinality(String),
    target_date Date, -- the station's day (D28)
    highest_by_hour Array(Int16), -- whole °F, halves up: no lower than the settled high by what is known
    lowest_by_hour Array(Int16), -- whole °F, halves down
    weather Enum8('unknown' = 0, 'clear' = 1, 'cloudy' = 2, 'precipitation' = 3), -- D58
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (target_date, station_id);

-- The station days whose reports may have changed since this was last worked out, as `unsettled` is for the ledger.
-- shard: station_id
CREATE TABLE IF NOT EXISTS unsettled_hours (
    station_id LowCardinality(String),
    target_date Date,
    load_id UInt32
) ENGINE = MergeTree ORDER BY (target_date, station_id);

-- Staging, as of the other feeds (002_staging.sql).
-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_hours (
    row_number UInt64,
    station_id LowCardinality(String),
    at DateTime64(3, 'UTC'),
    reading Tuple(
        temp_f Nullable(Decimal(5, 2)),
        max_6h_f Nullable(Decimal(5, 2)),
        min_6h_f Nullable(Decimal(5, 2)),
        precip_in Nullable(Decimal(5, 2)),
        sky LowCardinality(String)
    ),
    withdrawn Bool,
    load_id UInt32
) ENGINE = MergeTree ORDER BY (station_id, at);

-- shard: station_id
CREATE TABLE IF NOT EXISTS hour_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    at DateTime64(3, 'UTC'),
    temp_f Nullable(Decimal(5, 2)), -- °F
    max_6h_f Nullable(Decimal(5, 2)), -- °F
    min_6h_f Nullable(Decimal(5, 2)), -- °F
    precip_in Nullable(Decimal(5, 2)),
    sky LowCardinality(String),
    withdrawn Bool
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_hours_mv TO staged_hours AS
SELECT
    row_number, station_id, at,
    if(withdrawn, tuple(NULL, NULL, NULL, NULL, ''), tuple(temp_f, max_6h_f, min_6h_f, precip_in, toString(sky))) AS reading,
    withdrawn, load_id
FROM hour_rows
WHERE withdrawn OR temp_f IS NOT NULL OR max_6h_f IS NOT NULL OR min_6h_f IS NOT NULL OR precip_in IS NOT NULL OR sky != '';
