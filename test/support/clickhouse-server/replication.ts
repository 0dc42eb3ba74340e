import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DataType, load, open } from 'ffi-rs';
import { temporaryFolder } from '../store.js';
import type { ClickHouseServer } from './server.js';
import { hasZooKeeper } from './zookeeper.js';

// Servers of libchdb lack addresses to be replicas: replicas.c gives each an address, and the bridge listens there.

const SOURCE = fileURLToPath(new URL('replicas.c', import.meta.url));
const LIBRARY = 'replicas';

let compiled: string | undefined;

/** replicas.c as a library, compiled once. */
export function replicasLibrary(): string {
  if (compiled === undefined) {
    const path = join(temporaryFolder(), 'replicas.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', path, SOURCE, '-ldl'], { stdio: 'pipe' });
    open({ library: LIBRARY, path });
    compiled = path;
  }
  return compiled;
}

/** Why servers on this machine cannot be replicas, if they cannot. */
export function whyNoReplicas(): string | undefined {
  if (!hasZooKeeper()) return 'no ZooKeeper; `make ci-tools` installs it';
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'replicas need Linux on x64';
  try {
    replicasLibrary();
  } catch {
    return 'no C compiler; `make ci-tools` installs it';
  }
  const chdb = createRequire(createRequire(import.meta.url).resolve('chdb'));
  const found = load({
    library: LIBRARY,
    funcName: 'can_have_replicas',
    retType: DataType.I32,
    paramsType: [DataType.String],
    paramsValue: [chdb.resolve('@chdb/lib-linux-x64-gnu/libchdb.so')],
  });
  return found === 1 ? undefined : 'replicas.c does not know the code of this libchdb';
}

/**
 * Gives the parts of servers to their fellow replicas, over ClickHouse's protocol of the interserver port
 * (DataPartsExchange). One bridge does it for all servers: a request names the replica, and its parts are read in its folder.
 */
export class PartsBridge {
  readonly #server: Server;
  /** Whether it gives nothing: replicas stay behind. */
  isClosed = false;

  private constructor(private readonly servers: ReadonlyMap<string, ClickHouseServer>) {
    this.#server = createServer((request, response) => {
      const asked = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
      const [, uuid = '', replica = ''] =
        /^DataPartsExchange:\/clickhouse\/tables\/([0-9a-f-]{36})\/\d+\/replicas\/(\w+)$/.exec(
          asked.get('endpoint') ?? '',
        ) ?? [];
      const server = this.servers.get(replica);
      request.resume();
      if (server?.isRunning !== true || this.isClosed) {
        response.destroy();
        return;
      }
      try {
        const folder = join(server.folder, 'store', uuid.slice(0, 3), uuid, asked.get('part') ?? '');
        response.setHeader('Set-Cookie', `server_protocol_version=${PROTOCOL_VERSION}`);
        response.end(partOf(folder));
      } catch (error) {
        response.writeHead(500).end(String(error)); // a part that has been merged away: the replica asks for another
      }
    });
  }

  /** @param servers by the name of their replica; more may come later */
  static async start(servers: ReadonlyMap<string, ClickHouseServer>): Promise<PartsBridge> {
    const bridge = new PartsBridge(servers);
    await once(bridge.#server.listen(0, '127.0.0.1'), 'listening');
    return bridge;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** The version of a server which sends how many projections a part has, and nothing newer. */
const PROTOCOL_VERSION = 7;
const NO_UUID = '00000000-0000-0000-0000-000000000000';
const NO_LIFETIMES = Buffer.from('ttl format version: 1\n{}');

/** A part as it is sent: what it is, then each file with its hash. @throws Error if the folder has no part */
function partOf(folder: string): Buffer {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, bytes: readFileSync(join(folder, name)) }));
  const bytesIn = (name: string): Buffer | undefined => files.find((file) => file.name === name)?.bytes;
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  return Buffer.concat([
    uint64(size),
    text(bytesIn('ttl.txt') ?? NO_LIFETIMES),
    text(existsSync(join(folder, 'data.bin')) ? 'Compact' : 'Wide'),
    Buffer.from(NO_UUID),
    uint64(0), // projections
    uint64(files.length),
    ...files.flatMap(({ name, bytes }) => [text(name), uint64(bytes.length), bytes, hashOf(bytes)]),
  ]);
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

/** With its length in front, 7 bits a byte. */
function text(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length: number[] = [];
  for (let left = bytes.length; length.length === 0 || left > 0; left >>>= 7) {
    length.push(left > 127 ? (left & 127) | 128 : left);
  }
  return Buffer.concat([Buffer.from(length), bytes]);
}

function hashOf(bytes: Buffer): Buffer {
  const hash = Buffer.alloc(16);
  load({
    library: LIBRARY,
    funcName: 'hash_file',
    retType: DataType.Void,
    paramsType: [DataType.U8Array, DataType.I32, DataType.U8Array],
    paramsValue: [bytes, bytes.length, hash],
  });
  return hash;
}
