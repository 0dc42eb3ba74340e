-- When forecasts were issued, within each part of their table, which is ordered by target date: the latest issuance may be
-- of any target date. The parts that are there get the index in the background (9 s for 35 million rows); until then they
-- are read whole.
ALTER TABLE forecasts ADD INDEX IF NOT EXISTS issued issued_at TYPE minmax;

ALTER TABLE forecasts MATERIALIZE INDEX issued;
