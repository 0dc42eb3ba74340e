.read stations.sql
.read uncertainty.sql -- if ci
SELECT station_id, any_value(city_name) AS city_name,
  any_value(distance_km) AS distance_km,  -- if near
  count(*) AS sample_size, stats(e, target_date) AS stats,  -- if not chance
  count(*) AS sample_size, stats(e, target_date, f, a) AS stats,  -- if chance
  uncertainty_of(station_id) AS uncertainty,  -- if ci
FROM pairs JOIN stations USING (station_id)
GROUP BY station_id HAVING count(*) >= {{min_samples}}
ORDER BY
  sum(abs(e)) / (100 * count(*)),  -- if sort_by=mae
  count(*) DESC,  -- if sort_by=count
  sum(e) / (100 * count(*)),  -- if sort_by=mean_error
  any_value(place),  -- if sort_by=city
  sqrt(sum(e * e) / count(*)),  -- if sort_by=rmse
  any_value(distance_km),  -- if sort_by=distance
  station_id;
SELECT coalesce(sum(n), 0)::BIGINT AS total_records
FROM (SELECT count(*) AS n FROM pairs GROUP BY station_id HAVING n >= {{min_samples}});
