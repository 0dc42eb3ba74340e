-- Wet days (D68): a forecast is a chance, %, and an observation an amount, inches. The ledger has 100 where the amount makes a wet day, else 0.

-- The type that the ledger has: joins compare it.
ALTER TABLE forecasts MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE observations MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE distributions MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE normals MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE staged_forecasts MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE staged_observations MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE staged_normals MODIFY COLUMN metric Enum8('high' = 1, 'low' = 2, 'temperature' = 3, 'wet_day' = 4);

ALTER TABLE forecast_rows ADD COLUMN IF NOT EXISTS precip_chance Nullable(Decimal(5, 2)); -- %

ALTER TABLE observation_rows ADD COLUMN IF NOT EXISTS precip_in Nullable(Decimal(5, 2)); -- inches

DROP VIEW IF EXISTS staged_forecasts_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_forecasts_mv TO staged_forecasts AS
SELECT
    row_number, metric, if(provider = '', 'default', provider) AS provider, station_id, target_date, issued_at,
    if(withdrawn, 0, ifNull(value_f, 0)) AS forecast, withdrawn,
    NOT withdrawn AND ifNull(high_f < low_f, false) AS is_inverted, load_id,
    if(withdrawn, [], distribution_f) AS distribution
FROM (
    SELECT
        row_number, provider, station_id, target_date, issued_at, high_f, low_f, precip_chance, withdrawn, load_id,
        CAST([0, 5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95], 'Array(UInt8)') AS levels,
        [
            high_sd_f, high_p05_f, high_p10_f, high_p20_f, high_p25_f, high_p30_f, high_p40_f,
            high_p50_f, high_p60_f, high_p70_f, high_p75_f, high_p80_f, high_p90_f, high_p95_f
        ] AS of_high,
        [
            low_sd_f, low_p05_f, low_p10_f, low_p20_f, low_p25_f, low_p30_f, low_p40_f,
            low_p50_f, low_p60_f, low_p70_f, low_p75_f, low_p80_f, low_p90_f, low_p95_f
        ] AS of_low,
        arrayFilter(
            (each, value) -> value IS NOT NULL,
            arrayZip(levels, arrayMap(value -> assumeNotNull(value), of_high)), of_high
        ) AS high_distribution,
        arrayFilter(
            (each, value) -> value IS NOT NULL,
            arrayZip(levels, arrayMap(value -> assumeNotNull(value), of_low)), of_low
        ) AS low_distribution
    FROM forecast_rows
)
ARRAY JOIN
    [high_f, low_f, precip_chance] AS value_f,
    [high_distribution, low_distribution, []] AS distribution_f,
    CAST(['high', 'low', 'wet_day'], 'Array(Enum8(\'high\' = 1, \'low\' = 2, \'wet_day\' = 4))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;

DROP VIEW IF EXISTS staged_observations_mv;

CREATE MATERIALIZED VIEW IF NOT EXISTS staged_observations_mv TO staged_observations AS
SELECT
    row_number, metric, station_id, date AS target_date, status AS observation_status, observed_at,
    if(withdrawn, 0, ifNull(value_f, 0)) AS actual, withdrawn,
    NOT withdrawn AND ifNull(high_f < low_f, false) AS is_inverted, load_id
FROM observation_rows
ARRAY JOIN
    [high_f, low_f, precip_in] AS value_f,
    CAST(['high', 'low', 'wet_day'], 'Array(Enum8(\'high\' = 1, \'low\' = 2, \'wet_day\' = 4))') AS metric
WHERE withdrawn OR value_f IS NOT NULL;
