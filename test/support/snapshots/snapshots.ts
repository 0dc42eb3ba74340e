import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutComponents, type OpenApiDocument } from '../../../scripts/openapi/components.js';
import { Listening } from '../listen.js';
import { startTestService } from '../service.js';
import { openTestStore } from '../store.js';
import type { DataSet } from './data.js';
import { type Parameter, requestsOf } from './requests.js';
import { sql } from '../../../src/queries/sql.js';

// Sends many requests to every endpoint, about the sample and about the data of NWS_2021_DIR, and writes each response, a
// line, into a file per data set and endpoint. `diff -r` of the folders of two versions of the code shows what changed.

/** Answers beyond this are told by length and digest, bytes. */
const LONGEST = 20_000;
/** As many exports as may be under way. */
const AT_ONCE = 2;
const BEGAN = Date.now() - 1000;

interface Operation {
  parameters?: Parameter[];
  responses: Record<number, { content?: object }>;
}

/** A stream does not end, so no file can have it. */
const isStream = (get: Operation): boolean => 'text/event-stream' in (get.responses[200]?.content ?? {});

const isUsage = (path: string): boolean => path.endsWith('/usage');

/** The operations that have snapshots, by path; the usage of the key comes before any of it is used. */
export function listOperations(prefixes: readonly string[]): [string, Operation][] {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
  const { paths } = withoutComponents(document) as unknown as { paths: Record<string, { get: Operation }> };
  const lost = prefixes.find((prefix) => !Object.keys(paths).some((path) => path.startsWith(prefix)));
  if (lost !== undefined) throw new Error(`${lost}: no path begins with this`);
  return Object.entries(paths)
    .map(([path, { get }]): [string, Operation] => [path, get])
    .filter(
      ([path, get]) =>
        !isStream(get) && (prefixes.length === 0 || prefixes.some((each) => path.startsWith(each))),
    )
    .sort(([a], [b]) => Number(isUsage(b)) - Number(isUsage(a)));
}

/** Without the moments of this run, and what it took: what the data hold is older. */
const lasting = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (at) => (Date.parse(at) < BEGAN ? at : '<now>'))
    .replaceAll(
      /"(request_id|key_id|query_time_ms|rows_per_second|seconds|peak_memory_mb|uptime_seconds|minutes_since_latest)":("[^"]*"|[\d.-]+)/g,
      '"$1":"<now>"',
    );

/**
 * Writes the responses of all endpoints whose path begins with one of the prefixes. Without prefixes all do.
 * @returns how many responses had each status
 * @throws Error for a parameter without a sample, and for a prefix of no endpoint
 */
export async function takeSnapshots(
  data: DataSet,
  folder: string,
  prefixes: readonly string[],
): Promise<Map<number, number>> {
  const operations = listOperations(prefixes).map(
    ([path, { parameters = [] }]) => [path, requestsOf(path, parameters, data)] as const,
  );
  mkdirSync(folder, { recursive: true });
  const statuses = new Map<number, number>();
  const store = await openTestStore({ concurrency: 8, maxWaiting: 256, queryTimeoutSeconds: 600 });
  // Cursors and versions have the timeline in them: one for all runs.
  await store.command(sql`INSERT INTO lineages (nth, lineage) SELECT max(nth) + 1, 'k7q2' FROM lineages`);
  await data.load(store);
  const server = await Listening.start(await startTestService(store, { now: data.now, cacheBytes: 0 }));
  const ask = async (request: string): Promise<string> => {
    const { status, body: bytes } = await server.download(request, { 'Accept-Encoding': 'identity' });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isText = status !== 200 || !request.includes('format=parquet');
    const text = isText ? lasting(bytes.toString()) : bytes;
    const digest = `${text.length} ${createHash('sha256').update(text).digest('hex')}`;
    const body = typeof text === 'string' && text.length <= LONGEST ? text.replaceAll('\n', '\\n') : digest;
    return `GET ${request} -> ${status} ${body}`;
  };
  for (const [path, requests] of operations) {
    const lines: string[] = [];
    const left = [...requests.entries()];
    const askLeft = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        lines[next[0]] = await ask(next[1]);
      }
    };
    await Promise.all(Array.from({ length: isUsage(path) ? 1 : AT_ONCE }, askLeft));
    const name = path.slice(1).replaceAll('/', '.').replaceAll(/[{}]/g, '');
    writeFileSync(join(folder, `${data.name}.${name}`), `${lines.join('\n')}\n`);
  }
  await server.stop();
  await store.close();
  return statuses;
}
