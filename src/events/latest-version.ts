import { z } from 'zod';
import { bind, sql } from '../queries/sql.js';
import type { Store } from '../store/store.js';
import { readAlarms } from '../monitoring/alarm.js';
import { OUTCOMES, type VersionEvent } from './records.js';

const count = z.int().min(0).nullable().catch(null);

/** A report of another version of the service is read as far as it is known, so that no load stops the stream. */
const report = z.object({
  outcome: z.enum(OUTCOMES).catch('complete'),
  pairs_added: count,
  pairs_withdrawn: count,
});

const row = z.object({
  finished_ms: z.number(),
  report: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(report),
});

const loadSql = (version: number) => sql.rows(row)`
  SELECT toUnixTimestamp64Milli(recorded_at) AS finished_ms, report
  FROM loads
  WHERE event = 'finished' AND load_id = ${bind({ version }, 'UInt32')}
  LIMIT 1`;

/** The event of a version, and the text that is sent. */
export interface NewVersion {
  id: string;
  frame: Buffer;
  /** The rows that the engine has read for it. */
  rows: number;
}

/**
 * The event of a finished load.
 * @param id its name in the stream
 * @throws what the store throws
 */
export async function readVersion(
  store: Pick<Store, 'queryOne' | 'query'>,
  version: number,
  id: string,
): Promise<NewVersion> {
  let rows = 0;
  const reader = { name: 'events', chargeRows: (more: number) => (rows += more) };
  const [load, alarms] = await Promise.all([
    store.queryOne(loadSql(version), { reader }),
    readAlarms((alarms) => store.query(alarms, { reader })),
  ]);
  const data: VersionEvent['data'] = {
    data_version: version,
    finished_at: new Date(load.finished_ms).toISOString(),
    ...load.report,
    alarms: alarms.map(({ message }) => message),
  };
  const frame = Buffer.from(`id: ${id}\nevent: version\ndata: ${JSON.stringify(data)}\n\n`);
  return { id, frame, rows };
}
