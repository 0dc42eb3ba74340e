-- Every row of a feed is read before it reaches the engine, so no line of a file lands here any more.
DROP VIEW IF EXISTS staged_lines_mv;

DROP TABLE IF EXISTS feed_blocks SYNC;

DROP TABLE IF EXISTS staged_lines SYNC;
