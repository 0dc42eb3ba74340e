-- Stations, and when their days begin.

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
    reported_in Enum8('' = 0, 'whole_fahrenheit' = 1, 'whole_celsius' = 2), -- its observations are read as these degrees (D63)
    withdrawn Bool, -- the station and all its facts are taken back (D42)
    load_id UInt32
) ENGINE = MergeTree ORDER BY (station_id, load_id);

-- The latest version of each station that is not withdrawn.
CREATE VIEW IF NOT EXISTS current_stations AS
SELECT
    station_id, city_name, country, latitude, longitude, timezone, climate_zone, data_active, aliases, iata, day_boundary,
    reported_in
FROM (
    SELECT *
    FROM stations
    ORDER BY station_id, load_id DESC
    LIMIT 1 BY station_id
)
WHERE NOT withdrawn;

-- When each local day begins and ends. The engine converts only in a constant zone, so the instants are worked out
-- once per zone, boundary (D28) and day, and kept. A civil day that has no midnight begins when the clocks jump; one
-- that has two begins at the first.
-- shard: none
CREATE TABLE IF NOT EXISTS local_midnights (
    timezone LowCardinality(String),
    day_boundary Enum8('civil' = 1, 'standard' = 2),
    target_date Date,
    local_midnight DateTime64(3, 'UTC'), -- the day begins
    next_local_midnight DateTime64(3, 'UTC'), -- it ends: after that, a forecast of it is none (D40)
    load_id UInt32 -- the latest row wins
) ENGINE = MergeTree ORDER BY (timezone, day_boundary, target_date);
