-- Which history the numbers of loads belong to. A restored backup goes on from an earlier number, so v413 may come again
-- with other data: together with the lineage it names one version for ever. The latest row holds; the first comes with the
-- table, and a restore adds one.
-- shard: none
CREATE TABLE IF NOT EXISTS lineages (
    nth UInt32,
    lineage String DEFAULT arrayStringConcat(
        arrayMap(place -> substring('abcdefghijkmnpqrstuvwxyz23456789', 1 + rand(place) % 32, 1), range(4))
    ), -- none of its characters looks like another
    begun_at DateTime64(3, 'UTC') DEFAULT now64(3, 'UTC')
) ENGINE = MergeTree ORDER BY nth;

INSERT INTO lineages (nth)
SELECT 1
FROM (SELECT count() AS begun FROM lineages)
WHERE begun = 0;
