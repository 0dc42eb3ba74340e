-- In which degrees a station reports its extremes: its observations are read as these (D63). Facts keep what feeds said.

ALTER TABLE stations ADD COLUMN IF NOT EXISTS reported_in Enum8('' = 0, 'whole_fahrenheit' = 1, 'whole_celsius' = 2) AFTER day_boundary;

ALTER TABLE staged_stations ADD COLUMN IF NOT EXISTS reported_in Enum8('' = 0, 'whole_fahrenheit' = 1, 'whole_celsius' = 2) AFTER day_boundary;

DROP VIEW IF EXISTS current_stations;

CREATE VIEW IF NOT EXISTS current_stations AS
SELECT
    station_id, city_name, country, latitude, longitude, timezone, climate_zone, data_active, aliases, iata, day_boundary,
    reported_in
FROM (
    SELECT *
    FROM stations
    ORDER BY station_id, load_id DESC
    LIMIT 1 BY station_id
)
WHERE NOT withdrawn;
