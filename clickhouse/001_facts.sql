-- Facts: what the feeds said. Append only; a row is added when a load says something the store did not
-- know, so every version stays. The latest load wins: read a value as argMax(value, load_id).

-- One row per load and event. load_id numbers the loads 1, 2, 3, ... and orders every version below.
CREATE TABLE IF NOT EXISTS loads (
    load_id UInt32,
    event Enum8('started' = 1, 'finished' = 2, 'failed' = 3),
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),
    report String -- the load's report as JSON, on 'finished' and 'failed'
) ENGINE = MergeTree ORDER BY (load_id, event);

-- Every version of every station. Read it through current_stations.
CREATE TABLE IF NOT EXISTS stations (
    station_id LowCardinality(String), -- ICAO, upper case
    city_name String,
    country LowCardinality(String), -- ISO 3166-1 alpha-2
    latitude Float64, -- degrees north
    longitude Float64, -- degrees east
    timezone LowCardinality(String), -- IANA zone
    climate_zone LowCardinality(String), -- Köppen class
    data_active Bool,
    aliases Array(String),
    iata LowCardinality(String), -- blank when the station has none
    load_id UInt32
) ENGINE = MergeTree ORDER BY (station_id, load_id);

-- The latest version of each station.
CREATE VIEW IF NOT EXISTS current_stations AS
SELECT station_id, city_name, country, latitude, longitude, timezone, climate_zone, data_active, aliases, iata
FROM stations
ORDER BY station_id, load_id DESC
LIMIT 1 BY station_id;

-- One row per forecast value and version. Its key is (metric, station_id, target_date, issued_at).
-- A forecast issued after its target day began stays here and is in no statistic (D5).
CREATE TABLE IF NOT EXISTS forecasts (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    issued_at DateTime64(3, 'UTC'),
    forecast Decimal(5, 2), -- °F
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, station_id, target_date, issued_at);

-- One row per observed value and version. Its key is (metric, station_id, target_date, observation_status,
-- observed_at); the observation of a day is argMax(actual, (observation_status, observed_at, load_id)) (D4).
CREATE TABLE IF NOT EXISTS observations (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    observation_status Enum8('preliminary' = 1, 'verified' = 2), -- in order of rank
    observed_at DateTime64(3, 'UTC'),
    actual Decimal(5, 2), -- °F
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, station_id, target_date, observation_status, observed_at);

-- What a load has read and not yet applied; emptied when it ends.
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
    load_id UInt32
) ENGINE = MergeTree ORDER BY station_id;

-- row_number counts the feed's rows over the whole load, so the later of two rows with one key wins.
CREATE TABLE IF NOT EXISTS staged_forecasts (
    row_number UInt64,
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date,
    issued_at DateTime64(3, 'UTC'),
    forecast Decimal(5, 2),
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, station_id, target_date, issued_at);

CREATE TABLE IF NOT EXISTS staged_observations (
    row_number UInt64,
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date,
    observation_status Enum8('preliminary' = 1, 'verified' = 2),
    observed_at DateTime64(3, 'UTC'),
    actual Decimal(5, 2),
    load_id UInt32
) ENGINE = MergeTree ORDER BY (metric, station_id, target_date, observation_status, observed_at);

-- The station days whose facts may have changed since the ledger was last settled. Written before the first
-- fact and emptied after the last settlement, so a load that dies half way leaves a note of what to settle.
CREATE TABLE IF NOT EXISTS unsettled (
    station_id LowCardinality(String),
    target_date Date,
    load_id UInt32
) ENGINE = MergeTree ORDER BY (target_date, station_id);
