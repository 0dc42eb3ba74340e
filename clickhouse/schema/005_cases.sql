-- Cases (D32): all forecasts of a station day as one row, for questions that count days and not pairs. A case is made
-- of the pairs that stand in the ledger, and changes as they do: +1 adds a case, -1 withdraws it, no row ever changes.
-- The sum of sign over all the other columns of a case but load_id is 0 or 1, and at most one case stands for each
-- (metric, provider, station_id, target_date): read sums of sign, as in a histogram. What a load knew: the rows of the
-- loads up to it.
--
-- Arrays have a slot for each lead-time bucket, [1] for same-day to [7] for 72h+. What counts revisions leaves same-day
-- forecasts out (D40).
--
-- Ordered by station first, unlike the ledger: a month of 2,000 stations is 15 granules, of which a question about one
-- station then reads one. It takes no more room.
-- shard: station_id
CREATE TABLE IF NOT EXISTS station_day_cases (
    metric Enum8('high' = 1, 'low' = 2),
    provider LowCardinality(String),
    station_id LowCardinality(String),
    target_date Date,
    actual Decimal(5, 2), -- °F
    observation_status Enum8('preliminary' = 1, 'verified' = 2),
    pair_counts Array(UInt32), -- forecasts in the bucket
    forecasts Array(Decimal(5, 2)), -- the latest forecast in the bucket, °F; means nothing where pair_counts is 0
    lead_ms Array(Int64), -- its lead time, milliseconds (D5); likewise
    issuances UInt32, -- forecasts issued before the day began
    changes UInt32, -- those of them that differ from the one before
    abs_change_sum Decimal(12, 2), -- by how much they differ, added up, °F
    first_forecast Decimal(5, 2), -- °F, as the next two; 0 where issuances is 0
    min_forecast Decimal(5, 2),
    max_forecast Decimal(5, 2),
    sign Int8,
    load_id UInt32 -- the load whose settlement wrote the row
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (metric, provider, station_id, target_date);

-- A store that has pairs of an earlier version: whoever opens it next settles these days, as after a load that died.
INSERT INTO unsettled (station_id, target_date, load_id)
SELECT DISTINCT station_id, target_date, 0 AS load_id
FROM pairs
WHERE (station_id, target_date) NOT IN (SELECT station_id, target_date FROM station_day_cases);
