-- Weeks begin on Monday; the days beside the whole weeks of the window belong to the nearest.
CREATE OR REPLACE TEMP MACRO week_of(day) AS
  greatest(0, least({{week_count}} - 1, floor_div((day - {{first_week}}::DATE)::BIGINT, 7)));
