import { basename } from 'node:path';
import { listFiles, readText } from './files.js';

// A newcomer finds a thing by the word of the trade. Names of our own hid four of the first fourteen.

/** Words of the trade by which engineers look for a thing, and the file of src that does it. */
const THINGS: readonly [word: string, file: string][] = [
  ['304', 'http/conditional.ts'],
  ['quantile', 'statistics/quantiles.ts'],
  ['correction', 'ingest/reconcile/ledger-difference.ts'],
  ['api key', 'auth/admission.ts'],
  ['probability', 'probability/probability.ts'],
  ['timeout', 'store/store.ts'],
  ['invalidat', 'responses/cache.ts'],
  ['validat', 'responses/resolver.ts'],
  ['celsius', 'api/params/temperature-unit.ts'],
  ['shutdown', 'server.ts'],
  ['outlier', 'ingest/check/quality-control.ts'],
  ['DEFAULT_', 'api/params/common.ts'],
  ['significan', 'statistics/uncertainty/diebold-mariano.ts'],
  ['retry', 'collect/host/host.ts'],
  ['backoff', 'collect/host/host.ts'],
  ['idempotent', 'ingest/apply/apply.ts'],
  ['staging', 'ingest/stage/staging-tables.ts'],
  ['cursor', 'api/cursor.ts'],
  ['rate limit', 'auth/admission.ts'],
  ['etag', 'http/conditional.ts'],
  ['gzip', 'http/encoding.ts'],
  ['leap day', 'comparison/skill/normals.ts'],
  ['bootstrap', 'statistics/uncertainty/intervals.ts'],
  ['coalesced', 'responses/cache.ts'],
  ['migration', 'store/schema/migrate.ts'],
  ['heartbeat', 'store/lock/locks.ts'],
  ['fencing', 'store/lock/lock.ts'],
  ['daylight', 'statistics/time/local-midnight.ts'],
  ['wind speed', 'variables/declarations.ts'],
];

const IMPORTS = /^import [^;]*;\n/gm;
const HEAD = /^(?:\s*(?:\/\/[^\n]*\n|\/\*[^]*?\*\/\n?))+/;

const files = listFiles('src')
  .filter((file) => /\.c?ts$/.test(file))
  .map((file) => {
    const text = readText(file).toLowerCase();
    return {
      file: file.replace('src/', ''),
      lines: text.split('\n'),
      head: HEAD.exec(text.replaceAll(IMPORTS, ''))?.[0] ?? '',
    };
  });

/** The files that a grep of src leads to: by the comment at their head, by their name, or by most lines with the word. */
function findFiles(word: string): string[] {
  const wanted = word.toLowerCase();
  const name = wanted.replaceAll(' ', '-');
  const counts = files.map(({ lines }) => lines.filter((line) => line.includes(wanted)).length);
  const most = Math.max(1, ...counts);
  const byHead = files.filter(({ head }) => head.replaceAll(/\s*\n\/\/\s*/g, ' ').includes(wanted));
  const byName = files.filter(({ file }) => new RegExp(`^${name}s?\\.`).test(basename(file)));
  const byLines = files.filter((_, at) => counts[at] === most);
  const found = [...(byHead.length === 1 ? byHead : []), ...byName, ...byLines].map(({ file }) => file);
  return [...new Set(found)];
}

/** The words that do not lead to their file. */
export function findHidden(): string[] {
  return THINGS.flatMap(([word, file]) => {
    const found = findFiles(word).slice(0, 2);
    return found.includes(file)
      ? []
      : [`src/${file}: a grep for "${word}" leads to ${found.join(', ')}: name it at its head`];
  });
}
