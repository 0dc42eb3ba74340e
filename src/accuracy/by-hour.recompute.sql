-- How far the clock of each station is ahead of UTC from an instant on, ms.  -- if offsets
CREATE OR REPLACE TEMP TABLE offsets AS  -- if offsets
FROM (VALUES  -- if offsets
  {{offsets}}  -- if offsets
) AS s(station_id, from_ms, ahead_ms);  -- if offsets
CREATE OR REPLACE TEMP TABLE pairs AS
SELECT pairs.*,
  lead_ms // 3600000 AS hour  -- if group_by=lead_hour
  (begins_ms + 86400000) // 3600000 % 24 AS hour  -- if group_by=valid_hour
  (begins_ms + ahead_ms + 86400000) // 3600000 % 24 AS hour  -- if group_by=local_hour
FROM pairs
ASOF JOIN offsets ON pairs.station_id = offsets.station_id AND pairs.begins_ms >= offsets.from_ms  -- if group_by=local_hour
;
.read uncertainty.sql -- if ci
SELECT hour, stats(e, target_date) AS stats,  -- if not chance
SELECT hour, stats(e, target_date, f, a) AS stats,  -- if chance
  uncertainty_of(hour) AS uncertainty,  -- if ci
FROM pairs GROUP BY hour ORDER BY hour;
SELECT count(*) AS total_records FROM pairs;
