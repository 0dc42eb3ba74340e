-- Temperatures within the day (D56). They make no pair. What a day of them says is worked out once, as it takes a question
-- about 60 days of 2,000 stations 3.5 million reports otherwise.

-- One row per report and version; the latest load wins, as with the other facts. Its key is (station_id, at).
-- shard: station_id
CREATE TABLE IF NOT EXISTS hours (
    station_id LowCardinality(String),
    at DateTime64(3, 'UTC'),
    reading Tuple(
        temp_f Nullable(Decimal(5, 2)),
        max_6h_f Nullable(Decimal(5, 2)), -- of the six hours before
        min_6h_f Nullable(Decimal(5, 2)),
        precip_in Nullable(Decimal(5, 2)),
        sky LowCardinality(String) -- CLR, FEW, SCT, BKN, OVC, VV, or blank
    ), -- of nothing where withdrawn
    withdrawn Bool, -- the report with this key is taken back (D42)
    load_id UInt32
) ENGINE = MergeTree PARTITION BY toYYYYMM(at)
ORDER BY (station_id, at);

-- What the reports of each station day say; the latest load wins. A place of the lists is an hour h, 1 to 24: what was
-- known h hours after the day began, at [24] of the whole day, of 23 to 25 hours; -32768 where too few were reported by then.
-- shard: station_id
CREATE TABLE IF NOT EXISTS station_day_hours (
    station_id LowCardinality(String),
    target_date Date, -- the station's day (D28)
    highest_by_hour Array(Int16), -- whole °F, halves up: no lower than the settled high by what is known
    lowest_by_hour Array(Int16), -- whole °F, halves down
    weather Enum8('unknown' = 0, 'clear' = 1, 'cloudy' = 2, 'precipitation' = 3), -- D58
    load_id UInt32,
    -- The same in whole °C, because they do not follow from whole °F (D56).
    highest_c_by_hour Array(Int16) DEFAULT arrayWithConstant(24, -32768),
    lowest_c_by_hour Array(Int16) DEFAULT arrayWithConstant(24, -32768)
) ENGINE = MergeTree PARTITION BY toYYYYMM(target_date)
ORDER BY (target_date, station_id);
