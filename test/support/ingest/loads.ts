import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { UnreadableFeed } from '../../../src/ingest/read/header.js';
import type { Store } from '../../../src/store/store.js';
import { raw, sql } from '../../../src/queries/sql.js';
import { temporaryFolder } from '../store.js';
import { words } from '../words.js';

// Feeds of a few rows, and what loads of them leave.

export const CHICAGO = 'KORD,Chicago,US,41.96,-87.93,America/Chicago,Dfa,true,Windy City,ORD';
export const LONDON = 'EGLL,London,GB,51.47,-0.45,Europe/London,Cfb,true,,LHR';

// 5 January begins at 06:00 UTC in Chicago.
export const FORECASTS = [
  'KORD,2026-01-04T18:00:00Z,2026-01-05,31,18',
  'KORD,2026-01-05T00:00:00Z,2026-01-05,32.5,19',
];
export const PRELIMINARY = 'KORD,2026-01-05,30,17,preliminary,2026-01-06T06:00:00Z';
export const FEEDS = { stations: [CHICAGO, LONDON], forecasts: FORECASTS, observations: [PRELIMINARY] };

const TABLES = words(`staged_stations staged_forecasts staged_observations staged_normals staged_hours
  staged_hourly_forecasts hourly_forecasts network_lead_errors stations forecasts observations normals distributions hours station_day_hours station_days local_midnights
  station_day_errors network_day_errors station_week_errors station_day_counts unsettled`);

/** Rows of each table, staging included, but of the list of loads. */
export async function sizes(store: Store): Promise<Record<string, number>> {
  const counts = TABLES.map((table) => `(SELECT count() FROM ${table}) AS ${table}_rows`);
  const [row] = await store.query(
    sql.rows(z.record(z.string(), z.number()))`${raw(`SELECT ${counts.join(', ')}`)}`,
  );
  return row ?? {};
}

/** Rows of a feed by what became of them; none of them is contradicted. */
export const rows = (
  rows_new: number,
  rows_corrected: number,
  rows_unchanged: number,
  rows_rejected: number,
) => ({
  rows_read: rows_new + rows_corrected + rows_unchanged + rows_rejected,
  rows_new,
  rows_corrected,
  rows_unchanged,
  rows_rejected,
  rows_contradicted: 0,
  first_contradicted: null,
});

type Fates = Parameters<typeof rows>;
const NO_ROWS: Fates = [0, 0, 0, 0];

/** Rows of each feed by what became of them, in a load of no normals and no hours. */
export const feedRows = (stations = NO_ROWS, forecasts = NO_ROWS, observations = NO_ROWS) => ({
  stations: rows(...stations),
  forecasts: rows(...forecasts),
  observations: rows(...observations),
  normals: rows(...NO_ROWS),
  hours: rows(...NO_ROWS),
  hourly_forecasts: rows(...NO_ROWS),
});

/** The file of a name that holds this. */
export function fileWith(name: string, content: string | Buffer): string {
  const path = join(temporaryFolder(), name);
  writeFileSync(path, content);
  return path;
}

/** Why a load found a file unreadable. */
export async function unreadable(loading: Promise<unknown>): Promise<string> {
  const error = await loading.catch((reason: unknown) => reason);
  if (error instanceof UnreadableFeed) return error.message;
  throw new Error('it is not unreadable', { cause: error });
}
