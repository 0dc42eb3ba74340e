-- Makes the station histogram what the ledger says, by inserting the difference. The views keep it so; this is for
-- a process that died between a block of the ledger and its views.
INSERT INTO station_errors
    (metric, station_id, target_date, lead_time_bucket, error, pair_count, preliminary_pair_count)
SELECT metric, station_id, target_date, lead_time_bucket, error, sum(counted) AS difference, sum(preliminary) AS preliminary_difference
FROM (
    SELECT
        metric, station_id, target_date, lead_time_bucket, error,
        toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
    UNION ALL
    SELECT
        metric, station_id, target_date, lead_time_bucket, error,
        -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM station_errors
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
)
GROUP BY metric, station_id, target_date, lead_time_bucket, error
HAVING difference != 0 OR preliminary_difference != 0;
