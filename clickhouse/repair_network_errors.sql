-- Makes the network histogram what the ledger says, as repair_station_errors.sql does for the stations'.
INSERT INTO network_errors (metric, target_date, lead_time_bucket, error, pair_count, preliminary_pair_count)
SELECT metric, target_date, lead_time_bucket, error, sum(counted) AS difference, sum(preliminary) AS preliminary_difference
FROM (
    SELECT
        metric, target_date, lead_time_bucket, error,
        toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
    UNION ALL
    SELECT
        metric, target_date, lead_time_bucket, error,
        -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM network_errors
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
)
GROUP BY metric, target_date, lead_time_bucket, error
HAVING difference != 0 OR preliminary_difference != 0;
