-- Forecasts of the temperature at an hour. Their pairs are rows of the ledger, of the metric temperature: one for each station
-- hour, with the hour in the place of local midnight, since lead times count to it. target_date is the station's day of the hour.

ALTER TABLE station_days MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

-- Empty for hours, which have a few forecasts each: to keep them would take a third more of the ledger.
ALTER TABLE station_days MODIFY COLUMN latest_places Array(UInt16) MATERIALIZED if(metric = 'temperature', [], arrayMap(bucket -> indexOf(arrayMap(each -> toUInt8(each), lead_time_buckets), bucket), range(7)));

ALTER TABLE network_day_errors MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE station_day_errors MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE station_week_errors MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE station_day_counts MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

-- A view keeps the types of its columns.
DROP VIEW IF EXISTS pairs;

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

-- A station day of hours has hardly two pairs of one error, so its rows of a histogram would be as many as its pairs: questions
-- about stations read the ledger.
DROP VIEW IF EXISTS station_day_errors_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS station_day_errors_mv TO station_day_errors AS
SELECT
    metric, provider, station_id, target_date, lead_time_bucket, error_hundredths,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths
WHERE metric != 'temperature';

DROP VIEW IF EXISTS station_week_errors_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS station_week_errors_mv TO station_week_errors AS
SELECT
    metric, provider, toMonday(target_date) AS week_start, station_id, error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_ms AS lead, errors_hundredths AS error_hundredths
WHERE lead >= 0 AND metric != 'temperature'
GROUP BY metric, provider, week_start, station_id, error_hundredths;

-- For questions about the network by lead time in whole hours, of hours alone.
-- shard: local
CREATE TABLE IF NOT EXISTS network_lead_errors (
    metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4),
    provider LowCardinality(String),
    target_date Date,
    lead_hour UInt16,
    error_hundredths Int16,
    pair_count Int64,
    preliminary_pair_count Int64
) ENGINE = SummingMergeTree((pair_count, preliminary_pair_count))
ORDER BY (metric, provider, target_date, lead_hour, error_hundredths);

CREATE MATERIALIZED VIEW IF NOT EXISTS network_lead_errors_mv TO network_lead_errors AS
SELECT
    metric, provider, target_date, toUInt16(intDiv(lead, 3600000)) AS lead_hour, error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_ms AS lead, errors_hundredths AS error_hundredths
WHERE metric = 'temperature'
GROUP BY metric, provider, target_date, lead_hour, error_hundredths;

-- One row per forecast value and version; the latest load wins. Its key is (provider, station_id, valid_at, issued_at).
-- shard: station_id
CREATE TABLE IF NOT EXISTS hourly_forecasts (
    provider LowCardinality(String),
    station_id LowCardinality(String),
    valid_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)), -- a full hour
    issued_at DateTime64(3, 'UTC') CODEC(Delta(8), ZSTD(1)),
    forecast Decimal(5, 2) CODEC(ZSTD(1)), -- °F; 0 where withdrawn
    withdrawn Bool, -- the value with this key is taken back (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(valid_at)
ORDER BY (station_id, provider, valid_at, issued_at);

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_hourly_forecasts (
    row_number UInt64,
    provider LowCardinality(String),
    station_id LowCardinality(String),
    valid_at DateTime64(3, 'UTC'),
    issued_at DateTime64(3, 'UTC'),
    forecast Decimal(5, 2),
    withdrawn Bool,
    load_id UInt32,
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (station_id, provider, valid_at, issued_at) TTL staged_at + INTERVAL 7 DAY;

-- shard: station_id
CREATE TABLE IF NOT EXISTS hourly_forecast_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    issued_at DateTime64(3, 'UTC'),
    valid_at DateTime64(3, 'UTC'),
    temp_f Nullable(Decimal(5, 2)), -- °F
    provider LowCardinality(String) DEFAULT 'default',
    withdrawn Bool
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_hourly_forecasts_mv TO staged_hourly_forecasts AS
SELECT
    row_number, if(provider = '', 'default', provider) AS provider, station_id, valid_at, issued_at,
    if(withdrawn, 0, ifNull(temp_f, 0)) AS forecast, withdrawn, load_id
FROM hourly_forecast_rows
WHERE withdrawn OR temp_f IS NOT NULL;

-- Whether a report may still change; blank where its feed does not say.
ALTER TABLE hours MODIFY COLUMN reading Tuple(
    temp_f Nullable(Decimal(5, 2)), max_6h_f Nullable(Decimal(5, 2)), min_6h_f Nullable(Decimal(5, 2)),
    precip_in Nullable(Decimal(5, 2)), sky LowCardinality(String), status Enum8('' = 0, 'preliminary' = 1, 'verified' = 2)
);

-- Not in its tuple: the view of 007_staging.sql, which runs again before this file where a store is taken over, makes one without it.
ALTER TABLE staged_hours ADD COLUMN IF NOT EXISTS status Enum8('' = 0, 'preliminary' = 1, 'verified' = 2);

DROP VIEW IF EXISTS staged_hours_mv;

ALTER TABLE hour_rows ADD COLUMN IF NOT EXISTS status LowCardinality(String);

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_hours_mv TO staged_hours AS
SELECT
    row_number, station_id, at,
    if(withdrawn, tuple(NULL, NULL, NULL, NULL, ''), tuple(temp_f, max_6h_f, min_6h_f, precip_in, toString(sky))) AS reading,
    if(withdrawn, '', toString(status)) AS status, withdrawn, load_id
FROM hour_rows
WHERE withdrawn OR temp_f IS NOT NULL OR max_6h_f IS NOT NULL OR min_6h_f IS NOT NULL OR precip_in IS NOT NULL OR sky != '';
