-- The subject of a record about several stations together.
CREATE OR REPLACE TEMP MACRO kept() AS (SELECT count(DISTINCT station_id) FROM pairs);  -- if min_days
CREATE OR REPLACE TEMP MACRO subject_id() AS {{station_id}};  -- if not min_days
CREATE OR REPLACE TEMP MACRO subject_name() AS {{city_name}};  -- if not min_days
CREATE OR REPLACE TEMP MACRO subject_id() AS CASE WHEN {{is_one}} AND kept() = 1 THEN {{station_id}} ELSE 'SELECTED' END;  -- if min_days
CREATE OR REPLACE TEMP MACRO subject_name() AS CASE  -- if min_days
  WHEN {{is_one}} AND kept() = 1 THEN {{city_name}} WHEN kept() = 1 THEN '1 station' ELSE kept() || ' stations' END;  -- if min_days
