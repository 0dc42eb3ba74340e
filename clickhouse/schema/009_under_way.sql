-- Work under way that is forgotten without TRUNCATE, for which every server of a cluster has to be there (D59).

-- The last load that touched each station day. The days of a load are in here before its first fact, so one that is killed
-- half way leaves a record of what to settle. Only the last load of a day is kept, so the table is no larger than the history.
-- shard: station_id
CREATE TABLE IF NOT EXISTS touched_days (
    station_id LowCardinality(String),
    target_date Date,
    load_id UInt32
) ENGINE = ReplacingMergeTree(load_id) ORDER BY (target_date, station_id);

-- The same for the reports within the day.
-- shard: station_id
CREATE TABLE IF NOT EXISTS touched_day_hours (
    station_id LowCardinality(String),
    target_date Date,
    load_id UInt32
) ENGINE = ReplacingMergeTree(load_id) ORDER BY (target_date, station_id);

-- The station days whose facts may have changed since the ledger was last settled: those that a load touched after the
-- last one that finished, which settled all before. The tables of that name end here, and what a killed load left in them
-- goes on. The first two statements find a table, but where this file was cut short.
CREATE VIEW IF NOT EXISTS unsettled AS
SELECT station_id, target_date, load_id
FROM touched_days
WHERE load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished');

CREATE VIEW IF NOT EXISTS unsettled_hours AS
SELECT station_id, target_date, load_id
FROM touched_day_hours
WHERE load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished');

INSERT INTO touched_days SELECT station_id, target_date, load_id FROM unsettled;

INSERT INTO touched_day_hours SELECT station_id, target_date, load_id FROM unsettled_hours;

DROP TABLE IF EXISTS unsettled SYNC;

DROP TABLE IF EXISTS unsettled_hours SYNC;

CREATE VIEW IF NOT EXISTS unsettled AS
SELECT station_id, target_date, load_id
FROM touched_days
WHERE load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished');

CREATE VIEW IF NOT EXISTS unsettled_hours AS
SELECT station_id, target_date, load_id
FROM touched_day_hours
WHERE load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished');

-- Of staging, a load reads its own rows. Those of others are gone on one engine, and in a cluster after a week, in which
-- the load that settles what a dead one left still finds whose forecasts that brought.
ALTER TABLE staged_stations ADD COLUMN IF NOT EXISTS staged_at DateTime DEFAULT now();

ALTER TABLE staged_forecasts ADD COLUMN IF NOT EXISTS staged_at DateTime DEFAULT now();

ALTER TABLE staged_spreads ADD COLUMN IF NOT EXISTS staged_at DateTime DEFAULT now();

ALTER TABLE staged_observations ADD COLUMN IF NOT EXISTS staged_at DateTime DEFAULT now();

ALTER TABLE staged_normals ADD COLUMN IF NOT EXISTS staged_at DateTime DEFAULT now();

ALTER TABLE staged_hours ADD COLUMN IF NOT EXISTS staged_at DateTime DEFAULT now();

ALTER TABLE staged_stations MODIFY TTL staged_at + INTERVAL 7 DAY;

ALTER TABLE staged_forecasts MODIFY TTL staged_at + INTERVAL 7 DAY;

ALTER TABLE staged_spreads MODIFY TTL staged_at + INTERVAL 7 DAY;

ALTER TABLE staged_observations MODIFY TTL staged_at + INTERVAL 7 DAY;

ALTER TABLE staged_normals MODIFY TTL staged_at + INTERVAL 7 DAY;

ALTER TABLE staged_hours MODIFY TTL staged_at + INTERVAL 7 DAY;
