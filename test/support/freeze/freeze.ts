import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutComponents, type OpenApiDocument } from '../../../src/openapi/components.js';
import { Listening } from '../listen.js';
import { startTestService } from '../service.js';
import { openTestStore } from '../store.js';
import { DATA_SETS, type DataSet } from './data.js';
import { type Parameter, questionsOf } from './questions.js';
import { sql } from '../../../src/sql.js';

// npm run freeze -- OUT_DIR: asks every endpoint in many forms about the sample and about the data of NWS_2021_DIR, and
// writes each answer, a line, into a file per data set and endpoint. `diff -r` of the folders of two versions of the
// code, each made on the same day, says what they answer differently.

/** Answers beyond this are told by length and digest, bytes. */
const LONGEST = 20_000;
/** As many exports as may be under way. */
const AT_ONCE = 2;
const BEGAN = Date.now() - 1000;

/** Without the moments of this run, and what it took: what the data hold is older. */
const lasting = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (at) => (Date.parse(at) < BEGAN ? at : '<now>'))
    .replaceAll(
      /"(request_id|key_id|query_time_ms|rows_per_second|seconds|peak_memory_mb|uptime_seconds|minutes_since_latest)":("[^"]*"|[\d.-]+)/g,
      '"$1":"<now>"',
    );

async function freeze(data: DataSet, folder: string, statuses: Map<number, number>): Promise<void> {
  const store = await openTestStore({ concurrency: 8, maxWaiting: 256, queryTimeoutSeconds: 600 });
  // Cursors and versions have the lineage in them: one for all runs.
  await store.command(sql`INSERT INTO lineages (nth, lineage) SELECT max(nth) + 1, 'k7q2' FROM lineages`);
  await data.load(store);
  const server = await Listening.start(await startTestService(store, { now: data.now, cacheBytes: 0 }));
  const ask = async (question: string): Promise<string> => {
    const { status, body: bytes } = await server.download(question, { 'Accept-Encoding': 'identity' });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    const isText = status !== 200 || !question.includes('format=parquet');
    const text = isText ? lasting(bytes.toString()) : bytes;
    const digest = `${text.length} ${createHash('sha256').update(text).digest('hex')}`;
    const body = typeof text === 'string' && text.length <= LONGEST ? text.replaceAll('\n', '\\n') : digest;
    return `GET ${question} -> ${status} ${body}`;
  };
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApiDocument;
  const { paths } = withoutComponents(document) as unknown as {
    paths: Record<string, { get: { parameters?: Parameter[] } }>;
  };
  // The usage of the key is asked for before any of it is used.
  const isUsage = ([path]: [string, unknown]): boolean => path.endsWith('/usage');
  const inOrder = Object.entries(paths).sort((a, b) => Number(isUsage(b)) - Number(isUsage(a)));
  for (const [path, { get }] of inOrder) {
    const questions = questionsOf(path, get.parameters ?? [], data);
    const lines: string[] = [];
    const left = [...questions.entries()];
    const askLeft = async (): Promise<void> => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        lines[next[0]] = await ask(next[1]);
      }
    };
    await Promise.all(Array.from({ length: isUsage([path, get]) ? 1 : AT_ONCE }, askLeft));
    const name = path.slice(1).replaceAll('/', '.').replaceAll(/[{}]/g, '');
    writeFileSync(join(folder, `${data.name}.${name}`), `${lines.join('\n')}\n`);
  }
  await server.stop();
  await store.close();
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('npm run freeze -- OUT_DIR');
mkdirSync(folder, { recursive: true });
for (const data of DATA_SETS) {
  const statuses = new Map<number, number>();
  const started = performance.now();
  await freeze(data, folder, statuses);
  const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} x ${status}`);
  console.log(`${data.name}: ${counts.join(', ')} in ${Math.round((performance.now() - started) / 1000)} s`);
}
process.exit(); // the engine stays open for further stores
