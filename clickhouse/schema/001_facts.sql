-- Facts: what the feeds said. A load only ever adds rows: one for each value that the store did not know, so every
-- version stays. The latest load wins: read a value as argMax(value, load_id).
--
-- Names: a table says its grain (station_day_errors), its materialized view is <table>_mv. `-- shard:` names the
-- expression by which a cluster spreads the table that follows; `none` keeps it on the first one, `local` where its rows arise.
-- Forecasts, observations and pairs are partitioned by month and ordered by date within it: a day that arrives
-- touches the rows of its days and merges with its month, whatever the length of the history.

-- One row per load and event. load_id numbers the loads 1, 2, 3, ... and orders every version below. `settled` says
-- that the data have changed: stations applied, or a span settled. Readers tell versions of the data by these rows.
-- shard: none
CREATE TABLE IF NOT EXISTS loads (
    load_id UInt32,
    event Enum8('started' = 1, 'finished' = 2, 'failed' = 3, 'settled' = 4),
    recorded_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC'),
    forecast_providers Array(String), -- on 'finished': whose forecasts the load brought, in alphabetical order (D27)
    report String -- on 'finished' and 'failed': the load's report as JSON
) ENGINE = MergeTree ORDER BY (load_id, event);

-- Every version of every station. Read it through current_stations.
-- shard: station_id
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
    day_boundary Enum8('civil' = 1, 'standard' = 2), -- midnight of local time, or of standard time all year (D28)
    withdrawn Bool, -- the station and all its facts are taken back (D42)
    load_id UInt32
) ENGINE = MergeTree ORDER BY (station_id, load_id);

-- The latest version of each station that is not withdrawn.
CREATE VIEW IF NOT EXISTS current_stations AS
SELECT
    station_id, city_name, country, latitude, longitude, timezone, climate_zone, data_active, aliases, iata, day_boundary
FROM (
    SELECT *
    FROM stations
    ORDER BY station_id, load_id DESC
    LIMIT 1 BY station_id
)
WHERE NOT withdrawn;

-- One row per forecast value and version. Its key is (metric, provider, station_id, target_date, issued_at).
-- shard: station_id
CREATE TABLE IF NOT EXISTS forecasts (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String), -- who issued it (D27)
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    issued_at DateTime64(3, 'UTC'),
    forecast Decimal(5, 2) CODEC(ZSTD(1)), -- °F; 0 where withdrawn
    withdrawn Bool, -- the value with this key is taken back (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, provider, issued_at);

-- One row per observed value and version. Its key is (metric, station_id, target_date, observation_status,
-- observed_at). The observation of a day is the last one, by status, observed_at and load, of those not withdrawn (D4).
-- shard: station_id
CREATE TABLE IF NOT EXISTS observations (
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    target_date Date, -- the station's local calendar day
    observation_status Enum8('preliminary' = 1, 'verified' = 2), -- in order of rank
    observed_at DateTime64(3, 'UTC'),
    actual Decimal(5, 2), -- °F; 0 where withdrawn
    withdrawn Bool, -- the value with this key is taken back (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, target_date, station_id, observation_status, observed_at);

-- The station days whose facts may have changed since the ledger was last settled. Written before the first fact and
-- emptied after the last settlement, so a load that is killed half way leaves a record of what to settle.
-- shard: station_id
CREATE TABLE IF NOT EXISTS unsettled (
    station_id LowCardinality(String),
    target_date Date,
    load_id UInt32
) ENGINE = MergeTree ORDER BY (target_date, station_id);
