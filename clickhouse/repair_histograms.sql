-- Makes the histograms what the ledger says, between two dates, by inserting the difference. The views keep them so; this
-- is for a process that died between a block of the ledger and its views. Run again, it adds nothing.

INSERT INTO station_errors (metric, station_id, target_date, lead_time_bucket, error_hundredths, pair_count, preliminary_pair_count)
SELECT metric, station_id, target_date, lead_time_bucket, error_hundredths, sum(counted) AS difference, sum(preliminary) AS preliminary_difference
FROM (
    SELECT
        metric, station_id, target_date, lead_time_bucket, toInt16(error * 100) AS error_hundredths,
        toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
    UNION ALL
    SELECT metric, station_id, target_date, lead_time_bucket, error_hundredths, -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM station_errors
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
)
GROUP BY metric, station_id, target_date, lead_time_bucket, error_hundredths
HAVING difference != 0 OR preliminary_difference != 0;

INSERT INTO network_errors (metric, target_date, lead_time_bucket, error_hundredths, pair_count, preliminary_pair_count)
SELECT metric, target_date, lead_time_bucket, error_hundredths, sum(counted) AS difference, sum(preliminary) AS preliminary_difference
FROM (
    SELECT
        metric, target_date, lead_time_bucket, toInt16(error * 100) AS error_hundredths,
        toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
    UNION ALL
    SELECT metric, target_date, lead_time_bucket, error_hundredths, -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM network_errors
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
)
GROUP BY metric, target_date, lead_time_bucket, error_hundredths
HAVING difference != 0 OR preliminary_difference != 0;

-- Whole weeks, so that a week is compared with all of its days.
INSERT INTO station_week_errors (metric, week_start, station_id, error_hundredths, pair_count, preliminary_pair_count)
SELECT metric, week_start, station_id, error_hundredths, sum(counted) AS difference, sum(preliminary) AS preliminary_difference
FROM (
    SELECT
        metric, toMonday(target_date) AS week_start, station_id, toInt16(error * 100) AS error_hundredths,
        toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE week_start BETWEEN toMonday({first_date: Date}) AND toMonday({last_date: Date})
    UNION ALL
    SELECT metric, week_start, station_id, error_hundredths, -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM station_week_errors
    WHERE week_start BETWEEN toMonday({first_date: Date}) AND toMonday({last_date: Date})
)
GROUP BY metric, week_start, station_id, error_hundredths
HAVING difference != 0 OR preliminary_difference != 0;

INSERT INTO station_days (metric, target_date, station_id, pair_count, preliminary_pair_count)
SELECT metric, target_date, station_id, sum(counted) AS difference, sum(preliminary) AS preliminary_difference
FROM (
    SELECT
        metric, target_date, station_id,
        toInt64(sign) AS counted, if(observation_status = 'preliminary', toInt64(sign), 0) AS preliminary
    FROM pairs
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
    UNION ALL
    SELECT metric, target_date, station_id, -pair_count AS counted, -preliminary_pair_count AS preliminary
    FROM station_days
    WHERE target_date BETWEEN {first_date: Date} AND {last_date: Date}
)
GROUP BY metric, target_date, station_id
HAVING difference != 0 OR preliminary_difference != 0;
