-- Loads: which there were, which history their numbers belong to, and which station days they have touched.
--
-- Names: a table says its grain (station_day_errors), its materialized view is <table>_mv. `-- shard:` names the
-- expression by which a cluster spreads the table that follows; `none` keeps it on the first one, `local` where its rows arise.

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

-- Which history the numbers of loads belong to. A restored backup goes on from an earlier number, so v413 may come again
-- with other data: together with the lineage it names one version for ever. The latest row holds; the first comes with the
-- table, and a restore adds one.
-- shard: none
CREATE TABLE IF NOT EXISTS lineages (
    nth UInt32,
    lineage String DEFAULT arrayStringConcat(
        arrayMap(place -> substring('abcdefghijkmnpqrstuvwxyz23456789', 1 + rand(place) % 32, 1), range(4))
    ), -- none of its characters looks like another
    begun_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
) ENGINE = MergeTree ORDER BY nth;

INSERT INTO lineages (nth)
SELECT 1
FROM (SELECT count() AS begun FROM lineages)
WHERE begun = 0;

-- The last load that touched each station day. The days of a load are in here before its first fact, so one that is killed
-- half way leaves a record of what to settle. Only the last load of a day is kept, so the table is no larger than the history.
-- shard: station_id
CREATE TABLE IF NOT EXISTS touched_days (
    station_id LowCardinality(String),
    target_date Date,
    load_id UInt32
) ENGINE = ReplacingMergeTree(load_id) ORDER BY (target_date, station_id);

-- The station days whose facts may have changed since what follows from them was last reconciled: those that a load touched
-- after the last one that finished, which settled all before. Nothing is emptied, for which every server of a cluster would
-- have to be there (D59).
CREATE VIEW IF NOT EXISTS unsettled AS
SELECT station_id, target_date, load_id
FROM touched_days
WHERE load_id > (SELECT max(load_id) FROM loads WHERE event = 'finished');
