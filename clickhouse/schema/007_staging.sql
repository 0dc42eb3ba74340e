-- What a load has read and not yet applied. A load reads its own rows. Those of others are gone on one engine, and in a
-- cluster after a week, in which the load that settles what a dead one left still finds whose forecasts that brought.
--
-- The lines of a large file land as they are: a load sends whole blocks of them, and the engine splits and numbers them.
-- One statement then reads those in plain form. Blank lines are not kept.

-- shard: none
CREATE TABLE IF NOT EXISTS staged_lines (
    row_number UInt64, -- the line of its file, after the lines of all files before
    load_id UInt32,
    line String,
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (load_id, row_number) TTL staged_at + INTERVAL 7 DAY;

-- shard: none
CREATE TABLE IF NOT EXISTS feed_blocks (
    load_id UInt32,
    rows_before UInt64,
    text String
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_lines_mv TO staged_lines AS
SELECT rows_before + number AS row_number, load_id, substring(piece, 1, length(piece) - endsWith(piece, '\r')) AS line
FROM feed_blocks
ARRAY JOIN splitByChar('\n', text) AS piece, arrayEnumerate(splitByChar('\n', text)) AS number
WHERE match(line, '[^\\t\\v\\f\\r ]');

-- A feed's rows arrive whole in a table that keeps nothing itself (forecast_rows, observation_rows), and its view makes of each
-- row its values. A blank temperature is no value; a withdrawn row takes back both values of its key, whatever its
-- temperatures say (D42).

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
    reported_in Enum8('' = 0, 'whole_fahrenheit' = 1, 'whole_celsius' = 2),
    withdrawn Bool,
    load_id UInt32,
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY station_id TTL staged_at + INTERVAL 7 DAY;

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
    load_id UInt32,
    staged_at DateTime DEFAULT now(),
    -- Not in a table of its own: a million rows of 14 quantiles then take a fifth longer to load.
    distribution Array(Tuple(level UInt8, value Decimal(5, 2)))
) ENGINE = MergeTree ORDER BY (metric, target_date, station_id, provider, issued_at) TTL staged_at + INTERVAL 7 DAY;

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
    withdrawn Bool,
    -- The standard deviation and quantiles, °F.
    high_sd_f Nullable(Decimal(5, 2)), low_sd_f Nullable(Decimal(5, 2)),
    high_p05_f Nullable(Decimal(5, 2)), low_p05_f Nullable(Decimal(5, 2)),
    high_p10_f Nullable(Decimal(5, 2)), low_p10_f Nullable(Decimal(5, 2)),
    high_p20_f Nullable(Decimal(5, 2)), low_p20_f Nullable(Decimal(5, 2)),
    high_p25_f Nullable(Decimal(5, 2)), low_p25_f Nullable(Decimal(5, 2)),
    high_p30_f Nullable(Decimal(5, 2)), low_p30_f Nullable(Decimal(5, 2)),
    high_p40_f Nullable(Decimal(5, 2)), low_p40_f Nullable(Decimal(5, 2)),
    high_p50_f Nullable(Decimal(5, 2)), low_p50_f Nullable(Decimal(5, 2)),
    high_p60_f Nullable(Decimal(5, 2)), low_p60_f Nullable(Decimal(5, 2)),
    high_p70_f Nullable(Decimal(5, 2)), low_p70_f Nullable(Decimal(5, 2)),
    high_p75_f Nullable(Decimal(5, 2)), low_p75_f Nullable(Decimal(5, 2)),
    high_p80_f Nullable(Decimal(5, 2)), low_p80_f Nullable(Decimal(5, 2)),
    high_p90_f Nullable(Decimal(5, 2)), low_p90_f Nullable(Decimal(5, 2)),
    high_p95_f Nullable(Decimal(5, 2)), low_p95_f Nullable(Decimal(5, 2))
) ENGINE = Null;

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
    load_id UInt32,
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (metric, target_date, station_id, observation_status, observed_at) TTL staged_at + INTERVAL 7 DAY;

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

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_normals (
    row_number UInt64,
    metric Enum8('high' = 1, 'low' = 2),
    station_id LowCardinality(String),
    month_day LowCardinality(String),
    normal Decimal(5, 2),
    withdrawn Bool,
    is_inverted Bool, -- the row's high is below its low
    load_id UInt32,
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (metric, station_id, month_day) TTL staged_at + INTERVAL 7 DAY;

-- shard: station_id
CREATE TABLE IF NOT EXISTS normal_rows (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    month_day LowCardinality(String),
    high_f Nullable(Decimal(5, 2)), -- °F
    low_f Nullable(Decimal(5, 2)), -- °F
    withdrawn Bool
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_normals_mv TO staged_normals AS
SELECT
    row_number, metric, station_id, month_day, if(withdrawn, 0, ifNull(value_f, 0)) AS normal, withdrawn,
    NOT withdrawn AND ifNull(high_f < low_f, false) AS is_inverted, load_id
FROM normal_rows
ARRAY JOIN
    [high_f, low_f] AS value_f,
    CAST(['high', 'low'], 'Array(Enum8(\'high\' = 1, \'low\' = 2))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;

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
    load_id UInt32,
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (station_id, at) TTL staged_at + INTERVAL 7 DAY;

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
