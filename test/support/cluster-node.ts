import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Session } from 'chdb';
import { type ClickHouseClient, type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client';
import { createChdbConnection } from 'chdb/connection';
import { CLUSTER_SETTINGS } from '../../src/store/engine/cluster.js';
import { errorCode } from '../../src/store/errors.js';
import type { TestClusterOptions } from './cluster.js';

// A cluster in one process: the embedded engine, which knows of two shards and takes both for itself, behind as much of
// the HTTP interface as the service uses. A query of a Distributed table is planned and run as on two servers (partial
// aggregates are merged, a table in a subquery is refused or made GLOBAL), and each shard sees its own rows of the local
// table: additional_table_filters hides those of the other. The engine opens no port and has no coordinator, so these
// are not the real thing: the network between shards, ON CLUSTER (there is one engine) and, unless a ZooKeeper is given,
// replication (ReplicatedMergeTree is made as MergeTree).

const options = JSON.parse(process.argv[2] ?? '') as TestClusterOptions & { name: string; folder: string };

// Any number does: it is what makes both shards this engine.
const TCP_PORT = 9000;

const client = open();
const session = new Map<string, string>();
let database = 'default';
let last: Promise<unknown> = Promise.resolve();

const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
  // The database and settings are those of the engine's one session, so requests take turns.
  last = last.then(() => answer(request, response));
}).listen(0, '127.0.0.1', () => console.log(`listening on ${JSON.stringify(server.address())}`));

function open(): ClickHouseClient {
  mkdirSync(options.folder, { recursive: true });
  const file = join(options.folder, 'config.xml');
  const shard = (host: string): string => `<shard>
      <internal_replication>true</internal_replication>
      <replica><host>${host}</host><port>${TCP_PORT}</port></replica>
    </shard>`;
  const cluster = (name: string, content: string): string => `<${name}>${content}</${name}>`;
  writeFileSync(
    file,
    `<clickhouse>
      <tcp_port>${TCP_PORT}</tcp_port>
      <users_config>${join(options.folder, 'users.xml')}</users_config>
      <remote_servers>
        ${cluster(options.name, shard('localhost') + shard('127.0.0.1'))}
        ${cluster('doubling', '<shard><replica><host>a</host></replica><replica><host>b</host></replica></shard>')}
      </remote_servers>
      ${options.zookeeper ?? ''}
    </clickhouse>`,
  );
  const path = join(options.folder, 'data');
  const grants = (options.grants ?? ['GRANT ALL ON *.*']).map((grant) => `<query>${grant}</query>`);
  writeFileSync(
    join(options.folder, 'users.xml'),
    `<clickhouse>
      <profiles><default><readonly>${options.readonly === true ? 2 : 0}</readonly></default></profiles>
      <users><default><password/><profile>default</profile><grants>${grants.join('')}</grants></default></users>
    </clickhouse>`,
  );
  // Whoever opens the folder first says how the engine is configured; the client's connection joins it.
  new Session(path, { connectionArgs: [`--config-file=${file}`] });
  const connection = createChdbConnection({ path }) as unknown as ClickHouseClientConfigOptions['connection'];
  return createClient({ connection, log: { level: 127 } });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://node');
    const body = await text(request);
    response.setHeader('x-clickhouse-query-id', searchParams.get('query_id') ?? randomUUID());
    if (pathname === '/ping') {
      response.end('Ok.\n');
      return;
    }
    await enter(searchParams);
    const params: Record<string, string> = {};
    for (const [name, value] of searchParams) {
      if (name.startsWith('param_')) params[name.slice('param_'.length)] = unescaped(value);
    }
    const query = searchParams.get('query');
    const result = await client.exec({
      query: onThisEngine(query ?? body),
      query_params: params,
      ...(query === null ? {} : { values: body }),
    });
    const chunks: Buffer[] = [];
    for await (const chunk of result.stream) chunks.push(chunk as Buffer);
    response.end(Buffer.concat(chunks));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const type = error instanceof Error && 'type' in error ? String(error.type) : 'UNKNOWN_EXCEPTION';
    response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
    response.end(`Code: ${errorCode(error) || '1002'}. DB::Exception: ${message} (${type})`);
  }
}

/** Makes the database and the settings of a request those of the session. */
async function enter(searchParams: URLSearchParams): Promise<void> {
  const named = searchParams.get('database') ?? 'default';
  if (named !== database) await client.command({ query: `USE ${named}` });
  database = named;
  for (const name of Object.keys(CLUSTER_SETTINGS)) {
    const value = searchParams.get(name);
    // A shard of another address would be asked over the network.
    if (value !== null && name !== 'prefer_localhost_replica') await set(name, `'${value}'`);
  }
  await set('additional_table_filters', await rowsOfEachShard());
}

async function set(name: string, value: string): Promise<void> {
  if (session.get(name) !== value) await client.command({ query: `SET ${name} = ${value}` });
  session.set(name, value);
}

/** What a shard sees of each local table; 0 is no shard, but the table itself. */
async function rowsOfEachShard(): Promise<string> {
  const result = await client.query({
    query: `SELECT table, groupArray(name) AS columns FROM system.columns
      WHERE database = currentDatabase() AND endsWith(table, '_local') GROUP BY table ORDER BY table`,
    format: 'JSONEachRow',
  });
  const tables = await result.json<{ table: string; columns: string[] }>();
  const filters = tables.map(({ table, columns }) => {
    // network_day_errors is filled by the view of each shard; other tables without a station, on the first shard.
    const hash =
      options.rows === 'anywhere'
        ? `sipHash64(\\'${table}\\', ${columns.join(', ')}) % 2`
        : columns.includes('station_id')
          ? 'cityHash64(station_id) % 2'
          : table === 'network_day_errors_local'
            ? 'error_hundredths % 2 = 0'
            : '0';
    return `'${database}.${table}': 'shardNum() IN (0, 1 + (${hash}))'`;
  });
  return `{${filters.join(', ')}}`;
}

/** A statement for every server, as each of them carries it out; the first has chosen the UUID of a table. */
function onThisEngine(query: string): string {
  const everywhere = ` ON CLUSTER \`${options.name}\``;
  if (options.zookeeper === undefined)
    return query.replace(everywhere, '').replace('ENGINE = Replicated', 'ENGINE = ');
  return query.replace(everywhere, query.startsWith('CREATE TABLE') ? ` UUID '${randomUUID()}'` : '');
}

/** A bound value as the HTTP interface escapes it (tab-separated style), made plain again. */
function unescaped(value: string): string {
  const plain: Record<string, string> = { t: '\t', n: '\n', r: '\r' };
  return value.replace(/\\(.)/gs, (_, character: string) => plain[character] ?? character);
}
