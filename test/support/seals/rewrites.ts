import { createHash } from 'node:crypto';
import { z } from 'zod';
import { bind, raw, sql } from '../../../src/queries/sql.js';
import { dayOf, lineOf, type SealedFeed } from '../../../src/seals/lines.js';
import type { LoggedVersion } from '../../../src/seals/log.js';
import type { Store } from '../../../src/store/store.js';
import type { Random } from '../random.js';
import { dayOfRow, makeLine, type Month, monthsOfLoads, readRows } from './digests.js';

// Changes of facts and log as an operator can make them behind the service. The operator has the key, so signatures stay good.

type Row = Record<string, unknown>;

export const REWRITES = ['change', 'drop', 'swap', 'remake'] as const;

/** The log of an operator who changes an entry, drops one, exchanges two, or makes all anew. */
export function rewriteLog(
  leaves: readonly LoggedVersion[],
  kind: (typeof REWRITES)[number],
  random: Random,
): LoggedVersion[] {
  const at = random.below(leaves.length);
  const other = (at + 1 + random.below(leaves.length - 1)) % leaves.length;
  const change = (leaf: string): string =>
    leaf.replace(/"rows":(\d+)/, (_, rows) => `"rows":${Number(rows) + 1 + random.below(9)}`);
  return leaves.map(({ version, leaf }, index) => {
    if (kind === 'remake') return { version, leaf: change(leaf) };
    if (kind === 'swap' && index === at) return { version, leaf: leaves[other]!.leaf };
    if (kind === 'swap' && index === other) return { version, leaf: leaves[at]!.leaf };
    if (index !== at) return { version, leaf };
    return { version, leaf: kind === 'drop' ? '' : change(leaf) };
  });
}

/** Writes a log over the one of a store. @param months of the versions that get others */
export async function writeLog(
  store: Store,
  log: readonly LoggedVersion[],
  months: ReadonlyMap<number, readonly Month[]> = new Map(),
): Promise<void> {
  for (const { version, leaf } of log) {
    const { report: text } = await store.queryOne(
      sql.rows(z.object({ report: z.string() }))`
        SELECT report FROM loads WHERE load_id = ${bind({ version }, 'UInt32')} AND event = 'finished'`,
    );
    const before = JSON.parse(text) as Row;
    const seal = leaf === '' ? undefined : leaf;
    const report = JSON.stringify({
      ...before,
      seal,
      sealed_months: months.get(version) ?? before.sealed_months,
    });
    if (report === text) continue;
    await store.command(sql`
      ALTER TABLE loads UPDATE report = ${bind({ report }, 'String')}
      WHERE load_id = ${bind({ version }, 'UInt32')} AND event = 'finished'
      SETTINGS mutations_sync = 1`);
  }
}

/** Changes an observation of a version, and seals that version anew: nothing within the service differs then. */
export async function forgeVersion(store: Store, { version, leaf }: LoggedVersion): Promise<void> {
  const row = (await readRows(store, 'observations')).find(({ load_id }) => Number(load_id) === version)!;
  await removeRow(store, 'observations', row);
  await addRow(store, 'observations', { ...row, actual: (Number(row.actual) + 1).toFixed(2) });
  const months = await monthsOfLoads(store, (loadId) => loadId === version);
  const canonical = JSON.stringify(
    months.map(({ feed, month, root, rows }) => ({ feed, month, root, rows })),
  );
  const sha256 = createHash('sha256').update(canonical).digest('hex');
  const forged = leaf.replace(/("rows":\d+,"sha256":)"\w+"/, `$1"${sha256}"`);
  await writeLog(store, [{ version, leaf: forged }], new Map([[version, months]]));
}

export const addRow = (store: Store, table: string, row: Row): Promise<void> =>
  store.insertText(sql`INSERT INTO ${raw(table)}`, 'JSONEachRow', JSON.stringify(row));

export const removeRow = (store: Store, table: string, row: Row): Promise<void> =>
  store.command(sql`
    ALTER TABLE ${raw(table)}
    DELETE WHERE load_id = ${bind({ load_id: Number(row.load_id) }, 'UInt32')}
      AND ${dayOf(table as SealedFeed)} = ${bind({ day: dayOfRow(table, row) }, 'String')}
      AND ${lineOf(table as SealedFeed)} = ${bind({ line: makeLine(table, row) }, 'String')}
    SETTINGS mutations_sync = 1`);
