-- How far the numbers are final.
CREATE OR REPLACE TEMP MACRO coverage_of(days, preliminary_days) AS {
  verified_days: days - preliminary_days, preliminary_days: preliminary_days, verified_pct: share(days - preliminary_days, days)};
