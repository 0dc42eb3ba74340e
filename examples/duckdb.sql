-- Accuracy by station over all files of the version that export-parquet.sh has written here:
--   duckdb < examples/duckdb.sql
SELECT
  station_id,
  count(*) AS verification_pairs,
  round(avg(error), 2) AS mean_error,
  round(avg(abs(error)), 2) AS mae,
  round(sqrt(avg(error * error)), 2) AS rmse
FROM 'pairs/*.parquet'
WHERE metric = 'high'
GROUP BY station_id
ORDER BY mae, station_id;
