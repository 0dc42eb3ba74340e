import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ClickHouseClient, type ClickHouseClientConfigOptions, createClient } from '@clickhouse/client';
import { Session } from 'chdb';
import { createChdbConnection } from 'chdb/connection';
import { CLUSTER_SETTINGS } from '../../src/store/cluster.js';
import { errorCode } from '../../src/store/errors.js';
import type { ClusterNode } from './cluster.js';

// One server of a cluster, as a process: the embedded engine with its native port open to the other servers, so that
// Distributed tables work as they do in ClickHouse, behind as much of the HTTP interface as the service uses. Two things
// are not the engine's own, as it has no coordinator: ON CLUSTER (the statement is handed to each server in turn) and
// replication (ReplicatedMergeTree is made as MergeTree).

const node = JSON.parse(process.argv[2] ?? '') as ClusterNode;
const client = await open();
const settings = new Map<string, string>();
let database = 'default';
let last: Promise<unknown> = Promise.resolve();

createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
  // The database and settings are those of the engine's one session, so requests take turns.
  last = last.then(() => answer(request, response));
}).listen(node.httpPorts[node.index], '127.0.0.1', () => console.log('listening'));

async function open(): Promise<ClickHouseClient> {
  mkdirSync(node.folder, { recursive: true });
  const file = join(node.folder, 'config.xml');
  const shards = node.tcpPorts.map(
    (port) => `<shard>
        <internal_replication>${node.internalReplication}</internal_replication>
        <replica><host>127.0.0.1</host><port>${port}</port></replica>
      </shard>`,
  );
  writeFileSync(
    file,
    `<clickhouse>
      <listen_host>127.0.0.1</listen_host>
      <tcp_port>${node.tcpPorts[node.index]}</tcp_port>
      <remote_servers><${node.cluster}>${shards.join('')}</${node.cluster}></remote_servers>
      ${node.moreConfig}
    </clickhouse>`,
  );
  const path = join(node.folder, 'data');
  // Whoever opens the folder first says how the engine is configured; the client's connection joins it.
  new Session(path, { connectionArgs: [`--config-file=${file}`] });
  const connection = createChdbConnection({ path }) as unknown as ClickHouseClientConfigOptions['connection'];
  return createClient({ connection, log: { level: 127 } });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const url = new URL(request.url ?? '/', 'http://node');
    const body = await text(request);
    response.setHeader('x-clickhouse-query-id', url.searchParams.get('query_id') ?? randomUUID());
    if (url.pathname === '/ping') {
      response.end('Ok.\n');
      return;
    }
    const { searchParams } = url;
    await enter(searchParams);
    const params: Record<string, string> = {};
    for (const [name, value] of searchParams) {
      if (name.startsWith('param_')) params[name.slice('param_'.length)] = unescaped(value);
    }
    const inUrl = searchParams.get('query');
    response.end(await run(inUrl ?? body, params, inUrl === null ? undefined : body));
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
    const value = searchParams.get(name) ?? '';
    if (value !== '' && settings.get(name) !== value)
      await client.command({ query: `SET ${name} = '${value}'` });
    settings.set(name, value);
  }
}

async function run(query: string, params: Record<string, string>, data?: string): Promise<Buffer> {
  const here = query.replace(` ON CLUSTER \`${node.cluster}\``, '');
  const result = await client.exec({
    query: node.replicated ? here : here.replace('ENGINE = Replicated', 'ENGINE = '),
    query_params: params,
    ...(data === undefined ? {} : { values: data }),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of result.stream) chunks.push(chunk as Buffer);
  if (here !== query) {
    for (const port of node.httpPorts.filter((_port, index) => index !== node.index)) {
      const answered = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: here });
      if (!answered.ok) throw new Error(await answered.text());
    }
  }
  return Buffer.concat(chunks);
}

/** A bound value as the HTTP interface escapes it (tab-separated style), made plain again. */
function unescaped(value: string): string {
  const plain: Record<string, string> = { t: '\t', n: '\n', r: '\r' };
  return value.replace(/\\(.)/gs, (_, character: string) => plain[character] ?? character);
}
