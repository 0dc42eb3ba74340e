-- What a load has read and not yet applied; emptied when it ends. A feed's rows arrive whole in a table that keeps
-- nothing itself (forecast_rows, observation_rows), and its view makes of each row its values. A blank temperature is
-- no value; a withdrawn row takes back both values of its key, whatever its temperatures say (D42).

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_stations (
    station_id LowCardinality(String),
    city_name String,
    country LowCardinality(String),
    latitude Float64,
    longitude Float64,
    timezone LowCardinality(String),
    climate_zone LowCardinality(String),
    data_active Bool,
    aliases Array(String),
    iata LowCardinality(String),
    day_boundary Enum8('civil' = 1, 'standard' = 2),
    withdrawn Bool,
    load_id UInt32
) ENGINE = MergeTree ORDER BY station_id;

-- row_number counts the feed's rows over the whole load, so the later of two rows with one key wins.
-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_forecasts (
    row_number UInt64,
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date,
    issued_at DateTime64(3, 'UTC'),
    forecast Decimal(5, 2),
    withdrawn Bool,
    is_inverted Bool, -- the row's high is below its low: told of in the report of the load
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, target_date, station_id, provider, issued_at);

-- shard: station_id
CREATE TABLE IF NOT EXISTS forecast_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    issued_at DateTime64(3, 'UTC'),
    target_date Date,
    high_f Nullable(Decimal(5, 2)), -- °F
    low_f Nullable(Decimal(5, 2)), -- °F
    provider LowCardinality(String) DEFAULT 'default',
    withdrawn Bool
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_forecasts_mv TO staged_forecasts AS
SELECT
    row_number, metric, if(provider = '', 'default', provider) AS provider, station_id, target_date, issued_at,
    if(withdrawn, 0, ifNull(value_f, 0)) AS forecast, withdrawn,
    NOT withdrawn AND ifNull(high_f < low_f, false) AS is_inverted, load_id
FROM forecast_rows
ARRAY JOIN
    [high_f, low_f] AS value_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_observations (
    row_number UInt64,
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date,
    observation_status Enum8('preliminary' = 1, 'verified' = 2),
    observed_at DateTime64(3, 'UTC'),
    actual Decimal(5, 2),
    withdrawn Bool,
    is_inverted Bool, -- the row's high is below its low
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, target_date, station_id, observation_status, observed_at);

-- shard: station_id
CREATE TABLE IF NOT EXISTS observation_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    date Date,
    high_f Nullable(Decimal(5, 2)), -- °F
    low_f Nullable(Decimal(5, 2)), -- °F
    status Enum8('preliminary' = 1, 'verified' = 2),
    observed_at DateTime64(3, 'UTC'),
    withdrawn Bool
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_observations_mv TO staged_observations AS
SELECT
    row_number, metric, station_id, date AS target_date, status AS observation_status, observed_at,
    if(withdrawn, 0, ifNull(value_f, 0)) AS actual, withdrawn,
    NOT withdrawn AND ifNull(high_f < low_f, false) AS is_inverted, load_id
FROM observation_rows
ARRAY JOIN
    [high_f, low_f] AS value_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;
