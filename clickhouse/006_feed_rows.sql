-- The way of a feed's rows into staging: whole rows go in, and a view makes of each its values; blank ones are none.
-- The tables keep nothing themselves. Their columns are those of the feed (D24) behind row_number and load_id.

CREATE TABLE IF NOT EXISTS forecast_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    issued_at DateTime64(3, 'UTC'),
    target_date Date,
    high_f Nullable(Decimal(5, 2)), -- °F
    low_f Nullable(Decimal(5, 2)) -- °F
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS stage_forecasts TO staged_forecasts AS
SELECT
    row_number, metric, station_id, target_date, issued_at, assumeNotNull(value_f) AS forecast, load_id
FROM forecast_rows
ARRAY JOIN
    [high_f, low_f] AS value_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE value_f IS NOT NULL;

CREATE TABLE IF NOT EXISTS observation_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    date Date,
    high_f Nullable(Decimal(5, 2)), -- °F
    low_f Nullable(Decimal(5, 2)), -- °F
    status Enum8('preliminary' = 1, 'verified' = 2),
    observed_at DateTime64(3, 'UTC')
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS stage_observations TO staged_observations AS
SELECT
    row_number, metric, station_id, date AS target_date, status AS observation_status, observed_at,
    assumeNotNull(value_f) AS actual, load_id
FROM observation_rows
ARRAY JOIN
    [high_f, low_f] AS value_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE value_f IS NOT NULL;
