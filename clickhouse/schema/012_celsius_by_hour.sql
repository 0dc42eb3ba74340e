-- The extremes by hour in whole °C too, because they do not follow from whole °F (D56). Rows that exist get -32768, missing.
ALTER TABLE station_day_hours ADD COLUMN IF NOT EXISTS highest_c_by_hour Array(Int16) DEFAULT arrayWithConstant(24, -32768);

ALTER TABLE station_day_hours ADD COLUMN IF NOT EXISTS lowest_c_by_hour Array(Int16) DEFAULT arrayWithConstant(24, -32768);

-- All their days wait to be settled, as if a load had been killed: the next load, or server that starts, works them out
-- from the reports. Cut short after this, it runs again, and the rows are the same.
INSERT INTO touched_day_hours
SELECT DISTINCT station_id, target_date, (SELECT max(load_id) + 1 FROM loads) AS load_id
FROM station_day_hours;
