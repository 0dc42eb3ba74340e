-- Sealed versions (D80): what a load has added is read by its number, from every table of dated facts. Rows are in the order of their days, so
-- the index leaves out the granules of earlier loads: of 2,000,000 forecasts, those of one new row are found in one granule.

ALTER TABLE forecasts ADD INDEX IF NOT EXISTS loaded load_id TYPE minmax GRANULARITY 1;

ALTER TABLE distributions ADD INDEX IF NOT EXISTS loaded load_id TYPE minmax GRANULARITY 1;

ALTER TABLE observations ADD INDEX IF NOT EXISTS loaded load_id TYPE minmax GRANULARITY 1;

ALTER TABLE hours ADD INDEX IF NOT EXISTS loaded load_id TYPE minmax GRANULARITY 1;

ALTER TABLE hourly_forecasts ADD INDEX IF NOT EXISTS loaded load_id TYPE minmax GRANULARITY 1;

-- The seal of a version that was made before there were any is an event of its own.
ALTER TABLE loads MODIFY COLUMN event Enum8('started' = 1, 'finished' = 2, 'failed' = 3, 'settled' = 4, 'sealed' = 5);
