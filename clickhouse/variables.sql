-- The tables and views that tell variables apart, made of the registry (src/variables/): they follow it when it has a variable that a
-- store does not know. {METRICS} are the names with their codes, as an Enum has them; {METRICS_OF_HOURS} those of hours, and
-- {HOURS} their names alone. An Enum in a key can only grow, so nothing is written anew.

ALTER TABLE forecasts MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE observations MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE distributions MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE normals MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE hourly_forecasts MODIFY COLUMN metric Enum8({METRICS_OF_HOURS});

ALTER TABLE station_days MODIFY COLUMN metric Enum8({METRICS});

-- An amount is the observation of a wet day, and one of its own: a store has it of wet days alone, if it is older than the second.
INSERT INTO observations (metric, station_id, target_date, observation_status, observed_at, actual, withdrawn, load_id)
SELECT 'precip', station_id, target_date, observation_status, observed_at, actual, withdrawn, load_id
FROM observations
WHERE metric = 'wet_day' AND (station_id, target_date, observation_status, observed_at, load_id) NOT IN (
    SELECT station_id, target_date, observation_status, observed_at, load_id FROM observations WHERE metric = 'precip'
)
SETTINGS max_partitions_per_insert_block = 0;

-- Empty for hours, which have a few forecasts each: to keep them would take a third more of the ledger.
ALTER TABLE station_days MODIFY COLUMN latest_places Array(UInt16) MATERIALIZED if(metric IN ({HOURS}), [], arrayMap(bucket -> indexOf(arrayMap(each -> toUInt8(each), lead_time_buckets), bucket), range(7)));

ALTER TABLE network_day_errors MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE network_lead_errors MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE station_day_errors MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE station_week_errors MODIFY COLUMN metric Enum8({METRICS});

ALTER TABLE station_day_counts MODIFY COLUMN metric Enum8({METRICS});

-- A view keeps the types of its columns.
DROP VIEW IF EXISTS pairs;

CREATE VIEW IF NOT EXISTS pairs AS
SELECT
    metric, provider, station_id, target_date,
    local_midnight - toIntervalMillisecond(lead) AS issued_at,
    local_midnight, lead AS lead_ms, lead_time_bucket, forecast, actual,
    forecast - actual AS error, -- in the unit of the variable
    error_hundredths, -- the grain of the histograms
    observation_status, sign, load_id, recorded_at
FROM station_days
ARRAY JOIN
    lead_ms AS lead, forecasts AS forecast, lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths;

-- A station day of hours has hardly two pairs of one error, so its rows of a histogram would be as many as its pairs: questions
-- about stations read the ledger.
DROP VIEW IF EXISTS station_day_errors_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS station_day_errors_mv TO station_day_errors AS
SELECT
    metric, provider, station_id, target_date, lead_time_bucket, error_hundredths,
    toInt64(sign) AS pair_count, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_time_buckets AS lead_time_bucket, errors_hundredths AS error_hundredths
WHERE metric NOT IN ({HOURS});

DROP VIEW IF EXISTS station_week_errors_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS station_week_errors_mv TO station_week_errors AS
SELECT
    metric, provider, toMonday(target_date) AS week_start, station_id, error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_ms AS lead, errors_hundredths AS error_hundredths
WHERE lead >= 0 AND metric NOT IN ({HOURS})
GROUP BY metric, provider, week_start, station_id, error_hundredths;

-- For questions about the network by lead time in whole hours, of hours alone.
DROP VIEW IF EXISTS network_lead_errors_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS network_lead_errors_mv TO network_lead_errors AS
SELECT
    metric, provider, target_date, toUInt16(intDiv(lead, 3600000)) AS lead_hour, error_hundredths,
    sum(toInt64(sign)) AS pair_count,
    sumIf(toInt64(sign), observation_status = 'preliminary') AS preliminary_pair_count
FROM station_days
ARRAY JOIN lead_ms AS lead, errors_hundredths AS error_hundredths
WHERE metric IN ({HOURS})
GROUP BY metric, provider, target_date, lead_hour, error_hundredths;
