-- Users of a ClickHouse server for the service, each with the rights that its work needs and no others. README.md
-- beside this file says how to run it. Run again, it changes nothing but the passwords.

-- Answers requests. It reads, and may set no more than a time limit of its own and how JSON is written.
CREATE SETTINGS PROFILE IF NOT EXISTS forecast_accuracy_api SETTINGS
    readonly = 2 CONST,
    max_execution_time = 10 MIN 1 MAX 3600, -- the service sets 10 s for a request, and more for an export
    max_memory_usage = 4000000000 MIN 1 MAX 16000000000, -- bytes
    max_concurrent_queries_for_user = 64 CONST,
    max_rows_to_read = 2000000000 CONST, -- a mistake, not a request
    cancel_http_readonly_queries_on_client_close = 1;

CREATE ROLE IF NOT EXISTS forecast_accuracy_api SETTINGS PROFILE 'forecast_accuracy_api';
GRANT SELECT ON forecast_accuracy.* TO forecast_accuracy_api;
GRANT SELECT ON system.clusters TO forecast_accuracy_api;
GRANT SELECT ON system.detached_parts TO forecast_accuracy_api; -- what the disk has lost

CREATE USER IF NOT EXISTS forecast_accuracy_api DEFAULT DATABASE forecast_accuracy;
ALTER USER forecast_accuracy_api IDENTIFIED WITH sha256_password BY {api_password: String};
GRANT forecast_accuracy_api TO forecast_accuracy_api;

-- What one API server asks at most, many times over: a bound on damage, not on use.
CREATE QUOTA IF NOT EXISTS forecast_accuracy_api KEYED BY user_name
    FOR INTERVAL 1 minute MAX queries = 60000, execution_time = 1800
    TO forecast_accuracy_api;

-- Loads feeds, and verifies and repairs what they became: adds rows, and on one server empties the tables of staging.
CREATE SETTINGS PROFILE IF NOT EXISTS forecast_accuracy_loader SETTINGS
    max_memory_usage = 10000000000; -- bytes; the reconciliation of two million forecasts takes a tenth of it

CREATE ROLE IF NOT EXISTS forecast_accuracy_loader SETTINGS PROFILE 'forecast_accuracy_loader';
GRANT SELECT, INSERT ON forecast_accuracy.* TO forecast_accuracy_loader;
GRANT TRUNCATE ON forecast_accuracy.staged_stations TO forecast_accuracy_loader;
GRANT TRUNCATE ON forecast_accuracy.staged_forecasts TO forecast_accuracy_loader;
GRANT TRUNCATE ON forecast_accuracy.staged_observations TO forecast_accuracy_loader;
GRANT TRUNCATE ON forecast_accuracy.staged_normals TO forecast_accuracy_loader;
GRANT TRUNCATE ON forecast_accuracy.staged_hours TO forecast_accuracy_loader;
GRANT TRUNCATE ON forecast_accuracy.staged_hourly_forecasts TO forecast_accuracy_loader;
GRANT REMOTE ON *.* TO forecast_accuracy_loader; -- to ask all servers of a cluster
GRANT SELECT ON system.clusters TO forecast_accuracy_loader;
GRANT SELECT ON system.detached_parts TO forecast_accuracy_loader; -- what the disk has lost
-- Loads lock by renaming a table load_lock_..., in a cluster by rows of load_lock_claims, and look
-- whether a killed one is still at work, and whether a replica is behind.
GRANT CREATE TABLE, DROP TABLE ON forecast_accuracy.load_lock_* TO forecast_accuracy_loader;
GRANT ALTER UPDATE, ALTER DELETE ON forecast_accuracy.load_lock_claims TO forecast_accuracy_loader;
GRANT SELECT ON system.one TO forecast_accuracy_loader; -- of all servers of a cluster: who is up
GRANT SELECT ON system.replicas TO forecast_accuracy_loader;
GRANT SELECT ON system.replication_queue TO forecast_accuracy_loader;
-- The engine of a lock, where the server's table_engines_require_grant asks for it.
GRANT TABLE ENGINE ON Null TO forecast_accuracy_loader;
GRANT SELECT ON system.processes TO forecast_accuracy_loader;

CREATE USER IF NOT EXISTS forecast_accuracy_loader DEFAULT DATABASE forecast_accuracy;
ALTER USER forecast_accuracy_loader IDENTIFIED WITH sha256_password BY {loader_password: String};
GRANT forecast_accuracy_loader TO forecast_accuracy_loader;

-- Makes and changes the tables (npm run migrate), backs them up and restores them. The views on the ledger count with its rights, so it stays.
CREATE ROLE IF NOT EXISTS forecast_accuracy_owner;
GRANT CREATE DATABASE, CREATE TABLE, CREATE VIEW, ALTER TABLE, DROP TABLE, DROP VIEW, TRUNCATE, SELECT, INSERT
    ON forecast_accuracy.* TO forecast_accuracy_owner;
GRANT BACKUP, CHECK ON forecast_accuracy.* TO forecast_accuracy_owner; -- npm run backup; restore checks what has come
GRANT CLUSTER, REMOTE ON *.* TO forecast_accuracy_owner; -- Distributed tables
GRANT TABLE ENGINE ON MergeTree TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON SummingMergeTree TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON ReplacingMergeTree TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON Null TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON ReplicatedMergeTree TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON ReplicatedSummingMergeTree TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON ReplicatedReplacingMergeTree TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON KeeperMap TO forecast_accuracy_owner;
GRANT TABLE ENGINE ON Distributed TO forecast_accuracy_owner;
GRANT SELECT ON system.clusters TO forecast_accuracy_owner;
GRANT SELECT ON system.detached_parts TO forecast_accuracy_owner; -- what the disk has lost
-- Migrations run under the lock of loads.
GRANT SELECT ON system.processes TO forecast_accuracy_owner;
GRANT SELECT ON system.one TO forecast_accuracy_owner; -- of all servers of a cluster: who is up
GRANT SELECT ON system.replicas TO forecast_accuracy_owner;
GRANT SELECT ON system.replication_queue TO forecast_accuracy_owner;

CREATE USER IF NOT EXISTS forecast_accuracy_owner DEFAULT DATABASE forecast_accuracy;
ALTER USER forecast_accuracy_owner IDENTIFIED WITH sha256_password BY {owner_password: String};
GRANT forecast_accuracy_owner TO forecast_accuracy_owner;
