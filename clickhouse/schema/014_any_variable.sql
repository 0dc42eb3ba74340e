-- Staging takes any variable: a row of a feed stays one row, with a value for each variable of the feed in the order of the registry
-- (src/feeds/), and the load that staged it names them as it reads. A million rows take as long as before, and their keys are stored once.

DROP VIEW IF EXISTS staged_forecasts_mv;

DROP VIEW IF EXISTS staged_observations_mv;

DROP VIEW IF EXISTS staged_normals_mv;

DROP VIEW IF EXISTS staged_hours_mv;

DROP VIEW IF EXISTS staged_hourly_forecasts_mv;

DROP TABLE IF EXISTS forecast_rows SYNC;

DROP TABLE IF EXISTS observation_rows SYNC;

DROP TABLE IF EXISTS normal_rows SYNC;

DROP TABLE IF EXISTS hour_rows SYNC;

DROP TABLE IF EXISTS hourly_forecast_rows SYNC;

-- What a killed load has applied, the next one settles by the facts.
DROP TABLE IF EXISTS staged_forecasts SYNC;

DROP TABLE IF EXISTS staged_observations SYNC;

DROP TABLE IF EXISTS staged_normals SYNC;

DROP TABLE IF EXISTS staged_hours SYNC;

DROP TABLE IF EXISTS staged_hourly_forecasts SYNC;

-- Parts of some 50,000 rows, which their load reads a few times, are merged late.
-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_forecasts (
    row_number UInt64, -- counts the rows of the load, so the later of two rows with one key wins
    load_id UInt32,
    station_id LowCardinality(String),
    issued_ms Int64, -- since 1970
    target_date Date,
    provider LowCardinality(String),
    withdrawn Bool, -- takes back all values of its key (D42)
    values Array(Nullable(Decimal(5, 2))),
    distributions Array(Array(Tuple(level UInt8, value Decimal(5, 2)))),
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (target_date, station_id, provider, issued_ms) TTL staged_at + INTERVAL 7 DAY
SETTINGS merge_selector_base = 50;

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_observations (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    target_date Date,
    observation_status Enum8('preliminary' = 1, 'verified' = 2),
    observed_ms Int64, -- since 1970
    withdrawn Bool,
    values Array(Nullable(Decimal(5, 2))),
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (target_date, station_id, observation_status, observed_ms) TTL staged_at + INTERVAL 7 DAY;

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_normals (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    month_day LowCardinality(String),
    withdrawn Bool,
    values Array(Nullable(Decimal(5, 2))),
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (station_id, month_day) TTL staged_at + INTERVAL 7 DAY;

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_hours (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    at_ms Int64, -- since 1970
    reading Tuple(
        temp_f Nullable(Decimal(5, 2)), max_6h_f Nullable(Decimal(5, 2)), min_6h_f Nullable(Decimal(5, 2)),
        precip_in Nullable(Decimal(5, 2)), sky LowCardinality(String), status Enum8('' = 0, 'preliminary' = 1, 'verified' = 2),
        others Map(LowCardinality(String), Decimal(5, 2))
    ),
    withdrawn Bool,
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (station_id, at_ms) TTL staged_at + INTERVAL 7 DAY
SETTINGS merge_selector_base = 50;

-- shard: station_id
CREATE TABLE IF NOT EXISTS staged_hourly_forecasts (
    row_number UInt64,
    load_id UInt32,
    station_id LowCardinality(String),
    issued_ms Int64, -- since 1970
    valid_ms Int64, -- since 1970
    provider LowCardinality(String),
    withdrawn Bool,
    values Array(Nullable(Decimal(5, 2))),
    staged_at DateTime DEFAULT now()
) ENGINE = MergeTree ORDER BY (station_id, provider, valid_ms, issued_ms) TTL staged_at + INTERVAL 7 DAY
SETTINGS merge_selector_base = 50;

-- Any variable of hours. Its type has those alone, so rows of before have the first, the temperature. The variable comes last in the
-- key: those of one line of a feed stand together, and their instants take no room.
ALTER TABLE hourly_forecasts ADD COLUMN IF NOT EXISTS metric Enum8('temperature' = 3), MODIFY ORDER BY (station_id, provider, valid_at, issued_at, metric);

-- What a report says of variables that have no element of their own, by their names.
ALTER TABLE hours MODIFY COLUMN reading Tuple(
    temp_f Nullable(Decimal(5, 2)), max_6h_f Nullable(Decimal(5, 2)), min_6h_f Nullable(Decimal(5, 2)),
    precip_in Nullable(Decimal(5, 2)), sky LowCardinality(String), status Enum8('' = 0, 'preliminary' = 1, 'verified' = 2),
    others Map(LowCardinality(String), Decimal(5, 2))
);
