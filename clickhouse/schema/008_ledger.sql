-- The ledger (D4, D48): a row is a station day, with what was observed and all forecasts of it. +1 adds a station day,
-- -1 withdraws it, no row ever changes. The sum of sign over all the other columns but load_id and recorded_at is 0 or 1,
-- and at most one row stands for each (metric, provider, station_id, target_date). What was known at a time: the rows
-- recorded up to then; what a load knew: those of the loads up to it.
--
-- A forecast and the observation of its day are a verification pair; the view `pairs` has a row for each.
--
-- Ordered by station first: a month of 2,000 stations is 15 granules, of which a question about one station reads one.
-- shard: station_id
CREATE TABLE IF NOT EXISTS station_days (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date,
    local_midnight DateTime64(3, 'UTC'), -- of target_date at the station
    actual Decimal(5, 2), -- °F
    observation_status Enum8('preliminary' = 1, 'verified' = 2),
    lead_ms Array(Int64) CODEC(Delta(8), LZ4), -- lead times (D5), ascending: the latest forecast first; below 0 same-day (D40)
    forecasts Array(Decimal(5, 2)), -- in the same order, °F; ZSTD saves 0.5 of 1.7 B a pair and takes questions about all stations 1.7 times as long
    sign Int8,
    load_id UInt32, -- the load whose settlement wrote the row
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),
    lead_time_buckets Array(Enum8('same-day' = 0, '0-6h' = 1, '6-12h' = 2, '12-24h' = 3, '24-48h' = 4, '48-72h' = 5, '72h+' = 6))
        ALIAS arrayMap(
            lead -> CAST(multiIf(
                lead < 0, 0, lead < 6 * 3600000, 1, lead < 12 * 3600000, 2, lead < 24 * 3600000, 3, lead < 48 * 3600000, 4,
                lead < 72 * 3600000, 5, 6
            ), 'Enum8(\'same-day\' = 0, \'0-6h\' = 1, \'6-12h\' = 2, \'12-24h\' = 3, \'24-48h\' = 4, \'48-72h\' = 5, \'72h+\' = 6)'),
            lead_ms
        ),
    -- The latest forecast in each bucket, [1] for same-day to [7] for 72h+: its place, 0 where there is none, its value and its
    -- lead time. Kept, since to find them in the arrays takes a question about all stations 1.2 to 2.5 times as long.
    latest_places Array(UInt16) MATERIALIZED arrayMap(bucket -> indexOf(arrayMap(each -> toUInt8(each), lead_time_buckets), bucket), range(7)),
    latest_forecasts Array(Decimal(5, 2)) MATERIALIZED arrayMap(place -> forecasts[place], latest_places),
    latest_leads_ms Array(Int64) MATERIALIZED arrayMap(place -> lead_ms[place], latest_places),
    errors_hundredths Array(Int16) ALIAS arrayMap(forecast -> toInt16((forecast - actual) * 100), forecasts) -- 0.01 °F
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, provider, station_id, target_date)
SETTINGS index_granularity = 512; -- a row has dozens of values: with 8,192, a question about one station reads a month of 140

-- The pairs of the ledger's rows, each with the sign of its row: count sums of sign.
CREATE VIEW IF NOT EXISTS pairs AS
SELECT
    metric, provider, station_id, target_date,
    local_midnight - toIntervalMillisecond(lead) AS issued_at,
    local_midnight, lead AS lead_ms, lead_time_bucket, forecast, actual,
    forecast - actual AS error, -- °F
    error_hundredths, -- the grain of the histograms, 0.01 °F
    observation_status, sign, load_id, recorded_at
FROM station_days
ARRAY JOIN
    lead_ms AS lead, forecasts AS forecast, lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths;
