CREATE OR REPLACE TEMP MACRO temperature(t) AS degrees(t - {{zero}}, 1);
CREATE OR REPLACE TEMP MACRO pair_of(p) AS {
  target_date: p.target_date,
  valid_at: strftime(make_timestamp(1000 * p.begins_ms), '%Y-%m-%dT%H:%M:%SZ'),  -- if hourly
  issued_at: replace(strftime(make_timestamp(1000 * epoch_ms(p.issued_at)), '%Y-%m-%dT%H:%M:%S.%gZ'), '.000Z', 'Z'),
  lead_time_hours: p.lead_time_hours, lead_time_bucket: p.lead_time_bucket, forecast: temperature(p.f), actual: temperature(p.a),
  error: degrees(p.e, 1), observation_status: p.observation_status};
