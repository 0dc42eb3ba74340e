.read stations.sql
.read pair.sql
SELECT station_id, city_name, unnest(pair_of(pairs))
FROM pairs JOIN stations USING (station_id)
ORDER BY
  abs(e) DESC,  -- if sort_by=abs_error
  pairs.target_date, station_id, pairs.issued_at, begins_ms
LIMIT {{limit}} OFFSET {{skip}};
SELECT count(*) AS total_records, count(*) > {{limit}} + {{skip}} AS truncated FROM pairs;
