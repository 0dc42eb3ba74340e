import { literal } from '../recompute/template.js';

// The pairs of a copy, a Parquet file for a provider and month, and the scripts that read them.

/** The Parquet file of the pairs of a month, YYYY-MM. Names of providers need no escape. */
export const pairsFile = (provider: string, month: string): string =>
  `pairs/provider=${provider}/${month}.parquet`;

/** The months, YYYY-MM, of some days. */
export function* eachMonth(from: string, to: string): Generator<string> {
  const at = new Date(`${from.slice(0, 7)}-01`);
  for (
    let month;
    (month = at.toISOString().slice(0, 7)) <= to.slice(0, 7);
    at.setUTCMonth(at.getUTCMonth() + 1)
  )
    yield month;
}

/** The parameters of an export of a month. */
export function exportOfMonth(provider: string, month: string): Record<string, string> {
  const [year = 0, number = 0] = month.split('-').map(Number);
  const date_to = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
  return { provider, date_from: `${month}-01`, date_to, format: 'parquet' };
}

/**
 * A script of the service that reads files of a copy in place of one to download.
 * @param name of the script in the copy
 * @throws Error for a script of another form
 */
export function readFromCopy(script: string, name: string, files: readonly string[]): string {
  const list = files.map((file) => `getvariable('copy') || ${literal(file)}`).join(',\n  ');
  const commands = `-- In the folder of the copy: duckdb -json -f '${name}'
-- Elsewhere: duckdb -json -cmd "SET VARIABLE copy = 'https://example.org/copy/'" -f SCRIPT
SET VARIABLE copy = coalesce(getvariable('copy'), '');
`;
  const [before, after] = [/^-- 1\. .*\n-- 2\. .*\n/m, /^FROM 'pairs\.parquet'$/m];
  if (!before.test(script) || !after.test(script)) throw new Error(`${name}: the script has another form`);
  return script.replace(before, () => commands).replace(after, () => `FROM read_parquet([\n  ${list}])`);
}
