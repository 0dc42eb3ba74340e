-- A case is a station day, or hour, with its latest forecast of the lead times asked for.
CREATE OR REPLACE TEMP TABLE cases AS
SELECT station_id, target_date, arg_max(f, issued_at) AS f, any_value(a) AS a, arg_max(e, issued_at) AS e,
  arg_max(lead_ms, issued_at) AS lead_ms, any_value(preliminary) AS preliminary
FROM pairs GROUP BY station_id, target_date, begins_ms;
-- Whole degrees of the unit, or whole numbers of it, half up.
CREATE OR REPLACE TEMP MACRO degree(t) AS floor_div(2 * in_unit(t - {{zero}}) + of_unit(100), of_unit(200))::BIGINT;
