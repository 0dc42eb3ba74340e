-- The stations of the request: the export has no names. `place` ranks them by the code units of the lower-cased name.
CREATE OR REPLACE TEMP TABLE stations AS
FROM (VALUES
  {{stations}}
) AS s(station_id, city_name, place, distance_km)
WHERE station_id IN (SELECT station_id FROM pairs)  -- if min_days
;
